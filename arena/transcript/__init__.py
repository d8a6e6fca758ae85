"""The transcript of a game: one file of JSON lines, the single truth about it.

Its format is described in ``transcripts/README.md``. Four things are done with it:

- `opening` makes its first line, and `Writer` appends to it while the game is played; nothing goes on before it is
  written.
- `read` loads it, and `Transcript.views` folds its events, which takes no rules.
- `rerun` lets the referee decide everything again from the replies, which proves a transcript, and gives the
  position from which an interrupted game goes on.
- `fork` begins another game with what came before a decision, so that others play on from there.
"""

from arena.transcript.fork import Forked, fork
from arena.transcript.opening import opening
from arena.transcript.reader import Transcript, read
from arena.transcript.rerun import Difference, Position, rerun
from arena.transcript.schema import Asked, Attempted, Beside, Gone, Header, Record, Replied, Reserved
from arena.transcript.writer import Writer

__all__ = [
    "Asked",
    "Attempted",
    "Beside",
    "Difference",
    "Forked",
    "Gone",
    "Header",
    "Position",
    "Record",
    "Replied",
    "Reserved",
    "Transcript",
    "Writer",
    "fork",
    "opening",
    "read",
    "rerun",
]
