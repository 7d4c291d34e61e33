"""Reads of a C++ unit what the warnings follow, and no proof does: memory of ``new``, ``try``, members that a
constructor makes by itself, destructors of instantiations."""

from __future__ import annotations

from typing import Any, ClassVar

from ...tree import nodes as tree
from ...tree import types
from ...tree.conversions import SIZE, VOID, value_of
from ...tree.symbols import Function, Storage, Variable
from ...tree.types import Member, Pointer, Record, RecordInfo
from .. import libclang
from ..reading import clang
from ..reading.clauses import member_of
from ..reading.frame import NotReadError, Read
from ..reading.objects import captures
from ..reading.reader import Reader
from ..unit import Unit


class HostReader(Reader):
    """Reads functions for warnings. There, a ``new`` is the C function that gives such memory."""

    _READERS: ClassVar[dict[str, str]] = {
        **Reader._READERS, "CXX_NEW_EXPR": "_new", "CXX_DELETE_EXPR": "_delete", "CXX_THROW_EXPR": "_throw",
    }  # fmt: skip

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._instance: RecordInfo | None = None  # whose destructor, written in a template, is read
        self._wanted: types.Type = VOID  # the type of what is initialised
        self._library: dict[str, Function] = {}
        self._endings: dict[tuple[Function, RecordInfo], tree.Body | None] = {}

    def names_of_captures(self, info: RecordInfo) -> dict[Member, str]:
        """The members of a closure by the names of what they hold."""
        cursor = self.types.cursor(info)
        closure = self._closure_at(cursor) if "(lambda" in cursor.type.spelling else None
        try:
            held = captures(self.types, closure) if closure is not None else ()
        except NotReadError:
            return {}
        return {member: "rex_this" if declaration is None else declaration.spelling for member, declaration, _ in held}

    def _closure_at(self, record: Any) -> Any:
        methods = (c for c in libclang.children(record) if c.spelling == "operator()")
        return next((self._closure_of(method) for method in methods), None)

    def value_in_class(self, info: RecordInfo, member: Member) -> tree.Expression | None:
        """The value that the declaration of a member gives it."""
        value = self._written_value(self.types.cursor(info), member)
        try:
            return self.argument(value, member.type) if value is not None else None
        except NotReadError as problem:
            return self.opaque(value, str(problem))

    # -- memory -----------------------------------------------------------------------------------------------------

    def _called_library(self, name: str, result: types.Type, *arguments: tree.Expression, origin: Any) -> tree.Call:
        if name not in self._library:
            kind = types.Function(result, tuple(value_of(one.type) for one in arguments))
            self._library[name] = Function(name, kind, True, False, None)
        function = self._library[name]
        return tree.Call(result, tree.FunctionAddress(Pointer(function.type), function), arguments, origin=origin)

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
        if not isinstance(t, Pointer):
            raise NotReadError("new of a type that is not known")
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
        if t.to.size is None:
            raise NotReadError("new of a type whose size is not known")
        bytes_ = tree.Binary(SIZE, "*", size, count) if is_array else size
        name = "calloc" if text[high - 1] in ")}" or isinstance(t.to, Record) else "malloc"
        given = (count, size) if name == "calloc" else (bytes_,)
        made = tree.Convert(t, self._called_library(name, Pointer(VOID), *given, origin=cursor), True)
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
        if self.unit.text[slice(*self.unit.extent(cursor))].partition("delete")[2].lstrip().startswith("["):
            pointer = tree.Convert(Pointer(VOID), pointer)  # no single object ends
        return self._called_library("free", VOID, pointer, origin=cursor)

    def _throw(self, cursor: Any) -> Read:
        return self._called_library("abort", VOID, origin=cursor)

    def called_in_clause(self, whole: tree.Place, name: str) -> Read:
        t = whole.type
        if not isinstance(t, Record):
            return super().called_in_clause(whole, name)
        record = self.types.cursor(t.info)
        methods = [c for c in libclang.children(record) if (c.kind.name, c.spelling) == ("CXX_METHOD", name)]
        methods = [c for c in methods if not list(c.get_arguments())]
        if methods:
            function = self.function(methods[0])
        elif name == "size" and not libclang.is_users(record):  # libclang does not show the methods of instantiations
            function = Function(name, types.Function(SIZE, (Pointer(t),)), True, False, None)
        else:
            return super().called_in_clause(whole, name)
        kind = function.type
        assert isinstance(kind, types.Function)
        callee = tree.FunctionAddress(Pointer(kind), function)
        return tree.Call(value_of(kind.result), callee, (self.address(whole),))

    # -- statements -------------------------------------------------------------------------------------------------

    def _jump(self, cursor: Any) -> tree.Statement:
        if cursor.kind.name == "CXX_TRY_STMT":
            return self.statement(libclang.children(cursor)[0])
        return super()._jump(cursor)

    def _whole_body(self, definition: Any, statement: Any) -> tree.Block:
        """A body, with what a constructor does in front of it as far as that is known."""
        if definition.kind.name != "CONSTRUCTOR":
            return self.block(statement)
        try:
            first = list(self._members(definition))
        except NotReadError as problem:
            first = [self.opaque(definition, str(problem))]
        block = self.block(statement)
        return tree.Block((*first, *block.statements), origin=statement)

    def _needs_nothing(self, record: Any, member: Member) -> bool:  # noqa: ARG002 - the printer makes it
        return True

    # -- destructors of instantiations --------------------------------------------------------------------------------

    def ending(self, function: Function, record: RecordInfo) -> tree.Body | None:
        """The body of a destructor of a class template, as it is for an instantiation."""
        key = function, record
        if key not in self._endings:
            cursor = self.symbols.cursors[function]
            definition = cursor.get_definition() or cursor
            body = next((c for c in libclang.children(definition) if c.kind.name == "COMPOUND_STMT"), None)
            if body is None:
                self._endings[key] = None
            else:
                self._instance = record
                parameters, block = self._in(definition, body, lambda: self.block(body))
                self._instance = None
                self._endings[key] = tree.Body(function, parameters, block)
        return self._endings[key]

    def own_object(self) -> tree.Pointee:
        whole = super().own_object()
        if self._instance is None:
            return whole
        return tree.Pointee(Record(self._instance), whole.pointer)

    def _member(self, cursor: Any) -> Read:
        if self._instance is None or any(c.kind.is_expression() for c in libclang.children(cursor)):
            return super()._member(cursor)
        return self.referred(member_of(self._whole(cursor, self.types.cursor(self._instance)), cursor.spelling), cursor)

    def _template_constants(self, offset: int) -> dict[str, tree.Constant]:
        if self._instance is None:
            return super()._template_constants(offset)
        record = self.types.cursor(self._instance)
        found: dict[str, tree.Constant] = {}
        parameters = self.unit.template_parameters(clang.template_of(record))
        for number, parameter in enumerate(parameters):
            if (value := clang.template_argument(record, number)) is not None:
                found[parameter.spelling] = tree.Constant(SIZE, value)
        return found
