"""What a player is: a mind that decides for a seat, out of what the seat has seen and nothing else."""

from typing import Protocol, runtime_checkable

from arena.events import View
from arena.terms import Attempt, Reply, Request, record


class Player(Protocol):
    """A mind that decides for one seat of one game.

    A reply is a function of the view, the request and the player's own earlier replies; chance in it is a
    hash of the player's seed, the seat and the request, so a game that is resumed goes on as it would have.
    """

    async def reply(self, view: View, request: Request) -> Reply:
        """Answer `request`. The view holds everything the seat has been told, this request's matter included."""
        ...


@runtime_checkable
class Script(Protocol):
    """A player that decides at once, by rule; it can play without an event loop."""

    def answer(self, view: View, request: Request) -> Reply:
        """Answer `request` without waiting for anything."""
        ...


@record
class Past:
    """What a player of an interrupted game has behind it: its replies, and calls for a request still unanswered."""

    replies: tuple[Reply, ...] = ()
    attempts: tuple[Attempt, ...] = ()
