"""A C++ unit as libclang and the directives' parser read it: directives, functions, variables, types and names."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from ..base.names import GeneratedNames
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import has_word, statement_end, words_in
from ..openmp.mapping import MapperTable
from . import libclang
from .declarations import Declarations
from .functions import Function
from .text_constructs import (
    OF_REDUCTION,
    Construct,
    CxxType,
    UserReduction,
    Variable,
    asked_values,
    find_directives,
    identifiers_in,
    outer_templates,
    reduction_classes,
    with_statements,
)

P = ParamSpec("P")
T = TypeVar("T")


def kept(ask: Callable[Concatenate[Unit, P], T]) -> Callable[Concatenate[Unit, P], T]:
    """A question about a unit, or about a part of it, that is asked once."""

    def answered(unit: Unit, /, *part: P.args, **more: P.kwargs) -> T:
        key = ask, *part
        if key not in unit.answers:
            unit.answers[key] = ask(unit, *part, **more)
        return cast("T", unit.answers[key])

    return answered


def _places(functions: Sequence[Function]) -> tuple[list[int], list[int]]:
    """(where each function starts, where the last of those up to it ends)"""
    return [f.start for f in functions], list(accumulate((f.end for f in functions), max))


class Unit(Declarations):
    """A unit that was read. Offsets are those of the preprocessed text."""

    def __init__(
        self, pre: Preprocessed, cflags: Sequence[str], cxx: str, more: str = "", named: Sequence[tuple[int, str]] = ()
    ) -> None:  # fmt: skip
        self.directives = list(find_directives(pre))
        self.constructs = with_statements(pre.text, self.directives)
        asked = asked_values(pre.text, self.constructs)
        inserted = [*reduction_classes(self.directives), *asked, *((at, text, at) for at, text in named)]
        inserted.sort(key=itemgetter(0))
        super().__init__(pre, cflags, cxx, more, self._template_at, inserted)
        self.functions: list[Function] = []
        self.globals: list[Variable] = []
        # Whether functions of other units may be called, and theirs may call this unit's. None: nothing needs that.
        self.separable: bool | None = False
        self.key = ""  # in names that no other unit may have
        self.generated = GeneratedNames()  # names that the unit does not have
        self.no_opt: frozenset[str] = frozenset()  # names of transformations to leave out
        self.claimed = False  # the plan has what transformations rely on
        self.elsewhere: list[Any] = []  # the functions that other units define, and device code calls
        self.used_elsewhere: dict[str, int] = {}  # their symbols, with the place of the first use
        self.outer_names: set[str] = set()  # of functions and types in namespaces
        self.answers: dict[Any, object] = {}  # to questions, see kept()
        self.redeclared: list[tuple[int, Variable]] = []  # other declarations of variables, such as extern ones
        self.asking: list[Any] = []  # functions of our own, which name methods of instantiations
        self.friends: dict[int, list[Any]] = {}  # the classes that have a function as a friend
        self._friends_of_templates: list[tuple[Any, Any]] = []  # of which libclang does not tell what they mean
        self.constant_templates: list[int] = []  # where templates of constants of namespaces begin
        self.static_members: list[tuple[Any, Variable]] = []  # as their classes declare them
        self.member_definitions: list[tuple[Any, Variable]] = []  # of static members, outside of their classes
        self.members_of_templates: dict[Variable, list[Variable]] = {}  # on the device, with those of instantiations
        self._using: dict[str, list[Any]] = {}  # using-directives, by the scope that they are in
        self._visible: dict[str, dict[str, Variable]] = {}  # variables outside of functions, by names, with all scopes
        self.unnamed: list[int] = []  # where the braces of namespaces without a name open
        self.prototypes: dict[int, list[Any]] = {}  # by hash of the canonical declaration
        self._parts: dict[tuple[int, int, int], tuple[list[int], list[Any]]] = {}
        self._places: tuple[list[int], list[int]] | None = None
        self.calls: object = None  # of device code (reached.py)
        self.ended: set[int] = set()  # the classes, by hash, of which device code ends objects
        self.on_device: set[Variable] = set()  # with static storage on the device
        self.followed: dict[str, list[Any]] = {}  # what functions of the library use, by their symbols
        self.without_host: set[int] = set()  # hashes of those of the library that need nothing of the host's
        self.on_host: dict[Variable, str] = {}  # those that are the host's own, and the pointers that lead there
        self.mixed: dict[Variable, CxxType] = {}  # the types of variables that are scalars or classes, as instantiated
        self.explicit: list[Any] = []  # explicit instantiations
        self.plain_classes: list[Any] = []  # no templates
        self.special_classes: list[Any] = []  # specialisations of class templates, also partial ones
        self.device_names: dict[int, str] = {}  # functions, by hash, of which CUDA has others, and their own names
        self.device_functions: list[str] = []  # that call C's functions of the first names
        self.auto_types: dict[Variable, Any] = {}  # of templates, if they differ between instantiations
        self.indirect: tuple[tuple[Function, Variable], ...] = ()  # called by their host addresses
        self.requirements: dict[str, str] = {}  # the clauses of ``requires``
        self.mappers = MapperTable()
        self.mapper_classes: dict[int, Any] = {}  # the classes in which mappers are declared, by their places
        self.user_reductions: tuple[UserReduction, ...] = ()
        self.combining: list[Function | None] = []  # what ``declare reduction`` says outside of functions
        self.used_reductions: set[tuple[Variable, Variable]] = set()  # the functions of those that device code needs
        self._outermost = [child for child in libclang.children(self.tu.cursor) if libclang.is_users(child)]
        self.has_volatile = has_word(self.read.text, "volatile")
        self._collect_all()

    # ---- declarations ----

    def _collect_all(self) -> None:
        """Find the user's functions, and which classes have them as friends."""
        self._collect(self.tu.cursor)
        self.functions.sort(key=lambda f: f.start)
        self._places = _places(self.functions)
        for record in self._classes_of_functions():
            self._collect(record)
        self.functions.sort(key=lambda f: f.start)
        self._places = _places(self.functions)
        for friend, record in self._friends_of_templates:
            for function in (f for f in self.functions if f.name == friend.spelling and not f.is_member):
                if self._signature(function.cursor, function.cursor) == self._signature(friend, record):
                    self.friends.setdefault(function.cursor.canonical.hash, []).append(record)
        self.by_declaration = {f.cursor.canonical.hash: f for f in self.functions}
        self.by_location = {f.cursor.location.offset: f for f in self.functions}

    def own_children(self, cursor: Any) -> list[Any]:
        """What is declared in a scope in the user's text. Most of what is declared outside of all is the system's."""
        if cursor.kind == self.kinds.TRANSLATION_UNIT:
            return self._outermost
        return [child for child in libclang.children(cursor) if libclang.is_users(child)]

    def _collect(self, cursor: Any) -> None:
        """Find the user's functions and variables of namespaces and classes."""
        k = self.kinds
        inside = (k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL, k.FRIEND_DECL)
        classes = self.classes
        functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION)
        for child in self.own_children(cursor):
            kind = child.kind
            if child.spelling.startswith(OF_REDUCTION):
                self.combining += map(self._function, libclang.children(child))
                continue
            special = kind in (k.CLASS_DECL, k.STRUCT_DECL) and child.get_num_template_arguments() > 0
            if special and "{" not in self.text[slice(*self.extent(child))]:  # explicit instantiations have no body
                self.explicit.append(child)
                continue
            if kind in (k.CLASS_DECL, k.STRUCT_DECL):
                self.plain_classes.append(child)
            if special or kind == k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
                self.special_classes.append(child)
            if kind == k.NAMESPACE and (not child.spelling or "(" in child.spelling):
                self.unnamed.append(self.text.index("{", self.extent(child)[0]))
            if cursor.kind not in classes and kind not in inside and kind != k.VAR_DECL:
                self.outer_names.add(child.spelling)
            for target in libclang.brought(child) if kind == k.USING_DECLARATION else ():
                own = f"{self.scope_name(cursor)}::{target.spelling}"
                self._visible.setdefault(target.spelling, {})[own] = self.variable(target)
            if kind == k.USING_DIRECTIVE:
                self._using.setdefault(self.scope_name(cursor), []).append(child)
            if kind == k.FRIEND_DECL:
                for friend in libclang.children(child):
                    self.friends.setdefault(friend.canonical.hash, []).append(cursor)
                    if cursor.kind == k.CLASS_TEMPLATE and not friend.is_definition():
                        self._friends_of_templates.append((friend, cursor))
            if kind == k.UNEXPOSED_DECL and cursor.kind not in classes and self._is_constant_template(child):
                self.constant_templates.append(self.extent(child)[0])
            elif kind in inside or kind in classes:
                self._collect(child)
            elif kind in functions or kind == k.FUNCTION_TEMPLATE:
                if child.location.offset >= self.read.size:
                    self.asking.append(child)
                    continue
                self.prototypes.setdefault(child.canonical.hash, []).append(child)
                if child.is_definition() and (function := self._function(child)) is not None:
                    self.functions.append(function)
            elif kind == k.VAR_DECL:
                self.globals.append(variable := self.variable(child))
                self._visible.setdefault(variable.name, {}).setdefault(variable.host, variable)
                self._add_initialiser(child)
                if cursor.kind in classes:
                    self.static_members.append((child, variable))
                elif child.semantic_parent is not None and child.semantic_parent.kind in classes:
                    self.member_definitions.append((child, variable))
                elif (start := self.extent(child)[0]) != variable.start:
                    self.redeclared.append((start, variable))

    def _classes_of_functions(self) -> list[Any]:
        """The classes of functions whose methods have directives for the device."""
        found: dict[int, Any] = {}
        starts: dict[int, tuple[Function, list[int]]] = {}
        for construct in self.constructs:
            function = self.function_at(construct.start) if construct.directive.name.startswith("target") else None
            if function is not None:
                starts.setdefault(function.start, (function, []))[1].append(construct.start)
        for function, places in starts.values():
            if has_word(self.text[function.body : places[-1]], "class", "struct"):
                for node in libclang.descendants(function.cursor):
                    if node.kind in self.classes:
                        low, high = self.extent(node)
                        if bisect_right(places, low) < bisect_right(places, high):
                            found.setdefault(node.hash, node)
        return list(found.values())

    @cached_property
    def asked_names(self) -> frozenset[str]:
        """The names in the operands of which only the type is asked."""
        return frozenset(name for start, end in self.operands for name in words_in(self.text[start:end]))

    @cached_property
    def has_mappers(self) -> bool:
        """Whether there is a mapper, which may be refused."""
        return any(construct.directive.name == "declare mapper" for construct in self.constructs)

    def _is_constant_template(self, cursor: Any) -> bool:
        """Whether a declaration, for which libclang has no name, is a template of constants: ``constexpr T pi = 3;``"""
        start, end = self.extent(cursor)
        head = self.text[start:end].partition("=")[0].partition("{")[0]
        return head.startswith("template") and has_word(head, "constexpr")

    def _function(self, cursor: Any) -> Function | None:
        """A function that is defined, or None. One defaulted outside of its class has ``= default`` for a body."""
        k = self.kinds
        bodies = (k.COMPOUND_STMT, k.CXX_TRY_STMT, k.UNEXPOSED_STMT)  # the last one is a coroutine's
        body = next((c for c in libclang.children(cursor) if c.kind in bodies), None)
        if body is not None and body.kind == k.CXX_TRY_STMT:
            body = libclang.children(body)[0]
        start, end = self.extent(cursor)
        at = self.extent(body)[0] if body is not None else -1
        if cursor.is_default_method():  # which has a body as soon as it is used
            end = statement_end(self.text, start)
            at = self.text.rfind("=", start, end) if cursor.lexical_parent != cursor.semantic_parent else -1
        if at < 0:
            return None
        if cursor.kind == k.FUNCTION_TEMPLATE:
            start = outer_templates(self.text, start)
        parent = cursor.semantic_parent
        member = parent is not None and parent.kind in self.classes
        template = cursor.kind == k.FUNCTION_TEMPLATE
        # A friend stands in a class, but is no part of it.
        template = template or any(self.is_in_template(around) for around in (parent, cursor.lexical_parent))
        constant = has_word(self.text[start:at], "constexpr", "consteval")
        return Function(self, cursor, cursor.spelling, start, end, at, member, template, constant)

    def _signature(self, cursor: Any, inside: Any) -> tuple[list[str], int]:
        """What tells most functions of a name apart: the namespaces around something, the number of parameters."""
        parameters = (c for c in libclang.children(cursor) if c.kind == self.kinds.PARM_DECL)
        return self.namespaces_around(inside), sum(1 for _ in parameters)

    def is_in_template(self, around: Any) -> bool:
        """Whether a scope is a class template or in one."""
        k = self.kinds
        while around is not None and around.kind not in (k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
            around = around.semantic_parent
        return around is not None

    def _add_initialiser(self, cursor: Any) -> None:
        """Take a variable that is defined in a namespace, perhaps one of a class, for a function if a lambda expression
        in its initialiser has directives."""
        start, end = self.extent(cursor)
        at = bisect_right(self.directives, start, key=attrgetter("start"))
        first = self.directives[at].start if at < len(self.directives) else end
        parent = cursor.semantic_parent
        if first < end and cursor.lexical_parent.kind not in self.classes and libclang.template_of(cursor) is None:
            blocks = (self.extent(c) for c in libclang.descendants(cursor) if c.kind == self.kinds.COMPOUND_STMT)
            body = next((low for low, high in blocks if low < first < high), None)
            if body is not None:  # not so between two variables, or in a class that the declaration declares, too
                is_member, is_template = parent.kind in self.classes, self.is_in_template(parent)
                function = Function(self, cursor, cursor.spelling, start, end, body, is_member, is_template, False)
                self.functions.append(function)

    def defined(self, target: Any) -> Function | None:
        """The definition of what a call means: an explicit specialisation, or that of the instantiated template."""
        for cursor in (target, libclang.pattern(target)):
            if (found := self.by_declaration.get(cursor.canonical.hash)) is not None:
                return found
        # A friend of a class template is another declaration in each instantiation, at the same place.
        return self.by_location.get(target.location.offset) if libclang.is_users(target) else None

    def _template_at(self, offset: int) -> str:
        """The parameters of the template around a place as arguments, as ``<T, N>``, or an empty text."""
        function = self.function_at(offset)
        if function is None or not function.is_template:
            return ""
        outer = function.cursor.semantic_parent if function.is_member else function.cursor.lexical_parent
        around = [outer] if outer.kind in self.classes else []
        names = (name for cursor in (*around, function.cursor) for name in self.parameters_as_arguments(cursor))
        return f"<{', '.join(names)}>"

    # ---- constructs ----

    def constructs_in(self, start: int, end: int) -> list[Construct]:
        """The constructs that begin in a stretch."""
        low, high = (bisect_left(self.constructs, at, key=attrgetter("start")) for at in (start, end))
        return self.constructs[low:high]

    def outermost_in(self, start: int, end: int) -> Iterator[Construct]:
        """Those of them that stand in no other one."""
        for construct in self.constructs_in(start, end):
            if construct.start >= start:
                start = construct.end
                yield construct

    # ---- functions ----

    def function_at(self, offset: int) -> Function | None:
        """The innermost function whose body is around a place."""
        starts, reached = self._places or _places(self.functions)  # which are not all known while types are read
        at = bisect_right(starts, offset) - 1
        while at >= 0 and offset < reached[at]:
            found = self.functions[at]
            if found.body <= offset < found.end:
                return found
            at -= 1
        return None

    def statement_at(self, around: Any, place: int) -> Any:
        """The statement of a function that begins at a place, or None."""
        while around is not None and (around.kind.is_declaration() or self.extent(around)[0] != place):
            starts, parts = self._parts_of(around)
            before = reversed(parts[: bisect_right(starts, place)])
            around = next((part for part in before if place < self.extent(part)[1]), None)
        return around

    def _parts_of(self, around: Any) -> tuple[list[int], list[Any]]:
        """(where the nodes in a node of the user's begin, these). A function may have many statements."""
        key = around.hash, *self.extent(around)
        if key not in self._parts:
            inside = (child for child in self.own_children(around) if libclang.is_users(child))
            parts = sorted((c for c in inside if c.kind != self.kinds.PARM_DECL), key=lambda c: self.extent(c)[0])
            self._parts[key] = [self.extent(c)[0] for c in parts], parts
        return self._parts[key]

    # ---- names ----

    def lookup(self, function: Function, name: str, offset: int) -> Variable | None:
        """The variable that a name means at a place in a function's body (C++ [basic.lookup.unqual])."""
        for start, cursor, low, high in reversed(function.mentions.variables.get(name, ())):
            if start < offset and low <= offset < high:
                return self.variable(cursor)
        before = (one.cursor for at, one in function.mentions.local_types if at < offset)
        own = [self._nominated(cursor) for cursor in before if cursor.kind == self.kinds.USING_DIRECTIVE]
        return self._variable_named(name, (own, *self._scopes_around(function.cursor.semantic_parent)))

    def variable_at(self, name: str, offset: int) -> Variable | None:
        """The variable that a name means at a place outside of functions."""
        return self._variable_named(name, self._scopes_around(self._scopes_at(offset)[-1]))

    def functions_at(self, name: str, offset: int) -> list[list[Any]]:
        """The declarations of each function that a name means at a place outside of functions."""
        for wanted in self._meant(name, self._scopes_around(self._scopes_at(offset)[-1])):
            if found := [cursors for cursors in self.prototypes.values() if self.qualified(cursors[0]) in wanted]:
                return found
        # It may be named by an alias or a using-declaration, which functions of other scopes are not told from.
        last = name.rpartition("::")[2]
        return [cursors for cursors in self.prototypes.values() if cursors[0].spelling == last]

    def qualified(self, cursor: Any) -> str:
        """The name of a function or a variable with all scopes around it, as ``::app::run``."""
        return f"{self.scope_name(cursor.semantic_parent)}::{cursor.spelling}"

    def _variable_named(self, name: str, scopes: Iterable[list[Any]]) -> Variable | None:
        qualifier, _, last = name.rpartition("::")
        known = self._visible.get(last)
        if known is None:
            return None
        meant = (one for wanted in self._meant(name, scopes) for one in wanted if one in known)
        only = next(iter(known)) if qualifier and len(known) == 1 else ""  # perhaps by an alias, or an inline namespace
        return known.get(next(meant, only))

    def _meant(self, name: str, scopes: Iterable[list[Any]]) -> Iterator[list[str]]:
        """The names with all scopes that a name may have, in each of some scopes, from the innermost."""
        plain = name.removeprefix("::")
        for inner in scopes if plain == name else ([self.tu.cursor],):
            yield [f"{self.scope_name(one)}::{plain}" for one in self._opened(inner)]

    def named_in(self, function: Function, text: str, offset: int) -> Iterator[Variable]:
        """The variables that the names in an expression mean at a place."""
        found = (self.lookup(function, name, offset) for _, name in identifiers_in(text))
        return (variable for variable in found if variable is not None)

    def _scopes_around(self, scope: Any) -> Iterator[list[Any]]:
        """The namespaces and classes around something, from the innermost, each class with its bases."""
        while scope is not None:
            yield self.with_bases(scope) if scope.kind in self.classes else [scope]
            scope = scope.semantic_parent

    def _opened(self, scopes: list[Any]) -> list[Any]:
        """Scopes with the namespaces that using-directives open in them."""
        found = [scope for scope in scopes if scope is not None]
        for scope in found:
            if scope.kind not in self.classes:
                inside = (self._nominated(c) for c in self._using.get(self.scope_name(scope), ()))
                found += [one for one in inside if one is not None and one not in found]
        return found

    def _nominated(self, directive: Any) -> Any:
        """The namespace that a using-directive names."""
        named = (c.referenced for c in libclang.children(directive) if c.kind == self.kinds.NAMESPACE_REF)
        return next((n for n in reversed(list(named)) if n is not None), None)

    def scope_at(self, offset: int) -> tuple[str, Any]:
        """(the namespaces around a place, as ``::app::``, the innermost class around it or None)"""
        scopes = self._scopes_at(offset)
        spaces = (one for one in scopes[1:] if one.kind not in self.classes)
        named = "".join(f"{one.spelling}::" for one in spaces if one.spelling and "(" not in one.spelling)
        return f"::{named}", next((one for one in reversed(scopes) if one.kind in self.classes), None)

    def _scopes_at(self, offset: int) -> list[Any]:
        """The namespaces and classes around a place, from the outermost, which is the unit."""
        scopes = [self.tu.cursor]
        while inner := next((c for low, high, c in self._scopes_in(scopes[-1]) if low <= offset < high), None):
            scopes.append(inner)
        return scopes

    @kept
    def _scopes_in(self, cursor: Any) -> list[tuple[int, int, Any]]:
        """The namespaces and classes that are declared in a scope, with their extents."""
        kinds = (self.kinds.NAMESPACE, *self.classes)
        return [(*self.extent(c), c) for c in self.own_children(cursor) if c.kind in kinds]

    @kept
    def _named_in(self, cursor: Any) -> dict[str, list[Any]]:
        """What is declared in a scope in the user's text, by name."""
        named: dict[str, list[Any]] = {}
        for child in self.own_children(cursor):
            named.setdefault(child.spelling, []).append(child)
        return named

    def class_named(self, name: str, offset: int) -> str:
        """The canonical type of the class, or the typedef, of a plain name that is in a scope around a place, or an
        empty text."""
        k = self.kinds
        for child in (c for scope in reversed(self._scopes_at(offset)) for c in self._named_in(scope).get(name, ())):
            if child.kind in (k.TYPEDEF_DECL, k.TYPE_ALIAS_DECL):
                return str(self.type_of(child.underlying_typedef_type).text)
            if child.kind in (k.CLASS_DECL, k.STRUCT_DECL, k.UNION_DECL):
                return str(self.type_of(child.type).text)
        return ""

    def record_named(self, name: str) -> str:
        """The canonical type of the class with a name, at any scope, or an empty text."""
        if alias := self.type_named(name):
            return alias
        record = self.record_of_name(name)
        return str(self.type_of(record.type).text) if record is not None else ""

    def record_of_name(self, name: str) -> Any:
        """The declaration of the user's class with a name, at any scope, or None."""
        return self._named_types[1].get("".join(name.split()).rpartition("::")[2])

    def type_named(self, name: str) -> str:
        """The canonical type that a typedef or an alias of the user's, at any scope, stands for; else an empty text."""
        alias = self._named_types[0].get(name.rpartition("::")[2])
        return str(self.type_of(alias.underlying_typedef_type).text) if alias is not None else ""

    @cached_property
    def _named_types(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The user's typedefs and aliases, and the classes, by name."""
        k = self.kinds
        aliases: dict[str, Any] = {}
        records: dict[str, Any] = {}
        stack = [self.tu.cursor]
        while stack:
            for child in self.own_children(stack.pop()):
                kind = child.kind
                if kind in (k.TYPEDEF_DECL, k.TYPE_ALIAS_DECL):
                    aliases.setdefault(child.spelling, child)
                if kind in (k.CLASS_DECL, k.STRUCT_DECL):
                    records.setdefault(child.spelling, child)
                if kind in (k.NAMESPACE, k.CLASS_DECL, k.STRUCT_DECL):
                    stack.append(child)
        return aliases, records

    @kept
    def this_of(self, function: Function) -> Variable:
        """The variable ``this`` of a method."""
        cursor = function.cursor
        record = cursor.semantic_parent
        if record.kind == self.kinds.CLASS_TEMPLATE:
            name = f"{record.spelling}<{', '.join(self.parameters_as_arguments(record))}>"
        else:
            name = self.type_of(record.type).text
        element = CxxType(name, "record", 0, bool(cursor.is_const_method()))
        kind = CxxType(f"{'const ' if element.const else ''}{name} *", "pointer", 8, False, element)
        return Variable("this", kind, function.cursor, -1, -1)

    def fields(self, function: Function) -> dict[str, Any]:
        """The members of the class that a method belongs to, and of its bases."""
        records = self.with_bases(function.cursor.semantic_parent) if function.is_member else []
        members = [member for record in records for member in self.members_of(record)[0]]
        return {member.spelling: member for member in reversed(members)}  # of those of one name, the nearest one

    @kept
    def members_of(self, record: Any) -> tuple[list[Any], list[Any]]:
        """(the members of a class that hold data, its bases). An instantiation's bases are those of its template."""
        k, record = self.kinds, record.get_definition() or record
        general = libclang.template_of(record)
        written = record if general is None else general.get_definition() or general
        members = list(record.type.get_fields()) if general is not None else []
        bases = []
        for child in libclang.children(written):
            kind = child.kind
            if kind == k.FIELD_DECL and general is None:
                members.append(child)
            elif kind == k.CXX_BASE_SPECIFIER and (base := child.type.get_declaration()) is not None:
                bases.append(base)
        return members, bases

    def with_bases(self, record: Any) -> list[Any]:
        """A class, its bases, theirs and so on. A template may be its own base: it is there once."""
        found = [record]
        for one in found:
            found += [base for base in self.members_of(one)[1] if base not in found]
        return found

    def namespaces_around(self, cursor: Any) -> list[str]:
        """The names of the namespaces around a declaration, from the outermost."""
        names: list[str] = []
        around = cursor.semantic_parent
        while around is not None and around.kind != self.kinds.TRANSLATION_UNIT:
            if around.kind == self.kinds.NAMESPACE and around.spelling and "(" not in around.spelling:
                names.insert(0, around.spelling)
            around = around.semantic_parent
        return names

    def class_of(self, kind: Any) -> Any:
        """The class of a type, or of an array's elements, or None. Of a type that depends on a template's parameters it
        is the template."""
        found = libclang.innermost(kind).get_declaration()
        found = found if found.kind in self.classes else kind.get_declaration()
        return found if found.kind in self.classes else None

    def parts_of(self, record: Any) -> list[Any]:
        """The classes of the members of a class, and its bases. The library's pairs, tuples and arrays have some."""
        if libclang.is_users(record):
            members, bases = self.members_of(record)
            return [*bases, *(one for one in (self.class_of(member.type) for member in members) if one is not None)]
        count = record.type.get_num_template_arguments() if record.spelling in ("array", "pair", "tuple") else 0
        arguments = (record.type.get_template_argument_type(number) for number in range(max(0, count)))
        return [one for one in map(self.class_of, arguments) if one is not None]

    def classes_in(self, record: Any) -> Iterator[Any]:
        """The classes that objects of a class consist of: its own, those of its parts, and of theirs."""
        queue, seen = [record] if record is not None else [], set()
        while queue:
            one = queue.pop()
            if one.canonical.hash not in seen:
                seen.add(one.canonical.hash)
                queue += self.parts_of(one)
                yield one
