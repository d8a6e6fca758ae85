"""The server of one GGUF file, run as a script in a process of its own. It ends with its standard input.

Whoever started it holds the other end of that pipe, which the system closes however that process ends. Its one line on
standard output is its address, written when the model has been loaded.
"""

import os
import sys

# Before the library is loaded: its threads would spin while they wait, and where others need the cores as
# well, a reply would take ten times as long.
os.environ["OMP_WAIT_POLICY"] = "passive"

import xllamacpp

CONTEXT = 16_384
"""Tokens of prompt and answer; models that take fewer are served with what they take."""

KEPT_MIB = 512
"""Memory for the prompts of seats that wait for their next turn."""


def serve(path: str, name: str) -> None:
    """Serve the model in `path` as `name`, until standard input ends."""
    # What the library prints must not pass for the address.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    plan = xllamacpp.CommonParams()
    plan.model.path, plan.model_alias = path, {name}
    plan.hostnames, plan.port = ["127.0.0.1"], 0
    plan.n_ctx, plan.n_parallel = CONTEXT, 1
    plan.cpuparams.n_threads = 1
    plan.cpuparams_batch.n_threads = os.cpu_count() or 1
    plan.cache_ram_mib = KEPT_MIB
    plan.ui, plan.verbosity = False, 0
    server = xllamacpp.Server(plan)
    print(server.listening_address, file=answer, flush=True)
    sys.stdin.buffer.read()
    # There is nothing to save, and a reply that nobody waits for would be written to its end first.
    os._exit(0)


if __name__ == "__main__":
    serve(*sys.argv[1:])
