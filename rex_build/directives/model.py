"""Directives and clauses as frozen values. The names of fields follow the OpenMP 5.2 specification."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..base.diagnostics import InputError, SourceSpan
from ..base.records import dataclass, field


@dataclass(frozen=True)
class Expr:
    """An expression in a clause: its text, with macros expanded and single blanks, and the front end's form of it.

    ``at`` says where it begins and ends in the text of the unit, if that is known.
    """

    text: str
    node: Any = field(compare=False, repr=False)
    span: SourceSpan
    at: tuple[int, int] = field(default=(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class Member:
    """``.name`` or ``->name``."""

    name: str
    arrow: bool


@dataclass(frozen=True)
class Index:
    """``[expr]``: one element. ``*p`` is stored as ``p[0]``."""

    expr: Expr


@dataclass(frozen=True)
class Section:
    """``[lower : length : stride]``, each part optional (None where omitted). Units: elements."""

    lower: Expr | None
    length: Expr | None
    stride: Expr | None


Step = Member | Index | Section


@dataclass(frozen=True)
class Locator:
    """A list item: a variable, and the steps that lead from it to the storage of the item, in order.

    ``shape`` holds the dimensions of an array shaping operator, ``([n][m])p``, outermost first.
    """

    name: str
    steps: tuple[Step, ...]
    text: str
    span: SourceSpan
    shape: tuple[Expr, ...] = ()


@dataclass(frozen=True)
class Clause:
    """A clause without arguments (``nowait``, ``untied``, ``read``, ``seq_cst``), and the base class of the others."""

    name: str
    span: SourceSpan


@dataclass(frozen=True)
class ExprClause(Clause):
    """``collapse(n)``, ``num_teams(lower: upper)``, ``if(target: e)``, ``device(device_num: e)``, ``ordered(n)``...

    ``modifier`` is the word before the colon, or a directive's name with single blanks (``target parallel``), or None.
    In ``num_teams(l : u)``, ``expr`` is the upper and ``lower`` the lower bound. ``expr`` is None if the argument is
    optional and absent (``ordered``, ``nowait``).
    """

    expr: Expr | None
    modifier: str | None = None
    lower: Expr | None = None


@dataclass(frozen=True)
class ListClause(Clause):
    """``private(list)``, ``lastprivate(conditional: list)``, ``to(present: list)``, ``linear(list: step)``..."""

    items: tuple[Locator, ...]
    modifiers: tuple[str, ...] = ()
    mapper: str | None = None
    iterators: tuple[Iterator, ...] = ()
    step: Expr | None = None  # linear(list: step), aligned(list: n), allocate(allocator: list)


@dataclass(frozen=True)
class Iterator:
    """``iterator(type name = begin : end : step)``. ``step`` is None if it is omitted."""

    type_text: str
    name: str
    begin: Expr
    end: Expr
    step: Expr | None


@dataclass(frozen=True)
class MapClause(Clause):
    """``map([modifiers] type: list)``. ``map_type`` is ``tofrom`` if it is omitted on a mapping construct."""

    map_type: str
    modifiers: tuple[str, ...]
    items: tuple[Locator, ...]
    mapper: str | None = None
    iterators: tuple[Iterator, ...] = ()


@dataclass(frozen=True)
class ReductionClause(Clause):
    """``reduction([modifier,] operator: list)``, ``in_reduction`` or ``task_reduction``."""

    operator: str
    items: tuple[Locator, ...]
    modifier: str | None = None


@dataclass(frozen=True)
class ScheduleClause(Clause):
    """``schedule([modifiers:] kind [, chunk])`` and ``dist_schedule(static [, chunk])``."""

    kind: str
    chunk: Expr | None
    modifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class DependClause(Clause):
    """``depend([iterators,] kind: list)``. ``text`` is the whole argument, which the host compiler gets."""

    kind: str
    items: tuple[Locator, ...]
    text: str
    iterators: tuple[Iterator, ...] = ()


@dataclass(frozen=True)
class KeywordClause(Clause):
    """``default(none)``, ``proc_bind(close)``, ``order(reproducible: concurrent)``, ``device_type(any)``..."""

    value: str
    modifier: str | None = None


@dataclass(frozen=True)
class DefaultmapClause(Clause):
    """``defaultmap(behavior[: category])``. ``category`` is None if it is omitted, which means all categories."""

    behavior: str
    category: str | None


@dataclass(frozen=True)
class TextClause(Clause):
    """A clause that is kept as text, for the host compiler, or because it will be refused by its name.

    ``text`` is the whole clause with its name. ``error`` is why it could not be read, if it should have been.
    """

    text: str
    error: InputError | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Directive:
    """One directive.

    ``name`` is the canonical spelling (``target teams distribute parallel for simd``). ``constructs`` are its leaf
    constructs in order; ``target data``, ``target enter data``, ``target exit data`` and ``target update`` are single
    leaves. ``arguments`` are the list items of the directive itself (``flush(list)``, ``declare target(list)``), and
    ``argument_text`` is the text of its own parentheses (``critical(name)``). ``text`` is everything after ``omp`` with
    single blanks. ``association`` says what belongs to the directive: ``none``, a ``block``, a ``loop``, a
    ``declaration``, everything up to an ``end`` directive (``delimited``), or the code on both sides (``separating``).
    """

    name: str
    constructs: tuple[str, ...]
    clauses: tuple[Clause, ...]
    association: str
    span: SourceSpan
    text: str
    arguments: tuple[Locator, ...] = ()
    argument_text: str | None = None

    def clause(self, name: str) -> Clause | None:
        """The first clause called ``name``."""
        return next(iter(self._named.get(name, ())), None)

    def all(self, *names: str) -> tuple[Clause, ...]:
        """Every clause with one of these names, in source order."""
        if len(names) == 1:
            return self._named.get(names[0], ())
        return tuple(c for c in self.clauses if c.name in names)

    def has(self, *names: str) -> bool:
        return any(name in self._named for name in names)

    @cached_property
    def _named(self) -> dict[str, tuple[Clause, ...]]:
        """The clauses by their names. Many stages ask for some, and a directive may have thousands."""
        named: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            named.setdefault(clause.name, []).append(clause)
        return {name: tuple(those) for name, those in named.items()}

    @property
    def has_scan(self) -> bool:
        """Whether a ``scan`` directive separates the body of this loop."""
        return any(isinstance(c, ReductionClause) and c.modifier == "inscan" for c in self.clauses)

    @property
    def is_target(self) -> bool:
        """Whether this is ``target`` or a combined construct that begins with it. ``target data`` is none."""
        return self.constructs[:1] == ("target",)


def conditional(clauses: Sequence[Clause]) -> list[ListClause]:
    """The clauses ``lastprivate(conditional:)``."""
    return [c for c in clauses if isinstance(c, ListClause) and "conditional" in c.modifiers]


@dataclass(frozen=True)
class HostForm:
    """The text in the host file in place of a directive's pragma, and after the statement to which it applies.

    ``before``, ``inside`` and ``after`` are lines of C: in front of the directive, between it and its statement, and
    after the statement. Together with the statement they are a single statement, so they may stand wherever the
    construct did. The ``clauses`` are added to those of the directive. Without a directive there is no pragma.
    """

    directive: Directive | None
    clauses: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines in place of the pragma."""
        if self.directive is None:
            return (*self.before, *self.inside)
        return (*self.before, " ".join(["#pragma omp", self.directive.text, *self.clauses]), *self.inside)


GONE = HostForm(None)
