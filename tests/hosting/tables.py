"""Tables for tests: quick clocks, people at some seats."""

from typing import Any

from tests.hosting.browsers import Browser

NAMES = ("Anna", "Bao", "Chen", "Dora", "Emil", "Fang", "Gao", "Hugo", "Ida", "Jun", "Kai", "Lina")
QUICK = {"seconds": 20, "pace": 100, "night": 0.25}


def table(*people: int, players: int = 9, clock: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A table with people at these seats and scripted players elsewhere."""
    seats = {str(seat): {"human": NAMES[seat - 1]} if seat in people else "scripted" for seat in range(1, players + 1)}
    return {"language": "en", "seats": seats, "clock": {**QUICK, **(clock or {})}, **more}


async def lay(host: Browser, setup: dict[str, Any], *, start: bool = True) -> tuple[str, dict[int, str]]:
    """Lay a table: the game's id, and the links of the seats."""
    made = await host.post("/api/games", {"setup": setup})
    assert made.status_code == 201, made.text
    game = made.json()["id"]
    links = (await host.get(f"/api/games/{game}/links")).json()["seats"]
    if start:
        assert (await host.post(f"/api/games/{game}/start")).status_code == 200
    return game, {int(seat): found["link"] for seat, found in links.items()}
