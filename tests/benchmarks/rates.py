"""Who wins how often with scripted players, for every setup of every ruleset (``make rates``).

Plays `GAMES` games of each, without words, writes the counts to ``arena/rulesets/rates.json``, and the tables of
both READMEs from it.
"""

import re
from multiprocessing import get_context
from typing import Any

import orjson

from arena.ruleset import load_ruleset, ruleset_ids
from arena.simulate import CPUS, Trial, results, summary_data, summed
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.repository import ROOT

GAMES, SEED = 500, 1

RATES = ROOT / "arena" / "rulesets" / "rates.json"
READMES: dict[Lang, str] = {"en": "README.md", "zh": "README.zh.md"}
BIG = ("village", "werewolves", "draw")
TABLE = re.compile(r"(?<=<!-- rates -->\n)(.*?)(?=<!-- end of rates -->)", re.DOTALL)


def setups() -> list[tuple[str, int]]:
    """Every ruleset with every number of players it has a setup for."""
    return [(name, players) for name in ruleset_ids() for players in sorted(load_ruleset(name).setups)]


def measured(setup: tuple[str, int], games: int = GAMES) -> dict[str, Any]:
    """How the games of one setup went."""
    name, players = setup
    ruleset = load_ruleset(name)
    trial = Trial(ruleset, ruleset.cards(players), SEED)
    return {"players": players, **summary_data(trial, summed(results(trial, games, jobs=1)))}


def table(rates: list[dict[str, Any]], lang: Lang) -> str:
    """The rates as lines of Markdown, each as a percentage with its 95 % interval."""
    head = texts(lang, "simulate")["rates"]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    lines += ["| " + " | ".join(_cells(rate, lang)) + " |" for rate in rates]
    return "\n".join(lines) + "\n"


def _cells(rate: dict[str, Any], lang: Lang) -> list[str]:
    names, outcomes = texts(lang, "terms")["factions"], rate["outcomes"]
    others = [f"{names[faction]} {_percent(one)}" for faction, one in outcomes.items() if faction not in BIG]
    village, werewolves, draw = (_percent(outcomes[name]) if name in outcomes else "0" for name in BIG)
    stalemate = f"{100 * rate['reasons'].get('stalemate', 0) / rate['games']:.1f}"
    return [f"`{rate['ruleset']}`", str(rate["players"]), village, werewolves, "<br>".join(others), draw, stalemate]


def _percent(outcome: dict[str, Any]) -> str:
    low, high = outcome["interval"]
    return f"{100 * outcome['rate']:.1f} ({100 * low:.0f}–{100 * high:.0f})"


def main() -> None:
    """Measure all setups, the long ones first, on all processors."""
    order = sorted(setups(), key=lambda setup: -setup[1])
    with get_context("spawn").Pool(CPUS) as pool:
        rates = dict(zip(order, pool.imap(measured, order, chunksize=1), strict=True))
    data = [rates[setup] for setup in setups()]
    RATES.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    for lang in LANGUAGES:
        readme = ROOT / READMES[lang]
        before, _, after = TABLE.split(readme.read_text(encoding="utf-8"))
        readme.write_text(before + table(data, lang) + after, encoding="utf-8")


if __name__ == "__main__":
    main()
