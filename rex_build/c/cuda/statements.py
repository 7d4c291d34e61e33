"""C statements and local declarations printed as CUDA C++."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pycparser import c_ast

from ...base.line_directives import line_marker
from ...plan.optimised import TeamSteps
from ..analysis.device_library import refused_type
from ..analysis.device_names import local_name
from ..sema import Symbol, walk
from ..sema.ctype import (
    Array,
    CType,
    Function,
    Pointer,
    Record,
    Scalar,
    alignof,
    asked_alignment,
    integer_promote,
    integer_range,
    is_sizeless,
    is_variably_modified,
    is_void,
    strip,
    wrap,
)
from ..sema.initialisers import read_initialiser
from ..syntax.nodes import OmpConstruct
from ..syntax.parser import Cleanup
from . import text as ct
from .base import heap_object, is_bool_text, on_heap
from .expressions import ExpressionPrinter
from .text import Text, node_name
from .types import dimensions, innermost, is_empty, is_flattened, stored_type, without_const

_SIMPLE = (
    c_ast.Assignment, c_ast.FuncCall, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.ID, c_ast.Constant,
    c_ast.Cast, c_ast.ExprList, c_ast.ArrayRef, c_ast.StructRef, c_ast.Return, c_ast.Break, c_ast.Continue, c_ast.Goto,
)  # fmt: skip
# pycparser before 3.12, the newest for Python 3.10, has no C23 attributes.
_NOTHING = (c_ast.Typedef, c_ast.StaticAssert, c_ast.Pragma, getattr(c_ast, "AttributeDeclaration", c_ast.Pragma))


def _crossed_declarations(root: c_ast.Node) -> set[c_ast.Node]:
    """The declarations (and ``for`` loops with such) and clean-ups passed by a jump into their scope.

    A jump to a ``case`` right inside its ``switch`` is not looked at.
    """
    # Places are the number of nodes before them and the blocks around them.
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


def _indent(depth: int) -> str:
    return "    " * depth


def can_complete(node: c_ast.Node | None) -> bool:
    """Whether control can come to the end of the statement (assumed where that is not plain to see)."""
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
    """Whether a loop's condition is true in plain sight: none at all, or 1."""
    return condition is None or (isinstance(condition, c_ast.Constant) and condition.value == "1")


def _breaks(node: c_ast.Node) -> bool:
    """Whether a ``break`` in the body of a loop or switch leaves that one."""
    if isinstance(node, c_ast.While | c_ast.DoWhile | c_ast.For | c_ast.Switch):
        return False
    return isinstance(node, c_ast.Break) or any(_breaks(child) for child in node)


_LONGEST_RANGE = 32  # values of a case range that get a label each


def _is_long(values: range) -> bool:
    return values.stop - values.start > _LONGEST_RANGE


class StatementPrinter(ExpressionPrinter):
    """Statements, one per line, four spaces a level.

    C++ forbids jumps past initialisers. Where labels make them possible, declarations are split: the object is
    declared without initialiser and assigned where the declaration stood. One on the device's heap, which ends with its
    scope, is declared where no jump leads past: at the start of the function's or construct's body.
    """

    _result: CType | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._split: set[c_ast.Node] = set()  # declarations and loops that must be split
        self._switch_types: list[CType] = []
        self._at_start: list[str] = []  # declarations for the start of the body being printed
        self._depth = 0
        self._has_cleanups = False

    def statement(self, node: c_ast.Node, depth: int) -> str:
        """The lines of a statement; a compound keeps its braces."""
        return self._body_text([node], node, depth)

    def statements(self, node: c_ast.Node, depth: int) -> str:
        """The lines of a statement, or of what a compound holds, for use inside braces of the caller."""
        items = node.block_items or [] if isinstance(node, c_ast.Compound) else [node]
        if any(isinstance(item, Cleanup) for item in items):  # which is over before the caller goes on
            items = [node]
        return self._body_text(items, node, depth)

    def _body_text(self, items: Iterable[c_ast.Node], root: c_ast.Node, depth: int) -> str:
        """The statements of a function's or construct's body ``root``."""
        self._prepare(root)
        saved, self._at_start = self._at_start, []
        text = self._scoped(items, depth)
        text = "".join(f"{_indent(depth)}{line};\n" for line in self._at_start) + text
        self._at_start = saved
        return text

    def _prepare(self, root: c_ast.Node) -> None:
        """Find the declarations that jumps may pass."""
        found = [n for n in walk(root) if isinstance(n, c_ast.Label | c_ast.Switch | Cleanup)]
        labels = [n for n in found if not isinstance(n, Cleanup)]
        self._has_cleanups = len(found) > len(labels)
        if labels:
            self._split |= _crossed_declarations(root)

    # ---- blocks ----

    def _scoped(self, items: Iterable[c_ast.Node], depth: int, split: bool = False) -> str:
        """Statements of one block, the temporaries that each needs declared before it."""
        out: list[str] = []
        for item in items:
            saved, self._hoisted = self._hoisted, []
            text = self._lines(item, depth, split or item in self._split)
            out += [f"{_indent(depth)}{line}\n" for line in self._hoisted]
            out.append(text)
            self._hoisted = saved
        return "".join(out)

    def _block_text(self, items: list[c_ast.Node], depth: int) -> str:
        return self._scoped(items, depth)

    def _lines(self, node: c_ast.Node, depth: int, split: bool = False) -> str:
        if self.around.steps is not None and (node in self.around.steps.barriers or node in self.around.steps.guarded):
            return self._team_step(node, depth, split, self.around.steps)
        before = self.around.before.get(node, ())
        block = bool(before and self._switch_types)  # no label can be reached past a declaration
        inside = depth + block
        text = "".join(f"{_indent(inside)}{line}\n" for line in before) + self._plain_lines(node, inside, split)
        return f"{_indent(depth)}{{\n{text}{_indent(depth)}}}\n" if block else text

    def _team_step(self, node: c_ast.Node, depth: int, split: bool, steps: TeamSteps) -> str:
        """A statement before which the team's threads wait, or that the first one runs alone."""
        pad = _indent(depth)
        text = f"{pad}rex_team_wait();\n" if node in steps.barriers else ""
        if node not in steps.guarded:
            return text + self._plain_lines(node, depth, split)
        if isinstance(node, c_ast.Decl):
            return text + self._declaration_lines(node, depth, True, guard=True)
        return f"{text}{pad}if (rex_team_first()) {{\n{self._plain_lines(node, depth + 1, split)}{pad}}}\n"

    def _plain_lines(self, node: c_ast.Node, depth: int, split: bool = False) -> str:
        saved, self._depth = self._depth, depth
        try:
            if isinstance(node, c_ast.Decl):
                return self._declaration_lines(node, depth, split)
            if isinstance(node, Cleanup):
                return self._cleanup_lines(node, depth, split)
            method: Callable[[Any, int], str] | None = getattr(self, f"_print_{node_name(node)}", None)
            if method is not None:
                return method(node, depth)
            if isinstance(node, _NOTHING):
                return ""
            mark = self._mark(node)
            text = self._discarded(node) if node not in self._valued else self._result_of(node)
            return f"{mark}{_indent(depth)}{text.text};\n"
        finally:
            self._depth = saved

    def _result_of(self, node: c_ast.Node) -> Text:
        """The expression that gives a statement expression its value."""
        t = strip(self._type(node))
        return self._convert(node, t) if isinstance(t, Record) else self._emit(node)

    def _mark(self, node: c_ast.Node) -> str:
        self._where = node if getattr(node, "coord", None) is not None else self._where
        if self.unit.locate is None or getattr(node, "coord", None) is None:
            return ""
        span = self.unit.locate(node)
        return line_marker(span) if span is not None else ""

    def _print_compound(self, node: c_ast.Compound, depth: int) -> str:
        inner = self._scoped(node.block_items or [], depth + 1)
        return f"{_indent(depth)}{{\n{inner}{_indent(depth)}}}\n"

    def _body(self, node: c_ast.Node, depth: int, braces: bool = False, loop: c_ast.Node | None = None) -> str:
        """What follows ``if (...)``, up to the end of a line or to the closing brace (then without a newline)."""
        steps = self.around.steps
        waits = steps is not None and loop in steps.ends
        braces = braces or waits or (steps is not None and (node in steps.barriers or node in steps.guarded))
        if isinstance(node, _SIMPLE) and not braces:
            saved, self._hoisted = self._hoisted, []
            text = self._lines(node, depth + 1)
            needs_block = bool(self._hoisted)
            self._hoisted = saved
            if not needs_block:
                return f"\n{text}"
        items = node.block_items or [] if isinstance(node, c_ast.Compound) else [node]
        if isinstance(node, c_ast.EmptyStatement):
            items = []
        inner = self._scoped(items, depth + 1)
        if waits:
            inner += f"{_indent(depth + 1)}rex_team_wait();\n"
        return f" {{\n{inner}{_indent(depth)}}}"

    @staticmethod
    def _ended(text: str) -> str:
        return text if text.endswith("\n") else text + "\n"

    # ---- control flow ----

    def _print_if(self, node: c_ast.If, depth: int) -> str:
        text = f"{self._mark(node)}{_indent(depth)}"
        while True:
            bodies = [b for b in (node.iftrue, node.iffalse) if b is not None]
            braces = not all(isinstance(b, _SIMPLE) for b in bodies)
            text += f"if ({self.condition(node.cond)})"
            text += self._body(node.iftrue or c_ast.EmptyStatement(), depth, braces)
            if node.iffalse is None:
                return self._ended(text)
            text += f"{_indent(depth)}else" if text.endswith("\n") else " else"
            waits = self.around.steps is not None and node.iffalse in self.around.steps.barriers
            if waits or not isinstance(node.iffalse, c_ast.If):
                return self._ended(text + self._body(node.iffalse, depth, braces))
            text += " "
            node = node.iffalse

    def _print_while(self, node: c_ast.While, depth: int) -> str:
        head = f"{self._mark(node)}{_indent(depth)}while ({self.condition(node.cond)})"
        return self._ended(head + self._body(node.stmt, depth, loop=node))

    def _print_do_while(self, node: c_ast.DoWhile, depth: int) -> str:
        head = f"{self._mark(node)}{_indent(depth)}do"
        body = self._body(node.stmt, depth, braces=True, loop=node)
        return f"{head}{body} while ({self.condition(node.cond)});\n"

    def _print_for(self, node: c_ast.For, depth: int) -> str:
        init = node.init
        before = ""
        outer = depth
        if isinstance(init, c_ast.DeclList):
            decls = [d for d in init.decls if self._is_object(d)]
            has_cleanups = any(isinstance(d, Cleanup) for d in init.decls)
            start = None if has_cleanups or node in self._split else self._joined_declarations(decls)
            if start is None:
                depth += 1
                self._depth = depth
                before = self._scoped(init.decls, depth, node in self._split)
                start = ""
        else:
            start = self._discarded(init).text if init is not None else ""
            decls = []
        condition = f" {self.condition(node.cond)}" if node.cond is not None else ""
        step = f" {self._discarded(node.next).text}" if node.next is not None else ""
        head = f"{self._mark(node)}{_indent(depth)}for ({start};{condition};{step})"
        stmt = node.stmt
        if isinstance(stmt, c_ast.Compound) and self._redeclares(stmt, decls):
            stmt = c_ast.Compound([stmt], stmt.coord)
        text = before + self._ended(head + self._body(stmt, depth, loop=node))
        return f"{_indent(outer)}{{\n{text}{_indent(outer)}}}\n" if depth > outer else text

    @staticmethod
    def _redeclares(body: c_ast.Compound, decls: list[c_ast.Decl]) -> bool:
        """Whether the body's own block declares a name of the loop's, which C++ forbids."""
        names = {d.name for d in decls}
        return any(isinstance(item, c_ast.Decl) and item.name in names for item in body.block_items or ())

    def _joined_declarations(self, decls: list[c_ast.Decl]) -> str | None:
        """``int i = 0, j = 1``; None when the declarations need statements of their own."""
        symbols = [self.sema.decl_symbol(d) for d in decls]
        types = [s.type for s in symbols]
        if any("static" in d.storage or is_variably_modified(t) for d, t in zip(decls, types, strict=True)):
            return None
        if any(map(self._alignment, decls)):
            return None
        if (self.around.team_memory.shared | self.unit.escaping.declared).intersection(symbols):
            return None
        if len(decls) > 1 and any(not isinstance(t, Scalar) or t != types[0] for t in types):
            return None
        parts: list[str] = []
        for decl, symbol in zip(decls, symbols, strict=True):
            name = self.symbol_text(symbol)
            t = symbol.type if decl.init is not None else without_const(symbol.type)
            init = self._initialiser_text(t, decl.init) if decl.init is not None else ""
            parts.append((name if parts else self.declaration(t, name)) + init)
        return ", ".join(parts)

    def _print_return(self, node: c_ast.Return, depth: int) -> str:
        value = ""
        if node.expr is not None:
            result = self._result
            value = self.converted(node.expr, result) if result is not None else self.expression(node.expr)
            if result is not None and is_void(result) and not is_void(self._type(node.expr)):  # gcc warns
                value = ct.cast("void", self._emit(node.expr)).text
            elif result is not None and is_empty(result):
                value = self._nothing(node.expr)
            elif self._has_cleanups and isinstance(result, Record):  # a copy, made before them
                value = f"({self.declaration(strip(result))})({value})"
            value = " " + value
        elif self._result is not None and not is_void(self._result):
            value = " {}"  # gcc before 14 takes it, with a warning
        return f"{self._mark(node)}{_indent(depth)}return{value};\n"

    def _print_break(self, node: c_ast.Break, depth: int) -> str:
        return f"{self._mark(node)}{_indent(depth)}break;\n"

    def _print_continue(self, node: c_ast.Continue, depth: int) -> str:
        return f"{self._mark(node)}{_indent(depth)}continue;\n"

    def _print_goto(self, node: c_ast.Goto, depth: int) -> str:
        if not isinstance(node.name, str):
            raise self.error(node, "a computed 'goto' is not supported")
        return f"{self._mark(node)}{_indent(depth)}goto {local_name(node.name)};\n"

    def _print_label(self, node: c_ast.Label, depth: int) -> str:
        label = f"{_indent(max(depth - 1, 0))}{local_name(node.name)}:"
        if node.stmt is None or isinstance(node.stmt, c_ast.EmptyStatement | c_ast.Decl | c_ast.Typedef):
            split = node.stmt in self._split
            rest = self._lines(node.stmt, depth, split) if isinstance(node.stmt, c_ast.Decl) else ""
            return f"{label};\n{rest}"
        text = self._lines(node.stmt, depth)
        if node.stmt in self._valued:  # a labelled expression would have no value in C++
            return f"{label};\n{text}"
        return f"{label}\n{text}" if text else f"{label};\n"

    def _print_empty_statement(self, _node: c_ast.EmptyStatement, _depth: int) -> str:
        return ""

    def _print_attributed_statement(self, node: Any, depth: int) -> str:
        return self._lines(node.stmt, depth)

    def _print_omp_construct(self, node: OmpConstruct, depth: int) -> str:
        return self.around.construct(node, self, depth)

    def _print_decl_list(self, node: c_ast.DeclList, depth: int) -> str:
        return self._scoped(node.decls, depth)

    # ---- switch ----

    def _print_switch(self, node: c_ast.Switch, depth: int) -> str:
        t = integer_promote(self._value_type(node.cond))
        condition = self._emit(node.cond)
        condition = ct.cast("int", condition) if is_bool_text(node.cond) else condition
        if ranges := self._long_ranges(node.stmt, t):
            bounds = [self._label_value(bound, t) for case in ranges for bound in case.expr]
            arguments = ", ".join(text.at(ct.ASSIGN) for text in (condition, *bounds))
            condition = Text(f"rex_start_of_range<{self.declaration(t)}>({arguments})", ct.POSTFIX)
        out = [f"{self._mark(node)}{_indent(depth)}switch ({condition.text}) {{\n"]
        self._switch_types.append(t)
        items = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
        for position, item in enumerate(items):
            if position and self._is_label(item) and self._falls_through(items[position - 1]):
                out.append(f"{_indent(depth + 1)}[[fallthrough]];\n")
            saved, self._hoisted = self._hoisted, []
            if isinstance(item, c_ast.Case | c_ast.Default):
                line = self._case(item, depth, items[position + 1 :])
            else:
                line = self._lines(item, depth + 1, True)
            out += [f"{_indent(depth + 1)}{h}\n" for h in self._hoisted]
            self._hoisted = saved
            out.append(line)
        self._switch_types.pop()
        return "".join(out) + f"{_indent(depth)}}}\n"

    def _is_label(self, node: c_ast.Node) -> bool:
        """Whether a label is printed for a statement: none is for a range without values."""
        return isinstance(node, c_ast.Case | c_ast.Default) and self._case_label(node) != ""

    @staticmethod
    def _falls_through(previous: c_ast.Node) -> bool:
        if isinstance(previous, c_ast.Case | c_ast.Default):
            real = [s for s in previous.stmts or () if not isinstance(s, c_ast.EmptyStatement)]
            return bool(real) and can_complete(real[-1])
        return not isinstance(previous, c_ast.Decl | c_ast.Typedef) and can_complete(previous)

    def _range(self, node: c_ast.Case | c_ast.Default, t: CType) -> range | None:
        """The values of ``case low ... high`` in a switch over type ``t``, None for other labels."""
        if isinstance(node, c_ast.Default) or not isinstance(node.expr, c_ast.BinaryOp) or node.expr.op != "...":
            return None
        low, high = self.sema.value(node.expr.left), self.sema.value(node.expr.right)
        if low is None or high is None:
            raise self.error(node, "a case range whose bounds are not known is not supported")
        return range(wrap(low, t), wrap(high, t) + 1)

    def _long_ranges(self, body: c_ast.Node, t: CType) -> list[c_ast.Case]:
        """The case ranges of a switch that have one label, for their first value; those of switches in it are not."""
        found: list[c_ast.Case] = []
        stack = [body]
        while stack:
            node = stack.pop()
            if isinstance(node, c_ast.Case) and (values := self._range(node, t)) and _is_long(values):
                found.append(node)
            if not isinstance(node, c_ast.Switch):
                stack += reversed(list(node))
        return found

    def _case_label(self, node: c_ast.Case | c_ast.Default) -> str:
        """The label, or one for each value of a range: nvcc takes ranges and then ignores what is inside them."""
        if isinstance(node, c_ast.Default):
            return "default:"
        t = self._switch_types[-1]
        values = self._range(node, t)
        if values is None:
            return f"case {self._label_value(node.expr, t).text}:"
        if _is_long(values):
            return f"case {self._label_value(node.expr.left, t).text}:"
        return " ".join(f"case {value}{'u' if value >= 2**63 else ''}:" for value in values)

    def _label_value(self, node: c_ast.Node, t: CType) -> Text:
        """A constant as a label of a switch over type ``t`` has it: C converts it, C++ asks for the cast."""
        value = self.sema.value(node)
        text = self._emit(node)
        low, high = integer_range(t)
        return text if value is None or low <= value <= high else ct.cast(self.declaration(t), text)

    def _case(self, node: c_ast.Case | c_ast.Default, depth: int, rest: list[c_ast.Node]) -> str:
        """A case with its statements; its declarations get a block of their own when nothing after it sees them."""
        stmts = [s for s in node.stmts or [] if not isinstance(s, c_ast.EmptyStatement)]
        declares = any(isinstance(s, c_ast.Decl) for s in stmts)
        cleanups = [s for s in stmts if isinstance(s, Cleanup)]
        if cleanups and any(isinstance(item, c_ast.Case | c_ast.Default) for item in rest):
            self._cleanup_lines(cleanups[0], depth, True)
        label = self._case_label(node)
        if not label:
            return self._scoped(stmts, depth + 1, True)
        head = f"{self._mark(node)}{_indent(depth)}{label}"
        if not stmts:
            return head + (";\n" if not rest else "\n")
        block = declares and self._is_private(stmts, rest)
        if len(stmts) == 1 and isinstance(stmts[0], c_ast.Compound):
            stmts, block = stmts[0].block_items or [], True
        inner = self._scoped(stmts, depth + 1, declares and not block)
        if block:
            return f"{head} {{\n{inner}{_indent(depth)}}}\n"
        return f"{head}\n{inner}" if inner else f"{head};\n"

    def _is_private(self, stmts: list[c_ast.Node], rest: list[c_ast.Node]) -> bool:
        declared = {self.sema.decl_symbol(s) for s in stmts if isinstance(s, c_ast.Decl) and s.name is not None}
        if any(isinstance(n, c_ast.Label | c_ast.Case | c_ast.Default) for s in stmts for n in walk(s)):
            return False
        used = (n for item in rest for n in walk(item) if isinstance(n, c_ast.ID))
        return not any(self.sema.symbol(n) in declared for n in used)

    def _print_case(self, node: c_ast.Case, depth: int) -> str:
        """A case label inside a nested block."""
        inner = self._scoped(node.stmts or [], depth)
        label = self._case_label(node)
        if not label:
            return inner
        return f"{_indent(max(depth - 1, 0))}{label}" + (f"\n{inner}" if inner else ";\n")

    _print_default = _print_case

    # ---- local declarations ----

    def _is_object(self, node: c_ast.Node) -> bool:
        if not isinstance(node, c_ast.Decl) or node.name is None or "extern" in node.storage:
            return False
        return not isinstance(self.sema.decl_symbol(node).type, Function)

    def _declaration_lines(self, node: c_ast.Decl, depth: int, split: bool, guard: bool = False) -> str:
        if not self._is_object(node):
            return ""
        mark, pad = self._mark(node), _indent(depth)
        symbol = self.sema.decl_symbol(node)
        t, name = symbol.type, self.symbol_text(symbol)
        reason = refused_type(innermost(t))
        if reason:
            raise self.error(node, reason)
        if isinstance(t, Array) and is_flattened(t):
            lines = self._local_array(symbol, t, name, self._alignment(node))
            return mark + "".join(f"{pad}{line};\n" for line in lines)
        alignment = self._alignas(node)
        if symbol.storage == "static" and symbol in self.symbol_names:
            return ""  # declare target: a device variable
        if symbol.storage == "static":
            return f"{mark}{pad}{alignment}{self._static_local(node, symbol, name)};\n"
        if is_sizeless(t):
            lines = [alignment + self.types.variable(t, name)]
            lines += [effect.text for effect in self.initial_effects(t, node.init)]
            return mark + "".join(f"{pad}{line};\n" for line in lines)
        extents = "".join(f"{pad}{line};\n" for line in self.bind_extents(symbol, name, split))
        in_team = symbol in self.around.team_memory.shared
        if symbol in (self.around.team_memory.heap if in_team else self.unit.escaping.declared):
            lines = []
            if split:
                stem = self._temporary_name(symbol.name)
                name = on_heap(stem)
                self.symbol_names = {**self.symbol_names, symbol: name}
                self._at_start += heap_object(self, stem, without_const(t), self._alignment(node))
            else:
                lines = heap_object(self, symbol.name, without_const(t), self._alignment(node))
            if node.init is not None:
                lines += self.assignments(name, read_initialiser(self.sema, without_const(t), node.init))
            return extents + mark + "".join(f"{pad}{line};\n" for line in lines)
        if in_team:
            alignment, split = f"REX_TEAM_SHARED {alignment}", True
        if node.init is None:
            return f"{extents}{mark}{pad}{alignment}{self.declaration(without_const(t), name)};\n"
        if not split:
            init = self._initialiser_text(t, node.init)
            return f"{extents}{mark}{pad}{alignment}{self.declaration(stored_type(t), name)}{init};\n"
        t = without_const(t)
        assignments = self.assignments(name, read_initialiser(self.sema, t, node.init))
        if guard and assignments:
            assignments = ["if (rex_team_first()) {", *(f"    {a};" for a in assignments), "}"]
            declared = f"{pad}{alignment}{self.declaration(t, name)};\n"
            return extents + mark + declared + "".join(f"{pad}{line}\n" for line in assignments)
        lines = [alignment + self.declaration(t, name), *assignments]
        return extents + mark + "".join(f"{pad}{line};\n" for line in lines)

    def _cleanup_lines(self, node: Cleanup, depth: int, split: bool) -> str:
        """An object that makes the call when the scope is left, however that is."""
        if split:
            what = f"a jump past the declaration of '{node.call.args.exprs[0].expr.name}', which has a clean-up,"
            raise self.error(node, f"{what} is not supported")
        call = self._discarded(node.call).text
        return f"{_indent(depth)}rex_at_end {self._temporary_name('cleanup')}{{[&] {{ {call}; }}}};\n"

    def _local_array(self, symbol: Symbol, t: Array, name: str, alignment: int) -> list[str]:
        """A variable-length array: storage on the device's heap that ends with the block, seen as a flat pointer.
        ``alignment`` is in bytes, 0 for the type's own."""
        extents: list[str] = []
        lines: list[str] = []
        for number, dim in enumerate(dimensions(t)):
            if isinstance(dim, int):
                extents.append(str(dim))
                continue
            if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
                raise self.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
            extents.append(f"{name}__extent{number}")
            lines.append(f"const long {extents[-1]} = {self.converted(dim, Scalar('long'))}")
        element: CType = t
        while isinstance(element, Array):
            element = element.of
        element = without_const(element)
        asked = f", {alignment}" if alignment else ""
        lines.append(f"rex_local_array<{self.declaration(element)}> {name}__storage({' * '.join(extents)}{asked})")
        lines.append(f"{self.declaration(Pointer(element), name)} = {name}__storage.elements")
        self.extents[symbol] = tuple(extents[1:])
        self.outer_extents[symbol] = extents[0]
        return lines

    def _static_local(self, node: c_ast.Decl, symbol: Symbol, name: str) -> str:
        self._static_local_init = True
        init = self._initialiser_text(symbol.type, node.init) if node.init is not None else " = {}"
        self._static_local_init = False
        if is_sizeless(symbol.type):
            return f"static {self.types.variable(symbol.type, name)}"
        return f"static {self.declaration(stored_type(symbol.type), name)}{init}"

    def _alignas(self, node: c_ast.Decl, least: int = 0) -> str:
        strictest = self._alignment(node, least)
        return f"alignas({strictest}) " if strictest else ""

    def _alignment(self, node: c_ast.Decl, least: int = 0) -> int:
        """What a declaration asks for, in bytes; 0 where its type's own will do."""
        strictest = max((self._alignas_value(a) for a in node.align or ()), default=least)
        by_attribute = self.sema.layout.of_declaration(node).align
        if by_attribute > alignof(self.sema.resolve_type(node)):  # alignas can ask for no less
            strictest = max(strictest, by_attribute)
        return max(strictest, asked_alignment(self.sema.resolve_type(node)))

    def _alignas_value(self, spec: c_ast.Alignas) -> int:
        operand = spec.alignment
        if isinstance(operand, c_ast.Typename):
            return alignof(self.sema.resolve_type(operand))
        return self.sema.value(operand) or 0

    def bind_extents(self, symbol: Symbol, name: str, split: bool = False) -> list[str]:
        """Declarations that hold the extents of a pointer to variable-length arrays, as they are at this point."""
        t = symbol.type
        if not isinstance(t, Pointer) or not is_flattened(t):
            return []
        lines: list[str] = []
        texts: list[str] = []
        for number, dim in enumerate(dimensions(t.to), 1):
            if isinstance(dim, int):
                texts.append(str(dim))
                continue
            if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
                raise self.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
            extent = f"{name}__extent{number}"
            value = self.converted(dim, Scalar("long"))
            lines += [f"long {extent}", f"{extent} = {value}"] if split else [f"const long {extent} = {value}"]
            texts.append(extent)
        self.extents[symbol] = tuple(texts)
        return lines
