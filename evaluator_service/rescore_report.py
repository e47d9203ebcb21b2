"""What a rescoring changed, for people: old verdicts against new ones, methods, and a row for each profile."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from evaluator_service.profiles import TRAITS
from evaluator_service.schema import Judgement, Rescored, Rung
from evaluator_service.verdicts import NOT_MATCHED, Verdict

_GOT_BETTER, _GOT_WORSE, _NO_MARK = "bold green", "bold red", "white on red"


@dataclass(slots=True)
class Column:
    """What one policy said of all judgements that it could compare."""

    total_count: int = 0
    accepted_count: int = 0
    marked_count: int = 0
    reward_sum: float = 0.0
    passed_count: int = 0
    methods: Counter[str] = field(default_factory=Counter)

    def add(self, said: Judgement | Rung) -> None:
        """Count one judgement."""
        self.total_count += 1
        self.accepted_count += said.verdict is Verdict.ACCEPTED
        if said.reward is not None:
            self.marked_count += 1
            self.reward_sum += said.reward
        self.passed_count += said.passed
        self.methods.update(said.methods)

    @property
    def mean_reward(self) -> str:
        """The mean of all rewards; a dash where there are none."""
        return f"{self.reward_sum / self.marked_count:.3f}" if self.marked_count else "–"


@dataclass(slots=True)
class Comparisons:
    """Judgements before and after, counted as they come."""

    moves: Counter[tuple[Verdict, Verdict]] = field(default_factory=Counter)
    before: Column = field(default_factory=Column)
    after: Column = field(default_factory=Column)
    rungs: dict[str, Column] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, old: Judgement, new: Rescored) -> None:
        """Count one judgement."""
        self.moves[old.verdict, new.judgement.verdict] += 1
        self.before.add(old)
        self.after.add(new.judgement)
        if new.judgement.error is not None:
            self.reasons[new.judgement.error.kind] += 1
        for rung in new.ladder or ():
            self.rungs.setdefault(rung.profile, Column()).add(rung)

    @property
    def total_count(self) -> int:
        """All judgements."""
        return self.moves.total()

    @property
    def changed_count(self) -> int:
        """Judgements whose verdict is another one now."""
        return sum(count for (old, new), count in self.moves.items() if old is not new)

    @property
    def new_verdicts(self) -> Counter[Verdict]:
        """How often each verdict was given now."""
        found: Counter[Verdict] = Counter()
        for (_, new), count in self.moves.items():
            found[new] += count
        return found


def print_report(seen: Comparisons, console: Console) -> None:
    """Print what changed, at a glance."""
    _print("Verdicts: before (rows), now (columns)", _moves(seen), console)
    methods = _methods(seen.before.methods, seen.after.methods)
    _print("Outputs by the method that matched", methods, console)
    if seen.rungs:
        _print("What each profile would have said, strictest first", _ladder(seen), console)
    for line in _summary(seen):
        console.print(line, highlight=False)


def _print(title: str, table: Table, console: Console) -> None:
    console.print(f"[bold]{title}[/]", highlight=False)
    console.print(table)


def _moves(seen: Comparisons) -> Table:
    olds, news = ([v for v in Verdict if any(pair[i] is v for pair in seen.moves)] for i in (0, 1))
    table = _table("")
    for new in news:
        table.add_column(new.code, justify="right")
    for old in olds:
        cells = (_cell(old, new, seen.moves[old, new]) for new in news)
        table.add_row(old.code, *cells)
    return table


def _cell(old: Verdict, new: Verdict, count: int) -> str:
    if not count:
        return "[dim]·[/]"
    if old is new:
        return str(count)
    if new is Verdict.JUDGE_ERROR:
        return f"[{_NO_MARK}]{count}[/]"
    return f"[{_GOT_BETTER if new is Verdict.ACCEPTED else _GOT_WORSE}]{count}[/]"


def _methods(before: Mapping[str, int], after: Mapping[str, int]) -> Table:
    table = _table("method")
    for heading in ("before", "now"):
        table.add_column(heading, justify="right")
    names = sorted(
        {*before, *after}, key=lambda name: (name == NOT_MATCHED, -after.get(name, 0), name)
    )
    for name in names:
        table.add_row(name, *(str(counts.get(name) or "[dim]·[/]") for counts in (before, after)))
    return table


def _ladder(seen: Comparisons) -> Table:
    table = _table("profile")
    for heading in ("compared", "accepted", "no mark", "mean reward", "tests passed"):
        table.add_column(heading, justify="right")
    rows = [(name, seen.rungs[name]) for name in map(str, TRAITS) if name in seen.rungs]
    for name, column in [*rows, ("(as judged)", seen.before)]:
        unmarked_count = column.total_count - column.marked_count
        table.add_row(
            name,
            str(column.total_count),
            str(column.accepted_count),
            f"[{_NO_MARK}]{unmarked_count}[/]" if unmarked_count else "[dim]·[/]",
            column.mean_reward,
            str(column.passed_count),
            style="dim" if column is seen.before else None,
        )
    return table


def _table(first_heading: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first_heading, no_wrap=True)
    return table


def _summary(seen: Comparisons) -> Iterator[str]:
    total, changed = seen.total_count, seen.changed_count
    change = f"[bold]{changed} of {total}[/] verdicts changed" if changed else "no verdict changed"
    yield f"{change}; mean reward {seen.before.mean_reward} → {seen.after.mean_reward}"
    for kind, count in seen.reasons.most_common():
        yield f"[{_NO_MARK}]{count} without a mark[/]: {kind}"
