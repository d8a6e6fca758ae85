"""From a transcript to what a rating is made of, and to what each competitor did beside playing.

The first night's luck is what chance alone decides, because whoever chooses knows nothing yet: whether the first check
meets a werewolf, and whether the first attack meets somebody with a power to check or to heal.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from arena.accounts import Account
from arena.events import Acted, Began, Dealt, Learned, Noted, Phase, Turned
from arena.roles import ROLES
from arena.series import points_of
from arena.terms import Seat, record
from arena.tournament.game import Game, Luck, Place
from arena.tournament.schedule import VILLAGE, WEREWOLVES, Fixture, Format
from arena.transcript import Attempted, Replied, Transcript

PRIZES = ("seer", "witch")
"""Cards whose loss in the first night weighs most."""


@record
class Conduct:
    """What a competitor did in a game beside playing: its calls, and how often no answer of it was of use.

    Such a default is its own: where its endpoint is down, the game waits instead.
    """

    account: Account
    seconds: float
    defaults: int


def game_of(fixture: Fixture, transcript: Transcript, board: str, kind: Format, faults: int) -> Game:
    """The game of `fixture`, as far as `transcript` has come. More than `faults` of a competitor forfeit it.

    `board` names the rules and cards, `kind` the format of the schedule.
    """
    places = tuple(_places(fixture, transcript))
    outcome = transcript.outcome
    winner = outcome.winner if outcome else ""
    losers = [name for name, conduct in conduct_of(fixture, transcript).items() if conduct.defaults > faults]
    if winner and losers:
        winner = _after_forfeit(places, losers, winner)
    return Game(
        id=fixture.id,
        deal=fixture.deal,
        board=board,
        format=kind,
        places=places,
        winner=winner,
        luck=tuple(_luck(transcript)),
        forfeits=tuple(sorted(losers)) if winner else (),
    )


def points_in(game: Game, transcript: Transcript) -> dict[Seat, Fraction]:
    """The points of each seat in a finished game of a series; whoever has lost it by a forfeit gets those of a loss."""
    seats = enumerate(game.places, start=1)
    return points_of(
        transcript, [seat for seat, place in seats if place.faction == game.winner] if game.forfeits else None
    )


def points_by_competitor(game: Game, transcript: Transcript) -> dict[str, float]:
    """The points of each competitor in a finished game of a series: what its seats got, in the mean."""
    points, seats = points_in(game, transcript), defaultdict(list)
    for seat, place in enumerate(game.places, start=1):
        seats[place.competitor].append(points[seat])
    return {name: round(float(sum(got) / len(got)), 6) for name, got in seats.items()}


def _places(fixture: Fixture, transcript: Transcript) -> Iterator[Place]:
    """Who sat where, with the card and the faction after the first night."""
    taken: dict[Seat, str] = {}
    factions: dict[Seat, str] = {}
    for event in transcript.events:
        if isinstance(event, Turned):
            taken[event.seat] = event.role
        elif isinstance(event, Noted) and event.key == "faction":
            factions[event.seat] = event.value
    for seat, (name, role) in enumerate(zip(fixture.competitors, fixture.roles, strict=True), start=1):
        held = taken.get(seat, role)
        yield Place(name, held, factions.get(seat, ROLES[held].faction))


def _after_forfeit(places: Sequence[Place], losers: Sequence[str], winner: str) -> str:
    """Who has won once the sides of `losers` have lost: the other side, if it has not forfeited as well."""
    lost = {place.faction for place in places if place.competitor in losers}
    left = {place.faction for place in places} - lost
    if winner in left or not left:
        return winner
    return min(left & {WEREWOLVES, VILLAGE}, default=min(left))


def conduct_of(fixture: Fixture, transcript: Transcript) -> dict[str, Conduct]:
    """The conduct of each competitor of `fixture`."""
    names = dict(enumerate(fixture.competitors, start=1))
    accounts = {name: Account() for name in fixture.competitors}
    seconds = dict.fromkeys(accounts, 0.0)
    faults: Counter[str] = Counter()
    last: dict[tuple[Seat, int], str] = {}
    for entry in transcript.records:
        if isinstance(entry, Attempted):
            accounts[names[entry.seat]].add(entry.attempt)
            seconds[names[entry.seat]] += entry.attempt.seconds
            last[entry.seat, entry.n] = entry.attempt.fault
        elif isinstance(entry, Replied) and entry.reply.source == "fallback":
            accounts[names[entry.seat]].fallback += 1
            # Without a call, or after a usable one, it is our own player that has failed.
            faults[names[entry.seat]] += bool(last.get((entry.seat, entry.n)))
    return {name: Conduct(account, seconds[name], faults[name]) for name, account in accounts.items()}


def _luck(transcript: Transcript) -> Iterator[Luck]:
    """The luck of the first night, where it has happened."""
    began = next((event for event in transcript.events if isinstance(event, Began)), None)
    if began is None:
        return
    cards = began.cards
    wolves = sum(number for role, number in cards.items() if ROLES[role].kind)
    others = began.players - wolves
    roles = _roles(transcript)
    checked, attacked = _first_night(transcript)
    if checked:
        yield Luck("first_check", bool(ROLES[roles[checked]].kind), wolves / (began.players - 1))
    if attacked and not ROLES[roles[attacked]].kind:
        prizes = sum(cards.get(role, 0) for role in PRIZES)
        yield Luck("first_attack", roles[attacked] in PRIZES, prizes / others)


def _roles(transcript: Transcript) -> Mapping[Seat, str]:
    return {event.seat: event.role for event in transcript.events if isinstance(event, Dealt)}


def _first_night(transcript: Transcript) -> tuple[Seat, Seat]:
    """Who was checked and who was attacked in the first night (0: nobody)."""
    checked = attacked = 0
    for event in transcript.events:
        if isinstance(event, Phase) and event.day == 1 and event.part != "night":
            break
        if isinstance(event, Learned) and event.key == "checked" and event.seats:
            checked = checked or event.seats[0]
        if isinstance(event, Acted) and event.act == "attack" and event.seats:
            attacked = event.seats[0]
    return checked, attacked
