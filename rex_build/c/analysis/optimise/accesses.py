"""Which memory a kernel's body reads and writes, in terms of C's tree (``optimise/memory.py``), and what calls do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pycparser import c_ast

from ....base.records import dataclass
from ....directives.contents import clause_locators
from ....directives.model import MapClause
from ....optimise.changes import changes_of
from ....plan.code import Entity
from ....tree import nodes as tree
from ....tree import types
from ....tree.calls import Calls
from ....tree.symbols import Function, Variable
from ...reading.statements import reader_of
from ...sema import Sema
from ..device_library import ATOMIC_PREFIXES, MATH_FUNCTIONS, library_name

_WRITING = frozenset(
    ("reduction", "in_reduction", "task_reduction", "lastprivate", "linear", "from", "copyprivate", "copyin")
)
# Library functions that do more than compute a value.
_ACTING = (
    "omp_", "printf", "malloc", "free", "abort", "mem", "str", "stp", "put", "calloc", "realloc", "aligned_alloc",
    "qsort", "alloca", "trap", "__assert", *ATOMIC_PREFIXES,
)  # fmt: skip


def calls_of(sema: Sema) -> Calls:
    """What the unit's functions do to memory, each looked at once."""
    known = sema.answers(calls_of)
    if None not in known:
        known[None] = Calls(partial(_body, sema), _computes)
    return known[None]


@dataclass(frozen=True)
class Changed:
    """The variables that code changes, whole or in part, and those whose addresses it takes otherwise than to follow
    them at once. What is written where pointers lead is no change."""

    assigned: frozenset[Entity]
    addressed: frozenset[Entity]

    @property
    def variables(self) -> frozenset[Entity]:
        return self.assigned | self.addressed


def changed_in(sema: Sema, code: c_ast.Node) -> Changed:
    """What a statement changes, also by its clauses. Many ask this of the same ones, so the answer is remembered."""
    known = sema.answers(changed_in)
    if code not in known:
        known[code] = _changed(reader_of(sema).statement(code))
    found: Changed = known[code]
    return found


def _changed(statement: tree.Statement) -> Changed:
    found, opaque = changes_of(statement), tree.parts(statement, tree.Opaque)
    parts = [statement] if any(one.mentions is None for one in opaque) else opaque
    odd = {n.variable for part in parts for n in tree.walk(part) if isinstance(n, tree.Named)}
    returned = {v for one in tree.parts(statement, tree.Construct) for v in _written_by_clauses(one)}
    both = ({*found.assigned, *returned, *odd}, {*found.lent, *odd})
    return Changed(*(frozenset(v.entity for v in one if v.entity is not None) for one in both))


def _written_by_clauses(construct: tree.Construct) -> Iterator[Variable]:
    for clause in construct.directive.clauses:
        is_map = isinstance(clause, MapClause) and clause.map_type in ("from", "tofrom")
        listed = [*clause_locators(clause)] if is_map or clause.name in _WRITING else ()
        for item in (item for item in construct.items if item.locator in listed):
            t = item.place.type
            through = is_map and item.locator.steps and isinstance(t, types.Pointer)  # the pointer stays as it is
            if isinstance(item.place, tree.Named) and not through:
                yield item.place.variable


def acting(sema: Sema, code: c_ast.Node) -> Function | None:
    """A function that code calls, itself or in functions of the unit, and that may do more than compute its result."""
    called, _ = calls_of(sema).functions(reader_of(sema).statement(code))
    return next((f for f in called if not f.defined and f.name not in MATH_FUNCTIONS), None)


def _body(sema: Sema, function: Function) -> tree.Body | None:
    definition = sema.functions.get(function.name)
    if definition is None:
        return None
    sema.analyse(definition)
    return reader_of(sema).body(definition)


def _computes(function: Function) -> bool:
    """Whether a function of the library does nothing but compute its result from numbers."""
    if function.name in MATH_FUNCTIONS:
        return True
    plain, kind = function.name.removeprefix("__builtin_"), function.type
    if library_name(function.name) is None or plain.startswith(_ACTING):
        return False
    if not isinstance(kind, types.Function) or kind.variadic:
        return False
    return all(isinstance(t, types.Integer | types.Floating) for t in (kind.result, *(kind.parameters or (kind,))))
