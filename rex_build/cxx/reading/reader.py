"""A unit's functions and regions as trees, each read when somebody asks for it first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from ...base.records import replace
from ...c.analysis.device_library import only_computes
from ...c.source.tokens import is_decimal, next_part, next_token
from ...directives.contents import directive_expressions, directive_locators
from ...directives.model import Expr, Locator, Member
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.calls import Calls
from ...tree.symbols import Function, Variable
from ...tree.types import INT, value_of
from ...tree.values import constant
from .. import libclang
from ..functions import Function as Definition
from ..instantiations import declared_at, instantiations
from ..text_constructs import DECLARATIONS, Construct, identifiers_in
from ..unit import Unit, kept
from .statements import StatementReader
from .symbols import FUNCTIONS, Frame, Symbols, captures, is_method, member_of
from .types import ARRAYS, NOT_KNOWN, RECORD, TypeReader

_MAY_HAVE_ARRAYS = {*ARRAYS, *NOT_KNOWN, RECORD}

T = TypeVar("T")


class Reader(StatementReader):
    """Reads a unit. There is one for each :class:`~..unit.Unit`, which :func:`reader_of` gives."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(Symbols(TypeReader(), self._entity, self._object))
        self.unit = unit
        others = (unit.text[start:end] for origin, start, end in unit.pre.stretches if origin.may_share_names)
        self.has_tuples = "tuple_size" in unit.text and any("tuple_size" in text for text in others)
        self._at = {c.start: c for c in unit.constructs}
        self._alone = [c for c in unit.constructs if c.end == c.pragma_end and c.directive.name not in DECLARATIONS]
        self._on: dict[int, list[Construct]] = {}  # by the place of the statement, the outermost first
        for construct in unit.constructs:
            if construct.end > construct.pragma_end:
                self._on.setdefault(self._statement_of(construct), []).append(construct)
        self._placed: set[int] = set()  # the constructs that were read in this function, and those to be read
        self._expected: set[int] = set()
        self._bodies: dict[Function, tree.Body | None] = {}
        self._closures: dict[int, list[Any]] = {}  # the closures in a function, by its hash
        self._regions: dict[int, tuple[tree.Construct, ...]] = {}
        self._arrays: dict[int, list[int]] = {}

    def _statement_of(self, construct: Construct) -> int:
        """Where the statement of a construct begins, behind all directives in front of it."""
        at = construct.body_start
        while self.unit.text[at] == "#" and (inner := self._at.get(at)) is not None:
            at = inner.body_start if inner.body_start < inner.end else next_token(self.unit.text, inner.pragma_end)
        return next_part(self.unit.text, at)

    def _object(self, method: Any) -> Any:
        """The plan's variable ``this`` of a method: in an instantiation, that of the template."""
        function = self.unit.defined(method)
        return self.unit.this_of(function) if function is not None and function.is_member else None

    def _entity(self, cursor: Any) -> Any:
        """The plan's variable for a declaration: in an instantiation, that of the template."""
        if not libclang.is_users(cursor) or cursor.kind.name == "UNEXPOSED_DECL":
            return None
        definition = self.frame.definition
        pattern = self.unit.defined(definition) if definition is not None else None
        if pattern is not None and pattern.cursor != definition:
            for _, declared, _, _ in pattern.mentions.variables.get(cursor.spelling, ()):
                if declared.location == cursor.location:  # extents of later declarators depend on how one finds these
                    return self.unit.variable(declared)
            # libclang says of a parameter of a method that it stands in the class, where the method is declared.
            parameters, theirs = (_parameters(one) for one in (definition, pattern.cursor))
            if cursor in parameters and len(parameters) == len(theirs):
                return self.unit.variable(theirs[parameters.index(cursor)])
        return self.unit.variable(cursor)

    def function(self, cursor: Any) -> Function:
        """The function that libclang declares so: no template, but an instantiation."""
        return self.symbols.function(cursor)

    def body(self, function: Function) -> tree.Body | None:
        """The body of a function, or None if the unit does not have it."""
        if function not in self._bodies:
            cursor = self.symbols.cursors.get(function)  # gcc's builtins have no declaration
            definition = cursor.get_definition() or cursor if cursor is not None else None
            inside = libclang.children(definition) if definition is not None else ()
            statement = next((c for c in inside if c.kind.name == "COMPOUND_STMT"), None)
            if statement is None:
                self._bodies[function] = None
            else:
                parameters, block = self._in(definition, statement, lambda: self._whole_body(definition, statement))
                self._bodies[function] = tree.Body(function, parameters, block)
        return self._bodies[function]

    @cached_property
    def calls(self) -> Calls:
        """What the functions do that are called."""
        return Calls(self.body, computes)

    def region(self, construct: Construct) -> tuple[tree.Construct, ...]:
        """A construct with its statement: one of each instantiation, if it stands in a template."""
        if construct.start not in self._regions:
            function = self.unit.function_at(construct.start)
            cursors = self.definitions(function) if function is not None else ()
            found = (self._region_in(cursor, construct) for cursor in cursors)
            self._regions[construct.start] = tuple(region for region in found if region is not None)
        return self._regions[construct.start]

    def pattern(self, construct: Construct) -> tuple[tree.Construct, ...]:
        """A construct as a template has it, for the heads of loops that no instantiation has."""
        function = self.unit.function_at(construct.start)
        self.of_pattern = True
        found = self._region_in(function.cursor, construct) if function is not None else None
        self.of_pattern = False
        return (found,) if found is not None else ()

    def _region_in(self, definition: Any, construct: Construct) -> tree.Construct | None:
        """The construct in an instantiation, or None if it stands in what that discards."""
        place = self._statement_of(construct)
        around = self.unit.statement_at(definition, place)
        if around is None:
            return None
        on = [c for c in self._on[place] if c.start >= construct.start]

        def under(found: tree.Statement) -> tree.Statement:
            if not isinstance(found, tree.Construct) or found.origin not in on:
                for one in reversed(on):
                    found = self._construct(one, found)
            return found

        _, block = self._in(definition, around, lambda: tree.Block((under(self.statement(around)),)))
        (found,) = map(under, block.statements)  # outside of the function if that could not be read
        return found if isinstance(found, tree.Construct) else None

    def places_of_arrays(self, function: Definition) -> list[int]:
        """Where a function declares variables that are arrays, or may have some, in order."""
        if function.start not in self._arrays:
            declared = (one for found in function.mentions.variables.values() for one in found)
            may = ((at, one) for at, one, _, _ in declared if one.type.get_canonical()._kind_id in _MAY_HAVE_ARRAYS)
            self._arrays[function.start] = sorted(at for at, one in may if self.unit.variable(one).is_local)
        return self._arrays[function.start]

    def _in(
        self, definition: Any, around: Any, read: Callable[[], tree.Block]
    ) -> tuple[tuple[Variable, ...], tree.Block]:
        """Read a part of a function. Returns its parameters, and what was read."""
        outer, self.frame = self.frame, Frame()
        parameters: tuple[Variable, ...] = ()
        try:
            parameters = self._enter(definition)
            self._expect(around)
            block = read()
            if any(self._stands_in(around, self._at[start]) for start in self._expected - self._placed):
                raise NotReadError("a directive that stands in no statement")
        except NotReadError as problem:
            block = tree.Block((self._unread(definition, around, parameters, str(problem)),))
        finally:
            self.frame = outer
        return parameters, block

    def _stands_in(self, around: Any, construct: Construct) -> bool:
        """Whether a construct stands in a statement, and not in a branch that an instantiation discards."""
        is_alone = construct.end == construct.pragma_end
        return is_alone or self.unit.statement_at(around, self._statement_of(construct)) is not None

    def _unread(self, definition: Any, around: Any, parameters: Sequence[Variable], why: str) -> tree.Opaque:
        """A part of a function that is not understood. A constructor initialises its object with its parameters."""
        is_constructor = definition.kind.name == "CONSTRUCTOR"
        found = self.opaque(definition if is_constructor else around, why, jumps=True)
        if not is_constructor:
            return found
        named = {one.variable for one in tree.parts(found, tree.Named)}
        more = [variable for variable in parameters if variable not in named]
        mentions = (*(found.mentions or ()), *(tree.Named(variable.type, variable) for variable in more))
        return replace(found, mentions=mentions, read=found.read | {*parameters[:1]})

    def _whole_body(self, definition: Any, statement: Any) -> tree.Block:
        first = list(self._members(definition)) if definition.kind.name == "CONSTRUCTOR" else []
        block = self.block(statement)
        return tree.Block((*first, *block.statements), origin=statement) if first else block

    # -- constructs -------------------------------------------------------------------------------------------------

    def _expect(self, around: Any) -> None:
        """Note which constructs stand in a statement. Those in closures belong to these."""
        self._placed, self._expected = set(), set()
        if not libclang.is_users(around) or not self._at:
            return
        low, high = self.unit.extent(around)
        inside = [c for c in self.unit.constructs_in(low, high) if c.directive.name not in DECLARATIONS]
        if inside:
            closures = [
                self.unit.extent(node)
                for node in libclang.descendants(around)
                if node.kind.name in ("LAMBDA_EXPR", "CLASS_DECL", "STRUCT_DECL")
            ]
            self._expected = {c.start for c in inside if not any(a <= c.start < b for a, b in closures)}

    def block(self, cursor: Any) -> tree.Block:
        if not self._expected or not libclang.is_users(cursor):
            return super().block(cursor)
        low, high = self.unit.extent(cursor)
        alone = [c for c in self._alone if low <= c.start < high and c.start in self._expected]
        items: list[tree.Statement] = []
        for child in libclang.children(cursor):
            start, _ = self.unit.extent(child)
            while alone and alone[0].start < start:
                items.append(self._placed_alone(alone.pop(0)))
            items.extend(self.items(child))
            alone = [c for c in alone if c.start not in self._placed]
        items += map(self._placed_alone, alone)
        return tree.Block(tuple(items), origin=cursor)

    def _placed_alone(self, construct: Construct) -> tree.Statement:
        self._placed.add(construct.start)
        return self._construct(construct, None)

    def items(self, cursor: Any) -> Iterable[tree.Statement]:
        if not self._expected or not libclang.is_users(cursor):
            return super().items(cursor)
        start = self.unit.extent(cursor)[0]
        around = [c for c in self._on.get(start, ()) if c.start in self._expected and c.start not in self._placed]
        self._placed.update(c.start for c in around)
        items = super().items(cursor)
        for construct in reversed(around):
            statements = tuple(items)
            body = statements[0] if len(statements) == 1 else tree.Block(statements)
            items = [self._construct(construct, body)]
        return items

    def _construct(self, construct: Construct, body: tree.Statement | None) -> tree.Construct:
        directive = construct.directive

        def named(name: str) -> tree.Place | None:
            return self.name_at(name, construct.start)

        def value(e: Expr) -> tree.Expression:
            found = self._of_clause(e)
            if not isinstance(found, tree.Opaque) or found.origin is not None:
                return found
            words = {word for _, word in identifiers_in(e.text)}
            places = [self._this_or_none() if word == "this" else named(word) for word in sorted(words)]
            mentions = {n.variable: n for p in places if p for n in tree.walk(p) if isinstance(n, tree.Named)}
            return replace(found, mentions=tuple(mentions.values()))

        expressions = tuple((e, value(e)) for e in directive_expressions(directive))
        places = (
            (one, self._this_or_none() if one.name == "this" else named(one.name))
            for one in directive_locators(directive)
        )
        items = tuple(tree.ListItem(locator, place) for locator, place in places if place is not None)
        return tree.Construct(directive, expressions, items, body, origin=construct)

    def _of_clause(self, e: Expr) -> tree.Expression:
        """The value of an expression in a clause. libclang reads it in a declaration that stands there."""
        if is_decimal(e.text):
            return tree.Constant(INT if int(e.text) <= INT.greatest else types.Integer(64, True, 8), int(e.text))
        around = self.frame.definition or self.unit.tu.cursor
        statement = self.unit.statement_at(around, e.at[0]) if e.at[1] else None
        if statement is None:
            return tree.Opaque(types.Unknown("the type of an expression in a clause"), "an expression in a clause")
        if statement.kind.name == "DECL_STMT":  # else it stands outside of functions
            statement = libclang.children(libclang.children(statement)[0])[-1]
            statement = libclang.children(statement)[-1] if statement.kind.name == "PARM_DECL" else statement
        return self.full(lambda: self.value(statement))

    def constant(self, e: Expr) -> int | None:
        """The value of an expression in a clause, if it is an integer that is always the same."""
        return constant_of(self.values(e))

    def constants(self, e: Expr) -> set[int]:
        """The values of an expression in a clause, one for each instantiation that has another one.

        It is empty if an instantiation does not have an integer that is always the same.
        """
        return constants_of(self.values(e))

    def values(self, e: Expr) -> list[tree.Expression]:
        """An expression in a clause in each instantiation."""
        if is_decimal(e.text):
            return [self._of_clause(e)]
        function = self.unit.function_at(e.at[0])
        return self._in_each(function, lambda: self._of_clause(e)) if function is not None else [self._of_clause(e)]

    def elements_of(self, function: Definition, item: Locator, place: int) -> list[tree.Place | None]:
        """What a list item at a place means in each instantiation: of a section, an element."""

        def element() -> tree.Place | None:
            found = self._this_or_none() if item.name == "this" else self.name_at(item.name, place)
            for number, step in enumerate(item.steps):
                if (number or item.name != "this") and not (isinstance(step, Member) and not step.arrow):
                    pointer = self.loaded(found) if found is not None else None
                    if pointer is None or not isinstance(pointer.type, types.Pointer):
                        return None
                    found = tree.Pointee(pointer.type.to, pointer)
                if isinstance(step, Member) and found is not None:
                    found = self.referred(member_of(found, step.name))
            return found

        return self._in_each(function, element)

    def _in_each(self, function: Definition, read: Callable[[], T]) -> list[T]:
        found = []
        for definition in self.definitions(function) or (function.cursor,):
            outer, self.frame = self.frame, Frame()
            try:
                self._enter(definition)
                found.append(read())
            finally:
                self.frame = outer
        return found

    def definitions(self, function: Definition) -> Sequence[Any]:
        """The cursors of a function's instantiations, or its own."""
        if not function.is_template:
            return (function.cursor,)
        return [c for c in instantiations(self.unit).get(function.start, ()) if c.kind.name in FUNCTIONS]

    def _this_or_none(self) -> tree.Place | None:
        return self.this() if self.frame.method is not None else None

    def name_at(self, name: str, offset: int) -> tree.Place | None:
        """The variable or the member that a name means at a place, or None."""
        function = self.unit.function_at(offset)
        if function is None:
            return None
        found = self.unit.lookup(function, name, offset)
        if found is None:
            if self.frame.method is None or "::" in name:
                return None
            try:
                return self.referred(member_of(self.this(), name))
            except NotReadError:
                return None
        cursor = found.cursor
        definition = self.frame.definition
        if found.is_local and function.is_template and definition is not None and cursor.kind.name != "UNEXPOSED_DECL":
            at = cursor.location.offset
            cursor = declared_at(self.unit, definition, found.name, at) or cursor
            if cursor == found.cursor and cursor.kind.name == "PARM_DECL":
                cursor = declared_at(self.unit, definition, found.name, None) or cursor
        try:
            return self.named(cursor)
        except NotReadError:
            return None

    def _enter(self, definition: Any) -> tuple[Variable, ...]:
        """Begin to read a function. Returns its parameters."""
        self.frame.definition = definition
        method = is_method(definition)
        self.frame.method = definition if method else None
        result = self.types.type(definition.result_type) if definition.kind.name != "CONSTRUCTOR" else types.Void()
        self.frame.result = None if isinstance(result, types.Void) else result
        own = [self.symbols.variable(c) for c in _parameters(definition)]
        if method and (closure := self._closure_of(definition)) is not None:
            for one in captures(closure):
                member = self.types.member(one.field)
                if one.variable is None:
                    self.frame.captured_this = member
                else:
                    self.frame.captured[one.variable.canonical.hash] = member
        return tuple([self.symbols.this(definition), *own] if method else own)

    def _closure_of(self, method: Any) -> Any:
        """The lambda expression whose body a method is, or None."""
        record = method.semantic_parent
        if record.spelling and "(lambda" not in record.type.spelling:
            return None
        around = record.semantic_parent
        key = around.hash
        if key not in self._closures:
            inner = libclang.descendants(around)
            self._closures[key] = [node for node in inner if node.kind.name == "LAMBDA_EXPR"]
        for node in self._closures[key]:
            if node.type.get_declaration() == record:
                return node
        return None

    # -- constructors -----------------------------------------------------------------------------------------------

    def _members(self, definition: Any) -> Iterator[tree.Statement]:
        """What a constructor does in front of its body: it makes the bases and members, in their order."""
        info = self.types.record(definition.semantic_parent)
        record = self.types.cursor(info)
        given: dict[Any, Any] = {}
        children = libclang.children(definition)
        for number, child in enumerate(children[:-1]):
            if child.kind.name == "MEMBER_REF":
                given[child.referenced.spelling] = children[number + 1]
            elif child.kind.name in ("TYPE_REF", "TEMPLATE_REF") and children[number + 1].kind.is_expression():
                kind = self.types.type(children[number + 1].type)
                given[kind.info if isinstance(kind, types.Record) else ""] = children[number + 1]
        for key in given:
            if key is info or key == "":
                raise NotReadError("a constructor that calls another one")
        whole = self.own_object()
        for member in self._parts_of(info, given):
            key = member.type.info if member.base and isinstance(member.type, types.Record) else member.name
            value = given.get(key)
            if value is None:
                value = self._written_value(record, member)
            place = tree.Part(member.type, whole, member)
            if value is None:
                if not self._needs_nothing(record, member):
                    raise NotReadError("a member or a base class that a constructor makes by itself")
                continue
            found = value
            made = self.full(lambda found=found, member=member: self.argument(found, member.type))  # type: ignore[misc]
            if isinstance(made, tree.Aggregate) and not made.parts and not made.rest:
                continue
            yield tree.Evaluate(tree.Store(value_of(member.type), place, made), origin=value)

    def _parts_of(self, info: types.RecordInfo, given: Iterable[Any]) -> Iterator[types.Member]:
        """The bases and members of a class. What base an instantiation has may be seen where it is initialised."""
        for member in info.members:
            if not member.base or isinstance(member.type, types.Record):
                yield member
                continue
            paths = (self.types.base_path(info, key) for key in given if isinstance(key, types.RecordInfo))
            path = next((p for p in paths if p is not None and len(p) == 1), None)
            if path is None:
                raise NotReadError("a constructor of a class with a base class whose place is not known")
            yield path[0]

    def _needs_nothing(self, record: Any, member: types.Member) -> bool:
        if member.base and isinstance(member.type, types.Record):
            return self._made_by_itself(self.types.cursor(member.type.info).type)
        return all(self._made_by_itself(f.type) for f in record.type.get_fields() if f.spelling == member.name)


def computes(function: Function) -> bool:
    """Whether a function of the library does nothing but compute its result from numbers."""
    return not function.defined and only_computes(function.name)


def constants_of(values: Iterable[tree.Expression]) -> set[int]:
    """The integers that an expression is in the instantiations, or none if one of them is not always the same."""
    found = {constant(value) for value in values}
    return set() if None in found else {value for value in found if value is not None}


def constant_of(values: Iterable[tree.Expression]) -> int | None:
    """The integer that an expression always is, in all instantiations, or None."""
    found = constants_of(values)
    return found.pop() if len(found) == 1 else None


def _parameters(function: Any) -> list[Any]:
    return [child for child in libclang.children(function) if child.kind.name == "PARM_DECL"]


@kept
def reader_of(unit: Unit) -> Reader:
    """The reader of a unit's tree, which reads each part once."""
    return Reader(unit)
