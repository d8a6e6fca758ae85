"""Play the golden games again (``make golden``), after a change of the rules that is meant."""

import yaml

from arena.ruleset import load_ruleset
from arena.transcript import Header
from tests.matches import header, play
from tests.repository import ROOT
from tests.varied_games import digest, games

GOLDEN = ROOT / "transcripts" / "golden"
DIGESTS = ROOT / "tests" / "varied_games.yaml"


def golden_games() -> dict[str, Header]:
    """A game for each setup of the house ruleset, by file name; the languages take turns."""
    games = {}
    for players in sorted(load_ruleset("duskwald").setups):
        lang = "en" if players % 2 else "zh"
        game = header(players, players, "scripted").model_copy(update={"lang": lang})
        games[f"duskwald-{players}-{lang}.jsonl"] = game
    return games


def main() -> None:
    """Write all of them; those of setups that are gone go."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.jsonl"):
        path.unlink()
    for name, game in golden_games().items():
        play(GOLDEN / name, game)
    DIGESTS.write_text(yaml.safe_dump({name: digest(game) for name, game in games()}), encoding="utf-8")


if __name__ == "__main__":
    main()
