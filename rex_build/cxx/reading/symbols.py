"""The variables and functions of a C++ unit as those of the tree, one for each declaration of each instantiation,
places that name them, what is read from these, and the temporary objects that values become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.records import dataclass, field, replace
from ...plan.constructs import Entity
from ...tree import nodes as tree
from ...tree import types
from ...tree.arithmetic import NotReadError
from ...tree.nodes import walk
from ...tree.symbols import Function, Label, Storage, Variable
from ...tree.types import VOID, Integer, Pointer, Record, Type, value_of
from .. import libclang
from . import clang
from .types import TypeReader

FUNCTIONS = frozenset(("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"))
_MEMBERS = frozenset(("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"))
_LOCAL_SCOPES = frozenset(
    ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE",
     "LAMBDA_EXPR")
)  # fmt: skip
PLACES = (tree.Named, tree.Pointee, tree.Part, tree.Temporary)
Read = tree.Place | tree.Expression
_QUIET = (tree.Named, tree.Pointee, tree.Part, tree.Load, tree.Decay, tree.AddressOf, tree.Offset, tree.Constant,
          tree.Convert, tree.Binary, tree.Unary)  # fmt: skip


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


class PlaceReader:
    """Reads names, and makes places of what was read."""

    read: Callable[[Any], Read]  # a place or a value, as the expression is one or the other
    end_of: Callable[[Type, tree.Place], tree.Expression | None]  # the call of a destructor that does something

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.types = symbols.types
        self.frame = Frame()
        self.of_pattern = False  # what depends on a template's parameters is of types that are Unknown
        self.bindings: dict[int, tree.Place] = {}  # what structured bindings mean, by declaration

    # -- what may go wrong ------------------------------------------------------------------------------------------

    def opaque(self, cursor: Any, why: str, jumps: bool = False) -> tree.Opaque:
        """A part of the tree that is not understood, with all variables that it names, and functions that it may
        call."""
        mentions: dict[Variable | Function, tree.Node] = {}
        only_read: dict[Variable, bool] = {}
        loads = {inner.hash for node in (cursor, *libclang.descendants(cursor)) if (inner := self._loaded_in(node))}
        for node in (cursor, *libclang.descendants(cursor)):
            kind = node.kind.name
            if kind in ("DECL_REF_EXPR", "VARIABLE_REF", "CXX_THIS_EXPR", "MEMBER_REF_EXPR"):
                for place in self._mentioned(node):
                    variable = place.variable
                    mentions.setdefault(variable, place)
                    no_place = variable.name == "this" or getattr(variable.type, "reference", False)
                    only_read[variable] = only_read.get(variable, True) and (no_place or node.hash in loads)
            target = node.referenced if kind in ("CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR") else None
            if target is not None and target.kind.name in FUNCTIONS:
                function = self.symbols.function(target)
                mentions.setdefault(function, tree.FunctionAddress(Pointer(function.type), function))
            is_unnamed = kind == "UNEXPOSED_EXPR" and len(libclang.children(node)) > 1
            if is_unnamed and (word := clang.atomic_builtin(node)):  # which is no function
                builtin = Function(word, types.Function(VOID, None), external=True, defined=False, entity=None)
                mentions[builtin] = tree.FunctionAddress(Pointer(builtin.type), builtin)
        t = self.types.type(cursor.type) if cursor.kind.is_expression() else VOID
        read = frozenset(variable for variable, alone in only_read.items() if alone)
        return tree.Opaque(value_of(t), why, tuple(mentions.values()), jumps, read, origin=cursor)

    def _loaded_in(self, node: Any) -> Any:
        """The name of a variable, if an expression does nothing but read its value."""
        inner = libclang.children(node) if node.kind.name == "UNEXPOSED_EXPR" else ()
        if len(inner) != 1 or inner[0].kind.name != "DECL_REF_EXPR":
            return None
        of, to = self.types.type(inner[0].type), self.types.type(node.type)
        scalar = isinstance(of, types.Integer | types.Floating | Pointer)
        return inner[0] if scalar and value_of(of) == to else None

    def _mentioned(self, node: Any) -> list[tree.Named]:
        target = node.referenced
        try:
            if node.kind.name == "CXX_THIS_EXPR" or (node.kind.name == "MEMBER_REF_EXPR" and not object_in_front(node)):
                place: tree.Node = self.this(node)
            elif target is not None and target.kind.name in ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL"):
                place = self.named(target)
            else:
                return []
        except NotReadError:
            return []
        return [one for one in walk(place) if isinstance(one, tree.Named)]

    def value(self, cursor: Any) -> tree.Expression:
        """The value of an expression: arrays are pointers, and what is in memory is loaded."""
        return self.loaded(self.read(cursor))

    def loaded(self, found: Read) -> tree.Expression:
        if not isinstance(found, PLACES):
            return found
        t = found.type
        if isinstance(t, types.Function) and isinstance(found, tree.Pointee):
            return found.pointer
        if isinstance(found, tree.Pointee) and isinstance(found.pointer, tree.Conditional | tree.Sequence):
            return self._chosen(found.pointer, found)
        if isinstance(t, types.Array):
            return tree.Decay(Pointer(t.of), found)
        return self._as(value_of(self._declared(found)), tree.Load(value_of(t), found))

    def _chosen(self, pointer: tree.Conditional | tree.Sequence, found: tree.Pointee) -> tree.Expression:
        """What is read where an operator chooses a place: it chooses one of the values, and takes no address."""
        if isinstance(pointer, tree.Sequence):
            last = self.loaded(self._pointed(pointer.parts[-1], found.type))
            return tree.Sequence(last.type, (*pointer.parts[:-1], last), origin=found.origin)
        then, otherwise = (
            self.loaded(self._pointed(one, found.type)) for one in (pointer.then, pointer.otherwise)
        )  # fmt: skip
        return tree.Conditional(then.type, pointer.condition, then, otherwise, origin=found.origin)

    @staticmethod
    def _pointed(pointer: tree.Expression, t: Type) -> tree.Place:
        return pointer.place if isinstance(pointer, tree.AddressOf) else tree.Pointee(t, pointer)

    @staticmethod
    def _declared(place: tree.Place) -> Type:
        """The type of what is read from a place: a bit-field's value has the type that its declaration has."""
        t = place.type
        if isinstance(place, tree.Part) and place.member.bits is not None and isinstance(t, Integer) and not t.boolean:
            return Integer(8 * t.size, t.signed, t.size)
        return t

    def place(self, cursor: Any) -> tree.Place:
        """The object that an expression designates, or the temporary one that its value becomes."""
        return self.located(self.read(cursor), cursor)

    def located(self, found: Read, cursor: Any) -> tree.Place:
        if isinstance(found, (*PLACES, tree.Opaque)):
            return found
        if isinstance(found, tree.Load) and cursor.kind.name in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
            inner = found.place  # a full expression, or a conversion that adds a qualifier
            if not (isinstance(inner, tree.Part) and inner.member.bits is not None):
                return inner
        if isinstance(found, tree.Store | tree.Update) and not getattr(found, "old", False):
            if all(isinstance(n, _QUIET) for n in walk(found.place)):
                pointer = Pointer(found.place.type)
                whole = tree.Sequence(pointer, (found, tree.AddressOf(pointer, found.place)))
                return tree.Pointee(found.place.type, whole)
            raise NotReadError("an assignment as a place whose own place acts")
        if isinstance(found, tree.Sequence) and isinstance(found.parts[-1], tree.Load):
            last = self.address(found.parts[-1].place)
            whole = tree.Sequence(last.type, (*found.parts[:-1], last))
            return tree.Pointee(found.parts[-1].place.type, whole)
        return self.temporary(found)

    def changed(self, found: Read, cursor: Any) -> tree.Place:
        """The place that an assignment changes."""
        place = self.located(found, cursor)
        if isinstance(place, tree.Temporary) and not isinstance(place.type, Record):
            raise NotReadError("an assignment to a value")
        return place

    def temporary(self, value: tree.Expression) -> tree.Temporary:
        made = tree.Temporary(value.type, Variable("", value.type, Storage.LOCAL, None), value)
        if isinstance(value.type, Record):
            if self.frame.branches and self.end_of(value.type, made) is not None:
                raise NotReadError("a temporary object with a destructor that may not be made")
            self.frame.temporaries.append(made)
        return made

    def full(self, read: Callable[[], tree.Expression]) -> tree.Expression:
        """A full expression, at whose end its temporaries end."""
        outer, self.frame.temporaries = self.frame.temporaries, []
        value = read()
        made, self.frame.temporaries = self.frame.temporaries, outer
        ends = [end for one in reversed(made) if (end := self.end_of_named(one.variable)) is not None]
        return tree.Ending(value.type, value, tuple(ends)) if ends else value

    def end_of_named(self, variable: Variable) -> tree.Expression | None:
        return self.end_of(variable.type, tree.Named(variable.type, variable))

    # -- small parts ------------------------------------------------------------------------------------------------

    @staticmethod
    def _as(to: Type, value: tree.Expression) -> tree.Expression:
        if value.type == to or isinstance(to, types.Unknown) or isinstance(value.type, types.Unknown):
            return value
        return tree.Convert(to, value)

    @staticmethod
    def address(place: tree.Place, to: Type | None = None) -> tree.Expression:
        """A pointer to a place, as references have it, which may add qualifiers."""
        kind = Pointer(place.type if to is None else to)
        if isinstance(place, tree.Opaque):
            return replace(place, type=kind)
        if not isinstance(place, tree.Pointee):
            return tree.AddressOf(kind, place)
        return place.pointer if to is None or place.pointer.type == kind else tree.Convert(kind, place.pointer)

    def _type(self, cursor: Any) -> Type:
        """The type of an expression, with the qualifiers of an lvalue."""
        t = self.types.type(cursor.type)
        if isinstance(t, types.Unknown) and not self.of_pattern:
            raise NotReadError("a type that is not understood")
        return t

    def referred(self, place: tree.Place, origin: Any = None) -> tree.Place:
        """What a place means if it may be a reference: what that refers to."""
        t = place.type
        if isinstance(t, Pointer) and t.reference:
            return tree.Pointee(t.to, tree.Load(Pointer(t.to), place), origin=origin)
        return place

    # -- names ------------------------------------------------------------------------------------------------------

    def named(self, target: Any, origin: Any = None) -> tree.Place:
        """The object that the name of a variable means here, which may be a member of the closure."""
        key = target.canonical.hash
        if key in self.frame.captured:
            return self._captured(self.frame.captured[key], origin)
        if key in self.bindings:
            return replace(self.bindings[key], origin=origin)
        if target.kind.name == "UNEXPOSED_DECL":
            raise NotReadError("a structured binding of an unusual kind")
        variable = self.symbols.variable(target)
        return self.referred(tree.Named(variable.type, variable, origin=origin), origin)

    def _captured(self, member: types.Member, origin: Any) -> tree.Place:
        closure = self.own_object()
        t = member.type
        const = getattr(closure.type, "const", False)
        if const and not isinstance(t, types.Array) and not (isinstance(t, Pointer) and t.reference):
            t = type(t)(**{**vars(t), "const": True})
        return self.referred(tree.Part(t, closure, member, origin=origin), origin)

    def own_object(self) -> tree.Pointee:
        """The object that the method that is read belongs to; in a closure, the closure."""
        if self.frame.method is None:
            raise NotReadError("'this' outside of a method")
        this = self.symbols.this(self.frame.method)
        assert isinstance(this.type, Pointer)
        return tree.Pointee(this.type.to, tree.Load(value_of(this.type), tree.Named(this.type, this)))

    def this(self, origin: Any = None) -> tree.Place:
        """What ``*this`` means in the program, which in a closure is what it captured."""
        if self.frame.captured_this is None:
            return self.own_object()
        place = self._captured(self.frame.captured_this, origin)
        if isinstance(place.type, Pointer):
            return tree.Pointee(place.type.to, self.loaded(place))
        return place


def object_in_front(member: Any) -> Any:
    """The expression in front of a member's name, or None where it is ``this``."""
    return next((c for c in libclang.children(member) if c.kind.is_expression()), None)


def member_of(whole: tree.Place, name: str) -> tree.Place:
    """The member of an object with a name, which a base class may have."""
    queue = [whole]
    while queue:
        place = queue.pop(0)
        t = place.type
        if not isinstance(t, Record):
            break
        for member in t.info.members:
            if member.base or (not member.name and isinstance(member.type, Record)):
                queue.append(tree.Part(member.type, place, member))
            elif member.name == name:
                kind = member.type
                if (t.const or t.volatile) and not isinstance(kind, types.Array):
                    kind = type(kind)(**{**vars(kind), "const": kind.const or t.const})
                return tree.Part(kind, place, member)
    raise NotReadError("a name in a clause that is no variable")
