"""What code reads and writes, in the order of evaluation. Unlike the analysis of kernels it never gives up.

What it cannot relate to a variable has no root, and whoever needs to know all accesses must ask for such uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from pycparser import c_ast

from ...base.records import dataclass, replace
from ..sema import Sema, Symbol, assignments
from ..sema.ctype import Array, Function, Pointer, Record, strip
from ..syntax.nodes import OmpConstruct
from ..syntax.parser import Elements, StmtExpr
from .places import DEREFERENCE, Places, Root

_MOST_CALLS, _MOST_EVENTS = 4, 4000  # calls in calls that are followed from a region, and what these do
_MOST_ACCESSES = 3000  # of one region. What follows is not checked: nobody writes so many, and they take time.
_STEPS = ("++", "--", "p++", "p--")
# Constructs in which only one thread is at a time, or which a single thread runs.
_GUARDING = frozenset(("atomic", "critical", "ordered", "single", "master", "masked", "sections", "section", "task"))


@dataclass(frozen=True)
class Use:
    """One access. ``node`` is the lvalue, and ``root`` where it is.

    ``operator`` is that of the assignment, as ``+=`` or ``++``. ``conditions`` are the conditions under which it is
    made, ``loops`` the loops around it, and ``constructs`` the OpenMP constructs around it, each outermost first.
    """

    node: c_ast.Node
    root: Root | None
    reads: bool
    writes: bool
    operator: str = ""
    value: c_ast.Node | None = None  # what is assigned
    conditions: tuple[c_ast.Node, ...] = ()
    loops: tuple[c_ast.Node, ...] = ()
    constructs: tuple[OmpConstruct, ...] = ()
    calls: tuple[c_ast.FuncCall, ...] = ()  # through which the region gets to it, outermost first

    @cached_property
    def guards(self) -> frozenset[str]:
        """The constructs around it that keep other threads away."""
        return _GUARDING.intersection(leaf for c in self.constructs for leaf in c.directive.constructs)


@dataclass(frozen=True)
class Lent:
    """A call. ``arguments`` says for each argument that is a pointer where it leads, and is None for the others."""

    node: c_ast.FuncCall
    name: str | None
    arguments: tuple[Root | None, ...]
    conditions: tuple[c_ast.Node, ...] = ()
    loops: tuple[c_ast.Node, ...] = ()
    constructs: tuple[OmpConstruct, ...] = ()
    followed: bool = False  # all that the function does stands beside the call


@dataclass(frozen=True)
class Bound:
    """A pointer gets a value. ``to`` is where that leads, or None if it is not known. ``made`` is the call or the
    string literal that has made what it leads to."""

    node: c_ast.Node
    pointer: Root | None
    to: Root | None
    made: c_ast.Node | None = None


@dataclass(frozen=True)
class Escape:
    """The address of something is used in a way that is not followed."""

    node: c_ast.Node
    root: Root


Event = Use | Lent | Bound | Escape

# Builtins whose operands are names of members, and of what a device has.
_WITHOUT_VALUES = ("offsetof", "__builtin_rex_isa")


class Reader:
    """Reads expressions and statements. What an expression does is found once."""

    def __init__(self, sema: Sema) -> None:
        self._sema, self._places = sema, Places(sema)
        self._known: dict[c_ast.Node, tuple[Event, ...]] = {}

    def expression(self, node: c_ast.Node | None) -> tuple[Event, ...]:
        """What evaluating an expression, or a declaration with its initialiser, does."""
        if node is None:
            return ()
        if node not in self._known:
            walk = _Walk(self._sema, self._places)
            walk.statement(node)
            self._known[node] = tuple(walk.events)
        return self._known[node]

    def value(self, node: c_ast.Node | None) -> Bound | None:
        """What a pointer is bound to that gets the value of an expression, or None if it is no pointer."""
        if node is None or not self._sema.is_typed(node) or not isinstance(strip(self._sema.value_type(node)), Pointer):
            return None
        return _bound(self._places, node, None, node)

    def copied(self, copy: Symbol, value: c_ast.Node) -> Iterator[Bound]:
        """What the pointers in a structure are bound to that becomes a copy of an object."""
        if self._places.root(value) is not None:
            yield from copied_pointers(self._sema, self._places, value, Root(copy), value)

    def statement(self, node: c_ast.Node | None, most: float = math.inf) -> tuple[Event, ...]:
        """What a statement with all its parts does, in the order of the text, or what about ``most`` parts of it do."""
        walk = _Walk(self._sema, self._places, most)
        walk.statement(node)
        return tuple(walk.events)


class Called:
    """What functions that regions call do, said of what the region gives them."""

    def __init__(self, sema: Sema, reader: Reader) -> None:
        self._sema, self._reader = sema, reader
        self._bodies: dict[str, tuple[Event, ...]] = {}
        self._regions: dict[OmpConstruct, tuple[Event, ...]] = {}
        self._cut: set[OmpConstruct] = set()
        self._left = 0

    def of_region(self, construct: OmpConstruct) -> tuple[Event, ...]:
        """What a region does, with what the functions do that it calls."""
        if construct not in self._regions:
            self._left = _MOST_EVENTS
            events = self._reader.statement(construct, _MOST_ACCESSES)
            if len(events) >= _MOST_ACCESSES:
                self._cut.add(construct)
            self._regions[construct] = tuple(self._followed(events, ()))
        return self._regions[construct]

    def is_cut(self, construct: OmpConstruct) -> bool:
        """Whether a region is so long that only its first part is known."""
        self.of_region(construct)
        return construct in self._cut

    def _followed(self, events: Iterable[Event], names: tuple[str, ...]) -> Iterator[Event]:
        """Events with those of the called functions in front of each call. ``names`` are the functions around."""
        for event in events:
            is_known = isinstance(event, Lent) and event.name in self._sema.functions and event.name not in names
            if not is_known or len(names) >= _MOST_CALLS or self._left <= 0:
                yield event
                continue
            assert isinstance(event, Lent)
            inside = self._inside(event, (*names, str(event.name)))
            self._left -= len(inside)
            yield from (e for e in inside if e is not None)
            yield replace(event, followed=None not in inside)

    def _inside(self, call: Lent, names: tuple[str, ...]) -> list[Event | None]:
        """What a call does, with None for what is not known of it."""
        sema, name = self._sema, names[-1]
        function = sema.functions[name]
        if name not in self._bodies:
            sema.analyse(function, on_host=True)
            self._bodies[name] = self._reader.statement(function.body)
        changed = assignments(sema, function.body).symbols
        parameters = {p: number for number, p in enumerate(sema.parameters(function)) if p not in changed}

        def outside(root: Root) -> Root | None:
            """The place as the caller knows it. It is of the function itself if it has no dereference."""
            number = parameters.get(root.symbol)
            if root.symbol.is_global or DEREFERENCE not in root.path:
                return root
            if number is None or root.path[0] != DEREFERENCE:
                return None
            given = call.arguments[number] if number < len(call.arguments) else None
            if given is None:
                return None
            path, one_of = (*given.path, *root.path[1:]), given.one_of or root.one_of
            return Root(given.symbol, path, given.shifted or root.shifted, one_of)

        found: list[Event | None] = []
        for event in self._followed(self._bodies[name], names):
            if isinstance(event, Escape):
                continue
            if isinstance(event, Bound):
                found += [None] if event.pointer is None or DEREFERENCE in event.pointer.path else []
                continue
            root = None
            if isinstance(event, Use):
                root = outside(event.root) if event.root is not None else None
                if root is None:
                    found += [None] if event.writes else []
                    continue
                if root is event.root and not root.symbol.is_global:
                    continue
            conditions = (*call.conditions, *event.conditions)
            constructs = (*call.constructs, *event.constructs)
            loops = (*call.loops, *event.loops)
            here = replace(event, conditions=conditions, loops=loops, constructs=constructs)
            if isinstance(here, Use):
                found.append(replace(here, root=root, calls=(call.node, *here.calls)))
            else:
                given = tuple(outside(a) if a is not None else None for a in here.arguments)
                found.append(replace(here, arguments=given))
        return found


def runs_once(loop: c_ast.Node) -> bool:
    """Whether a loop is ``do … while (0)``, as macros have it around their statements."""
    return type(loop) is c_ast.DoWhile and type(loop.cond) is c_ast.Constant and loop.cond.value == "0"


def without_casts(node: c_ast.Node) -> c_ast.Node:
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return node


def _without_braces(value: c_ast.Node) -> c_ast.Node:
    """The value that a pointer gets, which may stand in braces: ``int *p = {q};``."""
    while isinstance(value, c_ast.InitList) and value.exprs:
        value = value.exprs[0]
    return value


def _bound(places: Places, node: c_ast.Node, pointer: Root | None, value: c_ast.Node) -> Bound:
    """What a pointer is bound to that gets a value."""
    source = without_casts(value)
    makes = isinstance(source, c_ast.FuncCall) or (isinstance(source, c_ast.Constant) and source.type == "string")
    return Bound(node, pointer, places.target(source), source if makes else None)


def copied_pointers(sema: Sema, places: Places, node: c_ast.Node, copy: Root, value: c_ast.Node) -> Iterator[Bound]:
    """What pointers in a structure are bound to that becomes a copy of another one."""
    kind = strip(sema.type(value))
    if not isinstance(kind, Record) or kind.info.kind != "struct":
        return
    source = places.root(value)
    for field in kind.info.fields or ():
        if field.name and isinstance(strip(field.type), Pointer):
            to = source.then(f".{field.name}", DEREFERENCE) if source is not None else None
            yield Bound(node, copy.then(f".{field.name}"), to)


class _Walk:
    def __init__(self, sema: Sema, places: Places, most: float = math.inf) -> None:
        self._sema, self._places, self._most = sema, places, most
        self.events: list[Event] = []
        self._conditions: tuple[c_ast.Node, ...] = ()
        self._loops: tuple[c_ast.Node, ...] = ()
        self._constructs: tuple[OmpConstruct, ...] = ()
        # The statements so far that leave what is around them, with the condition of the `if` around them, and whether
        # they leave the loop around that, too.
        self._exits: list[tuple[c_ast.Node | None, bool]] = []

    # -- statements -------------------------------------------------------------------------------------------------

    def statement(self, node: c_ast.Node | None) -> None:
        if len(self.events) >= self._most:
            return
        if node.__class__ in _READ:  # most statements
            self._value(node)
            return
        match node:
            case None:
                return
            case c_ast.Decl():
                self._declaration(node)
            case c_ast.If():
                self._value(node.cond)
                before = len(self._exits)
                self._under(node.cond, node.iftrue, node.iffalse)
                self._exits[before:] = [(c or node.cond, leaves) for c, leaves in self._exits[before:]]
            case c_ast.Switch():
                self._value(node.cond)
                self._under(node.cond, node.stmt)
            case c_ast.For():
                self.statement(node.init)
                self._value(node.cond)
                self._loop(node)
                self._value(node.next)
            case c_ast.While():
                self._value(node.cond)
                self._loop(node)
            case c_ast.DoWhile():
                self._loop(node)
                self._value(node.cond)
            case OmpConstruct():
                outer = self._constructs
                self._constructs = (*outer, node)
                self.statement(node.body)
                self._constructs = outer
            case c_ast.Return():
                self._value(node.expr)
                self._exits.append((None, True))
            case c_ast.Compound() | c_ast.DeclList() | c_ast.Case() | c_ast.Default() | c_ast.Label():
                outer_conditions = self._conditions
                for _, part in node.children():
                    if part is not getattr(node, "expr", None):
                        before = len(self._exits)
                        self.statement(part)
                        self._conditions += tuple(c for c, _ in self._exits[before:] if c is not None)
                self._conditions = outer_conditions
            case c_ast.Goto() | c_ast.Break() | c_ast.Continue():
                self._exits.append((None, isinstance(node, c_ast.Goto)))
            case c_ast.FuncDef() | c_ast.Typedef() | c_ast.Pragma():
                return
            case c_ast.EmptyStatement():
                return
            case _:
                self._value(node)

    def _under(self, condition: c_ast.Node, *parts: c_ast.Node | None) -> None:
        outer = self._conditions
        self._conditions = (*outer, condition)
        for part in parts:
            self.statement(part)
        self._conditions = outer

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile) -> None:
        outer = self._loops
        before = len(self._exits)
        self._loops = outer if runs_once(node) else (*outer, node)
        if isinstance(node, c_ast.While):
            self._under(node.cond, node.stmt)
        else:
            self.statement(node.stmt)
        self._loops = outer
        self._exits[before:] = [(c, leaves) for c, leaves in self._exits[before:] if leaves]

    def _declaration(self, node: c_ast.Decl) -> None:
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return
        symbol = self._sema.decl_symbol(node)
        if node.init is None or not symbol.is_variable or symbol.has_static_storage:
            return  # a static variable has its value before the program begins, and the function leaves it alone
        init = _without_braces(node.init) if isinstance(strip(symbol.type), Pointer) else node.init
        if not self._sema.is_typed(init) and not isinstance(init, c_ast.InitList):
            self._note(node, Root(symbol), False, True)
            return
        if isinstance(strip(symbol.type), Pointer) and not isinstance(init, c_ast.InitList):
            self._bind(node, Root(symbol), init)
            return
        self._initialiser(node.init)
        self._note(node, Root(symbol), False, True)
        self._bind_members(node, symbol)

    def _bind_members(self, node: c_ast.Decl, symbol: Symbol) -> None:
        """The pointers that a structure's initialiser gives to its members, as far as it has one item for each."""
        kind = strip(symbol.type)
        if not isinstance(node.init, c_ast.InitList):
            self._bind_copies(node, Root(symbol), node.init)
        if not isinstance(kind, Record) or kind.info.kind != "struct" or not isinstance(node.init, c_ast.InitList):
            return
        fields = {f.name: f for f in kind.info.fields or ()}
        names = list(fields)
        at = 0
        for item in node.init.exprs or ():
            value = item
            if isinstance(item, c_ast.NamedInitializer):
                if len(item.name) != 1 or not isinstance(item.name[0], c_ast.ID) or item.name[0].name not in fields:
                    return
                at, value = names.index(item.name[0].name), item.expr
            if at >= len(names):
                return
            inner = strip(fields[names[at]].type)
            if isinstance(inner, Pointer):
                value = _without_braces(value)
                if names[at] and not isinstance(value, c_ast.InitList):
                    event = _bound(self._places, node, Root(symbol, (f".{names[at]}",)), value)
                    self.events.append(replace(event, to=None) if self._conditions else event)
            elif isinstance(inner, (Record, Array)) and not isinstance(value, c_ast.InitList):
                return  # its items may follow without braces
            at += 1

    def _bind_copies(self, node: c_ast.Node, copy: Root, value: c_ast.Node) -> None:
        """The pointers in a structure that becomes a copy of another one."""
        for event in copied_pointers(self._sema, self._places, node, copy, value):
            self.events.append(replace(event, to=None) if self._conditions else event)

    def _initialiser(self, init: c_ast.Node) -> None:
        if isinstance(init, c_ast.InitList):
            for item in init.exprs or ():
                self._initialiser(item.expr if isinstance(item, c_ast.NamedInitializer) else item)
        else:
            self._value(init)
            self._given_away(init)

    # -- expressions ------------------------------------------------------------------------------------------------

    def _note(
        self,
        node: c_ast.Node,
        root: Root | None,
        reads: bool,
        writes: bool,
        operator: str = "",
        value: c_ast.Node | None = None,
    ) -> None:
        self.events.append(
            Use(node, root, reads, writes, operator, value, self._conditions, self._loops, self._constructs)
        )

    def _bind(self, node: c_ast.Node, pointer: Root | None, value: c_ast.Node) -> None:
        event = _bound(self._places, node, pointer, value)
        if event.to is not None:
            self._subscripts(without_casts(value))
        else:
            self._value(without_casts(value))
        self.events.append(replace(event, to=None) if self._conditions else event)

    def _value(self, node: Any) -> None:
        kind = node.__class__
        if kind in _WITHOUT_EVENTS or (kind is c_ast.UnaryOp and node.op in ("sizeof", "_Alignof")):
            return
        read = _READ.get(kind)
        if read is not None and (node in self._sema.types or kind in _LISTS):
            read(self, node)

    def _lvalue(self, node: c_ast.Node) -> None:
        root = self._places.root(node)
        if root is None and node.__class__ is c_ast.ID:
            return  # a function, an enumerator or a builtin
        self._subscripts(node)
        kind = self._sema.type(node).__class__
        if kind is Array:
            if root is not None:
                self.events.append(Escape(node, root))
        elif kind is not Function:
            self._note(node, root, True, False)

    def _unary(self, node: c_ast.UnaryOp) -> None:
        operator = node.op
        if operator == "*":
            self._lvalue(node)
        elif operator == "&":
            self._subscripts(node.expr)
            root = self._places.root(node.expr)
            if root is not None:
                self.events.append(Escape(node, root))
        elif operator in _STEPS:
            self._subscripts(node.expr)
            root = self._places.root(node.expr)
            self._note(node.expr, root, True, True, operator)
            if self._sema.type(node.expr).__class__ is Pointer:
                self.events.append(Bound(node, root, None))
        else:
            self._value(node.expr)

    def _cast(self, node: c_ast.Cast) -> None:
        self._value(node.expr)
        if self._sema.type(node).__class__ is not Pointer:
            self._given_away(node.expr)

    def _binary(self, node: c_ast.BinaryOp) -> None:
        self._value(node.left)
        outer = self._conditions
        if node.op in ("&&", "||"):
            self._conditions = (*outer, node.left)
        self._value(node.right)
        self._conditions = outer

    def _choice(self, node: c_ast.TernaryOp) -> None:
        self._value(node.cond)
        outer = self._conditions
        self._conditions = (*outer, node.cond)
        for part in (node.iftrue, node.iffalse):
            self._value(part)
            self._given_away(part)
        self._conditions = outer

    def _list(self, node: c_ast.ExprList) -> None:
        for part in node.exprs:
            self._value(part)

    def _given_away(self, node: c_ast.Node) -> None:
        """A pointer's value goes where it is not followed."""
        if self._sema.is_typed(node) and isinstance(strip(self._sema.value_type(node)), Pointer):
            target = self._places.target(node)
            if target is not None:
                self.events.append(Escape(node, target))

    def _assignment(self, node: c_ast.Assignment) -> None:
        root = self._places.root(node.lvalue)
        if isinstance(strip(self._sema.type(node.lvalue)), Pointer):
            self._subscripts(node.lvalue)
            if node.op == "=":
                self._bind(node, root, node.rvalue)
            else:
                self._value(node.rvalue)
                self.events.append(Bound(node, root, None))
            self._note(node.lvalue, root, node.op != "=", True, node.op)
            return
        self._value(node.rvalue)
        self._subscripts(node.lvalue)
        self._note(node.lvalue, root, node.op != "=", True, node.op, node.rvalue)
        if root is not None:
            self._bind_copies(node, root, node.rvalue)

    def _subscripts(self, node: c_ast.Node) -> None:
        """What is evaluated to find an lvalue, such as the index and the pointer of ``p[i]``."""
        sema = self._sema
        match node:
            case c_ast.ID():
                return
            case c_ast.ArrayRef():
                is_base = isinstance(strip(sema.type(node.name)), (Pointer, Array))
                base, index = (node.name, node.subscript) if is_base else (node.subscript, node.name)
                self._value(index)
                self._pointer(base)
            case c_ast.UnaryOp(op="*"):
                self._pointer(node.expr)
            case c_ast.StructRef(type="."):
                self._subscripts(node.name)
            case c_ast.StructRef():
                self._pointer(node.name)
            case c_ast.UnaryOp(op="&"):
                self._subscripts(node.expr)
            case c_ast.BinaryOp() if self._places.target(node) is not None:
                for side in (node.left, node.right):
                    self._pointer(side)
            case c_ast.Cast():
                self._subscripts(node.expr)
            case _:
                self._value(node)

    def _pointer(self, node: c_ast.Node) -> None:
        """A pointer or an array that is followed at once."""
        if isinstance(strip(self._sema.type(node)), Array) or (
            isinstance(node, (c_ast.BinaryOp, c_ast.UnaryOp, c_ast.Cast)) and self._places.target(node) is not None
        ):
            self._subscripts(node)
        else:
            self._value(node)

    def _call(self, node: c_ast.FuncCall) -> None:
        sema = self._sema
        if isinstance(node.name, c_ast.ID) and node.name.name in _WITHOUT_VALUES:
            return
        leads: list[Root | None] = []
        for argument in node.args.exprs if node.args is not None else ():
            if isinstance(argument, c_ast.Typename) or not sema.is_typed(argument):
                continue
            target = self._places.target(argument)
            if target is not None:
                self._subscripts(argument)
            else:
                self._value(argument)
            leads.append(target)
        name = None
        if isinstance(node.name, c_ast.ID):
            symbol = sema.symbol(node.name)
            name = node.name.name if symbol is None or not symbol.is_variable else None
        else:
            self._value(node.name)
        self.events.append(Lent(node, name, tuple(leads), self._conditions, self._loops, self._constructs))


_WITHOUT_EVENTS = frozenset((type(None), c_ast.Constant, c_ast.Typename))
_LISTS = frozenset((c_ast.InitList, c_ast.ExprList))  # which need no type
# What reads an expression, by its class: these are asked of all code that regions or the flow get to.
_READ: dict[type, Callable[[_Walk, Any], None]] = {
    c_ast.ID: _Walk._lvalue,
    c_ast.ArrayRef: _Walk._lvalue,
    c_ast.StructRef: _Walk._lvalue,
    Elements: _Walk._lvalue,
    c_ast.UnaryOp: _Walk._unary,
    c_ast.Assignment: _Walk._assignment,
    c_ast.Cast: _Walk._cast,
    c_ast.BinaryOp: _Walk._binary,
    c_ast.TernaryOp: _Walk._choice,
    c_ast.FuncCall: _Walk._call,
    StmtExpr: lambda walk, node: walk.statement(node.body),
    c_ast.InitList: _Walk._initialiser,
    c_ast.CompoundLiteral: lambda walk, node: walk._initialiser(node.init),
    c_ast.ExprList: _Walk._list,
}
