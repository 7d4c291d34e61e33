"""The host file: the user's text with launches, data calls and registration tables in place of target constructs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import indent

from .. import __version__
from ..base.records import dataclass
from ..base.spans import source_lines
from ..c.source.preprocess import Preprocessed
from ..plan.data import DataConstruct
from ..plan.host import HostCopy, HostLeague, HostRegion, HostTask, HostVersion
from ..plan.host_expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    HostExpression,
    Not,
    Number,
    Variable,
    product,
)
from ..plan.launch import LEAST_THREADS, MAX_THREADS, LaunchShape, SerialLaunch
from ..plan.optimised import CollapsedKernel, DirectKernel, OverlapTest
from ..plan.region import KernelKind, TargetRegion
from ..plan.rows import (
    MAP_ALWAYS,
    MAP_CLOSE,
    MAP_DELETE,
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_OMPX_HOLD,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_PTR_AND_OBJ,
    MAP_RETURN_PARAM,
    MAP_TARGET_PARAM,
    MAP_TO,
    MEMBER_OF_SHIFT,
    Adjustment,
    DataMapping,
    MapRow,
    Role,
    RowLoop,
)
from ..plan.unit import REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY, DeclareTargetVariable, TranslationUnitPlan
from .block_names import BlockNames, growing
from .host_edits import Part, nested_edits
from .host_text import host_text
from .locations import Location, location_of
from .templating import environment

_INT_MAX = 2147483647


@dataclass(frozen=True)
class _RowText:
    """The texts of a row, as the template prints them."""

    base: str
    pointer: str
    size: str
    flags: str
    note: str
    name: str


def render_host(
    plan: TranslationUnitPlan,
    pre: Preprocessed,
    own_name: str,
    anchor: str | None,
    definitions: Callable[[], Preprocessed],
    file_name: Callable[[str], str],
) -> str:
    """The text of ``rose_<stem>.c``.

    ``anchor`` names a symbol of the registration unit that must be linked in. ``file_name`` gives the name of a file
    that does not depend on where the unit is built.
    """
    names = BlockNames(plan.names)
    head = [header_line(plan), '#include "rex_kmp.h"']
    head += plan.declarations
    head += [f"static char {identity};" for region in plan.regions for _, identity in region.kernels]
    head += [f"{_linkage(plan, v)} void *{v.device_name};" for v in plan.variables if v.link]
    if plan.indirect:
        head.append(f"static void *{plan.functions_table}[{len(plan.indirect)}];")
    return host_text(
        pre,
        nested_edits(_parts(plan, names, pre, file_name)),
        own_name,
        "\n".join(head),
        _tail(plan, anchor),
        definitions,
    )


def _parts(
    plan: TranslationUnitPlan, names: BlockNames, pre: Preprocessed, file_name: Callable[[str], str]
) -> list[Part]:
    """Every stretch of the user's text that is replaced, or that gets text around it."""
    parts = [Part(start, start, end, kept_whole=True) for start, end in pre.rewritten]
    if plan.main_body is not None:
        # The rest of main gets a block of its own, so that its declarations still stand first in a block.
        start, end = plan.main_body
        parts.append(Part(start, start, end, ("    rex_offload_init();\n    {",), ("    }",)))
    for region in plan.regions:
        location = location_of(region.span, region.function, file_name)
        parts.append(_region_part(location, names, region, _indentation(pre, region.start)))
    parts += [_host_region_part(names, region, _indentation(pre, region.start)) for region in plan.host_regions]
    for data in plan.data:
        location = location_of(data.span, data.function, file_name)
        parts.append(_data_part(location, names, data, _indentation(pre, data.start)))
    statics = _entries_in_functions(plan)
    versions = [*(region.host for region in plan.regions), *(region.host for region in plan.host_regions)]
    for placed in (*plan.host_forms, *(form for version in versions for form in version.forms)):
        pad = _indentation(pre, placed.start) if placed.before else ""
        before = (*_indented(placed.before, pad), *statics.get(placed.start, ()))
        parts.append(Part(placed.start, placed.pragma_end, placed.end, before, _indented(placed.after, pad)))
    replacements = dict.fromkeys((*plan.replacements, *(word for data in plan.data for word in data.renames)))
    parts += [Part(r.start, r.end, r.end, (r.text,) if r.text else ()) for r in replacements]
    return parts


def header_line(plan: TranslationUnitPlan) -> str:
    """The comment that the registration step reads."""
    more = "; recursive" if plan.recursive else ""
    return (
        f"/* rex-build {__version__}: lowered from {plan.source_name}; unit {plan.unit}; "
        f"entries {len(plan.entries)}{more} */"
    )


def _entries_in_functions(plan: TranslationUnitPlan) -> dict[int, tuple[str, ...]]:
    """The entries of functions' static variables, by the offset of the directive that they replace."""
    found: dict[int, tuple[str, ...]] = {}
    for number, variable in enumerate(v for v in plan.variables if v.place is not None):
        name = variable.symbol.name
        entry = plan.names.fresh(f"__rex_static_{number}")
        text = (
            f'static struct __tgt_offload_entry {entry} REX_STATICS("{plan.unit}") =\n'
            f'    {{(void *)&{name}, (char *)"{variable.device_name}", sizeof({name}), 0, 0}};'
        )
        text = f"REX_GENERATED_BEGIN\n{text}\nREX_GENERATED_END"
        assert variable.place is not None
        found[variable.place] = (*found.get(variable.place, ()), text)
    return found


def _linkage(plan: TranslationUnitPlan, variable: DeclareTargetVariable) -> str:
    """How the pointer of a ``link`` variable is declared, which the units of a separable device link share."""
    return 'extern __attribute__((__visibility__("hidden")))' if variable.symbol in plan.shared else "static"


def _tail(plan: TranslationUnitPlan, anchor: str | None) -> str:
    """The offload table, and the symbols that make the linker add its registration to the program."""
    lines = []
    for variable in plan.variables:
        if variable.link and variable.entry:
            linkage = _linkage(plan, variable).removeprefix("extern ")
            lines.append(f"{linkage} void *{variable.device_name} = (void *)&{variable.symbol.name};")
    table = plan.functions_table
    if plan.indirect:
        functions = ", ".join(f"(void *){symbol.name}" for symbol in plan.indirect)
        lines.append(f"static void *{table}[] = {{{functions}}}; /* declare target indirect */")
    if plan.entries:
        lines.append(
            '__attribute__((__visibility__("hidden"))) struct __tgt_offload_entry '
            f"__rex_offload_entries_{plan.unit}[] = {{"
        )
        for region in plan.regions:
            for kernel, identity in region.kernels:
                lines.append(f'    {{(void *)&{identity}, (char *)"{kernel}", 0, 0, 0}},')
        for variable in plan.variables:
            if variable.entry and variable.place is None:
                name = variable.symbol.name
                if variable.link:
                    pointer = variable.device_name
                    lines.append(
                        f'    {{(void *)&{pointer}, (char *)"{pointer}", sizeof({pointer}), REX_ENTRY_LINK, 0}},'
                    )
                    continue
                lines.append(f'    {{(void *)&{name}, (char *)"{variable.device_name}", sizeof({name}), 0, 0}},')
        if plan.indirect:
            lines.append(f'    {{(void *)&{table}, (char *)"{table}", sizeof({table}), 0, 0}},')
        for variable in plan.variables:
            if variable.place is not None:
                lines.append(f'    {{REX_STATIC, (char *)"{variable.device_name}", 0, 0, 0}},')
        if REQUIRES_ENTRY in plan.entries:
            lines.append(f'    {{(void *)0, (char *)"{REQUIRES_ENTRY}", 0, 0x10, {REQUIRES_SHARED_MEMORY}}},')
        lines.append("};")
    placed = (v.static_function for v in plan.variables if v.place is not None and v.static_function)
    for function in dict.fromkeys(placed):  # a compiler leaves out what nothing calls
        keep = f"*const {plan.names.fresh(f'__rex_keep_{function}')} = {function}"
        lines.append(f"__attribute__((__used__)) static __typeof__({function}) {keep};")
    lines = ["REX_GENERATED_BEGIN", *lines, "REX_GENERATED_END"] if lines else []
    if anchor is not None:
        lines.append(f'__attribute__((__visibility__("hidden"))) extern const char {anchor};')
        keep = plan.names.fresh("__rex_keep_registration")
        lines.append(f"__attribute__((__used__)) static const char *const {keep} = &{anchor};")
    return "\n".join(lines)


_LEADING = re.compile(r"[ \t]*")


def _indentation(pre: Preprocessed, start: int) -> str:
    """The white space in front of the text that replaces a directive.

    It is that of the directive's line, or, if directives stand at the left margin, that of the next statement.
    """
    physical = pre.line_at(start)
    origin, number = pre.origin_of(physical)
    lines = source_lines(origin.file)
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if line[:1].isspace():
        return _leading(line)
    for later in range(physical + 1, len(pre.line_starts) + 1):
        text = pre.text[pre.line_starts[later - 1] : pre.line_end(later)]
        if text.strip() and not text.startswith("#"):
            return _leading(text) + "    " * text.lstrip().startswith("}")
    return ""


def _leading(line: str) -> str:
    found = _LEADING.match(line)
    return found[0] if found else ""


def _indented(pieces: Sequence[str], pad: str) -> tuple[str, ...]:
    """Generated text with ``pad`` in front of every line."""
    return tuple(indent(piece.rstrip("\n"), pad) for piece in pieces)


# -- rows --------------------------------------------------------------------------------------------------------


def _row_texts(location: Location, names: BlockNames, rows: Sequence[MapRow]) -> tuple[list[_RowText], list[str]]:
    """(the rows as text, the variables of the literal rows in order)"""
    texts: list[_RowText] = []
    literals: list[str] = []
    for row in rows:
        base, pointer = str(row.base), str(row.pointer)
        if row.literal:
            base = pointer = names.literal(len(literals))
            literals.append(str(row.base))
        note, name = str(row.note).replace("*/", "* /").replace("/*", "/ *"), location.name(row.note.name)
        texts.append(_RowText(base, pointer, _size(row.size), _flags(row.flags), note, name))
    return texts, literals


def _row_lines(
    names: BlockNames, mapping: DataMapping, rows: Sequence[_RowText], change: int, guard: str = ""
) -> list[str]:
    """The statements that build the arrays row by row, or none if the arrays can be written down as they are.

    For ``change`` and ``guard`` see :func:`_adjustments`, which does what can be done after the loops.
    """
    if not mapping.is_dynamic:
        return []
    parents = {row.flags >> MEMBER_OF_SHIFT for row in mapping.rows}
    lines: list[str] = []
    open_loops: list[RowLoop] = []

    def enter(loops: Sequence[RowLoop]) -> None:
        same = 0
        while same < min(len(loops), len(open_loops)) and loops[same] == open_loops[same]:
            same += 1
        while len(open_loops) > same:
            open_loops.pop()
            lines.append("    " * len(open_loops) + "}")
        for loop in loops[same:]:
            lines.append("    " * len(open_loops) + _for(loop) + " {")
            open_loops.append(loop)

    for number, (row, text) in enumerate(zip(mapping.rows, rows, strict=True), 1):
        enter(row.loops)
        pad = "    " * len(row.loops)
        base, pointer, size = text.base, text.pointer, text.size
        if row.covers:
            extent = names.extent(number)
            lines.append(f"{pad}struct rex_extent {extent} = {{(char *){base}, 0}};")
            for cover in row.covers:
                heads = [f"{pad}{'    ' * depth}{_for(loop)}" for depth, loop in enumerate(cover.loops)]
                lines += heads
                call = f"rex_cover(&{extent}, {cover.pointer}, {_size(cover.size)});"
                lines.append(f"{pad}{'    ' * len(cover.loops)}{call}")
            pointer, size = f"{extent}.rex_low", f"{extent}.rex_high ? {extent}.rex_high - {extent}.rex_low : 0"
        parent = row.flags >> MEMBER_OF_SHIFT
        flags = _flags(row.flags & ~(parent << MEMBER_OF_SHIFT))
        if parent:
            flags = f"rex_member_of({names.row(parent)}) | {flags}"
        call = f"rex_row(&{names.rows}, {base}, {pointer}, {size}, {flags}, {text.name}); /* {text.note} */"
        adjust = _adjust(names, row, number, names.row(number), change, growing(names.rows))
        keep = number in parents or row.flags & MAP_RETURN_PARAM or adjust
        lines.append(f"{pad}const rex_int64 {names.row(number)} = {call}" if keep else f"{pad}{call}")
        lines += [f"{pad}{guard}{statement}" for statement in adjust if row.loops]
    enter(())
    return lines


def _adjustments(
    names: BlockNames, mapping: DataMapping, change: int, arrays: Sequence[str], guard: str = ""
) -> list[str]:
    """The statements that change rows by what the device holds.

    ``change`` is what the construct adds to reference counts. ``arrays`` are the names of the arrays of bases,
    addresses, sizes and types. ``guard`` is the condition under which the construct does anything.
    """
    return [
        guard + statement
        for number, row in enumerate(mapping.rows, 1)
        if not row.loops
        for statement in _adjust(names, row, number, _row_number(names, mapping, number), change, arrays)
    ]


def _adjust(
    names: BlockNames, row: MapRow, row_number: int, number: str, change: int, arrays: Sequence[str]
) -> list[str]:
    """The statements that change one row. ``number`` is the text of its number."""
    base, *others = arrays
    rest = ", ".join(others)
    device, at = names.device_id, f"&{names.location}"
    wanted, begins = row.adjustments, change >= 0
    lines = [f"rex_carry({at}, {device}, {change}, {number}, {rest});"] if Adjustment.CARRY in wanted else []
    if Adjustment.ATTACH in wanted and begins:
        lines.append(f"rex_attach({device}, {row.attach}, {number}, {base}, {rest});")
    if Adjustment.REFRESH in wanted and begins:
        lines.append(f"rex_refresh({at}, {device}, {number}, {rest});")
    if Adjustment.EXTEND in wanted and begins:
        lines.append(f"rex_extend({at}, {device}, {number}, {', '.join(arrays[1:3])});")
    if Adjustment.STAND_IN in wanted:
        copy = names.stand_in(row_number)
        lines.append(f"char *{copy} = rex_stand_in({device}, {number}, {', '.join(arrays[:3])});")
    return lines


def _for(loop: RowLoop) -> str:
    name, step = Variable(loop.name), loop.step.value
    upward, downward = Binary("<", name, loop.end), Binary(">", name, loop.end)
    more = str(upward if step is None or step > 0 else downward)
    if step is None:
        more = f"{Binary('>', loop.step, Number(0))} ? {upward} : {downward}"
    return f"for ({loop.type} {loop.name} = {loop.begin}; {more}; {loop.name} += {loop.step})"


def _size(size: HostExpression) -> str:
    return str(size if isinstance(size, Number) else Cast("rex_int64", size))


_FLAG_NAMES = {
    MAP_TO | MAP_FROM: "TOFROM",
    MAP_TO: "TO",
    MAP_FROM: "FROM",
    MAP_ALWAYS: "ALWAYS",
    MAP_DELETE: "DELETE",
    MAP_PTR_AND_OBJ: "PTR_AND_OBJ",
    MAP_TARGET_PARAM: "TARGET_PARAM",
    MAP_RETURN_PARAM: "RETURN_PARAM",
    MAP_PRIVATE: "PRIVATE",
    MAP_LITERAL: "LITERAL",
    MAP_IMPLICIT: "IMPLICIT",
    MAP_CLOSE: "CLOSE",
    MAP_PRESENT: "PRESENT",
    MAP_OMPX_HOLD: "OMPX_HOLD",
}


def _flags(flags: int) -> str:
    """A row's flags, by their names in rex_kmp.h."""
    parent = flags >> MEMBER_OF_SHIFT
    left = flags & ~(parent << MEMBER_OF_SHIFT)
    words = [f"MEMBER_OF({parent})"] if parent else []
    for bits, name in _FLAG_NAMES.items():
        if left & bits == bits:
            words.append(name)
            left &= ~bits
    assert not left, f"map flags {left:#x} have no name"
    return " | ".join(f"REX_MAP_{word}" for word in words or ["ALLOC"])


def _row_index(names: BlockNames, mapping: DataMapping, row: int) -> str:
    """The index of a row in the arrays."""
    return f"{names.row(row + 1)} - 1" if mapping.is_dynamic else str(row)


def _row_number(names: BlockNames, mapping: DataMapping, number: int) -> str:
    return names.row(number) if mapping.is_dynamic else str(number)


# -- regions -----------------------------------------------------------------------------------------------------


def _region_part(location: Location, names: BlockNames, region: TargetRegion, pad: str) -> Part:
    rows, literals = _row_texts(location, names, region.mapping.rows)
    row_lines = _row_lines(names, region.mapping, rows, 0)
    launch = region.launch
    block = (
        environment()
        .get_template("launch.c.j2")
        .render(
            n=names,
            where=location,
            location=location.constant,
            directive=region.directive,
            condition=region.condition,
            negated=Not(region.condition) if region.condition is not None else None,
            temporaries=region.mapping.temporaries,
            device=region.device,
            trip_count=_trip_count(names, launch),
            shaping=_shaping(names, region),
            values=_values(names, region),
            identity=region.identity,
            direct=region.direct[1] if region.optimised.direct is not None else None,
            collapsed=region.collapsed[1] if region.optimised.collapsed is not None else None,
            tiled=_is_tiled(region),
            literals=literals,
            rows=rows,
            row_lines=row_lines,
            adjustments=_adjustments(names, region.mapping, 0, names.arrays),
            cleanup=_cleanup(names, region, bool(row_lines)),
            constant_sizes=region.mapping.constant_sizes,
        )
    )
    task_begin, task_end = _task_lines(names, region.task, region.host.copies)
    begin, end = _host_version(names, region.host)
    before = [*task_begin, *([_allocators(region)] if region.allocators else []), block]
    before += [f"        omp_allocator_handle_t {a.name} = {a.host};" for a in region.allocators]
    before += _indented(begin, "        ")
    after = list(_indented(end, "        "))
    after += [f"        omp_destroy_allocator({a.name});" for a in region.allocators]
    after += ["    }\n}", *(["}"] if region.allocators else []), *task_end]
    return _kept_whole(region, _indented(before, pad), _indented(after, pad))


def _kept_whole(region: TargetRegion | HostRegion, before: tuple[str, ...], after: tuple[str, ...]) -> Part:
    return Part(region.start, region.start, region.end, before, after, kept_whole=True)


def _task_lines(
    names: BlockNames, task: HostTask | None, copies: Sequence[HostCopy] = ()
) -> tuple[list[str], list[str]]:
    """(the lines before the block of a construct for its target task, the lines after it)"""
    if task is None:
        return [], []
    before = [f"    {line}" for line in _may_be_set(names, copies)]  # the task has copies of its own
    if before:
        before = ["REX_GENERATED_BEGIN", *before, "REX_GENERATED_END"]
    before += ["#pragma omp taskwait"] if task.after_all else []
    pragma = f"#pragma omp {task.pragma}"
    return (["{", *before, pragma], ["}"]) if before else ([pragma], [])


def _may_be_set(names: BlockNames, copies: Sequence[HostCopy]) -> list[str]:
    unset = (c.name for c in copies if c.unset)
    return [f"const int {names.may_be_set(n)} __attribute__((__unused__)) = rex_may_be_set(&{n});" for n in unset]


def _host_region_part(names: BlockNames, region: HostRegion, pad: str) -> Part:
    before, after = _task_lines(names, region.task, region.host.copies)
    begin, end = _host_version(names, region.host)
    return _kept_whole(region, _indented([*before, *begin], pad), _indented([*end, *after], pad))


def _host_version(names: BlockNames, host: HostVersion) -> tuple[list[str], list[str]]:
    """(the lines before a region's host version, the lines after it)"""
    league = host.league
    begin, end = _with_copies(names, [c for c in host.copies if league is None or c.by_teams], [], [])
    if host.team:
        begin, end = ["#pragma omp parallel num_threads(1)\n    {", *begin], [*end, "    }"]
    if host.limit is not None or host.settings:  # the limit is one of the task's settings
        limit = f" rex_limit_threads({host.limit});" if host.limit is not None else ""
        begin, end = [f"#pragma omp task if(0) default(shared)\n    {{{limit}", *begin], [*end, "    }"]
    if league is not None:
        begin = [_enter_league(names, league), *begin]
        end = [*end, f"    }} while (rex_next_team(&{names.league})); }}"]
        begin, end = _with_copies(names, [c for c in host.copies if not c.by_teams], begin, end)
    return begin, end


def _enter_league(names: BlockNames, league: HostLeague) -> str:
    first = f"struct rex_league {names.league}; rex_enter_league(&{names.league}, {league.teams}, {int(league.once)});"
    return f"{{\nREX_GENERATED_BEGIN\n    {first}\nREX_GENERATED_END\n    do {{"


def _with_copies(
    names: BlockNames, copies: Sequence[HostCopy], begin: list[str], end: list[str]
) -> tuple[list[str], list[str]]:
    if not copies:
        return begin, end
    # The copies have the variables' names, so the block around them takes the originals' values and types.
    outer, inner = ["{", "REX_GENERATED_BEGIN"], ["    {"]
    for copy in copies:
        name = copy.name
        kind, value = names.copied_type(name), names.copied_value(name)
        outer.append(f"    typedef __typeof__({name}) {kind};")
        inner.append(f"        {kind} {name} __attribute__((__unused__));")  # set, but not used, is no mistake
        if copy.initialised and copy.array:
            outer.append(f"    {kind} {value};")
            outer.append(f"    __builtin_memcpy({value}, {name}, sizeof({name}));")
            inner.append(f"        __builtin_memcpy({name}, {value}, sizeof({name}));")
        elif copy.initialised:
            outer.append(f"    {kind} {value} = {name};")
            inner[-1] = f"        {kind} {name} __attribute__((__unused__)) = {value};"
    return ["\n".join([*outer, *inner, "REX_GENERATED_END"]), *begin], [*end, "    }\n}"]


def _allocators(region: TargetRegion) -> str:
    """The handles of ``uses_allocators``, which hide the variables of the same names."""
    lines = [f"    (void)sizeof({a.name});" for a in region.allocators]  # nothing else uses it
    lines += [f"    omp_allocator_handle_t {a.name} = (omp_allocator_handle_t){a.device};" for a in region.allocators]
    return "\n".join(["{ /* uses_allocators */", "REX_GENERATED_BEGIN", *lines, "REX_GENERATED_END"])


def _cleanup(names: BlockNames, region: TargetRegion, dynamic: bool) -> list[str]:
    """Statements after the launch."""
    lines = [f"rex_free_rows(&{names.rows});"] if dynamic else []
    for number, row in enumerate(region.mapping.rows, 1):
        if Adjustment.STAND_IN in row.adjustments:
            lines.insert(0, f"rex_stand_out({names.stand_in(number)}, {row.pointer}, {_size(row.size)});")
    return [*lines, f"__builtin_free({names.partials});"] if region.has(Role.PARTIALS) else lines


def _values(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that compute values for the kernel and pack them as literals."""
    lines = _may_be_set(names, region.host.copies)
    lines += [f"const unsigned long long {e.name} = {e.host};" for e in region.extents]
    lines += _choice(names, region)
    if region.has(Role.PARTIALS):
        words = f"{region.reduced_elements} * (1 + (rex_int64){names.blocks})"
        lines.append(f"const rex_int64 {names.partials_size} = {words} * (rex_int64)sizeof(rex_uint64);")
        lines.append(f"void *{names.partials} = rex_zeroed({names.partials_size});")
    if region.has(Role.LAUNCH_SHAPE):
        lines.append(
            f"const unsigned long long {names.launch_shape} = "
            f"(unsigned long long){names.blocks} << 32 | (unsigned int){names.threads};"
        )
    if region.has(Role.NUM_DEVICES):
        lines.append(f"const unsigned long long {names.num_devices} = (unsigned long long)rex_num_devices();")
        lines.append(
            f"const unsigned long long {names.device_num} = "
            f"(unsigned long long)({names.device_id} < 0 ? rex_default_device() : {names.device_id});"
        )
        lines.append(f"const unsigned long long {names.num_procs} = (unsigned long long)rex_num_procs();")
    return lines


def _choice(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that find out which kernel can be launched."""
    direct, collapsed = region.optimised.direct, region.optimised.collapsed
    lines: list[str] = []
    if _is_tiled(region):
        lines += [f"rex_uint64 {names.tiling} = 0;", f"struct rex_second_dimension {names.second} = {{0, 0}};"]
    kernels = [d for d in (direct, collapsed.optimised.direct if collapsed is not None else None) if d is not None]
    looked_up = _OverlapLines(names)
    apart = {k.overlap_tests: looked_up.tests(k.overlap_tests) for k in kernels if k.overlap_tests}
    lines += looked_up.lines
    joint = " &&\n" + " " * 29
    if len(kernels) == 2 and len(apart) == 1:  # both kernels need the same
        (tests,) = apart
        lines.append(f"const int {names.apart} = {joint.join(apart[tests])};")
        apart[tests] = [names.apart]
    if collapsed is not None:
        assert collapsed.optimised.direct is not None
        *outer, inner = collapsed.counts
        lines.append(f"const rex_int64 {names.outer_trips} = {product(outer)};")
        lines.append(f"const rex_int64 {names.inner_trips} = {inner};")
        found = apart.get(collapsed.optimised.direct.overlap_tests, [])
        found = [*map(str, collapsed.conditions), *found, _collapsed_shape(names, region, collapsed)]
        lines.append(f"const int {names.collapsed} = {joint.join(found)};")
    if direct is not None:
        found = [f"!{names.collapsed}"] if collapsed is not None else []
        found += [*apart.get(direct.overlap_tests, []), *_direct_shape(names, region, direct)]
        lines.append(f"const int {names.direct} = {joint.join(found) or '1'};")
    return lines


class _OverlapLines:
    """The statements that look up what overlap tests need, each once."""

    def __init__(self, names: BlockNames) -> None:
        self.names = names
        self.lines: list[str] = []
        self._ranges: dict[HostExpression, str] = {}
        self._shifts: dict[HostExpression, str] = {}

    def tests(self, pairs: Sequence[OverlapTest]) -> list[str]:
        """The conditions under which no pair overlaps."""
        found: list[str] = []
        for pair in pairs:
            if pair.first_size is None or pair.second_size is None:
                sides = ((pair.first, pair.first_size), (pair.second, pair.second_size))
                arguments = (f"{p}, {_size(size or Number(0))}, {self._shift(p)}" for p, size in sides)
                found.append(f"rex_elsewhere({', '.join(arguments)})")
                continue
            size = _size(pair.first_size)
            found.append(f"rex_apart({pair.first}, {size}, {pair.second}, {_size(pair.second_size)})")
            if not pair.objects:
                searched = f"&{self._range(pair.first, size)}, {pair.second}, {self.names.device_id}"
                found.append(f"rex_separate({searched})")
        return found

    def _shift(self, pointer: HostExpression) -> str:
        if pointer not in self._shifts:
            self._shifts[pointer] = self.names.shift(len(self._shifts))
            found = f"rex_shift({self.names.device_id}, {Cast('rex_uint64', pointer)})"
            self.lines.append(f"const rex_uint64 {self._shifts[pointer]} = {found};")
        return self._shifts[pointer]

    def _range(self, pointer: HostExpression, size: str) -> str:
        if pointer not in self._ranges:
            self._ranges[pointer] = self.names.range(len(self._ranges))
            self.lines.append(f"struct rex_range {self._ranges[pointer]} = {{{pointer}, {size}, {{-1, -1}}}};")
        return self._ranges[pointer]


def _is_tiled(region: TargetRegion) -> bool:
    """Whether a launch of a region may have two dimensions."""
    direct, collapsed = region.optimised.direct, region.optimised.collapsed
    found = (direct, collapsed.optimised.direct if collapsed is not None else None)
    return any(kernel is not None and kernel.tiled for kernel in found)


def _direct_shape(names: BlockNames, region: TargetRegion, direct: DirectKernel) -> list[str]:
    """The condition under which the direct kernel's grid covers the loop."""
    launch = region.launch
    if direct.tiled:
        most = "rex_omp_max_teams()" if launch.icv_teams else "0"
        *outer, inner = launch.trip_counts
        shape = f"{product(outer)}, {inner}, {most}, &{names.blocks}, &{names.threads}"
        return [f"rex_tile({shape}, &{names.second}, &{names.tiling})"]
    return [f"rex_covers({names.blocks}, {names.threads}, {names.trip_count})"] if direct.once else []


def _collapsed_shape(names: BlockNames, region: TargetRegion, collapsed: CollapsedKernel) -> str:
    """The condition under which the collapsed kernel is worth while. Then the launch has its shape."""
    launch, direct = region.launch, collapsed.optimised.direct
    teams = "rex_omp_max_teams()" if launch.icv_teams else "0"
    threads = str(collapsed.threads)
    if launch.icv_threads:
        threads = f"rex_limited({threads}, rex_omp_teams_thread_limit())"
    space = f"{names.outer_trips}, {names.inner_trips}, {names.trip_count}, {collapsed.enough}, {collapsed.least}"
    limits = f"{teams}, {threads}, {LEAST_THREADS}, {launch.spread}"
    grid = f"&{names.blocks}, &{names.threads}"
    if direct is not None and direct.tiled:
        return f"rex_collapse_tiles({space}, {limits}, {grid}, &{names.second}, &{names.tiling})"
    most = str(collapsed.most_threads or launch.most_teams * collapsed.threads)
    return f"rex_collapse({space}, {limits}, {most}, {grid})"


def _trip_count(names: BlockNames, launch: LaunchShape) -> HostExpression | None:
    """The iterations to cover. Where the host may not read them, they are as many as the default grid has threads."""
    found = launch.trip_count
    if found is None:
        return None
    for pointer in launch.followed:
        present = Call("rex_on_device", (Variable(names.device_id), pointer))
        found = Conditional(present, found, Number(launch.default_teams * launch.default_threads))
    return found


def _shaping(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that set the threads per block and the number of blocks."""
    launch = region.launch
    loop = region.kind is KernelKind.WORKSHARING and launch.trip_count is not None
    threads = str(launch.threads or launch.default_threads)
    if loop and launch.threads is None:
        most = min(launch.default_threads, launch.thread_cap or launch.default_threads)
        spread = launch.spread if launch.teams is None and launch.default_teams > 1 else 0
        threads = f"rex_threads({names.trip_count}, {most}, {LEAST_THREADS}, {spread})"
    lines = [f"int {names.threads} = {threads};"]
    if launch.threads is not None and launch.threads.value not in range(1, MAX_THREADS + 1):
        lines.append(f"if ({names.threads} > 1024) {names.threads} = 1024; /* the most that hardware takes */")
        lines.append(f"if ({names.threads} < 1) {names.threads} = 1;")
    if launch.parallel_if is not None:
        lines.append(f"if ({Not(launch.parallel_if)}) {names.threads} = 1;")
    threads_are_teams = launch.serial_launch in (SerialLaunch.ONE_TEAM, SerialLaunch.LIMITED_TEAMS)
    if threads_are_teams and launch.teams is None:
        limited = "== 1" if launch.serial_launch is SerialLaunch.ONE_TEAM else "> 0"
        lines.append(f"if (rex_omp_max_teams() {limited}) {names.threads} = 1;")
    blocks = str(launch.teams or launch.default_teams)
    if launch.teams is None and launch.default_teams > 1 and launch.trip_count is not None:
        per_block = f"{names.threads}" if loop else "1"
        most_blocks = str(launch.most_teams or _INT_MAX)
        if launch.most_threads and loop:
            most_blocks = f"{launch.most_threads} / {per_block}"
        blocks = f"rex_blocks({names.trip_count}, {per_block}, {most_blocks})"
    lines.append(f"int {names.blocks} = {blocks};")
    if launch.teams is not None and (launch.teams.value or 0) < 1:
        lines.append(f"if ({names.blocks} < 1) {names.blocks} = 1;")
    if launch.teams_if is not None:
        alone = f"{names.blocks} = {names.threads} = 1" if threads_are_teams else f"{names.blocks} = 1"
        lines.append(f"if ({Not(launch.teams_if)}) {alone};")
    if threads_are_teams and launch.teams is not None:
        lines.append(f"if ({names.blocks} == 1) {names.threads} = 1;")
    if launch.serial_launch is SerialLaunch.ONE_THREAD:
        lines.append(f"if ({names.threads} == 1) {names.blocks} = 1;")
    if launch.icv_teams:
        lines.append(f"{names.blocks} = rex_limited({names.blocks}, rex_omp_max_teams());")
    if launch.icv_threads:
        lines.append(f"{names.threads} = rex_limited({names.threads}, rex_omp_teams_thread_limit());")
    return lines


# -- data constructs ---------------------------------------------------------------------------------------------

_CALLS = {
    "target enter data": "__tgt_target_data_begin",
    "target exit data": "__tgt_target_data_end",
    "target update": "__tgt_target_data_update",
}


def _data_part(location: Location, names: BlockNames, data: DataConstruct, pad: str) -> Part:
    rows, literals = _row_texts(location, names, data.mapping.rows)
    assert not literals
    change = -1 if data.directive == "target exit data" else 1
    guard = f"if ({names.on_device}) " if data.condition and data.directive not in _CALLS else ""
    row_lines = _row_lines(names, data.mapping, rows, change, guard)
    common = {
        "n": names,
        "where": location,
        "location": location.constant,
        "directive": data.directive,
        "condition": data.condition,
        "truth": Binary("!=", data.condition, Number(0)) if data.condition is not None else None,
        "temporaries": data.mapping.temporaries,
        "device": data.device,
        "rows": rows,
        "row_lines": row_lines,
        "constant_sizes": data.mapping.constant_sizes,
        "adjustments": _adjustments(names, data.mapping, change, names.arrays, guard),
    }
    if data.directive in _CALLS:
        text = environment().get_template("data_call.c.j2").render(**common, function=_CALLS[data.directive])
        before, after = _task_lines(names, data.task)
        return Part(data.start, data.pragma_end, data.pragma_end, _indented([*before, text, *after], pad))
    end_rows, _ = _row_texts(location, names, data.end_mapping.rows if data.end_mapping is not None else ())
    returns = any(row.flags & MAP_RETURN_PARAM for row in data.mapping.rows)
    present = any(row.flags & MAP_PRESENT for row in data.mapping.rows)
    end_arrays: Sequence[str] = names.arrays
    if row_lines:
        end_arrays = growing(names.end_rows)
    elif present:
        end_arrays = [*names.arrays[:3], names.end_arg_types]
    begin = (
        environment()
        .get_template("data_begin.c.j2")
        .render(
            **common,
            returns=returns,
            end_rows=end_rows,
            pointers=[
                f"{declaration} = {names.args_base}[{_row_index(names, data.mapping, row)}];"
                for row, declaration in data.device_pointers
            ],
        )
    )
    end = (
        environment()
        .get_template("data_end.c.j2")
        .render(
            n=names,
            condition=data.condition,
            present=present,
            row_lines=row_lines,
            rows=end_rows,
            count=len(end_rows),
            adjustments=_adjustments(names, data.mapping, -1, end_arrays, guard),
            bases=names.end_args_base if returns else names.args_base,
            types=names.end_arg_types if present else names.arg_types,
        )
    )
    return Part(data.start, data.pragma_end, data.end, _indented([begin], pad), _indented([end], pad))
