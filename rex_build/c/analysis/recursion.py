"""Whether functions of device code may call themselves: nobody knows then how much stack their threads take."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ...plan.device_code import DeviceCode
from ..sema import Sema
from .sharing import calls_other_units, calls_through_pointers
from .team_functions import used_as_values


def may_recurse(sema: Sema, code: DeviceCode, bodies: Sequence[c_ast.Node], by_address: Collection[str]) -> bool:
    """``bodies`` are the regions'; ``by_address`` names functions that pointers may lead to without standing there."""
    if code.prototypes:  # called before their definition, which comes after everything that they call
        return True
    addressed = {*by_address, *used_as_values(code, bodies)}
    if calls_through_pointers(sema, *(f.body for f in code.functions if f.decl.name in addressed)):
        return True
    known = (f for f in code.functions if f.decl.name in addressed or "static" not in f.decl.storage)
    return any(calls_other_units(sema, f.body) for f in known)  # to other units' functions, which may call it
