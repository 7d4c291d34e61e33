"""The alignment that a declaration asks for."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import alignof
from ..sema.type_questions import asked_alignment
from .scope import Scope


def alignas_text(scope: Scope, node: c_ast.Decl, least: int = 0) -> str:
    strictest = declared_alignment(scope, node, least)
    return f"alignas({strictest}) " if strictest else ""


def declared_alignment(scope: Scope, node: c_ast.Decl, least: int = 0) -> int:
    """The alignment that a declaration asks for, in bytes, or 0 if its type's own is enough."""
    strictest = max((alignas_value(scope, a) for a in node.align or ()), default=least)
    by_attribute = scope.sema.layout.of_declaration(node).align
    if by_attribute > alignof(scope.sema.resolve_type(node)):  # alignas cannot lower the alignment
        strictest = max(strictest, by_attribute)
    return max(strictest, asked_alignment(scope.sema.resolve_type(node)))


def alignas_value(scope: Scope, spec: c_ast.Alignas) -> int:
    operand = spec.alignment
    if isinstance(operand, c_ast.Typename):
        return alignof(scope.sema.resolve_type(operand))
    return scope.sema.value(operand) or 0
