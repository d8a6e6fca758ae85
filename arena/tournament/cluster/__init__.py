"""Tournaments on a Dask cluster: the same plan, with transcripts in a folder that all its machines share.

The process that runs the tournament keeps everything but the games: it schedules, rates and decides when to stop.

======== ===========================================================================================
venue    that process's side: it hands out games, one to a worker at a time, until each is over
worker   a worker's side: it plays a game on from its transcript
allotter the scheduler's side: it hands out money and calls in flight, so that none is spent twice
======== ===========================================================================================

A game belongs to the worker that the scheduler has given it to. Where that worker is lost, the game goes on elsewhere
from a copy of its transcript, so that a worker which is not dead but only unheard of can't write into it.
"""
