"""What a tournament would be, in a terminal, before it is played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text as RichText

from arena.endpoint import EndpointPlan
from arena.estimate import Load, rehearse
from arena.roles import ROLES
from arena.simulate import CPUS, Trial, known_rates, results, summed
from arena.terms import Lang
from arena.texts import texts
from arena.tournament.balance import balance
from arena.tournament.commitment import commit
from arena.tournament.forecast import FIELDS, forecast
from arena.tournament.layout import in_tables, plain_table, width_of
from arena.tournament.plan import Tournament
from arena.tournament.planner import games_to_separate, half_width, information_constant
from arena.tournament.play import header_of
from arena.tournament.rating import POINTS_PER_LOGIT
from arena.tournament.schedule import Fixture, certain_games, full_block

T = TypeVar("T")

EVEN = (0.4, 0.6)
"""How often the village should win; outside, games tell less."""

TRIALS = 200
"""Games of scripted players that tell how even a board is, to 7 % more or less."""

SCRIPTED_SECONDS = 0.1
"""Seconds of one processor for a game of scripted players, about."""

FIRST_WORD, TOKENS_PER_SECOND = 1.0, 50.0
"""Seconds until a model begins to answer, and how fast it then writes; both are taken for granted."""


def village_rate(tournament: Tournament) -> float:
    """How often the village wins on the board of `tournament` between scripted players; played where nobody has yet."""
    ruleset, cards = tournament.board()
    known = known_rates(ruleset, cards)
    if known:
        return float(known["outcomes"].get("village", {"rate": 0.0})["rate"])
    trial = Trial(ruleset, cards, 0, "scripted", "scripted", words=False, lang=tournament.language)
    summary = summed(list(results(trial, TRIALS, CPUS)))
    return summary.wins.get("village", 0) / summary.games


def preview(tournament: Tournament, village: float, lang: Lang) -> RenderableType:
    """What `tournament` would be: games, balance, what it can tell, and what it would take."""
    say = texts(lang, "tournament")
    block = full_block(tournament.schedule(), 1)
    games = tournament.asked.games
    certain = certain_games(tournament.schedule(), games, fixed=tournament.asked.aim == "fixed")
    parts: list[RenderableType] = [
        RichText(
            say["plan"].format(
                title=tournament.title or tournament.ruleset,
                competitors=len(tournament.competitors),
                format=tournament.format,
                ruleset=tournament.ruleset,
                players=tournament.players,
                games=games,
                block=len(block),
            )
        ),
        RichText(_width(block, games, tournament.margin, lang)),
        RichText(say["commitment"].format(digest=commit(tournament.seed, tournament.versions()).seed)),
        *(RichText(f"{fixture.id}  {_seated(fixture)}") for fixture in certain),
        *_balance(certain, lang),
    ]
    if not EVEN[0] <= village <= EVEN[1]:
        parts.append(RichText(say["unbalanced"].format(rate=f"{village:.0%}")))
    return Group(*parts, *(RichText(line) for line in _estimate(tournament, block, village, lang)))


def _seated(fixture: Fixture) -> str:
    """Who sits where."""
    names = dict.fromkeys(fixture.competitors)
    return "; ".join(f"{name}: {', '.join(map(str, fixture.seats_of(name)))}" for name in names)


def _width(block: Sequence[Fixture], games: int, margin: float, lang: Lang) -> str:
    constant = information_constant(block)
    return str(texts(lang, "tournament")["width"]).format(
        games=games,
        points=round(POINTS_PER_LOGIT * half_width(constant, games)),
        gap=round(POINTS_PER_LOGIT * margin),
        needed=games_to_separate(constant, margin),
    )


def _balance(fixtures: Sequence[Fixture], lang: Lang) -> list[Table]:
    """How often each competitor has each side and card, and each seat."""
    say, factions = texts(lang, "tournament"), texts(lang, "terms")["factions"]
    found = balance(fixtures)
    both = {name: {**found.sides[name], **found.roles[name]} for name in found.sides}
    words = {**{role: role_.title[lang] for role, role_ in ROLES.items()}, **factions}
    cards = {key: words[key] for key in _keys(found.sides) + _keys(found.roles)}
    seats = {seat: str(seat) for seat in _keys(found.seats)}
    name, title = say["columns"]["name"], say["balance"].format(games=len(fixtures))
    return [*_counts(title, name, cards, both), *_counts(say["seats"], name, seats, found.seats)]


def _keys(counts: Mapping[str, Mapping[T, int]]) -> list[T]:
    return sorted({key for row in counts.values() for key in row}, key=lambda key: (len(str(key)), str(key)))


def _counts(title: str, name: str, columns: Mapping[T, str], counts: Mapping[str, Mapping[T, int]]) -> Iterator[Table]:
    """A row for each competitor; no heading is broken."""
    most = len(str(max(number for row in counts.values() for number in row.values())))
    widths = [max(width_of(heading), most) for heading in columns.values()]
    names = max(map(width_of, (name, *counts)))
    for place, among in enumerate(in_tables(list(columns), widths, names)):
        shown = plain_table(title if place == 0 else None)
        shown.add_column(RichText(name), overflow="fold", min_width=names, max_width=names)
        for column in among:
            shown.add_column(RichText(columns[column]), justify="right", no_wrap=True)
        for competitor, row in counts.items():
            shown.add_row(RichText(competitor, overflow="fold"), *(str(row.get(key, 0)) for key in among))
        yield shown


def _estimate(tournament: Tournament, block: Sequence[Fixture], village: float, lang: Lang) -> list[str]:
    """What one game takes, in the mean of the line-ups of a block, and what the games that are expected do."""
    say, plans = texts(lang, "tournament"), tournament.plans()
    loads = _loads(tournament, block, plans)
    lines = [_per_game(loads, plans, lang)] if plans else []
    costs = [load.usd(plans[name]) for name, load in loads.items()]
    usd = None if None in costs else sum(cost or 0 for cost in costs)
    seconds = _seconds(tournament, loads, plans)
    most = _most(tournament, usd, seconds)
    if not most:
        each = {"usd": "?" if usd is None else f"{usd:.4f}", "time": _time(seconds)}
        return [*lines, str(say["no_room"]).format(**each)]
    expected = forecast(tournament.schedule(), replace(tournament.asked, games=most), village)
    both = {
        f"{which}_{what}": value
        for which, games in (("expected", expected.mean), ("all", most))
        for what, value in (
            ("games", str(games)),
            ("usd", "?" if usd is None else f"{usd * games:.2f}"),
            ("time", _time(seconds * games)),
        )
    }
    spread = str(say["spread"]).format(low=expected.low, high=expected.high) if expected.low < expected.high else ""
    lines.append(str(say["expected"]).format(spread=spread, **both))
    if expected.open:
        lines.append(str(say["still_open"]).format(open=expected.open, drawn=FIELDS))
    return lines


def _time(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds > 5400 else f"{ceil(seconds / 60)} min"


def _most(tournament: Tournament, usd: float | None, seconds: float) -> int:
    """How many games the caps leave room for, if each costs so much and takes so long."""
    cap, most = tournament.cap, tournament.asked.games
    if cap.usd and usd:
        most = min(most, int(cap.usd / usd))
    if cap.hours:
        most = min(most, int(cap.hours * 3600 / seconds))
    return most


def _loads(tournament: Tournament, block: Sequence[Fixture], plans: Mapping[str, EndpointPlan]) -> dict[str, Load]:
    """What each endpoint has to do in a game, in the mean of the line-ups of a block."""
    whole = {name: Load() for name in plans}
    for fixture in block if plans else ():
        for name, load in rehearse(header_of(tournament, fixture), plans, games=1).items():
            for count in ("calls", "prompt", "cached", "completion", "rounds"):
                setattr(whole[name], count, getattr(whole[name], count) + getattr(load, count) / len(block))
    return whole


def _per_game(loads: Mapping[str, Load], plans: Mapping[str, EndpointPlan], lang: Lang) -> str:
    prompt = sum(load.prompt for load in loads.values())
    costs = [load.usd(plans[name]) for name, load in loads.items()]
    return str(texts(lang, "tournament")["estimate"]).format(
        calls=round(sum(load.calls for load in loads.values())),
        prompt=round(prompt),
        cached=f"{sum(load.cached for load in loads.values()) / max(1, prompt):.0%}",
        completion=round(sum(load.completion for load in loads.values())),
        usd="?" if None in costs else f"{sum(cost or 0 for cost in costs):.4f}",
    )


def _seconds(tournament: Tournament, loads: Mapping[str, Load], plans: Mapping[str, EndpointPlan]) -> float:
    """Seconds for each game of many: whatever bounds them most, the length of a game or a limit of an endpoint."""
    answer = {
        name: FIRST_WORD + load.completion / load.calls / TOKENS_PER_SECOND
        for name, load in loads.items()
        if load.calls
    }
    game = SCRIPTED_SECONDS + sum(loads[name].rounds * seconds for name, seconds in answer.items())
    bounds = [game / tournament.concurrency, SCRIPTED_SECONDS]
    for name, seconds in answer.items():
        load, plan = loads[name], plans[name]
        bounds.append(load.calls * seconds / plan.in_flight)
        bounds.append(load.calls * 60 / plan.requests_per_minute if plan.requests_per_minute else 0.0)
        sent = load.prompt + load.completion
        bounds.append(sent * 60 / plan.tokens_per_minute if plan.tokens_per_minute else 0.0)
    return max(bounds)
