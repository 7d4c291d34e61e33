"""Prints branches, loops and jumps."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from ...base.indent import indent
from ..analysis.device_names import local_name
from ..sema.ctype import Record, strip
from ..sema.type_questions import is_void
from ..syntax.parser import Cleanup
from . import text as ct
from .arguments import nothing_of
from .blocks import SIMPLE, block_lines, branch, line_mark
from .conversions import convert, tested
from .declarations import declares_object, joined_declarations
from .scope import Scope
from .types import is_empty


def if_statement(scope: Scope, node: c_ast.If, depth: int) -> str:
    text = f"{line_mark(scope, node)}{indent(depth)}"
    while True:
        bodies = [b for b in (node.iftrue, node.iffalse) if b is not None]
        braces = not all(isinstance(b, SIMPLE) for b in bodies)
        text += f"if ({tested(scope, node.cond).text})"
        yes = branch(scope, node.iftrue or c_ast.EmptyStatement(), depth, braces)
        if node.iffalse is None:
            return text + yes.ended()
        text += yes.text + (" else" if yes.is_block else f"{indent(depth)}else")
        waits = scope.around.steps is not None and node.iffalse in scope.around.steps.barriers
        if waits or node.iffalse in scope.around.updates or not isinstance(node.iffalse, c_ast.If):
            return text + branch(scope, node.iffalse, depth, braces).ended()
        text += " "
        node = node.iffalse


def while_loop(scope: Scope, node: c_ast.While, depth: int) -> str:
    head = f"{line_mark(scope, node)}{indent(depth)}while ({tested(scope, node.cond).text})"
    return head + branch(scope, node.stmt, depth, loop=node).ended()


def do_while_loop(scope: Scope, node: c_ast.DoWhile, depth: int) -> str:
    head = f"{line_mark(scope, node)}{indent(depth)}do"
    body = branch(scope, node.stmt, depth, braces=True, loop=node).text
    return f"{head}{body} while ({tested(scope, node.cond).text});\n"


def for_loop(scope: Scope, node: c_ast.For, depth: int) -> str:
    init = node.init
    before = ""
    outer = depth
    if isinstance(init, c_ast.DeclList):
        decls = [d for d in init.decls if declares_object(scope, d)]
        has_cleanups = any(isinstance(d, Cleanup) for d in init.decls)
        start = None if has_cleanups or node in scope.body.split else joined_declarations(scope, decls)
        if start is None:
            depth += 1
            scope.body.depth = depth
            before = block_lines(scope, init.decls, depth, node in scope.body.split)
            start = ""
    else:
        start = scope.discarded(init).text if init is not None else ""
        decls = []
    condition = f" {tested(scope, node.cond).text}" if node.cond is not None else ""
    step = f" {scope.discarded(node.next).text}" if node.next is not None else ""
    unroll = "REX_UNROLL " if node in scope.unit.unrolled else ""
    head = f"{line_mark(scope, node)}{indent(depth)}{unroll}for ({start};{condition};{step})"
    stmt = node.stmt
    if isinstance(stmt, c_ast.Compound) and _redeclares(stmt, decls):
        stmt = c_ast.Compound([stmt], stmt.coord)
    text = before + head + branch(scope, stmt, depth, loop=node).ended()
    return f"{indent(outer)}{{\n{text}{indent(outer)}}}\n" if depth > outer else text


def _redeclares(body: c_ast.Compound, decls: list[c_ast.Decl]) -> bool:
    """Whether the body's own block declares a name that the loop's head declares, which C++ forbids."""
    names = {d.name for d in decls}
    return any(isinstance(item, c_ast.Decl) and item.name in names for item in body.block_items or ())


def return_statement(scope: Scope, node: c_ast.Return, depth: int) -> str:
    value = ""
    if node.expr is not None:
        result = scope.body.result
        value = convert(scope, node.expr, result).at(ct.ASSIGN) if result is not None else scope.expression(node.expr)
        if result is not None and is_void(result) and not is_void(scope.type(node.expr)):  # gcc warns
            value = ct.Cast("void", scope.emit(node.expr)).text
        elif result is not None and is_empty(result):
            value = nothing_of(scope, node.expr)
        elif scope.body.has_cleanups and isinstance(result, Record):  # it is a copy, made before them
            value = f"({scope.declaration(strip(result))})({value})"
        value = " " + value
    elif scope.body.result is not None and not is_void(scope.body.result):
        value = " {}"  # gcc before 14 accepts it with a warning
    return f"{line_mark(scope, node)}{indent(depth)}return{value};\n"


def break_statement(scope: Scope, node: c_ast.Break, depth: int) -> str:
    return f"{line_mark(scope, node)}{indent(depth)}break;\n"


def continue_statement(scope: Scope, node: c_ast.Continue, depth: int) -> str:
    return f"{line_mark(scope, node)}{indent(depth)}continue;\n"


def goto_statement(scope: Scope, node: c_ast.Goto, depth: int) -> str:
    if not isinstance(node.name, str):
        raise scope.error(node, "a computed 'goto' is not supported")
    return f"{line_mark(scope, node)}{indent(depth)}goto {local_name(node.name)};\n"


def label(scope: Scope, node: c_ast.Label, depth: int) -> str:
    label = f"{indent(max(depth - 1, 0))}{local_name(node.name)}:"
    if node.stmt is None or isinstance(node.stmt, c_ast.EmptyStatement | c_ast.Decl | c_ast.Typedef):
        split = node.stmt in scope.body.split
        rest = scope.lines(node.stmt, depth, split) if isinstance(node.stmt, c_ast.Decl) else ""
        return f"{label};\n{rest}"
    text = scope.lines(node.stmt, depth)
    if node.stmt in scope.body.valued:  # in C++ a labelled expression would have no value
        return f"{label};\n{text}"
    return f"{label}\n{text}" if text else f"{label};\n"


def empty_statement(_scope: Scope, _node: c_ast.EmptyStatement, _depth: int) -> str:
    return ""


def attributed_statement(scope: Scope, node: Any, depth: int) -> str:
    return scope.lines(node.stmt, depth)


def omp_construct(scope: Scope, node: c_ast.Node, depth: int) -> str:
    return scope.around.construct(node, scope, depth)  # type: ignore[arg-type]  # it is a DevicePrinter


def declaration_list(scope: Scope, node: c_ast.DeclList, depth: int) -> str:
    return block_lines(scope, node.decls, depth)
