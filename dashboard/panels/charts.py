"""The charts of the tables, drawn from the same facts. Meaning is never told by colour alone: each has its table."""

from collections.abc import Callable
from typing import Any

import altair as alt

from arena.terms import Lang, Seat
from arena.texts import texts
from arena.transcript import Transcript
from dashboard.panels.accounts import accounts
from dashboard.panels.beliefs import Belief, averaged, beliefs
from dashboard.panels.factions import factions
from dashboard.panels.votes import ballots
from dashboard.panels.words import Words

Chart = alt.Chart | alt.FacetChart | alt.LayerChart

Rows = list[dict[str, Any]]

_FACTIONS = ("#8d2a38", "#22606a", "#6b4a86", "#775609", "#57535f", "#2b6545")
_HEAT = alt.Scale(domain=[0, 100], range=["#e9edf0", "#e3a23d", "#8d2a38"])


def votes_chart(transcript: Transcript, seat: Seat, lang: Lang) -> Chart | None:
    """For each ballot, a square where voter (row) and target (column) meet; darker for a heavier vote."""
    words, names = texts(lang, "panels"), Words(transcript, seat, lang)
    rows: Rows = [
        {
            "place": place,
            "ballot": names.ballot(held),
            "voter": voter,
            "target": target,
            "votes": dict(held.weights)[voter] / 2,
        }
        for place, held in enumerate(ballots(transcript, seat))
        for voter, target in held.votes
        if target
    ]
    if not rows:
        return None
    seats = list(range(1, transcript.header.players + 1))
    size = 15 * len(seats)
    labels = words["columns"]
    chart: alt.FacetChart = (
        alt.Chart(_data(rows), width=size, height=size)
        .mark_rect(stroke="#8888", cornerRadius=2)
        .encode(
            x=alt.X("target:O", title=words["target"], scale=alt.Scale(domain=seats), axis=_SEATS),
            y=alt.Y("voter:O", title=labels["voter"], scale=alt.Scale(domain=seats), axis=_SEATS),
            color=alt.Color("votes:Q", title=words["names"]["votes"], legend=None, scale=alt.Scale(range=_WEIGHTS)),
            tooltip=[
                alt.Tooltip("ballot:N", title=labels["when"]),
                alt.Tooltip("voter:O", title=labels["voter"]),
                alt.Tooltip("target:O", title=words["target"]),
                alt.Tooltip("votes:Q", title=words["names"]["votes"]),
            ],
        )
        .facet(facet=alt.Facet("ballot:N", title=None, sort=alt.SortField("place")), columns=4)
        .resolve_scale(x="shared", y="shared")
    )
    return chart


_SEATS = alt.Axis(labelAngle=0, ticks=False, domain=False)
_WEIGHTS = ["#d99a5b", "#97491a"]


def factions_chart(transcript: Transcript, seat: Seat, lang: Lang) -> Chart | None:
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
        return None
    order = list(dict.fromkeys(row["when"] for row in rows))
    columns = words["columns"]
    shown = alt.Chart(_data(rows), height=30 * len(order) + 20).encode(
        y=alt.Y("when:N", title=None, sort=order, axis=alt.Axis(ticks=False, domain=False)),
        x=alt.X("number:Q", title=columns["number"], stack="zero", axis=alt.Axis(tickMinStep=1, format="d")),
        order=alt.Order("faction:N"),
    )
    scale = alt.Scale(domain=[names.faction(faction) for faction in known], range=_FACTIONS[: len(known)])
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
    return alt.layer(bars, numbers)


def beliefs_chart(transcript: Transcript, seat: Seat, lang: Lang, holder: Seat = 0) -> Chart | None:
    """Over time, how likely each seat was held to be a werewolf by `holder` (0: all on average); darker is likelier."""
    words, names = texts(lang, "panels"), Words(transcript, seat, lang)
    found = beliefs(transcript, seat)
    shown = [belief for belief in found if belief.holder == holder] if holder else averaged(found)
    if not shown:
        return None
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
    base = alt.Chart(_data(rows), height=26 * len(seats) + 90).encode(
        x=alt.X("when:N", title=None, sort=order, axis=alt.Axis(labelAngle=-35, ticks=False, domain=False)),
        y=alt.Y("seat:N", title=None, sort=seats, axis=alt.Axis(ticks=False, domain=False)),
        tooltip=[
            alt.Tooltip("when:N", title=columns["occasion"]),
            alt.Tooltip("seat:N", title=columns["about"]),
            alt.Tooltip("percent:Q", title=columns["probability"]),
        ],
    )
    squares = base.mark_rect().encode(color=alt.Color("percent:Q", title=columns["probability"], scale=_HEAT))
    readable = alt.when(alt.datum.percent > 65).then(alt.value("white")).otherwise(alt.value("#262431"))
    return alt.layer(squares, base.mark_text(fontSize=11).encode(text="percent:Q", color=readable))


def accounts_chart(transcript: Transcript, seat: Seat, lang: Lang) -> Chart | None:
    """A bar for each seat: what its calls have cost; nothing where nothing has cost anything."""
    names = Words(transcript, seat, lang)
    columns = texts(lang, "panels")["columns"]
    rows: Rows = [
        {"seat": names.name(number), "usd": account.calls.usd}
        for number, account in accounts(transcript, seat).items()
        if account.calls.calls
    ]
    if not any(row["usd"] for row in rows):
        return None
    chart: alt.Chart = (
        alt.Chart(_data(rows), height=26 * len(rows) + 40)
        .mark_bar(color="#97491a", cornerRadius=3)
        .encode(
            y=alt.Y("seat:N", title=None, sort=None, axis=alt.Axis(ticks=False, domain=False)),
            x=alt.X("usd:Q", title=columns["usd"]),
            tooltip=[alt.Tooltip("seat:N", title=columns["seat"]), alt.Tooltip("usd:Q", title=columns["usd"])],
        )
    )
    return chart


def _data(rows: Rows) -> alt.InlineData:
    return alt.InlineData(values=rows)


CHARTS: dict[str, Callable[[Transcript, Seat, Lang], Chart | None]] = {
    "votes": votes_chart,
    "factions": factions_chart,
    "beliefs": beliefs_chart,
    "accounts": accounts_chart,
}
"""The charts, by the names of their tables."""
