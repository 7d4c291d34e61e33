"""Calls, and how objects of classes begin and end: constructors, destructors, closures, initialisers in braces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.nodes import Opaque
from ...tree.types import VOID, Pointer, Record, Type, promoted, value_of
from .. import libclang
from . import clang
from .expressions import ExpressionReader
from .symbols import PLACES, Read, captures, is_method
from .types import ARRAYS, CONSTANT_ARRAY, NOT_KNOWN, written

_FUNCTIONS = frozenset(("FUNCTION_DECL", "CXX_METHOD", "CONVERSION_FUNCTION"))
_DATA = frozenset(("FIELD_DECL", "VAR_DECL"))
_CLASSES = frozenset(("CLASS_DECL", "STRUCT_DECL", "UNION_DECL"))
Step = tuple[tuple[types.Member | int, ...], tree.Expression]  # a part of an aggregate
_BODIES = frozenset(("COMPOUND_STMT", "CXX_TRY_STMT"))


def _class_in(kind: Any) -> tuple[Any, Any]:
    """(a type, or that of an array's elements; the definition of its class, or None for other types)"""
    kind = kind.get_canonical()
    while kind._kind_id == CONSTANT_ARRAY:
        kind = kind.element_type.get_canonical()
    declaration = kind.get_declaration()
    is_class = declaration.kind.name in _CLASSES
    return kind, (declaration.get_definition() or declaration) if is_class else None


class ObjectReader(ExpressionReader):
    """Expressions, with calls and objects."""

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, cursor: Any) -> Read:
        target = cursor.referenced
        arguments = list(cursor.get_arguments())
        kind = target.kind.name if target is not None else ""
        if kind == "CONSTRUCTOR":
            return self._construction(cursor, target, arguments)
        if kind == "DESTRUCTOR":
            raise NotReadError("a destructor that the program calls")
        if kind not in _FUNCTIONS:
            return self._through_pointer(cursor, arguments)
        first = libclang.children(cursor)[:1]
        member = bool(first) and self._is_method_name(self._without_parentheses(first[0]))
        before: tuple[tree.Expression, ...] = ()
        given: list[tree.Expression] = []
        if is_method(target):
            if member:
                whole = self._whole(self._without_parentheses(first[0]), target.semantic_parent)
            else:
                whole = self.as_base(self.place(arguments[0]), self.types.record(target.semantic_parent))
                arguments = arguments[1:]
            if self._is_plain_copy(target):
                assert isinstance(whole.type, Record)
                value = self.loaded(self._copied(self.read(arguments[0]), whole.type))
                return tree.Store(value_of(whole.type), whole, value, origin=cursor)
            given.append(self.address(whole, self.symbols.this_type(target).to))
        elif member:
            before = tuple(self.dropped(self.read(c)) for c in libclang.children(first[0]) if c.kind.is_expression())
        given += self._given(arguments, target)
        function = self.symbols.function(target)
        callee = tree.FunctionAddress(Pointer(function.type), function)
        virtual = is_method(target) and bool(target.is_virtual_method()) and clang.is_virtual_call(cursor)
        return self._called(cursor, callee, given, before=before, virtual=virtual)

    def _called(
        self, cursor: Any, callee: tree.Expression, given: Sequence[tree.Expression], *,
        before: tuple[tree.Expression, ...] = (), virtual: bool = False,
    ) -> Read:  # fmt: skip
        kind = callee.type.to if isinstance(callee.type, Pointer) else None
        if not isinstance(kind, types.Function):
            raise NotReadError("a call of an unknown type")
        result = value_of(kind.result)
        refers = isinstance(result, Pointer) and result.reference
        if isinstance(result, Pointer) and refers:
            result = Pointer(result.to)
        call: tree.Expression = tree.Call(result, callee, tuple(given), virtual=virtual, origin=cursor)
        if before:
            call = tree.Sequence(result, (*before, call))
        if refers and isinstance(result, Pointer):
            return tree.Pointee(result.to, call, origin=cursor)
        return call

    def _through_pointer(self, cursor: Any, arguments: Sequence[Any]) -> Read:
        children = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        if not children or len(children) != len(arguments) + 1:
            raise NotReadError("a call of an unusual form")
        callee = self.value(children[0])
        kind = callee.type.to if isinstance(callee.type, Pointer) else None
        if not isinstance(kind, types.Function):
            raise NotReadError("a call of an unknown type")
        given = [self.passed(a, p) for a, p in zip(arguments, kind.parameters or (), strict=False)]
        given += [self._variadic(a) for a in arguments[len(given) :]]
        return self._called(cursor, callee, given)

    def _given(self, arguments: Sequence[Any], target: Any) -> Iterator[tree.Expression]:
        parameters = [self.types.parameter(t) for t in target.type.argument_types()]
        declared = [c for c in libclang.children(target) if c.kind.name == "PARM_DECL"]
        for number, argument in enumerate(arguments):
            if number >= len(parameters):
                yield self._variadic(argument)
            elif argument.extent.start.file is None:  # a default argument
                yield self._default(declared[number] if number < len(declared) else None, parameters[number], target)
            else:
                yield self.passed(argument, parameters[number])

    def _default(self, parameter: Any, t: Type, target: Any) -> tree.Expression:
        found = self._default_of(parameter) if parameter is not None else None
        if found is None:
            general = libclang.template_of(target) or target
            for one in (general, general.canonical):
                for inner in libclang.children(one):
                    if (
                        parameter is not None
                        and inner.kind.name == "PARM_DECL"
                        and inner.spelling == parameter.spelling
                    ):
                        found = found or self._default_of(inner)
        if found is None:
            return Opaque(value_of(t), "a default argument that libclang does not show", ())
        try:
            return self.passed(found, t)
        except NotReadError as problem:
            return Opaque(value_of(t), str(problem), ())

    @staticmethod
    def _default_of(parameter: Any) -> Any:
        return next((c for c in reversed(libclang.children(parameter)) if c.kind.is_expression()), None)

    def argument(self, cursor: Any, t: Type) -> tree.Expression:
        """What initialises a parameter, a variable or a result of type ``t``, which may be a reference."""
        if isinstance(t, Pointer) and t.reference:
            return self.bound(cursor, t)
        return self.initial(cursor, value_of(t))

    def passed(self, cursor: Any, t: Type) -> tree.Expression:
        """What initialises a parameter. Its own end, which the caller calls for, is not in the tree."""
        if isinstance(t, Record) and self.destructor(self.types.cursor(t.info)) is not None:
            raise NotReadError("an argument of a class with a destructor")
        return self.argument(cursor, t)

    def bound(self, cursor: Any, t: Pointer) -> tree.Expression:
        """What a reference of type ``t`` is bound to, as a pointer."""
        found = self.read(cursor)
        if isinstance(found, tree.FunctionAddress):
            return found
        to = t.to
        place = self.located(found, cursor)
        if isinstance(to, Record):
            place = self.as_base(place, to.info)
        return self.address(place, to)

    def _variadic(self, cursor: Any) -> tree.Expression:
        value = self.value(cursor)
        t = promoted(value.type)
        return self._as(types.Floating(53, 8) if isinstance(t, types.Floating) and t.digits == 24 else t, value)

    @staticmethod
    def _is_method_name(callee: Any) -> bool:
        """Whether the first part of a call names the method, and not an object that an operator is called for."""
        target = callee.referenced if callee.kind.name == "MEMBER_REF_EXPR" else callee
        return callee.kind.name == "MEMBER_REF_EXPR" and (target is None or target.kind.name not in _DATA)

    @staticmethod
    def _without_parentheses(cursor: Any) -> Any:
        while cursor.kind.name == "PAREN_EXPR":
            cursor = libclang.children(cursor)[0]
        return cursor

    # -- constructors -----------------------------------------------------------------------------------------------

    def _construction(self, cursor: Any, target: Any, arguments: Sequence[Any]) -> Read:
        t = value_of(self._type(cursor))
        if isinstance(t, types.Array):
            if not self._made_by_itself(cursor.type):
                raise NotReadError("an array of objects that a constructor makes")
            return tree.Aggregate(t, (), rest=False, origin=cursor)
        if not isinstance(t, Record):
            raise NotReadError("a constructor of an unknown class")
        if self._is_plain_copy(target):
            return self._copied(self.read(arguments[0]), t)
        if target.is_default_constructor() and self._is_implicit(target):
            made = self._by_default(t, cursor)
            return tree.Aggregate(t, made.parts, origin=cursor) if self._has_parentheses(cursor) else made
        function = self.symbols.function(target)
        callee = tree.FunctionAddress(Pointer(function.type), function)
        given = tuple(self._given(arguments, target))
        return tree.Call(t, callee, given, constructs=True, origin=cursor)

    def _copied(self, found: Read, t: Record) -> Read:
        """An object that is copied, member by member, or made where it is needed at once."""
        if not isinstance(found, PLACES):
            return found
        place = self.as_base(found, t.info)
        if isinstance(place, tree.Temporary):
            self.frame.temporaries[:] = [one for one in self.frame.temporaries if one is not place]
            return place.initialiser
        return self.loaded(place)

    @staticmethod
    def _has_parentheses(cursor: Any) -> bool:
        """Whether an object is made by ``T()``, which makes what has no value zero."""
        return [token.spelling for token in cursor.get_tokens()][-1:] in ([")"], ["}"])

    def _by_default(self, t: Record, origin: Any) -> tree.Aggregate:
        """An object that no constructor of the user's makes: its members are made, one after the other."""
        definition = self.types.cursor(t.info)
        parts: list[Step] = []
        for child in libclang.children(written(definition)):
            if child.kind.name == "CXX_BASE_SPECIFIER" and not self._made_by_itself(child.type):
                raise NotReadError("a base class with a constructor, in an implicit constructor")
        fields = {f.spelling: f for f in definition.type.get_fields()}
        for child in libclang.children(written(definition)):
            if child.kind.name != "FIELD_DECL" or child.spelling not in fields:
                continue
            field = fields[child.spelling]
            value = self._first_value(child)
            member = self.types.member(field)
            if value is not None:
                parts.append(((member,), self.initial(value, value_of(member.type))))
            elif not self._made_by_itself(field.type):
                raise NotReadError("a member with a constructor, in an implicit constructor")
        return tree.Aggregate(t, tuple(parts), rest=False, origin=origin)

    def _made_by_itself(self, kind: Any) -> bool:
        """Whether objects of a type that are not initialised have no value, and nothing runs."""
        kind, definition = _class_in(kind)
        if definition is None:
            return kind._kind_id not in NOT_KNOWN
        members = libclang.children(written(definition))
        has_default = libclang.has_default(members)
        for child in members:
            if child.kind.name in ("CONSTRUCTOR", "FUNCTION_TEMPLATE") and not has_default:
                if child.kind.name == "FUNCTION_TEMPLATE" and child.spelling != definition.spelling:
                    continue
                if not child.is_default_method():
                    return False
            if child.kind.name == "CXX_METHOD" and child.is_virtual_method():
                return False
            if child.kind.name == "FIELD_DECL" and self._first_value(child) is not None:
                return False
            if child.kind.name == "CXX_BASE_SPECIFIER" and not self._made_by_itself(child.type):
                return False
        return all(self._made_by_itself(f.type) for f in definition.type.get_fields())

    @staticmethod
    def _first_value(field: Any) -> Any:
        """The value that the declaration of a member gives it, or None. What stands before its name is its type's."""
        name = field.location.offset
        values = [c for c in libclang.children(field) if c.kind.is_expression() and c.extent.start.offset >= name]
        if field.is_bitfield():
            if field.extent.end.offset > values[0].extent.end.offset:  # libclang shows the width alone
                raise NotReadError("a bit-field with a value of its own")
            return None
        if field.type.get_canonical()._kind_id in ARRAYS:  # of which the length is an expression, too
            values = [c for c in values if c.kind.name in ("INIT_LIST_EXPR", "STRING_LITERAL")]
        return values[-1] if values else None

    @staticmethod
    def _is_implicit(function: Any) -> bool:
        """Whether nobody has written a function of a class, or its definition is ``= default``."""
        return bool(function.is_default_method())

    @staticmethod
    def _copies(function: Any) -> bool:
        """Whether a function is one that copies or moves an object of its class; ``x = 2.0`` may be another one."""
        if function.kind.name == "CONSTRUCTOR":
            return bool(function.is_copy_constructor() or function.is_move_constructor())
        return function.kind.name == "CXX_METHOD" and bool(
            function.is_copy_assignment_operator_method() or function.is_move_assignment_operator_method()
        )

    def _is_plain_copy(self, function: Any) -> bool:
        """Whether a function copies or moves an object byte by byte."""
        return self._copies(function) and self._is_implicit(function) and self.is_plain(function.semantic_parent)

    def is_plain(self, declaration: Any) -> bool:
        """Whether objects of a class are copied byte by byte."""
        definition = declaration.get_definition() or declaration
        if definition.type.is_pod():
            return True
        for child in libclang.children(written(definition)):
            if self._copies(child) and not child.is_default_method():
                return False
            if child.kind.name == "CXX_BASE_SPECIFIER" and not self._is_plain_type(child.type):
                return False
        return all(self._is_plain_type(f.type) for f in definition.type.get_fields())

    def _is_plain_type(self, kind: Any) -> bool:
        kind, definition = _class_in(kind)
        return kind._kind_id not in NOT_KNOWN if definition is None else self.is_plain(definition)

    # -- destructors ------------------------------------------------------------------------------------------------

    def end_of(self, t: Type, place: tree.Place) -> tree.Expression | None:
        if isinstance(t, types.Array):
            if isinstance(t.of, Record | types.Array) and self.end_of(t.of, place) is not None:
                return Opaque(VOID, "an array of objects with destructors", (place,))
            return None
        if not isinstance(t, Record):
            return None
        found = self.destructor(self.types.cursor(t.info))
        if found is None:
            return None
        if isinstance(found, str):
            return Opaque(VOID, found, (place,))
        function = self.symbols.function(found)
        callee = tree.FunctionAddress(Pointer(function.type), function)
        return tree.Call(VOID, callee, (self.address(place, self.symbols.this_type(found).to),))

    def destructor(self, definition: Any) -> Any:
        """The destructor of a class, None if it does nothing, or a text if it is not known what it does."""
        instance = definition.get_num_template_arguments() > 0
        implicit = False
        for child in libclang.children(written(definition)):
            kind = child.kind.name
            if kind == "DESTRUCTOR" and not child.is_default_method():
                body = next((c for c in libclang.children(child) if c.kind.name in _BODIES), None)
                if body is not None and not libclang.children(body):
                    continue  # of itself it does nothing
                return "the destructor of an instantiation" if instance else child
            if kind == "CXX_BASE_SPECIFIER":
                implicit |= self._ends(child.type)
        implicit |= any(self._ends(f.type) for f in definition.type.get_fields())
        return "a destructor that nobody has written" if implicit else None

    def _ends(self, kind: Any) -> bool:
        kind, definition = _class_in(kind)
        return kind._kind_id in NOT_KNOWN if definition is None else self.destructor(definition) is not None

    # -- initialisers -----------------------------------------------------------------------------------------------

    def initial(self, cursor: Any, t: Type) -> tree.Expression:
        """The value that initialises an object of type ``t``."""
        if cursor.kind.name == "INIT_LIST_EXPR":
            return self.initialiser(t, cursor)
        found = self.read(cursor)
        if isinstance(t, Record):
            if isinstance(found, PLACES):
                found = self._copied(found, t)
            return found if not isinstance(found, PLACES) else self.loaded(found)
        if isinstance(t, types.Array) and isinstance(found, PLACES):
            return tree.Aggregate(t, (((), tree.Load(found.type, found)),), origin=cursor)
        return self._as(t, self.loaded(self.converted(found, t, cursor)))

    def _list(self, cursor: Any) -> Read:
        return self.initialiser(value_of(self._type(cursor)), cursor)

    def _literal(self, cursor: Any) -> Read:
        return self.initialiser(value_of(self._type(cursor)), libclang.children(cursor)[-1])

    def initialiser(self, t: Type, cursor: Any) -> tree.Expression:
        """What a list in braces makes, which libclang shows as it is written."""
        inner = libclang.children(cursor)
        designated = [c for c in inner if any(part.kind.name == "MEMBER_REF" for part in libclang.children(c))]
        if designated:
            return self._designated(t, inner, cursor)
        if not all(c.kind.is_expression() for c in inner):
            raise NotReadError("a list in braces of an unusual form")
        if not isinstance(t, Record | types.Array):
            if not inner:
                return tree.Constant(t, 0, origin=cursor)
            return self.initial(inner[0], t)
        if len(inner) == 1 and isinstance(t, Record) and inner[0].kind.name != "INIT_LIST_EXPR":
            kind = self.types.type(inner[0].type)
            if isinstance(kind, Record) and kind.info is t.info:
                return self.initial(inner[0], t)
        rest = list(reversed(inner))
        made = self._filled(t, rest, cursor)
        if rest:
            raise NotReadError("a list in braces with more values than members")
        return made

    def _designated(self, t: Type, inner: Sequence[Any], origin: Any) -> tree.Expression:
        """``{.x = 1, .y = 2}``: C++ has them in the order of the members, and all or none."""
        if not isinstance(t, Record):
            raise NotReadError("a list in braces with designators that is no object")
        self._check_aggregate(t.info)
        given: dict[types.Member, Any] = {}
        for one in inner:
            *names, value = libclang.children(one) or [None]
            if len(names) != 1 or names[0].kind.name != "MEMBER_REF" or names[0].referenced is None:
                raise NotReadError("a list in braces with designators of an unusual form")
            given[self.types.member(names[0].referenced)] = value
        if not given.keys() <= set(t.info.members):
            raise NotReadError("a list in braces with designators of an unusual form")
        parts: list[Step] = []
        for member in t.info.members:
            if member in given:
                parts.append(((member,), self._element(member.type, [given[member]])))
            elif not t.info.union and (default := self._left_out(t, member)) is not None:
                parts.append(((member,), default))
        return tree.Aggregate(value_of(t), tuple(parts), origin=origin)

    def _filled(self, t: Type, rest: list[Any], origin: Any) -> tree.Expression:
        """An aggregate of the next values of a list, of which inner braces may be left out."""
        parts: list[Step] = []
        steps: Sequence[types.Member | int]
        if isinstance(t, types.Array):
            if rest and rest[-1].kind.name == "STRING_LITERAL" and isinstance(t.of, types.Integer):
                return self.initial(rest.pop(), t)
            steps = range(t.length if isinstance(t.length, int) else len(rest))
        else:
            assert isinstance(t, Record)
            self._check_aggregate(t.info)
            steps = t.info.members[:1] if t.info.union else t.info.members
        for step in steps:
            kind = t.of if isinstance(t, types.Array) else cast_member(step).type
            if not rest:
                if (default := self._left_out(t, step)) is not None:
                    parts.append(((step,), default))
                continue
            parts.append(((step,), self._element(kind, rest)))
        return tree.Aggregate(value_of(t), tuple(parts), origin=origin)

    def _element(self, kind: Type, rest: list[Any]) -> tree.Expression:
        first = rest[-1]
        if isinstance(kind, Pointer) and kind.reference:
            return self.bound(rest.pop(), kind)
        target = value_of(kind)
        if first.kind.name != "INIT_LIST_EXPR" and isinstance(target, Record | types.Array):
            own = self.types.type(first.type)
            whole = isinstance(own, Record) and isinstance(target, Record) and own.info is target.info
            if not whole and first.kind.name != "STRING_LITERAL":
                return self._filled(target, rest, None)
        return self.initial(rest.pop(), target)

    def _check_aggregate(self, info: types.RecordInfo) -> None:
        definition = self.types.cursor(info)
        for child in libclang.children(written(definition)):
            template = child.kind.name == "FUNCTION_TEMPLATE" and child.spelling == definition.spelling
            if template or (child.kind.name == "CONSTRUCTOR" and not child.is_default_method()):
                raise NotReadError("a list in braces for a class with constructors")

    def _left_out(self, whole: Type, step: types.Member | int) -> tree.Expression | None:
        """What a list in braces makes of a part for which it has no value, or None if that is zero."""
        if isinstance(whole, types.Array):
            part = whole.of
        else:
            assert isinstance(whole, Record)
            member = cast_member(step)
            value = self._written_value(self.types.cursor(whole.info), member)
            if value is not None:
                return self.initial(value, value_of(member.type))
            part = member.type
        if isinstance(part, Record) and not self._made_by_itself(self.types.cursor(part.info).type):
            return self._filled(value_of(part), [], None)
        while isinstance(part, types.Array):
            part = part.of
            if isinstance(part, Record) and not self._made_by_itself(self.types.cursor(part.info).type):
                raise NotReadError("objects with constructors, of which a list in braces has no values")
        return None

    def _written_value(self, record: Any, member: types.Member) -> Any:
        """The expression that the declaration of a member has for its value, or None."""
        declared = (c for c in libclang.children(written(record)) if c.kind.name == "FIELD_DECL")
        return next((self._first_value(c) for c in declared if c.spelling == member.name), None)

    # -- closures ---------------------------------------------------------------------------------------------------

    def _closure(self, cursor: Any) -> Read:
        t = self._type(cursor)
        if not isinstance(t, Record):
            raise NotReadError("a closure without a type")
        parts: list[Step] = []
        for one in captures(cursor):
            member = self.types.member(one.field)
            reference = isinstance(member.type, Pointer) and member.type.reference
            if one.variable is None:
                place = self.this(cursor)
                made = self.address(place) if isinstance(member.type, Pointer) else self.loaded(place)
            elif one.value is not None:
                made = self.argument(one.value, member.type)
            else:
                place = self.named(one.variable)
                if reference:
                    made = self.address(place, member.type.to if isinstance(member.type, Pointer) else None)
                elif isinstance(place.type, types.Array):
                    made = tree.Aggregate(place.type, (((), tree.Load(place.type, place)),))
                else:
                    made = self.loaded(place)
            parts.append(((member,), made))
        return tree.Aggregate(t, tuple(parts), origin=cursor)


def cast_member(step: types.Member | int) -> types.Member:
    assert isinstance(step, types.Member)
    return step
