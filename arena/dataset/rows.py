"""The rows of one game. Of a game that people still play there is only what everybody at its table knows."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.accounts import Account
from arena.dataset.columns import Row
from arena.dataset.source import Source
from arena.events import Dealt, Ended, Out, Said, Tallied, Voted
from arena.terms import GOD, SPECTATOR, Result, Seat
from arena.tournament.game import Game
from arena.tournament.metrics.facts import EXILE, Facts
from arena.tournament.metrics.votes import deciding, half_votes
from arena.tournament.tally import result
from arena.transcript import Attempted, Record, Replied
from arena.transcript.viewing import open_views, shown_to


@dataclass
class _Calls:
    """The calls to models for one thing."""

    account: Account = field(default_factory=Account)
    seconds: float = 0.0

    def add(self, line: Attempted) -> None:
        self.account.add(line.attempt)
        self.seconds += line.attempt.seconds

    @property
    def columns(self) -> dict[str, Any]:
        one = self.account
        return {
            "calls": one.calls,
            "prompt_tokens": one.prompt,
            "cached_tokens": one.cached,
            "completion_tokens": one.completion,
            "usd": one.usd,
            "seconds": self.seconds,
        }


Tables = dict[str, list[Row]]


def rows(source: Source) -> Tables:
    """The rows of every table that a game has."""
    transcript = source.transcript
    everything = GOD in open_views(transcript)
    records = transcript.records if everything else shown_to(transcript, SPECTATOR).events
    game = _Game(source, everything=everything)
    for line in records:
        game.read(line)
    return game.tables()


class _Game:
    """A game as far as it has been read."""

    def __init__(self, source: Source, *, everything: bool) -> None:
        self._source = source
        self._everything = everything
        self._facts = Facts()
        self._dealt: dict[Seat, str] = {}
        self._outs: dict[Seat, Out] = {}
        self._ended: Ended | None = None
        self._calls: dict[tuple[Seat, int], _Calls] = defaultdict(_Calls)
        self._answered: list[Replied] = []
        self._cast: dict[Seat, Seat] = {}
        self._ballots = 0
        self._tables: Tables = {"decisions": [], "claims": [], "votes": []}

    def read(self, line: Record) -> None:
        """Take in the next record."""
        match line:
            case Dealt():
                self._dealt[line.seat] = line.role
            case Out():
                self._outs[line.seat] = line
            case Ended():
                self._ended = line
            case Attempted():
                self._calls[line.seat, line.n].add(line)
            case Replied():
                self._answered.append(line)
                self._add("decisions", self._decision(line))
            case Said(to=None):
                self._claims(line)
            case Voted():
                self._cast.update(line.votes)
            case Tallied():
                self._votes(line.ballot)
        self._facts.read(line)

    def tables(self) -> Tables:
        """All rows."""
        seats = [self._seat(seat) for seat in range(1, self._source.transcript.header.players + 1)]
        return {"games": [self._game()], "seats": seats, **self._tables}

    def _add(self, table: str, row: dict[str, Any]) -> None:
        self._tables[table].append({"game": self._source.name, **row})

    def _decision(self, line: Replied) -> dict[str, Any]:
        request, decision, calls = self._facts.request(line), line.reply.decision, self._calls[line.seat, line.n]
        return {
            "seat": line.seat,
            "n": line.n,
            "day": self._facts.day,
            "part": self._facts.part,
            "topic": request.topic if request else "",
            "act": decision.act,
            "targets": list(decision.seats),
            "text": decision.text,
            "source": line.reply.source,
            "thought": line.reply.thought,
            "beliefs": [{"seat": seat, "werewolf": chance} for seat, chance in line.reply.beliefs],
            "faults": sorted(calls.account.faults.elements()),
            **calls.columns,
        }

    def _claims(self, line: Said) -> None:
        for claim in line.claims:
            self._add(
                "claims",
                {
                    "number": len(self._tables["claims"]) + 1,
                    "seat": line.seat,
                    "day": self._facts.day,
                    "topic": line.topic,
                    "about": claim.about,
                    "subjects": list(claim.seats),
                    "value": claim.value,
                    "true": self._facts.truth.of(line.seat, claim) if self._everything else None,
                },
            )

    def _votes(self, ballot: str) -> None:
        self._ballots += 1
        decisive = deciding(ballot, self._cast, self._facts) if ballot in EXILE else None
        for voter, target in sorted(self._cast.items()):
            self._add(
                "votes",
                {
                    "number": self._ballots,
                    "day": self._facts.day,
                    "ballot": ballot,
                    "voter": voter,
                    "target": target or None,
                    "half_votes": half_votes(voter, self._facts),
                    "decisive": None if decisive is None else voter in decisive,
                },
            )
        self._cast = {}

    def _game(self) -> Row:
        header, fixture, ended = self._source.transcript.header, self._source.fixture, self._ended
        return {
            "game": self._source.name,
            "file": str(self._source.transcript.path),
            "duskwald": header.duskwald,
            "started": header.started,
            "lang": header.lang,
            "ruleset": header.ruleset.id,
            "players": header.players,
            # Who knows the seed of a game knows its cards.
            "seed": header.seed if self._everything else None,
            "series_game": header.game if header.series else None,
            "format": self._source.format or None,
            "block": fixture and fixture.block,
            "deal": fixture and fixture.deal,
            "leg": fixture and fixture.leg,
            "finished": ended is not None,
            "winner": ended and ended.winner,
            "reason": ended and ended.reason,
            "days": self._facts.day,
            "rated_winner": (self._source.game and self._source.game.winner) or None,
            "void": self._source.void or None,
        }

    def _seat(self, seat: Seat) -> Row:
        header, fixture = self._source.transcript.header, self._source.fixture
        own, out = {"game": self._source.name, "seat": seat}, self._outs.get(seat)
        # Who plays where is not shown before the end, as long as people play.
        if not self._everything:
            return own
        plan, known = header.seats[seat], seat in self._dealt
        return {
            **own,
            "competitor": fixture and fixture.competitors[seat - 1],
            "player": plan.player,
            "model": header.models.get(plan.model or "", plan.model),
            "persona": plan.persona,
            "dealt": self._dealt.get(seat),
            "role": self._facts.card(seat) if known else None,
            "faction": self._facts.side(seat) if known else None,
            "result": self._ended and self._ended.result(seat),
            "rated_result": _rated_result(seat, self._source.game),
            "points": float(self._source.points[seat]) if seat in self._source.points else None,
            "out_day": out and out.day,
            "out_night": out and out.night,
            "out_cause": out and out.cause,
            "decisions": sum(line.seat == seat for line in self._answered),
            "defaults": sum(line.seat == seat and line.reply.source == "fallback" for line in self._answered),
            **_summed([calls for (own_seat, _), calls in self._calls.items() if own_seat == seat]),
        }


def _rated_result(seat: Seat, game: Game | None) -> Result | None:
    """As the standings count it: who has forfeited has lost, whatever came of the game."""
    return result(game, game.places[seat - 1].faction) if game and game.winner else None


def _summed(calls: Sequence[_Calls]) -> dict[str, Any]:
    columns = [one.columns for one in (_Calls(), *calls)]
    return {name: sum(each[name] for each in columns) for name in columns[0]}
