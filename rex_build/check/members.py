"""Regions that use members of a structure of which only other members are mapped, and what stays on the device.

``map(to: a.x[0:a.n])`` maps the pointer ``a.x`` and what it leads to. The kernel has an address for ``a``, but ``a.n``
is not there: it computes with what happens to stand behind the mapped member.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from ..base.findings import Finding, Note
from ..directives.contents import directive_locators
from ..tree.flow import leaks as gives_address
from ..tree.nodes import Construct
from ..tree.symbols import Storage, Variable
from ..tree.types import Pointer, Record, RecordInfo
from .events import DEREFERENCE, Bound, Lent, Root, Use, item_root
from .kernels import Kernel, Mapped, last_name, mapped_by
from .memory import Path
from .whole_unit import WholeUnit

Base = tuple[Variable, Path]


def partial_maps(unit: WholeUnit, on_device: Collection[tuple[Construct, Variable]]) -> Iterator[Finding]:
    """The uses of members that no construct of the unit maps. A caller has mapped what some regions are led to as a
    whole, by the variables ``on_device``. If the unit has mappers, these may map what other objects lead to, and only
    what is certain is found."""
    roots = ((item_root(c, item)) for _, c in unit.constructs for item in directive_locators(c.directive))
    everywhere = [(root.variable, root.path) for root in roots if root is not None]
    for kernel in unit.kernels.values():
        own = [m for m in kernel.maps if _base(m) is not None]
        for base in dict.fromkeys(_base(m) for m in own):
            if base is None or any(root == base[0] and path == base[1] for root, path in everywhere):
                continue  # the whole structure is mapped, here or around
            if (kernel.construct, base[0]) in on_device:
                continue
            uses = _uses(unit, kernel, base, [m for m in own if _base(m) == base], everywhere)
            yield from (finding for finding in uses if finding.certain or not unit.by_mappers)


def _base(mapped: Mapped) -> Base | None:
    """The structure of which an item is a member, or None if it is none."""
    path = mapped.root.path
    length = 1 if path[:1] == (DEREFERENCE,) else 0
    return (mapped.root.variable, path[:length]) if len(path) > length and mapped.item is not None else None


def _uses(
    unit: WholeUnit, kernel: Kernel, base: Base, maps: list[Mapped], everywhere: list[tuple[Variable, Path]]
) -> Iterator[Finding]:
    variable, prefix = base
    record = record_of(variable, prefix)
    if record is None or record.union:
        return
    length = len(prefix)
    members = {
        path[length] for root, path in everywhere if root is variable and path[:length] == prefix and path[length:]
    }
    offsets = [o for m in maps if (o := offset_of(record, m.root.path[length])) is not None]
    seen: set[str] = set()
    for event in kernel.events:
        if not isinstance(event, Use) or event.root is None or event.root.variable is not variable:
            continue
        path = event.root.path
        if path[:length] != prefix or len(path) <= length or path[length] in members or path[length] in seen:
            continue
        member = path[length]
        seen.add(member)
        offset = offset_of(record, member)
        if offset is None or offset in offsets or (not event.reads and min(offsets) < offset < max(offsets)):
            continue
        local = not prefix and variable.storage in (Storage.LOCAL, Storage.PARAMETER)
        function, construct = unit.function_of(kernel.construct), kernel.construct
        certain = local and not gives_address(function.statement, variable, construct)
        listed = ", ".join(f"'{m.text}'" for m in maps)
        why = "" if certain else ", unless a caller has mapped the whole structure"
        place = unit.place_of(event.node, kernel.construct, event.calls)
        message = f"the region uses '{place.text}', but of '{variable.name}' only {listed} is mapped{why}"
        notes = (Note("it is mapped here", maps[0].span),)
        advice = f"add map(to: {variable.name}{'->' if prefix else '.'}{member[1:]})"
        yield Finding("partial-map", certain, message, place.span, variable.name, advice, notes)


def record_of(variable: Variable, prefix: Path) -> RecordInfo | None:
    """The structure that a variable is, or to which a pointer leads."""
    kind = variable.type
    if prefix and isinstance(kind, Pointer):
        kind = kind.to
    return kind.info if isinstance(kind, Record) else None


def offset_of(record: RecordInfo, step: str) -> int | None:
    """The offset of the member to which a step of a path leads, which may be one of a base class."""
    queue = [(record, 0)]
    for info, start in queue:
        for member in info.members:
            if member.base or not member.name:
                queue += [(member.type.info, start + member.offset)] if isinstance(member.type, Record) else []
            elif member.name == step[1:]:
                return start + member.offset
    return None


def leaks(unit: WholeUnit) -> Iterator[Finding]:
    """The items of ``enter data`` that no ``exit data`` of the unit names. A pointer that goes along a list, or through
    a tree, may remove what was entered by another name."""
    removed = {
        last_name(item)
        for directive in unit.unit.directives
        if directive.name == "target exit data"
        for item in directive_locators(directive)
    }
    listed: set[RecordInfo | None] = set()
    for body, construct in unit.constructs:
        if construct.directive.name == "target exit data":
            maps = [*mapped_by(construct)]
            changed = unit.extents.of(body.function).changed
            listed.update(record_of(m.root.variable, m.root.path) for m in maps if m.root.variable in changed)
    left: list[Mapped] = []
    for _, construct in unit.constructs:
        for mapped in mapped_by(construct) if construct.directive.name == "target enter data" else ():
            record = record_of(mapped.root.variable, mapped.root.path)
            if mapped.last_name not in removed and (record is None or record not in listed):
                left.append(mapped)
    if left and removed:
        others = _removed_by_other_names(unit)
        left = [mapped for mapped in left if _holder(mapped.root) not in others]
    yield from map(_leak, left)


def _removed_by_other_names(unit: WholeUnit) -> set[object]:
    """The variables and members that may hold a pointer by which an ``exit data`` of the unit removes something: one
    got its value from another."""
    same: dict[object, set[object]] = defaultdict(set)
    for body in unit.functions:
        for event in unit.reader.statement(body.statement):
            pairs: list[tuple[Root | None, Root | None]] = []
            if isinstance(event, Bound):
                pairs.append((event.pointer, event.to))
            elif isinstance(event, Lent):
                called = unit.body(event.function) if event.function is not None else None
                parameters = map(Root, called.parameters if called is not None else ())
                pairs.extend(zip(parameters, event.arguments, strict=False))
            for one, other in pairs:
                if one is not None and other is not None:
                    same[_holder(one)].add(_holder(other))
                    same[_holder(other)].add(_holder(one))
    exits = [c for _, c in unit.constructs if c.directive.name == "target exit data"]
    queue = [_holder(mapped.root) for construct in exits for mapped in mapped_by(construct)]
    found = set(queue)
    for holder in queue:
        queue += same[holder] - found
        found |= same[holder]
    return found


def _holder(root: Root) -> object:
    """What leads to a place: a variable, a member of one, or a member, by its name, of any object behind a pointer."""
    steps = [step for step in root.path if step != DEREFERENCE]
    return steps[-1] if steps and root.path[0] == DEREFERENCE else (root.variable, *steps)


def _leak(mapped: Mapped) -> Finding:
    text = mapped.text
    message = f"'{text}' stays on the device: no 'exit data' in this file removes it, unless other code does"
    advice = f"add '#pragma omp target exit data map(release: {text})' where it is no longer needed"
    return Finding("leak", False, message, mapped.span, mapped.root.variable.name, advice)
