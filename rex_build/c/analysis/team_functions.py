"""Functions with parallel regions that a team's sequential part calls. All threads of the team run these regions.

Elsewhere any number of threads may call such a function, and its regions have one thread each. So device code has two
versions of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ...openmp.team_functions import called_in_sequence
from ...openmp.team_memory import outermost_parallel, team_memory
from ...plan.memory import TeamMemory
from ...plan.sharing import NO_SHARING
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, locals_of
from .construct_facts import ConstructTable
from .nesting import has_leaf
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
    sema = constructs.sema
    if not any(has_leaf(sema, f.body, "parallel") for f in code.functions):
        return {}
    calls, read = calls_of(sema), reader_of(sema).body
    addressed = {*by_address, *used_as_values(sema, code, bodies)}
    found: dict[Symbol, TeamMemory] = {}
    room = _SHARED_MEMORY
    for definition in code.functions:  # callees stand before callers
        tree, local = read(definition), locals_of(sema, definition.body)
        symbol, body = tree.function.entity, tree.statement
        assert isinstance(symbol, Symbol)
        if symbol.name in addressed or tree.function in calls.functions(body)[0] or any(s.is_static for s in local):
            continue
        if any(outermost_parallel(body)) or called_in_sequence(body, found):
            parameters, sharing_of = sema.parameters(definition), constructs.sharing
            memory = team_memory([body], sharing_of, calls, NO_SHARING, parameters, local.__contains__)
            found[symbol] = memory.within(room)
            room = max(0, room - found[symbol].bytes)
    return found


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
