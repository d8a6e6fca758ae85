"""A player that plays, bluffs and talks by rule: the baseline every other player is measured against."""

from arena.players.scripted.player import ScriptedPlayer

__all__ = ["ScriptedPlayer"]
