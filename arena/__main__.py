"""`arena` from a shell. What it needs takes a moment to load, and Control-C must be answered in that moment too."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        from arena.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
