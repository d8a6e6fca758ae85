# Every path below is relative, so that the checkout may lie in a folder whose name has spaces.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play local watch test test-long test-local check bench rates golden pictures

BIN := .venv/bin
# Tests start the program hundreds of times: what has been compiled once is kept, whatever the surroundings say.
unexport PYTHONDONTWRITEBYTECODE
CORES := $(shell getconf _NPROCESSORS_ONLN)
# One more than there are cores: tests that drive another process mostly wait.
WORKERS := $(shell expr $(CORES) + 1)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock

help: ## this list
	@echo "make <target>:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile
	@echo "variables of make play: RULESET=<id or file> PLAYERS=<number> SPEAK=zh|en SEED=<number>"
	@echo "variables of make local: SPEAK=zh|en SEED=<number>"

play: .venv/installed ## play one game with scripted players and read along
	@$(BIN)/arena play \
		$(if $(RULESET),--ruleset "$(RULESET)") \
		$(if $(PLAYERS),--players "$(PLAYERS)") \
		$(if $(SPEAK),--lang "$(SPEAK)") \
		$(if $(SEED),--seed "$(SEED)")

# SmolLM2 knows English alone, and writes nonsense in any other language. These rules make a game of one to three dozen calls.
SHORT := werewolves.rounds=1 discussion.seconds=6 discussion.last_speaker_seconds=6 \
	last_words.policy=none explode.allowed=false vote.tie=none win.werewolves=parity stalemate_cycles=1

local: .venv/installed-local ## play six seats with a small real model on this machine
	@$(BIN)/python -m arena.local
	@$(BIN)/arena play --local --players 6 $(addprefix --rule ,$(SHORT)) \
		--lang "$(or $(SPEAK),en)" \
		$(if $(SEED),--seed "$(SEED)")

watch: .venv/installed ## open the web app: games to replay
	@$(BIN)/arena dashboard

test: check ## all checks, then the tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --ignore tests/browser
	@# Beside tests that compute, a browser waits ten times as long for each of its frames.
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal tests/browser

test-long: .venv/installed-dev ## the tests that take minutes
	$(BIN)/python -m pytest -n $(WORKERS) -m long

test-local: .venv/installed-dev .venv/installed-local ## the tests that play with the small real model
	@$(BIN)/python -m arena.local
	$(BIN)/python -m pytest -m local tests/local

check: .venv/installed-dev ## formatting, lint, types, layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo

bench: .venv/installed-dev ## measure speed (a number to read, not a pass or a fail)
	$(BIN)/python -m pytest -o addopts= tests/benchmarks

rates: .venv/installed-dev ## who wins how often under every ruleset: plays anew for the table in the READMEs
	$(BIN)/python -m tests.benchmarks.rates

golden: .venv/installed-dev ## play the golden games again, after a change that is meant
	$(BIN)/python -m tests.regenerate_golden

pictures: .venv/installed-dev ## take the pictures in the READMEs again, after a change of the pages
	$(BIN)/python -m tests.regenerate_pictures

.venv/installed: pyproject.toml requirements.lock | $(BIN)/pip
	@echo "Installing Duskwald into .venv (about 0.8 GB, a minute; only the first time)"
	@$(INSTALL) -e .
	@touch $@

.venv/installed-local: pyproject.toml requirements.lock | $(BIN)/pip
	@echo "Installing Duskwald and a server for local models into .venv (0.1 GB more)"
	@$(INSTALL) -e ".[local]"
	@touch .venv/installed $@

.venv/installed-dev: pyproject.toml requirements.lock | $(BIN)/pip
	@echo "Installing Duskwald and its development tools into .venv"
	@$(INSTALL) -e ".[dev]"
	@touch .venv/installed $@

# pip is what a venv made without Debian's python3-venv lacks, so its presence shows a whole venv.
$(BIN)/pip:
	@for python in python3.11 python3 python3.12 python3.13 python3.14; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			"$$python" -m venv --clear .venv && exit 0; \
			echo "make: $$python cannot make a virtual environment; on Debian: apt install python3-venv" >&2; \
			exit 1; \
		fi; \
	done; \
	echo "make: no Python 3.11 or later found as python3.11, python3, python3.12, python3.13 or python3.14" >&2; \
	exit 1
