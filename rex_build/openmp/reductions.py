"""What reduction clauses combine: which operators for which types, and which part of an array."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import InputError, error_at
from ..base.records import dataclass
from ..directives.model import Expr, Index, Locator, ReductionClause, Section, Step
from ..tree import types
from .list_items import ListItems

RULE = "OpenMP 5.2, section 5.5.8: reduction clause"
OPERATORS = {
    "+": "rex_add", "-": "rex_add", "*": "rex_mul", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "&&": "rex_land", "||": "rex_lor", "min": "rex_min", "max": "rex_max",
}  # fmt: skip
_OF_BITS, _OF_COMPLEX = ("&", "|", "^"), ("+", "-", "*", "&&", "||")
_DOUBLE = 53  # bits of the widest significand that devices have


@dataclass(frozen=True)
class Part:
    """Neighbouring rows of an array, or of what a pointer leads to.

    They are ``count`` from ``first`` on, or as many as ``length`` says, if only the run knows. They may begin behind
    the first row of all if the part ``is_shifted``.
    """

    count: int
    first: Expr | None
    length: Expr | None
    is_shifted: bool


def part_of(items: ListItems, item: Locator) -> Part:
    """The rows that the item of a reduction clause takes. Raises InputError."""
    _, kind, (step, *inner) = items.begin(item)
    row = kind.of if isinstance(kind, types.Array) else kind.to if isinstance(kind, types.Pointer) else kind
    is_row = row is not kind or isinstance(kind, types.Unknown)
    if not is_row or not _are_whole_rows(items, inner, row):
        raise unsupported(item)
    if isinstance(step, Index):
        return Part(1, step.expr, None, _constant(items, step.expr) != 0)
    if not isinstance(step, Section) or step.stride is not None:
        raise unsupported(item)
    first = _constant(items, step.lower)
    if step.length is not None:
        count = _constant(items, step.length)
        if count is None:
            return Part(1, step.lower, step.length, first != 0)
    else:
        whole = kind.length if isinstance(kind, types.Array) else None
        count = whole - first if isinstance(whole, int) and first is not None else None
    if count is None or count < 1:
        raise unsupported(item, ", whose length is not known,")
    return Part(count, step.lower, None, first != 0)


def unsupported(item: Locator, what: str = "") -> InputError:
    return error_at(item.span, f"a reduction over '{item.text}'{what} is not supported", RULE)


def _constant(items: ListItems, expr: Expr | None) -> int | None:
    return items.value(expr).value if expr is not None else 0


def _are_whole_rows(items: ListItems, steps: Sequence[Step], row: types.Type) -> bool:
    """Whether the inner steps of a section take whole rows, so that the section is one contiguous piece."""
    for step in steps:
        if not isinstance(step, Section) or step.stride is not None or not isinstance(row, types.Array):
            return False
        ends = step.length is None or (isinstance(row.length, int) and _constant(items, step.length) == row.length)
        if _constant(items, step.lower) != 0 or not ends:
            return False
        row = row.of
    return True


def check_operator(clause: ReductionClause, item: Locator, kind: types.Type, text: str) -> None:
    """Raise InputError where an operator of the language combines no objects of a type, which ``text`` names.

    What the arguments of a template decide is not known.
    """
    while isinstance(kind, types.Array):
        kind = kind.of
    if clause.operator not in OPERATORS:
        raise error_at(clause.span, *no_operator(clause.operator, text), RULE)
    match kind:
        case types.Floating(digits=digits) if digits > _DOUBLE:
            raise error_at(item.span, "a reduction over a long double is not supported: the device has none", RULE)
        case types.Floating() | types.Complex(of=types.Floating()) if clause.operator in _OF_BITS:
            raise error_at(item.span, f"'{clause.operator}' has no meaning for '{item.text}' of type '{text}'", RULE)
        case types.Integer() | types.Floating() | types.Unknown():
            return
        case types.Complex() if clause.operator in _OF_COMPLEX:
            return
    raise unsupported(item, f" of type '{text}'")


def no_operator(name: str, kind: str) -> tuple[str, str]:
    """What is wrong with a reduction clause that names no operator for a type, and what can stand there."""
    known = f"the operators are {', '.join(OPERATORS)}; 'declare reduction' declares others"
    return f"no reduction '{name}' is declared for '{kind}'", known
