"""List items, and what a front end says of them at one place of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from ..base.records import dataclass, field
from ..directives.model import Directive, Expr, Locator, Member, Step
from ..plan.constructs import Entity
from ..plan.host_expression import ZERO, HostExpression, Shaped
from ..plan.rows import RowLoop, RowNote
from ..tree import nodes as tree
from ..tree.symbols import Storage, Variable
from ..tree.types import SIZE, Array, Integer, Type
from ..tree.values import same_value

SECTIONS = "OpenMP 5.2, section 3.2.5: array sections"  # the source that errors name
# The length of an array in a template of which only the compiler knows it: it compares that with the one in a clause.
LENGTH_OF_TEMPLATE = Variable("length", SIZE, Storage.LOCAL, None)


@dataclass(frozen=True)
class HostIndex:
    """``[index]``: one element."""

    index: HostExpression


@dataclass(frozen=True)
class HostSection:
    """``[lower : length : stride]``, where what is omitted is None. ``written`` is the length in the user's clause."""

    lower: HostExpression | None = None
    length: HostExpression | None = None
    stride: HostExpression | None = None
    written: Expr | None = field(default=None, compare=False, repr=False)

    @property
    def first(self) -> HostExpression:
        return self.lower or ZERO

    @property
    def is_consecutive(self) -> bool:
        return self.stride is None or self.stride.value == 1


HostStep = Member | HostIndex | HostSection


@dataclass(frozen=True)
class MapItem:
    """One list item to map. ``flags`` are its own bits (transfers and modifiers), and ``note`` names the clause.

    The host names the variable as ``variable``, whose type is ``type``; ``shape`` has the lengths that array shaping
    gives to what the variable points to. The ``steps`` lead from there to the mapped storage.
    """

    locator: Locator
    symbol: Entity
    variable: HostExpression
    type: Type
    flags: int
    note: RowNote
    loops: tuple[RowLoop, ...] = ()
    steps: tuple[HostStep, ...] = ()
    shape: tuple[HostExpression, ...] = ()

    @property
    def root(self) -> HostExpression:
        """The lvalue that the steps begin from. Array shaping gives a pointer an array's type."""
        return Shaped(f"__typeof__(*{self.variable})", self.shape, self.variable) if self.shape else self.variable


@dataclass(frozen=True)
class DeclaredMapper:
    """One ``declare mapper``. ``name`` is ``default`` if the directive gives none, and ``type`` and
    ``construct`` are the front end's. It is visible from ``start``, the offset of the directive, to ``end``."""

    name: str
    type: Any
    variable: str
    directive: Directive = field(compare=False, repr=False)
    construct: Any = field(compare=False, repr=False)
    start: int
    end: int


@dataclass(frozen=True)
class TaskVariable:
    """What of a variable matters to target tasks. The ``host`` names it so. It is a ``value`` if it is a number or a
    pointer, of the host alone, that no other thread changes as it likes."""

    host: str
    is_pointer: bool
    is_value: bool
    is_local: bool


class ListItems(Protocol):
    """What a front end says of the list items at one place of the program.

    ``maps_references`` says whether members that are references are storage to map. An object has no pointer to it.
    """

    maps_references: bool

    def variable(self, symbol: Entity) -> HostExpression:
        """How the host names a variable there."""
        ...

    def begin(self, locator: Locator) -> tuple[Entity, Type, tuple[Step, ...]]:
        """(the variable with which a list item begins, its type, the steps). Raises InputError if there is none.

        The type of a reference is that of what it refers to. Array shaping is in the type, too."""
        ...

    def member(self, record: Type, name: str) -> tuple[Type, int | None, bool] | None:
        """(the type of a member, its offset if it is known, whether it is a bit-field), or None if there is none."""
        ...

    def is_length(self, expr: Expr, array: Array) -> bool:
        """Whether an expression surely is the length of an array of which only the run or the compiler knows it."""
        ...

    def value(self, expr: Expr, names: Mapping[str, HostExpression] | None = None) -> HostExpression:
        """The value of an expression. In a clause of a mapper, some ``names`` mean other expressions."""
        ...

    def is_pure(self, expr: Expr, *, repeated: bool) -> bool:
        """Whether it makes no difference how often an expression is evaluated.

        Where it must be ``repeated``, calls whose results depend on nothing but their arguments may be in it."""
        ...

    def named_in(self, expr: Expr) -> Iterable[Entity]:
        """The variables that an expression in a clause names."""
        ...

    def in_task(self, variable: Entity) -> TaskVariable | None:
        """What a variable is for a target task, or None if it needs no copy and cannot be shared."""
        ...

    def mapper(self, record: Type, name: str, item: Locator) -> DeclaredMapper | None:
        """The innermost mapper of a name for a type, that of a list item, of those that are visible."""
        ...

    def hidden(self, mapper: DeclaredMapper) -> str | None:
        """A name in a mapper's clauses that means something else where the mapper is used."""
        ...


# Whether an expression of a clause surely is the length that an array of variable length has.
#
# That is the value that an expression had when the array was declared. If a section spells the same length later, it
# means the same number only if nothing has changed the variables in between.

_KEEP = frozenset(("firstprivate", "shared", "to"))  # with these clauses, a variable or its copy keeps its value


def is_length(
    given: tree.Expression, length: tree.Expression, array: Array, body_of: Callable[[Entity], tree.Body | None]
) -> bool:
    """Whether ``given`` has the value that ``length`` had where the array was declared. ``body_of`` gives the function
    that declares a variable."""
    if not same_value(given, length):
        return False
    places = [node.place for node in tree.walk(given) if isinstance(node, tree.Load)]
    return all(isinstance(one, tree.Named) and not _may_have_changed(one.variable, array, body_of) for one in places)


def _may_have_changed(variable: Variable, array: Array, body_of: Callable[[Entity], tree.Body | None]) -> bool:
    """Whether a variable may have changed since an array was declared, while the array is in scope.

    Control leaves the scope before it comes back to what is in front of the declaration. So only what is behind it
    matters.
    """
    t, body = variable.type, body_of(variable.entity) if variable.entity is not None else None
    if not isinstance(t, Integer) or t.volatile or t.atomic:
        return True
    if t.const:
        return False
    if variable.storage not in (Storage.LOCAL, Storage.PARAMETER) or body is None:
        return True
    is_behind = not any(node.variable is array.length for node in tree.parts(body.statement, tree.Declare))
    for node in body.statement.below:
        match node:
            case tree.Declare(variable=declared) if declared is array.length:
                is_behind = True
            case tree.Opaque(mentions=mentions):
                named = [n for m in mentions or () for n in tree.walk(m) if isinstance(n, tree.Named)]
                if mentions is None or any(one.variable is variable for one in named):
                    return True
            case tree.AddressOf(place=tree.Named(variable=changed)) if changed is variable:
                return True
            case tree.Store(place=tree.Named(variable=changed)) | tree.Update(place=tree.Named(variable=changed)):
                if is_behind and changed is variable:
                    return True
            case tree.Construct(directive=directive) if is_behind:
                kept = {item for c in directive.all(*_KEEP) for item in getattr(c, "items", ())}
                others = (item.place for item in node.items if item.locator not in kept)
                if any(isinstance(place, tree.Named) and place.variable is variable for place in others):
                    return True
    return False
