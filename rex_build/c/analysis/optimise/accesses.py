"""Which memory a kernel's body reads and writes, in terms of C's tree (``optimise/memory.py``), and what calls do."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from ....optimise.changes import Changed, changed_by
from ....tree import nodes as tree
from ....tree import types
from ....tree.calls import Calls
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema
from ..device_library import ATOMIC_PREFIXES, MATH_FUNCTIONS, library_name

# Library functions that do more than compute a value.
_ACTING = (
    "omp_", "printf", "malloc", "free", "abort", "mem", "str", "stp", "put", "calloc", "realloc", "aligned_alloc",
    "qsort", "alloca", "trap", "__assert", *ATOMIC_PREFIXES,
)  # fmt: skip


def calls_of(sema: Sema) -> Calls:
    """What the unit's functions do to memory, each looked at once."""
    known = sema.answers(calls_of)
    if None not in known:
        known[None] = Calls(partial(body_of, sema), _computes)
    return known[None]


def changed_in(sema: Sema, code: c_ast.Node) -> Changed:
    """What a statement changes, also by its clauses. Many ask this of the same ones, so the answer is remembered."""
    known = sema.answers(changed_in)
    if code not in known:
        known[code] = changed_by([reader_of(sema).statement(code)])
    found: Changed = known[code]
    return found


def acting(sema: Sema, code: c_ast.Node) -> Function | None:
    """A function that code calls, itself or in functions of the unit, and that may do more than compute its result."""
    called, _ = calls_of(sema).functions(reader_of(sema).statement(code))
    return next((f for f in called if not f.defined and f.name not in MATH_FUNCTIONS), None)


def body_of(sema: Sema, function: Function, *, on_host: bool = False) -> tree.Body | None:
    """The body of a function that the unit has."""
    definition = sema.functions.get(function.name)
    if definition is None:
        return None
    sema.analyse(definition, on_host=on_host)
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
