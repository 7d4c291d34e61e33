"""Which variables a part of the tree may change, other than by what is stored where pointers lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from ..base.records import dataclass
from ..directives.contents import clause_locators
from ..directives.model import MapClause
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.calls import Calls, UnknownError
from ..tree.symbols import Variable
from ..tree.types import Pointer, is_reference
from ..tree.values import base_of, named_in, object_of

_CHANGING = frozenset(
    (tree.Store, tree.Update, tree.AddressOf, tree.Decay, tree.Load, tree.Declare, tree.Temporary)
)


@dataclass(frozen=True)
class Changes:
    """Variables that are ``assigned``, whole or in part, those that are ``lent``, because somebody gets their
    addresses, each with the first place; and those whose lives begin here. What begins a life is no assignment."""

    assigned: dict[Variable, tree.Node]
    lent: dict[Variable, tree.Node]
    declared: frozenset[Variable]

    @property
    def variables(self) -> dict[Variable, tree.Node]:
        """The variables that may change."""
        return {**self.lent, **self.assigned}


def changes_of(node: tree.Node, calls: Calls | None = None) -> Changes:
    """What a part of the tree changes. With ``calls``, functions are asked what they do with addresses that they get,
    and what a reference refers to counts as the reference's own."""
    assigned: dict[Variable, tree.Node] = {}
    lent: dict[Variable, tree.Node] = {}
    declared: set[Variable] = set()
    followed = {base_of(part.pointer) for part in tree.parts(node, tree.Pointee)}
    given = dict(_given(node, calls)) if calls is not None else {}

    def note(into: dict[Variable, tree.Node], place: tree.Place, by: tree.Node) -> None:
        found = object_of(place)
        if found is not None and (not found.behind or (calls is not None and is_reference(found.variable.type))):
            into.setdefault(found.variable, by)

    for part in tree.walk(node):
        if type(part) not in _CHANGING:
            continue
        match part:
            case tree.Store() | tree.Update():
                note(assigned, part.place, part)
            case tree.AddressOf() | tree.Decay() | tree.Load() if part not in followed:
                into = lent if part not in given else assigned if given[part] else None
                if into is None:
                    pass
                elif not isinstance(part, tree.Load):
                    note(into, part.place if isinstance(part, tree.AddressOf) else part.array, part)
                elif calls is not None and isinstance(part.place, tree.Named) and is_reference(part.place.type):
                    into.setdefault(part.place.variable, part)
            case tree.Declare() | tree.Temporary():
                declared.add(part.variable)
                if calls is not None and part.initialiser is not None and not _made_alone(part.initialiser, calls):
                    lent.setdefault(part.variable, part)
    return Changes(assigned, lent, frozenset(declared))


def _given(node: tree.Node, calls: Calls) -> Iterator[tuple[tree.Node, bool]]:
    """(an address that is given to a function which does not keep it, whether that may write there). A function may
    return it if a value is read from there at once."""
    read = _read(node)
    for call in tree.parts(node, tree.Call):
        with suppress(UnknownError):
            reach = calls.of(call)
            for number, argument in enumerate(call.arguments, call.constructs):
                if not reach.keeps(number) and (number not in reach.result or call in read):
                    yield base_of(argument), number in reach.writes


def _read(node: tree.Node) -> set[tree.Node]:
    """The addresses by which nothing happens but that a value is read from where they lead."""
    read, otherwise = set[tree.Node](), set[tree.Node]()
    for part in tree.walk(node):
        match part:
            case tree.Load(place=place):
                read.update(_behind(place))
            case tree.Store(place=place) | tree.Update(place=place) | tree.AddressOf(place=place):
                otherwise.update(_behind(place))
            case tree.Decay(array=place):
                otherwise.update(_behind(place))
    return read - otherwise


def _behind(place: tree.Place) -> Iterator[tree.Node]:
    while isinstance(place, tree.Part):
        place = place.whole
    if isinstance(place, tree.Pointee):
        yield base_of(place.pointer)


def _made_alone(initialiser: tree.Expression, calls: Calls) -> bool:
    """Whether no constructor keeps the address of the object that an initialiser makes."""
    made = [call for call in tree.walk(initialiser) if isinstance(call, tree.Call) and call.constructs]
    try:
        return not any(calls.of(call).keeps(0) for call in made)
    except UnknownError:
        return False


def mentions(node: tree.Node, variable: Variable) -> list[tree.Named]:
    return [part for part in tree.walk(node) if isinstance(part, tree.Named) and part.variable is variable]


_UNKNOWN = Calls(lambda _: None, lambda _: False)
_WRITING = frozenset(
    ("reduction", "in_reduction", "task_reduction", "lastprivate", "linear", "from", "copyprivate", "copyin")
)


@dataclass(frozen=True)
class Changed:
    """The variables that code changes, whole or in part, and those whose addresses it takes otherwise than to follow
    them at once. What is written where pointers lead is no change."""

    assigned: frozenset[Entity]
    addressed: frozenset[Entity]

    @property
    def variables(self) -> frozenset[Entity]:
        return self.assigned | self.addressed


def changed_by(statements: Iterable[tree.Statement]) -> Changed:
    """What statements change, also by their clauses. Functions may do anything with addresses that they get."""
    assigned, addressed = set[Variable](), set[Variable]()
    for statement in statements:
        found, opaque = changes_of(statement, _UNKNOWN), tree.parts(statement, tree.Opaque)
        parts = [statement] if any(one.mentions is None for one in opaque) else opaque
        odd = named_in(*parts)
        assigned.update(found.assigned, odd)
        addressed.update(found.lent, odd)
        for construct in tree.parts(statement, tree.Construct):
            assigned.update(_written_by_clauses(construct))
    return Changed(*(frozenset(v.entity for v in one if v.entity is not None) for one in (assigned, addressed)))


def _written_by_clauses(construct: tree.Construct) -> Iterator[Variable]:
    for clause in construct.directive.clauses:
        is_map = isinstance(clause, MapClause) and clause.map_type in ("from", "tofrom")
        listed = [*clause_locators(clause)] if is_map or clause.name in _WRITING else ()
        for item in (item for item in construct.items if item.locator in listed):
            t = item.place.type
            through = is_map and item.locator.steps and isinstance(t, Pointer)  # the pointer stays as it is
            if isinstance(item.place, tree.Named) and not through:
                yield item.place.variable
