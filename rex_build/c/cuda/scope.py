"""The scope in which a piece of device code is printed: the meaning of its names, and the state of the printing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum, auto
from functools import cached_property
from itertools import count
from typing import Any, TypeVar

from pycparser import c_ast

from ...base.diagnostics import SourceSpan
from ...base.layers import Layers
from ...base.line_directives import line_marker
from ...base.names import indent
from ...base.records import dataclass, field, replace
from ...plan.constructs import Code, Entity, Escaping
from ...plan.printer import Surroundings, on_heap
from ..analysis.device_names import DeviceNames
from ..analysis.devicecode import UsedCode
from ..sema import Sema, Symbol
from ..sema.ctype import CType, Pointer, strip
from ..sema.type_questions import asked_alignment, decay
from ..syntax.nodes import ParsedUnit
from .text import Text
from .types import TypePrinter, alignas

# The facts about a unit whose device code is printed.

Locate = Callable[[c_ast.Node], SourceSpan | None]


@dataclass(frozen=True)
class PrintedUnit:
    """The facts that are the same for all code of a unit.

    ``locate`` gives the place of a node in the user's files. With it, every statement has a line marker before it.
    """

    sema: Sema
    code: UsedCode
    locate: Locate | None = None
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    fuses: bool = True  # products may be fused with sums (not under -ffp-contract=off)
    shared: frozenset[Symbol] = frozenset()  # functions that other units may call by name
    kept_as_calls: frozenset[str] = frozenset()  # functions not to be inlined
    escaping: Escaping = field(default_factory=Escaping)
    unrolled: frozenset[Code] = frozenset()
    tables: frozenset[Entity] = frozenset()
    parsed: ParsedUnit | None = None  # for type definitions
    serials: Iterator[int] = field(default_factory=lambda: count(1))  # numbers for temporaries
    printed: set[Symbol] = field(default_factory=set)  # symbols that the text mentions so far

    @cached_property
    def device_names(self) -> DeviceNames:
        """The names at file scope, which are chosen when they are first asked for."""
        return DeviceNames(self.code)


_S = TypeVar("_S", bound="Scope")


@dataclass(frozen=True)
class Grammar:
    """How nodes are printed. The functions of every concern call these for the parts of what they print."""

    emit: Callable[[Scope, c_ast.Node], Text]  # an expression's value
    place: Callable[[Scope, c_ast.Node], Text]  # the same, if it is not read or belongs to a plain object
    discarded: Callable[[Scope, c_ast.Node], Text]  # an expression whose value is not used
    lines: Callable[[Scope, c_ast.Node, int, bool], str]  # a statement; a declaration may have to be split
    statement: Callable[[Scope, c_ast.Node, int], str]
    statements: Callable[[Scope, c_ast.Node, int], str]


class Storage(Enum):
    """Where the object lives whose initialiser is printed."""

    AUTOMATIC = auto()
    STATIC_LOCAL = auto()  # in a function
    STATIC = auto()  # a device variable: C++ asks for a constant


class Body:
    """The state while a function, a construct or an initialiser is printed.

    Temporaries that live until the end of the block in C (compound literals whose address is taken) are declared before
    the statement. Their declarations are collected in ``hoisted``, which is None if there is no place for them.
    """

    __slots__ = (
        "at_start", "depth", "designated", "has_cleanups", "has_jumps", "hoisted", "pointed_into",
        "result", "split", "subscripted", "switch_types", "valued", "where",
    )  # fmt: skip

    def __init__(
        self,
        where: c_ast.Node | None = None,
        result: CType | None = None,
        hoisted: list[str] | None = None,
    ) -> None:
        self.where = where  # the place of errors for which no other node is known
        self.result = result  # the function's result type
        self.hoisted = hoisted
        self.depth = 0  # levels of indentation
        self.at_start: list[str] = []  # declarations for the start of the body
        self.split: set[c_ast.Node] = set()  # declarations and loops that a jump passes: see :mod:`.statements`
        self.has_jumps = True  # labels, switches or clean-ups may be inside; False only after a search for them
        self.has_cleanups = False
        self.switch_types: list[CType] = []  # the types of the switches around
        # What the expression around a node does with it; this is noted before the node is printed:
        self.pointed_into: set[c_ast.Node] = set()  # values of structures whose parts have their addresses taken
        self.subscripted: set[c_ast.Node] = set()  # arrays of which one element is read
        self.designated: set[c_ast.Node] = set()  # elements of values whose parts have their addresses taken
        self.valued: set[c_ast.Node] = set()  # last statements of statement expressions whose value is used


class Scope:
    """Prints code of one unit.

    ``names`` has the texts of symbols that are not printed under their own names, with the parentheses that they need.
    Symbols of variably modified type are printed flattened. For these, ``extents`` has the inner extents as 64-bit
    values (dimensions 1 to n-1 of an array), and ``outer_extents`` the outermost one. ``lengths`` has the values
    of array lengths that a declaration has evaluated.
    """

    __slots__ = (
        "around",
        "body",
        "extents",
        "grammar",
        "lengths",
        "names",
        "outer_extents",
        "sema",
        "storage",
        "types",
        "unit",
    )

    def __init__(
        self, grammar: Grammar, unit: PrintedUnit, around: Surroundings, names: Layers[Symbol, str], body: Body
    ) -> None:
        self.grammar = grammar
        self.unit = unit
        self.around = around
        self.names = names
        self.body = body
        self.storage = Storage.AUTOMATIC
        self.extents: Layers[Symbol, tuple[Text, ...]] = Layers({})
        self.outer_extents: Layers[Symbol, Text] = Layers({})
        self.lengths: dict[c_ast.Node, Text] = {}
        self.sema = unit.sema
        self.types = TypePrinter(unit.device_names, self._refuse)

    # ---- scopes inside this one ----

    def with_names(self: _S, more: Mapping[Symbol, str], body: Body | None = None, **facts: Any) -> _S:  # noqa: PYI019
        """A scope inside this one in which ``more`` symbols print in another way. ``facts`` are the surroundings' that
        are others there; ``body`` is what is printed there, where that is another."""
        around = replace(self.around, **facts) if facts else self.around
        inner = type(self)(self.grammar, self.unit, around, self.names.inside(more), body or self.body)
        inner.extents = self.extents.inside({})
        inner.outer_extents = self.outer_extents.inside({})
        inner.lengths = self.lengths if body is None else {}
        return inner

    def in_static(self, storage: Storage, body: Body | None = None) -> Scope:
        """A scope inside this one for the initialiser of an object of static storage."""
        inner = self.with_names({}, body)
        inner.storage = storage
        return inner

    @property
    def is_static(self) -> bool:
        """Whether the initialiser of a device variable is printed."""
        return self.storage is Storage.STATIC

    # ---- parts of what is printed ----

    def emit(self, node: c_ast.Node) -> Text:
        """An expression's value."""
        return self.grammar.emit(self, node)

    def place(self, node: c_ast.Node) -> Text:
        """An expression whose value is not read or belongs to a plain object."""
        return self.grammar.place(self, node)

    def discarded(self, node: c_ast.Node) -> Text:
        """An expression whose value is not used."""
        return self.grammar.discarded(self, node)

    def expression(self, node: c_ast.Node) -> str:
        """The text of an expression."""
        return self.grammar.emit(self, node).text

    def lines(self, node: c_ast.Node, depth: int, split: bool = False) -> str:
        """The lines of one statement inside a body."""
        return self.grammar.lines(self, node, depth, split)

    def statement(self, node: c_ast.Node, depth: int) -> str:
        """The lines of a statement that is a body. A compound statement keeps its braces."""
        return self.grammar.statement(self, node, depth)

    def statements(self, node: c_ast.Node, depth: int) -> str:
        """The lines of a statement, or of the contents of a compound statement, for use inside the caller's braces."""
        return self.grammar.statements(self, node, depth)

    # ---- types and names ----

    def type(self, node: c_ast.Node) -> CType:
        """The type of an expression."""
        return self.sema.type(node)

    def value_type(self, node: c_ast.Node) -> CType:
        """The type of an expression's value, without qualifiers and with arrays as pointers."""
        return strip(decay(self.sema.type(node)))

    def declaration(self, t: CType, name: str = "") -> str:
        """The C++ text that declares ``name``, or an abstract type if ``name`` is empty."""
        return self.types.declaration(t, name)

    def symbol_text(self, symbol: Symbol) -> str:
        """The text of an identifier, for text that is kept."""
        self.unit.printed.add(symbol)
        return self.name_of(symbol)

    def name_of(self, symbol: Symbol) -> str:
        """The text of an identifier."""
        text = self.names.get(symbol)
        if text is not None:
            return text
        if symbol.is_enumerator:
            return self.unit.device_names.enumerator(symbol)
        return self.unit.device_names.symbol(symbol)

    def temporary(self, stem: str = "value") -> str:
        """A new name, which nothing else in the unit has."""
        return f"rex_{stem}_{next(self.unit.serials)}"

    # ---- errors ----

    def error(self, node: Any, message: str) -> Exception:
        """An error at the node's place, ready to raise."""
        return self.sema.error(node, f"{message} in device code")

    def _refuse(self, reason: str) -> Exception:
        return self.error(self.body.where, reason)


# Declares additional objects: temporaries in front of a statement, and variables on the device's heap.

def heap_object(scope: Scope, name: str, t: CType, alignment: int | str | None) -> list[str]:
    """Declarations of a variable on the device's heap: ``name__rex_at`` points to it."""
    asked = f", {alignment}" if alignment else ""
    return [
        f"rex_local_array<{scope.declaration(t)}> {name}__rex_storage(1{asked})",
        f"{scope.declaration(Pointer(t), f'const {name}__rex_at')} = {name}__rex_storage.elements",
    ]


def heap_variable(scope: Scope, symbol: Symbol, t: CType, alignment: int | str | None) -> list[str]:
    """Declarations of the user's variable on the device's heap, after which the user's name means it.

    Closures, which would copy what the reference refers to, bind the name again.
    """
    name = scope.unit.device_names.symbol(symbol)
    scope.names[symbol] = name
    scope.around = replace(scope.around, places={**scope.around.places, symbol: on_heap(symbol.name)})
    return [*heap_object(scope, symbol.name, t, alignment), f"auto &{name} = *{symbol.name}__rex_at"]


def hoisted_object(scope: Scope, node: c_ast.Node, t: CType, init: str) -> str:
    if scope.body.hoisted is None:
        raise scope.error(node, "a compound literal whose address is taken is not supported here")
    name = scope.temporary("literal")
    if scope.is_static:
        scope.body.hoisted.append(f"{alignas(t)}static __device__ {scope.types.variable(t, name)}{init};")
    elif node in scope.unit.escaping.literals:
        scope.body.hoisted += [f"{line};" for line in heap_object(scope, name, t, asked_alignment(t))]
        return on_heap(name)
    else:
        storage = "REX_TEAM_SHARED" if node in scope.around.team_memory.literals else "[[maybe_unused]]"
        scope.body.hoisted.append(f"{storage} {alignas(t)}{scope.types.variable(t, name)};")
    return name


# The alignment that a declaration asks for.

def alignas_text(scope: Scope, node: c_ast.Decl, least: int = 0) -> str:
    strictest = scope.sema.asked_alignment(node, least)
    return f"alignas({strictest}) " if strictest else ""


# Prints the statements of a block, one a line, indented by four spaces a level, with their temporaries before them.

SIMPLE = (
    c_ast.Assignment, c_ast.FuncCall, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.ID, c_ast.Constant,
    c_ast.Cast, c_ast.ExprList, c_ast.ArrayRef, c_ast.StructRef, c_ast.Return, c_ast.Break, c_ast.Continue, c_ast.Goto,
)  # fmt: skip


def block_lines(scope: Scope, items: Iterable[c_ast.Node], depth: int, split: bool = False) -> str:
    """The statements of one block. The temporaries of a statement are declared before it."""
    out: list[str] = []
    for item in items:
        saved, scope.body.hoisted = scope.body.hoisted, []
        text = scope.lines(item, depth, split or item in scope.body.split)
        out += [f"{indent(depth)}{line}\n" for line in scope.body.hoisted]
        out.append(text)
        scope.body.hoisted = saved
    return "".join(out)


def line_mark(scope: Scope, node: c_ast.Node) -> str:
    scope.body.where = node if getattr(node, "coord", None) is not None else scope.body.where
    if scope.unit.locate is None or getattr(node, "coord", None) is None:
        return ""
    span = scope.unit.locate(node)
    return line_marker(span) if span is not None else ""


def compound(scope: Scope, node: c_ast.Compound, depth: int) -> str:
    inner = block_lines(scope, node.block_items or [], depth + 1)
    return f"{indent(depth)}{{\n{inner}{indent(depth)}}}\n"


@dataclass(frozen=True)
class Branch:
    """The text after ``if (...)``: a statement on a line of its own, or a block up to its closing brace."""

    text: str
    is_block: bool

    def ended(self) -> str:
        """The branch with the end of its last line."""
        return self.text + "\n" * self.is_block


def branch(scope: Scope, node: c_ast.Node, depth: int, braces: bool = False, loop: c_ast.Node | None = None) -> Branch:
    """The text after ``if (...)`` or after the head of the ``loop``."""
    steps = scope.around.steps
    waits = steps is not None and loop in steps.ends
    before = scope.around.before.get(node, ())
    stepped = steps is not None and node in steps.barriers | steps.guarded | steps.computed
    braces = braces or waits or stepped or bool(before)
    if isinstance(node, SIMPLE) and not braces:
        saved, scope.body.hoisted = scope.body.hoisted, []
        text = scope.lines(node, depth + 1)
        needs_block = bool(scope.body.hoisted)
        scope.body.hoisted = saved
        if not needs_block:
            return Branch(f"\n{text}", is_block=False)
    items = node.block_items or [] if isinstance(node, c_ast.Compound) else [node]
    if isinstance(node, c_ast.EmptyStatement):
        items = []
    inner = "".join(f"{indent(depth + 1)}{line}\n" for line in before) if isinstance(node, c_ast.Compound) else ""
    inner += block_lines(scope, items, depth + 1)
    if waits:
        inner += f"{indent(depth + 1)}rex_team_wait();\n"
    return Branch(f" {{\n{inner}{indent(depth)}}}", is_block=True)
