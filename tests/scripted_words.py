"""What scripted players say that they had better not: each kind of fault, and the occasions, sentence by sentence."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import takewhile

from arena.events import View
from arena.table import Ballot, Fall, Speech, Table
from arena.terms import Lang, Seat
from arena.texts import texts
from tests.games import house
from tests.scripted_games import player_for, watch

ENDS = re.compile("(?<=[。！？.!?])")
FEELINGS = {"reason_gut", "reason_speech"}
DEFENCES = {"reason_picked", "reason_attacked_good", "reason_voted_good"}
BLAMES = DEFENCES | {"reason_broke_pledge", "reason_followed", "reason_voted_other"}
UNDATED = FEELINGS | {"reason_unproven", "reason_rival"}
CLAIMED_GODS = {"witch", "hunter", "guard"}
ADMITS = ("turned_", "change_", "side_reopened")
EXILE = {"vote", "runoff"}
HIDING = re.compile("别躲|站哪边|你站谁|表态。|stop hiding|which side|whom do you back|take a side now", re.IGNORECASE)
ACTING = re.compile("演技|别装了|acting|drop the act", re.IGNORECASE)
LATER = re.compile("我今天就|我也?会?盯着|my eyes on|I'll be watching|I watch seat", re.IGNORECASE)
SEATS = {"zh": r"\d+号(?:[、和]\d+号)*", "en": r"[Ss]eats? \d+(?:(?:, | and )(?:seat )?\d+)*"}

TODAY: dict[Lang, str] = {"zh": "第{day}天", "en": r"\b[Dd]ay {day}\b"}

Said = tuple[str, dict[str, str], str]
"""A sentence: the key it was made from, its fields, and its words without what joins them to others."""

Found = Iterator[tuple[str, bool]]


@cache
def _joins(lang: Lang) -> re.Pattern[str]:
    manners = texts(lang, "talk")["manner"].values()
    joins = {join for manner in manners for join in (*manner.get("points", ()), manner.get("so", ""))}
    return re.compile(f"^(?:{'|'.join(map(re.escape, joins - {''}))})")


def _today(lang: Lang, variant: str) -> str:
    """The same with a day that is today's."""
    for dated, said in texts(lang, "talk")["today"].items():
        variant = variant.replace(dated, said)
    return variant


@cache
def _patterns(lang: Lang) -> tuple[tuple[str, re.Pattern[str]], ...]:
    def field(match: re.Match[str]) -> str:
        name = match[1]
        kinds = {"day": r"\d+", "role": ".+?"}
        return f"(?P<{name}>{kinds.get(name, SEATS[lang])})"

    found = []
    for key, tones in texts(lang, "talk")["speech"].items():
        texted = [variant for variants in tones.values() for variant in variants]
        for variant in dict.fromkeys([*texted, *(_today(lang, variant) for variant in texted)]):
            body, names = re.escape(variant[:-1]), set()
            for name in re.findall(r"\\{(\w+)\\}", body):
                body = re.sub(rf"\\{{({name})\\}}", r"(?P=\1)" if name in names else field, body, count=1)
                names.add(name)
            found.append((key, re.compile(body, re.IGNORECASE)))
    return tuple(found)


@cache
def said(lang: Lang, sentence: str) -> Said:
    """What `sentence` was made from; the key is empty for one that no text accounts for."""
    bare = _joins(lang).sub("", sentence.strip())[:-1]
    for key, pattern in _patterns(lang):
        match = pattern.fullmatch(bare)
        if match:
            return key, match.groupdict(), bare
    return "", {}, bare


class Book:
    """What the table has heard and seen so far, and what each seat has said, sentence by sentence."""

    def __init__(self, lang: Lang, table: Table) -> None:
        self.lang: Lang = lang
        self.table = table
        self.role: dict[Seat, str] = {}
        self.spoken: set[Seat] = set()
        self.attacked: dict[Seat, list[tuple[int, Seat]]] = defaultdict(list)
        self.backed: dict[Seat, list[tuple[int, Seat]]] = defaultdict(list)
        self.latest: dict[Seat, dict[Seat, tuple[int, str]]] = defaultdict(dict)
        self.patterns: dict[Seat, set[str]] = defaultdict(set)
        self.defended: dict[Seat, set[Seat]] = defaultdict(set)
        self.checks: dict[Seat, dict[Seat, bool]] = defaultdict(dict)
        self.found_on: dict[tuple[Seat, Seat], int] = {}
        self.sides: dict[Seat, Seat] = {}
        self.claimed: dict[Seat, int] = {}
        self.acted: dict[Seat, int] = {}
        self.calls: dict[int, list[tuple[Seat, Seat]]] = defaultdict(list)
        self.heard = 0
        self.day, self.topic = 0, ""
        self.turns: set[Seat] = set()

    def begin(self, speech: Speech) -> None:
        """Take in what was known when `speech` began."""
        if (self.day, self.topic) != (speech.day, speech.topic):
            self.day, self.topic, self.turns = speech.day, speech.topic, set()
        self.turns.add(speech.seat)
        for ballot in self.table.ballots:
            if ballot.after == self.heard:
                self.vote(ballot)

    def vote(self, ballot: Ballot) -> None:
        """Take in a vote held before the speech to come."""
        for voter, target in ballot.votes:
            self.acted[voter] = self.heard
            if ballot.name in EXILE:
                if self.sides.get(voter) == target:
                    del self.sides[voter]
            elif self.role.get(target) == "seer":
                self.sides[voter] = target

    def elected(self, seat: Seat, day: int) -> Seat:
        """The seer whom `seat` has voted for as sheriff on `day`, of those who had claimed by now (0: none)."""
        held = [dict(b.votes).get(seat, 0) for b in self.table.ballots if b.name not in EXILE and b.day == day]
        return held[-1] if held and self.role.get(held[-1]) == "seer" else 0

    def take_in(self, speech: Speech) -> None:
        self.spoken.add(speech.seat)
        self.heard += 1
        self.acted[speech.seat] = self.heard
        for claim in speech.claims:
            if claim.about == "will_vote":
                self.calls[speech.day].append((speech.seat, claim.seats[0]))
            if claim.about == "role":
                self.role[speech.seat] = claim.value
                self.claimed[speech.seat] = self.heard
            elif claim.about == "checked":
                self.checks[speech.seat][claim.seats[0]] = claim.value == "werewolf"
                if claim.value == "werewolf":
                    self.found_on.setdefault((speech.seat, claim.seats[0]), speech.day)
            elif claim.about in {"suspects", "will_vote"}:
                self.attacked[speech.seat] += [(speech.day, seat) for seat in claim.seats]
                self.latest[speech.seat].update(dict.fromkeys(claim.seats, (speech.day, "attacked")))
            elif claim.about == "trusts":
                self.backed[speech.seat] += [(speech.day, seat) for seat in claim.seats]
                for seat in claim.seats:
                    if self.role.get(seat) == "seer":
                        self.sides[speech.seat] = seat
                self.latest[speech.seat].update(dict.fromkeys(claim.seats, (speech.day, "backed")))

    def has_attacked(self, seat: Seat, target: Seat, day: int) -> bool:
        """Whether `seat` has spoken or voted against `target` before a speech of `day`."""
        votes = [dict(b.votes).get(seat) for b in self.table.ballots if b.name in EXILE and b.day < day]
        return target in votes or any(target == other for _, other in self.attacked[seat])

    def has_voted_out(self, seat: Seat, target: Seat, day: int) -> bool:
        """Whether `target` was exiled before `day` with a vote of `seat`."""
        out = [exiled_on for exiled_on, exiled in self.table.exiles if exiled == target and exiled_on < day]
        return any(dict(b.votes).get(seat) == target for b in self.table.ballots if b.name in EXILE and b.day in out)

    def proved(self, seer: Seat, seat: Seat, day: int) -> bool:
        """Whether a find of `seer` has turned up as a werewolf since `seat` last spoke in a discussion before `day`."""
        spoken = [s.day for s in self.table.speeches if s.seat == seat and s.topic == "speech" and s.day < day]
        for fall in self.table.falls:
            found = self.found_on.get((seer, fall.seat), day)
            since = (max(spoken, default=0), False) < (fall.day, fall.how != "night") <= (day, False)
            if since and found < fall.day and self.table.kind(self.table.revealed.get(fall.seat, "")) == "werewolf":
                return True
        return False

    def is_exposed(self, seer: Seat, speech: Speech) -> bool:
        """Whether the card of a claimed seer lay open as another's before `speech`."""
        if self.role.get(seer) != "seer" or self.table.revealed.get(seer, "seer") == "seer":
            return False
        before = takewhile(lambda one: one is not speech, self.table.course)
        return any(isinstance(one, Fall) and one.seat == seer for one in before)

    def is_gone(self, seat: Seat, day: int) -> bool:
        return any(fall.seat == seat and (fall.day, fall.how != "night") <= (day, False) for fall in self.table.falls)


def _seat(fields: dict[str, str], name: str) -> Seat:
    number = re.search(r"\d+", fields.get(name, ""))
    return int(number[0]) if number else 0


def _claimed(speech: Speech, about: str) -> tuple[Seat, ...]:
    return tuple(seat for claim in speech.claims if claim.about == about for seat in claim.seats)


def _whole(book: Book, speech: Speech, sentences: list[Said]) -> Found:
    """What only the whole of a speech shows."""
    keys = [key for key, _, _ in sentences]
    reasons = _reasons(book, speech, sentences)
    wanted, suspects, trusts = (_claimed(speech, about) for about in ("will_vote", "suspects", "trusts"))
    if wanted and speech.topic == "speech":
        yield "call without a reason", not reasons
        if speech.day > 1:
            yield "call from day 2 without a fact", set(reasons) <= FEELINGS
        if wanted[0] in book.role and book.role.get(speech.seat) != "seer":
            yield from _on_claims(book, speech, sentences, wanted[0])
    latest = book.latest[speech.seat]
    if suspects and latest.get(suspects[0]) == (speech.day, "backed"):
        admitted = any(key.startswith(("turned_", "change_", "side_reopened")) for key in keys)
        yield "turns against a seat within a day in silence", not admitted
    for seat in trusts:
        if latest.get(seat) == (speech.day, "attacked"):
            admitted = any(
                key.startswith(("trust_checked_now", "change_", "side_reopened", "turned_to")) for key in keys
            )
            yield "turns to a seat within a day in silence", not admitted
    yield from _explained(book, speech, sentences)
    if "suspect_also" in keys:
        yield "suspects one more before the first", not reasons


def _reasons(book: Book, speech: Speech, sentences: list[Said]) -> set[str]:
    """The reasons given; that a rival is one is a reason only to those who know themselves to be the seer."""
    keys = {key for key, _, _ in sentences if key.startswith(("reason_", "doubt_"))}
    return keys if book.role.get(speech.seat) == "seer" else keys - {"reason_rival"}


def _on_claims(book: Book, speech: Speech, sentences: list[Said], wanted: Seat) -> Found:
    """Whether who calls for one who has claimed a card argues with that."""
    keys = {key for key, _, _ in sentences}
    role, me = book.role[wanted], speech.seat
    same = [seat for seat, card in book.role.items() if card == role]
    own = {claim.value for claim in speech.claims if claim.about == "role"}
    if role == "seer" and any(book.role.get(s) == "seer" for s in _claimed(speech, "trusts")):
        yield "calls for a rival seer without a fact", _reasons(book, speech, sentences) <= FEELINGS
    elif role in CLAIMED_GODS and len(same) == 1 and role not in {*own, book.role.get(me)}:
        answers = {"despite_claim", "despite_check", "reason_card_open"}
        yield "passes over the claim of a god", answers.isdisjoint(keys)


def _explained(book: Book, speech: Speech, sentences: list[Said]) -> Found:
    """Whether a change of mind is owned up to, and has news for its reason."""
    keys = {key for key, _, _ in sentences}
    reasons = _reasons(book, speech, sentences)
    me, suspects = speech.seat, _claimed(speech, "suspects")
    admitted = any(key.startswith(ADMITS) for key in keys)
    if suspects and book.defended[me]:
        yield "turns on a seat it has defended in silence", suspects[0] in book.defended[me] and not admitted
    if suspects and "backed" in {stance for _, stance in book.latest[me].values()}:
        turned = "turned_against" in keys and reasons <= UNDATED
        yield "turns on a seat it has backed without news", turned
    elected = book.elected(me, speech.day)
    sides = [seat for seat in _claimed(speech, "trusts") if book.role.get(seat) == "seer"]
    if elected and sides and speech.topic == "speech":
        yield "sides against its vote for sheriff in silence", sides[0] != elected and not admitted
    if sides and speech.topic == "speech" and book.proved(sides[0], me, speech.day):
        told = any(key.startswith("proof_") or key == "reason_rival_proof" for key in keys)
        yield "passes over the proof of its seer", not told
    went_over = sides and book.latest[me].get(sides[0], (0, ""))[1] != "backed"
    if went_over and book.has_voted_out(me, sides[0], speech.day):
        yield "goes over to a seer it has voted out in silence", "turned_to_exiled" not in keys
    if suspects:
        book.defended[me] -= {suspects[0]}
    book.defended[me] |= {_seat(fields, "target") for key, fields, _ in sentences if key in DEFENCES}


def _single(book: Book, speech: Speech, sentence: Said) -> Found:
    """What one sentence shows."""
    me, day = speech.seat, speech.day
    key, fields, bare = sentence
    seat, target = _seat(fields, "seat"), _seat(fields, "target")
    yield "sentence from nowhere", not key
    yield from _names_and_days(book, speech, sentence)
    if key in {"reason_voted_good", "reason_attacked_good"}:
        yield "blames an attack it has made", book.has_attacked(me, target, day)
    elif key in BLAMES:
        yield "blames what it has done itself", book.has_attacked(me, target, day)
    elif key == "reason_led":
        on = int(re.sub(r"\D", "", fields.get("day", "")) or day)
        calls = [caller for caller, called in book.calls[on] if called == target and caller in (me, seat)]
        yield "blames a call it has made before", calls[:1] != [seat]
    elif key == "reason_backed_wolf":
        yield "blames support it has given", any(target == other for _, other in book.backed[me])
    elif key == "yesterday_pushed":
        yield "asks who pushed whom it pushed", book.has_attacked(me, target, day)
    elif key in {"reason_speech", "trust_speech"}:
        yield "judges the speech of one who has not spoken", seat not in book.spoken
    elif key.startswith("checked_") and not key.endswith(("_gone", "_new")):
        unknown = speech.topic.startswith("campaign")  # the night's outs are announced after the election
        yield "warns of one who is out", book.is_gone(seat, day) and not unknown
    if speech.topic == "last_words":
        yield "question in last words", key.startswith("ask_")
        yield "means to go on watching in last words", bool(LATER.search(bare))
    yield from _changes(book, speech, sentence)
    yield from _argument(book, sentence, me)
    if book.role.get(seat, "villager") != "villager":
        yield "tells an open card to come out", bool(HIDING.search(bare))
    if seat and seat not in book.spoken:
        yield "praises the acting of one who has not spoken", bool(ACTING.search(bare))
    pattern = re.sub(r"\d+", "#", bare.lower())
    if "#" in pattern:
        yield "the same of another seat", pattern in book.patterns[me]
        book.patterns[me].add(pattern)


def _argument(book: Book, sentence: Said, me: Seat) -> Found:
    """Whether what is said against a rival of the seer believed is true of this game."""
    key, fields, _ = sentence
    rival, seer, target = (_seat(fields, name) for name in ("seat", "seer", "target"))
    sides = {seat: side for seat, side in book.sides.items() if seat not in (me, rival, seer)}
    theirs = book.checks[rival]
    if key in {"reason_rival_after", "reason_rival_before"}:
        yield "argues untruly", (book.claimed[rival] > book.claimed[seer]) != (key == "reason_rival_after")
    elif key == "reason_rival_soft":
        yield "argues untruly", any(theirs.values()) or not book.checks[seer].get(target)
    elif key == "reason_rival_refused":
        yield "argues untruly", theirs.get(target) is not False or sides.get(target) != seer
    elif key == "reason_rival_company":
        yield "argues untruly", sides.get(target) != rival
    elif key == "reason_rival_alone":
        named = {int(number) for number in re.findall(r"\d+", fields["backers"])}
        yield "argues untruly", rival in sides.values() or any(sides.get(seat) != seer for seat in named)
    elif key == "reason_rival_badge":
        held = [b for b in book.table.ballots if b.name not in EXILE and b.after <= book.heard]
        votes = Counter(voted for _, voted in held[-1].votes)
        yield "argues untruly", votes[seer] <= votes[rival]


def _changes(book: Book, speech: Speech, sentence: Said) -> Found:
    """How a change of side is explained."""
    key, fields, _ = sentence
    if key.startswith("change_") and key not in {"change_voted_out", "change_condemned_me"}:
        former = _seat(fields, "former")
        since = max((day for day, seat in book.backed[speech.seat] if seat == former), default=0)
        held = [b for b in book.table.ballots if b.name in EXILE and since <= b.day < speech.day]
        yield "leaves a seer it has voted out", any(dict(b.votes).get(speech.seat) == former for b in held)
        yield (
            "leaves an exposed seer for another reason",
            book.is_exposed(former, speech) != (key == "change_exposed"),
        )
    if key == "side_with":
        rivals = map(int, re.findall(r"\d+", fields.get("rivals", "")))
        yield "weighs its seer against an exposed one", any(book.is_exposed(rival, speech) for rival in rivals)
    if key == "seer_remains":
        rivals = map(int, re.findall(r"\d+", fields["rivals"]))
        yield "calls a card open that isn't", not all(book.is_exposed(rival, speech) for rival in rivals)
    if key == "change_new_claim":
        claimed = book.claimed.get(_seat(fields, "seat"), 0)
        yield "calls a claim new after which it has spoken or voted", book.acted.get(speech.seat, 0) >= claimed
    if key == "change_fallen":
        target = _seat(fields, "target")
        yield "changes sides for its own deed", book.has_attacked(speech.seat, target, speech.day)
        yield "changes sides for one who stood elsewhere", book.sides.get(target) != _seat(fields, "seat")


def _names_and_days(book: Book, speech: Speech, sentence: Said) -> Found:
    """Whom a sentence asks, and how it calls its own speaker and today."""
    key, fields, bare = sentence
    if key in {"ask_suspect", "ask_claimed"}:
        yield "asks one who has had its turn", _seat(fields, "seat") in book.turns
    if fields:
        named = {number for name, value in fields.items() if name != "day" for number in re.findall(r"\d+", value)}
        yield "speaks of itself by number", str(speech.seat) in named
    yield "calls today by its number", bool(re.search(TODAY[book.lang].format(day=speech.day), bare))


def word_faults(lang: Lang, boards: Iterator[tuple[int, int]]) -> Counter[tuple[str, bool]]:
    """Occasions and faults in games of these (players, seed)."""
    found: Counter[tuple[str, bool]] = Counter()
    for players, seed in boards:
        _, events = watch(house(), players, seed, player_for(lang), lambda *_: None)
        table = Table(0).read(View(0, [event for event in events if event.to is None]))
        book = Book(lang, table)
        for speech in table.speeches:
            book.begin(speech)
            sentences = [said(lang, part) for part in ENDS.split(speech.text) if part.strip()]
            found.update(_whole(book, speech, sentences))
            for sentence in sentences:
                found.update(_single(book, speech, sentence))
            book.take_in(speech)
    return found
