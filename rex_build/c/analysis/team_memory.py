"""Decides which variables of a team's sequential part are in the team's memory.

They are those that all threads of a nested parallel region reach, by name or through a pointer. Others are the initial
thread's own, and so are the variables of parallel regions. On a GPU every thread has its own stack, and the address of
a variable on it means another place to every other thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...plan.code import Entity
from ...plan.memory import SHARED_MEMORY, TeamMemory
from ...plan.sharing import Sharing
from ..sema import Symbol, assignments, free_variables, locals_of, walk
from ..sema.ctype import LayoutError, sizeof
from ..sema.type_questions import is_array, is_scalar, is_variably_modified
from ..syntax.nodes import OmpConstruct
from .construct_facts import ConstructTable
from .nesting import outermost_parallel


def team_memory(
    constructs: ConstructTable,
    region: c_ast.Node,
    body: c_ast.Node,
    sharing: Sharing,
    copies: Iterable[Symbol],
    room: int = SHARED_MEMORY,
) -> TeamMemory:
    """The places of variables in a target region or function that has parallel regions, or calls functions that have.

    ``copies`` are variables from outside whose values it gets. ``room`` is in bytes of shared memory.
    """
    sema = constructs.sema
    parallels = outermost_parallel(sema, body)
    deeper = {n for construct in parallels for n in walk(construct)}
    changed = _changed(constructs, parallels)
    reached = set(assignments(sema, body).address_taken)
    outside = {r.symbol for r in free_variables(sema, region)}
    used: set[Symbol] = set()
    for construct in parallels:
        private = constructs.facts(construct).sharing.private
        used |= {r.symbol for r in free_variables(sema, construct)}.difference(private)
    inner = {s for construct in parallels for s in locals_of(sema, construct)}
    own = {s for s in (*used, *locals_of(sema, body)) if s.is_variable and s not in outside and s not in inner}
    own = {s for s in own if not s.is_global and not s.has_static_storage}
    shared: set[Entity] = {s for s in own & used if s in changed or not is_scalar(s.type)}
    shared |= {s for s in own if s in reached and not is_variably_modified(s.type)}
    shared |= {s for s in (*sharing.named, *copies) if s in changed or s in reached}
    shared |= {s for s in copies if s in used and not is_scalar(s.type)}  # a closure may not hold them
    literals = {n for n in walk(body) if isinstance(n, c_ast.CompoundLiteral) and is_array(sema.type(n))}
    literals |= {n.expr for n in walk(body) if _takes_literal(n)}
    sizes = _sizes(s for s in shared if s in own or s in sharing.named)
    return TeamMemory(frozenset(shared), frozenset(), frozenset(literals - deeper), sizes).within(room)


def _takes_literal(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.CompoundLiteral)


def _changed(constructs: ConstructTable, parallels: Iterable[OmpConstruct]) -> set[Entity]:
    """The variables that parallel regions change and that their threads share."""
    changed: set[Entity] = set()
    for construct in parallels:
        read = constructs.facts(construct)
        sharing = read.sharing
        kept = {*sharing.private, *sharing.firstprivate}
        changed |= {s for s in assignments(constructs.sema, read.body).symbols if s not in kept}
        changed |= {r.symbol for r in sharing.reductions} | set(sharing.lastprivate)
    return changed


def _sizes(symbols: Iterable[Entity]) -> tuple[tuple[Entity, int], ...]:
    sizes: dict[Entity, int] = {}
    for symbol in symbols:
        try:
            sizes[symbol] = sizeof(symbol.type)
        except LayoutError:
            continue  # arrays of variable length are always on the heap
    return tuple(sorted(sizes.items(), key=lambda one: one[0].name))
