"""What explains a standing: figures about single decisions, each with what chance alone would give.

One pass over the records of a game gives them all. A *measure* is one occasion: what a seat got out of it, and what it
would have got by a draw among what it could have done. They are added up by competitor and side, and claims by day.
None of them is rated; a competitor may be good at all of them and lose.

========= =====================================================================================================
facts     what is so at a moment of a game, to whoever sees all cards
votes     whom the ballots of an exile name, and whether they decide it
survival  how long werewolves are in play
claims    who has claimed what: bluffs, what they are worth, and who believes the right one of two
words     whether claims are true
checks    what checks tell, and whether the table hears of them
powers    whom poison, shots, guards, antidotes and packs meet
beliefs   how good suspicions are
fold      all of these over one game
summary   measures of many games: rates, chance, intervals by deal
========= =====================================================================================================
"""

from arena.tournament.metrics.fold import measured
from arena.tournament.metrics.measure import METRICS, Sum
from arena.tournament.metrics.summary import Figure, Ledger, Metric

__all__ = ["METRICS", "Figure", "Ledger", "Metric", "Sum", "measured"]
