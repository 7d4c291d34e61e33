"""The declarations of a C++ unit, as libclang read them: their places, variables and types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..base.diagnostics import SourceSpan, Stretches
from ..base.patterns import regex
from ..c.source.library_functions import missing_functions
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, has_word
from . import libclang
from .text_constructs import CxxType, Variable, is_list
from .type_names import UNNAMED, TypeNames

_COMPLEX = regex(r"\b(?:_Complex|__complex(?:__)?|__(?:real|imag)(?:__)?)\b")  # nvcc drops what they compute
# nvcc takes 'long double' for 'double'. A literal alone, such as 3.14L, has the value that is meant.
_LONG_DOUBLE = regex(r"\blong\s+double\b|\bdouble\s+long\b|(?:\d\.|\.\d)\d*(?:[eE][+-]?\d+)?[lL]\b")
_ASKED = regex(r"\b(?:decltype|__decltype|__typeof__|typeof|noexcept|sizeof|alignof)\s*\(")


class Declarations:
    """What is declared in a unit that was read. Offsets are those of the preprocessed text.

    ``template_at`` gives the parameters of the template around a place as arguments. libclang reads what is
    ``inserted``, too.
    """

    def __init__(
        self, pre: Preprocessed, cflags: Sequence[str], cxx: str, more: str, template_at: Callable[[int], str],
        inserted: Sequence[tuple[int, str, int]],
    ) -> None:  # fmt: skip
        self.pre = pre
        self.text = pre.text
        self.missing = missing_functions(pre)  # declarations of what omp.h lacks
        self.read, self.tu = libclang.parse(pre, cflags, cxx, more, self.missing, inserted)
        self.kinds = libclang.load().CursorKind
        self.types = libclang.load().TypeKind
        k = self.kinds
        self.classes = (
            k.CLASS_DECL, k.STRUCT_DECL, k.UNION_DECL, k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
        )  # fmt: skip
        self.names = TypeNames(self.place, self.span, template_at, self._variable_of)
        self.has_gcc_complex = _COMPLEX.search(self.read.text) is not None
        self.has_long_double = _LONG_DOUBLE.search(self.read.text) is not None
        self._variables: dict[int, Variable] = {}

    @cached_property
    def operands(self) -> list[tuple[int, int]]:
        """Where the operands begin and end of which only the type is asked."""
        return [(m.end() - 1, closing(self.text, m.end() - 1)) for m in _ASKED.finditer(self.text)]

    @cached_property
    def unevaluated(self) -> Stretches:
        return Stretches(self.operands)

    def _variable_of(self, closure: Any) -> str:
        """The name of the variable of a namespace that is a closure, or an empty text."""
        around, start = closure.semantic_parent, self.place(closure.location)
        if around is None or around.kind not in (self.kinds.NAMESPACE, self.kinds.TRANSLATION_UNIT):
            return ""
        variables = [c for c in libclang.children(around) if c.kind == self.kinds.VAR_DECL and libclang.is_users(c)]
        own = next((c for c in variables if self.extent(c)[0] <= start < self.extent(c)[1]), None)
        if own is None or own.type.get_canonical().get_declaration() != closure:
            return ""
        return f"{self.scope_name(around)}::{own.spelling}"

    def place(self, location: Any) -> int:
        return self.read.place(libclang.offset_of(location))

    def extent(self, cursor: Any) -> tuple[int, int]:
        """Where a node begins and ends. The node keeps it, as libclang takes long to tell.

        To those who come to the second variable of a declaration by its statement, libclang says that it begins at its
        declarator, and to all others that it begins where the declaration does. So the others are asked.
        """
        found: tuple[int, int] | None = getattr(cursor, "rex_extent", None)
        if found is None:
            of = cursor.canonical if cursor.kind == self.kinds.VAR_DECL else cursor
            of = of if of.location == cursor.location else cursor
            start, end = (libclang.offset_of(location) for location in (of.extent.start, of.extent.end))
            found = cursor.rex_extent = self.read.place(start), self.read.place(max(0, end - 1)) + 1
        return found

    def span(self, offset: int) -> SourceSpan:
        line = self.pre.line_at(offset)
        return self.pre.span_at(line, offset - self.pre.line_starts[line - 1] + 1)

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
        reference = libclang.is_reference(kind)
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
        head = self.text[start : self.place(own.location)] if start >= 0 else ""
        declared_constexpr = has_word(head, "constexpr")
        is_plain = variable.type.kind == "scalar" or libclang.behind(kind).kind == self.types.FUNCTIONPROTO
        whole = is_plain and variable.type.const and not reference
        if declared_constexpr or (whole and kind.get_canonical().kind not in self._floating()):
            in_header = start < 0  # of the system, such as std::is_same<T, U>::value
            variable.constant = declared_constexpr or in_header or self._is_constant(own)
        elif own.kind == k.VAR_DECL and variable.type.const and variable.type.kind == "dependent":
            is_in_class = own.lexical_parent is not None and own.lexical_parent.kind in self.classes
            # What has its value in the class, and no storage, can only be an integer.
            variable.constant = is_in_class and self.is_initialised(own) and not has_word(head, "inline")
        self._variables[canonical.hash] = variable
        return variable

    def is_initialised(self, cursor: Any) -> bool:
        """Whether the declaration of a member has its value, too."""
        if cursor.semantic_parent is None or cursor.semantic_parent.kind not in self.classes:
            return False
        start, end = self.extent(cursor)
        return libclang.is_users(cursor) and any(mark in self.text[start:end] for mark in "={")

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
            if scope.kind == k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
                names.append(scope.displayname)  # with its arguments, such as Vector<T *, 2>
            elif scope.spelling and "(" not in scope.spelling and scope.kind != k.LINKAGE_SPEC:
                own = self.parameters_as_arguments(scope)
                names.append(f"{scope.spelling}<{', '.join(own)}>" if own else scope.spelling)
            scope = scope.semantic_parent
        return "".join(f"::{name}" for name in reversed(names))

    def _floating(self) -> tuple[Any, ...]:
        t = self.types
        return (t.FLOAT, t.DOUBLE, t.LONGDOUBLE, t.FLOAT128, t.from_id(libclang.FLOAT16))

    def _is_constant(self, cursor: Any) -> bool:
        """Whether a const integer, or a table of functions, is initialised by constants."""
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
                known = (k.ENUM_CONSTANT_DECL, k.TEMPLATE_NON_TYPE_PARAMETER, k.FUNCTION_DECL)
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
        dependent = dependent or canonical.kind == t.UNEXPOSED  # such as std::array<T, N>, which loses its std::
        text = kind.spelling.replace(UNNAMED, "") if dependent else self.names.spelled(canonical)
        if const:
            pointer = canonical.kind == t.POINTER and text.removesuffix("const").rstrip().endswith("*")
            text = text.removesuffix("const").rstrip() if pointer else text
            text = text if canonical.kind == t.POINTER else text.removeprefix("const ")
        if canonical.kind in (t.CONSTANTARRAY, t.INCOMPLETEARRAY, t.VARIABLEARRAY, t.DEPENDENTSIZEDARRAY):
            written = kind if kind.kind == canonical.kind else canonical  # a dependent type has no other name
            element = self.type_of(written.element_type)
            length = canonical.element_count if canonical.kind == t.CONSTANTARRAY else 0
            is_dependent = canonical.kind == t.DEPENDENTSIZEDARRAY
            extent = kind.spelling.partition("[")[2].partition("]")[0] if is_dependent else ""
            return CxxType(text, "array", size, element.const, element, length, extent)
        if canonical.kind == t.POINTER:
            return CxxType(
                text, "pointer", 8, const, self.type_of((kind if kind.kind == t.POINTER else canonical).get_pointee())
            )
        if libclang.is_reference(canonical):
            return self.type_of((kind if kind.kind == canonical.kind else canonical).get_pointee())
        if canonical.kind == t.RECORD:
            return CxxType(text, "record", size, const)
        number = canonical.kind.value
        is_number = t.BOOL.value <= number <= t.NULLPTR.value or number == libclang.FLOAT16
        # A pointer to a member that holds data is a distance. One to a method may be an address.
        if is_number or canonical.kind == t.ENUM or (canonical.kind == t.MEMBERPOINTER and size == 8):
            return CxxType(text, "scalar", size, const)
        if canonical.kind == t.FUNCTIONPROTO:
            return CxxType(text, "function", 0, const)
        unknown = dependent or canonical.kind in (t.UNEXPOSED, t.AUTO)
        return CxxType(text, "dependent" if unknown else "other", size, const)

    def parameters_as_arguments(self, cursor: Any) -> list[str]:
        """The names of a template's parameters, with dots behind those that stand for any number."""
        texts = ((c.spelling, self.text[slice(*self.extent(c))]) for c in self.template_parameters(cursor))
        return [f"{name}..." if is_list(text) else name for name, text in texts]

    def template_parameters(self, cursor: Any) -> list[Any]:
        """The parameters of a template."""
        k = self.kinds
        kinds = (k.TEMPLATE_TYPE_PARAMETER, k.TEMPLATE_NON_TYPE_PARAMETER, k.TEMPLATE_TEMPLATE_PARAMETER)
        return [child for child in libclang.children(cursor) if child.kind in kinds]
