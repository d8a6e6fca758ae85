"""Tournaments: which games are played, and what their results say about who plays better.

What decides and reckons is pure functions of their arguments: no file, no clock, no chance but that of a seed.

=========== ==========================================================================================
schedule    blocks of games in which every competitor takes every side, on the same deals
balance     how often each competitor has had each side, card and seat
commitment  hashes published before the first game, and checked when the seed is revealed
planner     how much a schedule can tell, before anything is played
game        what a rating is made from: one game that was played, or why it was not
tally       results counted by side and card; `points`, what series give
interval    how far a rate may be off whose occasions hang together
design      games as the arrays of a likelihood
fit         the largest penalised likelihood, and how far it may be off
rating      the standing: skills, intervals, ranks, ties
metrics     what explains a standing: figures about single decisions, beside what chance gives
stopping    whether the question of a tournament is answered, and which pairs leave it open
plan        a tournament as its file says it, read by `loading`
=========== ==========================================================================================

What plays is beside it:

=========== ==========================================================================================
folder      where a tournament lies, and what of it may never be lost; `lock`, who plays there
play        one game, played from where its transcript stands
run         all games, many at once, until the question is answered
cluster     the same games, on several machines
show        what a tournament would be; `ticker`, how far it has come; `report` and `tables`, its standings;
            `layout`, how wide a table may be
=========== ==========================================================================================
"""
