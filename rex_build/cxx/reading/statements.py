"""Statements of C++ as those of the tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.nodes import Opaque
from ...tree.symbols import Storage, Variable
from ...tree.types import BOOL, INT, VOID, Pointer, Record, value_of
from .. import libclang
from . import clang
from .objects import ObjectReader
from .symbols import PLACES, Read

_STATEMENTS = frozenset(
    ("COMPOUND_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT", "CASE_STMT",
     "DEFAULT_STMT", "RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT", "UNEXPOSED_STMT")
)  # fmt: skip
_NOTHING = frozenset(
    ("NULL_STMT", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL", "USING_DECLARATION", "USING_DIRECTIVE",
     "NAMESPACE_ALIAS", "CLASS_DECL", "STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "STATIC_ASSERT", "FUNCTION_DECL",
     "FRIEND_DECL", "EMPTY_DECL", "CLASS_TEMPLATE")
)  # fmt: skip


def tokens_before(cursor: Any, child: Any) -> list[Any]:
    """The tokens of a statement in front of a part of it."""
    cindex = libclang.load()
    extent = cindex.SourceRange.from_locations(cursor.extent.start, child.extent.start)
    found = cindex.TokenGroup.get_tokens(cursor.translation_unit, extent)
    stop = child.extent.start.offset
    return [token for token in found if token.extent.start.offset < stop]


class StatementReader(ObjectReader):
    """Reads statements."""

    has_tuples = False  # whether text besides the library's says of classes how many parts they have

    def statement(self, cursor: Any) -> tree.Statement:
        """A statement. What is several ones, or none, is a Block."""
        items = list(self.items(cursor))
        return items[0] if len(items) == 1 else tree.Block(tuple(items), origin=cursor)

    def block(self, cursor: Any) -> tree.Block:
        items: list[tree.Statement] = []
        for child in libclang.children(cursor):
            items.extend(self.items(child))
        return tree.Block(tuple(items), origin=cursor)

    def items(self, cursor: Any) -> Iterable[tree.Statement]:
        """The statements that a node is in the block around it."""
        try:
            return list(self._items(cursor))
        except NotReadError as problem:
            return [self.opaque(cursor, str(problem), jumps=not cursor.kind.is_expression())]

    def _items(self, cursor: Any) -> Iterator[tree.Statement]:
        kind = cursor.kind.name
        if cursor.kind.is_expression():
            yield tree.Evaluate(self.full(lambda: self.dropped(self.read(cursor))), origin=cursor)
        elif kind == "COMPOUND_STMT":
            yield self.block(cursor)
        elif kind == "DECL_STMT":
            for child in libclang.children(cursor):
                yield from self.items(child)
        elif kind == "VAR_DECL":
            yield from self.declaration(cursor)
        elif kind == "UNEXPOSED_DECL":
            yield from self._bound_names(cursor)
        elif kind == "IF_STMT":
            yield self._if(cursor)
        elif kind in ("FOR_STMT", "WHILE_STMT", "DO_STMT"):
            yield self._loop(cursor)
        elif kind == "CXX_FOR_RANGE_STMT":
            yield self._range_loop(cursor)
        elif kind == "SWITCH_STMT":
            yield self._switch(cursor)
        elif kind in ("CASE_STMT", "DEFAULT_STMT", "LABEL_STMT"):
            yield from self._target(cursor)
        elif kind not in _NOTHING:
            yield self._jump(cursor)

    def _jump(self, cursor: Any) -> tree.Statement:
        children = libclang.children(cursor)
        match cursor.kind.name:
            case "BREAK_STMT":
                return tree.Break(origin=cursor)
            case "CONTINUE_STMT":
                return tree.Continue(origin=cursor)
            case "GOTO_STMT":
                return tree.Goto(self.symbols.label(children[0].referenced), origin=cursor)
            case "RETURN_STMT":
                return self._return(cursor, children)
            case "INDIRECT_GOTO_STMT":
                return self.opaque(cursor, "a jump to a label whose address is taken", jumps=True)
            case "UNEXPOSED_STMT" if children and self._is_attributed(cursor, children[-1]):
                return self.statement(children[-1])
        return self.opaque(cursor, cursor.kind.name, jumps=True)

    def _is_attributed(self, cursor: Any, inner: Any) -> bool:
        """Whether a statement of no kind is one with an attribute, such as [[likely]], or behind ``#pragma unroll``."""
        attribute = next((token.spelling for token in cursor.get_tokens()), "") in ("[", "__attribute__")
        return inner.kind.name in _STATEMENTS or (attribute and bool(inner.kind.is_expression()))

    def _return(self, cursor: Any, children: list[Any]) -> tree.Statement:
        if not children or self.frame.result is None:
            value = self.full(lambda: self.dropped(self.read(children[0]))) if children else None
            return tree.Block((tree.Evaluate(value), tree.Return(None))) if value else tree.Return(None, origin=cursor)
        result = self.frame.result
        return tree.Return(self.full(lambda: self.argument(children[0], result)), origin=cursor)

    # -- declarations -----------------------------------------------------------------------------------------------

    def declaration(self, cursor: Any) -> Iterator[tree.Statement]:
        variable = self.symbols.variable(cursor)
        if variable.storage is Storage.STATIC and (isinstance(variable.type, Record) or self._calls(cursor)):
            yield self.opaque(cursor, "a static variable that is made when control comes to it")
        if variable.storage is not Storage.LOCAL:
            return
        t = variable.type
        if isinstance(t, types.Array) and t.length is None:
            yield self.opaque(cursor, "an array of variable length")
            yield tree.Declare(variable, None, origin=cursor)
            return
        value = clang.initialiser(cursor)
        yield self.beginning(variable, value, cursor)

    def beginning(self, variable: Variable, value: Any, cursor: Any) -> tree.Declare:
        """A variable begins with a value. A temporary object that a reference is bound to lives as long."""
        lasting: list[Variable] = []

        def read() -> tree.Expression:
            made = self.argument(value, variable.type)
            if isinstance(variable.type, Pointer) and variable.type.reference:
                lasting.extend(self._kept(made))
            elif isinstance(made, tree.Aggregate) and any(map(self._kept, (part for _, part in made.parts))):
                raise NotReadError("a temporary object that a member refers to")
            return made

        made = self.full(read) if value is not None else None
        if isinstance(made, tree.Aggregate) and not made.parts and not made.rest:
            made = None
        return tree.Declare(variable, made, self.end_of_named(lasting[0] if lasting else variable), origin=cursor)

    def _kept(self, value: tree.Expression) -> list[Variable]:
        """The temporary object to which a value leads, which does not end with its full expression."""
        node: tree.Node = value
        while isinstance(node, tree.AddressOf | tree.Convert | tree.Part):
            inner = node.place if isinstance(node, tree.AddressOf) else None
            node = inner or (node.value if isinstance(node, tree.Convert) else node.whole)  # type: ignore[union-attr]
        if not isinstance(node, tree.Temporary) or node not in self.frame.temporaries:
            return []
        self.frame.temporaries.remove(node)
        return [node.variable]

    def _calls(self, declaration: Any) -> bool:
        """Whether the value that a variable begins with is what a function or a written constructor gives."""
        value = clang.initialiser(declaration)
        calls = [n for n in (value, *libclang.descendants(value)) if n.kind.name == "CALL_EXPR"] if value else []
        made = (n.referenced for n in calls)
        implicit = all(f is not None and f.kind.name == "CONSTRUCTOR" and self._is_implicit(f) for f in made)
        return bool(calls) and not implicit and clang.value(value) is None

    def _bound_names(self, cursor: Any) -> Iterator[tree.Statement]:
        """A structured binding: a variable without a name, whose parts have names."""
        children = libclang.children(cursor)
        names = [c for c in children if c.kind.name == "UNEXPOSED_DECL"]
        values = [c for c in children if c.kind.is_expression()]
        if len(values) != 1 or not names:
            raise NotReadError("a declaration that libclang does not name")
        t = self.types.type(cursor.type)
        whole = Variable("", t, Storage.LOCAL, None)
        yield self.beginning(whole, values[0], cursor)
        place = self.referred(tree.Named(t, whole))
        for number, name in enumerate(names):
            part = self._part(place, number, len(names))
            if part is not None:
                self.bindings[name.canonical.hash] = part

    def _part(self, place: tree.Place, number: int, count: int) -> tree.Place | None:
        t = place.type
        if isinstance(t, types.Array):
            first = Pointer(t.of)
            return tree.Pointee(t.of, tree.Offset(first, tree.Decay(first, place), tree.Constant(INT, number)))
        if not isinstance(t, Record):
            return None
        members, is_users = t.info.members, libclang.is_users(self.types.cursor(t.info))
        if is_users and self.has_tuples:  # functions of the user's may say what the parts are
            return None
        if t.info.name == "array" and len(members) == 1 and not is_users:
            return self._part(tree.Part(members[0].type, place, members[0]), number, count)
        if t.info.name == "pair" and len(members) == count + 1 and members[0].base:
            members = members[1:]  # std::pair has an empty base
        if len(members) != count or any(m.base for m in members) or t.info.name == "tuple":
            return None
        member = members[number]
        kind = member.type
        if t.const and not isinstance(kind, types.Array):
            kind = type(kind)(**{**vars(kind), "const": True})
        return self.referred(tree.Part(kind, place, member))

    # -- control ----------------------------------------------------------------------------------------------------

    def _in_block(self, first: list[tree.Statement], statement: tree.Statement) -> tree.Statement:
        return tree.Block((*first, statement)) if first else statement

    def _condition(self, cursor: Any) -> tree.Expression:
        return self.full(lambda: self.value(cursor))

    def _heads(self, cursor: Any, behind: int) -> tuple[list[tree.Statement], Any, list[Any]]:
        """What ``if`` and ``switch`` declare first, their condition, and the statements behind it.

        ``behind`` says how many statements may follow at the most.
        """
        children = libclang.children(cursor)
        variable = children.pop(0) if children[0].kind.name == "VAR_DECL" else None
        first: list[tree.Statement] = []
        other = len(children) == 3 == behind + 1 and children[1].kind.is_expression()
        if (
            children[0].kind.name in ("DECL_STMT", "NULL_STMT")
            or len(children) > behind + 1
            or (other and self._is_head(cursor, children[1]))
        ):
            first.extend(self.items(children.pop(0)))
        if variable is not None:
            first.extend(self.items(variable))
        return first, children[0], children[1:]

    @staticmethod
    def _is_head(cursor: Any, child: Any) -> bool:
        """Whether a child stands in the parentheses of ``if (``, where the first one is a statement in front of it."""
        words = [token.spelling for token in tokens_before(cursor, child)]
        return words.count("(") > words.count(")")

    def _if(self, cursor: Any) -> tree.Statement:
        if libclang.children(cursor)[0].kind.name == "COMPOUND_STMT":
            raise NotReadError("an if without a condition")  # if consteval
        first, condition, rest = self._heads(cursor, 2)
        known = clang.value(condition) if self._is_constexpr(cursor, condition) else None
        if known is not None:
            taken = rest[:1] if known else rest[1:2]
            return tree.Block((*first, *map(self.statement, taken)), origin=cursor)
        otherwise = self.statement(rest[1]) if len(rest) > 1 else None
        made = tree.If(self._condition(condition), self.statement(rest[0]), otherwise, origin=cursor)
        return self._in_block(first, made)

    @staticmethod
    def _is_constexpr(cursor: Any, condition: Any) -> bool:
        return any(token.spelling == "constexpr" for token in tokens_before(cursor, condition)[:2])

    def _switch(self, cursor: Any) -> tree.Statement:
        first, condition, rest = self._heads(cursor, 1)
        made = tree.Switch(self._condition(condition), self.statement(rest[0]), origin=cursor)
        return self._in_block(first, made)

    def _target(self, cursor: Any) -> Iterator[tree.Statement]:
        *values, inner = libclang.children(cursor)
        if cursor.kind.name == "LABEL_STMT":
            yield tree.Target(self.symbols.label(cursor), origin=cursor)
        elif cursor.kind.name == "DEFAULT_STMT":
            yield tree.Case(None, origin=cursor)
        else:
            ends = [clang.value(one) for one in values]
            low, high = ends[0], ends[-1]
            if not isinstance(low, int) or not isinstance(high, int):
                raise NotReadError("a case whose value is not known")
            yield tree.Case(range(low, high + 1), origin=cursor)
        yield from self.items(inner)

    def _loop(self, cursor: Any) -> tree.Statement:
        children = libclang.children(cursor)
        if cursor.kind.name == "DO_STMT":
            return tree.Loop(None, self._condition(children[1]), None, self.statement(children[0]), True, origin=cursor)
        if cursor.kind.name == "WHILE_STMT":
            if len(children) != 2:
                return self.opaque(cursor, "a variable in a loop's condition", jumps=True)
            return tree.Loop(None, self._condition(children[0]), None, self.statement(children[1]), origin=cursor)
        start, condition, step = self._for_parts(cursor, children[:-1], children[-1])
        first = self.statement(start) if start is not None else None
        asked = self._condition(condition) if condition is not None else None
        then = self.full(lambda: self.dropped(self.read(step))) if step is not None else None
        return tree.Loop(first, asked, then, self.statement(children[-1]), origin=cursor)

    def _for_parts(self, cursor: Any, parts: list[Any], body: Any) -> list[Any]:
        """The start, the condition and the step of a loop; None for those that are left out."""
        if len(parts) == 3:
            if any(part.kind.name == "VAR_DECL" for part in parts):
                raise NotReadError("a variable in a loop's condition")
            return parts
        if len(parts) > 3:
            raise NotReadError("a variable in a loop's condition")
        ends: list[int] = []
        depth = 0
        for token in tokens_before(cursor, body) if parts else ():
            depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(token.spelling, 0)
            if token.spelling == ";" and depth == 1:
                ends.append(token.extent.start.offset)
        found: list[Any] = [None, None, None]
        for part in parts:
            if part.kind.name == "VAR_DECL":
                raise NotReadError("a variable in a loop's condition")
            at = part.extent.start.offset
            found[sum(end < at for end in ends)] = part
        return found

    # -- loops over ranges --------------------------------------------------------------------------------------------

    def _range_loop(self, cursor: Any) -> tree.Statement:
        """``for (T x : range)``: what the standard says it means."""
        children = libclang.children(cursor)
        declared = next((c for c in children if c.kind.name in ("VAR_DECL", "UNEXPOSED_DECL")), None)
        begin = libclang.hidden(declared, "__begin") if declared is not None else None
        over = libclang.hidden(begin, "__range") if begin is not None else None
        if declared is None or begin is None or over is None:
            raise NotReadError("a loop over a range of an unusual form")
        first = [*self.declaration(over), *self.declaration(begin)]
        start = self.symbols.variable(begin)
        t = value_of(start.type)
        here = tree.Named(start.type, start)
        last, end = self._end_of_range(over, begin, t)
        body = tree.Block((*self.items(declared), self.statement(children[-1])))
        condition: tree.Expression
        step: tree.Expression
        if isinstance(t, Pointer):
            condition = tree.Binary(BOOL, "!=", tree.Load(t, here), tree.Load(t, tree.Named(t, last)))
            step = tree.Update(t, here, "+", tree.Constant(INT, 1), t)
        else:
            mentions = (here, tree.Named(last.type, last))
            condition = Opaque(BOOL, "an iterator's operator that libclang does not show", mentions)
            step = Opaque(VOID, "an iterator's operator that libclang does not show", mentions)
        loop = tree.Loop(tree.Declare(last, end), condition, step, body, origin=cursor)
        return tree.Block((*first, loop))

    def _end_of_range(self, over: Any, begin: Any, t: types.Type) -> tuple[Variable, tree.Expression]:
        """The variable for the end of a range, and its value."""
        last = Variable("__end", t, Storage.LOCAL, None)
        place = self.named(over)
        if isinstance(place.type, types.Array) and isinstance(place.type.length, int) and isinstance(t, Pointer):
            whole = tree.Decay(Pointer(place.type.of), place) if isinstance(place, PLACES) else self.loaded(place)
            return last, tree.Offset(t, self._as(t, whole), tree.Constant(INT, place.type.length))
        record = place.type if isinstance(place.type, Record) and place.type.info.name == "array" else None
        if record is not None and isinstance(t, Pointer) and not libclang.is_users(self.types.cursor(record.info)):
            (member,) = record.info.members or (None,)
            if member is not None and isinstance(member.type, types.Array) and isinstance(member.type.length, int):
                start = tree.Decay(t, tree.Part(member.type, place, member))
                return last, tree.Offset(t, start, tree.Constant(INT, member.type.length))
        called = next((c for c in libclang.descendants(begin) if c.kind.name == "CALL_EXPR"), None)
        target = called.referenced if called is not None else None
        if target is not None and target.kind.name == "CXX_METHOD" and isinstance(place, PLACES):
            ends = [
                c for c in libclang.children(target.semantic_parent)
                if (c.kind.name, c.spelling) == ("CXX_METHOD", "end")
                and c.is_const_method() == target.is_const_method()
            ]  # fmt: skip
            if len(ends) == 1 and self.types.type(ends[0].result_type) == self.types.type(target.result_type):
                function = self.symbols.function(ends[0])
                callee = tree.FunctionAddress(Pointer(function.type), function)
                this = self.symbols.this_type(ends[0]).to
                return last, tree.Call(t, callee, (self.address(place, this),))
        mention = (place,) if not isinstance(place, Opaque) else place.mentions
        return last, Opaque(t, "the end of a range that libclang does not show", mention)

    def _statements(self, cursor: Any) -> Read:
        (body,) = libclang.children(cursor)
        *before, last = libclang.children(body) or [None]
        if last is None or not last.kind.is_expression():
            return tree.StatementValue(VOID, self.block(body), None, origin=cursor)
        items = [item for child in before for item in self.items(child)]
        t = value_of(self._type(cursor))
        if isinstance(t, types.Void):
            return tree.StatementValue(VOID, self.block(body), None, origin=cursor)
        return tree.StatementValue(t, tree.Block(tuple(items)), self._as(t, self.value(last)), origin=cursor)
