"""Where the walk through a unit is: the function, the loops and what is in doubt there; and what was found so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from pycparser import c_ast

from ...base.findings import Finding, Note
from ...base.records import dataclass, replace
from ...base.spans import SourceSpan
from ...directives.model import Index, Locator
from ...plan.code import Entity
from ...tree.affine import Polynomial
from ..sema import Symbol, walk
from ..sema.type_questions import is_integer
from ..syntax.nodes import OmpConstruct
from .extents import Extent, Extents, is_far
from .kernels import Mapped
from .memory import Memory, Touch
from .objects import Found, Key, Origin, State
from .places import DEREFERENCE, Root
from .uses import Use
from .whole_unit import WholeUnit

ONCE = ", unless the loop around runs once only"
SKIPPABLE = ", unless the first pass of the loop around leaves this out"
_MOST_STEPS = 20_000


class TooFarError(Exception):
    """The program is too long to be followed to its end."""


class Journey:
    """What grows while a unit is followed: the findings, the number of steps and that of calls."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, SourceSpan, str], Finding] = {}
        self.steps = 0
        self.calls = 0
        self.given: dict[int, dict[Entity, Given]] = {}  # by the numbers of calls
        self.placed: dict[tuple[int, int], tuple[Extent, Extent | None]] = {}  # by calls and extents
        self.changing: dict[c_ast.Node, bool] = {}  # conditions that ask for something which is not constant
        # The variables that lead a region to an object of which the device has all, on some way to there.
        self.on_device: set[tuple[OmpConstruct, Symbol]] = set()
        # What was found under a condition in the first pass of a loop, with the loop, by (name, span, variable, notes).
        self.skippable: dict[tuple[str, SourceSpan, str, tuple[Note, ...]], c_ast.Node] = {}

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooFarError


@dataclass(frozen=True)
class Exits:
    """The states with which ways leave the statement around them, collected while it is followed."""

    breaks: list[State]
    continues: list[State]
    returns: list[State]
    gotos: dict[object, list[State]]  # by their labels

    @staticmethod
    def of_function() -> Exits:
        return Exits([], [], [], {})


@dataclass(frozen=True)
class Given:
    """A number that a parameter has, in the variables of the call that is numbered."""

    call: int
    number: Polynomial


@dataclass(frozen=True)
class Position:
    """``calls`` are the functions that are being called, the present one last, and ``number`` is that of its call. The
    ``loops`` around are those that only the host concerns, and ``conditions`` those of ``if`` statements inside them.
    What is found is never certain if there is a ``doubt``, such as whether a loop runs twice: messages end with it.
    The ``caller`` gives values to parameters. ``first_pass`` is the innermost loop that is followed for the first time
    and will be for a second, ``again`` are those that are followed for the second. A condition may leave out what
    stands here in the first pass of the loop ``skippable``."""

    unit: WholeUnit
    journey: Journey
    exits: Exits
    calls: tuple[str, ...] = ()
    number: int = 0
    loops: tuple[c_ast.Node, ...] = ()
    doubt: str = ""
    caller: tuple[Position, c_ast.FuncCall] | None = None
    conditions: tuple[c_ast.Node, ...] = ()
    first_pass: c_ast.Node | None = None
    again: tuple[c_ast.Node, ...] = ()
    skippable: c_ast.Node | None = None

    @property
    def extents(self) -> Extents:
        return self.unit.extents.of(self.calls[-1])

    def doubting(self, is_in_doubt: bool, why: str) -> Position:
        return replace(self, doubt=self.doubt or why) if is_in_doubt else self

    def written_item(self, memory: Memory) -> Locator | None:
        """The list item by which an object is mapped, if one is written."""
        item, _ = self.unit.items.get(memory.mapped, (None, None)) if memory.mapped is not None else (None, None)
        return item

    def under_condition(self) -> Position:
        """The position under a condition. What needs what later passes of a loop do is then not certain."""
        if self.first_pass is None or self.skippable is not None:
            return self
        return replace(self, skippable=self.first_pass)

    def origin(self, allocation: c_ast.Node) -> object:
        """What stands for the memory that an allocation gives here."""
        calls: list[c_ast.Node] = []
        caller = self.caller
        while caller is not None:
            calls.append(caller[1])
            caller = caller[0].caller
        return Origin(allocation, tuple(calls)) if calls else allocation

    def in_call(self, extent: Extent | None) -> Extent | None:
        """An extent with the values that variables have in the present call: parameters are what the caller gives."""
        if extent is None:
            return None
        key = (self.number, id(extent))
        if key not in self.journey.placed:
            self.journey.placed[key] = extent, self._in_call(extent)
        return self.journey.placed[key][1]

    def _in_call(self, extent: Extent) -> Extent | None:
        call, (low, high) = self._as_given((extent.low, extent.high))
        if is_far(low) or is_far(high):
            return None
        return Extent(low, high, extent.exact, extent.dense, call)

    def _as_given(self, numbers: tuple[Polynomial, ...]) -> tuple[int, tuple[Polynomial, ...]]:
        """Numbers in terms of the caller if they depend on parameters only, with the number of that call."""
        atoms = frozenset[Hashable]().union(*(one.atoms for one in numbers))
        if atoms and all(isinstance(atom, Symbol) and atom.is_global for atom in atoms):
            return 0, numbers  # which are the same in all calls
        if not atoms or self.caller is None or not all(_is_parameter(atom) for atom in atoms):
            return self.number, numbers
        known = self._given()
        if not atoms <= known.keys():
            return self.number, numbers
        given = {atom: known[atom] for atom in atoms if isinstance(atom, Entity)}
        calls = {g.call for g in given.values() if g.number.constant is None}
        if len(calls) > 1:
            return self.number, numbers
        values: dict[Hashable, Polynomial] = {atom: g.number for atom, g in given.items()}
        return next(iter(calls), self.number), tuple(one.with_values(values) for one in numbers)

    def _given(self) -> Mapping[Entity, Given]:
        """The integers that the caller gives to parameters that the function does not change."""
        if self.caller is None:
            return {}
        if self.number in self.journey.given:
            return self.journey.given[self.number]
        found = self.journey.given[self.number] = dict[Entity, Given]()
        (caller, call), sema = self.caller, self.unit.sema
        inside, outside = self.extents, caller.extents.values
        arguments = call.args.exprs if call.args is not None else []
        for parameter, argument in zip(sema.parameters(sema.functions[self.calls[-1]]), arguments, strict=False):
            if parameter in inside.changed or not is_integer(parameter.type) or not sema.is_typed(argument):
                continue
            number = outside.polynomial(argument)
            if number is not None and not number.wraps and not number.atoms.intersection(outside.moving):
                at, (value,) = caller._as_given((number,))
                found[parameter] = Given(at, value)
        return found

    def touch(self, use: Use, found: Found) -> Touch:
        node = use.node
        is_name = isinstance(node, c_ast.ID) and not found.members
        is_named = is_name or isinstance(node, c_ast.Decl) or _is_member(node)
        single = is_named or (not found.shifted and _is_member(node, through=("->", ".")))
        extent = None if found.shifted or is_named else self.in_call(self.extents.of_use(use, self.loops))
        chosen = extent is not None and self._is_chosen(use.conditions)
        if extent is not None and self._is_chosen(self.conditions):
            extent, chosen = replace(extent, exact=False), True
        shown = node.name if isinstance(node, c_ast.Decl) else node
        return Touch(self.unit.place_of(node), shown, found.members, extent, single, not use.conditions, chosen)

    def _is_chosen(self, conditions: Iterable[c_ast.Node]) -> bool:
        """Whether a condition around an access asks for something that changes, and so perhaps for its index."""
        known = self.journey.changing
        for condition in conditions:
            if condition not in known:
                known[condition] = self._changes(condition)
        return any(known[condition] for condition in conditions)

    def _changes(self, condition: c_ast.Node) -> bool:
        sema, constant = self.unit.sema, self.extents.values.constant
        named = (sema.symbol(n) for n in walk(condition) if isinstance(n, c_ast.ID) and sema.is_typed(n))
        return any(symbol is not None and symbol.is_variable and symbol not in constant for symbol in named)

    def section(self, node: OmpConstruct, mapped: Mapped, shifted: bool) -> Extent | None:
        if shifted:
            return None
        if mapped.item is None:
            return Extents.of_type(mapped.root.symbol.type)
        return self.in_call(self.extents.of_item(node, mapped.item))

    def reach(self, node: OmpConstruct, mapped: Mapped, shifted: bool) -> Extent | None:
        """From the first to the last byte of a list item."""
        return None if shifted or mapped.item is None else self.in_call(self.extents.reach_of(node, mapped.item))

    def report(self, finding: Finding) -> None:
        """Keep a finding once, as a certain one if it is that on any way.

        What a condition may leave out in the first pass of a loop is certain if it is found in the second one, too, of
        the same object: pointers that change their roles lead to another one in each pass.
        """
        key = (finding.name, finding.span, finding.variable)
        same = (*key, finding.notes)
        if finding.certain and self.skippable is not None:
            self.journey.skippable.setdefault(same, self.skippable)
        in_all_passes = self.skippable is None and self.journey.skippable.get(same) in self.again
        doubt = self.doubt or (SKIPPABLE if self.skippable is not None else "")
        if finding.certain and doubt and not (in_all_passes and doubt == ONCE):
            finding = replace(finding, certain=False, message=finding.message + doubt)
        known = self.journey.found.get(key)
        if known is None or (finding.certain and not known.certain):
            self.journey.found[key] = finding


# -- words of messages ------------------------------------------------------------------------------------------------


def name_of(key: Key, root: Root | None) -> str:
    if root is None:
        return key[0].name if isinstance(key[0], Symbol) else "?"
    path = root.path[: root.path.index(DEREFERENCE)] if DEREFERENCE in root.path else ()
    return root.symbol.name + "".join(path)


def as_section(item: Locator | None) -> str | None:
    """The cure for an item ``x[n]``, which is one element, and often meant to be so many; None for other items."""
    last = item.steps[-1] if item is not None and item.steps else None
    if item is None or not isinstance(last, Index):
        return None
    before = item.text.rstrip().removesuffix("]").rstrip().removesuffix(last.expr.text).rstrip()
    if not before.endswith("["):
        return None
    return f"'{item.text}' is one element; the first {last.expr.text} are {before}0:{last.expr.text}]"


def item_text(mapped: Mapped) -> str:
    return mapped.item.text if mapped.item is not None else mapped.root.symbol.name


def item_for(name: str, touch: Touch) -> str:
    """A list item for what an access is about."""
    return name if touch.single else f"{name}[0:n]"


def with_mapping(notes: tuple[Note, ...], memory: Memory, what: str = "it is mapped here") -> tuple[Note, ...]:
    return (*notes, Note(what, memory.mapped)) if memory.mapped is not None else notes


def why_in_doubt(meets: bool | None, memory: Memory, write: Touch | None = None) -> str:
    if meets is None:
        return ", unless these are other elements"
    if write is not None and write.some_ways:
        return ", unless that is not done on the way to here"
    if write is not None and not write.sure:
        return ", unless that does not happen"
    return ", unless other code has mapped it before" if memory.assumed else ""


def _is_parameter(atom: Hashable) -> bool:
    return isinstance(atom, Symbol) and atom.is_variable and not atom.is_object


def _is_member(node: c_ast.Node, through: tuple[str, ...] = (".",)) -> bool:
    """Whether an lvalue is a variable, or a member that only these operators lead to from one, and no subscripts."""
    while isinstance(node, c_ast.StructRef) and node.type in through:
        node = node.name
    return isinstance(node, c_ast.ID)
