"""Prints statements, with a function for each class of node."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pycparser import c_ast

from ...base.names import indent
from ...plan.optimised import TeamSteps
from ..analysis.device_names import local_name
from ..sema import walk
from ..sema.ctype import CType, Record, strip
from ..sema.type_questions import integer_promote, integer_range, is_void, wrap
from ..syntax.parser import Assembly, Cleanup
from . import text as ct
from .arguments import nothing_of
from .conversions import convert, tested
from .declarations import cleanup_lines, declaration_lines, declares_object, joined_declarations, typedef_lines
from .scope import SIMPLE, Scope, block_lines, branch, compound, line_mark
from .text import Text, is_bool_text
from .types import is_empty

# Finds where control can go: declarations that a jump passes, and statements whose end is not reached.

def crossed_declarations(root: c_ast.Node) -> set[c_ast.Node]:
    """The declarations, ``for`` loops with declarations, and clean-ups that a jump into their scope passes.

    Jumps to a ``case`` directly inside its ``switch`` do not count.
    """
    # A place is the number of nodes before it, and the blocks around it.
    jumps: dict[str, list[tuple[int, tuple[c_ast.Node, ...]]]] = {}  # by label
    labels: list[tuple[str, int, frozenset[c_ast.Node]]] = []
    declarations: list[tuple[c_ast.Node, int, c_ast.Node]] = []
    stack: list[tuple[c_ast.Node, tuple[c_ast.Node, ...], tuple[int, tuple[c_ast.Node, ...]] | None]] = []
    stack.append((root, (), None))
    position = 0
    while stack:
        node, blocks, switch = stack.pop()
        position += 1
        match node:
            case c_ast.Goto():
                jumps.setdefault(node.name, []).append((position, blocks))
            case c_ast.Label():
                labels.append((node.name, position, frozenset(blocks)))
            case c_ast.Case() | c_ast.Default() if switch is not None and not isinstance(blocks[-1], c_ast.Switch):
                name = f"case {position}"
                jumps[name] = [switch]
                labels.append((name, position, frozenset(blocks)))
            case c_ast.Decl() | Cleanup() if blocks:
                declarations.append((node, position, blocks[-1]))
            case c_ast.Switch():
                body = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
                stack += [(item, (*blocks, node), (position, blocks)) for item in reversed(body)]
                stack.append((node.cond, blocks, switch))
                continue
            case c_ast.Compound() | c_ast.For():
                blocks = (*blocks, node)
        stack += [(child, blocks, switch) for child in reversed(list(node))]
    crossed: set[c_ast.Node] = set()
    for decl, at, block in declarations:
        entered = (name for name, where, around in labels if at < where and block in around)
        if any(jump < at or block not in outside for name in entered for jump, outside in jumps.get(name, ())):
            crossed.add(block if isinstance(block, c_ast.For) else decl)
    return crossed


def can_complete(node: c_ast.Node | None) -> bool:
    """Whether control can reach the end of the statement. In doubt the answer is yes."""
    match node:
        case c_ast.Return() | c_ast.Goto() | c_ast.Continue() | c_ast.Break():
            return False
        case c_ast.Compound():
            return can_complete(node.block_items[-1]) if node.block_items else True
        case c_ast.If() if node.iffalse is not None:
            return can_complete(node.iftrue) or can_complete(node.iffalse)
        case c_ast.Label():
            return can_complete(node.stmt)
        case c_ast.Case() | c_ast.Default():
            return can_complete(node.stmts[-1]) if node.stmts else True
        case c_ast.While() | c_ast.DoWhile() | c_ast.For():
            return not _always(node.cond) or _breaks(node.stmt)
        case c_ast.Switch(stmt=c_ast.Compound(block_items=[*_, last] as items)):
            if not any(isinstance(item, c_ast.Default) for item in items):
                return True
            return can_complete(last) or any(_breaks(item) for item in items)
    return True


def _always(condition: c_ast.Node | None) -> bool:
    """Whether a loop's condition is obviously true: it is missing, or 1."""
    return condition is None or (isinstance(condition, c_ast.Constant) and condition.value == "1")


def _breaks(node: c_ast.Node) -> bool:
    """Whether the body of a loop or switch has a ``break`` that leaves this loop or switch."""
    if isinstance(node, c_ast.While | c_ast.DoWhile | c_ast.For | c_ast.Switch):
        return False
    return isinstance(node, c_ast.Break) or any(_breaks(child) for child in node)


# Prints ``switch`` statements.

_LONGEST_RANGE = 32  # a case range with up to this many values gets a label for each


def _is_long(values: range) -> bool:
    return values.stop - values.start > _LONGEST_RANGE


def switch_statement(scope: Scope, node: c_ast.Switch, depth: int) -> str:
    t = integer_promote(scope.value_type(node.cond))
    condition = scope.emit(node.cond)
    condition = ct.Cast("int", condition) if is_bool_text(node.cond) else condition
    if ranges := _long_ranges(scope, node.stmt, t):
        bounds = [_label_value(scope, bound, t) for case in ranges for bound in case.expr]
        condition = ct.call(f"rex_start_of_range<{scope.declaration(t)}>", condition, *bounds)
    out = [f"{line_mark(scope, node)}{indent(depth)}switch ({condition.text}) {{\n"]
    scope.body.switch_types.append(t)
    items = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
    for position, item in enumerate(items):
        if position and _is_label(scope, item) and _falls_through(items[position - 1]):
            out.append(f"{indent(depth + 1)}[[fallthrough]];\n")
        saved, scope.body.hoisted = scope.body.hoisted, []
        if isinstance(item, c_ast.Case | c_ast.Default):
            line = _case_lines(scope, item, depth, items[position + 1 :])
        else:
            line = scope.lines(item, depth + 1, True)
        out += [f"{indent(depth + 1)}{h}\n" for h in scope.body.hoisted]
        scope.body.hoisted = saved
        out.append(line)
    scope.body.switch_types.pop()
    return "".join(out) + f"{indent(depth)}}}\n"


def _is_label(scope: Scope, node: c_ast.Node) -> bool:
    """Whether a label is printed for a statement. A range without values has none."""
    return isinstance(node, c_ast.Case | c_ast.Default) and _case_label(scope, node) != ""


def _falls_through(previous: c_ast.Node) -> bool:
    if isinstance(previous, c_ast.Case | c_ast.Default):
        real = [s for s in previous.stmts or () if not isinstance(s, c_ast.EmptyStatement)]
        return bool(real) and can_complete(real[-1])
    return not isinstance(previous, c_ast.Decl | c_ast.Typedef) and can_complete(previous)


def _case_range(scope: Scope, node: c_ast.Case | c_ast.Default, t: CType) -> range | None:
    """The values of ``case low ... high`` in a switch over type ``t``, or None for other labels."""
    if isinstance(node, c_ast.Default) or not isinstance(node.expr, c_ast.BinaryOp) or node.expr.op != "...":
        return None
    low, high = scope.sema.value(node.expr.left), scope.sema.value(node.expr.right)
    if low is None or high is None:
        raise scope.error(node, "a case range whose bounds are not known is not supported")
    return range(wrap(low, t), wrap(high, t) + 1)


def _long_ranges(scope: Scope, body: c_ast.Node, t: CType) -> list[c_ast.Case]:
    """The case ranges of a switch that get a single label, for their first value. Inner switches do not count."""
    found: list[c_ast.Case] = []
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Case) and (values := _case_range(scope, node, t)) and _is_long(values):
            found.append(node)
        if not isinstance(node, c_ast.Switch):
            stack += reversed(list(node))
    return found


def _case_label(scope: Scope, node: c_ast.Case | c_ast.Default) -> str:
    """The label, or one label for each value of a range. nvcc accepts ranges, but ignores their inner values."""
    if isinstance(node, c_ast.Default):
        return "default:"
    t = scope.body.switch_types[-1]
    values = _case_range(scope, node, t)
    if values is None:
        return f"case {_label_value(scope, node.expr, t).text}:"
    if _is_long(values):
        return f"case {_label_value(scope, node.expr.left, t).text}:"
    return " ".join(f"case {value}{'u' if value >= 2**63 else ''}:" for value in values)


def _label_value(scope: Scope, node: c_ast.Node, t: CType) -> Text:
    """A constant as a label of a switch over type ``t``. C converts it, and C++ needs a cast."""
    value = scope.sema.value(node)
    text = scope.emit(node)
    low, high = integer_range(t)
    return text if value is None or low <= value <= high else ct.Cast(scope.declaration(t), text)


def _case_lines(scope: Scope, node: c_ast.Case | c_ast.Default, depth: int, rest: list[c_ast.Node]) -> str:
    """A case with its statements. If no later statement uses its declarations, it gets a block of its own."""
    stmts = [s for s in node.stmts or [] if not isinstance(s, c_ast.EmptyStatement)]
    declares = any(isinstance(s, c_ast.Decl) for s in stmts)
    cleanups = [s for s in stmts if isinstance(s, Cleanup)]
    if cleanups and any(isinstance(item, c_ast.Case | c_ast.Default) for item in rest):
        cleanup_lines(scope, cleanups[0], depth, True)
    label = _case_label(scope, node)
    if not label:
        return block_lines(scope, stmts, depth + 1, True)
    head = f"{line_mark(scope, node)}{indent(depth)}{label}"
    if not stmts:
        return head + (";\n" if not rest else "\n")
    block = declares and _is_private(scope, stmts, rest)
    if len(stmts) == 1 and isinstance(stmts[0], c_ast.Compound):
        stmts, block = stmts[0].block_items or [], True
    inner = block_lines(scope, stmts, depth + 1, declares and not block)
    if block:
        return f"{head} {{\n{inner}{indent(depth)}}}\n"
    return f"{head}\n{inner}" if inner else f"{head};\n"


def _is_private(scope: Scope, stmts: list[c_ast.Node], rest: list[c_ast.Node]) -> bool:
    declared = {scope.sema.decl_symbol(s) for s in stmts if isinstance(s, c_ast.Decl) and s.name is not None}
    if any(isinstance(n, c_ast.Label | c_ast.Case | c_ast.Default) for s in stmts for n in walk(s)):
        return False
    used = (n for item in rest for n in walk(item) if isinstance(n, c_ast.ID))
    return not any(scope.sema.symbol(n) in declared for n in used)


def nested_case(scope: Scope, node: c_ast.Case, depth: int) -> str:
    """A case label inside a nested block."""
    inner = block_lines(scope, node.stmts or [], depth)
    label = _case_label(scope, node)
    if not label:
        return inner
    return f"{indent(max(depth - 1, 0))}{label}" + (f"\n{inner}" if inner else ";\n")


# Prints branches, loops and jumps.

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


def omp_construct(scope: Scope, node: c_ast.Node, depth: int) -> str:
    return scope.around.construct(node, scope, depth)  # type: ignore[arg-type]  # it is a DevicePrinter


# Prints statements, with a function for each class of node.
#
# C++ forbids jumps past initialisers. If labels make such jumps possible, declarations are split: the object is
# declared without an initialiser, and assigned where the declaration stood. An object on the device's heap, which is
# freed at the end of its scope, is declared at the start of the function's or construct's body, where no jump can pass
# it.

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
        if isinstance(node, Assembly):
            raise scope.error(node, "inline assembly is not supported")
        mark = line_mark(scope, node)
        text = scope.discarded(node) if node not in scope.body.valued else _result_of(scope, node)
        return f"{mark}{indent(depth)}{text.text};\n"
    finally:
        scope.body.depth = saved


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
    "Break": lambda scope, node, depth: f"{line_mark(scope, node)}{indent(depth)}break;\n",
    "Continue": lambda scope, node, depth: f"{line_mark(scope, node)}{indent(depth)}continue;\n",
    "Goto": goto_statement,
    "Label": label,
    "EmptyStatement": lambda _scope, _node, _depth: "",
    "AttributedStatement": lambda scope, node, depth: scope.lines(node.stmt, depth),
    "OmpConstruct": omp_construct,
    "DeclList": lambda scope, node, depth: block_lines(scope, node.decls, depth),
    "Switch": switch_statement,
    "Case": nested_case,
    "Default": nested_case,
}
