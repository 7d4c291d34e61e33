"""Questions about nodes alone, the objects that places are in, and the values of expressions that are the same in
every run."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from . import nodes as tree
from .symbols import Function, Variable
from .types import BOOL, Array, Floating, Integer, Pointer, Type

# The kinds that do nothing but compute a value, or say where something is. All others may act, or are not understood.
_QUIET: tuple[type[tree.Node], ...] = (
    tree.Named, tree.Pointee, tree.Part, tree.Constant, tree.Load, tree.AddressOf, tree.Decay, tree.FunctionAddress,
    tree.Convert, tree.Unary, tree.Binary, tree.Offset, tree.Distance, tree.ShortCircuit, tree.Conditional,
)  # fmt: skip
_NOT_COMPARED = frozenset(("origin", "written"))
_OF_TEMPORARIES = frozenset((*_NOT_COMPARED, "variable"))
Number = int | float
ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass(frozen=True)
class Object:
    """A variable's own storage; or, with ``behind``, the memory to which its value leads."""

    variable: Variable
    behind: bool = False


def object_of(place: tree.Place) -> Object | None:
    """The object that a place is in, or None if it may be in any one whose address somebody has."""
    while True:
        match place:
            case tree.Named(variable=variable) | tree.Temporary(variable=variable):
                return Object(variable)
            case tree.Part():
                place = place.whole
            case tree.Pointee():
                return pointed_to(place.pointer)
            case tree.Opaque():
                return None
            case _:
                assert_never(place)


def pointed_to(pointer: tree.Expression) -> Object | None:
    """The object that a pointer leads to, as far as its own expression says it."""
    while True:
        match pointer:
            case tree.Offset():
                pointer = pointer.pointer
            case tree.Convert() if isinstance(pointer.value.type, Pointer):
                pointer = pointer.value
            case tree.AddressOf():
                return object_of(pointer.place)
            case tree.Decay():
                return object_of(pointer.array)
            case tree.Load(place=tree.Named(variable=variable)) if isinstance(variable.type, Pointer):
                return Object(variable, True)
            case _:
                return None


def base_of(pointer: tree.Expression) -> tree.Expression:
    """The address from which a pointer to another part of the same object is computed."""
    while isinstance(pointer, tree.Offset | tree.Convert):
        pointer = pointer.pointer if isinstance(pointer, tree.Offset) else pointer.value
    return pointer


def path_of(place: tree.Place) -> tuple[Variable | None, tuple[str, ...]]:
    """(the variable that a place is a part of, if any; the members with names on the way to it)"""
    path: list[str] = []
    while isinstance(place, tree.Part):
        path[:0] = [place.member.name] if place.member.name else []
        place = place.whole
    return (place.variable if isinstance(place, tree.Named) else None), tuple(path)


def owner_of(place: tree.Place) -> tuple[Variable | None, tuple[str, ...]]:
    """As :func:`path_of`, also for the parts of the object that a variable, a pointer, leads to."""
    variable, path = path_of(place)
    while isinstance(place, tree.Part):
        place = place.whole
    match place:
        case tree.Pointee(
            pointer=tree.Load(place=tree.Named(variable=leading))
            | tree.Offset(pointer=tree.Load(place=tree.Named(variable=leading)), index=tree.Constant(value=0))
        ):
            return leading, path
    return variable, path


def covers(place: tree.Place, variable: Variable) -> bool:
    """Whether writing a place writes all of a variable."""
    return isinstance(place, tree.Named | tree.Temporary) and place.variable is variable


def extent(place: tree.Place) -> int | None:
    """How many bytes an access of a place touches at most, or None if that is not known. A bit-field's are those with
    a bit of it."""
    if isinstance(place, tree.Part) and place.member.bits is not None:
        return -(-(place.member.bit_offset + place.member.bits) // 8)
    return None if isinstance(place.type, Array) and place.type.size is None else place.type.size


def same_value(a: tree.Expression | tree.Place, b: tree.Expression | tree.Place) -> bool:
    """Whether two expressions have the same value, or two places are the same, whenever both are evaluated with the
    same memory. Neither acts then."""

    def is_quiet(node: tree.Node) -> bool:
        if isinstance(node, tree.Load) and (node.place.type.volatile or node.place.type.atomic):
            return False
        return isinstance(node, _QUIET) and not (isinstance(node, tree.Constant) and node.value is None)

    return _alike(a, b, is_quiet)


def same_form(a: tree.Node, b: tree.Node) -> bool:
    """Whether two nodes are the same but for their places, also where they act. This and :func:`same_value` are the
    only questions about the form of nodes."""
    return _alike(a, b, lambda node: not isinstance(node, tree.Opaque))


def _alike(a: tree.Node, b: tree.Node, compared: Callable[[tree.Node], bool]) -> bool:
    stack: list[tuple[object, object]] = [(a, b)]
    while stack:
        x, y = stack.pop()
        if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == len(y):
            stack += zip(x, y, strict=True)
        elif not isinstance(x, tree.Node) or not isinstance(y, tree.Node):
            if type(x) is not type(y) or (repr(x) != repr(y) if isinstance(x, float) else x != y):
                return False
        elif type(x) is not type(y) or not compared(x):
            return False
        else:
            fields, others = vars(x), vars(y)
            ignored = _OF_TEMPORARIES if isinstance(x, tree.Temporary) else _NOT_COMPARED
            stack += [(fields[name], others[name]) for name in fields if name not in ignored]
    return True


def named_in(*nodes: tree.Node) -> set[Variable]:
    """The variables that parts of the tree mention."""
    return {node.variable for one in nodes for node in tree.walk(one) if isinstance(node, tree.Named)}


def only_statement(node: tree.Statement | None) -> tree.Statement | None:
    """What stands in blocks that have nothing else, or the statement itself."""
    while isinstance(node, tree.Block) and len(node.statements) == 1:
        (node,) = node.statements
    return node


def computes(value: tree.Expression, pure: Callable[[Function], bool]) -> bool:
    """Whether an expression does nothing but read and compute, with calls of ``pure`` functions only."""
    for part in tree.walk(value):
        if isinstance(part, tree.Call):
            if not isinstance(part.callee, tree.FunctionAddress) or not pure(part.callee.function):
                return False
        elif not isinstance(part, (*_QUIET, tree.Sequence)):
            return False
        if isinstance(part, tree.Load) and (part.place.type.volatile or part.place.type.atomic):
            return False
    return True


def constant(value: tree.Expression) -> int | None:
    """The integer that an expression always is, or None if it is not known. A signed overflow has no value."""
    match value:
        case tree.Constant(type=Integer(), value=int() as number):
            return number
        case tree.Load(place=tree.Named(variable=variable)):
            return variable.value
        case tree.Convert(type=Integer() as kind):
            inner = constant(value.value)
            return _wrapped(inner, kind) if inner is not None else None
        case tree.Unary(operator="!", operand=operand):
            inner = constant(operand)
            return int(not inner) if inner is not None else None
        case tree.Unary(operator="-" | "~", operand=operand):
            inner = constant(operand)
            return _computed(-inner if value.operator == "-" else ~inner, value.type) if inner is not None else None
        case tree.Binary(left=left, right=right):
            one, other = constant(left), constant(right)
            return _binary(value, one, other) if one is not None and other is not None else None
        case tree.ShortCircuit(left=left, right=right):
            one = constant(left)
            if one is None or bool(one) == (value.operator == "||"):
                return None if one is None else int(bool(one))
            other = constant(right)
            return None if other is None else int(bool(other))
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            asked = constant(condition)
            return None if asked is None else constant(then if asked else otherwise)
        case _:
            return None


def _wrapped(number: int, kind: Integer) -> int:
    """An integer as another type has it."""
    if kind.boolean:
        return int(number != 0)
    rest = number & ((1 << kind.bits) - 1)
    return rest - (1 << kind.bits) if kind.signed and rest > kind.greatest else rest


def has_all(kind: Type, other: Type) -> bool:
    """Whether a type has all values of another one."""
    if isinstance(kind, Integer) and isinstance(other, Integer):
        return kind.least <= other.least and other.greatest <= kind.greatest
    if isinstance(kind, Floating) and isinstance(other, Floating):
        return kind.digits >= other.digits and kind.size >= other.size
    return kind == other


def unconverted(value: tree.Expression) -> tree.Expression:
    """A value without what converts it."""
    while isinstance(value, tree.Convert | tree.Ending):
        value = value.value
    return value


def as_written(value: tree.Expression) -> tree.Expression:
    """A value without the conversion that the language adds."""
    return value.value if isinstance(value, tree.Convert) and not value.written else value


def is_value_of(value: tree.Expression, variable: Variable) -> bool:
    """Whether an expression is the value of a variable."""
    value = unconverted(value)
    return isinstance(value, tree.Load) and isinstance(value.place, tree.Named) and value.place.variable is variable


def widened(value: tree.Expression) -> tree.Expression:
    """A value without the conversions around it that change no value."""
    while isinstance(value, tree.Convert) and has_all(value.type, value.value.type):
        value = value.value
    return value


def asked(condition: tree.Expression) -> tree.Expression:
    """A condition without the conversions around it after which it is zero as often as before."""
    while isinstance(condition, tree.Convert) and isinstance(condition.value.type, Integer):
        if not has_all(condition.type, condition.value.type) and condition.type != BOOL:
            break
        condition = condition.value
    return condition


def _computed(number: int, kind: Type) -> int | None:
    """The result of an operation, which wraps in unsigned types."""
    if not isinstance(kind, Integer):
        return None
    fits = kind.least <= number <= kind.greatest
    return number if fits else None if kind.signed else _wrapped(number, kind)


def _binary(value: tree.Binary, one: int, other: int) -> int | None:
    if value.operator in COMPARISONS:
        return int(COMPARISONS[value.operator](one, other))
    if value.operator in ARITHMETIC:
        return _computed(int(ARITHMETIC[value.operator](one, other)), value.type)
    if value.operator in BITWISE:
        shifts = value.operator in ("<<", ">>")
        if shifts and (one < 0 or not isinstance(value.type, Integer) or not 0 <= other < value.type.bits):
            return None
        return _computed(BITWISE[value.operator](one, other), value.type)
    if other == 0:
        return None
    whole = quotient(one, other)
    return _computed(whole if value.operator == "/" else one - whole * other, value.type)


def quotient(one: int, other: int) -> int:
    """A quotient of integers, truncated toward zero."""
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found
