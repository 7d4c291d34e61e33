"""A C++ unit as libclang and the directives' parser read it: directives, functions, variables, types and names."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from ..base.patterns import regex
from ..base.spans import SourceSpan
from ..c.source.preprocess import Preprocessed
from . import libclang
from .code import CxxType, UserMapper, UserReduction, Variable
from .functions import Function
from .text_constructs import find_directives, with_statements
from .type_names import TypeNames

_COMPLEX = regex(r"\b(?:_Complex|__complex(?:__)?|__(?:real|imag)(?:__)?)\b")  # nvcc drops what they compute
_OUTER = regex(r"(?:\btemplate\s*<[^;{}()]*>\s*)+$")
_UNNAMED = "(anonymous namespace)::"


def _places(functions: Sequence[Function]) -> tuple[list[int], list[int]]:
    """(where each function starts, where the last of those up to it ends)"""
    return [f.start for f in functions], list(accumulate((f.end for f in functions), max))


class Unit:
    """A unit that was read. Offsets are those of the preprocessed text."""

    def __init__(self, pre: Preprocessed, cflags: Sequence[str], cxx: str, more: str = "") -> None:
        self.pre = pre
        self.text = pre.text
        self.is_cxx11 = any(re.fullmatch(r"--?std=(?:c|gnu)\+\+(?:11|0x)", flag) for flag in cflags)
        self.directives = list(find_directives(pre))
        self.read, self.tu = libclang.parse(pre, cflags, cxx, more)
        self.kinds = libclang.load().CursorKind
        self.types = libclang.load().TypeKind
        k = self.kinds
        self.classes = (
            k.CLASS_DECL, k.STRUCT_DECL, k.UNION_DECL, k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
        )  # fmt: skip
        self.functions: list[Function] = []
        self.globals: list[Variable] = []
        self.separable = False  # functions of other units may be called, and theirs may call this unit's
        self.elsewhere: list[Any] = []  # the functions that other units define, and device code calls
        self.outer_names: set[str] = set()  # of functions and types in namespaces
        self.redeclared: list[tuple[int, Variable]] = []  # other declarations of variables, such as extern ones
        self.asking: list[Any] = []  # functions of our own, which name methods of instantiations
        self.friends: dict[int, list[Any]] = {}  # the classes that have a function as a friend
        self.constant_templates: list[int] = []  # where templates of constants of namespaces begin
        self.static_members: list[tuple[Any, Variable]] = []  # as their classes declare them
        self.member_definitions: list[tuple[Any, Variable]] = []  # of static members, outside of their classes
        self.unnamed: list[int] = []  # where the braces of namespaces without a name open
        self.prototypes: dict[int, list[Any]] = {}  # by hash of the canonical declaration
        self._variables: dict[int, Variable] = {}
        self._this: dict[int, Variable] = {}
        self._scopes: dict[int, list[tuple[int, int, Any]]] = {}
        self._places: tuple[list[int], list[int]] | None = None
        self.names = TypeNames(self.place, self.span, self._template_at)
        self.used: dict[int, list[tuple[int, Any]] | None] = {}  # what the instantiations of a template call
        self.instantiated: dict[int, list[Any]] | None = None
        self.declared_by: dict[int, dict[str, list[Any]]] = {}  # by hash of an instantiation: its variables by name
        self.reached: list[Function] = []  # the functions that device code calls
        self.on_device: set[Variable] = set()  # with static storage on the device
        self.class_names: frozenset[str] | None = None  # the user's, as symbols have them
        self.followed: set[str] = set()  # the symbols of the library's functions whose calls are known
        self.on_host: dict[Variable, str] = {}  # those that are the host's own, and the pointers that lead there
        self.mixed: dict[Variable, CxxType] = {}  # the types of variables that are scalars or classes, as instantiated
        self.explicit: list[Any] = []  # explicit instantiations
        self.auto_types: dict[Variable, Any] = {}  # of templates, if they differ between instantiations
        self.requirements: dict[str, str] = {}  # the clauses of ``requires``
        self.mappers: tuple[UserMapper, ...] = ()
        self.user_reductions: tuple[UserReduction, ...] = ()
        self._outermost = [child for child in libclang.children(self.tu.cursor) if libclang.is_users(child)]
        self.has_volatile = re.search(r"\bvolatile\b", self.read.text) is not None
        self.has_gcc_complex = _COMPLEX.search(self.read.text) is not None
        self._collect(self.tu.cursor)
        self.functions.sort(key=lambda f: f.start)
        self._places = _places(self.functions)
        self.by_declaration = {f.cursor.canonical.hash: f for f in self.functions}
        self.by_location = {f.cursor.location.offset: f for f in self.functions}
        self.constructs = with_statements(pre.text, self.directives)

    # ---- places ----

    def place(self, location: Any) -> int:
        return self.read.place(location.offset)

    def extent(self, cursor: Any) -> tuple[int, int]:
        extent = cursor.extent
        return self.read.place(extent.start.offset), self.read.place(max(0, extent.end.offset - 1)) + 1

    def span(self, offset: int) -> SourceSpan:
        line = self.pre.line_at(offset)
        return self.pre.span_at(line, offset - self.pre.line_starts[line - 1] + 1)

    # ---- declarations ----

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
            special = kind in (k.CLASS_DECL, k.STRUCT_DECL) and child.get_num_template_arguments() > 0
            if special and not _written_out(self.text, *self.extent(child)):
                self.explicit.append(child)
                continue
            if kind == k.NAMESPACE and (not child.spelling or "(" in child.spelling):
                self.unnamed.append(self.text.index("{", self.extent(child)[0]))
            if cursor.kind not in classes and kind not in inside and kind != k.VAR_DECL:
                self.outer_names.add(child.spelling)
            if kind == k.FRIEND_DECL:
                for friend in libclang.children(child):
                    self.friends.setdefault(friend.canonical.hash, []).append(cursor)
            if kind == k.UNEXPOSED_DECL and cursor.kind not in classes and self._is_constant_template(child):
                self.constant_templates.append(self.extent(child)[0])
            elif kind in inside or kind in classes:
                self._collect(child)
            elif kind in functions or kind == k.FUNCTION_TEMPLATE:
                if child.location.offset >= self.read.size:
                    self.asking.append(child)
                    continue
                self.prototypes.setdefault(child.canonical.hash, []).append(child)
                if child.is_definition():
                    self._add_function(child)
            elif kind == k.VAR_DECL:
                self.globals.append(variable := self.variable(child))
                if cursor.kind in classes:
                    self.static_members.append((child, variable))
                elif child.semantic_parent is not None and child.semantic_parent.kind in classes:
                    self.member_definitions.append((child, variable))
                elif (start := self.extent(child)[0]) != variable.start:
                    self.redeclared.append((start, variable))

    def _is_constant_template(self, cursor: Any) -> bool:
        """Whether a declaration, for which libclang has no name, is a template of constants: ``constexpr T pi = 3;``"""
        start, end = self.extent(cursor)
        head = re.split(r"[={]", self.text[start:end], maxsplit=1)[0]
        return head.startswith("template") and re.search(r"\bconstexpr\b", head) is not None

    def _add_function(self, cursor: Any) -> None:
        k = self.kinds
        body = next((c for c in libclang.children(cursor) if c.kind in (k.COMPOUND_STMT, k.CXX_TRY_STMT)), None)
        if body is not None and body.kind == k.CXX_TRY_STMT:
            body = libclang.children(body)[0]
        if body is None or cursor.is_default_method():  # which has a body as soon as it is used
            return
        start, end = self.extent(cursor)
        if cursor.kind == k.FUNCTION_TEMPLATE and (outer := _OUTER.search(self.text, max(0, start - 1000), start)):
            start = outer.start()  # of a member template of a class template
        parent = cursor.semantic_parent
        member = parent is not None and parent.kind in self.classes
        template = cursor.kind == k.FUNCTION_TEMPLATE
        for outermost in (parent, cursor.lexical_parent):  # a friend stands in a class, but is no part of it
            around = outermost
            while around is not None and not template:
                template = around.kind in (k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
                around = around.semantic_parent
        head = self.text[start : self.extent(body)[0]]
        constant = re.search(r"\b(?:constexpr|consteval)\b", head) is not None
        self.functions.append(
            Function(self, cursor, cursor.spelling, start, end, self.extent(body)[0], member, template, constant)
        )

    def defined(self, target: Any) -> Function | None:
        """The definition of what a call means: an explicit specialisation, or that of the instantiated template."""
        from clang import cindex

        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(target)
        for cursor in (target, general):
            if cursor is not None and (found := self.by_declaration.get(cursor.canonical.hash)) is not None:
                return found
        # A friend of a class template is another declaration in each instantiation, at the same place.
        return self.by_location.get(target.location.offset) if libclang.is_users(target) else None

    def variable(self, cursor: Any) -> Variable:
        """The variable that a declaration declares."""
        canonical = cursor.canonical
        found = self._variables.get(canonical.hash)
        if found is not None:
            return found
        k = self.kinds
        definition = cursor.get_definition() or canonical
        own = definition if libclang.is_users(definition) else canonical
        if own != canonical and self.is_initialised(canonical):  # a static member, in its class
            own = canonical
        start, end = self.extent(own) if libclang.is_users(own) else (-1, -1)
        kind = own.type
        if kind.kind == self.types.AUTO and kind.get_canonical().kind == self.types.AUTO:  # in a template
            kind = next((c.type for c in libclang.children(own) if c.kind == k.LAMBDA_EXPR), kind)
        reference = kind.kind in (self.types.LVALUEREFERENCE, self.types.RVALUEREFERENCE)
        if reference:
            kind = kind.get_pointee()
        variable = Variable(cursor.spelling, self.type_of(kind), own, start, end)
        if cursor.kind == k.PARM_DECL and variable.type.kind == "array" and not reference:  # it is a pointer
            element = variable.type.element
            assert element is not None
            variable.type = CxxType(f"{element.text} *", "pointer", 8, False, element)
        variable.is_variable_length = kind.get_canonical().kind == self.types.VARIABLEARRAY
        variable.is_reference = reference
        parent = canonical.semantic_parent
        local = parent is not None and parent.kind in (
            k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR, k.CONVERSION_FUNCTION, k.FUNCTION_TEMPLATE,
            k.LAMBDA_EXPR,
        )  # fmt: skip
        variable.is_local = cursor.kind == k.PARM_DECL or local
        if not variable.is_local:
            variable.host = f"{self.scope_name(parent)}::{variable.name}"
        head = self.text[start:end]
        declared_constexpr = re.match(r"[^=({]*\bconstexpr\b", head) is not None
        whole = variable.type.kind == "scalar" and variable.type.const and not reference
        if declared_constexpr or (whole and kind.get_canonical().kind not in self._floating()):
            in_header = start < 0  # of the system, such as std::is_same<T, U>::value
            variable.constant = declared_constexpr or in_header or self._is_constant(own)
        self._variables[canonical.hash] = variable
        return variable

    def is_initialised(self, cursor: Any) -> bool:
        """Whether the declaration of a member has its value, too."""
        if cursor.semantic_parent is None or cursor.semantic_parent.kind not in self.classes:
            return False
        start, end = self.extent(cursor)
        return libclang.is_users(cursor) and re.search(r"[={]", self.text[start:end]) is not None

    def is_static_member(self, variable: Variable) -> bool:
        parent = variable.cursor.semantic_parent if variable.start >= 0 else None
        return parent is not None and parent.kind in self.classes

    def scope_name(self, scope: Any) -> str:
        """The namespaces and classes around a variable, as ``::app::Solver<T>``."""
        k = self.kinds
        names: list[str] = []
        while scope is not None and scope.kind != k.TRANSLATION_UNIT:
            if scope.kind in (k.CLASS_DECL, k.STRUCT_DECL) and scope.get_num_template_arguments() > 0:
                return "::".join(["", self.type_of(scope.type).text, *reversed(names)])
            if scope.spelling and "(" not in scope.spelling and scope.kind != k.LINKAGE_SPEC:
                packs = [self.text[slice(*self.extent(c))] for c in self.template_parameters(scope)]
                parameters = [c.spelling for c in self.template_parameters(scope)]
                own = [f"{n}..." if "..." in text else n for n, text in zip(parameters, packs, strict=True)]
                names.append(f"{scope.spelling}<{', '.join(own)}>" if own else scope.spelling)
            scope = scope.semantic_parent
        return "".join(f"::{name}" for name in reversed(names))

    def _floating(self) -> tuple[Any, ...]:
        t = self.types
        return (t.FLOAT, t.DOUBLE, t.LONGDOUBLE, t.FLOAT128, t.from_id(libclang.FLOAT16))

    def _is_constant(self, cursor: Any) -> bool:
        """Whether a const integer is initialised by a constant."""
        children = libclang.children(cursor)
        if cursor.kind != self.kinds.VAR_DECL or not children or not children[-1].kind.is_expression():
            return False  # such as a parameter
        stack = [children[-1]]
        k = self.kinds
        while stack:
            node = stack.pop()
            if node.kind in (k.CALL_EXPR, k.MEMBER_REF_EXPR):
                return False
            if node.kind == k.DECL_REF_EXPR:
                target = node.referenced
                known = (k.ENUM_CONSTANT_DECL, k.TEMPLATE_NON_TYPE_PARAMETER)
                if target is None or target.kind not in (k.VAR_DECL, *known):
                    return False  # such as a parameter, or a part of a structured binding
                if target.kind == k.VAR_DECL and not self.variable(target).constant:
                    return False
            stack += libclang.children(node)
        return True

    def type_of(self, kind: Any) -> CxxType:
        t = self.types
        canonical = kind.get_canonical()
        const = canonical.is_const_qualified()
        size = max(0, canonical.get_size())
        text = canonical.spelling
        dependent = "type-parameter" in text or "template-parameter" in text or text.startswith("<")
        text = kind.spelling.replace(_UNNAMED, "") if dependent else self.names.spelled(canonical)
        if const:
            text = re.sub(r"^const\s+", "", text) if canonical.kind != t.POINTER else re.sub(r"\*\s*const$", "*", text)
        if canonical.kind in (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY):
            written = kind if kind.kind == canonical.kind else canonical  # a dependent type has no other name
            element = self.type_of(written.element_type)
            length = canonical.element_count if canonical.kind == t.CONSTANTARRAY else 0
            written_lengths = re.findall(r"\[([^\]]*)\]", kind.spelling)
            extent = written_lengths[0] if written_lengths and canonical.kind == t.DEPENDENTSIZEDARRAY else ""
            return CxxType(text, "array", size, element.const, element, length, extent)
        if canonical.kind == t.POINTER:
            return CxxType(
                text, "pointer", 8, const, self.type_of((kind if kind.kind == t.POINTER else canonical).get_pointee())
            )
        if canonical.kind in (t.LVALUEREFERENCE, t.RVALUEREFERENCE):
            return self.type_of(canonical.get_pointee())
        if canonical.kind == t.RECORD:
            return CxxType(text, "record", size, const)
        number = canonical.kind.value
        if canonical.kind == t.ENUM or t.BOOL.value <= number <= t.NULLPTR.value or number == libclang.FLOAT16:
            return CxxType(text, "scalar", size, const)
        unknown = dependent or canonical.kind in (t.UNEXPOSED, t.AUTO)
        return CxxType(text, "dependent" if unknown else "other", size, const)

    def template_parameters(self, cursor: Any) -> list[Any]:
        """The parameters of a template."""
        k = self.kinds
        kinds = (k.TEMPLATE_TYPE_PARAMETER, k.TEMPLATE_NON_TYPE_PARAMETER, k.TEMPLATE_TEMPLATE_PARAMETER)
        return [child for child in libclang.children(cursor) if child.kind in kinds]

    def _template_at(self, offset: int) -> str:
        """The parameters of the template around a place as arguments, as ``<T, N>``, or an empty text."""
        function = self.function_at(offset)
        if function is None or not function.is_template:
            return ""
        around = [function.cursor.semantic_parent] if function.is_member else []
        found = [c for cursor in (*around, function.cursor) for c in self.template_parameters(cursor)]
        packs = [self.text[slice(*self.extent(c))] for c in found]
        names = (f"{c.spelling}..." if "..." in text else c.spelling for c, text in zip(found, packs, strict=True))
        return f"<{', '.join(names)}>"

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

    # ---- names ----

    def lookup(self, function: Function, name: str, offset: int) -> Variable | None:
        """The variable that a name means at a place in a function's body (C++ [basic.lookup.unqual])."""
        for start, cursor, low, high in reversed(function.mentions.variables.get(name, ())):
            if start < offset and low <= offset < high:
                return self.variable(cursor)
        best: Variable | None = None
        scope, prefixes = function.cursor.semantic_parent, []
        while scope is not None:
            prefixes.append(f"{self.scope_name(scope)}::{name.removeprefix('::')}")
            scope = scope.semantic_parent
        for wanted in prefixes:
            best = next((v for v in self.globals if v.host == wanted), None)
            if best is not None:
                return best
        return None

    def scope_at(self, offset: int) -> tuple[str, Any]:
        """(the namespaces around a place, as ``::app::``, the innermost class around it or None)"""
        scope, cursor, record = "::", self.tu.cursor, None
        while True:
            inner = next((c for low, high, c in self._scopes_in(cursor) if low <= offset < high), None)
            if inner is None:
                return scope, record
            if inner.kind in self.classes:
                record = inner
            elif inner.spelling and "(" not in inner.spelling:
                scope += f"{inner.spelling}::"
            cursor = inner

    def _scopes_in(self, cursor: Any) -> list[tuple[int, int, Any]]:
        """The namespaces and classes that are declared in a scope, with their extents."""
        if cursor.hash not in self._scopes:
            kinds = (self.kinds.NAMESPACE, *self.classes)
            self._scopes[cursor.hash] = [(*self.extent(c), c) for c in self.own_children(cursor) if c.kind in kinds]
        return self._scopes[cursor.hash]

    def record_named(self, name: str) -> str:
        """The canonical type of the class with a name, at any scope, or an empty text."""
        if alias := self.type_named(name):
            return alias
        record = self._named_types[1].get(re.sub(r"\s+", "", name).rpartition("::")[2])
        return str(self.type_of(record.type).text) if record is not None else ""

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

    def this_of(self, function: Function) -> Variable:
        """The variable ``this`` of a method."""
        key = function.cursor.hash
        if key not in self._this:
            cursor = function.cursor
            record = cursor.semantic_parent
            if record.kind == self.kinds.CLASS_TEMPLATE:
                parameters = (self.kinds.TEMPLATE_TYPE_PARAMETER, self.kinds.TEMPLATE_NON_TYPE_PARAMETER)
                names = (c.spelling for c in libclang.children(record) if c.kind in parameters)
                name = f"{record.spelling}<{', '.join(names)}>"
            else:
                name = self.type_of(record.type).text
            element = CxxType(name, "record", 0, bool(cursor.is_const_method()))
            kind = CxxType(f"{'const ' if element.const else ''}{name} *", "pointer", 8, False, element)
            self._this[key] = Variable("this", kind, function.cursor, -1, -1)
        return self._this[key]

    def fields(self, function: Function) -> dict[str, Any]:
        """The members of the class that a method belongs to, and of its bases."""
        found: dict[str, Any] = {}
        queue = [function.cursor.semantic_parent] if function.is_member else []
        while queue:
            members, bases = self.members_of(queue.pop())
            for member in members:
                found.setdefault(member.spelling, member)
            queue += bases
        return found

    def members_of(self, record: Any) -> tuple[list[Any], list[Any]]:
        """(the members of a class that hold data, its bases). An instantiation's bases are those of its template."""
        from clang import cindex

        k = self.kinds
        record = record.get_definition() or record
        general = cindex.conf.lib.clang_getSpecializedCursorTemplate(record)
        written = record if general is None else general.get_definition() or general
        members = list(record.type.get_fields()) if general is not None else []
        bases = []
        for child in libclang.children(written):
            if child.kind == k.FIELD_DECL and general is None:
                members.append(child)
            elif child.kind == k.CXX_BASE_SPECIFIER and (base := child.type.get_declaration()) is not None:
                bases.append(base)
        return members, bases


def _written_out(text: str, start: int, end: int) -> bool:
    """Whether a class has a body, which explicit instantiations have not."""
    return "{" in text[start:end]
