"""Prints complex arithmetic as calls of the device library."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.forms import is_object
from ..sema.conversions import usual_arithmetic
from ..sema.ctype import FLOAT, HALF_COMPLEX, CType, Pointer, Scalar, strip
from ..sema.expressions import declare_real
from ..sema.type_questions import is_complex, is_floating
from . import text as ct
from .nodes import is_plain
from .objects import VOLATILE, access_of
from .scope import Scope
from .text import Text

_COMPLEX = {"+": "add", "-": "sub", "*": "mul", "/": "div", "==": "equal", "!=": "equal"}


def to_complex(scope: Scope, text: Text, source: CType, target: CType) -> Text:
    if not is_complex(source):
        return ct.call(f"rex_complex<{part_type(scope, target)}>", text)
    if source == target:
        return text
    return ct.call(f"rex_complex_as<{part_type(scope, target)}>", text)


def part_type(scope: Scope, t: CType) -> str:
    """The C++ type of the parts of a complex type."""
    return scope.declaration(Scalar(declare_real(t)))


def real_part(text: Text, t: CType) -> tuple[Text, CType]:
    """The real part of a complex value, with its type."""
    if t == HALF_COMPLEX:  # results have float parts
        return ct.call("rex_re<float>", text), FLOAT
    return ct.call("REX_REAL", text), Scalar(declare_real(t))


def half_part(scope: Scope, operand: c_ast.Node, part: str) -> Text:
    """The part ``re`` or ``im`` of a complex number of halves. In an object it is a half, and in a result a float."""
    if is_object(operand) and access_of(scope, operand) in (None, VOLATILE):
        return ct.member(scope.place(operand), part)
    return ct.call(f"rex_{part}<float>", scope.emit(operand))


def complex_operation(scope: Scope, op: str, a: Text, left: CType, b: Text, right: CType) -> Text:
    common = usual_arithmetic(left, right)
    if not is_floating(common):  # C++ would promote its parts
        a, b = _with_parts(scope, a, left, common), _with_parts(scope, b, right, common)
    call = ct.call(f"rex_complex_{_COMPLEX[op]}", a, b)
    return ct.prefix("!", call) if op == "!=" else call


def _with_parts(scope: Scope, text: Text, t: CType, common: CType) -> Text:
    """A complex or real integer, with parts of the same type as those of ``common``."""
    if is_complex(t):
        return to_complex(scope, text, t, common)
    real = Scalar(declare_real(common))
    return text if t == real else ct.Cast(scope.declaration(real), text)


def complex_update(scope: Scope, node: c_ast.Assignment, left: Text, t: CType) -> Text:
    """``z *= w``. The target is evaluated once."""
    value = scope.sema._promoted(node.rvalue, scope.value_type(node.rvalue))
    if is_plain(node.lvalue):
        new = complex_operation(scope, node.op[:-1], left, strip(t), scope.emit(node.rvalue), value)
        return ct.assignment(left, "=", _complex_result(scope, node, new, t))
    place = scope.temporary()
    pointer = scope.declaration(Pointer(t), place)
    new = complex_operation(scope, node.op[:-1], ct.name(f"*{place}"), strip(t), scope.emit(node.rvalue), value)
    new = _complex_result(scope, node, new, t)
    return ct.name(f"({{ {pointer} = {ct.prefix('&', left).text}; *{place} = {new.text}; }})")


def complex_step(scope: Scope, t: CType, target: Text, op: str) -> Text:
    place, old = scope.temporary(), scope.temporary()
    one = f"rex_complex<{part_type(scope, t)}>(1)"
    text = f"{scope.declaration(Pointer(t), place)} = {ct.prefix('&', target).text}; "
    text += f"const {scope.declaration(strip(t), old)} = *{place}; "
    text += f"*{place} = rex_complex_{_COMPLEX[op[-1]]}({old}, {one}); "
    return ct.name(f"({{ {text}{old if op[0] == 'p' else '*' + place}; }})")


def _complex_result(scope: Scope, node: c_ast.Assignment, new: Text, t: CType) -> Text:
    target = strip(t)
    common = usual_arithmetic(target, scope.value_type(node.rvalue))
    if is_complex(target):
        return to_complex(scope, new, common, target)
    return ct.Cast(scope.declaration(target), real_part(new, common)[0])
