"""What a mind makes of the others: which claimed seer is the real one, and how likely each seat is a werewolf.

Each claimed seer, and "none of them", is a hypothesis. Under a hypothesis the real seer's results are facts
and rival seers are werewolves; every other seat is judged by where it stood towards those facts: who attacks
werewolves is good, who attacks the good is not. The hypotheses are then weighed and their answers mixed.
"""

from collections.abc import Mapping
from dataclasses import field
from math import exp, log

from arena.players.scripted.contested import disputed_claims, open_at, settle, weigh_claims
from arena.players.scripted.foes import foes, is_foe, weigh
from arena.players.scripted.ledger import SEER, Ledger, SeerClaim
from arena.table import Table
from arena.terms import Seat, record

# How much each kind of evidence weighs, in log-odds of being a werewolf.
DIED_ALONE, DIED_IN_COMPANY = -2.7, -0.8
SAVED, WATCHED = -5.0, -2.5
# How much speaks for a claimed seer, in log-odds of being the real one.
NO_REAL_SEER = -10.0
CLEARED_A_RIVAL, CONDEMNED_A_VICTIM = -6.0, -4.0
SURVIVED_A_NIGHT, SURVIVED_WITH_GUARD = -0.6, -0.25
# How likely a false seer is to tell this of a seat (the real one tells the truth): as often as packs do.
FALSE_CHECKS = {(True, False): 0.13, (False, False): 0.54, (False, True): 0.1, (True, True): 0.02}
LOG_FALSE_CHECKS = {check: log(share) for check, share in FALSE_CHECKS.items()}
IMPOSSIBLE = -1000.0
NEAREST, FARTHEST = -5.0, 5.0
SURE = 0.985


@record
class Eyes:
    """Who looks: a seat (0: an onlooker) with its card, and what it knows of others (True: werewolf).

    A witch also knows which seats were attacked, and which she poisoned; a guard whom its watch may have saved.
    """

    seat: Seat
    role: str = ""
    known: Mapping[Seat, bool] = field(default_factory=dict)
    attacked: frozenset[Seat] = frozenset()
    poisoned: frozenset[Seat] = frozenset()
    watched: frozenset[Seat] = frozenset()


@record
class Belief:
    """How likely each seat is a werewolf (by seat; place 0 is empty), and each claimed seer the real one.

    `under` holds the same by claimed seer, as it is for those who take that one for real.
    """

    wolf: list[float]
    seers: dict[Seat, float]
    under: dict[Seat, list[float]]

    @property
    def seer(self) -> Seat:
        """The claimed seer most likely to be real, if more likely than not; else 0."""
        best = max(self.seers, key=lambda seat: self.seers[seat], default=0)
        return best if best and self.seers[best] > 0.5 else 0


def believe(table: Table, ledger: Ledger, eyes: Eyes) -> Belief:
    """What `eyes` make of the public record."""
    facts = {seat: is_foe(table, role) for seat, role in table.revealed.items()}
    facts.update(eyes.known)
    attacks = _attacks(ledger, eyes)
    unary = _unary(table, ledger, eyes, attacks)
    weigh(table, ledger.role, unary, public=not eyes.seat)
    wolves = foes(table)
    claims, disputed = ledger.seers, disputed_claims(table, ledger)
    weights: list[float] = []
    answers: list[list[float]] = []
    for real in (*claims, 0):
        answer: list[float] = []
        weight = _fit(table, ledger, eyes, real, facts)
        if weight > IMPOSSIBLE:
            sure = _under(claims, real, facts)
            odds = settle(disputed, sure, unary) if disputed else unary
            likelihood, answer = _spread(ledger, sure, odds, attacks, wolves)
            weight += likelihood
        weights.append(weight)
        answers.append(answer)
    top = max(weights)
    shares = [exp(weight - top) if answer else 0.0 for weight, answer in zip(weights, answers, strict=True)]
    total = sum(shares)
    if not total:
        return Belief([wolves / table.players] * (table.players + 1), dict.fromkeys(claims, 0.0), {})
    mixed = [0.0] * (table.players + 1)
    for share, answer in zip(shares, answers, strict=True):
        if answer:
            part = share / total
            mixed = [m + part * a for m, a in zip(mixed, answer, strict=True)]
    seers = {seat: share / total for seat, share in zip(claims, shares, strict=False)}
    return Belief(mixed, seers, {seat: answer for seat, answer in zip(claims, answers, strict=False) if answer})


def _attacks(ledger: Ledger, eyes: Eyes) -> dict[Seat, bool]:
    """Who may have died of the werewolves' attack, and whether for certain: not those a witch poisoned."""
    poisoned = eyes.poisoned.union(ledger.poisoned.values())
    deaths = ledger.night_deaths.items()
    return {seat: alone or seat in eyes.attacked for seat, alone in deaths if seat not in poisoned}


def _under(claims: dict[Seat, SeerClaim], real: Seat, facts: dict[Seat, bool]) -> dict[Seat, bool]:
    """Everything that is certain if `real` is the seer (0: if none of the claimed seers is)."""
    sure = dict.fromkeys(claims, True)
    if real:
        sure.update(claims[real].checks)
        sure[real] = False
    sure.update(facts)
    return sure


def _fit(table: Table, ledger: Ledger, eyes: Eyes, real: Seat, facts: dict[Seat, bool]) -> float:
    """The logarithm of how well the claims of seers fit `real` being the one."""
    weight = _real(table, ledger, eyes, real, facts) if real else _none_real(table, ledger, eyes)
    if weight <= IMPOSSIBLE:
        return IMPOSSIBLE
    truth = {**ledger.seers[real].checks, **facts} if real else facts
    for seat, claim in ledger.seers.items():
        if seat != real:
            for checked, bad in claim.checks.items():
                weight += LOG_FALSE_CHECKS[bad, truth.get(checked, False)]
    return weight


def _real(table: Table, ledger: Ledger, eyes: Eyes, real: Seat, facts: dict[Seat, bool]) -> float:
    claim, checks = ledger.seers[real], ledger.seers[real].checks
    if (
        (eyes.role == SEER and real != eyes.seat)
        or facts.get(real)
        or claim.contradicts_itself
        or False in [facts.get(seat, bad) == bad for seat, bad in checks.items()]
        or not table.began.cards.get(SEER)
        or table.revealed.get(real, SEER) != SEER
        or open_at(table, SEER, real)
    ):
        return IMPOSSIBLE
    weight = 0.0
    if False in map(checks.get, ledger.seers):
        weight += CLEARED_A_RIVAL
    if True in map(checks.get, eyes.attacked):
        weight += CONDEMNED_A_VICTIM
    if real in table.in_play:
        nights = max(0, table.nights - claim.day)
        weight += nights * (SURVIVED_WITH_GUARD if table.began.cards.get("guard") else SURVIVED_A_NIGHT)
    return weight


def _none_real(table: Table, ledger: Ledger, eyes: Eyes) -> float:
    if eyes.role == SEER and eyes.seat in ledger.seers:
        return IMPOSSIBLE
    if not ledger.seers:
        return 0.0
    return NO_REAL_SEER + (2.0 if table.day == 1 else 0.0)


def _unary(table: Table, ledger: Ledger, eyes: Eyes, attacks: dict[Seat, bool]) -> list[float]:
    """What speaks for or against each seat whoever the seer is, as log-odds."""
    unary = [0.0] * (table.players + 1)
    for seat, alone in attacks.items():
        unary[seat] += DIED_ALONE if alone else DIED_IN_COMPANY
    weigh_claims(table, ledger, unary, seat=eyes.seat, role=eyes.role)
    for witch, saved in ledger.saved.items():
        if unary[witch] < 0 and saved != witch:
            unary[saved] += SAVED
    for seat in eyes.attacked:
        unary[seat] += SAVED
    for seat in eyes.watched:
        unary[seat] += WATCHED
    return unary


def _spread(
    ledger: Ledger, sure: dict[Seat, bool], unary: list[float], attacks: dict[Seat, bool], wolves: int
) -> tuple[float, list[float]]:
    """How likely the evidence is if `sure` is certain (a logarithm), and each seat then a werewolf.

    No answer at all where there are more certain werewolves than cards, or too few seats for the rest.
    """
    players = len(unary) - 1
    of_bad: list[list[float]] = []
    of_good: list[list[float]] = []
    for seat, is_wolf in sure.items():
        if is_wolf:
            of_bad.append(ledger.if_bad[seat])
        else:
            of_good.append(ledger.if_good[seat])
    for seat, alone in attacks.items():
        if alone and seat not in sure:
            of_good.append(ledger.if_good[seat])
    hidden = wolves - len(of_bad)
    if not 0 <= hidden <= players - len(sure):
        return IMPOSSIBLE, []
    logits = [sum(column, 0.0) for column in zip(unary, *of_bad, *of_good, strict=True)]
    answer = [1 - SURE] * (players + 1)
    likelihood = 0.0
    odds: dict[Seat, float] = {}
    for seat, logit in enumerate(logits[1:], start=1):
        certain = sure.get(seat)
        if certain is False:
            continue
        if logit > FARTHEST:
            logit = FARTHEST
        elif logit < NEAREST:
            logit = NEAREST
        if certain:
            likelihood += logit
            answer[seat] = SURE
        else:
            odds[seat] = exp(logit)
    return likelihood + log(_choose(odds, hidden, answer)), answer


def _choose(odds: dict[Seat, float], wolves: int, answer: list[float]) -> float:
    """Write into `answer` each seat's chance to be among `wolves` drawn by `odds`.

    Returns the sum, over all choices of `wolves` seats, of the products of their odds.
    """
    if not wolves:
        return 1.0
    sums = [1.0] + [0.0] * wolves
    sizes = range(wolves, 0, -1)
    for odd in odds.values():
        for size in sizes:
            sums[size] += odd * sums[size - 1]
    total, smaller = sums[wolves], sums[1:wolves]
    for seat, odd in odds.items():
        without = 1.0
        for among in smaller:
            without = among - odd * without
        share = odd * without / total
        answer[seat] = SURE if share > SURE else share if share > 0.0 else 0.0
    return total
