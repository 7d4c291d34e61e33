"""Functions that stay calls where a kernel with all that it calls written out would keep nvcc busy for minutes.

nvcc inlines whatever it can. A kernel that calls a library's functions thousands of lines deep grows into millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pycparser import c_ast

from ..sema import walk

_MOST = 20_000  # nodes of a function or region with what is inlined into it: a few thousand lines
_PARTS = 2_000  # the same for the parts of what is more


def functions_kept_as_calls(functions: Sequence[c_ast.FuncDef], bodies: Sequence[c_ast.Node]) -> frozenset[str]:
    """Names of the functions not to be inlined; ``functions`` have callees first, ``bodies`` are the regions'."""
    nodes = [(node, *_size_and_calls(node)) for node in (*functions, *bodies)]
    return _outlined(nodes, _PARTS) if _outlined(nodes, _MOST) else frozenset()


def _size_and_calls(node: c_ast.Node) -> tuple[int, Counter[str]]:
    calls: Counter[str] = Counter()
    size = 0
    for n in walk(node):
        size += 1
        if isinstance(n, c_ast.FuncCall) and isinstance(n.name, c_ast.ID):
            calls[n.name.name] += 1
    return size, calls


def _outlined(nodes: Sequence[tuple[c_ast.Node, int, Counter[str]]], most: int) -> frozenset[str]:
    """Where the whole is more than ``most``, the callees that the most of it comes from are left out of it."""
    sizes: dict[str, int] = {}
    kept_as_calls: set[str] = set()
    for node, own, calls in nodes:
        inlined = {name: count * sizes[name] for name, count in calls.items() if name in sizes.keys() - kept_as_calls}
        size = own + sum(inlined.values())
        for name in sorted(inlined, key=lambda f: (-inlined[f], f)):
            if size <= most:
                break
            kept_as_calls.add(name)
            size -= inlined[name]
        if isinstance(node, c_ast.FuncDef):
            sizes[node.decl.name] = size
    return frozenset(kept_as_calls)
