"""Whether functions of device code may call themselves: nobody knows then how much stack their threads take."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...plan.device_code import DeviceCode
from .call_graph import CallGraph
from .team_functions import used_as_values


def may_recurse(calls: CallGraph, code: DeviceCode, bodies: Sequence[c_ast.Node]) -> bool:
    """``bodies`` are the regions'."""
    if code.prototypes:  # called before their definition, which comes after everything that they call
        return True
    addressed = {*calls.by_address, *used_as_values(code, bodies)}
    if calls.calls_through_pointers(*(f.body for f in code.functions if f.decl.name in addressed)):
        return True
    known = (f for f in code.functions if f.decl.name in addressed or "static" not in f.decl.storage)
    return any(calls.calls_other_units(f.body) for f in known)  # to other units' functions, which may call it
