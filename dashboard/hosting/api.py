"""What all handlers of the routes share: which game, whose seat, whether it is the host."""

from starlette.requests import Request
from starlette.responses import Response

from arena.ruleset import load_ruleset
from arena.terms import Lang, Seat, UnusableInput
from arena.texts import texts
from dashboard.host import Host
from dashboard.hosting.answers import Refused, body
from dashboard.hosting.door import Site, cookie, is_host
from dashboard.hosting.game import Game
from dashboard.hosting.play import Play

A_MONTH = 30 * 24 * 3600


class Api:
    """Handlers of the routes of `host`'s games on `site`."""

    def __init__(self, host: Host, site: Site) -> None:
        self.host = host
        self.site = site

    def game_of(self, request: Request) -> Game:
        """The game that the address names."""
        game = self.host.game(request.path_params["id"])
        if game is None:
            raise Refused(404, "no_game")
        return game

    async def play_of(self, game: Game) -> Play:
        """The game being played; one that is about to be played is waited for."""
        play = await game.ready()
        if play is None:
            raise Refused(409, "not_begun" if game.state == "waiting" else "not_running")
        return play

    def own_seat(self, request: Request, game: Game) -> Seat:
        """The seat whose cookie a request has."""
        seat = self.host.seat_of(game, cookie(request.scope, cookie_of(game)))
        if seat is None:
            raise Refused(401, "no_seat")
        return seat

    async def from_seat(self, request: Request) -> tuple[Game, Seat, dict[str, object]]:
        """The game, the seat and the body of a person's request."""
        game = self.game_of(request)
        seat = self.own_seat(request, game)
        return game, seat, await body(request, self.site)

    async def from_host(self, request: Request) -> tuple[Game, dict[str, object]]:
        """The game and the body of a request of the host."""
        self.must_be_host(request)
        return self.game_of(request), await body(request, self.site)

    def must_be_host(self, request: Request) -> None:
        """Refuse everybody but the host."""
        if not is_host(self.host, request.scope):
            raise Refused(401, "not_host")

    def give(self, request: Request, response: Response, name: str, value: str) -> None:
        """Give the browser a cookie that no script reads, no other site sends along, and TLS keeps to itself."""
        # Who sits at the machine itself has no TLS, also where a tunnel does.
        secure = f"https://{request.headers['host'].lower()}" in self.site.origins
        response.set_cookie(name, value, A_MONTH, httponly=True, samesite="lax", secure=secure)


def summary(game: Game) -> dict[str, object]:
    """A game in short, without a word that some may not know."""
    setup = game.setup
    series = game.series
    return {
        "id": game.id,
        "ruleset": setup.ruleset,
        "players": len(game.seats),
        "lang": setup.language,
        "state": game.status,
        "number": series.number if series else 1,
        "games": series.games if series else 1,
        "next": game.next,
    }


def title(game: Game, lang: Lang) -> str:
    """What is played, in words."""
    try:
        ruleset = load_ruleset(game.setup.ruleset).title[lang]
    except UnusableInput:
        ruleset = game.setup.ruleset
    return str(texts(lang, "dashboard")["game_of"].format(ruleset=ruleset, players=len(game.seats)))


def cookie_of(game: Game) -> str:
    """The name of the cookie for a seat at `game`; a browser has one seat in each game."""
    return f"dw_{game.id}"
