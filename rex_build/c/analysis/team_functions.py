"""Functions with parallel regions that a team's sequential part calls. All threads of the team run these regions.

Elsewhere any number of threads may call such a function, and its regions have one thread each. So device code has two
versions of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pycparser import c_ast

from ...openmp.team_memory import team_memory
from ...plan.memory import TeamMemory
from ...plan.sharing import NO_SHARING
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, locals_of, walk
from .construct_facts import ConstructTable
from .nesting import outermost_parallel
from .optimise.accesses import calls_of
from .used_code import UsedCode

_SHARED_MEMORY = 8 * 1024  # in bytes, for all functions that a kernel may call


def team_functions(
    constructs: ConstructTable, code: UsedCode, bodies: Sequence[c_ast.Node], by_address: Collection[str]
) -> dict[Symbol, TeamMemory]:
    """The functions of the device code that need a second version, with their variables in team memory.

    ``bodies`` are the bodies of regions. A function whose address is taken gets none, because it has only one address.
    A recursive function gets none, because team memory holds the variables of a single call. A function with static
    variables gets none, because each of these would exist twice.
    """
    sema, functions = constructs.sema, {f.decl.name: f for f in code.functions}
    if not any(outermost_parallel(sema, f.body) for f in code.functions):
        return {}
    addressed = {*by_address, *used_as_values(sema, code, bodies)}
    calls = {name: {n.name for n in walk(f.body) if isinstance(n, c_ast.ID)} for name, f in functions.items()}
    found: dict[Symbol, TeamMemory] = {}
    room = _SHARED_MEMORY
    for name, function in functions.items():  # callees stand before callers
        symbol = sema.file_symbol(name)
        if symbol is None or name in addressed or _calls_itself(name, calls):
            continue
        if any(s.is_static for s in locals_of(sema, function.body)):
            continue
        if outermost_parallel(sema, function.body) or called_in_sequence(sema, function.body, found):
            body, local = reader_of(sema).statement(function.body), locals_of(sema, function.body)
            parameters, sharing_of = sema.parameters(function), constructs.sharing
            memory = team_memory([body], sharing_of, calls_of(sema), NO_SHARING, parameters, local.__contains__)
            memory = memory.within(room)
            room = max(0, room - memory.bytes)
            found[symbol] = memory
    return found


def _calls_itself(name: str, calls: Mapping[str, set[str]]) -> bool:
    reached: set[str] = set()
    pending = [name]
    while pending:
        more = calls.get(pending.pop(), set()) - reached
        reached |= more
        pending += more
    return name in reached


def called_in_sequence(sema: Sema, node: c_ast.Node, functions: Collection[Symbol]) -> set[Symbol]:
    """The functions that a statement calls outside of parallel regions."""
    if not functions:
        return set()
    inside = {n for construct in outermost_parallel(sema, node) for n in walk(construct)}
    calls = (n.name for n in walk(node) if isinstance(n, c_ast.FuncCall) and n not in inside)
    return {s for n in calls if isinstance(n, c_ast.ID) and (s := sema.symbol(n)) in functions and s is not None}


def used_as_values(sema: Sema, code: UsedCode, bodies: Sequence[c_ast.Node]) -> set[str]:
    """The names of the unit's functions that are used otherwise than as the function of a call."""
    names = {f.decl.name for f in code.functions}
    initialisers = [s.definition.init for s in code.globals if isinstance(s.definition, c_ast.Decl)]
    found: set[str] = set()
    for root in (*bodies, *(f.body for f in code.functions), *(i for i in initialisers if i is not None)):
        parts = sema.parts(root)
        called = {n.name for n in parts.of(c_ast.FuncCall)}
        found.update(n.name for n in parts.of(c_ast.ID) if n.name in names and n not in called)
    return found
