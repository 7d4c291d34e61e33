"""Races in the distributed loops of C++ regions, and sections that are shorter than the loops over them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..base.diagnostics import InputError
from ..base.findings import Finding, Note
from ..base.patterns import regex
from ..base.records import dataclass
from ..directives.model import Locator, Section
from ..plan.region import KernelKind
from .accesses import Access
from .code import Text, Variable
from .loops import canonical_nest
from .nested import collapse_of
from .scene import Region, Scene

_COMBINING = {"+=": "+", "-=": "+", "++": "+", "--": "+", "*=": "*", "&=": "&", "|=": "|", "^=": "^"}
_LINEAR = regex(r"\(*\s*(?:(?P<name>[A-Za-z_]\w*)\s*(?:(?P<sign>[+-])\s*(?P<more>\d+))?|(?P<number>\d+))\s*\)*")
_CHOOSING = regex(r"==|!|%|&")
_LIMITING = ("num_threads", "num_teams", "thread_limit", "if", "ordered", "order")


@dataclass(frozen=True)
class Linear:
    """``name + more``, or a number if it has no name."""

    name: str
    more: int


def linear(text: str) -> Linear | None:
    match = _LINEAR.fullmatch(text.strip())
    if match is None:
        return None
    if match["number"]:
        return Linear("", int(match["number"]))
    return Linear(match["name"], int(f"{match['sign']}{match['more']}") if match["sign"] else 0)


@dataclass(frozen=True)
class Loop:
    """A distributed loop ``for (name = first; name <= last; name += step)``. ``last`` is None if it is not known."""

    variable: Variable
    step: int
    first: Linear | None
    last: Linear | None
    trips: int | None
    start: int
    counters: frozenset[object]


def _loop_of(scene: Scene, region: Region) -> Loop | None:
    """The distributed loop of a region, the outermost of collapsed ones without its ends."""
    plan = region.plan
    if plan.kind is not KernelKind.WORKSHARING or plan.nest is None:
        return None
    clauses = [clause for part in region.chain for clause in part.directive.clauses]
    try:
        nest = canonical_nest(scene.unit, scene.function, region.chain[-1], collapse_of(clauses), on_host=True)
    except InputError:
        return None
    level = nest.levels[0]
    if not isinstance(level.symbol, Variable) or any(one.trips in (0, 1) for one in nest.levels):
        return None
    first = last = None
    plain = level.step_value == 1 and level.increasing and level.relation in ("<", "<=") and not level.step_negated
    if plain and len(nest.levels) == 1 and isinstance(level.lower, Text) and isinstance(level.bound, Text):
        first, last = linear(level.lower.text), linear(level.bound.text)
        if last is not None and level.relation == "<":
            last = Linear(last.name, last.more - 1)
    step = (level.step_value or 0) if len(nest.levels) == 1 else 0
    start: int = nest.body.start  # type: ignore[attr-defined]
    return Loop(level.symbol, step, first, last, level.trips, start, frozenset(lv.symbol for lv in nest.levels))


def loop_findings(scene: Scene, region: Region) -> Iterator[Finding]:
    loop = _loop_of(scene, region)
    if loop is None:
        return
    if not region.may_stay:
        yield from _short_sections(scene, region, loop)
    clauses = [clause for part in region.chain for clause in part.directive.clauses]
    asks = re.search(r"\bomp_\w+\s*\(", scene.unit.text[loop.start : region.end]) is not None
    if asks or any(clause.name in _LIMITING for clause in clauses):
        return
    inner = {v for part in region.inside for v in scene.names(part)}
    guarded = [(c.start, c.end) for c in region.inside]
    for variable in dict.fromkeys(access.variable for access in region.accesses):
        if variable in region.private or variable in inner or variable in loop.counters or variable.is_reference:
            continue
        own = [access for access in region.of(variable) if access.start >= loop.start]
        odd = any(a.lent or any(low <= a.start < high for low, high in guarded) for a in own)
        if odd or "volatile" in scene.unit.text[variable.start : variable.end]:
            continue
        if variable.type.kind == "scalar":
            yield from _scalar(scene, region, loop, own)
        elif loop.step and variable.type.kind in ("pointer", "array"):
            yield from _elements(scene, region, loop, own)


def _note(region: Region) -> Note:
    return Note(f"'{region.construct.directive.name}' is here", region.construct.directive.span)


def _conditions(region: Region, access: Access) -> list[str]:
    return [branch.condition for branch in region.inner(access) if branch.kind == "if"]


def _scalar(scene: Scene, region: Region, loop: Loop, own: Sequence[Access]) -> Iterator[Finding]:
    """A scalar that all threads share."""
    writes = [access for access in own if access.writes]
    if not writes or any(branch.kind in ("switch", "lambda") for a in writes for branch in region.inner(a)):
        return
    if any(_CHOOSING.search(condition) for access in writes for condition in _conditions(region, access)):
        return
    if any(scene.may_end_before(loop.start, access) for access in writes):
        return
    first = writes[0]
    name = first.variable.name
    operators = {_COMBINING.get(access.operator, "") for access in writes}
    if operators == {"="} or "" in operators:
        update = re.compile(rf"{re.escape(name)}\s*([+*|&^-])(?![+*|&^=-]).*|.*[+*|&^]\s*{re.escape(name)}", re.DOTALL)
        plain = all(access.operator == "=" for access in writes)
        matches = [update.fullmatch(access.value) for access in writes]
        if plain and len(writes) == 1 and matches[0] is not None and matches[0][1]:
            operators = {"+" if matches[0][1] == "-" else matches[0][1]}
        elif _is_each_threads(region, loop, writes):
            advice = f"declare '{name}' inside of the loop or region, or add private({name})"
            message = f"all threads write to '{name}', which they share"
            yield scene.finding("race", first, message, advice, [_note(region)])
            return
    operator = next(iter(operators)) if len(operators) == 1 else ""
    if operator:
        advice = f"add reduction({operator}: {name}) to the directive, or update it in 'omp atomic'"
        message = f"all threads update '{name}', which they share, and lose each other's updates"
        yield scene.finding("reduction", first, message, advice, [_note(region)])


def _is_each_threads(region: Region, loop: Loop, writes: Sequence[Access]) -> bool:
    """Whether threads surely write different values to a variable, or count with it."""
    first = writes[0]
    if first.operator != "=":
        return False
    conditions = _conditions(region, first)
    if conditions:  # such as the least value so far
        return all(re.search(rf"\b{re.escape(first.variable.name)}\b", condition) for condition in conditions)
    names = {str(getattr(counter, "name", "")) for counter in loop.counters}
    differs = "[" in first.value or any(re.search(rf"\b{re.escape(name)}\b", first.value) for name in names)
    return differs or any(write.operator in ("++", "--") for write in writes)


def _elements(scene: Scene, region: Region, loop: Loop, own: Sequence[Access]) -> Iterator[Finding]:
    """Elements that one iteration writes and another one uses."""
    at: list[tuple[Access, int]] = []
    for access in own:
        if not scene.is_object(access):
            return  # the pointer itself changes
        place = _iteration(scene, loop, access)
        if place is not None and not region.inner(access)[1:]:
            at.append((access, place.more))
    for write, here in at:
        if not write.writes or _is_choosy(scene, region, loop, write):
            continue
        for other, there in at:
            apart, rest = divmod(abs(there - here), loop.step)
            if not apart or rest or (loop.trips is not None and apart >= loop.trips):
                continue
            if _is_choosy(scene, region, loop, other):
                continue
            one, two = scene.text(write), scene.text(other)
            where = "next to each other" if apart == 1 else f"{apart} apart"
            message = (
                f"iterations of the distributed loop over '{loop.variable.name}' depend on each other: "
                f"'{one}' and '{two}' are one element in iterations that are {where}"
            )
            advice = "let iterations read from one array and write to another, or run the loop in order"
            yield scene.finding("dependence", write, message, advice, [_note(region)])
            return


def _iteration(scene: Scene, loop: Loop, access: Access) -> Linear | None:
    """A subscript that is the loop's variable, perhaps with a number added to it."""
    place = linear(access.subscript) if access.subscript is not None else None
    if place is None or place.name != loop.variable.name:
        return None
    is_same = scene.unit.lookup(scene.function, place.name, access.start) is loop.variable
    return place if is_same else None


def _is_choosy(scene: Scene, region: Region, loop: Loop, access: Access) -> bool:
    """Whether an access is not made in each iteration, or in a loop inside of the distributed one."""
    within = any(branch.low > loop.start or branch.kind != "loop" for branch in region.inner(access))
    return within or scene.may_end_before(loop.start, access)


def _short_sections(scene: Scene, region: Region, loop: Loop) -> Iterator[Finding]:
    """Accesses behind the end of a section that the region maps."""
    if loop.first is None or loop.last is None:
        return
    for _, item, variable in scene.maps([region.construct]):
        end = _end(item)
        if end is None or variable.type.kind != "pointer" or not scene.only_listed_by(variable, region.chain):
            continue
        for access in region.of(variable):
            place = _iteration(scene, loop, access) if scene.is_object(access) else None
            if place is None or _is_choosy(scene, region, loop, access):
                continue
            last = Linear(loop.last.name, loop.last.more + place.more)
            over = last.more - end.more + 1 if last.name == end.name else 0
            if over <= 0:
                continue
            size = variable.type.element.size if variable.type.element is not None else 0
            beyond = f"{over * size} bytes" if size else f"{over} elements"
            own = scene.is_own(variable)
            doubt = "" if own else ", unless other code has mapped more"
            text = scene.text(access)
            message = f"'{text}' goes {beyond} behind the end of what is mapped of '{variable.name}'{doubt}"
            note = Note("it is mapped here", item.span)
            advice = "map all elements that the region uses"
            yield scene.finding("bounds", access, message, advice, [note], certain=own)
            break


def _end(item: Locator) -> Linear | None:
    """One past the last element of a section, ``x[0:n]`` or ``x[2:8]``."""
    if len(item.steps) != 1 or not isinstance(section := item.steps[0], Section) or section.length is None:
        return None
    lower = linear(section.lower.text) if section.lower is not None else Linear("", 0)
    length = linear(section.length.text)
    if lower is None or length is None or lower.name or section.stride is not None:
        return None
    return Linear(length.name, length.more + lower.more)
