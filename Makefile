# Every path below is relative, so that the checkout may lie in a folder whose name has spaces.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play watch test test-long check bench rates golden

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock

help: ## this list
	@echo "make <target>:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile
	@echo "variables of make play: RULESET=<id or file> PLAYERS=<number> SPEAK=zh|en SEED=<number>"

play: .venv/installed ## play one game with scripted players and read along
	@$(BIN)/arena play \
		$(if $(RULESET),--ruleset "$(RULESET)") \
		$(if $(PLAYERS),--players "$(PLAYERS)") \
		$(if $(SPEAK),--lang "$(SPEAK)") \
		$(if $(SEED),--seed "$(SEED)")

watch: .venv/installed ## open the web app: games to replay
	@$(BIN)/arena dashboard

test: check ## all checks, then the tests
	$(BIN)/python -m pytest -n 2

test-long: .venv/installed-dev ## the tests that take minutes
	$(BIN)/python -m pytest -n 2 -m long

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

.venv/installed: pyproject.toml requirements.lock | $(BIN)/pip
	@echo "Installing Duskwald into .venv (about 0.6 GB, a minute; only the first time)"
	@$(INSTALL) -e .
	@touch $@

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
