import re
from collections import Counter
from pathlib import Path

import pytest

from arena.personas import load_persona, persona_ids, read_persona
from arena.roles import ROLES
from arena.seating import SeatPlan, with_names, with_personas
from arena.terms import LANGUAGES, UnusableInput

GOOD = """
name: {zh: 甲, en: A}
description: {zh: 乙, en: B}
style: {zh: 丙, en: C}
habits: {zh: 丁, en: D}
risk: 0.5
talkativeness: 0.5
suspicion: 0.5
questions: 0.5
tone: plain
"""


def test_there_are_at_least_twelve() -> None:
    assert len(persona_ids()) >= 12


@pytest.mark.parametrize("name", persona_ids())
def test_each_is_told_in_both_languages(name: str) -> None:
    persona = load_persona(name)
    assert persona.id == name
    for words in (persona.name, persona.description, persona.style, persona.habits):
        assert set(words) == set(LANGUAGES)
        assert re.search("[\u4e00-\u9fff]", words["zh"])
        assert not re.search("[\u3000-\u9fff\uff00-\uffef]", words["en"])


def test_no_two_have_the_same_name_or_temper() -> None:
    personas = [load_persona(name) for name in persona_ids()]
    assert len({persona.name["en"] for persona in personas}) == len(personas)
    assert len({(p.risk, p.talkativeness, p.suspicion, p.tone) for p in personas}) == len(personas)


def test_none_knows_rules_or_cards() -> None:
    """Terms of the table are left to the prompts: a persona is a voice."""
    for lang in LANGUAGES:
        titles = {role.title[lang].lower() for role in ROLES.values()}
        terms = (
            titles
            | {"zh": {"金水", "查杀", "警", "狼", "刀", "神牌", "票"}, "en": {"wolf", "sheriff", "vote", "badge"}}[lang]
        )
        for persona in map(load_persona, persona_ids()):
            words = f"{persona.description[lang]} {persona.style[lang]} {persona.habits[lang]}".lower()
            assert not [term for term in terms if term in words], persona.id


def test_scripted_seats_are_dealt_each_persona_as_seldom_as_possible() -> None:
    plain = {seat: SeatPlan() for seat in range(1, 13)}
    others = {
        13: SeatPlan(player="random"),
        14: SeatPlan(persona="warm-host"),
        15: SeatPlan(player="human", name="小明"),
    }
    dealt = with_personas({**plain, **others}, 5)
    counts = Counter(dealt[seat].persona for seat in plain)
    assert set(counts) == set(persona_ids())
    assert max(counts.values()) - min(counts.values()) <= 1
    assert {seat: dealt[seat] for seat in others} == others
    assert dealt == with_personas({**plain, **others}, 5)
    assert len({str(with_personas(plain, seed)) for seed in range(4)}) == 4


def test_at_a_table_of_people_everybody_has_a_name_of_their_own() -> None:
    scripts = {seat: SeatPlan() for seat in range(1, 18)}
    assert with_names(scripts, "en", 5) == scripts
    seats = with_names({**scripts, 18: SeatPlan(player="human", name="ash")}, "en", 5)
    assert seats[18].name == "ash"
    assert len({plan.name.casefold() for plan in seats.values() if plan.name}) == 18
    assert seats != with_names({**scripts, 18: SeatPlan(player="human", name="ash")}, "en", 6)


def test_an_unknown_one_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnusableInput, match=f"unknown persona 'nobody'; known: {', '.join(persona_ids())}"):
        load_persona("nobody")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("risk: 0.5", "risk: 2"), "risk"),
        (("tone: plain", "tone: loud"), "tone.*'plain', 'cool'"),
        (("suspicion: 0.5", ""), "suspicion"),
        (("en: A", "fr: A"), "name"),
        (("{zh: 甲, en: A}", "{zh: 甲}"), "name.*en"),
        (("tone:", "mood: odd\ntone:"), "mood"),
        (("name:", "name: ["), "not readable"),
        (("tone:", "risk: 0.7\ntone:"), "line 10: the key risk is in line 6 already"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, change: tuple[str, str], complaint: str) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(GOOD, encoding="utf-8")
    assert read_persona(file).id == "odd"
    file.write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(UnusableInput, match=f"^odd.yaml: .*{complaint}") as caught:
        read_persona(file)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text("- a\n- b\n", encoding="utf-8")
    with pytest.raises(UnusableInput, match=r"^odd\.yaml: "):
        read_persona(file)
