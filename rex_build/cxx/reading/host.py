"""Reads of a C++ unit what the warnings follow, and no proof does: memory of ``new``, ``try``, members that a
constructor makes by itself, destructors of instantiations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from ...base.records import replace
from ...c.source.preprocess import COMPILERS_OWN
from ...check.calls import THROW
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import INT, SIZE, VOID, Member, Pointer, Record, RecordInfo, value_of
from .. import libclang
from ..unit import Unit
from . import clang
from .containers import ContainerReader
from .reader import Reader
from .symbols import PLACES, Read, member_of

# The characters of functions that are looked at. To look takes longer than to lower them.
_MOST_TEXT = 200_000


class HostReader(ContainerReader):
    """Reads functions for warnings. There, a ``new`` is the C function that gives such memory."""

    _READERS: ClassVar[dict[str, str]] = {
        **Reader._READERS, "CXX_NEW_EXPR": "_new", "CXX_DELETE_EXPR": "_delete", "CXX_THROW_EXPR": "_throw",
    }  # fmt: skip

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._instance: RecordInfo | None = None  # whose destructor, written in a template, is read
        self._wanted: types.Type = VOID  # the type of what is initialised
        self._inside: set[Function] = set()  # that are asked what they give
        self._trying = 0  # statements with handlers around what is read
        self._left = _MOST_TEXT
        self._endings: dict[Function, tuple[Function, RecordInfo]] = {}  # destructors of instantiations
        self._ending_of: dict[tuple[Function, RecordInfo], Function] = {}

    def is_of_system(self, function: Function) -> bool:
        """Whether a function is not the user's."""
        cursor = self.symbols.cursors.get(function)
        return cursor is None or not libclang.is_users(cursor)

    # -- memory -----------------------------------------------------------------------------------------------------

    def initial(self, cursor: Any, t: types.Type) -> tree.Expression:
        outer, self._wanted = self._wanted, t
        try:
            return super().initial(cursor, t)
        finally:
            self._wanted = outer

    def _new(self, cursor: Any) -> Read:
        t = self.types.type(cursor.type)
        if not isinstance(t, Pointer) or isinstance(t.to, types.Unknown):
            t = self._wanted  # in a template's text
        if not isinstance(t, Pointer) or t.to.size is None:
            raise NotReadError("new of a type whose size is not known")
        children = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        low, high = self.unit.extent(cursor)  # the text of an instantiation may end in front of its brackets
        text = self.unit.text
        is_array = next((c for c in text[low : high + 80] if c in "[({;)"), "") == "["
        count: tree.Expression = tree.Constant(SIZE, 1)
        if is_array:
            if not children:
                raise NotReadError("new of an array without a length")
            count = self.value(children[0])
            if any(isinstance(part, tree.Opaque) for part in tree.walk(count)):
                count = tree.Constant(SIZE, None)
        size = tree.Constant(SIZE, t.to.size)
        bytes_ = tree.Binary(SIZE, "*", size, self._as(SIZE, count)) if is_array else size
        name = "calloc" if text[high - 1 : high] in (")", "}") or isinstance(t.to, Record) else "malloc"
        given = (count, size) if name == "calloc" else (bytes_,)
        made = tree.Convert(t, self.called_library(name, Pointer(VOID), *given, origin=cursor), True)
        if is_array or not children or not isinstance(t.to, Record):
            return made
        if not libclang.is_users(self.types.cursor(t.to.info)):
            return made
        pointer = Variable("made", t, Storage.LOCAL, None)
        named = tree.Load(t, tree.Named(t, pointer))
        begun = tree.Store(t.to, tree.Pointee(t.to, named), self.initial(children[-1], t.to), origin=cursor)
        body = tree.Block((tree.Declare(pointer, made, origin=cursor), tree.Evaluate(begun)))
        return tree.StatementValue(t, body, named, origin=cursor)

    def _delete(self, cursor: Any) -> Read:
        pointer = self.value(next(c for c in libclang.children(cursor) if c.kind.is_expression()))
        free = self.called_library("free", VOID, tree.Convert(Pointer(VOID), pointer), origin=cursor)
        is_array = self.unit.text[slice(*self.unit.extent(cursor))].partition("delete")[2].lstrip().startswith("[")
        if is_array or not isinstance(pointer.type, Pointer):
            return free
        end = self.end_of(pointer.type.to, tree.Pointee(pointer.type.to, pointer))
        return tree.Sequence(VOID, (end, free)) if end is not None else free

    def _throw(self, cursor: Any) -> Read:
        return self.called_library("abort" if self._trying else THROW, VOID, origin=cursor)

    # -- methods that give a part of their object -------------------------------------------------------------------

    def _called(
        self, cursor: Any, callee: tree.Expression, given: Sequence[tree.Expression], *,
        before: tuple[tree.Expression, ...] = (), virtual: bool = False,
    ) -> Read:  # fmt: skip
        found = super()._called(cursor, callee, given, before=before, virtual=virtual)
        call = found.pointer if isinstance(found, tree.Pointee) else None
        if not isinstance(call, tree.Call) or call.virtual or not isinstance(call.callee, tree.FunctionAddress):
            return found
        value = self._given_back(call.callee.function)
        if value is None:
            return found
        body = self.body(call.callee.function)
        assert body is not None
        try:
            address = _with(value, dict(zip(body.parameters, given, strict=False)))
        except NotReadError:
            return found
        if isinstance(address, tree.AddressOf) and isinstance(address.place, PLACES):
            return replace(address.place, origin=cursor)
        return tree.Pointee(found.type, address, origin=cursor)

    def _given_back(self, function: Function) -> tree.Expression | None:
        """The address that a function of the user's gives which does nothing else, and no such function itself."""
        if function in self._inside or self.is_of_system(function):
            return None
        self._inside.add(function)
        outer = self._placed, self._expected
        body = self.body(function)
        self._placed, self._expected = outer
        self._inside.discard(function)
        statements = body.statement.statements if body is not None else ()
        only = statements[0] if len(statements) == 1 else None
        return only.value if isinstance(only, tree.Return) else None

    def _jump(self, cursor: Any) -> tree.Statement:
        if cursor.kind.name == "CXX_TRY_STMT":
            self._trying += 1
            try:
                return self.statement(libclang.children(cursor)[0])
            finally:
                self._trying -= 1
        return super()._jump(cursor)

    def _range_loop(self, cursor: Any) -> tree.Statement:
        """A loop over a container or an array, by a counter."""
        children = libclang.children(cursor)
        declared = next((c for c in children if c.kind.name == "VAR_DECL"), None)
        begin = libclang.hidden(declared, "__begin") if declared is not None else None
        over = libclang.hidden(begin, "__range") if begin is not None else None
        value = clang.initialiser(over) if over is not None else None
        place = self.place(value) if value is not None else None
        container = self.container(place.type) if place is not None else None
        if declared is None or not isinstance(place, PLACES) or isinstance(place, tree.Temporary):
            return super()._range_loop(cursor)
        if isinstance(place.type, types.Array) and isinstance(place.type.length, int):
            element = place.type.of
            size: tree.Expression = tree.Constant(INT, place.type.length)
            pointer: tree.Expression = tree.Decay(Pointer(element), place)
        elif container is not None and container.kind in ("vector", "array"):
            element, size = container.element, self.size(container, place)
            pointer = self.elements(container, place)
        else:
            return super()._range_loop(cursor)
        variable = self.symbols.variable(declared)
        t = variable.type

        def body(index: tree.Expression) -> tree.Statement:
            one = tree.Pointee(element, tree.Offset(pointer.type, pointer, index), origin=declared)
            first: tree.Expression = tree.Load(value_of(element), one, origin=declared)
            if isinstance(t, Pointer) and t.reference:
                first = self.address(one, t.to)
            elif isinstance(t, Record):
                first = self.loaded(one)
            return tree.Block((tree.Declare(variable, first, origin=declared), self.statement(children[-1])))

        return self.counted(cursor, size, body)

    def _whole_body(self, definition: Any, statement: Any) -> tree.Block:
        """A body, with what a constructor does in front of it as far as that is known, and what ends behind it."""
        first: list[tree.Statement] = []
        if definition.kind.name == "CONSTRUCTOR":
            try:
                first = list(self._members(definition))
            except NotReadError as problem:
                first = [self.opaque(definition, str(problem))]
        block = self.block(statement)
        last: list[tree.Statement] = []
        if definition.kind.name == "DESTRUCTOR":
            last = [tree.Evaluate(one) for one in self._ends_of_parts(self.own_object())]
        return tree.Block((*first, *block.statements, *last), origin=statement)

    # -- what begins by itself ----------------------------------------------------------------------------------------

    def _members(self, definition: Any) -> Iterator[tree.Statement]:
        """What a constructor does in front of its body, and how the parts begin of which it says nothing."""
        stored = set()
        for statement in super()._members(definition):
            store = statement.expression if isinstance(statement, tree.Evaluate) else None
            place = store.place if isinstance(store, tree.Store) else None
            stored.update([place.member] if isinstance(place, tree.Part) else [])
            yield statement
        info = self.types.record(definition.semantic_parent)
        for member in info.members:
            for steps, value in self._begun(member) if member not in stored else ():
                place = self.own_object()
                for step in steps:
                    place = tree.Part(step.type, place, step)
                yield tree.Evaluate(tree.Store(value_of(place.type), place, value, origin=definition))

    def _needs_nothing(self, record: Any, member: Member) -> bool:  # noqa: ARG002 - it begins behind the others
        return True

    def _by_default(self, t: Record, origin: Any) -> tree.Aggregate:
        return tree.Aggregate(t, tuple(self._begun_parts(t.info)), rest=False, origin=origin)

    def _begun_parts(self, info: RecordInfo) -> Iterator[tuple[tuple[Member, ...], tree.Expression]]:
        """What the parts of an object begin with that no constructor of the user's makes."""
        for member in info.members:
            value = self._written_value(self.types.cursor(info), member) if not member.base else None
            if value is not None:
                yield (member,), self.argument(value, member.type)
            else:
                yield from self._begun(member)

    def _begun(self, member: Member) -> Iterator[tuple[tuple[Member, ...], tree.Expression]]:
        """What a member or a base class begins with if nothing is said."""
        t = member.type
        if not isinstance(t, Record) or t.info.union or self.container(t) is not None:
            return
        record = self.types.cursor(t.info)
        if not libclang.is_users(record):
            return
        made = [c for c in libclang.children(record) if c.kind.name == "CONSTRUCTOR" and not c.is_default_method()]
        plain = next((c for c in made if not list(c.get_arguments())), None)
        if plain is not None:
            function = self.function(plain)
            callee = tree.FunctionAddress(Pointer(function.type), function)
            yield (member,), tree.Call(value_of(t), callee, (), constructs=True)
        elif not any(c.is_default_constructor() for c in made):
            for steps, value in self._begun_parts(t.info):
                yield (member, *steps), value

    # -- destructors --------------------------------------------------------------------------------------------------

    def passed(self, cursor: Any, t: types.Type) -> tree.Expression:
        """What initialises a parameter. An object of the user's that is passed by value is a temporary, which ends with
        the full expression. Where the function may move from it, it is not known what is left then."""
        if not isinstance(t, Record) or self.container(t) is not None:
            return super().passed(cursor, t)
        record = self.types.cursor(t.info)
        children = libclang.children(record)
        moves = any(c.kind.name == "CONSTRUCTOR" and c.is_move_constructor() for c in children)
        if moves or not libclang.is_users(record) or self._destructor_of(t.info) is None:
            return super().passed(cursor, t)
        return self.loaded(self.temporary(self.argument(cursor, t)))

    def end_of(self, t: types.Type, place: tree.Place) -> tree.Expression | None:
        """The calls that end an object: of its own destructor, or else of those of its parts."""
        if isinstance(t, types.Array):
            one = tree.Pointee(t.of, tree.Decay(Pointer(t.of), place))
            inner = self.end_of(t.of, one) is not None
            return tree.Opaque(VOID, "an array of objects with destructors", (place,)) if inner else None
        if not isinstance(t, Record) or self.container(t) is not None or not isinstance(place, PLACES):
            return super().end_of(t, place)
        if t.info.union or not libclang.is_users(self.types.cursor(t.info)):
            return None
        own = self._destructor_of(t.info)
        if own is not None:
            callee = tree.FunctionAddress(Pointer(own.type), own)
            return tree.Call(VOID, callee, (self.address(place, Record(t.info)),))
        parts = tuple(self._ends_of_parts(place))
        return tree.Sequence(VOID, parts) if parts else None

    def _ends_of_parts(self, place: tree.Place) -> Iterator[tree.Expression]:
        t = place.type
        assert isinstance(t, Record)
        for member in sorted(t.info.members, key=lambda one: one.base):
            if isinstance(member.type, Record):
                end = self.end_of(member.type, tree.Part(member.type, place, member))
                if end is not None:
                    yield end

    def _destructor_of(self, info: RecordInfo) -> Function | None:
        """The destructor that a user has written for a class: of an instantiation, the template's for it."""
        cursor = self.types.cursor(info)
        general = libclang.template_of(cursor)
        children = libclang.children(cursor if general is None else general.get_definition() or general)
        found = next((c for c in children if c.kind.name == "DESTRUCTOR" and not c.is_default_method()), None)
        if found is None:
            return None
        function = self.function(found)
        if general is None:
            return function
        key = function, info
        if key not in self._ending_of:
            this = Pointer(Record(info))
            made = replace(function, type=types.Function(VOID, (this,)), defined=True)
            self._ending_of[key], self._endings[made] = made, key
            self.symbols.cursors[made] = self.symbols.cursors[function]
        return self._ending_of[key]

    def body(self, function: Function) -> tree.Body | None:
        """The body of a function; of a class template's destructor, as it is for an instantiation. None, too, for those
        that are left out because there is so much text, and those of headers that are installed beside the system's."""
        if function not in self._bodies:
            cursor = self.symbols.cursors.get(function)
            if cursor is None:  # memory of ``new``
                return None
            start, end = self.unit.extent(cursor.get_definition() or cursor)
            is_installed = libclang.is_users(cursor) and self.unit.span(start).file.startswith(COMPILERS_OWN)
            if end - start > self._left or is_installed:
                self._bodies[function] = None
            else:
                self._left -= end - start
        if function not in self._endings or function in self._bodies:
            return super().body(function)
        _, self._instance = self._endings[function]
        found = super().body(function)
        self._instance = None
        return found

    def own_object(self) -> tree.Pointee:
        whole = super().own_object()
        return whole if self._instance is None else tree.Pointee(Record(self._instance), whole.pointer)

    def _member(self, cursor: Any) -> Read:
        if self._instance is None or any(c.kind.is_expression() for c in libclang.children(cursor)):
            return super()._member(cursor)
        return self.referred(member_of(self._whole(cursor, self.types.cursor(self._instance)), cursor.spelling), cursor)


_PURE = (
    tree.Named, tree.Pointee, tree.Part, tree.Constant, tree.Load, tree.AddressOf, tree.Decay, tree.Convert, tree.Unary,
    tree.Binary, tree.Offset, tree.Distance, tree.Conditional, tree.ShortCircuit,
)  # fmt: skip


def _with(node: Any, values: Mapping[Variable, tree.Expression]) -> Any:
    """An expression, or a place, with values for parameters. Raises NotReadError where it does more than to compute."""
    if isinstance(node, tree.Load) and isinstance(node.place, tree.Named) and node.place.variable in values:
        return values[node.place.variable]
    if not isinstance(node, _PURE) or (isinstance(node, tree.Named) and node.variable in values):
        raise NotReadError("a function that does more than to give a place")
    parts = {name: _with(part, values) for name, part in vars(node).items() if isinstance(part, tree.Node)}
    return replace(node, **parts) if parts else node
