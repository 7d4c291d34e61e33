"""What calls in a team's sequential part do, if all threads of the team make them.

A call may change a variable of which every thread has its own, if it is given the variable's address, as in
``next(&seed)``. Then the address must not go anywhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast

from ....optimise.accesses import UnprovableError
from ....plan.code import Entity
from ...sema import Sema
from ...sema.ctype import Pointer, Record, strip
from ...sema.uses import address_places
from ..device_library import MATH_FUNCTIONS
from ..purity import called_name
from .accesses import Effects, effects_of


class TeamCalls:
    def __init__(self, sema: Sema) -> None:
        self.sema = sema
        self._known: dict[str, Effects | UnprovableError] = {}

    def effects(self, call: c_ast.FuncCall) -> Effects:
        """The numbers of the arguments through which a call reads and writes memory. Raises UnprovableError."""
        name = called_name(self.sema, call)
        if name is None:
            raise UnprovableError("a call by address")
        if name in MATH_FUNCTIONS and name not in self.sema.functions:
            return Effects()
        return effects_of(self.sema, name, self._known)

    def lent(self, body: c_ast.Node, inside: Collection[c_ast.Node]) -> set[Entity]:
        """The variables whose addresses are only arguments of such calls, and not of calls ``inside`` of parallel
        regions. No such call keeps an address, or returns it."""
        lent: set[c_ast.Node] = set()
        for call in self.sema.parts(body).of(c_ast.FuncCall):
            if call not in inside and not isinstance(strip(self.sema.type(call)), (Pointer, Record)):
                try:
                    kept = self.effects(call).kept
                except UnprovableError:
                    continue
                lent.update(a for number, a in enumerate(arguments(call)) if number not in kept)
        stays: dict[Entity, bool] = {}
        for symbol, place in address_places(self.sema, body):
            stays[symbol] = stays.get(symbol, True) and place in lent
        return {symbol for symbol, is_lent in stays.items() if is_lent}


def arguments(call: c_ast.FuncCall) -> Sequence[c_ast.Node]:
    return call.args.exprs if call.args is not None else ()
