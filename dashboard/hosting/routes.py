"""The routes of live games, beside Streamlit's: the contract that pages rely on.

Everything is JSON. What is refused is ``{"error": "one line"}`` with a status of 400 and above, in the language
that ``?lang=zh|en`` or the browser asks for. A POST must come from one of the server's own pages (``Origin``), as
``application/json``, small. An *id* names a game and is the secret of its watch link.

=== Everybody who has the link ===

GET ``/watch/ID``                   the page that follows a game
GET ``/join/TOKEN``                 a seat's secret link: gives the browser a cookie for that seat, and leads to
                                    ``/seat/ID``; may be opened on several devices
GET ``/seat/ID``                    the page of a person's seat
GET ``/next/ID``                    leads on to the next game of a series: whoever has the cookie of a seat to their
                                    new one, whose cookie it gives; others to the page that follows it
GET ``/playing``                    the page that lists what everybody may watch
GET ``/api/listed``                 that list: ``[{…, title}]`` of what is said of each game:
GET ``/api/games/ID``               ``{id, ruleset, players, lang, state, number, games, next}``: game `number` of a
                                    series of so many `games` (1 of 1: of none), and the id of the next, once laid
GET ``/api/games/ID/stream?view=``  server-sent events, see below: ``public`` (default), a seat, ``god``, ``own``

=== Whoever has the cookie of a seat ===

POST ``/api/games/ID/answer``       ``{n, act, seats?, text?, claims?: [{about, seats, value?}]}`` to question `n`:
                                    ``{taken: true}``; 409: an earlier answer counts, or it is late; 400: not so.
                                    A refusal has ``why`` beside ``error``, one of `play.Verdict`
POST ``/api/games/ID/explode``      the same, for the question that offers it
POST ``/api/games/ID/notes``        ``{text}``: own notes, shown on all pages of the seat
POST ``/api/games/ID/leave``        the person goes; what then happens the game's ``absent`` says
POST ``/api/games/ID/return``       the person is there, and has the seat back
POST ``/api/games/ID/name``         ``{name}``, before the game begins
POST ``/api/games/ID/logout``       this browser has no seat any more

=== The host (whoever has said the password; where there is none, everybody on this machine) ===

GET  ``/host``                      the page that asks for the password; POST ``/api/login`` ``{password}``
GET  ``/api/games``                 the list
POST ``/api/games``                 ``{setup: keys of a seats file, keys?: {endpoint: key}}``; a person is
                                    ``{human: NAME}`` or ``"human"``; ``fork?: {file, at}``: goes on with that game
                                    from that event; ``games?: 5``: a series; ``listed?: true``: on the list for all
POST ``/api/games/ID/start``        ``{keys?, budget_usd?}``, also to go on with one that was stopped, or has failed;
                                    ``stop``, ``pause``, ``go_on``; ``discard``: before it has begun
GET  ``/api/games/ID/links``        ``{watch, seats: {SEAT: {link, qr} | null}}``; null: made before the server started
GET  ``/api/files/stream?file=``    the stream of a game that another process plays; its page is ``/watch?file=NAME``
POST ``/api/games/ID/link``         ``{seat}``: a new link; the old one and its sessions end

=== The stream ===

``game``    once, and again when the view changes or the game ends: what the frames are drawn with (`scene.setting`,
            `scene.eyes`), ``view``, ``ended``, ``all_views``: whoever asks may have them; ``from``: the number of the
            first frame that follows; 0: begin anew
``frame``   one frame (`frames`), as in a replay; its id is ``VIEW:NUMBER`` and comes back as ``Last-Event-ID``
``status``  ``{state, floor: {seat, topic}, naming}``; `state`: ``waiting|running|pausing|paused|stopped|failed|ended``;
            `naming`: people may still choose their names
``series``  games of a series only: ``{number, games, next, points: [{seat, name, points: […], sum}]}``; `next`: there
            is one to be led on to
``seat``    own seat only: ``{seat, question, held, away, missed, absent, notes, gone, card}``. ``question`` is null or
            ``{n, topic, text, window, turn, letters, choices, default, left, wait, reminded, stands, claims?}``:
            ``left`` seconds once the clock runs, which it does after ``wait`` (null: no clock); ``letters``: how many
            may be said; each choice ``{act, least, most, for_good, words, options: [{seats, words}]}``. ``held``: the
            last answer that counts, ``{n, words, text}``

A view that is read without a right to it is never more than the public one: while people play, nobody has another
than their own seat's, the host included.
"""

from starlette.routing import BaseRoute, Route

from dashboard.host import Host
from dashboard.hosting.answers import answered
from dashboard.hosting.api_host import Hosting
from dashboard.hosting.api_seat import Sitting
from dashboard.hosting.api_watch import Watching
from dashboard.hosting.door import Site


def routes(host: Host, site: Site) -> list[BaseRoute]:
    """The routes of `host`'s games on `site`."""
    watching, sitting, hosting = Watching(host, site), Sitting(host, site), Hosting(host, site)
    posts = {
        **{
            name: getattr(sitting, f"{name}_")
            for name in ("answer", "explode", "notes", "leave", "return", "name", "logout")
        },
        **{name: getattr(hosting, f"{name}_") for name in ("start", "stop", "pause", "go_on", "link", "discard")},
    }
    return [
        Route("/join/{token}", answered(watching.join)),
        Route("/next/{id}", answered(watching.next)),
        Route("/api/listed", answered(watching.listed)),
        Route("/api/login", answered(hosting.login), methods=["POST"]),
        Route("/api/games", answered(hosting.games), methods=["GET"]),
        Route("/api/games", answered(hosting.create), methods=["POST"]),
        Route("/api/games/{id}", answered(watching.game)),
        Route("/api/games/{id}/stream", answered(watching.stream)),
        Route("/api/games/{id}/links", answered(hosting.links)),
        Route("/api/files/stream", answered(watching.file)),
        *(Route(f"/api/games/{{id}}/{name}", answered(handler), methods=["POST"]) for name, handler in posts.items()),
        Route("/api/{rest:path}", answered(watching.nothing), methods=["GET", "POST"]),
    ]
