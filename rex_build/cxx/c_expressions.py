"""Expressions of a C++ function as C."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..base.patterns import regex
from . import libclang
from .c_containers import Containers
from .c_text import CannotWriteError, Text
from .reading import clang

_NEW_ARRAY = regex(r"new\s+[\w:\s<>,*]+\[")
_IS_CALL = regex(r"\w\s*\(|=(?!=)|\+\+|--|[{\"']")  # or a change, or what is no number
_PATH = regex(r"&\w+(?:\.\w+)*")
_OF_THIS = regex(r"(?<![\w.>])this\b(\s*->)?")
_OWN_NAME = regex(r"(?<![\w.>])[A-Za-z_]\w*")
_SAME = frozenset(
    [
        "PAREN_EXPR",
        "BINARY_OPERATOR",
        "UNARY_OPERATOR",
        "COMPOUND_ASSIGNMENT_OPERATOR",
        "CONDITIONAL_OPERATOR",
        "ARRAY_SUBSCRIPT_EXPR",
        "INTEGER_LITERAL",
        "FLOATING_LITERAL",
        "CHARACTER_LITERAL",
        "STRING_LITERAL",
        "INIT_LIST_EXPR",
    ]
)
_VALUES = frozenset(("INTEGER_LITERAL", "FLOATING_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CXX_NULL_PTR_LITERAL_EXPR"))
_CASTS = frozenset(
    [
        "CSTYLE_CAST_EXPR",
        "CXX_STATIC_CAST_EXPR",
        "CXX_REINTERPRET_CAST_EXPR",
        "CXX_CONST_CAST_EXPR",
        "CXX_FUNCTIONAL_CAST_EXPR",
    ]
)


class Expressions(Containers):
    """Writes the expressions of a function."""

    def construct(self, name: str, place: int, kind: Any, value: Any) -> None:
        """The construction of an object."""
        raise NotImplementedError

    def end_of(self, name: str, record: Any) -> list[str]:
        """The calls that end the life of an object."""
        raise NotImplementedError

    def leave(self, place: int, scopes: int, returned: str = "") -> None:
        """The ends of objects."""
        raise NotImplementedError

    def expression(self, cursor: Any) -> None:
        """Write an expression, or a call of something unknown that may do the same."""
        low, high = self.unit.extent(cursor)
        if self.is_plain(low, high):
            self.out.put(self.unit.text[low:high], low, copied=True)
            return
        before = self.out
        self.out = Text()
        try:
            self._expression(cursor)
        except CannotWriteError:
            self.out = before
            self._unknown(cursor)
            return
        written, self.out = self.out, before
        self.out.add(written)

    def _unknown(self, cursor: Any) -> None:
        place = self.unit.extent(cursor)[0]
        if (
            any(c.kind == self.k.COMPOUND_STMT for c in cursor.walk_preorder())
            and "#pragma" in self.unit.text[slice(*self.unit.extent(cursor))]
        ):
            raise CannotWriteError
        kind = cursor.type.get_canonical()
        if kind.kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE):
            kind = kind.get_pointee()
        values = self.values_of_library_call(cursor)
        if values is not None:
            self.give_to_library(self.w.some_value(kind, "int rex_0, ..."), values, place)
            return
        self.out.put(f"{self.w.unknown(kind)}(0", place)
        self.mentioned(cursor)
        self.out.put(")", place)

    def mentioned(self, cursor: Any) -> None:
        """The addresses of all variables in an expression, as arguments."""
        place = self.unit.extent(cursor)[0]
        seen: dict[str, None] = {}
        nodes = list(cursor.walk_preorder())
        for node in nodes:
            if node.kind == self.k.DECL_REF_EXPR and node.referenced is not None:
                target = node.referenced
                if target.canonical.hash in self.lambdas:
                    nodes += self.lambdas[target.canonical.hash].walk_preorder()
                if target.kind in (self.k.VAR_DECL, self.k.PARM_DECL) and target.canonical.hash not in self.lambdas:
                    try:
                        name = self.name_in_c(target)
                    except CannotWriteError:
                        continue
                    if self.unit.variable(target).constant:
                        continue
                    if name.isidentifier() or name.startswith("(*"):
                        kind = target.type.get_canonical()
                        seen[f"&{name}"] = None
                        if kind.kind == self.t.POINTER:
                            seen[name] = None
            elif (
                node.kind == self.k.MEMBER_REF_EXPR and not libclang.children(node) and self.fields
            ) or node.kind == self.k.CXX_THIS_EXPR:
                seen["this"] = None
        self.out.put("".join(f", {name}" for name in seen), place)

    def _expression(self, cursor: Any) -> None:
        k, kind = self.k, cursor.kind
        place, end = self.unit.extent(cursor)
        if kind == k.UNEXPOSED_EXPR:
            children = libclang.children(cursor)
            if len(children) != 1:
                raise CannotWriteError
            self._expression(children[0])
        elif kind == k.DECL_REF_EXPR:
            self._reference(cursor)
        elif kind == k.MEMBER_REF_EXPR:
            self._member(cursor)
        elif kind.name in _SAME:
            children = libclang.children(cursor)
            if kind in (k.FLOATING_LITERAL, k.INTEGER_LITERAL):
                self.out.put(self.unit.text[place:end].replace("'", ""), place)
                return
            if kind == k.STRING_LITERAL and not self.unit.text[place:end].startswith('"'):
                raise CannotWriteError
            self.parts(cursor, children, self.expression if kind != k.ARRAY_SUBSCRIPT_EXPR else self._expression)
        elif kind in (k.CALL_EXPR,):
            self._call(cursor)
        elif kind.name in _CASTS:
            value = [c for c in libclang.children(cursor) if c.kind.is_expression()]
            if not value or cursor.type.get_canonical().kind == self.t.RECORD:
                raise CannotWriteError
            self.out.put(f"(({self.w.types.declare(cursor.type, '')})(", place)
            self.expression(value[-1])  # in front of it are expressions in the type
            self.out.put("))", end - 1)
        elif kind == k.CXX_BOOL_LITERAL_EXPR:
            self.out.put("1" if self.unit.text.startswith("true", place) else "0", place)
        elif kind == k.CXX_NULL_PTR_LITERAL_EXPR:
            self.out.put("((void *)0)", place)
        elif kind == k.CXX_THIS_EXPR:
            self.out.put("this", place, copied=True)
        elif kind == k.CXX_NEW_EXPR:
            self._new(cursor)
        elif kind == k.CXX_DELETE_EXPR:
            self._delete(cursor)
        elif kind == k.CXX_UNARY_EXPR:
            size = clang.integer(cursor)
            if size is None:
                raise CannotWriteError
            self.out.put(f"{size}ul", place)
        elif kind == k.CXX_THROW_EXPR:
            self.w.library.setdefault("abort", "void abort(void)")
            self.out.put("abort()", place)
        else:
            raise CannotWriteError

    def _reference(self, cursor: Any) -> None:
        target, (place, end) = cursor.referenced, self.unit.extent(cursor)
        if target is None:  # the parameter of a template
            value = self.template_values().get(self.unit.text[place:end])
            if value is None:
                raise CannotWriteError
            self.out.put(value, place)
        elif target.kind == self.k.ENUM_CONSTANT_DECL:
            self.out.put(str(target.enum_value), place)
        elif target.kind in (self.k.VAR_DECL, self.k.PARM_DECL):
            if target.canonical.hash in self.lambdas:
                raise CannotWriteError
            self.out.put(self.name_in_c(target), place)
        else:
            raise CannotWriteError

    def _member(self, cursor: Any) -> None:
        target, (place, end) = cursor.referenced, self.unit.extent(cursor)
        if target is None or target.kind not in (self.k.FIELD_DECL, self.k.VAR_DECL):
            raise CannotWriteError
        if target.kind == self.k.VAR_DECL:
            self.out.put(self.global_name(target), place)
            return
        reference = target.type.get_canonical().kind in (self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE)
        self.out.put("(*" * reference, place)
        base = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        if not base:
            if target.spelling not in self.fields:
                raise CannotWriteError
            self.out.put("this->", place)
        else:
            record = base[0].type.get_canonical()
            record = record.get_pointee().get_canonical() if record.kind == self.t.POINTER else record
            if target.spelling not in self.w.types.members(record):
                raise CannotWriteError
            self._expression(base[0])
            self.out.put("->" if base[0].type.get_canonical().kind == self.t.POINTER else ".", place)
        self.out.put(target.spelling, end - len(target.spelling), copied=True)
        self.out.put(")" * reference, place)

    def address(self, cursor: Any) -> None:
        """A reference: the address of what an expression means."""
        inner = self.inner(cursor)
        place = self.unit.extent(inner)[0]
        k = self.k
        if inner.kind in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR, k.ARRAY_SUBSCRIPT_EXPR, k.PAREN_EXPR) or (
            inner.kind == k.UNARY_OPERATOR and self.unit.text.startswith("*", place)
        ):
            self.out.put("&", place)
            self._expression(inner)
            return
        if inner.kind == k.CALL_EXPR and inner.referenced is not None:
            result = inner.referenced.result_type.get_canonical()
            if result.kind == self.t.LVALUEREFERENCE or self.is_element(inner):
                self.out.put("&", place)
                self._expression(inner)
                return
        kind = cursor.type.get_canonical()
        if kind.kind == self.t.RECORD:
            name = self.w.fresh("rex_made")
            before, self.out = self.out, Text()
            self.out.put(f"{self.w.types.declare(kind, name)}; ", place)
            self.construct(name, place, kind, inner)
            made, self.out = self.out, before
            self.made.add(made)
            self.ended += self.end_of(name, kind)
            self.out.put(f"&{name}", place)
            return
        self.out.put(f"&({self.w.types.declare(kind, '')}){{", place)
        self.expression(cursor)
        self.out.put("}", place)

    def _new(self, cursor: Any) -> None:
        place = self.unit.extent(cursor)[0]
        element = cursor.type.get_canonical().get_pointee()
        children = [c for c in libclang.children(cursor) if c.kind.is_expression()]
        low, high = self.unit.extent(cursor)
        text = self.unit.text[low:high]
        array = _NEW_ARRAY.match(self.unit.text, low) is not None  # the text of an instantiation may end before
        if not array and children and libclang.is_users(element.get_declaration()):
            self._new_object(cursor, element.get_canonical(), children[-1])
            return
        values = text.rstrip().endswith((")", "}"))
        name = "calloc" if values or element.get_canonical().kind == self.t.RECORD else "malloc"
        self.w.library.setdefault("malloc", "void *malloc(unsigned long rex_0)")
        self.w.library.setdefault("calloc", "void *calloc(unsigned long rex_0, unsigned long rex_1)")
        self.out.put(f"(({self.w.types.declare(cursor.type, '')}){name}(", place)
        self.out.put(f"{element.get_size()}{', ' if name == 'calloc' else ' * '}(", place)
        if array and not children:
            raise CannotWriteError
        if array:
            self.expression(children[0])
        else:
            self.out.put("1", place)
        self.out.put(")))", place)

    def _new_object(self, cursor: Any, kind: Any, value: Any) -> None:
        """An object in new memory, which is constructed in front of the statement."""
        place, name = self.unit.extent(cursor)[0], self.w.fresh("rex_new")
        self.w.library.setdefault("calloc", "void *calloc(unsigned long rex_0, unsigned long rex_1)")
        before, self.out = self.out, Text()
        pointer = self.w.types.declare(cursor.type, name)
        self.out.put(f"{pointer} = calloc(1, {kind.get_size()}); ", place)
        self.construct(f"(*{name})", place, kind, value)
        made, self.out = self.out, before
        self.made.add(made)
        self.out.put(name, place)

    def _delete(self, cursor: Any) -> None:
        """The end of an object, and of its memory."""
        place, end = self.unit.extent(cursor)
        self.w.library.setdefault("free", "void free(void *rex_0)")
        value = next(iter(libclang.children(cursor)))
        before, self.out = self.out, Text()
        self.expression(value)
        pointer, self.out = self.out, before
        kind = value.type.get_canonical().get_pointee().get_canonical()
        is_one = kind.kind == self.t.RECORD and not re.match(r"(?:::\s*)?delete\s*\[", self.unit.text[place:end])
        ends = self.end_of(f"(*{pointer})", kind) if is_one else []
        self.out.put(f"({{ {''.join(ends)}" if ends else "", place)
        self.out.put("free(", place)
        self.out.add(pointer)
        self.out.put("); })" if ends else ")", end - 1)

    def _call(self, cursor: Any) -> None:
        target, (place, end) = cursor.referenced, self.unit.extent(cursor)
        if target is None:
            self.write_dependent_call(place, end)
            return
        arguments = list(cursor.get_arguments())
        if target.kind == self.k.CONSTRUCTOR:
            if len(arguments) != 1:
                raise CannotWriteError
            self._expression(arguments[0])  # a copy
            return
        if (call := self.container_call(cursor)) is not None:
            self.write_container_call(call, cursor)
            return
        if target.spelling == "operator()":
            body = self.called_lambda(cursor)
            if body is not None and "#" in self.unit.text[slice(*self.unit.extent(body))]:
                raise CannotWriteError  # expressions have no directives
            if body is not None:
                self.inline(cursor, body, self.given_to(cursor, body))
                return
        if not libclang.is_users(target):
            if target.spelling in ("min", "max") and len(arguments) == 2:
                self._least(target, arguments, place)
                return
            if self.write_library_call(target, arguments, cursor):
                return
            if self.w.is_method(target):
                raise CannotWriteError
            name = self.w.of_library(target)
            self.out.put(f"{name}(", place)
            for number, argument in enumerate(arguments):
                self.out.put(", " * bool(number), place)
                self.expression(argument)
            self.out.put(")", end - 1)
            return
        if target.spelling == "operator=" and self.w.definition(target) is None:
            self._copy(arguments, place)
            return
        this = None
        if self.w.is_method(target):
            children = libclang.children(cursor)
            callee = self.inner(children[0])
            operator = target.spelling.startswith("operator") and target.spelling[8:9] not in ("", " ", "_")
            if operator and arguments and self.unit.extent(arguments[0])[0] == place:
                self.call_of(target, arguments[1:], cursor, arguments[0])
                return
            if callee.kind != self.k.MEMBER_REF_EXPR:
                raise CannotWriteError
            base = [c for c in libclang.children(callee) if c.kind.is_expression()]
            this = base[0] if base else "this"
        self.call_of(target, arguments, cursor, this)

    def _copy(self, arguments: Sequence[Any], place: int) -> None:
        """An assignment of objects that nobody has written."""
        if len(arguments) != 2 or not self.w.types.is_copied_as_it_is(arguments[0].type):
            raise CannotWriteError
        self.out.put("(", place)
        self._expression(arguments[0])
        self.out.put(" = ", place)
        self._expression(arguments[1])
        self.out.put(")", place)

    def call_of(self, target: Any, arguments: Sequence[Any], cursor: Any, this: Any) -> None:
        """A call of a function of the user's. ``this`` is the object, or the text of its address."""
        place, end = self.unit.extent(cursor)
        if (part := self._accessed(target, arguments, this)) is not None:
            self.out.put(part, place)
            return
        name = self.w.name_of(target)
        parameters = list(target.get_arguments())
        reference = target.kind != self.k.CONSTRUCTOR and target.result_type.get_canonical().kind in (
            self.t.LVALUEREFERENCE, self.t.RVALUEREFERENCE,
        )  # fmt: skip
        self.out.put("(*" * reference, place)
        self.out.put(f"{name}(", place)
        written = 0
        if self.w.is_method(target):
            written = 1
            if isinstance(this, str):
                self.out.put(this, place)
            elif this is None:
                raise CannotWriteError
            elif this.type.get_canonical().kind == self.t.POINTER:
                self._expression(this)
            else:
                self.address(this)
        for parameter, argument in zip(parameters, arguments, strict=False):
            self.out.put(", " * bool(written), place)
            written += 1
            low, _ = self.unit.extent(argument)
            if not place <= low < end:
                self._default(parameter, argument)
            elif self.w.types.is_reference(parameter):
                self.address(argument)
            else:
                self.expression(argument)
        if len(arguments) < len(parameters):
            raise CannotWriteError
        self.out.put(")" + ")" * reference, end - 1)

    def _accessed(self, target: Any, arguments: Sequence[Any], this: Any) -> str | None:
        """What a method gives that does nothing but return a reference to a part of its object: that part."""
        kind, key = target.result_type.get_canonical(), target.canonical.hash
        definition = self.w.definition(target) if self.w.is_method(target) else None
        if definition is None or kind.kind != self.t.LVALUEREFERENCE or isinstance(this, str | None):
            return None
        body = next(c for c in libclang.children(definition) if c.kind == self.k.COMPOUND_STMT)
        statements = libclang.children(body)
        if len(statements) != 1 or statements[0].kind != self.k.RETURN_STMT or key in self.accessors:
            return None
        inner = type(self)(self.w, definition)
        inner.accessors = (*self.accessors, key)
        inner.fields = self.w.types.members(definition.semantic_parent.type.get_canonical())
        given = {"this": self._text(this, is_address=this.type.get_canonical().kind != self.t.POINTER)}
        for parameter, argument in zip(definition.get_arguments(), arguments, strict=False):
            inner.scopes[0][parameter.spelling] = parameter
            given[parameter.spelling] = self._text(argument, is_address=self.w.types.is_reference(parameter))
        part = inner._text(libclang.children(statements[0])[0])
        if _IS_CALL.search(" ".join((part, *given.values()))) is not None or not inner.scopes[0].keys() <= given.keys():
            return None
        of = given.pop("this")
        member = f"{of[1:]}." if _PATH.fullmatch(of) else f"{of if of.isidentifier() else f'({of})'}->"
        part = _OWN_NAME.sub(lambda m: f"({given[m[0]]})" if m[0] in given else m[0], part)
        return _OF_THIS.sub(lambda m: member if m[1] else f"({of})", part)

    def _text(self, cursor: Any, is_address: bool = False) -> str:
        """What an expression, or its address, is in C."""
        before, self.out = self.out, Text()
        self.address(cursor) if is_address else self.expression(cursor)
        written, self.out = self.out, before
        return str(written)

    def _default(self, parameter: Any, value: Any) -> None:
        """The value of a parameter for which a call has no argument."""
        if self.w.types.is_reference(parameter) or parameter.type.get_canonical().kind == self.t.RECORD:
            raise CannotWriteError
        given = [c for c in libclang.children(parameter) if c.kind.is_expression()][-1:]
        if given and self.inner(given[0]).kind.name in _VALUES:
            self.expression(given[0])
        else:
            self.out.put(self.w.some_value(parameter.type), self.unit.extent(value)[0])

    def _least(self, target: Any, arguments: Sequence[Any], place: int) -> None:
        sides = []
        for argument in arguments:
            before, self.out = self.out, Text()
            self._expression(argument)
            sides.append(self.out)
            self.out = before
        operator = "<" if target.spelling == "min" else ">"
        for piece in ("((", sides[0], f") {operator} (", sides[1], ") ? (", sides[0], ") : (", sides[1], "))"):
            self.out.put(piece, place) if isinstance(piece, str) else self.out.add(piece)

    def called_lambda(self, cursor: Any) -> Any | None:
        """The lambda of this function that an expression calls."""
        cursor = self.inner(cursor)
        target = cursor.referenced if cursor.kind == self.k.CALL_EXPR else None
        if target is None or target.spelling != "operator()":
            return None
        if any(c.directive.is_target and c.start < self.unit.extent(cursor)[0] < c.end for c in self.unit.constructs):
            return None  # the region has a copy of the closure
        called = self.inner(next(iter(libclang.children(cursor))))
        if called.kind == self.k.LAMBDA_EXPR:
            return called
        return self.lambdas.get(called.referenced.canonical.hash) if called.referenced is not None else None

    def given_to(self, cursor: Any, body: Any) -> list[Any]:
        arguments = list(self.inner(cursor).get_arguments())
        return arguments[len(arguments) - len(parameters_of(body, self.k)) :]

    def inline(self, cursor: Any, body: Any, arguments: Sequence[Any], is_statement: bool = False) -> None:
        """A lambda where it is called."""
        place, end = self.unit.extent(cursor)
        parameters = parameters_of(body, self.k)
        block = next(c for c in libclang.children(body) if c.kind == self.k.COMPOUND_STMT)
        inside = libclang.children(block)
        returns = [c for c in block.walk_preorder() if c.kind == self.k.RETURN_STMT]
        if len(parameters) != len(arguments) or len(self.scopes) > 60:
            raise CannotWriteError
        if returns and not (len(returns) == 1 and inside[-1] == returns[0]):
            raise CannotWriteError
        self.out.put("{ " if is_statement else "({ ", place)
        self.scopes.append({})
        for parameter, argument in zip(parameters, arguments, strict=True):
            reference = self.w.types.is_reference(parameter)
            self.out.put(f"{self.w.types.declared(parameter)} = ", place)
            self.address(argument) if reference else self.expression(argument)
            self.out.put("; ", place)
        for parameter in parameters:
            self.scopes[-1][parameter.spelling] = parameter
        self.objects.append([])
        low, high = self.unit.extent(block)
        at = low + 1
        for child in inside:
            start, stop = self.unit.extent(child)
            self.gap(at, start)
            if returns and child == returns[0]:
                value = libclang.children(child)
                self.expression(value[0]) if value else self.out.put("0", start)
            else:
                self.statement(child)
            at = stop
        self.gap(at, high - 1)
        self.scopes.pop()
        self.leave(end - 1, len(self.objects) - 1)
        self.objects.pop()
        self.out.put("; }" if is_statement else "; })", end - 1)


def parameters_of(body: Any, k: Any) -> list[Any]:
    return [c for c in libclang.children(body) if c.kind == k.PARM_DECL]
