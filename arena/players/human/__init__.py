"""A person at this terminal: requests become questions, and what is chosen and typed becomes a decision."""

from arena.players.human.asking import Asking, Left
from arena.players.human.form import Form

__all__ = ["Asking", "Form", "Left"]
