"""The command line. Each command reads its arguments, calls the module that does the work, and prints.

Exit status: 0 done, 1 the check failed, 2 the input is unusable (one line), 130 interrupted. Results go to
standard output, progress and complaints to standard error.
"""

import sys
from typing import Annotated

import typer
from rich.console import Console

from arena import __version__
from arena.terms import DuskwaldError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Duskwald: an arena for Werewolf (狼人杀), played by language models, people and scripts."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line, turning everything a user can cause into one line and a status."""
    try:
        app()
    except DuskwaldError as error:
        errors.print(f"arena: {error}")
        sys.exit(2)
    except KeyboardInterrupt:
        errors.print("arena: interrupted")
        sys.exit(130)
