"""Expressions and places of a tree as C."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ...base.exhaustive import assert_never
from ...tree import nodes as tree
from ...tree import types
from ...tree.conversions import INT
from ...tree.symbols import Storage, Variable
from ...tree.types import Member, Pointer, Record, Type
from ..code import Construct
from .names import Names, plain_references
from .text import CannotWriteError, Text

_WORDS = frozenset(("restrict", "this", "_Bool"))


def core(value: tree.Expression | None) -> tree.Expression | None:
    """An expression without what ends its temporary objects."""
    while isinstance(value, tree.Ending):
        value = value.value
    return value


class Expressions:
    """Writes the expressions of a function. What objects begin with, and where they end, others write."""

    def __init__(self, names: Names, body: tree.Body) -> None:
        self.w, self.unit, self.body = names, names.unit, body
        self.made: list[Text] = []  # declarations of temporary objects of the statement, which stand in front of it
        self.ended: list[Text] = []  # what ends them
        self.held: dict[Member, tree.Node] = {}  # what members of closures hold that stand where they are called
        self.given: dict[Variable, Text] = {}  # what a variable stands for
        self._plain = plain_references(body.statement)
        self.copied: set[Variable] = set()  # references that stand for places
        self._names: dict[Variable, str] = {}
        self._used: dict[str, int] = {}

    def call(self, node: tree.Call) -> Text:
        """A call, as the value that it gives: of a reference the address."""
        raise NotImplementedError

    def called_place(self, node: tree.Call) -> Text | None:
        """The place of which a call gives the address, if it has a form of its own."""
        raise NotImplementedError

    def construct(self, place: Text, t: Type, value: tree.Expression) -> Text:
        """Statements that begin an object in a place with a value."""
        raise NotImplementedError

    def ends(self, place: Text, t: Type) -> list[Text]:
        """What ends the life of an object, in order."""
        raise NotImplementedError

    def statements(self, node: tree.StatementValue) -> Text:
        raise NotImplementedError

    # -- names --------------------------------------------------------------------------------------------------------

    def is_plain(self, variable: Variable) -> bool:
        """Whether a variable is a reference of which C has the value in its place."""
        return variable in self.copied or bool(self._plain(variable))

    def at(self, node: tree.Node) -> int | None:
        """Where a node stands in the unit."""
        origin = node.origin
        if origin is None:
            return None
        return origin.start if isinstance(origin, Construct) else self.unit.extent(origin)[0]

    def name(self, variable: Variable) -> str:
        """The name of a variable. Two of a function never have the same."""
        if variable.storage not in (Storage.LOCAL, Storage.PARAMETER):
            return self.w.global_name(variable)
        if variable not in self._names:
            wanted = variable.name or "rex_made"
            number = self._used[wanted] = self._used.get(wanted, 0) + 1
            is_this = wanted == "this" and number == 1
            taken = (number > 1 or wanted in _WORDS) and not is_this
            self._names[variable] = f"{wanted}__rex_{number}" if taken else wanted
        return self._names[variable]

    def fresh(self, wanted: str) -> str:
        """The name of a new variable."""
        return self.name(Variable(wanted, INT, Storage.LOCAL, None))

    # -- places -------------------------------------------------------------------------------------------------------

    def place(self, node: tree.Place) -> Text:
        match node:
            case tree.Named():
                return self._named(node)
            case tree.Pointee():
                return self._pointee(node)
            case tree.Part():
                return self._part(node)
            case tree.Temporary():
                return self._temporary(node)
            case tree.Opaque():
                if (made := self._by_default(node)) is not None:
                    return made
                if not isinstance(node.type, types.Unknown | types.Void | types.Function):
                    return Text("(*", self.unknown(Pointer(node.type), node), ")", place=self.at(node))
                raise CannotWriteError
            case _:
                return assert_never(node)

    def _named(self, node: tree.Named) -> Text:
        variable = node.variable
        if variable in self.given:
            return Text(self.given[variable], place=self.at(node))
        if variable.storage is Storage.CONSTANT and not variable.name:
            text = self.unit.text[slice(*self.unit.extent(node.origin))] if node.origin is not None else ""
            return Text(text if text.startswith('"') and text.count('"') == 2 else '""', place=self.at(node))
        return Text(self.name(variable), place=self.at(node))

    def _pointee(self, node: tree.Pointee) -> Text:
        pointer, place = node.pointer, self.at(node)
        match pointer:
            case tree.Offset(backward=False):
                return Text(self.value(pointer.pointer), "[", self.value(pointer.index), "]", place=place)
            case tree.AddressOf():
                return Text(self.place(pointer.place), place=place)
            case tree.Call() if (found := self.called_place(pointer)) is not None:
                return Text(found, place=place)
            case tree.Load(place=tree.Part(member=member)) if member in self.held:
                return Text(self._held(member, node), place=place)
            case tree.Load(place=tree.Named(variable=variable)) if self.is_plain(variable):
                return Text(self.place(pointer.place), place=place)
            case tree.Call() | tree.Opaque():
                return Text("(*", self._value(pointer), ")", place=place)
        return Text("(*", self.value(pointer), ")", place=place)

    def _held(self, member: Member, node: tree.Node) -> Text:
        """What a closure holds, where a lambda stands instead of its call."""
        held = self.held[member]
        is_place = isinstance(held, tree.Named | tree.Pointee | tree.Part | tree.Temporary)
        if is_place == isinstance(node, tree.Pointee):
            return self.place(held) if is_place else self.value(held)  # type: ignore[arg-type]
        return Text("&", self.place(held)) if is_place else Text("(*", self.value(held), ")")  # type: ignore[arg-type]

    def _part(self, node: tree.Part) -> Text:
        place = self.at(node)
        if node.member in self.held:
            return Text(self._held(node.member, node), place=place)
        name = self.w.types.member(node.whole.type, node.member)
        whole = node.whole
        if isinstance(whole, tree.Pointee) and not isinstance(whole.pointer, tree.Offset | tree.AddressOf):
            pointer = self._pointee(whole)
            text = str(pointer)
            if text.startswith("(*") and name:
                return Text(self.value(whole.pointer), "->", name, place=place)
            return Text(pointer, ".", name, place=place) if name else pointer
        return Text(self.place(whole), "." * bool(name), name, place=place)

    def _temporary(self, node: tree.Temporary) -> Text:
        name = self.name(node.variable)
        if node.variable in self.given:
            return self.given[node.variable]
        self.given[node.variable] = Text(name)
        before, self.made = self.made, []
        begun = self.begin(node.variable, name, node.initialiser)
        self.made = [*before, *self.made, begun]
        self.ended += self.ends(Text(name), node.type)
        return Text(name, place=self.at(node))

    def begin(self, variable: Variable, name: str, value: tree.Expression | None) -> Text:
        """The declaration of a variable with what it begins with."""
        t = variable.type
        copied = self.is_plain(variable)
        declared = Text(self.w.declared(variable, name, copied))
        if value is None:
            return Text(declared, "; ")
        if copied:
            return Text(declared, " = ", self.referred(value), "; ")
        if isinstance(t, Record) and self.w.types.declare(t, "x").endswith("*x"):  # an iterator
            return Text(declared, " = ", self.value(value), "; ")
        if isinstance(t, Record):
            return Text(declared, "; ", self.construct(Text(name), t, value))
        if isinstance(t, types.Array):
            return Text(declared, " = ", self._list(t, value), "; ")
        return Text(declared, " = ", self.value(value), "; ")

    def referred(self, pointer: tree.Expression) -> Text:
        """The value of what a reference is bound to, which C has in its place."""
        while isinstance(pointer, tree.Convert):
            pointer = pointer.value
        to = pointer.type.to if isinstance(pointer.type, Pointer) else pointer.type
        if isinstance(pointer, tree.AddressOf) and isinstance(pointer.place, tree.Temporary):
            return self.value(pointer.place.initialiser)
        return self.place(tree.Pointee(to, pointer))

    def _list(self, t: types.Array, value: tree.Expression) -> Text:
        """An array's first values in braces."""
        if not isinstance(value, tree.Aggregate):
            raise CannotWriteError
        listed: list[str | Text] = []
        for number, (path, part) in enumerate(value.parts):
            if not path:
                return self.value(part)  # a string
            if path != (number,):
                return Text("{0}")
            inner = t.of
            if isinstance(inner, types.Array):
                made = self._list(inner, part)
            elif isinstance(inner, Record):
                return Text("{0}")
            else:
                made = self.value(part)
            listed += [", " * bool(listed), made]
        return Text("{", *listed, "}") if listed else Text("{0}")

    # -- values -------------------------------------------------------------------------------------------------------

    def value(self, node: tree.Expression) -> Text:
        """An expression, or a call of something unknown that may do the same."""
        made, ended = len(self.made), len(self.ended)
        try:
            return self._value(node)
        except CannotWriteError:
            del self.made[made:], self.ended[ended:]
            return self.unknown(node.type, node)

    def _value(self, node: tree.Expression) -> Text:
        place = self.at(node)
        match node:
            case tree.Constant():
                return Text(self._constant(node), place=place)
            case tree.Load():
                return self._loaded(node)
            case tree.AddressOf():
                return self._address(node)
            case tree.Decay():
                return Text(self.place(node.array), place=place)
            case tree.FunctionAddress():
                return Text(f"((void *){self.w.name_of(node.function)})", place=place)
            case tree.Convert():
                return self._converted(node)
            case tree.Unary():
                word = {"real": "__real__ ", "imag": "__imag__ "}.get(node.operator, node.operator)
                return Text(f"({word}", self.value(node.operand), ")", place=place)
            case tree.Binary() | tree.ShortCircuit() | tree.Distance():
                return self._operation(node)
            case tree.Offset():
                sign = " - " if node.backward else " + "
                return Text("(", self.value(node.pointer), sign, self.value(node.index), ")", place=place)
            case tree.Conditional():
                parts = [self.value(part) for part in (node.condition, node.then, node.otherwise)]
                return Text("(", parts[0], " ? ", parts[1], " : ", parts[2], ")", place=place)
            case tree.Sequence():
                return Text("(", *_joined([self.value(part) for part in node.parts]), ")", place=place)
            case tree.Store() | tree.Update():
                return self._written(node)
            case tree.Aggregate():
                return self._temporary(tree.Temporary(node.type, Variable("", node.type, Storage.LOCAL, None), node))
            case tree.Call():
                if node.constructs:
                    made = tree.Temporary(node.type, Variable("", node.type, Storage.LOCAL, None), node)
                    return self._temporary(made)
                return Text(self.call(node), place=place)
            case tree.Ending():
                return Text(self.value(node.value), place=place)  # its temporary objects end with the statement
            case tree.StatementValue():
                return Text(self.statements(node), place=place)
            case tree.Opaque():
                if (begun := self._by_default(node)) is None:
                    raise CannotWriteError
                return Text("&", begun) if isinstance(node.type, Pointer) else begun
            case _:
                return assert_never(node)

    def _by_default(self, node: tree.Opaque) -> Text | None:
        """A temporary object that is made without values, in a way that the reader does not understand."""
        t = node.type.to if isinstance(node.type, Pointer) else node.type
        if not isinstance(t, Record) or not is_default(node):
            return None
        return self._temporary(tree.Temporary(t, Variable("", t, Storage.LOCAL, None), node, origin=node.origin))

    def _constant(self, node: tree.Constant) -> str:
        t, value = node.type, node.value
        if value is None:
            return f"{self.w.some_value(t)}()"
        if not math.isfinite(value):
            raise CannotWriteError
        if isinstance(t, Pointer):
            return "((void *)0)" if value == 0 else f"((void *){value})"
        text = str(value) if isinstance(t, types.Integer) else repr(float(value))
        if isinstance(t, types.Integer) and t.size == 8 and not -(2**31) <= value < 2**31:
            text += "ul" if not t.signed else "l"
        return f"({text})" if text.startswith("-") else text

    def _loaded(self, node: tree.Load) -> Text:
        place = node.place
        is_reference = isinstance(place, tree.Named) and self.is_plain(place.variable)
        return Text("&" * is_reference, self.place(place), place=self.at(node))

    def _address(self, node: tree.AddressOf) -> Text:
        inner = node.place
        if isinstance(inner, tree.Pointee) and not isinstance(inner.pointer, tree.Offset):
            return self.value(inner.pointer)
        return Text("&", self.place(inner), place=self.at(node))

    def _converted(self, node: tree.Convert) -> Text:
        inner = self.value(node.value)
        if not node.written or isinstance(node.type, Record | types.Unknown):
            return Text(inner, place=self.at(node))
        return Text(f"(({self.w.types.declare(node.type, '')})(", inner, "))", place=self.at(node))

    def _operation(self, node: tree.Binary | tree.ShortCircuit | tree.Distance) -> Text:
        # Long sums may be thousands of levels deep on the left side, so this side is written without recursion.
        spine: list[tree.Binary | tree.ShortCircuit | tree.Distance] = [node]
        while isinstance(spine[-1].left, tree.Binary | tree.ShortCircuit):
            spine.append(spine[-1].left)
        found = self.value(spine[-1].left)
        for one in reversed(spine):
            operator = "-" if isinstance(one, tree.Distance) else one.operator
            found = Text("(", found, f" {operator} ", self.value(one.right), ")", place=self.at(one))
        return found

    def _written(self, node: tree.Store | tree.Update) -> Text:
        place, value = self.place(node.place), node.value
        if isinstance(node, tree.Store):
            if makes_object(node):
                return Text("({ ", self.construct(place, node.place.type, value), "0; })", place=self.at(node))
            return Text("(", place, " = ", self.value(value), ")", place=self.at(node))
        inner = value.value if isinstance(value, tree.Convert) else value
        one = isinstance(inner, tree.Constant) and inner.origin is None and inner.value == 1
        if one and node.operator in ("+", "-"):
            step = 2 * node.operator
            return Text("(" + step * (not node.old), place, step * node.old + ")", place=self.at(node))
        return Text("(", place, f" {node.operator}= ", self.value(value), ")", place=self.at(node))

    # -- what is not known --------------------------------------------------------------------------------------------

    def unknown(self, t: Type, node: tree.Node) -> Text:
        """A call of something that may do anything to all that a part mentions."""
        if any(isinstance(part, tree.Construct) for part in tree.walk(node)):
            raise CannotWriteError
        known = INT if isinstance(t, types.Unknown | types.Function | types.Array) else t
        return Text(self.w.unknown(known), "(0", *self.mentioned([node]), ")", place=self.at(node))

    def seen(self, nodes: Iterable[tree.Node]) -> Iterator[tree.Node]:
        """Some parts and all in them, with what closures hold that stand where they are called."""
        left = list(nodes)[::-1]
        while left:
            node = left.pop()
            if isinstance(node, tree.Part) and node.member in self.held:
                left.append(self.held[node.member])
                continue
            left += reversed(list(tree.children(node)))
            yield node

    def mentioned(self, nodes: Iterable[tree.Node]) -> list[str]:
        """The addresses of all variables in some parts, as further arguments."""
        seen: dict[str, None] = {}
        for node in self.seen(nodes):
            if not isinstance(node, tree.Named) or node.variable.value is not None or not node.variable.name:
                continue
            try:
                text = str(self.place(node))
            except CannotWriteError:
                continue
            if text == "this" or self.is_plain(node.variable):
                seen[text if text == "this" else f"&{text}"] = None
                continue
            seen[f"&{text}" if not text.startswith("(") else text] = None
            if isinstance(node.type, Pointer):
                seen[text] = None
        return [f", {one}" for one in seen]


def is_default(value: tree.Opaque) -> bool:
    """Whether an object is made without values, by something that is not understood."""
    origin = value.origin
    if origin is None or origin.kind.name != "CALL_EXPR" or origin.type.get_canonical().kind.name != "RECORD":
        return False
    return all(isinstance(one, tree.FunctionAddress) for one in value.mentions or ())


def makes_object(node: tree.Expression) -> bool:
    """Whether an expression begins an object in a place."""
    value = core(node.value) if isinstance(node, tree.Store) and isinstance(node.type, Record) else None
    return isinstance(value, tree.Aggregate | tree.Opaque) or (isinstance(value, tree.Call) and value.constructs)


def _joined(parts: Sequence[Text]) -> list[str | Text]:
    found: list[str | Text] = []
    for part in parts:
        found += [", ", part] if found else [part]
    return found
