"""What a game takes of its endpoints, and how much of it an endpoint has had before."""

import pytest

from arena.estimate import rehearse
from arena.seating import Seating, sit_down, with_personas
from arena.terms import Lang
from arena.transcript import Header


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_nine_tenths_of_all_prompts_of_twelve_seats_have_been_sent_before(lang: Lang) -> None:
    """Byte for byte, as the beginning of an earlier prompt; models are taken to use most of their room for notes."""
    sitting = sit_down(Seating.model_validate({"players": 12, "language": lang}), "ollama/any")
    header = Header(
        started="2026-11-30T20:00:00+00:00",
        lang=lang,
        seed=5,
        cards=sitting.cards,
        seats=with_personas(sitting.seats, 5),
        models={name: plan.model for name, plan in sitting.endpoints.items()},
        ruleset=sitting.ruleset,
    )
    load = rehearse(header, sitting.endpoints)["ollama/any"]
    assert load.calls > 60
    assert load.cached >= 0.9 * load.prompt
    assert load.usd(sitting.endpoints["ollama/any"]) == 0
