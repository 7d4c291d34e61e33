"""The rows of a construct, as arrays that libomptarget reads, and the code around its calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.names import PAD, in_comment, indent_lines, ready_kernel
from ..base.records import dataclass
from ..plan.host_expression import AddressOf, Binary, Cast, HostExpression, Not, Number, OnDevice, Variable
from ..plan.rows import MEMBER_OF_SHIFT, Adjustment, DataMapping, Map, MapRow, RowLoop, flag_names
from ..plan.unit import DataConstruct, TargetRegion, TranslationUnitPlan
from .lines import BlockNames, Location, growing

# Prints the rows of map arrays, and the statements that build and change rows whose number only the run knows.

@dataclass(frozen=True)
class RowText:
    """The texts of a row, as the arrays have them."""

    base: str
    pointer: str
    size: str
    flags: str
    note: str
    name: str


@dataclass(frozen=True)
class LiteralText:
    """The address of what a literal row carries, and its size in bytes."""

    address: str
    size: str


def rows_as_text(
    location: Location, names: BlockNames, rows: Sequence[MapRow]
) -> tuple[list[RowText], list[LiteralText]]:
    """(the rows as text, what the literal rows carry in order)"""
    texts: list[RowText] = []
    literals: list[LiteralText] = []
    for row in rows:
        base, pointer = str(resolved(names, row.base)), str(resolved(names, row.pointer))
        if row.literal:
            base = pointer = names.literal(len(literals))
            literals.append(LiteralText(str(AddressOf(row.base)), str(row.size)))
        note, name = in_comment(str(row.note)), location.name(row.note.name)
        texts.append(RowText(base, pointer, size_text(row.size), _flags(row.flags), note, name))
    return texts, literals


def resolved(names: BlockNames, value: HostExpression) -> HostExpression:
    """A value in a block, where it may have a variable of its own."""
    return Variable(names.fresh(value.name)) if isinstance(value, OnDevice) else value


def row_statements(
    names: BlockNames, mapping: DataMapping, rows: Sequence[RowText], change: int, guard: str = ""
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
                call = f"rex_cover(&{extent}, {cover.pointer}, {size_text(cover.size)});"
                lines.append(f"{pad}{'    ' * len(cover.loops)}{call}")
            pointer, size = f"{extent}.rex_low", f"{extent}.rex_high ? {extent}.rex_high - {extent}.rex_low : 0"
        parent = row.flags >> MEMBER_OF_SHIFT
        flags = _flags(row.flags & ~(parent << MEMBER_OF_SHIFT))
        if parent:
            flags = f"rex_member_of({names.row(parent)}) | {flags}"
        call = f"rex_row(&{names.rows}, {base}, {pointer}, {size}, {flags}, {text.name}); /* {text.note} */"
        adjust = _adjust(names, mapping, number, names.row(number), change, growing(names.rows))
        keep = number in parents or row.flags & Map.RETURN_PARAM or adjust
        lines.append(f"{pad}const rex_int64 {names.row(number)} = {call}" if keep else f"{pad}{call}")
        lines += [f"{pad}{guard}{statement}" for statement in adjust if row.loops]
    enter(())
    return lines


def adjusting_statements(
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
        for at in (names.row(number) if mapping.is_dynamic else str(number),)
        for statement in _adjust(names, mapping, number, at, change, arrays)
    ]


def _adjust(
    names: BlockNames, mapping: DataMapping, row_number: int, number: str, change: int, arrays: Sequence[str]
) -> list[str]:
    """The statements that change one row. ``number`` is the text of its number."""
    row = mapping.rows[row_number - 1]
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
    count = f"{names.rows}.rex_count" if mapping.is_dynamic else len(mapping.rows)
    if Adjustment.END in wanted:
        lines.append(f"rex_end_of_row({number}, {count}, {', '.join(arrays[1:3])});")
    if Adjustment.STAND_IN in wanted:
        copy = names.stand_in(row_number)
        parts = "0, 0, 0"
        if row.pointers:
            used = [*row.pointers, *row.beside]
            lines.append(f"void *{names.used(row_number)}[] = {{{', '.join(map(str, used))}}};")
            parts = f"{names.used(row_number)}, {len(row.pointers)}, {len(used)}"
        lines.append(f"char *{copy} = rex_stand_in({device}, {number}, {count}, {', '.join(arrays)}, {parts});")
    return lines


def _for(loop: RowLoop) -> str:
    name, step = Variable(loop.name), loop.step.value
    upward, downward = Binary("<", name, loop.end), Binary(">", name, loop.end)
    more = str(upward if step is None or step > 0 else downward)
    if step is None:
        more = f"{Binary('>', loop.step, Number(0))} ? {upward} : {downward}"
    return f"for ({loop.type} {loop.name} = {loop.begin}; {more}; {loop.name} += {loop.step})"


def size_text(size: HostExpression) -> str:
    return str(size if isinstance(size, Number) else Cast("rex_int64", size))


def _flags(flags: int) -> str:
    """A row's flags, by their names in rex_kmp.h."""
    words = flag_names(flags)
    if words[:2] == ["TO", "FROM"]:
        words[:2] = ["TOFROM"]
    words.sort(key=lambda word: not word.startswith("MEMBER_OF"))
    return " | ".join(f"REX_MAP_{word}" for word in words or ["ALLOC"])


def index_of_row(names: BlockNames, mapping: DataMapping, row: int) -> str:
    """The index of a row in the arrays."""
    return f"{names.row(row + 1)} - 1" if mapping.is_dynamic else str(row)


# The frames of generated texts: what stands around the expressions and statements that other modules print.
#
# They are functions and no templates, because to import a template engine takes a tenth of the time in which a short
# file is lowered.

def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _table(declaration: str, lines: Iterable[str]) -> str:
    return _text([f"{declaration}[] = {{", *lines, "};"])


def _begin(location: Location, names: BlockNames, mapping: DataMapping, device: HostExpression) -> list[str]:
    """The declarations with which every block begins."""
    return [
        f"static const struct rex_location {names.location} = {location.constant};",
        *(f"const {t.type} {t.name} = {t.value};" for t in mapping.temporaries),
        f"rex_int64 {names.device_id} = {device};",
    ]


def arrays(
    location: Location,
    names: BlockNames,
    mapping: DataMapping,
    rows: Sequence[RowText],
    row_lines: Sequence[str],
    adjustments: Sequence[str],
) -> str:
    """The map arrays of a construct."""
    n, types_vary = names, bool(adjustments)
    sizes = f"{location.static if mapping.constant_sizes else ''}const rex_int64 {n.arg_sizes}"
    if row_lines:
        text = _text([f"struct rex_rows {n.rows} = {{0, 0, 0, 0, 0, 0, 0}};", *row_lines])
        text += f"""\
void **{n.args_base} = {n.rows}.rex_bases;
void **{n.args} = {n.rows}.rex_ptrs;
const rex_int64 *{n.arg_sizes} = {n.rows}.rex_sizes;
{"" if types_vary else "const "}rex_int64 *{n.arg_types} = {n.rows}.rex_types;
void **{n.arg_names} = {n.rows}.rex_names;
rex_int32 {n.arg_num} = (rex_int32){n.rows}.rex_count;
"""
    elif rows:
        text = _table(f"void *{n.args_base}", (f"{PAD}{row.base}, /* {row.note} */" for row in rows))
        text += _table(f"void *{n.args}", (f"{PAD}{row.pointer}," for row in rows))
        text += _table(sizes, (f"{PAD}{row.size}," for row in rows))
        types = f"{'' if types_vary else f'{location.static}const '}rex_int64 {n.arg_types}"
        text += _table(types, (f"{PAD}{row.flags}, /* {row.note} */" for row in rows))
        text += _table(f"{location.static}void *const {n.arg_names}", (f"{PAD}{row.name}," for row in rows))
        text += f"rex_int32 {n.arg_num} = {len(rows)};\n"
    else:
        text = f"""\
void **{n.args_base} = 0;
void **{n.args} = 0;
const rex_int64 *{n.arg_sizes} = 0;
const rex_int64 *{n.arg_types} = 0;
void **{n.arg_names} = 0;
rex_int32 {n.arg_num} = 0;
"""
    return text + _text(adjustments)


def launch(
    location: Location,
    names: BlockNames,
    region: TargetRegion,
    trip_count: HostExpression | None,
    shaping: Sequence[str],
    values: Sequence[str],
    literals: Sequence[LiteralText],
    map_arrays: str,
    tiled: bool,
    cleanup: Sequence[str],
) -> str:
    """What launches a region's kernel. It ends where the host version begins, which runs if there was no launch."""
    n = names
    address = f"void *{n.host_ptr} = (void *)&"
    declared = [*_begin(location, n, region.mapping, region.device)]
    if trip_count is not None:
        declared.append(f"rex_int64 {n.trip_count} = {trip_count};")
    declared += [*shaping, *values, f"{address}{region.launched(region.identity)};"]
    if region.optimised.direct is not None:
        other = region.launched(region.direct[1])
        declared += [f"if ({n.direct})", f"{PAD}{n.host_ptr} = (void *)&{other};"]
    if region.optimised.collapsed is not None:
        declared += [f"if ({n.collapsed})", f"{PAD}{n.host_ptr} = (void *)&{region.launched(region.collapsed[1])};"]
    if region.walking_optimised is not None:
        declared += [f"if ({n.walks})", f"{PAD}{n.host_ptr} = (void *)&{region.launched(region.walking[1])};"]
    for number, carried in enumerate(literals):
        packed = f"rex_pack_literal_arg_bytes({carried.address}, {carried.size})"
        declared.append(f"void *{n.literal(number)} = {packed};")
    blocks, threads = (f"{n.second}.rex_blocks", f"{n.second}.rex_threads") if tiled else ("0", "0")
    arguments = f"""\
struct __tgt_kernel_arguments {n.kernel_args} = {{
    REX_KERNEL_ARGS_VERSION, (rex_uint32){n.arg_num}, {n.args_base}, {n.args}, {n.arg_sizes}, {n.arg_types}, \
{n.arg_names}, 0,
    {f"(rex_uint64){n.trip_count}" if trip_count is not None else "0"}, REX_KERNEL_FLAG_STRICT,
    {{(rex_uint32){n.blocks}, {blocks}, 0}}, {{(rex_uint32){n.threads}, {threads}, 0}}, 0}};
"""
    ahead = _text(declared) + map_arrays + arguments
    call = (
        f"__tgt_target_kernel(&{n.location}, {n.device_id}, {n.blocks}, {n.threads}, {n.host_ptr}, &{n.kernel_args})"
    )
    if region.in_order or region.in_callers_run:
        run = "rex_launched_in_order" if region.in_order else "rex_launched_in_callers_run"
        own_rows = f"{sum(1 << row for row in region.own_rows):#x}"
        call = f"!{run}(&{n.location}, {n.host_ptr}, &{n.kernel_args}, {own_rows})\n        && {call}"
    text = f"{{ /* {location}: {region.directive} */\nREX_GENERATED_BEGIN\n"
    if region.condition is not None:
        text += f"    int {n.on_host} = {Not(region.condition)};\n    if (!{n.on_host}) {{\n"
        text += indent_lines(ahead, PAD * 2) + f"        {n.on_host} = {call} != 0;\n"
        text += _text([*(f"{PAD * 2}{line}" for line in cleanup), "    }"]) + f"    if ({n.on_host}) {{\n"
    elif cleanup:
        text += indent_lines(ahead) + f"    int {n.on_host} = {call} != 0;\n"
        text += _text(f"{PAD}{line}" for line in cleanup) + f"    if ({n.on_host}) {{\n"
    else:
        text += indent_lines(ahead) + f"    if ({call} != 0) {{\n"
    return text + "REX_GENERATED_END\n"


def _call(function: str, names: BlockNames, count: object, tables: Sequence[str]) -> str:
    n = names
    return f"{function}(&{n.location}, {n.device_id}, {count}, {', '.join(tables)}, {n.arg_names});"


def data_call(
    location: Location, names: BlockNames, data: DataConstruct, map_arrays: str, grown: bool, function: str
) -> str:
    """A data construct without a statement."""
    condition = f"if ({data.condition}) " if data.condition is not None else ""
    text = f"{condition}{{ /* {location}: {data.directive} */\nREX_GENERATED_BEGIN\n"
    text += indent_lines(_text(_begin(location, names, data.mapping, data.device)) + map_arrays)
    text += f"{PAD}{_call(function, names, names.arg_num, names.arrays)}\n"
    text += f"    rex_free_rows(&{names.rows});\n" if grown else ""
    return f"{text}REX_GENERATED_END\n}}\n"


def data_begin(
    location: Location,
    names: BlockNames,
    data: DataConstruct,
    map_arrays: str,
    grown: bool,
    end_rows: Sequence[RowText],
    pointers: Sequence[str],
) -> str:
    """What stands before the statement of ``target data``. Pointers that come back have ``end_rows``."""
    n = names
    declared = _begin(location, n, data.mapping, data.device)
    if data.condition is not None:
        declared.append(f"const int {n.on_device} = {Binary('!=', data.condition, Number(0))};")
    text = f"{{ /* {location}: {data.directive} */\nREX_GENERATED_BEGIN\n" + indent_lines(_text(declared) + map_arrays)
    if grown:
        text += f"    struct rex_rows {n.end_rows} = rex_end_rows(&{n.rows});\n"
    elif end_rows:
        text += indent_lines(_table(f"void *{n.end_args_base}", (f"{PAD}{r.base}, /* {r.note} */" for r in end_rows)))
    text += _guarded(names, data, _call("__tgt_target_data_begin", n, n.arg_num, n.arrays))
    return text + _text(["    {", *(f"{PAD * 2}{pointer}" for pointer in pointers), "REX_GENERATED_END"])


def data_end(
    location: Location,
    names: BlockNames,
    data: DataConstruct,
    grown: bool,
    rows: Sequence[RowText],
    present: bool,
    adjustments: Sequence[str],
    bases: str,
) -> str:
    """What stands behind the statement of ``target data``."""
    n = names
    text = "    }\n"
    if grown:
        end = n.end_rows
        again = PAD if data.condition is not None else ""
        call = f"__tgt_target_data_end(&{n.location}, {n.device_id}, {n.arg_num}, {end}.rex_bases, {end}.rex_ptrs,\n"
        call += f"        {again}{end}.rex_sizes, {end}.rex_types, {end}.rex_names);"
        text += _text(f"{PAD}{line}" for line in adjustments) + _guarded(names, data, call)
        text += f"    rex_free_rows(&{n.rows});\n    rex_free_rows(&{end});\n"
        return text + "}\n"
    if present:
        declaration = f"{'' if adjustments else f'{location.static}const '}rex_int64 {n.end_arg_types}"
        text += indent_lines(_table(declaration, (f"{PAD}{row.flags}, /* {row.note} */" for row in rows)))
    text += _text(f"{PAD}{line}" for line in adjustments)
    if rows:
        tables = (bases, n.args, n.arg_sizes, n.end_arg_types if present else n.arg_types)
        text += _guarded(names, data, _call("__tgt_target_data_end", n, len(rows), tables))
    return text + "}\n"


def _guarded(names: BlockNames, data: DataConstruct, call: str) -> str:
    guard = f"if ({names.on_device})\n        " if data.condition is not None else ""
    return f"    {guard}{call}\n"


def kernel(where: str, directive: str, bound: object, head: str, body: str) -> str:
    return f"""\
// {where}: {directive}
extern "C" __global__ void __launch_bounds__({bound})
{head}
{{
{body}
}}
"""


def device_file(
    version: str,
    source: str,
    macros: Sequence[str],
    headers: Sequence[str],
    types: str,
    prototypes: Sequence[str],
    variables: Sequence[str],
    indirect: tuple[str, Sequence[str]] | None,
    separable: bool,
    locks: Sequence[str],
    functions: Sequence[str],
    kernels: Sequence[str],
    last: Sequence[str],
) -> str:
    """The device file. ``indirect`` are the table of functions that are called by address, and these functions."""
    text = f"/* rex-build {version}: device code of {source} */\n" + _text(f"#define {macro}" for macro in macros)
    text += '#include "xomp_cuda_lib_inlined.cu"\n' + _text(f"#include <{header}>" for header in headers)
    text += f"\n{types}" if types else ""
    text += _text(f"{prototype};" for prototype in prototypes)
    if variables:
        text += f'\nextern "C" {{\n{"".join(variables)}}}\n'
    if indirect is not None:
        table, names = indirect
        text += f"""
/* What host pointers to functions mean here: every launch that may need them brings the host's addresses. */
extern "C" {{
__device__ void *{table}[{len(names)}];
}}
static __device__ void *const __rex_device_functions[] = {{{", ".join(f"(void *){name}" for name in names)}}};
"""
        if not separable:
            translated = f"rex_translated(f, {table}, __rex_device_functions, {len(names)})"
            text += f"#undef REX_FUNCTION\n#define REX_FUNCTION(f) {translated}\n"
    text += _text(f"REX_DEFINE_LOCK({lock});" for lock in locks)
    text += "".join(f"\n{function}" for function in (*functions, *kernels))
    return text + ("\n" + _text(last) if last else "")


def last_lines(plan: TranslationUnitPlan) -> list[str]:
    """The lines with which the device file of a unit with entries ends."""
    return [
        *(f'REX_LOOKED_UP("{name}")' for name in plan.looked_up),
        "// What rex_offload_init() launches, so that nothing is new when the program's own kernels come.",
        f"REX_READY_KERNEL({ready_kernel(plan.unit)})",
    ]
