"""Choosing the cards, and who plays each seat."""

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from arena.decks import decks
from arena.endpoint import load_endpoints
from arena.personas import load_persona, persona_ids
from arena.roles import ROLES
from arena.ruleset import Ruleset
from arena.terms import Lang
from arena.texts import texts

KINDS = ("scripted", "human", "model", "random")
OWN = "own"
"""Cards counted one by one."""

TYPED = "typed"
"""The endpoint that is typed in here."""


def choose_cards(ruleset: Ruleset, lang: Lang) -> tuple[int, dict[str, int]]:
    """The number of players, and the cards where they are other than the ruleset's."""
    words = texts(lang, "lobby")
    named: dict[str, str] = {str(n): words["setup"].format(players=n) for n in sorted(ruleset.setups)}
    named |= {name: deck.title[lang] for name, deck in decks().items()}
    named[OWN] = words["own_cards"]
    usual = "9" if "9" in named else next(iter(named))
    picked = st.selectbox(words["cards"], list(named), list(named).index(usual), format_func=lambda name: named[name])
    if picked.isdecimal():
        st.text(_listed(ruleset.cards(int(picked)), lang))
        return int(picked), {}
    if picked != OWN:
        cards = decks()[picked].cards
        st.text(_listed(cards, lang))
        return sum(cards.values()), dict(cards)
    return _own_cards(lang)


def _own_cards(lang: Lang) -> tuple[int, dict[str, int]]:
    counted: dict[str, int] = {}
    usual = next(iter(decks().values())).cards
    columns = st.columns(4)
    for place, role in enumerate(sorted(ROLES)):
        with columns[place % 4]:
            counted[role] = int(st.number_input(ROLES[role].title[lang], 0, 20, usual.get(role, 0), key=f"card {role}"))
    cards = {role: number for role, number in counted.items() if number}
    players = int(st.number_input(texts(lang, "lobby")["players"], 1, 20, min(20, max(1, sum(cards.values())))))
    return players, cards


def _listed(cards: Mapping[str, int], lang: Lang) -> str:
    separator: str = texts(lang, "terms")["list_separator"]
    return separator.join(f"{number} × {ROLES[role].title[lang]}" for role, number in cards.items())


HIDDEN: Literal["collapsed"] = "collapsed"


def choose_seats(players: int, endpoints: list[str], lang: Lang) -> dict[str, Any]:
    """Who plays each seat, as in a seats file. A person sits at the first one unless it is chosen otherwise."""
    words = texts(lang, "lobby")
    kinds = words["kinds"]
    seats: dict[str, Any] = {}
    for seat in range(1, players + 1):
        number, kind, more = st.columns([1, 3, 6], vertical_alignment="bottom")
        number.text(str(seat))
        usual = KINDS.index("human" if seat == 1 else "scripted")
        key = f"kind {seat}"
        picked = kind.selectbox(
            words["kind"], KINDS, usual, format_func=lambda kind: kinds[kind], key=key, label_visibility=HIDDEN
        )
        with more:
            seats[str(seat)] = _player(seat, picked, endpoints, lang)
    return seats


def _player(seat: int, kind: str, endpoints: list[str], lang: Lang) -> Any:
    words = texts(lang, "lobby")
    if kind == "human":
        label = words["name"]
        name = st.text_input(label, key=f"name {seat}", placeholder=label, label_visibility=HIDDEN, max_chars=40)
        return {"human": name.strip()} if name.strip() else "human"
    if kind == "random":
        return "random"
    if kind == "scripted":
        persona = _persona(seat, lang)
        return {"scripted": persona} if persona else "scripted"
    served, voice = st.columns(2)
    with voice:
        persona = _persona(seat, lang)
    label, key = words["model"], f"model {seat}"
    model = served.selectbox(label, endpoints, key=key, accept_new_options=True, label_visibility=HIDDEN)
    return {"model": model or "", **({"persona": persona} if persona else {})}


def _persona(seat: int, lang: Lang) -> str:
    words = texts(lang, "lobby")
    names = {"": words["any_persona"], **{name: load_persona(name).name[lang] for name in persona_ids()}}
    label, key = words["persona"], f"persona {seat}"
    return st.selectbox(label, list(names), format_func=lambda name: names[name], key=key, label_visibility=HIDDEN)


def choose_endpoints(lang: Lang) -> tuple[dict[str, Any], str]:
    """The endpoint that is typed in, if there is one, and a key."""
    words = texts(lang, "lobby")
    typed: dict[str, Any] = {}
    # A form, since a password that is left with the Tab key is told to the server by nothing else.
    with st.expander(words["endpoints"]), st.form("endpoints", border=False):
        st.caption(words["endpoints_help"])
        base = st.text_input(words["base_url"], placeholder="http://127.0.0.1:8080/v1")
        model = st.text_input(words["served"])
        key = st.text_input(words["key"], type="password", autocomplete="off")
        paid, earned = st.columns(2)
        sent = paid.number_input(words["price_sent"], 0.0, value=None)
        written = earned.number_input(words["price_written"], 0.0, value=None)
        st.form_submit_button(words["use"])
    if base and model:
        typed[TYPED] = {"base_url": base.strip(), "model": model.strip()}
        if sent is not None and written is not None:
            typed[TYPED]["price"] = {"input": sent, "output": written}
    return typed, key


def known_endpoints(typed: Mapping[str, Any]) -> list[str]:
    """The names of endpoints that a seat can choose from; others can be typed."""
    return [*typed, *load_endpoints()]


def keys_for(seats: Mapping[str, Any], typed: Mapping[str, Any], key: str) -> dict[str, str]:
    """Whom the typed `key` is for: the typed endpoint, or else the one provider whose models are named.

    A key is shown to nobody else, so with models of two providers it is for neither.
    """
    if not key:
        return {}
    if typed:
        return {TYPED: key}
    known = load_endpoints()
    named = {plan["model"] for plan in seats.values() if isinstance(plan, dict) and plan.get("model")} - known.keys()
    providers = {name.partition("/")[0] for name in named}
    return dict.fromkeys(sorted(named), key) if len(providers) == 1 else {}
