"""Choosing the rules: the ruleset, explained in words, and its knobs one by one."""

from typing import Any

import streamlit as st

from arena.explain import by_knob, say
from arena.roles import ROLES
from arena.rulebook import as_data
from arena.ruleset import ALL_KNOBS, Ruleset, load_ruleset, ruleset_ids
from arena.strict_yaml import parse_yaml
from arena.terms import Lang, UnusableInput
from arena.texts import texts

FACTS = {role.name: {"title": role.title, "card": role.card, "faction": role.faction} for role in ROLES.values()}


def choose_ruleset(lang: Lang) -> Ruleset:
    """One of the rulesets that come with Duskwald."""
    words = texts(lang, "lobby")
    rulesets = {name: load_ruleset(name) for name in ruleset_ids()}
    names = sorted(rulesets, key=lambda name: name != "duskwald")
    picked = st.selectbox(words["ruleset"], names, format_func=lambda name: rulesets[name].title[lang])
    st.caption(rulesets[picked].description[lang])
    return rulesets[picked]


def choose_knobs(ruleset: Ruleset, players: int, lang: Lang) -> dict[str, Any]:
    """The knobs that are set otherwise than the ruleset has them; errors are shown beside them."""
    words = texts(lang, "lobby")
    told = by_knob(ruleset.rules, FACTS, players, lang)
    keys = st.multiselect(
        words["knobs"],
        [key for key in ALL_KNOBS if key in told],
        help=words["knobs_help"],
        placeholder=words["no_knobs"],
    )
    chosen: dict[str, Any] = {}
    for key in keys:
        st.caption(f"{words['so_far']} {told[key]}")
        value = _knob(key, ruleset, players, lang)
        try:
            ruleset.with_rules({key: value}, "rules")
        except UnusableInput as error:
            st.text(str(error))
        else:
            chosen[key] = value
    return chosen


def _knob(key: str, ruleset: Ruleset, players: int, lang: Lang) -> Any:
    """The widget for a knob: its values in words where they can be counted, else the value as in a ruleset file."""
    knob = ALL_KNOBS[key]
    now = ruleset.rules[key]
    if knob.values:
        options = list(knob.values)
        place = next((i for i, value in enumerate(options) if value == now), 0)
        return st.selectbox(key, options, place, format_func=lambda value: _said(key, value, players, lang))
    if knob.least is not None:
        return int(st.number_input(key, knob.least, knob.most, int(now)))
    if knob.share:
        return float(st.number_input(key, 0.0, 1.0, float(now)))
    written = st.text_input(key, _written(now))
    try:
        return parse_yaml(written)
    except UnusableInput as error:
        st.text(str(error))
        return now


def _said(key: str, value: Any, players: int, lang: Lang) -> str:
    return say(key, value, FACTS, players, lang) or str(value)


def _written(value: Any) -> str:
    """A value on one line, as YAML reads it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def explain_rules(ruleset: Ruleset, chosen: dict[str, Any], lang: Lang) -> None:
    """The rules as they will be played, in words."""
    with st.expander(texts(lang, "lobby")["explained"]):
        for topic in as_data(ruleset.with_rules(chosen, "rules"), lang)["topics"]:
            st.markdown(f"**{topic['title']}**")
            for sentence in topic["sentences"]:
                st.text(sentence)
