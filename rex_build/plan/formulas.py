"""Expressions of the host as a reader would write them, such as ``8 * n``. They are shown, never compiled."""

from __future__ import annotations

from .host_expression import Binary, Cast, HostExpression, Index, Member, Number, SizeOf, Variable, Written, product


def formula(of: HostExpression) -> str:
    """``of`` without casts and with one constant factor, in front. Empty if readers would not know its parts.

    For example, ``(long long)n * (long long)sizeof(a[0])`` is ``8 * n`` if an element of ``a`` has 8 bytes.
    """
    factors = _factors(of)
    if factors is None:
        return ""
    number = 1
    for factor in factors:
        number *= factor.value if factor.value is not None else 1
    others = [factor for factor in factors if factor.value is None]
    if number != 1 or not others:
        others.insert(0, Number(number))
    return str(product(others))


def _factors(of: HostExpression) -> list[HostExpression] | None:
    """The factors of an expression, of which sizes and constants are numbers. None if it has parts of ours."""
    known = of.bytes if isinstance(of, SizeOf) else of.value
    if known is not None:
        return [Number(known)]
    match of:
        case Cast():
            return _factors(of.of)
        case Binary(operator="*"):
            left, right = _factors(of.left), _factors(of.right)
            return None if left is None or right is None else left + right
        case Binary(operator="/", left=SizeOf(bytes=int() as whole), right=SizeOf(bytes=int() as part)):
            return [Number(whole // part)]
        case SizeOf() | Variable() | Written() | Index() | Member():
            return [of]
    return None
