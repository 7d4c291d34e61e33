"""Statements and functions of a tree as C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...base.exhaustive import assert_never
from ...tree import nodes as tree
from ...tree import types
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import Pointer, Record, RecordInfo
from .. import libclang
from .directives import directive_in_c
from .expressions import core, makes_object
from .names import Names, plain_references
from .objects import Objects
from .text import CannotWriteError, Text


class Body(Objects):
    """Writes one function."""

    def __init__(self, names: Names, body: tree.Body, record: RecordInfo | None = None) -> None:
        super().__init__(names, body)
        self._record = record
        self._scopes: list[list[Text]] = []  # what ends the objects of each block around
        self._loops: list[int] = []  # how many blocks there are around each loop
        self._closures: dict[Variable, tree.Aggregate] = {}
        self._inlining: set[Function] = set()
        self.elements: dict[Variable, Text] = {}  # what iterators lead to in loops by counters

    @property
    def in_loop(self) -> bool:  # type: ignore[override]
        return bool(self._loops)

    def function(self) -> Text:
        """The definition. Raises CannotWriteError."""
        body = self.body
        name = self.w.name_of(body.function, self._record)
        for variable in body.parameters:
            self.name(variable)
        statements = body.statement.statements
        if len(statements) == 1 and isinstance(statements[0], tree.Opaque) and statements[0].jumps:
            raise CannotWriteError
        begun = self._begun_by_itself()
        self.w.foreign[name] = self.w.head(body.function, name, self._record)
        return Text(self.w.foreign[name], "\n", self.block(body.statement, begun), "\n")

    def _begun_by_itself(self) -> Text:
        """What a constructor makes without values in front of its body."""
        cursor = self.w.reader.symbols.cursors[self.body.function]
        if cursor.kind.name != "CONSTRUCTOR":
            return Text()
        info = self.w.reader.types.record(cursor.semantic_parent)
        stored = {
            one.expression.place.member
            for one in self.body.statement.statements
            if isinstance(one, tree.Evaluate) and isinstance(one.expression, tree.Store)
            and isinstance(one.expression.place, tree.Part)
        }  # fmt: skip
        rest = [m for m in info.members if m not in stored and isinstance(m.type, Record)]
        this = Text("(*this)")
        found = []
        for member in rest:
            try:
                name = self.w.types.member(Record(info), member)
            except CannotWriteError:
                continue
            found.append(self.default(Text("this->", name) if name else this, member.type))
        return Text(*found)

    # -- blocks -------------------------------------------------------------------------------------------------------

    def block(self, node: tree.Block, first: Text | None = None) -> Text:
        self._scopes.append([])
        parts = [self.statement(one) for one in node.statements]
        last = node.statements[-1] if node.statements else None
        if not isinstance(last, tree.Return | tree.Break | tree.Continue):
            parts += self._leaving(len(self._scopes) - 1)
        self._scopes.pop()
        return Text("{ ", *([first] if first is not None else []), *parts, "}", place=self.at(node))

    def _leaving(self, scopes: int, returned: str = "") -> Iterator[Text]:
        """The ends of the objects in all scopes but the outer ones. What is returned goes on to live."""
        for ends in reversed(self._scopes[scopes:]):
            yield from (one for one in ends if not returned or f"{returned})" not in str(one))

    def statement(self, node: tree.Statement) -> Text:
        """A statement, with the temporary objects of its expressions around it."""
        outer = self.made, self.ended
        self.made, self.ended = [], []
        written = self._statement(node)
        if isinstance(node, tree.Declare) and isinstance(node.variable.type, Pointer):
            self._scopes[-1][:0] = reversed(self.ended)  # they live as long as the reference that is bound to them
            self.ended = []
        made, ended = self.made, self.ended
        self.made, self.ended = outer
        if not made:
            return Text(written, " ")
        is_open = isinstance(node, tree.Declare)
        return Text("{ " * (not is_open), *made, written, *reversed(ended), "} " * (not is_open), place=self.at(node))

    def _statement(self, node: tree.Statement) -> Text:
        place = self.at(node)
        match node:
            case tree.Block():
                return self._range_loop(node) or self.block(node)
            case tree.Declare():
                return Text(self._declare(node), place=place)
            case tree.Evaluate():
                return Text(self._evaluated(node.expression), place=place)
            case tree.If():
                head = Text("if (", self.value(node.condition), ") ", self._inner(node.then))
                other = (" else ", self._inner(node.otherwise)) if node.otherwise is not None else ()
                return Text(head, *other, place=place)
            case tree.Loop():
                return Text(self._loop(node), place=place)
            case tree.Switch():
                self._loops.append(len(self._scopes))
                made = Text("switch (", self.value(node.value), ") ", self._inner(node.body), place=place)
                self._loops.pop()
                return made
            case tree.Case():
                if node.values is None:
                    return Text("default:;", place=place)
                if len(node.values) > 64:
                    raise CannotWriteError
                return Text(*(f"case {value}:;" for value in node.values), place=place)
            case tree.Target() | tree.Goto():
                return self._label(node)
            case tree.Break() | tree.Continue():
                word = "break; " if isinstance(node, tree.Break) else "continue; "
                return Text("{ ", *self._leaving(self._loops[-1] if self._loops else 0), word + "}", place=place)
            case tree.Return():
                return self._return(node)
            case tree.Construct():
                return self._construct_of(node)
            case tree.Opaque():
                if node.jumps:
                    raise CannotWriteError
                return Text(self.unknown(types.Void(), node), ";", place=place)
            case _:
                return assert_never(node)

    def _inner(self, node: tree.Statement) -> Text:
        """A statement that is a scope by itself."""
        if isinstance(node, tree.Block) and not _is_range_loop(node):
            return self.block(node)
        return self.block(tree.Block((node,)))

    def _label(self, node: tree.Target | tree.Goto) -> Text:
        if node.label is None or any(self._scopes):
            raise CannotWriteError
        is_target = isinstance(node, tree.Target)
        return Text(f"{node.label.name}:;" if is_target else f"goto {node.label.name};", place=self.at(node))

    def _declare(self, node: tree.Declare) -> Text:
        variable, value = node.variable, node.initialiser
        inner = core(value)
        if isinstance(inner, tree.Aggregate) and self._closure_body(variable.type) is not None:
            self._closures[variable] = inner
        name = self.name(variable)
        begun = self.begin(variable, name, value)
        self._scopes[-1][:0] = self.ends(Text(name), variable.type)
        return begun

    def _evaluated(self, node: tree.Expression) -> Text:
        if isinstance(node, tree.Convert) and isinstance(node.type, types.Void):
            node = node.value
        if isinstance(node, tree.Call) and (closure := self.closure_of(node)) is not None:
            return self._inlined(node, *closure)
        if isinstance(node, tree.Store) and makes_object(node):
            return self.construct(self.place(node.place), node.place.type, node.value)
        return Text(self.value(node), ";")

    def _return(self, node: tree.Return) -> Text:
        place, value = self.at(node), node.value
        if value is None:
            return Text("{ ", *self._leaving(0), "return; }", place=place) if any(self._scopes) else Text("return;")
        kind = self.body.function.type
        assert isinstance(kind, types.Function)
        named = value.place if isinstance(value, tree.Load) else None
        returned = self.name(named.variable) if isinstance(named, tree.Named) else ""
        if isinstance(kind.result, Record) and not isinstance(value, tree.Load):
            made = self._temporary(tree.Temporary(kind.result, Variable("", kind.result, Storage.LOCAL, None), value))
            self.ended.clear()
        else:
            made = self.value(value)
        if not any(self._scopes):
            return Text("return ", made, ";", place=place)
        name = self.fresh("rex_returned")
        declared = self.w.types.declare(kind.result, name)
        return Text(f"{{ {declared} = ", made, "; ", *self._leaving(0, returned), f"return {name}; }}", place=place)

    # -- loops --------------------------------------------------------------------------------------------------------

    def _loop(self, node: tree.Loop) -> Text:
        self._scopes.append([])
        first = node.start.statements if isinstance(node.start, tree.Block) else (node.start,) if node.start else ()
        start = Text(*(self.statement(one) for one in first))
        is_in_head = isinstance(node.start, tree.Declare | tree.Evaluate) and str(start).count(";") == 1
        condition = self.value(node.condition) if node.condition is not None else Text("")
        step = self.value(node.step) if node.step is not None else Text("")
        self._loops.append(len(self._scopes))
        body = self._inner(node.body)
        self._loops.pop()
        self._scopes.pop()
        if node.body_first:
            return Text("do ", body, " while (", condition, ");")
        if node.start is None and node.step is None:
            return Text("while (", condition if node.condition is not None else "1", ") ", body)
        if is_in_head or node.start is None:
            return Text("for (", start if node.start is not None else "; ", condition, "; ", step, ") ", body)
        return Text("{ ", start, "for (; ", condition, "; ", step, ") ", body, " }")

    def _range_loop(self, node: tree.Block) -> Text | None:
        """A loop over a container or an array, by a counter."""
        if not _is_range_loop(node):
            return None
        *_, over, begin, loop = node.statements
        assert isinstance(over, tree.Declare)
        assert isinstance(begin, tree.Declare)
        assert isinstance(loop, tree.Loop)
        assert isinstance(loop.body, tree.Block)
        address = over.initialiser
        place: tree.Place | None = None
        if isinstance(address, tree.AddressOf):
            place = address.place
        elif address is not None and isinstance(address.type, Pointer):
            place = tree.Pointee(address.type.to, address)
        if place is None or isinstance(place, tree.Temporary):
            raise CannotWriteError
        whole = self.place(place)
        container = self.w.types.container(place.type)
        at = self.fresh("rex_at")
        if isinstance(place.type, types.Array):
            size, elements = Text(str(place.type.length)), whole
        elif container is not None and container.kind in ("vector", "array"):
            pointer = tree.AddressOf(Pointer(place.type), place)
            size, elements = self.size(container, pointer), self.member(pointer, "rex_elements")
        else:
            raise CannotWriteError
        self.elements[begin.variable] = Text(elements, f"[{at}]")
        self._loops.append(len(self._scopes))
        body = self.block(loop.body)
        self._loops.pop()
        return Text(f"for (int {at} = 0; {at} < ", size, f"; ++{at}) ", body, place=self.at(loop))

    def _pointee(self, node: tree.Pointee) -> Text:
        pointer = node.pointer
        if isinstance(pointer, tree.Call) and pointer.arguments:
            pointer = pointer.arguments[0]
            pointer = pointer.value if isinstance(pointer, tree.Convert) else pointer
            named = pointer.place if isinstance(pointer, tree.AddressOf) else None
        else:
            named = pointer.place if isinstance(pointer, tree.Load) else None
        if isinstance(named, tree.Named) and named.variable in self.elements:
            return Text(self.elements[named.variable], place=self.at(node))
        return super()._pointee(node)

    # -- constructs ---------------------------------------------------------------------------------------------------

    def _construct_of(self, node: tree.Construct) -> Text:
        written = directive_in_c(self, node)
        body = node.body
        if body is None:
            return Text("\n#pragma omp ", written, "\n", place=self.at(node))
        outer, self._scopes = self._scopes, []  # nothing leaves the statement of a construct
        loops, self._loops = self._loops, []
        inner = self.statement(body)
        self._scopes, self._loops = outer, loops
        return Text(Text("\n#pragma omp ", written, "\n", place=self.at(node)), inner)

    # -- closures -----------------------------------------------------------------------------------------------------

    def _is_closures(self, t: types.Type) -> bool:
        return isinstance(t, Record) and "(lambda" in self.w.reader.types.cursor(t.info).type.spelling

    def _closure_body(self, t: types.Type) -> tree.Body | None:
        """The body of a closure's call, if it has a single one."""
        if not isinstance(t, Record) or not self._is_closures(t):
            return None
        record = self.w.reader.types.cursor(t.info)
        methods = [c for c in libclang.children(record) if c.spelling == "operator()" and c.kind.name == "CXX_METHOD"]
        return self.w.reader.body(self.w.reader.function(methods[0])) if len(methods) == 1 else None

    def is_closure(self, node: tree.Call) -> bool:
        to = node.arguments[0].type.to if node.arguments and isinstance(node.arguments[0].type, types.Pointer) else None
        return to is not None and self._is_closures(to)

    def closure_of(self, node: tree.Call) -> tuple[tree.Body, tree.Aggregate] | None:
        function = node.callee.function if isinstance(node.callee, tree.FunctionAddress) else None
        if function is None or not function.name.endswith("operator()") or not node.arguments:
            return None
        address = node.arguments[0]
        while isinstance(address, tree.Convert):
            address = address.value
        made = None
        if isinstance(address, tree.AddressOf):
            place = address.place
            if isinstance(place, tree.Named):
                made = self._closures.get(place.variable)
            elif isinstance(place, tree.Temporary) and isinstance(place.initialiser, tree.Aggregate):
                made = place.initialiser
        body = self.w.reader.body(function) if made is not None else None
        if body is None or made is None or function in self._inlining:
            return None
        return body, made

    def _entered(self, node: tree.Call, body: tree.Body, closure: tree.Aggregate) -> list[Text]:
        """The parameters of a closure's call as variables, and what it holds."""
        for path, part in closure.parts:
            held = part.place if isinstance(part, tree.AddressOf | tree.Load) else part
            self.held[path[0]] = held  # type: ignore[index]
        return [
            self.begin(variable, self.name(variable), argument)
            for variable, argument in zip(body.parameters[1:], node.arguments[1:], strict=False)
        ]

    def inline(self, node: tree.Call, body: tree.Body, closure: tree.Aggregate) -> Text | None:
        *before, last = body.statement.statements or (None,)
        inside = [part for one in body.statement.statements for part in tree.walk(one)]
        returns = sum(isinstance(part, tree.Return) for part in inside)
        if not isinstance(last, tree.Return) or returns != 1 or last.value is None:
            return None
        if any(isinstance(part, tree.Construct) for part in inside):
            return None  # expressions have no directives
        self._inlining.add(body.function)
        outer, self._plain = self._plain, _either(self._plain, body)
        self._scopes.append([])
        parts = self._entered(node, body, closure)
        parts += [self.statement(one) for one in before]
        value = self.value(last.value)
        self._scopes.pop()
        self._plain = outer
        self._inlining.discard(body.function)
        return Text("({ ", *parts, value, "; })")

    def _inlined(self, node: tree.Call, body: tree.Body, closure: tree.Aggregate) -> Text:
        """A call of a closure as a statement: its body."""
        inside = list(tree.walk(body.statement))
        last = body.statement.statements[-1:]
        returns = [part for part in inside if isinstance(part, tree.Return)]
        if returns and list(last) != returns:
            raise CannotWriteError
        statement = body.statement
        if returns:
            value = returns[0].value
            rest = (tree.Evaluate(value),) if value is not None else ()
            statement = tree.Block((*statement.statements[:-1], *rest), origin=statement.origin)
        self._inlining.add(body.function)
        outer, self._plain = self._plain, _either(self._plain, body)
        written = self.block(statement, Text(*self._entered(node, body, closure)))
        self._plain = outer
        self._inlining.discard(body.function)
        return written

    def statements(self, node: tree.StatementValue) -> Text:
        origin = node.origin
        if origin is not None and origin.kind.name == "CXX_NEW_EXPR" and node.value is not None:
            for one in node.body.statements:  # in front of the statement, where the pointer is followed
                begun = self._statement(one)
                self.made.append(begun)
            return self.value(node.value)
        self._scopes.append([])
        parts = [self.statement(one) for one in node.body.statements]
        value: Sequence[str | Text] = (self.value(node.value), "; ") if node.value is not None else ()
        self._scopes.pop()
        return Text("({ ", *parts, *value, "})")


def _is_range_loop(node: tree.Block) -> bool:
    last = node.statements[-1] if node.statements else None
    origin = last.origin if isinstance(last, tree.Loop) else None
    return origin is not None and origin.kind.name == "CXX_FOR_RANGE_STMT" and len(node.statements) >= 3


def _either(one: Callable[[Variable], bool], body: tree.Body) -> Callable[[Variable], bool]:
    """Whether a variable is a plain reference in a function, or in a closure's body in it."""
    other = plain_references(body.statement)
    return lambda variable: one(variable) and other(variable)
