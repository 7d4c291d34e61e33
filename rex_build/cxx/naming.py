"""What the words in functions mean, of which the text alone does not tell whether they name one of some functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..base.mentions import Stretch
from . import libclang
from .functions import Function
from .unit import Unit, kept


def stretch(function: Function, start: int, *others: str) -> Stretch:
    """A function from a place to its end, with its own name and ``others`` by which it is mentioned."""
    own = function.name.partition("<")[0].removeprefix("~")
    names = frozenset((own, *others))
    return Stretch(names if function.is_member else names - {own}, names, start, function.end)


def means_other(unit: Unit, functions: Sequence[Function]) -> Callable[[int, int, Collection[int]], bool]:
    """A question for :func:`..base.mentions.naming` about the stretches of some functions."""
    numbers = {function.start: number for number, function in enumerate(functions)}

    def answer(number: int, place: int, found: Collection[int]) -> bool:
        meant = _meanings(unit, functions[number]).get(place, -1)
        return meant is None or (meant in numbers and numbers[meant] not in found)

    return answer


@kept
def _meanings(unit: Unit, function: Function) -> dict[int, int | None]:
    """Where a name in a function means one function of the user's, with the start of that, or is that of something
    else. What a template's parameters decide, and what virtual functions may lead to, is left out."""
    k = unit.kinds
    functions = (k.FUNCTION_DECL, k.FUNCTION_TEMPLATE, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
    variables = (k.VAR_DECL, k.PARM_DECL, k.FIELD_DECL, k.ENUM_CONSTANT_DECL)
    found: dict[int, int | None] = {}
    for node in (function.cursor, *libclang.descendants(function.cursor)):
        target = node.referenced if node.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR) else node
        if target is None or target.kind not in (*functions, *variables):
            continue
        meant = unit.defined(target)
        if meant is not None and not target.is_virtual_method():
            found[unit.place(node.location)] = meant.start
        elif target.kind in variables or not libclang.is_users(target):
            found[unit.place(node.location)] = None
    return found
