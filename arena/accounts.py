"""What the models of a game have done besides playing: calls, tokens, cost, and faults of protocol, by endpoint."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import get_args

from rich.table import Table
from rich.text import Text as RichText

from arena.terms import Attempt, Fault, Lang
from arena.texts import texts
from arena.transcript import Attempted, Header, Record, Replied

LEAST = 0.00005
"""USD that show with four digits."""

FAULTS: tuple[Fault, ...] = tuple(fault for fault in get_args(Fault) if fault)


@dataclass
class Account:
    """The calls of one endpoint. `cached` tokens are among those of the `prompt`; `fallback` counts defaults taken."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    usd: float = 0.0
    fallback: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)

    def add(self, attempt: Attempt) -> None:
        """Count one call."""
        self.calls += 1
        self.usd += attempt.usd
        if attempt.fault:
            self.faults[attempt.fault] += 1
        if attempt.usage:
            self.prompt += attempt.usage.prompt_tokens
            self.cached += attempt.usage.cached_tokens
            self.completion += attempt.usage.completion_tokens


def accounts_of(header: Header, records: Iterable[Record]) -> dict[str, Account]:
    """The account of each endpoint of the game that began with `header`."""
    accounts = {name: Account() for name in header.models}
    for record in records:
        if isinstance(record, Attempted):
            accounts[record.attempt.endpoint].add(record.attempt)
        elif isinstance(record, Replied) and record.reply.source == "fallback":
            name = header.seats[record.seat].model
            if name:
                accounts[name].fallback += 1
    return accounts


def accounts_table(accounts: dict[str, Account], spent: float, lang: Lang) -> Table:
    """The accounts as a table for the terminal; only faults that occurred have a column.

    Of the USD that were `spent`, what no call accounts for is said beneath.
    """
    words = texts(lang, "endpoints")
    loads, counts = words["estimate"], words["faults"]
    occurred = [fault for fault in FAULTS if any(account.faults[fault] for account in accounts.values())]
    shown = Table(title=RichText(counts["title"]))
    lost = spent - sum(account.usd for account in accounts.values())
    if lost > LEAST:
        shown.caption = RichText(counts["lost"].format(usd=f"{lost:.4f}"))
    shown.add_column(loads["endpoint"])
    columns = [counts["calls"], loads["prompt"], counts["cached"], loads["completion"], loads["usd"]]
    for column in (*columns, *map(counts.get, occurred), counts["fallback"]):
        shown.add_column(column, justify="right")
    for name, account in accounts.items():
        share = account.cached / account.prompt if account.prompt else 0
        cells = [account.calls, account.prompt, f"{share:.0%}", account.completion, f"{account.usd:.4f}"]
        cells += [account.faults[fault] for fault in occurred]
        shown.add_row(RichText(name), *map(str, (*cells, account.fallback)))
    return shown
