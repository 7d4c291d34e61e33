"""Whether functions of device code may call themselves. The stack that their threads need is then unknown."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from .call_graph import CallGraph
from .team_functions import used_as_values
from .used_code import UsedCode


def may_recurse(calls: CallGraph, code: UsedCode, bodies: Sequence[c_ast.Node]) -> bool:
    """Whether device code may call itself. ``bodies`` are the bodies of regions."""
    if code.prototypes:  # definitions come after all callees, except where functions call each other
        return True
    addressed = {*calls.by_address, *used_as_values(calls.sema, code, bodies)}
    if calls.calls_through_pointers(*(f.body for f in code.functions if f.decl.name in addressed)):
        return True
    known = (f for f in code.functions if f.decl.name in addressed or "static" not in f.decl.storage)
    return any(calls.asked(f.body).elsewhere for f in known)  # functions of other units may call it back
