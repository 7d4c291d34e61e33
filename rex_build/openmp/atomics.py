"""The statement forms of ``atomic`` (OpenMP 5.2, section 15.8.4), reduced to one operation on one location."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..base.diagnostics import error_at
from ..base.records import dataclass, replace
from ..base.spans import SourceSpan
from ..directives.model import Directive
from ..plan.code import Code
from ..plan.constructs import Atomic
from ..tree import nodes as tree
from ..tree.types import Complex, alignment
from .forms import Assign, Block, Branch, Choice, Operation, Part, Step

OPERATORS = {
    "+": "rex_add", "-": "rex_sub", "*": "rex_mul", "/": "rex_div", "&": "rex_band", "|": "rex_bor", "^": "rex_bxor",
    "<<": "rex_shl", ">>": "rex_shr",
}  # fmt: skip
_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
_ASSOCIATIVE = ("+", "*", "&", "|", "^")
_RULE = "OpenMP 5.2, section 15.8.4: atomic construct"


Joined = Callable[[str, Code, Code], Code]  # (operator, left, right): code that applies the operator


def atomic_of(
    directive: Directive, part: Part | None, span: SourceSpan, requirements: Mapping[str, str], joined: Joined
) -> Atomic:
    """The operation of an ``atomic`` construct, of whose statement ``part`` is the form and ``span`` the place.

    Raises InputError for a statement in none of the forms.
    """
    kind = next((n for n in ("read", "write", "capture", "compare", "update") if directive.has(n)), "update")
    if directive.has("compare"):
        kind = "compare capture" if kind == "capture" else "compare"
    statements = _block(part)
    found = None
    if kind == "compare capture":
        found = _compare_capture(statements)
    elif kind == "capture":
        found = _capture(statements, joined)
    elif len(statements) == 1:
        (only,) = statements
        if kind == "compare":
            found = _compare(only)
        elif kind == "update":
            found = _update(only, joined)
        elif isinstance(only, Assign) and not only.operator:
            x, value = only.x, only.value
            found = _Found(value, "read", None, x) if kind == "read" else _Found(x, "write", value)
    if found is None or not found.x.is_object:
        raise error_at(span, f"not a statement that 'atomic {kind}' can apply to", _RULE)
    order = next((c.name for c in directive.clauses if c.name in _ORDERS), requirements.get("atomic_default_mem_order"))
    return replace(found.atomic(), ordered=order not in (None, "relaxed"))


def plain_update(part: Part, joined: Joined) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    found = _compare(part) or _update(part, joined)
    return found.atomic() if found is not None and found.operation == "update" else None


def check_object(
    directive: Directive, places: Iterable[tuple[tree.Place, int]], operand: tree.Expression | None, span: SourceSpan
) -> None:
    """Raise InputError where devices cannot do an operation on an object at once, or not exactly.

    ``places`` are the object in each instantiation, with the alignment that a name of its type has, or 0 if that is the
    type's own. ``span`` is where the statement is."""
    for place, named in places:
        if isinstance(place, tree.Temporary):
            what = "an atomic access to a compound literal, which only one thread sees, is not supported"
            raise error_at(directive.span, what)
        if min(_known_alignment(place), named or alignment(place.type)) < alignment(place.type):
            member = f"'{place.member.name}'" if isinstance(place, tree.Part) else "an object"
            raise error_at(directive.span, f"an atomic access to {member}, which is not aligned, is not supported")
        if place.type.atomic:
            raise error_at(span, "'atomic' on an object of an '_Atomic' type is not supported")
        if operand is not None and isinstance(operand.type, Complex) and not isinstance(place.type, Complex):
            raise error_at(span, "an atomic update of a real number by a complex one is not supported")


def _known_alignment(place: tree.Place) -> int:
    """The bytes at multiples of which an object surely lies."""
    if not isinstance(place, tree.Part) or place.member.bits is not None:
        return alignment(place.type)
    around, offset = _known_alignment(place.whole), place.member.offset
    return min(around, offset & -offset) if offset else around


@dataclass(frozen=True)
class _Found:
    """An operation with the parts of the statement in it. ``operand`` is None for 1, or for none."""

    x: Part
    operation: str
    operand: Part | Code | None
    captured: Part | None = None
    captures_new: bool = False
    operator: str | None = None
    is_reversed: bool = False
    desired: Part | None = None
    outcome: Part | None = None
    on_failure: bool = False

    def atomic(self) -> Atomic:
        return Atomic(
            self.operation, self.x.code, self.operator, _code(self.operand), self.is_reversed, _code(self.captured),
            self.captures_new, _code(self.desired), _code(self.outcome), self.on_failure,
        )  # fmt: skip


def _code(part: Part | Code | None) -> Code | None:
    return part.code if isinstance(part, Part) else part


def _block(part: Part | None) -> Sequence[Part]:
    """The statements of a (possibly braced) statement."""
    while isinstance(part, Block):
        if len(part.statements) != 1:
            return part.statements
        (part,) = part.statements
    return [part] if part is not None else []


def _assigned(part: Part | None) -> Assign | None:
    """``x = e``, which may be alone in a block."""
    statements = _block(part)
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, Assign) and not only.operator else None


# ---- update and capture ----


def _update(part: Part, joined: Joined) -> _Found | None:
    if isinstance(part, Step):
        return _Found(part.x, "update", None, operator=OPERATORS[part.operator])
    if not isinstance(part, Assign):
        return None
    x, total = part.x, part.value
    if part.operator:
        tag = OPERATORS.get(part.operator)
        return _Found(x, "update", total, operator=tag) if tag else None
    if not isinstance(total, Operation) or total.operator not in OPERATORS:
        return None
    # ``x = x op a op b`` means ``x = x op (a op b)`` only if op is associative. The leftmost operand decides.
    found = _Found(x, "update", total.right, operator=OPERATORS[total.operator])
    if total.left.key == x.key:
        return found
    if total.right.key == x.key:
        return replace(found, operand=total.left, is_reversed=True)
    rest = _without(total, x, joined) if total.operator in _ASSOCIATIVE else None
    return replace(found, operand=rest) if rest is not None else None


def _without(total: Part, x: Part, joined: Joined) -> Code | None:
    """``a op b`` from ``x op a op b`` (a chain of one associative operator with ``x`` leftmost)."""
    if not isinstance(total, Operation):
        return None
    if total.left.key == x.key:
        return total.right.code
    inner = total.left
    if not isinstance(inner, Operation) or inner.operator != total.operator:
        return None
    left = _without(inner, x, joined)
    return joined(total.operator, left, total.right.code) if left is not None else None


def _capture(statements: Sequence[Part], joined: Joined) -> _Found | None:
    """``v = x op= e``, ``v = x++``, ``{v = x; x = e}``, and the same with an update in front of it or behind it."""
    if len(statements) == 1:
        taken = _assigned(statements[0])
        changed = _update(taken.value, joined) if taken is not None else None
        if taken is None or changed is None:
            return None
        is_new = not (isinstance(taken.value, Step) and taken.value.is_behind)
        return replace(changed, captured=taken.x, captures_new=is_new)
    if len(statements) != 2:
        return None
    first, second = statements
    for change, read in ((second, first), (first, second)):
        taken, changed = _assigned(read), _update(change, joined)
        if changed is None and read is first and (written := _assigned(change)) is not None:
            changed = _Found(written.x, "exchange", written.value)
        if taken is not None and changed is not None and taken.value.key == changed.x.key:
            return replace(changed, captured=taken.x, captures_new=read is second)
    return None


# ---- compare ----


def _compare(part: Part) -> _Found | None:
    """``if (x == e) x = d;``, ``x = x == e ? d : x;`` and the same with ``<`` or ``>`` (where d is e)."""
    if isinstance(part, Branch) and part.otherwise is None:
        then = _assigned(part.then)
        return _conditional(part.test, then.x, then.value) if then is not None else None
    if isinstance(part, Assign) and not part.operator and isinstance(part.value, Choice):
        choice = part.value
        return _conditional(choice.test, part.x, choice.then) if choice.otherwise.key == part.x.key else None
    return None


def _conditional(test: Part, x: Part, desired: Part) -> _Found | None:
    """``x = desired`` under a condition that compares x."""
    if not isinstance(test, Operation) or test.operator not in ("==", "<", ">"):
        return None
    if test.left.key == x.key:
        other, operator = test.right, test.operator
    elif test.right.key == x.key:
        other, operator = test.left, {"<": ">", ">": "<"}.get(test.operator, test.operator)
    else:
        return None
    if operator == "==":
        return _Found(x, "compare", other, desired=desired)
    if other.key != desired.key:
        return None
    return _Found(x, "update", desired, operator="rex_max" if operator == "<" else "rex_min")


def _compare_capture(statements: Sequence[Part]) -> _Found | None:
    """The forms of ``compare capture``.

    They capture the old or new value, only on failure, or the comparison's result.
    """
    if len(statements) == 1:
        (only,) = statements
        if isinstance(only, Branch):
            return _with_failure(only)
        outer = _assigned(only)  # v = x = x == e ? d : x;
        inner = _compare(outer.value) if outer is not None else None
        return replace(inner, captured=outer.x, captures_new=True) if inner is not None and outer is not None else None
    if len(statements) != 2:
        return None
    first, second = statements
    taken = _assigned(first)
    if taken is not None:
        changed = _compare(second)
        if changed is not None and taken.value.key == changed.x.key:
            return replace(changed, captured=taken.x)
        if isinstance(second, Branch) and second.test.key == taken.x.key:  # r = x == e; if (r) x = d; [else v = x;]
            found = _with_failure(replace(second, test=taken.value))
            return replace(found, outcome=taken.x) if found is not None else None
    changed, taken = _compare(first), _assigned(second)
    if changed is None or taken is None or taken.value.key != changed.x.key:
        return None
    return replace(changed, captured=taken.x, captures_new=True)


def _with_failure(branch: Branch) -> _Found | None:
    """``if (x == e) x = d; [else v = x;]``"""
    found = _compare(replace(branch, otherwise=None))
    if found is None or found.operation != "compare" or branch.otherwise is None:
        return found
    kept = _assigned(branch.otherwise)
    if kept is None or kept.value.key != found.x.key:
        return None
    return replace(found, captured=kept.x, on_failure=True)
