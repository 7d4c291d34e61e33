"""What is wrong with the data of C++ regions: copies that never come back, or that nothing has written.

Only what follows from one function is said. A finding about a variable that another construct of the unit names, or a
pointer that other code may have mapped, is a likely one or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ..base.findings import Finding, Note
from ..directives.model import Member
from .accesses import Access
from .code import Construct, Variable
from .scene import Region, Scene, follows

_ENDS = {"to": "'to' copies nothing back", "alloc": "'alloc' copies nothing back"}
_WAITING = frozenset(("taskwait", "barrier", "taskgroup"))
_GROUPS = frozenset(("taskgroup", "parallel", "single", "task", "sections", "section", "masked", "master", "teams"))


def mapping_findings(scene: Scene, region: Region) -> Iterator[Finding]:
    yield from _lost_copies(scene, region)
    if not region.may_stay:
        yield from _mapped(scene, region)
        yield from _partial(scene, region)
        yield from _unmapped(scene, region)
    yield from _private(scene, region)
    yield from _pending(scene, region)


def _lost(scene: Scene, write: Access, read: Access, how: str, place: Note, certain: bool) -> Finding:
    doubt = "" if certain else ", unless that is meant"
    name = write.variable.name
    item = name if not scene.is_object(write) else f"{name}[0:n]"
    message = f"what the region writes to '{scene.text(write)}' never comes back: {how}{doubt}"
    notes = [Note(f"the host reads '{scene.text(read)}' here", scene.span(read)), place]
    return scene.finding("lost-result", write, message, f"map it tofrom: map(tofrom: {item})", notes, certain=certain)


def _lost_copies(scene: Scene, region: Region) -> Iterator[Finding]:
    """Scalars that no clause mentions: the region has copies of its own."""
    for capture in region.plan.captures:
        variable = capture.symbol
        if capture.reason != "implicit firstprivate" or not isinstance(variable, Variable):
            continue
        if variable.type.kind != "scalar" or not scene.is_own_scalar(variable) or _is_inner(scene, region, variable):
            continue
        writes = [access for access in region.of(variable) if access.writes]
        read = scene.after(region, variable, objects=False)
        if writes and read is not None and read.reads:
            place = Note("the region is here", region.construct.directive.span)
            said = region.construct.directive.has("defaultmap")
            how = "the region has a copy by its clause" if said else "the region has a copy of its own"
            yield _lost(scene, writes[0], read, how, place, not said)


def _is_inner(scene: Scene, region: Region, variable: Variable) -> bool:
    """Whether constructs inside of a region may have copies of a variable."""
    counts = any(not {"for", "distribute", "simd", "loop"}.isdisjoint(c.directive.constructs) for c in region.inside)
    return counts or scene.names_private(region, variable)


def _mapped(scene: Scene, region: Region) -> Iterator[Finding]:
    """Variables that the region maps, and nothing else in the unit names."""
    for clause, item, variable in scene.maps([region.construct]):
        kind = variable.type.kind
        is_object = kind in ("pointer", "array")
        if kind not in ("scalar", "pointer", "array") or (kind == "pointer") != bool(item.steps):
            continue
        if any(isinstance(step, Member) for step in item.steps) or _is_inner(scene, region, variable):
            continue
        if not scene.only_listed_by(variable, region.chain) or "always" in clause.modifiers:
            continue
        uses = [a for a in region.of(variable) if not is_object or scene.is_object(a) or a.lent or a.writes]
        if not uses or any(use.lent for use in uses):
            continue
        own = scene.is_own(variable) if is_object else scene.is_own_scalar(variable)
        place = Note("it is mapped here", item.span)
        writes = [use for use in uses if use.writes]
        if clause.map_type in _ENDS and writes:
            read = scene.after(region, variable, objects=is_object)
            if read is not None and read.reads and not read.lent:
                yield _lost(scene, writes[0], read, _ENDS[clause.map_type], place, own)
        first = uses[0]
        if clause.map_type in ("from", "alloc") and first.reads and _is_plain(scene, region, first):
            doubt = "" if own else " before, unless other code has mapped or written it"
            message = f"the region reads '{scene.text(first)}', but nothing has written it on the device{doubt}"
            note = Note(f"'{clause.map_type}' copies nothing to the device", item.span)
            advice = f"map it {'tofrom' if clause.map_type == 'from' else 'to'}"
            yield scene.finding("unset", first, message, advice, [note], certain=own)


def _is_plain(scene: Scene, region: Region, access: Access) -> bool:
    """Whether an access is made in any case, if the loops around it run."""
    start = region.construct.body_start
    return all(b.kind == "loop" for b in region.inner(access)) and not scene.may_end_before(start, access)


def _partial(scene: Scene, region: Region) -> Iterator[Finding]:
    """Members of an object of which only other members are mapped."""
    members: dict[Variable, list[tuple[str, Note, str]]] = {}
    for _, item, variable in scene.maps([region.construct]):
        if item.steps and isinstance(item.steps[0], Member) and not item.steps[0].arrow:
            note = Note("it is mapped here", item.span)
            members.setdefault(variable, []).append((item.steps[0].name, note, item.text))
    for variable, listed in members.items():
        whole = any(v is variable and not item.steps for _, item, v in scene.maps(region.chain))
        kind = variable.cursor.type.get_canonical().get_declaration().kind
        if whole or kind == scene.unit.kinds.UNION_DECL or not scene.is_own(variable):
            continue
        if not scene.only_listed_by(variable, region.chain):
            continue
        known = {name for name, _, _ in listed}
        for access in region.of(variable):
            if access.member and access.member not in known and access.reads:
                known.add(access.member)
                items = ", ".join(f"'{text}'" for _, _, text in listed)
                message = f"the region uses '{scene.text(access)}', but of '{variable.name}' only {items} is mapped"
                advice = f"add map(to: {variable.name}.{access.member})"
                yield scene.finding("partial-map", access, message, advice, [listed[0][1]])


def _unmapped(scene: Scene, region: Region) -> Iterator[Finding]:
    """Pointers to new memory that no construct names."""
    for variable in dict.fromkeys(access.variable for access in region.accesses if access.through):
        kind = variable.type
        if kind.kind != "pointer" or scene.listed.get(variable) or not scene.is_own(variable):
            continue
        first = next(access for access in region.of(variable) if access.through)
        name, text = variable.name, scene.text(first)
        message = f"the region dereferences '{name}' in '{text}', but nothing has mapped what it leads to"
        advice = f"map it: map(tofrom: {name}[0:n]) with the number of its elements"
        yield scene.finding("unmapped-pointer", first, message, advice)


def _private(scene: Scene, region: Region) -> Iterator[Finding]:
    """Private copies that are read before they have a value."""
    for construct in (*region.chain, *region.inside):
        clauses = [c for c in construct.directive.clauses if c.name in ("private", "lastprivate")]
        kept = scene.names(construct, but=("private", "lastprivate"))
        for clause in clauses:
            for item in getattr(clause, "items", ()):
                variable = scene.variable(item, construct)
                if variable is None or variable in kept or variable.type.kind != "scalar":
                    continue
                inner = [c for c in region.inside if construct.start < c.start < construct.end]
                if any(variable in scene.names(c) for c in inner):
                    continue
                uses = [a for a in region.of(variable) if construct.body_start <= a.start < construct.end]
                if uses and uses[0].reads and not uses[0].lent and _is_plain(scene, region, uses[0]):
                    name = variable.name
                    what = construct.directive.name
                    message = f"'{name}' is read here, but '{what}' has a private copy of it without a value"
                    note = Note("the copy is made here", construct.directive.span)
                    advice = f"write firstprivate({name}), or give it a value before"
                    yield scene.finding("unset", uses[0], message, advice, [note])


def _pending(scene: Scene, region: Region) -> Iterator[Finding]:
    """What the host uses although a region with ``nowait`` may still use it."""
    directive = region.construct.directive
    if not directive.has("nowait") or directive.has("if", "depend", "detach"):
        return
    groups = (c for c in scene.constructs if c.start < region.start < c.end)
    if any(_GROUPS.intersection(c.directive.constructs) for c in groups):
        return
    for clause, _, variable in scene.maps([region.construct]):
        is_object = variable.type.kind in ("pointer", "array")
        own = [a for a in region.of(variable) if not is_object or scene.is_object(a)]
        access = scene.after(region, variable, objects=is_object)
        if not own or access is None or access.lent or clause.map_type not in ("to", "from", "tofrom"):
            continue
        between = [c for c in scene.constructs if region.end <= c.start < access.start]
        changes = access.writes or any(a.writes for a in own)
        if not changes or scene.calls_between(region.end, access.start) or any(_may_wait(c) for c in between):
            continue
        use = next((a for a in own if a.writes), own[0])
        does = "writes" if access.writes else "reads"
        text = scene.text(access)
        message = f"the host {does} '{text}', but the region with 'nowait' that uses it may still run"
        note = Note(f"the region {'writes' if use.writes else 'reads'} it here", scene.span(use))
        advice = "put '#pragma omp taskwait' in front, or leave out 'nowait'"
        yield scene.finding("nowait", access, message, advice, [note])


def _may_wait(construct: Construct) -> bool:
    """Whether host code may wait at a construct. Regions without ``depend`` wait for nothing but themselves."""
    directive = construct.directive
    return bool(_WAITING.intersection(directive.constructs)) or directive.has("depend") or not directive.is_target


def stale_copies(scene: Scene, data: Construct) -> Iterator[Finding]:
    """What one side reads in ``target data`` although the other one has changed it since it was copied."""
    if data.directive.has("if", "use_device_ptr", "use_device_addr"):
        return
    for _, item, variable in scene.maps([data]):
        kind = variable.type.kind
        if kind not in ("pointer", "array") or (kind == "pointer") != bool(item.steps):
            continue  # regions have copies of scalars, which are the host's newest values
        regions = [r for r in scene.regions if data.start < r.start < data.end]
        inside = [c for c in scene.listed.get(variable, ()) if c is not data and data.start < c.start < data.end]
        named = [(c.start, c.end) for c in inside]
        uses = [a for a in scene.accesses if a.variable is variable and data.body_start <= a.start < data.end]
        uses = [a for a in uses if scene.is_object(a) or a.lent or a.writes]
        for one, two in pairwise(uses):
            before = next((r for r in regions if r.start < one.start < r.end), None)
            behind = next((r for r in regions if r.start < two.start < r.end), None)
            between = any(low <= two.start and one.start <= high for low, high in named)
            if (before is None) == (behind is None) or one.lent or two.lent or not one.writes or not two.reads:
                continue
            if between or scene.calls_between(one.end, two.start) or _is_kept_apart(scene, one, two, before, behind):
                continue
            yield _stale(scene, one, two, before is not None, Note("it is mapped here", item.span))


def _is_kept_apart(scene: Scene, one: Access, two: Access, before: Region | None, behind: Region | None) -> bool:
    """Whether the second access may be made without the first one, or one of them is to something else."""
    if (before or behind).may_stay:  # type: ignore[union-attr]
        return True
    if before is not None:
        return not follows(before, two) or scene.names_private(before, one.variable)
    assert behind is not None
    if any(branch not in two.branches for branch in one.branches if branch.kind != "loop"):
        return True
    return scene.names_private(behind, one.variable)


def _stale(scene: Scene, write: Access, read: Access, on_device: bool, place: Note) -> Finding:
    name, text = read.variable.name, scene.text(read)
    same = write.subscript is None or write.subscript == read.subscript or "loop" in {b.kind for b in write.branches}
    item = f"{name}[0:n]" if scene.is_object(read) else name
    doubt = "" if same else ", unless these are other elements"
    if on_device:
        message = f"the host reads '{text}', but only the device has the value that a region has written{doubt}"
        note = Note(f"'{scene.text(write)}' is written here", scene.span(write))
        advice = f"put '#pragma omp target update from({item})' in front"
    else:
        message = f"the region reads '{text}', but the host has changed it since it was copied to the device{doubt}"
        note = Note(f"the host writes '{scene.text(write)}' here", scene.span(write))
        advice = f"put '#pragma omp target update to({item})' behind the change"
    return scene.finding("stale", read, message, advice, [note, place], certain=same)
