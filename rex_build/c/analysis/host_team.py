"""Whether a region's host version needs a team of its own: one may be around the region, whose threads are not its."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...directives.combined import host_spelling
from ..syntax.nodes import OmpConstruct
from .call_graph import CallGraph

# Leaf constructs whose binding thread set is the current team, or that must be complete when it is (OpenMP 5.2,
# sections 1.2.2 and 12.5).
_BINDS = frozenset({"for", "sections", "single", "scope", "masked", "master", "barrier", "ordered", "task", "taskloop"})
_THREADS = frozenset({"omp_get_thread_num", "omp_get_num_threads"})
_LEVELS = frozenset({"omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"})


def host_directive(construct: OmpConstruct, *, counted: bool = False) -> str | None:
    """What stands for a construct in the host version, None for nothing. The region itself runs once, or once for each
    team, which needs no directive; private copies are made without one but for those that have to be combined or
    aligned. ``counted``: it can tell which thread runs it."""
    return None if is_left_out(construct) else host_spelling(construct.directive, counted=counted)


def is_left_out(construct: OmpConstruct) -> bool:
    """Whether nothing stands for a construct in the host version."""
    directive = construct.directive
    return {"target", "teams"}.issuperset(directive.constructs) and not directive.has("reduction", "allocate")


def needs_own_team(calls: CallGraph, construct: OmpConstruct) -> bool:
    """Whether constructs of a region bind to its team without being in a ``parallel`` of its own, or it asks for its
    threads there. A team is a level of nesting, too: where those are asked for, only constructs are worth one."""
    asks = False
    for node in _run(calls, construct, into_teams=False):
        if isinstance(node, OmpConstruct):
            leaves = node.directive.constructs
            if _BINDS.intersection(leaves) and not _makes_team(node):
                return True
        asks = asks or _called(node) in _THREADS
    return asks and not any(_called(node) in _LEVELS for node in _run(calls, construct, into_teams=True))


def _makes_team(construct: OmpConstruct) -> bool:
    return construct.body is not None and (host_directive(construct) or "").startswith("parallel")


def _called(node: c_ast.Node) -> str | None:
    return node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else None


def _run(calls: CallGraph, root: c_ast.Node, *, into_teams: bool) -> Iterator[c_ast.Node]:
    """The nodes of a statement and of the functions that it calls, also of what teams made there run or without."""
    sema, stack, seen = calls.sema, [root], set[str]()
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, OmpConstruct) and not into_teams and _makes_team(node):
            continue
        if isinstance(node, c_ast.FuncCall):
            callee = sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else None
            by_address = not isinstance(node.name, c_ast.ID) or (callee is not None and callee.is_variable)
            names = calls.by_address if by_address else (_called(node) or "",)
            new = [name for name in names if name in sema.functions and name not in seen]
            seen.update(new)
            stack += [sema.functions[name].body for name in new]
        stack += [child for _, child in node.children()]
