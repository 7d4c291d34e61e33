"""Prints statements, with a function for each class of node.

C++ forbids jumps past initialisers. If labels make such jumps possible, declarations are split: the object is declared
without an initialiser, and assigned where the declaration stood. An object on the device's heap, which is freed at the
end of its scope, is declared at the start of the function's or construct's body, where no jump can pass it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pycparser import c_ast

from ...base.indent import indent
from ...openmp.restrictions import ASSEMBLY
from ...plan.optimised import TeamSteps
from ..sema.ctype import Record, strip
from ..syntax.parser import Cleanup
from .blocks import block_lines, compound, line_mark
from .control_flow import (
    attributed_statement,
    break_statement,
    continue_statement,
    declaration_list,
    do_while_loop,
    empty_statement,
    for_loop,
    goto_statement,
    if_statement,
    label,
    omp_construct,
    return_statement,
    while_loop,
)
from .conversions import convert
from .declarations import cleanup_lines, declaration_lines, typedef_lines
from .jumps import crossed_declarations
from .scope import Scope
from .switches import nested_case, switch_statement
from .text import Text

# pycparser before 3.12 has no C23 attributes, and newer releases need more than Python 3.10.
_NOTHING = (c_ast.StaticAssert, c_ast.Pragma, getattr(c_ast, "AttributeDeclaration", c_ast.Pragma))


def statement_text(scope: Scope, node: c_ast.Node, depth: int) -> str:
    """The lines of a statement. A compound statement keeps its braces."""
    return body_text(scope, [node], node, depth)


def inner_text(scope: Scope, node: c_ast.Node, depth: int) -> str:
    """The lines of a statement, or of the contents of a compound statement, for use inside the caller's braces."""
    items = node.block_items or [] if isinstance(node, c_ast.Compound) else [node]
    if any(isinstance(item, Cleanup) for item in items):  # its scope ends before the caller goes on
        items = [node]
    return body_text(scope, items, node, depth)


def body_text(scope: Scope, items: Iterable[c_ast.Node], root: c_ast.Node, depth: int) -> str:
    """The statements of ``root``, the body of a function or construct."""
    body = scope.body
    saved = body.at_start, body.has_jumps, body.has_cleanups
    body.at_start = []
    if body.has_jumps:
        _prepare(scope, root)
    text = block_lines(scope, items, depth)
    text = "".join(f"{indent(depth)}{line};\n" for line in body.at_start) + text
    body.at_start, body.has_jumps, body.has_cleanups = saved
    return text


def _prepare(scope: Scope, root: c_ast.Node) -> None:
    """Find the declarations that jumps may pass."""
    found = scope.sema.parts(root).of(c_ast.Label, c_ast.Switch, Cleanup)
    labels = [n for n in found if not isinstance(n, Cleanup)]
    scope.body.has_jumps = bool(found)
    scope.body.has_cleanups = len(found) > len(labels)
    if labels:
        scope.body.split |= crossed_declarations(root)


def lines_of(scope: Scope, node: c_ast.Node, depth: int, split: bool = False) -> str:
    if node in scope.around.watched:
        return omp_construct(scope, node, depth)
    steps = scope.around.steps
    if steps is not None and (node in steps.barriers or node in steps.guarded or node in steps.computed):
        return _team_step(scope, node, depth, split, steps)
    if node in scope.around.updates:
        return line_mark(scope, node) + omp_construct(scope, node, depth)
    before = scope.around.before.get(node, ())
    block = bool(before and scope.body.switch_types)  # so no jump to a label passes a declaration
    inside = depth + block
    text = "".join(f"{indent(inside)}{line}\n" for line in before) + _plain_lines(scope, node, inside, split)
    return f"{indent(depth)}{{\n{text}{indent(depth)}}}\n" if block else text


def _team_step(scope: Scope, node: c_ast.Node, depth: int, split: bool, steps: TeamSteps) -> str:
    """A statement before which the team's threads wait, or which only the first thread runs."""
    pad = indent(depth)
    text = f"{pad}rex_team_wait();\n" if node in steps.barriers else ""
    if node in steps.computed:
        return text + _computed_by_all(scope, node, depth, steps)
    if node not in steps.guarded:
        return text + _plain_lines(scope, node, depth, split)
    if isinstance(node, c_ast.Decl):
        return text + declaration_lines(scope, node, depth, True, guard=True)
    return f"{text}{pad}if (rex_team_first()) {{\n{_plain_lines(scope, node, depth + 1, split)}{pad}}}\n"


def _computed_by_all(scope: Scope, node: c_ast.Node, depth: int, steps: TeamSteps) -> str:
    """An assignment whose value all threads of the team compute, and that the first thread makes."""
    assert isinstance(node, c_ast.Assignment)
    pad, value = indent(depth + 1), "__rex_value"
    text = f"{indent(depth)}{{\n{line_mark(scope, node)}{pad}const auto {value} = {scope.emit(node.rvalue).text};\n"
    text += f"{pad}rex_team_wait();\n" if node.rvalue in steps.barriers else ""
    inner = scope.with_names({}, replaced={**scope.around.replaced, node.rvalue: value})
    text += f"{pad}if (rex_team_first()) {{\n{_plain_lines(inner, node, depth + 2)}{pad}}}\n"
    return f"{text}{indent(depth)}}}\n"


def _plain_lines(scope: Scope, node: c_ast.Node, depth: int, split: bool = False) -> str:
    saved, scope.body.depth = scope.body.depth, depth
    try:
        if isinstance(node, c_ast.Decl):
            return declaration_lines(scope, node, depth, split)
        if isinstance(node, c_ast.Typedef):
            return typedef_lines(scope, node, depth)
        if isinstance(node, Cleanup):
            return cleanup_lines(scope, node, depth, split)
        if node in scope.around.staged:
            return line_mark(scope, node) + omp_construct(scope, node, depth)
        printed = _PRINTED.get(type(node).__name__)
        if printed is not None:
            return printed(scope, node, depth)
        if isinstance(node, _NOTHING):
            return ""
        mark = line_mark(scope, node)
        text = scope.discarded(node) if node not in scope.body.valued else _result_of(scope, node)
        return f"{mark}{indent(depth)}{text.text};\n"
    finally:
        scope.body.depth = saved


def _assembly(scope: Scope, node: c_ast.Node, _depth: int) -> str:
    raise scope.error(node, ASSEMBLY)


def _result_of(scope: Scope, node: c_ast.Node) -> Text:
    """The expression that is the value of a statement expression."""
    t = strip(scope.type(node))
    return convert(scope, node, t) if isinstance(t, Record) else scope.emit(node)


_PRINTED: dict[str, Callable[[Scope, Any, int], str]] = {
    "Compound": compound,
    "If": if_statement,
    "While": while_loop,
    "DoWhile": do_while_loop,
    "For": for_loop,
    "Return": return_statement,
    "Break": break_statement,
    "Continue": continue_statement,
    "Goto": goto_statement,
    "Label": label,
    "EmptyStatement": empty_statement,
    "Assembly": _assembly,
    "AttributedStatement": attributed_statement,
    "OmpConstruct": omp_construct,
    "DeclList": declaration_list,
    "Switch": switch_statement,
    "Case": nested_case,
    "Default": nested_case,
}
