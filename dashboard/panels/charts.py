"""The charts of the tables, drawn from the same facts. Meaning is never told by colour alone: each has its table."""

from collections.abc import Callable
from typing import Any

import altair as alt

from arena.terms import Lang, Seat
from arena.texts import texts
from arena.transcript import Transcript
from dashboard.panels.accounts import accounts
from dashboard.panels.beliefs import Belief, averaged, beliefs
from dashboard.panels.factions import UNKNOWN, factions
from dashboard.panels.votes import Held, ballots
from dashboard.panels.words import Words, ballot_name

Chart = alt.Chart | alt.LayerChart | alt.FacetChart

Rows = list[dict[str, Any]]

_SIDES = {"werewolves": "#a8394a", "village": "#2c7883", UNKNOWN: "#77737f"}
_OTHERS = ("#7d59a0", "#8d6a12", "#3a7d56", "#a0552a", "#4f6fa8")
_CLOSE = alt.Axis(ticks=False, domain=False, labelOverlap=False)
_HEAT = alt.Scale(domain=[0, 100], range=["#f3ead8", "#8d2a38"], interpolate="rgb")


def votes_charts(transcript: Transcript, seat: Seat, lang: Lang) -> list[Chart]:
    """One for each ballot: a square where voter (row) and target (column) meet; darker for a heavier vote."""
    return [_ballot(transcript.header.players, held, lang) for held in ballots(transcript, seat) if _decides(held)]


def _decides(held: Held) -> bool:
    """Whether anybody voted for anybody in a ballot."""
    return any(target for _, target in held.votes)


def _ballot(players: int, held: Held, lang: Lang) -> Chart:
    words = texts(lang, "panels")
    weights = dict(held.weights)
    rows: Rows = [
        {"voter": voter, "target": target, "votes": weights[voter] / 2} for voter, target in held.votes if target
    ]
    seats = list(range(1, players + 1))
    title = alt.Title(ballot_name(held, lang), fontSize=13, anchor="start")
    voter, votes = words["columns"]["voter"], words["names"]["votes"]
    chart: alt.Chart = (
        alt.Chart(_data(rows), width=alt.Step(17), height=alt.Step(17), title=title)
        .mark_rect(stroke="#8888", cornerRadius=2)
        .encode(
            x=alt.X("target:O", title=words["target"], scale=alt.Scale(domain=seats), axis=_SEATS),
            y=alt.Y("voter:O", title=voter, scale=alt.Scale(domain=seats), axis=_SEATS),
            color=alt.Color("votes:Q", title=votes, legend=None, scale=alt.Scale(domain=[1, 2], range=_WEIGHTS)),
            tooltip=[
                alt.Tooltip("voter:O", title=voter),
                alt.Tooltip("target:O", title=words["target"]),
                alt.Tooltip("votes:Q", title=votes),
            ],
        )
    )
    return chart


_SEATS = alt.Axis(labelAngle=0, ticks=False, domain=False, labelOverlap=False, titleFontSize=12)
_WEIGHTS = ["#d99a5b", "#97491a"]


def factions_charts(transcript: Transcript, seat: Seat, lang: Lang) -> list[Chart]:
    """A bar for each night and day, in which each faction is as long as it has seats in play."""
    words, names = texts(lang, "panels"), Words(transcript, seat, lang)
    strip = factions(transcript, seat)
    known = list(dict.fromkeys(faction for strength in strip for faction, _ in strength.in_play))
    rows: Rows = [
        {"place": place, "when": names.when(strength.moment), "faction": names.faction(faction), "number": number}
        for place, strength in enumerate(strip)
        for faction, number in strength.in_play
    ]
    if not rows:
        return []
    order = list(dict.fromkeys(row["when"] for row in rows))
    columns = words["columns"]
    shown = alt.Chart(_data(rows), height=alt.Step(26)).encode(
        y=alt.Y("when:N", title=None, sort=order, axis=_CLOSE),
        x=alt.X("number:Q", title=columns["number"], stack="zero", axis=alt.Axis(tickMinStep=1, format="d")),
        order=alt.Order("faction:N"),
    )
    others = iter(_OTHERS)
    colors = [_SIDES[faction] if faction in _SIDES else next(others) for faction in known]
    scale = alt.Scale(domain=[names.faction(faction) for faction in known], range=colors)
    bars = shown.mark_bar(cornerRadius=3, stroke="#fff6", strokeWidth=1).encode(
        color=alt.Color("faction:N", title=columns["faction"], scale=scale, legend=alt.Legend(orient="top")),
        tooltip=[
            alt.Tooltip("when:N", title=columns["when"]),
            alt.Tooltip("faction:N", title=columns["faction"]),
            alt.Tooltip("number:Q", title=columns["number"]),
        ],
    )
    numbers = shown.mark_text(dx=-8, color="white", fontWeight="bold").encode(
        x=alt.X("number:Q", stack="zero"), text="number:Q", detail="faction:N"
    )
    return [alt.layer(bars, numbers)]


def beliefs_charts(transcript: Transcript, seat: Seat, lang: Lang, holder: Seat = 0) -> list[Chart]:
    """Over time, how likely each seat was held to be a werewolf by `holder` (0: all on average); darker is likelier."""
    words, names = texts(lang, "panels"), Words(transcript, seat, lang)
    found = beliefs(transcript, seat)
    shown = [belief for belief in found if belief.holder == holder] if holder else averaged(found)
    if not shown:
        return []
    pages = texts(lang, "dashboard")

    def occasion(belief: Belief) -> str:
        topic = pages["ballot"].get(belief.topic, belief.topic)
        return f"{belief.place + 1} · {names.when(belief.moment)} · {topic}"

    rows: Rows = [
        {"when": occasion(belief), "seat": names.name(belief.about), "percent": round(100 * belief.probability)}
        for belief in shown
    ]
    order = list(dict.fromkeys(row["when"] for row in rows))
    seats = [names.name(number) for number in range(1, transcript.header.players + 1)]
    columns = words["columns"]
    base = alt.Chart(_data(rows), height=alt.Step(24)).encode(
        x=alt.X("when:N", title=None, sort=order, axis=alt.Axis(labelAngle=-35, ticks=False, domain=False)),
        y=alt.Y("seat:N", title=None, sort=seats, axis=_CLOSE),
        tooltip=[
            alt.Tooltip("when:N", title=columns["occasion"]),
            alt.Tooltip("seat:N", title=columns["about"]),
            alt.Tooltip("percent:Q", title=columns["probability"]),
        ],
    )
    squares = base.mark_rect().encode(color=alt.Color("percent:Q", title=columns["probability"], scale=_HEAT))
    readable = alt.when(alt.datum.percent > 50).then(alt.value("white")).otherwise(alt.value("#262431"))
    return [alt.layer(squares, base.mark_text(fontSize=11).encode(text="percent:Q", color=readable))]


def accounts_charts(transcript: Transcript, seat: Seat, lang: Lang) -> list[Chart]:
    """A bar for each seat: what its calls have cost; nothing where nothing has cost anything."""
    names = Words(transcript, seat, lang)
    columns = texts(lang, "panels")["columns"]
    rows: Rows = [
        {"seat": names.name(number), "usd": account.calls.usd}
        for number, account in accounts(transcript, seat).items()
        if account.calls.calls
    ]
    if not any(row["usd"] for row in rows):
        return []
    chart: alt.Chart = (
        alt.Chart(_data(rows), height=alt.Step(24))
        .mark_bar(color="#c0713a", cornerRadius=3)
        .encode(
            y=alt.Y("seat:N", title=None, sort=None, axis=_CLOSE),
            x=alt.X("usd:Q", title=columns["usd"], axis=alt.Axis(tickCount=5)),
            tooltip=[alt.Tooltip("seat:N", title=columns["seat"]), alt.Tooltip("usd:Q", title=columns["usd"])],
        )
    )
    return [chart]


def _data(rows: Rows) -> alt.InlineData:
    return alt.InlineData(values=rows)


CHARTS: dict[str, Callable[[Transcript, Seat, Lang], list[Chart]]] = {
    "votes": votes_charts,
    "factions": factions_charts,
    "beliefs": beliefs_charts,
    "accounts": accounts_charts,
}
"""The charts, by the names of their tables."""
