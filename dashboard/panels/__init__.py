"""The tables beside the table: what a game comes to, as one pure function of transcript and view for each.

One file is one table. All of them read through `arena.transcript.viewing`, so a view never counts, judges or
measures what it has not seen; what stands beside the events (thoughts, prompts, beliefs, calls) is god's alone.
"""
