"""An arena for the game Werewolf, played by language models, people and scripts."""

from importlib.metadata import version

__version__ = version("duskwald")
