"""What C++ says of the list items of a directive, and of ``target data``, ``target enter data``, ``target exit data``
and ``target update``, for the rows of both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..base.diagnostics import Diagnostic, InputError, Replacement, error_at
from ..base.patterns import regex
from ..base.precedence import COMMA, POSTFIX, PRIMARY
from ..base.records import replace
from ..c.source.tokens import is_decimal
from ..directives.contents import (
    clause_expressions,
    clause_iterators,
    clause_locators,
    directive_expressions,
    directive_locators,
)
from ..directives.model import Expr, Index, Locator, Member, Step
from ..directives.parser import check_lowered
from ..openmp import data as decided
from ..openmp.attachment import carrying_objects, stored_pointers
from ..openmp.data import Shadow
from ..openmp.list_items import LENGTH_OF_TEMPLATE, DeclaredMapper, TaskVariable
from ..openmp.mapping import Mapper
from ..openmp.restrictions import check_types
from ..plan.constructs import Entity
from ..plan.host_expression import AddressOf, Cast, HostExpression, Written
from ..plan.host_expression import Member as HostMember
from ..plan.host_expression import Variable as HostVariable
from ..plan.unit import DataConstruct
from ..tree import types as tree
from ..tree.symbols import Storage
from ..tree.symbols import Variable as TreeVariable
from ..tree.types import SIZE
from . import libclang
from .functions import Function
from .loops import on_host
from .reading.reader import reader_of
from .text_constructs import Construct, CxxType, Variable, declare, identifiers_in
from .unit import Unit, kept
from .user_reductions import element_text, mapper_for

# What an expression may do that must not be done twice, and operands that are not evaluated.
_EFFECT = regex(r"\w\s*\(|\+\+|--|(?<![=!<>])=(?!=)")
_OPERAND = regex(r"\b(?:sizeof|alignof|decltype|noexcept)\s*\(|\b(?:static_cast|const_cast)\s*<[^<>]*>\s*\(")
_GETTER = regex(r"(?:\.|->)\s*\w+\s*\(\s*\)")
_CALL = regex(r"\b(\w+)\s*\(")
_LISTS = ("array", "deque", "span", "valarray", "vector")  # of the library, whose first argument is an element's type
_HIDDEN = ("PRIVATE", "PROTECTED")
# Words that stand for no declaration, although no function need have them elsewhere.
_OF_VARIABLES = frozenset(("private", "firstprivate", "lastprivate", "map", "to", "from"))
_OF_RUN = TreeVariable("length", SIZE, Storage.LOCAL, None)


def written(text: str) -> HostExpression:
    """An expression as the user wrote it."""
    text = text.strip()
    if is_decimal(text):
        return Written((text,), frozenset(), PRIMARY, int(text))
    names = frozenset(name for _, name in identifiers_in(text))
    return HostVariable(text) if text.isidentifier() else Written((text,), names, COMMA)


def address(text: str) -> HostExpression:
    return Cast("void *", AddressOf(written(text) if text.isidentifier() else Written((text,), frozenset(), POSTFIX)))


def function_around(unit: Unit, construct: Construct) -> Function:
    """The function that a construct for the device is in. Raises InputError if it is in none."""
    function = unit.function_at(construct.start)
    if function is None:
        what = f"'{construct.directive.name}' is in no function, but in an initialiser or a default argument"
        raise error_at(construct.directive.span, what, "put it into a function, and call that there")
    return function


def check_named(unit: Unit, function: Function, construct: Construct) -> None:
    """Raise InputError with all that a construct lists as variables and that are none."""
    fields = unit.fields(function)
    problems = [
        Diagnostic("error", f"'{item.name}' is not a variable here", item.span)
        for clause in construct.directive.clauses
        if clause.name in _OF_VARIABLES
        for item in clause_locators(clause)
        if item.name != "this" and item.name.rpartition("::")[2].strip() not in fields
        if unit.lookup(function, item.name, construct.start) is None
    ]
    if problems:
        raise InputError(problems)


class ListReader:
    """The list items of a directive (see :class:`~rex_build.openmp.list_items.ListItems`)."""

    def __init__(self, unit: Unit, function: Function, place: int, *, references: bool = False) -> None:
        self.unit = unit
        self.function = function
        self.place = place
        self.maps_references = references
        self._referred: dict[str, Variable] = {}
        self._iterators: dict[int, frozenset[str]] = {}

    def rows(self, construct: Construct) -> Mapper:
        """The rows of a construct, which has none yet."""
        for clause in construct.directive.clauses:
            if names := frozenset(one.name for one in clause_iterators(clause)):
                self._iterators.update((id(expr), names) for expr in clause_expressions(clause))
        declared = {v for v in self.unit.on_device if v not in self.unit.on_host}
        stored, _ = attachments(self.unit)
        return Mapper(self, construct.directive.name, may_carry=True, declared=declared, stored=stored)

    # ---- names ----

    def named(self, item: Locator) -> Variable:
        """The variable that a list item names. Raises InputError."""
        found = self.unit.lookup(self.function, item.name, self.place)
        if found is None and item.name in self.unit.fields(self.function):
            what = f"'{item.name}' is a member, of which there are no private copies: use a variable of the function"
            raise error_at(item.span, f"{what} and assign its value")
        if found is None:
            raise error_at(item.span, f"'{item.name}' is not a variable here")
        return found

    def member_named(self, item: Locator) -> Variable | None:
        """The member of the method's object that a list item names, as a variable of its name, or None."""
        if item.steps or self.unit.lookup(self.function, item.name, self.place) is not None:
            return None
        name = self._own_member(item.name)
        field = self.unit.fields(self.function).get(name)
        if field is None:
            return None
        return Variable(name, self.unit.type_of(libclang.referred(field.type)), field, -1, -1)

    def _own_member(self, name: str) -> str:
        """The member of the method's class that a name means, with or without the class, or an empty text."""
        record, _, member = (part.strip() for part in name.rpartition("::"))
        field = self.unit.fields(self.function).get(member)
        if field is None or (record and field.semantic_parent.spelling != record.rpartition("::")[2].strip()):
            return ""
        return str(member)

    def variable(self, symbol: Entity) -> HostExpression:
        assert isinstance(symbol, Variable)
        this, _, member = symbol.host.partition("->")
        return HostMember(HostVariable(this), member, True) if member else HostVariable(symbol.host)

    def begin(self, locator: Locator) -> tuple[Variable, tree.Type, tuple[Step, ...]]:
        name, steps = locator.name, locator.steps
        root = self.unit.lookup(self.function, name, self.place) if name != "this" else None
        member = self._own_member(name) if root is None else ""
        if root is None and (name == "this" or member):
            return self._begin_in_object(locator, (Member(member, True), *steps) if member else steps)
        if root is None:
            raise error_at(locator.span, f"'{locator.text}' is not a variable here")
        kind = self._type(root.cursor.type.get_pointee() if root.is_reference else root.cursor.type)
        is_arrow = bool(steps) and isinstance(steps[0], Member) and steps[0].arrow
        if isinstance(kind, tree.Unknown) and (root.type.kind == "pointer" or is_arrow):
            kind = tree.Pointer(kind)
        elif isinstance(kind, tree.Array) and root.type.kind == "pointer":  # a parameter
            kind = tree.Pointer(kind.of)
        elif isinstance(kind, tree.Unknown) and root.type.kind == "record":
            kind = tree.Unknown(kind.why, is_record=True)
        return self._behind_operators(root, kind, steps)

    def _behind_operators(
        self, root: Variable, kind: tree.Type, steps: tuple[Step, ...]
    ) -> tuple[Variable, tree.Type, tuple[Step, ...]]:
        """The begin of an item, behind each ``operator[]`` of an object in it. What such an operator gives is storage
        of its own, and perhaps of a type that only the compiler knows."""
        begin, behind, text, now = (root, kind, steps), 0, root.host, kind
        for number, step in enumerate(steps if self.maps_references else ()):
            if isinstance(step, Member):
                found = self.member(now.to if isinstance(now, tree.Pointer) else now, step.name)
                text, now = f"{text}{'->' if step.arrow else '.'}{step.name}", found[0] if found else tree.Unknown("")
            elif not isinstance(step, Index) or not self.is_pure(step.expr, repeated=True):
                break
            else:
                text = f"{text}[{step.expr.text}]"
                if isinstance(now, tree.Record):
                    behind, now = number + 1, self._element(now, steps[number + 1 :])
                    of = CxxType(text, "record" if isinstance(now, tree.Record) else "other")
                    own = self._referred.setdefault(text, Variable(text, of, root.cursor, -1, -1))
                    begin = own, now, steps[behind:]
                else:
                    now = now.to if isinstance(now, tree.Pointer) else now.of if isinstance(now, tree.Array) else now
        return begin

    def _element(self, record: tree.Record, rest: tuple[Step, ...]) -> tree.Type:
        """What the ``operator[]`` of a class gives."""
        cursor = reader_of(self.unit).types.cursor(record.info)
        for child in (c for one in self.unit.with_bases(cursor) for c in libclang.children(one)):
            if child.spelling == "operator[]" and "type-parameter" not in child.result_type.get_canonical().spelling:
                return self._type(libclang.referred(child.result_type))
        if not libclang.is_users(cursor) and cursor.spelling in _LISTS:
            return self._type(cursor.type.get_template_argument_type(0))
        return tree.Unknown("an element of an object", is_record=bool(rest) and isinstance(rest[0], Member))

    def _begin_in_object(
        self, locator: Locator, steps: tuple[Step, ...]
    ) -> tuple[Variable, tree.Type, tuple[Step, ...]]:
        """The begin of an item that is the object of a method, or in it."""
        if not self.function.is_member:
            raise error_at(locator.span, "'this' outside of a member function")
        first = steps[0] if steps else Index(Expr("0", None, locator.span))
        field = self.unit.fields(self.function).get(first.name) if isinstance(first, Member) else None
        if field is not None and self.maps_references and field.type.kind == self.unit.types.LVALUEREFERENCE:
            text, kind = f"this->{field.spelling}", field.type.get_pointee()
            root = self._referred.setdefault(text, Variable(text, self.unit.type_of(kind), field, -1, -1))
            return root, self._type(kind), steps[1:]
        record = reader_of(self.unit).types.record(self.function.cursor.semantic_parent)
        this = self.unit.this_of(self.function)
        return self._behind_operators(this, tree.Pointer(tree.Record(record)), steps or (first,))

    # ---- types ----

    def _type(self, kind: Any) -> tree.Type:
        """A type. What a template's parameters decide is not known."""
        t, kind = self.unit.types, kind.get_canonical()
        if libclang.is_reference(kind) or kind.kind == t.POINTER:
            return tree.Pointer(self._type(kind.get_pointee()), reference=kind.kind != t.POINTER)
        if kind.kind in (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY):
            unknown = {t.VARIABLEARRAY: _OF_RUN, t.DEPENDENTSIZEDARRAY: LENGTH_OF_TEMPLATE}.get(kind.kind)
            return tree.Array(
                self._type(kind.element_type), kind.element_count if kind.kind == t.CONSTANTARRAY else unknown
            )
        declared = kind.get_declaration()
        if declared.kind in self.unit.classes and declared.semantic_parent.spelling == declared.spelling:
            declared = declared.semantic_parent  # inside of a class template, its name is a declaration of its own
        if kind.kind != t.RECORD and declared.kind == self.unit.kinds.CLASS_TEMPLATE:
            return tree.Record(reader_of(self.unit).types.record(declared))
        if "type-parameter" in kind.spelling:
            return tree.Unknown(kind.spelling)
        return reader_of(self.unit).types.type(kind)

    def member(self, record: tree.Type, name: str) -> tuple[tree.Type, int | None, bool] | None:
        found = tree.member_of(record, name)
        if found is not None or not isinstance(record, tree.Record):
            return found
        for cursor in self.unit.with_bases(reader_of(self.unit).types.cursor(record.info)):
            for child in self.unit.members_of(cursor)[0]:
                if child.spelling == name:
                    return self._type(child.type), None, child.is_bitfield()
        return tree.Unknown("a member that is not seen"), None, False

    def is_length(self, expr: Expr, array: tree.Array) -> bool:
        """Whether an expression may be the length: then the compiler compares them."""
        found = self.unit.named_in(self.function, expr.text, self.place)
        is_constant = "(" not in expr.text and all(variable.constant for variable in found)
        return array.length is LENGTH_OF_TEMPLATE and is_constant

    # ---- expressions ----

    def value(self, expr: Expr, names: Mapping[str, HostExpression] | None = None) -> HostExpression:
        plain = written(expr.text)
        if names:
            pieces: list[str | HostExpression] = []
            found, end = identifiers_in(expr.text), 0
            for at, name in found:
                if name in names:
                    pieces += [expr.text[end:at], names[name]]
                    end = at + len(name)
            mentions = frozenset(name for _, name in found).difference(names)
            return Written((*pieces, expr.text[end:]), mentions, COMMA) if pieces else plain
        if plain.value is not None:
            return plain
        constant = reader_of(self.unit).constant(expr)
        binds = PRIMARY if isinstance(plain, HostVariable) else COMMA
        return plain if constant is None else Written((str(plain),), plain.names, binds, constant)

    def is_pure(self, expr: Expr, *, repeated: bool) -> bool:
        text = _OPERAND.sub("", expr.text)
        if repeated:
            text = _CALL.sub(lambda call: "(" if self._computes(call[1]) else call[0], _GETTER.sub("", text))
        return _EFFECT.search(text) is None

    def _computes(self, name: str) -> bool:
        """Whether the functions of a name do nothing but compute a value."""
        reader = reader_of(self.unit)
        found = [reader.function(f.cursor) for f in self.unit.functions if f.name == name]
        return bool(found) and all(reader.calls.only_computes(function) for function in found)

    def named_in(self, expr: Expr) -> Iterable[Variable]:
        own = self._iterators.get(id(expr), ())
        named = (name for _, name in identifiers_in(expr.text) if name not in own)
        return [v for v in (self.unit.lookup(self.function, name, self.place) for name in named) if v is not None]

    def in_task(self, variable: Entity) -> TaskVariable | None:
        if not isinstance(variable, Variable) or variable.constant or variable.name == "this":
            return None
        kind = variable.type
        is_value = kind.kind in ("scalar", "pointer", "dependent") and "volatile" not in kind.text
        is_hosts = variable.is_local or (variable in self.unit.globals and variable not in self.unit.on_device)
        return TaskVariable(variable.host, kind.kind == "pointer", is_value and is_hosts, variable.is_local)

    # ---- mappers ----

    def mapper(self, record: tree.Type, name: str, locator: Locator) -> DeclaredMapper | None:
        if not self.unit.mappers.mappers or not isinstance(record, tree.Record | tree.Unknown):
            return None
        own = reader_of(self.unit).types.cursor(record.info) if isinstance(record, tree.Record) else None
        is_known = own is not None and own.kind != self.unit.kinds.CLASS_TEMPLATE
        texts = [element_text(self.unit, own.type)] if own is not None and is_known else self._in_instances(locator)
        found = {mapper_for(self.unit, text, name, self.place) for text in texts}
        if len(found) > 1:
            what = f"'{locator.text}' has different mappers in the instantiations of '{self.function.name}'"
            raise error_at(locator.span, f"{what}, which is not supported")
        mapper = next(iter(found), None)
        if mapper is not None:
            self._check_access(mapper, own)
        return mapper

    def _in_instances(self, locator: Locator) -> Iterator[str]:
        """The texts of the classes that a list item of a template has in the instantiations; empty for other types."""
        reader = reader_of(self.unit)
        found = reader.elements_of(self.function, locator, self.place) if self.function.is_template else ()
        for place in found:
            kind = tree.element_of(place.type) if place is not None else None
            own = reader.types.cursor(kind.info).type if isinstance(kind, tree.Record) else None
            yield element_text(self.unit, own.get_canonical()) if own is not None else ""

    def _check_access(self, mapper: DeclaredMapper, record: Any) -> None:
        """Raise InputError if a mapper names members, or parameters of its template, that are hidden where it is used:
        its clauses are used there."""
        friend_of = [c.canonical for c in self.unit.friends.get(self.function.cursor.canonical.hash, ())]
        around = self.unit.mapper_classes[mapper.start]
        if self.function.cursor.semantic_parent.canonical in [r.canonical for r in (record, around) if r is not None]:
            return
        if record is not None and record.canonical in friend_of:
            return
        members = self.unit.members_of(record)[0] if record is not None else ()
        of_record = f"a private member of '{record.spelling}'" if record is not None else ""
        hidden = {c.spelling: of_record for c in members if c.access_specifier.name in _HIDDEN}
        parameters = self.unit.template_parameters(around) if around is not None else ()
        hidden.update((c.spelling, "a parameter of its template") for c in parameters)
        words = (word for e in directive_expressions(mapper.directive) for _, word in identifiers_in(e.text))
        steps = (s.name for i in directive_locators(mapper.directive) for s in i.steps if isinstance(s, Member))
        for name in (name for name in (*steps, *words) if name in hidden):
            what = f"this mapper names '{name}', {hidden[name]}, and is used outside of that"
            raise error_at(mapper.directive.span, what, "make the member public, or map the object in a method")

    def hidden(self, mapper: DeclaredMapper) -> str | None:
        directive = mapper.directive
        own = {mapper.variable, *(i.name for c in directive.clauses for i in clause_iterators(c))}
        words = (word for e in directive_expressions(directive) for _, word in identifiers_in(e.text))
        around = self.unit.function_at(mapper.start)
        for name in (word for word in words if word not in own):
            found = self.unit.lookup(self.function, name, self.place)
            if around is not None:
                if self.unit.lookup(around, name, mapper.start) is not found:
                    return name
            elif found.is_local if found is not None else name in self.unit.fields(self.function):
                return name
        return None


@kept
def attachments(unit: Unit) -> tuple[frozenset[Entity], frozenset[Any]]:
    """(the pointer variables that data constructs may map themselves, the objects in which they map pointers)"""
    functions = ((unit.function_at(c.start), c) for c in unit.constructs if c.directive.has("map"))
    found = [(f, c.directive, ListReader(unit, f, c.start, references=True)) for f, c in functions if f is not None]
    stored = stored_pointers(
        found,
        lambda f: {r.variable for r in f.mentions.references if not r.is_read},
        lambda v: not getattr(v, "is_local", True),
    )
    return stored, carrying_objects(item[1:] for item in found)


def analyse_data(unit: Unit, construct: Construct) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive, function = construct.directive, function_around(unit, construct)
    check_lowered(directive, cxx=True)
    check_named(unit, function, construct)
    reader = ListReader(unit, function, construct.start, references=True)
    rows, read = reader.rows(construct), reader_of(unit)
    clauses = [e for e in directive_expressions(directive) if not is_decimal(e.text)]
    values = [(e, value) for e in clauses for value in read.values(e)]
    check_types(directive, values, converts_objects=True)
    return decided.data_construct(
        directive, rows, function.name, (construct.start, construct.pragma_end, construct.end),
        lambda item: _shadow(reader, construct, item),
    )  # fmt: skip


def _shadow(reader: ListReader, construct: Construct, item: Locator) -> Shadow:
    """A pointer is shadowed by one of its name, and another variable by a reference to it on the device."""
    member = reader.member_named(item)
    variable = member or reader.named(item)
    name, renames = variable.name, list[Replacement]()
    if member is not None:
        variable.host = f"this->{name}"
        renames += _member_names(reader.unit, reader.function, construct, item, name)
    host, kind = reader.variable(variable), replace(variable.type, text=on_host(variable.type, variable.name))
    if kind.kind == "pointer":
        return Shadow(variable, host, "pointer", declare(kind, name), f"({kind.text})", renames)
    if variable.is_variable_length:
        raise error_at(item.span, f"'{item.text}', an array of variable length, is not supported here in C++")
    is_array = kind.kind == "array"
    cast = f"*({declare(kind, '*') if is_array else kind.text + ' *'})"
    return Shadow(variable, host, kind.kind, declare(kind, f"(&{name})" if is_array else f"&{name}"), cast, renames)


def _member_names(
    unit: Unit, function: Function, construct: Construct, item: Locator, name: str
) -> Iterator[Replacement]:
    """Plain names for a member in the statement of ``use_device_ptr``, where a variable of this name hides it."""
    inside = unit.constructs_in(construct.pragma_end, construct.end)
    regions = [(c.start, c.end) for c in inside if c.directive.is_target]
    pattern = re.compile(rf"(this\s*->\s*)?((?:\w+(?:<[^<>;(){{}}]*>)?\s*::\s*)*){name}\b")
    for place, _ in function.mentions.this:
        match = pattern.match(unit.text, place) if construct.pragma_end <= place < construct.end else None
        if match is None:
            continue
        if any(start <= place < end for start, end in regions):
            what = f"'{item.text}', a member in a clause of 'target data', is used in a region inside"
            raise error_at(item.span, f"{what}, which is not supported: use a variable of the function")
        if match[1] or match[2]:
            yield Replacement(match.start(), match.end(), name)
