"""A stand-in for an OpenAI-compatible endpoint: real HTTP/1.1 on this machine, with the faults of real ones."""

from tests.model_server.draft import tokens
from tests.model_server.faults import FAULTS
from tests.model_server.server import Asked, ModelServer

__all__ = ["FAULTS", "Asked", "ModelServer", "tokens"]
