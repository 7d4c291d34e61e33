"""The variables and functions of a C++ unit as those of the tree: one for each declaration of each instantiation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.records import dataclass, field
from ...plan.constructs import Entity
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.symbols import Function, Label, Storage, Variable
from ...tree.types import Type
from .. import libclang
from . import clang
from .types import TypeReader

FUNCTIONS = frozenset(("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"))
_MEMBERS = frozenset(("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"))
_LOCAL_SCOPES = frozenset(
    ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE",
     "LAMBDA_EXPR")
)  # fmt: skip


class Symbols:
    """The symbols of one unit. ``entity_of`` says what the plan has for a declaration of a variable, and ``this_of``
    for the object of a method."""

    def __init__(
        self, types_: TypeReader, entity_of: Callable[[Any], Entity | None], this_of: Callable[[Any], Entity | None]
    ) -> None:
        self.types = types_
        self._entity_of, self._this_of = entity_of, this_of
        self._variables: dict[int, Variable] = {}  # by hash of the canonical declaration
        self._functions: dict[int, Function] = {}
        self._this: dict[int, Variable] = {}  # by hash of the method
        self._labels: dict[int, Label] = {}
        self.cursors: dict[Function, Any] = {}  # libclang's declarations of functions

    def variable(self, cursor: Any) -> Variable:
        key = cursor.canonical.hash
        if key not in self._variables:
            t = (self.types.parameter if cursor.kind.name == "PARM_DECL" else self.types.type)(cursor.type)
            fixed = isinstance(t, types.Integer) and t.const and not t.volatile and cursor.kind.name == "VAR_DECL"
            value = clang.integer(cursor) if fixed else None
            self._variables[key] = Variable(cursor.spelling, t, _storage(cursor), self._entity_of(cursor), value)
        return self._variables[key]

    def function(self, cursor: Any) -> Function:
        key = cursor.canonical.hash
        if key not in self._functions:
            t = self.types.type(cursor.type)
            if isinstance(t, types.Function) and is_method(cursor):
                this = self.this_type(cursor)
                t = types.Function(t.result, (this, *(t.parameters or ())), t.variadic)
            external = cursor.linkage.name not in ("INTERNAL", "NO_LINKAGE")
            defined = cursor.get_definition() is not None
            made = Function(_qualified(cursor), t, external, defined, None)
            self._functions[key] = made
            self.cursors[made] = cursor
        return self._functions[key]

    def this_type(self, method: Any) -> types.Pointer:
        record = self.types.record(method.semantic_parent)
        return types.Pointer(types.Record(record, const=bool(method.is_const_method())))

    def this(self, method: Any) -> Variable:
        """The variable ``this`` of a method."""
        key = method.canonical.hash
        if key not in self._this:
            self._this[key] = Variable("this", self.this_type(method), Storage.PARAMETER, self._this_of(method))
        return self._this[key]

    def label(self, cursor: Any) -> Label:
        key = cursor.hash
        if key not in self._labels:
            self._labels[key] = Label(cursor.spelling)
        return self._labels[key]


def is_method(cursor: Any) -> bool:
    """Whether a function has an object."""
    return cursor.kind.name in _MEMBERS and not cursor.is_static_method()


def _storage(cursor: Any) -> Storage:
    if cursor.kind.name == "PARM_DECL":
        return Storage.PARAMETER
    if cursor.tls_kind.name != "NONE":
        return Storage.THREAD
    parent = cursor.semantic_parent
    local = parent is not None and parent.kind.name in _LOCAL_SCOPES
    storage = cursor.storage_class.name
    if storage == "STATIC" and (local or parent is None or parent.kind.name in ("TRANSLATION_UNIT", "NAMESPACE")):
        return Storage.STATIC
    if local and storage != "EXTERN":
        return Storage.LOCAL
    return Storage.STATIC if cursor.linkage.name == "INTERNAL" else Storage.GLOBAL


def _qualified(cursor: Any) -> str:
    """The name with the namespaces and classes around it, as ``std::max``."""
    names = [cursor.spelling]
    scope = cursor.semantic_parent
    while scope is not None and scope.kind.name not in ("TRANSLATION_UNIT", *_LOCAL_SCOPES):
        if scope.spelling and scope.kind.name != "LINKAGE_SPEC" and not scope.spelling.startswith("__cxx"):
            names.append("(lambda)" if scope.spelling.startswith("(lambda") else scope.spelling)
        scope = scope.semantic_parent
    return "::".join(reversed(names))


PLACES = (tree.Named, tree.Pointee, tree.Part, tree.Temporary)
Read = tree.Place | tree.Expression


@dataclass(frozen=False)
class Frame:
    """The function that is read. ``branches`` says how many operands are around that may not be evaluated."""

    definition: Any = None
    method: Any = None  # the method, or None for a function without an object
    result: Type | None = None  # None if it returns nothing
    captured: dict[int, types.Member] = field(default_factory=dict)  # what the closure holds, by declaration
    captured_this: types.Member | None = None
    temporaries: list[tree.Temporary] = field(default_factory=list)  # of the full expression
    branches: int = 0


@dataclass(frozen=True)
class Captured:
    """A member of a closure, which libclang has as ``field``, and the ``variable`` that it holds: None for the object
    of the method around. A variable that the list declares has a ``value``."""

    field: Any
    variable: Any
    value: Any
    is_listed: bool

    @property
    def name(self) -> str:
        if self.variable is not None:
            return str(self.variable.spelling)
        return "this" if self.field.type.kind.name == "POINTER" else "*this"


def captures(closure: Any) -> list[Captured]:
    """What a lambda expression captures, in the order of the closure's members. Raises NotReadError.

    libclang shows these without names, but says where each is captured: in the list or, without an entry there, where
    the body first needs it.
    """
    fields = list(closure.type.get_declaration().type.get_fields())
    named: dict[int, dict[int, Any]] = {}  # by place: the variables that are named there, by hash
    for node in libclang.descendants(closure) if fields else ():
        target = node.referenced if node.kind.name in ("DECL_REF_EXPR", "VARIABLE_REF") else None
        if target is not None and target.kind.name in ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL"):
            named.setdefault(libclang.offset_of(node.location), {}).setdefault(target.canonical.hash, target)
    low = libclang.offset_of(closure.extent.start)
    body = next(c for c in libclang.children(closure) if c.kind.name == "COMPOUND_STMT")
    high, head = libclang.offset_of(closure.extent.end), libclang.offset_of(body.extent.start)
    found = []
    for member in fields:
        place = libclang.offset_of(member.location)
        there, is_listed = list(named.get(place, {}).values()), place < head
        if len(there) > 1 and not is_listed:  # a list of parameters, whose order is not known
            raise NotReadError("a closure whose members are not understood")
        variable = there[0] if there else None
        if variable is None:
            kind = member.type.get_canonical()
            kind = kind.get_pointee() if kind.kind.name == "POINTER" else kind
            if kind.kind.name != "RECORD":
                raise NotReadError("a closure whose members are not understood")
        elif is_listed and len(there) > 1:
            del named[place][variable.canonical.hash]  # the next member holds the next one
        value = None
        if variable is not None and low <= libclang.offset_of(variable.location) < high:
            value = clang.initialiser(variable)
        found.append(Captured(member, variable, value, is_listed))
    return found
