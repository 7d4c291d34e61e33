"""The statement forms of ``atomic`` (OpenMP 5.2, section 15.8.4), reduced to one operation on one location."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import dataclass, replace
from ..directives.model import Directive
from ..plan.constructs import Atomic, Code
from ..tree import nodes as tree
from ..tree.types import Complex, alignment
from ..tree.values import same_form
from .canonical import converted_in

OPERATORS = {
    "+": "rex_add", "-": "rex_sub", "*": "rex_mul", "/": "rex_div", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "<<": "rex_shl", ">>": "rex_shr",
}  # fmt: skip
_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
_ASSOCIATIVE = ("+", "*", "&", "|", "^")
_PLACES = (tree.Named, tree.Pointee, tree.Part, tree.Temporary, tree.Opaque)
_RULE = "OpenMP 5.2, section 15.8.4: atomic construct"


@dataclass(frozen=True)
class Written:
    """How a front end writes the code of a node, by its ``origin``, and an operator ``joined`` to two codes.

    ``aligned`` is the alignment that an object's type has by the name it is written with, or 0 if that is the type's.
    """

    code: Callable[[Any], Code]
    joined: Callable[[str, Code, Code], Code]
    span: Callable[[Any], SourceSpan]
    aligned: Callable[[Any], int]


def atomic_of(
    directive: Directive, bodies: Sequence[tree.Statement], span: SourceSpan, requirements: Mapping[str, str],
    written: Written,
) -> Atomic:  # fmt: skip
    """The operation of an ``atomic`` construct, whose statement is at ``span``: ``bodies`` are what it means in each
    instantiation. Raises InputError for a statement in none of the forms, and for objects that devices do not take."""
    kind = next((n for n in ("read", "write", "capture", "compare", "update") if directive.has(n)), "update")
    if directive.has("compare"):
        kind = "compare capture" if kind == "capture" else "compare"
    operations = [_found(kind, body) for body in bodies]
    known = [one for one in operations if one is not None and isinstance(one.x, _PLACES) and one.is_written]
    if not known or len(known) < len(bodies):
        raise error_at(span, f"not a statement that 'atomic {kind}' can apply to", _RULE)
    for one in known:
        _check_object(directive, one, written)
    found, *others = (one.atomic(written) for one in known)
    if any(other != found for other in others):
        raise error_at(span, f"'atomic {kind}' that is not the same operation in all instantiations is not supported")
    order = next((c.name for c in directive.clauses if c.name in _ORDERS), requirements.get("atomic_default_mem_order"))
    return replace(found, ordered=order not in (None, "relaxed"))


def _found(kind: str, body: tree.Statement) -> _Found | None:
    if kind == "compare capture":
        return _compare_capture(body)
    if kind == "capture":
        return _capture(body)
    if kind == "compare":
        return _compare(body)
    if kind == "update":
        return _update(body)
    only = _assigned(body)
    if only is None:
        return None
    place, value = only.place, _shown(only.value)
    return _Found(value, "read", captured=place) if kind == "read" else _Found(place, "write", (value,))


def plain_update(statement: tree.Statement, written: Written) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    found = _compare(statement) or _update(statement)
    is_update = found is not None and found.operation == "update" and found.is_written
    return found.atomic(written) if found is not None and is_update else None


def _check_object(directive: Directive, found: _Found, written: Written) -> None:
    """Raise InputError where devices cannot do an operation on an object at once, or not exactly."""
    place = found.x
    assert isinstance(place, _PLACES)
    if isinstance(place, tree.Temporary):
        what = "an atomic access to a compound literal, which only one thread sees, is not supported"
        raise error_at(directive.span, what)
    if isinstance(place, tree.Opaque):
        return
    if min(_known_alignment(place), written.aligned(place.origin) or alignment(place.type)) < alignment(place.type):
        member = f"'{place.member.name}'" if isinstance(place, tree.Part) else "an object"
        raise error_at(directive.span, f"an atomic access to {member}, which is not aligned, is not supported")
    if place.type.atomic:
        raise error_at(written.span(place.origin), "'atomic' on an object of an '_Atomic' type is not supported")
    is_complex = any(isinstance(getattr(one, "type", None), Complex) for one in found.operand)
    if found.operation == "update" and is_complex and not isinstance(place.type, Complex):
        what = "an atomic update of a real number by a complex one is not supported"
        raise error_at(written.span(place.origin), what)


def _known_alignment(place: tree.Place) -> int:
    """The bytes at multiples of which an object surely lies."""
    if not isinstance(place, tree.Part) or place.member.bits is not None:
        return alignment(place.type)
    around, offset = _known_alignment(place.whole), place.member.offset
    return min(around, offset & -offset) if offset else around


@dataclass(frozen=True)
class _Found:
    """An operation with the parts of the statement in it. The ``operand`` is empty for 1, or for none; several values
    are joined by their ``sign``."""

    x: tree.Node
    operation: str
    operand: tuple[tree.Node, ...] = ()
    captured: tree.Node | None = None
    captures_new: bool = False
    sign: str = ""
    operator: str | None = None
    is_reversed: bool = False
    desired: tree.Node | None = None
    outcome: tree.Node | None = None
    on_failure: bool = False

    @property
    def is_written(self) -> bool:
        """Whether all parts of it are code of the user's."""
        parts = (self.x, *self.operand, self.captured, self.desired, self.outcome)
        return all(part is None or part.origin is not None for part in parts)

    def atomic(self, written: Written) -> Atomic:
        codes = [written.code(part.origin) for part in self.operand]
        operand = reduce(partial(written.joined, self.sign), codes) if codes else None
        captured, desired, outcome = (
            written.code(part.origin) if part is not None else None
            for part in (self.captured, self.desired, self.outcome)
        )
        return Atomic(
            self.operation, written.code(self.x.origin), self.operator, operand, self.is_reversed, captured,
            self.captures_new, desired, outcome, self.on_failure,
        )  # fmt: skip


def _statements(node: tree.Node | None) -> Sequence[tree.Node]:
    """The statements of a (possibly braced) statement, without empty ones."""
    while isinstance(node, tree.Block):
        inside = [one for one in node.statements if not isinstance(one, tree.Block) or one.statements]
        if len(inside) != 1:
            return inside
        (node,) = inside
    return [node] if node is not None else []


def _shown(node: tree.Node) -> tree.Node:
    """What is written: an expression without what the language does silently around it, an object that is read."""
    inner: tree.Node | None = node
    while inner is not None:
        node = inner
        match node:
            case tree.Evaluate(expression=inner) | tree.Load(place=inner):
                pass
            case _:
                inner = converted_in(node) if node.origin is None else None
    return node


def _only(node: tree.Node | None) -> tree.Node | None:
    """The only statement in a node, or the expression that it evaluates."""
    statements = _statements(node)
    return _shown(statements[0]) if len(statements) == 1 else None


def _assigned(node: tree.Node | None) -> tree.Store | None:
    """``x = e``, which may be alone in a block."""
    only = _only(node)
    return only if isinstance(only, tree.Store) else None


def _same(one: tree.Node, other: tree.Node) -> bool:
    return same_form(_shown(one), _shown(other))


def _operation(node: tree.Node) -> tuple[tree.Node, str, tree.Node] | None:
    match _shown(node):
        case tree.Binary(left=left, operator=operator, right=right):
            return _shown(left), operator, _shown(right)
        case tree.Offset(pointer=left, index=right, backward=backward):
            return _shown(left), "-" if backward else "+", _shown(right)
    return None


# ---- update and capture ----


def _update(node: tree.Node) -> _Found | None:
    only = _only(node)
    if isinstance(only, tree.Update):
        value, tag = _shown(only.value), OPERATORS.get(only.operator)
        is_step = value.origin is None and isinstance(value, tree.Constant)
        return _Found(only.place, "update", () if is_step else (value,), operator=tag) if tag else None
    total = _operation(only.value) if isinstance(only, tree.Store) else None
    if not isinstance(only, tree.Store) or total is None or total[1] not in OPERATORS:
        return None
    # ``x = x op a op b`` means ``x = x op (a op b)`` only if op is associative. The leftmost operand decides.
    left, sign, right = total
    found = _Found(only.place, "update", (right,), sign=sign, operator=OPERATORS[sign])
    if _same(left, only.place):
        return found
    if _same(right, only.place):
        return replace(found, operand=(left,), is_reversed=True)
    rest = _without(only.value, sign, only.place) if sign in _ASSOCIATIVE else ()
    return replace(found, operand=rest) if rest else None


def _without(total: tree.Node, sign: str, x: tree.Node) -> tuple[tree.Node, ...]:
    """``a, b`` from ``x op a op b`` (a chain of one associative operator with ``x`` leftmost)."""
    found = _operation(total)
    if found is None or found[1] != sign:
        return ()
    if _same(found[0], x):
        return (found[2],)
    before = _without(found[0], sign, x)
    return (*before, found[2]) if before else ()


def _capture(body: tree.Node) -> _Found | None:
    """``v = x op= e``, ``v = x++``, ``{v = x; x = e}``, and the same with an update in front of it or behind it."""
    statements = _statements(body)
    if len(statements) == 1:
        taken = _assigned(body)
        changed = _update(taken.value) if taken is not None else None
        if taken is None or changed is None:
            return None
        value = _shown(taken.value)
        return replace(changed, captured=taken.place, captures_new=not (isinstance(value, tree.Update) and value.old))
    if len(statements) != 2:
        return None
    first, second = statements
    for change, read in ((second, first), (first, second)):
        taken, changed = _assigned(read), _update(change)
        if changed is None and read is first and (written := _assigned(change)) is not None:
            changed = _Found(written.place, "exchange", (_shown(written.value),))
        if taken is not None and changed is not None and _same(taken.value, changed.x):
            return replace(changed, captured=taken.place, captures_new=read is second)
    return None


# ---- compare ----


def _compare(node: tree.Node) -> _Found | None:
    """``if (x == e) x = d;``, ``x = x == e ? d : x;`` and the same with ``<`` or ``>`` (where d is e)."""
    match _only(node):
        case tree.If(otherwise=None, condition=condition, then=inner):
            then = _assigned(inner)
            return _conditional(condition, then.place, then.value) if then is not None else None
        case tree.Store(place=place, value=value):
            choice = _shown(value)
            if isinstance(choice, tree.Conditional) and _same(choice.otherwise, place):
                return _conditional(choice.condition, place, choice.then)
    return None


def _conditional(test: tree.Node, x: tree.Node, desired: tree.Node) -> _Found | None:
    """``x = desired`` under a condition that compares x."""
    found = _operation(test)
    if found is None or found[1] not in ("==", "<", ">"):
        return None
    left, operator, right = found
    if _same(left, x):
        other = right
    elif _same(right, x):
        other, operator = left, {"<": ">", ">": "<"}.get(operator, operator)
    else:
        return None
    desired = _shown(desired)
    if operator == "==":
        return _Found(x, "compare", (other,), desired=desired)
    if not _same(other, desired):
        return None
    return _Found(x, "update", (desired,), operator="rex_max" if operator == "<" else "rex_min")


def _compare_capture(body: tree.Node) -> _Found | None:
    """The forms of ``compare capture``.

    They capture the old or new value, only on failure, or the comparison's result.
    """
    statements = _statements(body)
    if len(statements) == 1:
        only = _only(body)
        if isinstance(only, tree.If):
            return _with_failure(only.condition, only)
        taken = _assigned(body)  # v = x = x == e ? d : x;
        inner = _compare(taken.value) if taken is not None else None
        return replace(inner, captured=taken.place, captures_new=True) if inner is not None and taken else None
    if len(statements) != 2:
        return None
    first, second = statements
    taken, branch = _assigned(first), _only(second)
    if taken is not None:
        changed = _compare(second)
        if changed is not None and _same(taken.value, changed.x):
            return replace(changed, captured=taken.place)
        if isinstance(branch, tree.If) and _same(branch.condition, taken.place):  # r = x == e; if (r) x = d; [else …]
            found = _with_failure(taken.value, branch)
            return replace(found, outcome=taken.place) if found is not None else None
    changed, taken = _compare(first), _assigned(second)
    if changed is None or taken is None or not _same(taken.value, changed.x):
        return None
    return replace(changed, captured=taken.place, captures_new=True)


def _with_failure(test: tree.Node, branch: tree.If) -> _Found | None:
    """``if (x == e) x = d; [else v = x;]``"""
    then = _assigned(branch.then)
    found = _conditional(test, then.place, then.value) if then is not None else None
    if found is None or found.operation != "compare" or branch.otherwise is None:
        return found
    kept = _assigned(branch.otherwise)
    if kept is None or not _same(kept.value, found.x):
        return None
    return replace(found, captured=kept.place, on_failure=True)
