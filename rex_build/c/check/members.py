"""Regions that use members of a structure of which only other members are mapped.

``map(to: a.x[0:a.n])`` maps the pointer ``a.x`` and what it leads to. The kernel has an address for ``a``, but ``a.n``
is not there: it computes with what happens to stand behind the mapped member.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pycparser import c_ast

from ...base.findings import Finding, Note
from ..analysis.found import FoundConstruct, UnitConstructs
from ..sema import Sema, Symbol, assignments
from ..sema.ctype import Pointer, Record, RecordInfo, strip
from ..sema.type_questions import field
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .kernels import Kernel, Mapped, last_name, mapped_by
from .memory import text_of
from .places import DEREFERENCE, Path, item_root
from .uses import Use

Base = tuple[Symbol, Path]


def partial_maps(
    unit: ParsedUnit,
    sema: Sema,
    found: UnitConstructs,
    kernels: Iterable[Kernel],
    on_device: Collection[tuple[OmpConstruct, Symbol]],
    has_mappers: bool,
) -> Iterator[Finding]:
    """The uses of members that no construct of the unit maps. A caller has mapped what some regions are led to as a
    whole, by the variables ``on_device``. If the unit has mappers, these may map what other objects lead to, and only
    what is certain is found."""
    everywhere = [*_items(sema, found.lowered)]
    for kernel in kernels:
        own = [m for m in kernel.maps if _base(m) is not None]
        for base in dict.fromkeys(_base(m) for m in own):
            if base is None or any(root == base[0] and path == base[1] for root, path in everywhere):
                continue  # the whole structure is mapped, here or around
            if (kernel.construct, base[0]) in on_device:
                continue
            uses = _uses(unit, sema, kernel, base, [m for m in own if _base(m) == base], everywhere)
            yield from (finding for finding in uses if finding.certain or not has_mappers)


def _items(sema: Sema, found: Iterable[FoundConstruct]) -> Iterator[tuple[Symbol, Path]]:
    """All storage that constructs of the unit list."""
    for item in found:
        for clause in item.construct.directive.clauses:
            for locator in getattr(clause, "items", ()):
                root = item_root(sema, item.construct, locator)
                if root is not None:
                    yield root.symbol, root.path


def _base(mapped: Mapped) -> Base | None:
    """The structure of which an item is a member, or None if it is none."""
    path = mapped.root.path
    length = 1 if path[:1] == (DEREFERENCE,) else 0
    return (mapped.root.symbol, path[:length]) if len(path) > length and mapped.item is not None else None


def _uses(
    unit: ParsedUnit,
    sema: Sema,
    kernel: Kernel,
    base: Base,
    maps: list[Mapped],
    everywhere: list[tuple[Symbol, Path]],
) -> Iterator[Finding]:
    symbol, prefix = base
    record = record_of(symbol, prefix)
    if record is None or record.kind != "struct":
        return
    length = len(prefix)
    members = {
        path[length] for root, path in everywhere if root is symbol and path[:length] == prefix and path[length:]
    }
    offsets = [f.offset for m in maps if (f := field(Record(record), m.root.path[length][1:])) is not None]
    seen: set[str] = set()
    for event in kernel.events:
        if not isinstance(event, Use) or event.root is None or event.root.symbol is not symbol:
            continue
        path = event.root.path
        if path[:length] != prefix or len(path) <= length or path[length] in members or path[length] in seen:
            continue
        member = path[length]
        seen.add(member)
        place = field(Record(record), member[1:])
        if place is None or place.offset in offsets or (not event.reads and min(offsets) < place.offset < max(offsets)):
            continue
        name = text_of(event.node)
        arrow = "->" if prefix else "."
        what = f"{symbol.name}{arrow}{member[1:]}"
        local = not (symbol.is_global or prefix or symbol.has_static_storage)
        escapes = symbol in assignments(sema, _function(sema, symbol)).address_taken if local else True
        certain = local and not escapes
        listed = ", ".join(f"'{m.item.text}'" for m in maps if m.item is not None)
        why = "" if certain else ", unless a caller has mapped the whole structure"
        message = f"the region uses '{name}', but of '{symbol.name}' only {listed} is mapped{why}"
        notes = (Note("it is mapped here", maps[0].span),)
        advice = f"add map(to: {what})"
        yield Finding("partial-map", certain, message, unit.span_of(event.node), symbol.name, advice, notes)


def record_of(symbol: Symbol, prefix: Path) -> RecordInfo | None:
    """The structure that a variable is, or to which a pointer leads."""
    kind = strip(symbol.type)
    if prefix and isinstance(kind, Pointer):
        kind = strip(kind.to)
    return kind.info if isinstance(kind, Record) else None


def _function(sema: Sema, symbol: Symbol) -> c_ast.Node:
    return sema.functions[symbol.function or ""].body


def leaks(sema: Sema, found: UnitConstructs) -> Iterator[Finding]:
    """The items of ``enter data`` that no ``exit data`` of the unit names. A pointer that goes along a list, or through
    a tree, may remove what was entered by another name."""
    removed: set[str] = set()
    listed: set[RecordInfo] = set()
    for item in found.data:
        if item.construct.directive.name == "target exit data":
            maps = mapped_by(sema, item.construct)
            removed.update(last_name(m.root) for m in maps)
            changed = assignments(sema, item.function.body).symbols if maps else ()
            behind = (record_of(m.root.symbol, m.root.path) for m in maps if m.root.symbol in changed)
            listed.update(record for record in behind if record is not None)
    for item in found.data:
        if item.construct.directive.name == "target enter data":
            for mapped in mapped_by(sema, item.construct):
                record = record_of(mapped.root.symbol, mapped.root.path)
                if last_name(mapped.root) not in removed and record not in listed:
                    yield _leak(mapped)


def _leak(mapped: Mapped) -> Finding:
    text = mapped.item.text if mapped.item is not None else mapped.root.symbol.name
    message = f"'{text}' stays on the device: no 'exit data' in this file removes it, unless other code does"
    advice = f"add '#pragma omp target exit data map(release: {text})' where it is no longer needed"
    return Finding("leak", False, message, mapped.span, mapped.root.symbol.name, advice)
