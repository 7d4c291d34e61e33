"""Functions that are not inlined, because nvcc would otherwise take minutes to compile a kernel.

nvcc inlines everything that it can. A kernel that calls deep into a library of thousands of lines would grow to
millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pycparser import c_ast

from ..sema import Sema

_MOST = 20_000  # nodes of a function or region with everything that is inlined into it: a few thousand lines
_PARTS = 2_000  # the limit for the parts, once something is larger than that


def functions_kept_as_calls(
    sema: Sema, functions: Sequence[c_ast.FuncDef], bodies: Sequence[c_ast.Node]
) -> frozenset[str]:
    """The names of the functions that are not to be inlined.

    In ``functions``, callees stand before their callers. ``bodies`` are the bodies of regions.
    """
    nodes = [(node, *_size_and_calls(sema, node)) for node in (*functions, *bodies)]
    return _outlined(nodes, _PARTS) if _outlined(nodes, _MOST) else frozenset()


def _size_and_calls(sema: Sema, node: c_ast.Node) -> tuple[int, Counter[str]]:
    parts = sema.parts(node)
    named = (n.name.name for n in parts.of(c_ast.FuncCall) if isinstance(n.name, c_ast.ID))
    return len(parts.nodes), Counter(named)


def _outlined(nodes: Sequence[tuple[c_ast.Node, int, Counter[str]]], most: int) -> frozenset[str]:
    """The functions to keep as calls, so that nothing is larger than ``most``. The largest contributions go first."""
    sizes: dict[str, int] = {}
    kept_as_calls: set[str] = set()
    for node, own, calls in nodes:
        inlined = {f: count * sizes[f] for f, count in calls.items() if f in sizes and f not in kept_as_calls}
        size = own + sum(inlined.values())
        for name in sorted(inlined, key=lambda f: (-inlined[f], f)):
            if size <= most:
                break
            kept_as_calls.add(name)
            size -= inlined[name]
        if isinstance(node, c_ast.FuncDef):
            sizes[node.decl.name] = size
    return frozenset(kept_as_calls)
