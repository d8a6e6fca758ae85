"""Play the golden transcripts again (``make golden``), after a change of the rules that is meant."""

from arena.ruleset import load_ruleset
from arena.transcript import Header
from tests.matches import header, play
from tests.repository import ROOT

GOLDEN = ROOT / "transcripts" / "golden"


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


if __name__ == "__main__":
    main()
