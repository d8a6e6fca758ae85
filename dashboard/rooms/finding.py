"""Finding a game among many: by ruleset, seats, winner, persona, player and day, and by what was said."""

from collections.abc import Callable, Mapping

import streamlit as st

from arena.personas import load_persona, persona_ids
from arena.terms import Lang
from arena.texts import clean, seat_names, texts
from dashboard import library
from dashboard.index import Hit, Index, Wanted
from dashboard.indexing import File

OFFERED = 200
"""How many games are offered in one list; of more, the last written ones."""

FOUND = 8
"""How many speeches are shown that were looked for."""

JUMPS = "jumps so far"
"""Where a session counts how often a speech was opened that was found."""

AROUND = 40
"""How many characters of a speech are shown on either side of what was looked for."""


def found(files: Mapping[str, File], lang: Lang) -> list[str]:
    """The names of the games to choose from: what the visitor is looking for, else the last written ones."""
    words = texts(lang, "finding")
    index, progress = library.index_of(files)
    with st.popover(words["find"], key="find"):
        wanted = _wanted(index, lang)
        names, count = list(files)[:OFFERED], len(files)
        if wanted != Wanted():
            names, count = index.names(wanted, OFFERED)
            st.text(words["count"].format(count=count, of=len(files)))
        if count > len(names):
            st.text(words["more"].format(most=OFFERED))
        if progress:
            _watch(lang)
        for place, hit in enumerate(index.hits(wanted, FOUND)):
            _show(hit, wanted.words, place, lang)
    return [name for name in names if name in files]


def _wanted(index: Index, lang: Lang) -> Wanted:
    words = texts(lang, "finding")
    said = st.text_input(words["words"], key="find words", placeholder=words["words_hint"]).strip()
    choices = index.choices(lang)
    choices["persona"] = {name: name for name in choices["persona"] if name in persona_ids()}
    given: dict[str, str] = {}
    with st.container(key="fields"):
        columns = [column for _ in range(4) for column in st.columns(2)]
    model = ""
    fields = ("ruleset", "seats", "winner", "persona", "player", "model", "since", "until")
    for column, field in zip(columns, fields, strict=True):
        with column:
            if field == "model":
                model = st.text_input(words["fields"][field], key="find model", placeholder=words["model_hint"])
                continue
            picked = st.selectbox(
                words["fields"][field],
                list(choices[field]),
                index=None,
                key=f"find {field}",
                placeholder=words["any"],
                format_func=_name_of(field, choices[field], lang),
            )
        given[field] = picked or ""
    seats = int(given.pop("seats") or 0)
    return Wanted(**given, seats=seats, model=model.strip(), words=said)


def _name_of(field: str, choices: Mapping[str, str], lang: Lang) -> Callable[[str], str]:
    """How a visitor reads of the values of a field."""
    words, terms = texts(lang, "finding"), texts(lang, "terms")
    kinds = texts(lang, "dashboard")["players"]

    def name(value: str) -> str:
        match field:
            case "winner":
                known = words["winners"].get(value) or terms["factions"].get(value, value)
            case "persona":
                known = load_persona(value).name[lang]
            case "player":
                known = kinds.get(value, value)
            case _:
                known = choices.get(value, value)
        return clean(str(known))

    return name


@st.fragment(run_every=1.0)
def _watch(lang: Lang) -> None:
    """How far the index has come; the page is run again once it is whole."""
    progress = library.progress()
    if progress is None:
        st.rerun()
    words = texts(lang, "finding")["reading"]
    st.progress(progress.done / progress.of, words.format(done=progress.done, of=progress.of))


def _show(hit: Hit, words: str, place: int, lang: Lang) -> None:
    """A speech that was found, and the way there. What was said is bare text."""
    say = texts(lang, "finding")
    seat = seat_names(lang, [hit.seat]).capitalize()
    st.text(say["hit"].format(game=hit.game, seat=seat, text=around(hit.text, words)))
    if st.button(say["open"], key=f"find {place}"):
        st.query_params.update(file=hit.game, event=str(hit.event), view="public")
        st.session_state[JUMPS] = jumps() + 1
        st.rerun()


def jumps() -> int:
    """How often a speech was opened that was found: the table goes to it also if it shows that game already."""
    return int(st.session_state.get(JUMPS, 0))


def around(text: str, words: str) -> str:
    """The part of `text` that holds `words`, on one line."""
    text = clean(text)
    at = max(0, text.casefold().find(words.casefold()))
    start, end = max(0, at - AROUND), at + len(words) + AROUND
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
