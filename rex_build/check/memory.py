"""What is known about one object at one point of the program: is it on the device, and who has changed it last?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..tree.nodes import Node
from .events import Language, Root
from .extents import Extent, meet

Path = tuple[str, ...]
FOREVER = 2**31  # the mappings of a variable that the device always has
_MOST_FILLED = 3
_MOST_WRITES = 8  # writes of the host that are remembered for an object
MOST_PENDING = 8  # accesses of deferred regions that are remembered for an object


class Copy(Enum):
    """What one side's copy of an object holds."""

    UNSET = "nothing has been written there"
    VALID = "the newest values"
    STALE = "the other side has written since"
    UNKNOWN = "any of these"


class Place:
    """Where a node is, and its text. Few accesses are ever told, so both are found when somebody asks for them."""

    def __init__(self, language: Language, nodes: Sequence[Node], around: SourceSpan) -> None:
        """The place of the first of the ``nodes`` that the user has written, such as the call of a library's function
        that the node is in, or of what is ``around`` it."""
        self._language, self._nodes, self._around = language, nodes, around

    @cached_property
    def span(self) -> SourceSpan:
        return next((span for span in map(self._language.span, self._nodes) if span is not None), self._around)

    @cached_property
    def text(self) -> str:
        return self._language.shown(self._nodes[0])


@dataclass(frozen=True)
class Touch:
    """An access at a ``place``. Messages show it as the text of ``shown``, or, in a library's text, as the ``root``.
    ``members`` lead from the object to the part that it concerns, if that is no element."""

    place: Place | SourceSpan
    shown: Place | str
    members: Path = ()
    extent: Extent | None = None
    single: bool = True  # it is about the whole object, or about one member of a structure
    sure: bool = True  # it is made under no condition
    chosen: bool = False  # a condition around it asks for its index
    some_ways: bool = False  # not all ways to here lead through it
    beside: bool = False  # the region writes to other objects as well, and this one had the host's values before
    root: Root | None = None

    @property
    def span(self) -> SourceSpan:
        return self.place.span if isinstance(self.place, Place) else self.place

    @property
    def text(self) -> str:
        text = self.shown if isinstance(self.shown, str) else self.shown.text
        return text or (self.root.variable.name if self.root is not None else "?")

    def meets(self, other: Touch) -> bool | None:
        """Whether two accesses surely concern the same memory. None means that they may."""
        length = min(len(self.members), len(other.members))
        same = self.members[:length] == other.members[:length]
        if not same or (self.single and other.single):
            return same
        if any(one.single and not one.members for one in (self, other)):
            return True  # one of them is about the whole object
        if self.extent is None or other.extent is None:
            return None
        return meet(self.extent, other.extent)


# What ``depend`` clauses name: objects, each with whether it is more than read. None is one that is not known.
DependNames = frozenset[tuple[object, bool] | None]


def are_ordered(one: DependNames, other: DependNames) -> bool:
    """Whether one of two constructs may wait for the other: both name an object, and not both with ``in``."""
    if None in one or None in other:
        return True
    objects = {item[0] for item in other if item}
    return any((item[0], True) in other or (item[1] and item[0] in objects) for item in one if item)


@dataclass(frozen=True)
class Pending:
    """An access of a deferred region or transfer, which may still run. ``named`` is in its ``depend`` clauses."""

    touch: Touch
    writes: bool
    named: DependNames = frozenset()
    transfer: bool = False


@dataclass(frozen=True)
class Memory:
    """One object. ``present`` counts the mappings that keep it on the device; None means that this is not known.

    ``changed`` is the write that made a copy stale. ``lost`` is a write of a region to a copy that was dropped.
    ``pending`` are the accesses of deferred regions. ``section`` is what is on the device, mapped at ``mapped``. With
    ``assumed``, the object may be on the device because of code that is not seen. ``size`` is the whole object. The
    address of an ``escaped`` object may be anywhere. Of a stale copy, what ``updated`` names is not stale any more.
    ``parts`` are the members that are mapped of a structure which is not mapped itself. It is ``kept`` on the device on
    some ways to here, and on no other. A directive at ``gone`` has removed it. If the call at ``of_device`` has given
    its address, it is memory of the device: a ``copy_of`` an object, or until the call at ``freed`` memory of its own.
    The device's copy of an ``aliased`` object can be changed by its address. The device lacks what the host has written
    ``behind`` its back, and a copy of an older value has replaced what was ``overwritten``. Of memory of the device
    that is not set, the parts ``filled`` are. Of a ``blank`` object, nothing but those parts was written on the host.
    Updates have copied what was written at the places ``brought``.
    """

    present: int | None = 0
    host: Copy = Copy.VALID
    device: Copy = Copy.UNKNOWN
    changed: Touch | None = None
    lost: Touch | None = None
    pending: tuple[Pending, ...] = ()
    section: Extent | None = None
    mapped: SourceSpan | None = None
    how: str = ""
    assumed: bool = False
    size: Extent | None = None
    escaped: bool = False
    updated: tuple[Extent, ...] = ()
    parts: tuple[str, ...] = ()
    kept: bool = False
    gone: SourceSpan | None = None
    of_device: SourceSpan | None = None
    behind: tuple[Touch, ...] = ()
    overwritten: tuple[Touch, ...] = ()
    copy_of: tuple[object, Path] | None = None
    freed: SourceSpan | None = None
    aliased: bool = False
    filled: tuple[Extent, ...] = ()
    blank: tuple[Extent, ...] | None = None
    brought: tuple[object, ...] = ()

    @property
    def is_of_host(self) -> bool:
        """Whether it does not matter what the host reads and writes: only the host has the object, and its values."""
        has_lost = self.lost is not None or self.overwritten or self.blank is not None
        return not (has_lost or self.present != 0 or self.pending or self.parts or self.of_device is not None)

    def unknown(self) -> Memory:
        """The object after code that may have done anything with it."""
        unknown = Memory(None, Copy.UNKNOWN, Copy.UNKNOWN, assumed=self.assumed, size=self.size, escaped=self.escaped)
        if self.of_device is None:
            return replace(unknown, aliased=True) if self.aliased else unknown
        return replace(unknown, of_device=self.of_device, copy_of=self.copy_of)

    def joined(self, other: Memory) -> Memory:
        """What is known where two ways through the program meet."""
        if self is other or self == other:
            return self
        host, device, changed = self._joined_copies(other)
        return Memory(
            self.present if self.present == other.present else None,
            host,
            device,
            changed,
            self.lost if other.lost is not None else None,
            self.pending if other.pending else (),
            self.section if self.section == other.section else None,
            self.mapped or other.mapped,
            self.how or other.how,
            self.assumed or other.assumed,
            self.size if self.size == other.size else None,
            self.escaped or other.escaped,
            (*self.updated, *(part for part in other.updated if part not in self.updated)),
            tuple(sorted((Counter(self.parts) | Counter(other.parts)).elements())),
            (self.kept and other.kept) or self._is_kept_beside(other) or other._is_kept_beside(self),
            self.gone if other.gone is not None else None,
            self.of_device if other.of_device is not None else None,
            self._joined_behind(other),
            tuple(write for write in self.overwritten if write in other.overwritten),
            self.copy_of if self.copy_of == other.copy_of else None,
            self.freed if other.freed is not None else None,
            self.aliased or other.aliased,
            (*self.filled, *(part for part in other.filled if part not in self.filled)),
            _both_blank(self.blank, other.blank),
            tuple(dict.fromkeys((*self.brought, *other.brought)))[-_MOST_WRITES:],
        )

    def _joined_copies(self, other: Memory) -> tuple[Copy, Copy, Touch | None]:
        """What both copies hold where two ways meet, and the write that made one of them stale. A copy is stale behind
        a way on which it is, unless the other one has an update for the write: one condition may be asked for both."""
        host = self.host if self.host is other.host else Copy.UNKNOWN
        device = self.device if self.device is other.device else Copy.UNKNOWN
        for old, new in ((self, other), (other, self)):
            write = old.changed
            if write is None or self.present != other.present or write.place in new.brought:
                continue
            unsure = replace(write, sure=False, some_ways=True)
            if old.host is Copy.STALE and new.host is Copy.VALID and new.device is not Copy.STALE:
                return Copy.STALE, device, unsure
            if old.device is Copy.STALE and new.device is Copy.VALID and old.host is new.host is Copy.VALID:
                return host, Copy.STALE, unsure
        return host, device, self.changed or other.changed

    def _joined_behind(self, other: Memory) -> tuple[Touch, ...]:
        """What the device lacks behind one of two ways, unless the other one has an update for it."""
        if not (self.behind or other.behind):
            return ()
        found = [write for write in self.behind if write in other.behind]
        for one, two in ((self, other), (other, self)):
            missing = (write for write in one.behind if write not in found and write.place not in two.brought)
            found += [replace(write, sure=False, some_ways=True) for write in missing]
        return tuple(found[-_MOST_WRITES:])

    def _is_kept_beside(self, other: Memory) -> bool:
        return bool(self.present) and other.present == 0

    def filled_by(self, extent: Extent | None) -> Memory:
        """The object after a write to memory of the device that is not set."""
        if extent is None or len(self.filled) >= _MOST_FILLED or self.section is None or extent == self.section:
            return replace(self, device=Copy.UNKNOWN)
        return self if extent in self.filled else replace(self, filled=(*self.filled, extent))

    def written_on_host(self, touch: Touch) -> Memory:
        """A blank object after a write of the host."""
        if self.blank is None or touch.extent is None or touch.members or len(self.blank) >= _MOST_FILLED:
            return replace(self, blank=None) if self.blank is not None else self
        if self.size is not None and touch.extent.dense and self.size.is_surely_within(touch.extent):
            return replace(self, blank=None)
        return self if touch.extent in self.blank else replace(self, blank=(*self.blank, touch.extent))

    def lacks(self, touch: Touch, filled: tuple[Extent, ...]) -> bool:
        """Whether an access surely concerns more than the parts that are filled."""
        extent = touch.extent
        if not filled:
            return True
        if extent is None or not extent.exact or touch.chosen or not touch.sure:
            return False
        if all(meet(part, extent) is False for part in filled):
            return True
        (part, *more) = filled
        return not more and max(extent.behind(part) or 0, extent.before(part) or 0) > 0

    def not_overwritten(self, touch: Touch) -> tuple[Extent, ...]:
        """What updates have copied and an access has not surely written again."""
        by = touch.extent
        if not self.updated or by is None or not (by.dense and by.exact):
            return self.updated
        return tuple(part for part in self.updated if not part.is_surely_within(by))

    def is_updated(self, touch: Touch) -> bool | None:
        """Whether an access to a stale copy may be to what an update has copied, and to nothing else that was written.
        None means that it goes beyond that if there are many elements."""
        extent = touch.extent
        parts = [part for part in self.updated if extent is None or meet(part, extent) is not False]
        if extent is None or len(parts) != 1 or touch.chosen or not (extent.exact and touch.sure):
            return bool(parts)
        written = self.changed.extent if self.changed is not None else None
        if written is None or not extent.is_within(written):
            return True
        if max(extent.behind(parts[0]) or 0, extent.before(parts[0]) or 0) > 0:
            return False
        leaves_out = extent.dense and not parts[0].dense  # the update was of every second element, for example
        return None if leaves_out or extent.grows_beyond(parts[0]) else True

    # -- mapping ----------------------------------------------------------------------------------------------------

    def entered(self, how: str, always: bool, section: Extent | None, span: SourceSpan) -> Memory:
        """The object after a map clause at the beginning of a construct."""
        copies = how in ("to", "tofrom")
        if self.present == 0:
            is_set = copies and self.blank is None
            new = replace(self, present=1, device=Copy.VALID if is_set else Copy.UNSET, section=section, mapped=span)
            filled = self.blank if copies and self.blank is not None else ()
            return replace(new, how=how, updated=(), gone=None, behind=(), filled=filled)
        if self.present is None:
            within = self.section is None or (section is not None and section.is_surely_within(self.section))
            section = (self.section or section) if within else None
            return replace(self, device=Copy.UNKNOWN, section=section, mapped=span, how=how, kept=False)
        if self.section is not None and (section is None or not _can_share(section, self.section)):
            return replace(self.unknown(), mapped=span, how=how)  # another part of it is mapped besides
        valid = always and copies
        device, behind = (Copy.VALID, ()) if valid else (self.device, self.behind)
        return replace(self, present=self.present + 1, device=device, behind=behind)

    def copied_back(self, extent: Extent | None) -> Memory:
        """The object where all of it, or a part, is copied from the device: that replaces what the host has written."""
        if extent is not None and not extent.dense:
            return self  # what it had written may be between the elements
        writes = [w for w in self.lacking() if extent is None or w.extent is None or w.extent.is_within(extent)]
        return replace(self, overwritten=tuple(writes), behind=()) if writes else self

    def lacking(self) -> tuple[Touch, ...]:
        """The writes of the host that the device's copy lacks."""
        return self.behind if self.device is not Copy.STALE or self.changed is None else self.behind_with(self.changed)

    def having_brought(self, writes: Iterable[Touch]) -> tuple[object, ...]:
        """The places of writes that updates have copied, with some more."""
        return tuple(dict.fromkeys((*self.brought, *(write.place for write in writes))))[-_MOST_WRITES:]

    def behind_with(self, write: Touch) -> tuple[Touch, ...]:
        """What the host has written behind the device's back, with one more write."""
        others = tuple(other for other in self.behind if other.place != write.place)
        return (*others, write)[-_MOST_WRITES:]

    def left(self, how: str, always: bool) -> Memory:
        """The object after a map clause at the end of a construct."""
        if self.present is None:
            return replace(self, host=Copy.UNKNOWN, device=Copy.UNKNOWN, lost=None, kept=False, section=None)
        if self.present == 0:
            return self
        copies = how in ("from", "tofrom")
        gone = self.present == 1 or (how == "delete" and self.present < FOREVER)
        if not gone:
            host = Copy.VALID if always and copies else self.host
            return replace(self, present=self.present - 1, host=host)
        lost = self.changed if self.host is Copy.STALE and not copies else self.lost
        host = Copy.UNKNOWN if self.host is Copy.UNKNOWN and not copies else Copy.VALID
        lost = None if copies else lost
        blank = self.came_back().blank if copies else self.blank
        return replace(self, present=0, host=host, lost=lost, section=None, changed=None, updated=(), blank=blank)

    def came_back(self) -> Memory:
        """The object after a copy from the device: where nothing has written there, nothing has on the host."""
        if self.device is not Copy.UNSET:
            return replace(self, blank=None)
        if self.blank is None and (self.section is None or self.section != self.size):
            return self  # what the host had written before stays
        blank = (*(self.blank or ()), *self.filled)
        return replace(self, blank=blank if len(blank) <= _MOST_FILLED else None)


def _can_share(section: Extent, present: Extent) -> bool:
    """Whether a section is a part of one that is mapped already: what begins where that does may not be longer."""
    return section.is_surely_within(present) or (section.before(present) == 0 and section.behind(present) is None)


def _both_blank(one: tuple[Extent, ...] | None, other: tuple[Extent, ...] | None) -> tuple[Extent, ...] | None:
    if one is None or other is None:
        return None
    both = (*one, *(part for part in other if part not in one))
    return both if len(both) <= _MOST_FILLED else None
