"""What became of each of the user's directives, in words. ``rex-build explain`` prints that, and profiles show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..base.diagnostics import SourceSpan, source_lines
from ..base.names import shown_function
from ..base.records import dataclass
from .host_expression import (
    ZERO,
    Binary,
    Cast,
    HostExpression,
    Index,
    Member,
    Not,
    Number,
    SizeOf,
    Variable,
    Written,
    product,
)
from .launch import LaunchShape
from .launch_policy import BLOCK_THREADS
from .optimised import Optimisation
from .rows import MEMBER_OF_SHIFT, DataMapping, Map, MapRow
from .unit import DataConstruct, KernelKind, TargetRegion, TranslationUnitPlan

if TYPE_CHECKING:
    from ..tools.resources import Resources


# Expressions of the host as a reader would write them, such as ``8 * n``. They are shown, never compiled.

def formula(of: HostExpression) -> str:
    """``of`` without casts and with one constant factor, in front. Empty if readers would not know its parts.

    For example, ``(long long)n * (long long)sizeof(a[0])`` is ``8 * n`` if an element of ``a`` has 8 bytes.
    """
    factors = _factors(of)
    if factors is None:
        return ""
    number = 1
    for factor in factors:
        number *= factor.value if factor.value is not None else 1
    others = [factor for factor in factors if factor.value is None]
    if number != 1 or not others:
        others.insert(0, Number(number))
    return str(product(others))


def _factors(of: HostExpression) -> list[HostExpression] | None:
    """The factors of an expression, of which sizes and constants are numbers. None if it has parts of ours."""
    known = of.bytes if isinstance(of, SizeOf) else of.value
    if known is not None:
        return [Number(known)]
    match of:
        case Cast():
            return _factors(of.of)
        case Binary(operator="*"):
            left, right = _factors(of.left), _factors(of.right)
            return None if left is None or right is None else left + right
        case Binary(operator="/", left=SizeOf(bytes=int() as whole), right=SizeOf(bytes=int() as part)):
            return [Number(whole // part)]
        case SizeOf() | Variable() | Written() | Index() | Member():
            return [of]
    return None


_KINDS = {
    KernelKind.WORKSHARING: "a kernel: the threads share the iterations of the loop",
    KernelKind.PARALLEL: "a kernel: all threads run the block",
    KernelKind.TEAMS: "a kernel: one thread of a team runs the block, and all of them the parallel regions in it",
    KernelKind.SERIAL: "a kernel: one thread of a team runs the block",
}
_INDENT = "    "
_NONE: Mapping[str, Sequence[Resources]] = MappingProxyType({})
LEFT_OUT, NOT_APPLIED = "left out", "not applied"
_ONE_THREAD = "ONE THREAD runs all of it: 'target teams distribute parallel for' shares a loop among all threads"


@dataclass(frozen=True)
class Remark:
    """A directive, and what became of it, in lines such as ``launch: 7 teams of 32 threads``.

    Transformations that something in the user's code prevents are ``left out``. The others that are ``not applied``
    have nothing to do here.
    """

    span: SourceSpan
    function: str
    directive: str
    lines: tuple[str, ...]


def remarks(plan: TranslationUnitPlan, resources: Mapping[str, Sequence[Resources]] = _NONE) -> list[Remark]:
    """Every directive that becomes something else, in the order of the source.

    ``resources`` are those of the kernels in images that were made of the unit.
    """
    found = [
        (r.start, Remark(r.span, shown_function(r.function), r.directive, (*_region(r), *_machine_code(r, resources))))
        for r in plan.regions
    ]
    found += [(d.start, Remark(d.span, shown_function(d.function), d.directive, tuple(_data(d)))) for d in plan.data]
    for one in plan.host_regions:
        what = "stays on the host" if one.runs else "is in no instantiation"
        found.append((one.start, Remark(one.span, "", "target", (what,))))
    return [remark for _, remark in sorted(found, key=lambda one: one[0])]


def listing(plan: TranslationUnitPlan, resources: Mapping[str, Sequence[Resources]] = _NONE) -> str:
    """The remarks, each below its directive, which is shown as ``file:line: text``. Lines about transformations that
    have nothing to do are left out."""
    left_out = f"{NOT_APPLIED}: "
    shown = ((r.span, [line for line in r.lines if not line.startswith(left_out)]) for r in remarks(plan, resources))
    blocks = ["\n".join([_source(span), *(f"{_INDENT}{line}" for line in lines)]) for span, lines in shown]
    return "\n\n".join(blocks) or "no target directives"


def _source(span: SourceSpan) -> str:
    """The place of a directive and its text, of which lines that continue it are part."""
    lines = source_lines(span.file)
    number, text = span.line, lines[span.line - 1].strip() if span.line <= len(lines) else ""
    while text.endswith("\\") and number < len(lines):
        text = f"{text[:-1].rstrip()} {lines[number].strip()}"
        number += 1
    return f"{span.file}:{span.line}: {text}"


# -- regions -----------------------------------------------------------------------------------------------------


def _region(region: TargetRegion) -> list[str]:
    why = f", because {region.reason}" if region.kind is KernelKind.SERIAL else ""
    lines = [f"becomes {_KINDS[region.kind]}{why}", f"launch: {_launch(region.launch)}", *_mapped(region.mapping)]
    if region.kind is KernelKind.SERIAL and region.optimised.block is None:
        lines.insert(1, _ONE_THREAD)
    if region.condition is not None:
        lines.append(f"runs on the host if {Not(region.condition)}")
    lines += [f"applied: {one.name}: {one.reason}" for one in region.optimised.facts if one.applied]
    missing = [one for one in region.optimised.facts if not one.applied]
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in sorted(missing, key=lambda one: not _is_left_out(one)):
        label = LEFT_OUT if _is_left_out(one) else NOT_APPLIED
        by_reason[label, _reason(one, region.span.file)].append(one.name)
    return [*lines, *(f"{label}: {', '.join(names)}: {reason}" for (label, reason), names in by_reason.items())]


def _machine_code(region: TargetRegion, resources: Mapping[str, Sequence[Resources]]) -> list[str]:
    """What the region's kernels take of a multiprocessor. In C++, instantiations of a template are several."""
    collapsed = region.optimised.collapsed
    what = "staged" if collapsed is not None and collapsed.optimised.staged else "collapsed"
    kernels = {region.kernel: "kernel", region.direct[0]: "direct kernel", region.collapsed[0]: f"{what} kernel"}
    kernels[region.walking[0]] = "walking kernel"
    threads = (region.launch.threads or Number(region.launch.default_threads)).value or 0
    block = dict.fromkeys(kernels, threads) | ({region.collapsed[0]: collapsed.threads} if collapsed else {})
    if region.optimised.block is not None:
        block[region.direct[0]] = BLOCK_THREADS
    lines = [
        f"{what} for {one.arch}: {one.text(block[kernel])}"
        for kernel, what in kernels.items()
        for name, found in resources.items()
        for one in found
        if kernel in name
    ]
    return list(dict.fromkeys(lines))


def _is_left_out(one: Optimisation) -> bool:
    """Whether something in the user's code prevents a transformation. Others have nothing to do in a region."""
    return one.span is not None or bool(one.remedy)


def _reason(left_out: Optimisation, file: str) -> str:
    """Why a transformation was left out, with the line that prevents it and what would allow it."""
    text, span = left_out.reason, left_out.span
    if span is not None:
        text += f" (line {span.line})" if span.file == file else f" ({PurePath(span.file).name}:{span.line})"
    return f"{text}; to allow it, {left_out.remedy}" if left_out.remedy else text


def _launch(launch: LaunchShape) -> str:
    threads = launch.threads or Number(launch.default_threads)
    each = f"{threads} thread{'' if threads.value == 1 else 's'}"
    if launch.teams is None and launch.trip_count is not None and launch.default_teams > 1:
        need = f"{product(launch.readable_counts)} iterations need" if launch.readable_counts else "the loop needs"
        limits = ((launch.most_teams, "teams"), (launch.most_threads, "threads in all"))
        most = "".join(f", at most {number:,} {what}" for number, what in limits if number)
        if launch.light_threads and launch.trip_count.value is None:
            most = f", {launch.light_threads} threads if these are at most {launch.light_trips:,}{most}"
        return f"as many teams of {each} as {need}{most}"
    teams = launch.teams or Number(launch.default_teams)
    return f"{teams} team{'' if teams.value == 1 else 's'} of {each}"


# -- mapping -----------------------------------------------------------------------------------------------------


def _data(data: DataConstruct) -> list[str]:
    lines = _mapped(data.mapping, data.directive) or ["maps nothing"]
    return [*lines, f"does nothing if {Not(data.condition)}"] if data.condition is not None else lines


def _mapped(mapping: DataMapping, directive: str = "target") -> list[str]:
    """What becomes of the variables, grouped by how they get to the device and back."""
    parents = {row.flags >> MEMBER_OF_SHIFT for row in mapping.rows}
    found: dict[str, list[str]] = defaultdict(list)
    for number, row in enumerate(mapping.rows, 1):
        if row.note.how and (number not in parents or row.flags & (Map.TO | Map.FROM)):
            way = _way(row, directive)
            found[way].append(f"{row.note.name}{_size(row)}" if way in _TAKES_STORAGE else row.note.name)
    return [f"{words}: {', '.join(dict.fromkeys(found[way]))}" for way, words in _WAYS.items() if way in found]


def _size(row: MapRow) -> str:
    """The size of what a row maps, such as `` (8 * n bytes)``."""
    size = "" if row.covers else formula(row.size)
    return f" ({size} byte{'' if size == '1' else 's'})" if size else ""


_TAKES_STORAGE = {"both", "to", "from", "private", "alloc"}
_WAYS = {
    "both": "copied to the device and back",
    "to": "copied to the device",
    "from": "copied from the device",
    "private": "copied for the kernel alone",
    "literal": "passed by value",
    "address": "device address asked for",
    "delete": "removed from the device",
    "release": "released",
    "find": "taken from the device if it is there",
    "alloc": "allocated, but not copied",
}


def _way(row: MapRow, directive: str) -> str:
    if row.flags & Map.LITERAL:
        way = "literal"
    elif row.flags & Map.PRIVATE:
        way = "private"
    elif row.flags & Map.DELETE:
        way = "delete"
    elif row.flags & Map.TO and row.flags & Map.FROM:
        way = "both"
    elif row.flags & (Map.TO | Map.FROM):
        way = "to" if row.flags & Map.TO else "from"
    elif row.flags & Map.RETURN_PARAM:
        way = "address"
    elif directive == "target exit data":
        way = "release"
    else:
        way = "find" if row.size == ZERO else "alloc"
    return way
