"""Players that are language models.

A request becomes a `form` (a JSON schema), the view a prompt (`record`, `prompting`), both together with what the seat
has told itself a call (`mind`), and what comes back an answer (`parsing`, `naming`) or a named fault (`player`).
What may live here: how a model is asked and understood. What may not: HTTP.
"""

from arena.players.model.form import Asks
from arena.players.model.mind import Mind
from arena.players.model.player import Journal, ModelPlayer
from arena.players.model.record import PublicRecord

__all__ = ["Asks", "Journal", "Mind", "ModelPlayer", "PublicRecord"]
