"""The calls that launch kernels, with the choice between their versions, and those that move data."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan.host_expression import (
    Call,
    Cast,
    Conditional,
    HostExpression,
    Not,
    Number,
    OnDevice,
    Variable,
    conjuncts,
    product,
)
from ..plan.launch import LEAST_THREADS, LEAST_TILE, MAX_THREADS, LaunchShape, SerialLaunch
from ..plan.launch_policy import BLOCK_THREADS
from ..plan.optimised import CollapsedKernel, DirectKernel, OverlapTest, Tiles, Walks
from ..plan.rows import GATHERED, Adjustment, Map, Role
from ..plan.unit import DataConstruct, KernelKind, TargetRegion
from . import frames
from .frames import adjusting_statements, index_of_row, resolved, row_statements, rows_as_text, size_text
from .host_edits import Part, host_version_lines, kept_whole_part, may_be_set_lines, task_lines
from .lines import BlockNames, Location, call, condition, growing, indented

# Prints the statements that compute how many blocks and threads a kernel is launched with.

_INT_MAX = 2147483647


def shape_statements(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that set the threads per block and the number of blocks."""
    launch = region.launch
    loop = region.kind is KernelKind.WORKSHARING and launch.trip_count is not None
    lines: list[str] = []
    threads = str(launch.threads or launch.default_threads)
    if launch.limit and launch.threads is not None and launch.threads.value is None:
        lines += _within_hardware(names.thread_limit, threads)
        threads = names.thread_limit
    if loop and (launch.threads is None or launch.limit):
        most = threads
        if launch.threads is None:
            most = str(min(launch.default_threads, launch.thread_cap or launch.default_threads))
        if launch.light_threads:
            most = f"{names.trip_count} <= {launch.light_trips} ? {launch.light_threads} : {most}"
        direct, collapsed = region.optimised.direct, region.optimised.collapsed
        tiled = collapsed is not None and not collapsed.optimised.staged
        tiled = tiled or (direct is not None and direct.tiles is not None)
        threads = f"rex_threads({names.trip_count}, {most}, {LEAST_TILE if tiled else LEAST_THREADS}, {launch.spread})"
    if lines or launch.threads is None or launch.threads.value in range(1, MAX_THREADS + 1):
        lines.append(f"int {names.threads} = {threads};")
    else:
        lines += _within_hardware(names.threads, threads)
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


def covered_trips(names: BlockNames, launch: LaunchShape) -> HostExpression | None:
    """The iterations to cover. Where the host may not read them, they are as many as the default grid has threads."""
    found = launch.trip_count
    if found is None:
        return None
    return _if_present(names, launch.followed, found, launch.default_teams * launch.default_threads)


def _if_present(
    names: BlockNames, pointers: Sequence[HostExpression], value: HostExpression, otherwise: int
) -> HostExpression:
    """A value for which the host reads what pointers lead to, if that is on the device."""
    for pointer in pointers:
        value = Conditional(Call("rex_on_device", (Variable(names.device_id), pointer)), value, Number(otherwise))
    return value


# Prints the tests by which the host chooses between the general kernel, the direct one and the collapsed one.

def choice_statements(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that find out which kernel can be launched."""
    direct, collapsed, walks = region.optimised.direct, region.optimised.collapsed, region.optimised.walks
    lines: list[str] = []
    if is_tiled(region):
        lines += [f"rex_uint64 {names.tiling} = 0;", f"struct rex_second_dimension {names.second} = {{0, 0}};"]
    values = dict.fromkeys(c.followed for c in region.optimised.expected if isinstance(c.followed, OnDevice))
    for value in values:
        lines.append(f"void *const {resolved(names, value)} = {_if_present(names, [value.pointer], value.of, 0)};")
    others = (collapsed.optimised if collapsed is not None else None, region.walking_optimised)
    kernels = [d for d in (direct, *(other.direct for other in others if other is not None)) if d is not None]
    looked_up = _OverlapLines(names)
    apart = {k.overlap_tests: looked_up.tests(k.overlap_tests) for k in kernels if k.overlap_tests}
    lines += looked_up.lines
    if len(kernels) == 2 and len(apart) == 1:  # both kernels need the same
        (tests,) = apart
        lines.append(condition(names.apart, apart[tests]))
        apart[tests] = [names.apart]
    if collapsed is not None:
        assert collapsed.optimised.direct is not None
        *outer, inner = (_if_present(names, collapsed.pointers, count, 0) for count in collapsed.counts)
        trips = {covered_trips(names, region.launch): names.trip_count}  # with the names that have been declared
        for name, count in ((names.outer_trips, product(outer)), (names.inner_trips, inner)):
            if count not in trips:
                trips[count] = name
                lines.append(f"const rex_int64 {name} = {count};")
        space = f"{trips[product(outer)]}, {trips[inner]}, {names.trip_count}"
        found = apart.get(collapsed.optimised.direct.overlap_tests, [])
        present = [str(Call("rex_on_device", (Variable(names.device_id), pointer))) for pointer in collapsed.pointers]
        found = [*present, *conjuncts(collapsed.conditions), *found, _collapsed_shape(names, region, collapsed, space)]
        lines.append(condition(names.collapsed, found))
    if walks is not None:
        tests = walks.optimised.direct.overlap_tests if walks.optimised is not None and walks.optimised.direct else ()
        lines.append(condition(names.walks, [*_long_rows(names, walks), *apart.get(tests, [])]))
        lines.append(f"if ({names.walks}) {names.blocks} = {walks.threads} / {names.threads};")
    if direct is not None:
        found = [f"!{names.collapsed}"] if collapsed is not None else []
        found += [f"!{names.walks}"] if walks is not None and (direct.once or direct.tiles is not None) else []
        found += [*apart.get(direct.overlap_tests, []), *_direct_shape(names, region, direct)]
        lines.append(condition(names.direct, found))
        if region.optimised.block is not None:
            lines.append(f"if ({names.direct}) {names.threads} = {BLOCK_THREADS};")
    return lines


def _long_rows(names: BlockNames, walks: Walks) -> list[str]:
    """The conditions under which fewer threads than iterations are worth while."""
    row = f"{names.trip_count} * {walks.row}"
    long_ones = " + ".join(f"rex_reaches({names.device_id}, {pointer}, {row})" for pointer in walks.pointers)
    return [f"(rex_int64){names.blocks} * {names.threads} > {2 * walks.threads}", f"{long_ones} > 1"]


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
                first, second = resolved(self.names, pair.first), resolved(self.names, pair.second)
                sides = ((first, pair.first_size), (second, pair.second_size))
                arguments = (f"{p}, {size_text(size or Number(0))}, {self._shift(p)}" for p, size in sides)
                found.append(call("rex_elsewhere", *arguments, self.names.device_id))
                continue
            size = size_text(pair.first_size)
            found.append(call("rex_apart", f"{pair.first}, {size}", f"{pair.second}, {size_text(pair.second_size)}"))
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


def is_tiled(region: TargetRegion) -> bool:
    """Whether a launch of a region may have two dimensions."""
    direct, collapsed = region.optimised.direct, region.optimised.collapsed
    found = (direct, collapsed.optimised.direct if collapsed is not None else None)
    return any(kernel is not None and kernel.tiles is not None for kernel in found)


def _direct_shape(names: BlockNames, region: TargetRegion, direct: DirectKernel) -> list[str]:
    """The condition under which the direct kernel's grid covers the loop."""
    launch = region.launch
    if direct.tiles is not None:
        most = names.blocks if launch.teams is not None else "rex_omp_max_teams()" if launch.icv_teams else "0"
        *outer, inner = launch.trip_counts
        grid = f"&{names.blocks}, &{names.threads}, &{names.second}, &{names.tiling}"
        space = f"{product(outer)}, {inner}"
        if direct.tiles is Tiles.TURNED:
            space = f"{inner}, {product(outer)}"
        if region.optimised.batched:
            return [call("rex_tile_batches", space, most, str(launch.most_threads), grid)]
        if region.sharing.reductions:
            narrow = str(int(direct.tiles is Tiles.NARROW))
            return [call("rex_tile_sums", narrow, space, most, str(launch.most_threads), grid)]
        return [call("rex_narrow_tile" if direct.tiles is Tiles.NARROW else "rex_tile", space, most, grid)]
    sharing = names.threads if region.kind is KernelKind.WORKSHARING else "1"  # of a team, where teams share the loop
    return [f"rex_covers({names.blocks}, {sharing}, {names.trip_count})"] if direct.once else []


def _within_hardware(name: str, value: str) -> list[str]:
    """Declares a number of threads per block, which a clause gives."""
    return [
        f"int {name} = {value};",
        f"if ({name} > {MAX_THREADS}) {name} = {MAX_THREADS}; /* the most that hardware takes */",
        f"if ({name} < 1) {name} = 1;",
    ]


def _collapsed_shape(names: BlockNames, region: TargetRegion, collapsed: CollapsedKernel, space: str) -> str:
    """The condition under which the collapsed kernel is worth while. Then the launch has its shape.

    ``space`` are the iterations of the outer loops, of the inner one, and those of the general kernel.
    """
    launch, direct = region.launch, collapsed.optimised.direct
    if collapsed.optimised.staged:
        teams = "rex_omp_max_teams()" if launch.icv_teams else "0"
        if launch.teams is not None:  # no more warps than the clauses allow
            teams = f"(rex_int64){names.blocks} * {names.threads} / 32"
        limits = f"{collapsed.enough}, {collapsed.least}, {teams}, {collapsed.most_threads}"
        return call("rex_grid_of_rows", space, limits, f"&{names.blocks}, &{names.threads}")
    if launch.teams is not None:  # what clauses say is kept
        threads = f"(rex_int64){names.blocks} * {names.threads}"
        return call("rex_is_collapsible", space, threads, str(collapsed.least), names.threads)
    teams = "rex_omp_max_teams()" if launch.icv_teams else "0"
    threads, fewest = str(collapsed.threads), str(LEAST_TILE)
    if launch.threads is not None:  # what a clause says is kept
        limit = names.thread_limit if launch.threads.value is None else str(launch.threads.value)
        threads = fewest = limit if launch.limit else names.threads
    elif launch.icv_threads:
        threads = f"rex_limited({threads}, rex_omp_teams_thread_limit())"
    worth = f"{collapsed.enough}, {collapsed.least}"
    limits = f"{teams}, {threads}, {fewest}, {launch.spread}"
    grid = f"&{names.blocks}, &{names.threads}"
    if direct is not None and direct.tiles is not None and region.sharing.reductions:
        narrow, second = str(int(direct.tiles is Tiles.NARROW)), f"&{names.second}, &{names.tiling}"
        return call("rex_collapse_sums", narrow, space, worth, limits, str(collapsed.most_threads), f"{grid}, {second}")
    if direct is not None and direct.tiles is not None:
        tiles = "rex_collapse_narrow_tiles" if direct.tiles is Tiles.NARROW else "rex_collapse_tiles"
        return call(tiles, space, worth, limits, f"{grid}, &{names.second}, &{names.tiling}")
    most = str(collapsed.most_threads or launch.most_teams * collapsed.threads)
    return call("rex_collapse", space, worth, f"{limits}, {most}", grid)


# Prints the block that launches a region's kernel, or runs the region's host version.

def region_part(location: Location, names: BlockNames, region: TargetRegion, pad: str) -> Part:
    rows, literals = rows_as_text(location, names, region.mapping.rows)
    row_lines = row_statements(names, region.mapping, rows, 0)
    adjusted = adjusting_statements(names, region.mapping, 0, names.arrays)
    block = frames.launch(
        location,
        names,
        region,
        covered_trips(names, region.launch),
        shape_statements(names, region),
        _values(names, region),
        literals,
        frames.arrays(location, names, region.mapping, rows, row_lines, adjusted),
        is_tiled(region),
        _cleanup(names, region, bool(row_lines)),
    )
    task_begin, task_end = task_lines(names, region.task, region.host.copies)
    begin, end = host_version_lines(names, region.host)
    before = [*task_begin, *([_allocators(region)] if region.allocators else []), block]
    before += [f"        omp_allocator_handle_t {a.name} = {a.host};" for a in region.allocators]
    before += indented(begin, "        ")
    after = list(indented(end, "        "))
    after += [f"        omp_destroy_allocator({a.name});" for a in region.allocators]
    after += ["    }\n}", *(["}"] if region.allocators else []), *task_end]
    return kept_whole_part(region, indented(before, pad), indented(after, pad))


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
            lines.insert(0, f"rex_stand_out({names.stand_in(number)});")
    return [*lines, f"__builtin_free({names.partials});"] if region.has(Role.PARTIALS) else lines


def _values(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that compute values for the kernel and pack them as literals."""
    lines = may_be_set_lines(names, region.host.copies)
    lines += [f"const unsigned long long {e.name} = {e.host};" for e in region.extents]
    lines += choice_statements(names, region)
    if region.has(Role.PARTIALS):
        size = f"{region.reduced_elements} * (1 + (rex_int64){names.blocks}) * (rex_int64)sizeof(rex_uint64)"
        if region.gathers:
            sizes = [
                f"(rex_int64)({r.own_size}) + {GATHERED * (r.count or 1)}"
                for r in region.sharing.reductions
                if r.own_size
            ]
            size = " + ".join(sizes)
        lines.append(f"const rex_int64 {names.partials_size} = {size};")
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


# Prints the calls of libomptarget for data constructs.

_CALLS = {
    "target enter data": "__tgt_target_data_begin",
    "target exit data": "__tgt_target_data_end",
    "target update": "__tgt_target_data_update",
}


def data_part(location: Location, names: BlockNames, data: DataConstruct, pad: str) -> Part:
    rows, literals = rows_as_text(location, names, data.mapping.rows)
    assert not literals
    change = -1 if data.directive == "target exit data" else 1
    guard = f"if ({names.on_device}) " if data.condition and data.directive not in _CALLS else ""
    row_lines = row_statements(names, data.mapping, rows, change, guard)
    adjusted = adjusting_statements(names, data.mapping, change, names.arrays, guard)
    arrays = frames.arrays(location, names, data.mapping, rows, row_lines, adjusted)
    grown = bool(row_lines)
    if data.directive in _CALLS:
        text = frames.data_call(location, names, data, arrays, grown, _CALLS[data.directive])
        before, after = task_lines(names, data.task)
        return Part(data.start, data.pragma_end, data.pragma_end, indented([*before, text, *after], pad))
    begin, end = _block(location, names, data, arrays, grown, guard)
    return Part(data.start, data.pragma_end, data.end, indented([begin], pad), indented([end], pad))


def _block(
    location: Location, names: BlockNames, data: DataConstruct, arrays: str, grown: bool, guard: str
) -> tuple[str, str]:
    """The texts around the statement of ``target data``."""
    end_rows, _ = rows_as_text(location, names, data.end_mapping.rows if data.end_mapping is not None else ())
    returns = any(row.flags & Map.RETURN_PARAM for row in data.mapping.rows)
    present = any(row.flags & Map.PRESENT for row in data.mapping.rows)
    end_arrays: Sequence[str] = names.arrays
    if grown:
        end_arrays = growing(names.end_rows)
    elif present:
        end_arrays = [*names.arrays[:3], names.end_arg_types]
    pointers = [
        f"{declaration} = {cast}{names.args_base}[{index_of_row(names, data.mapping, row)}];"
        for row, declaration, cast in data.device_pointers
    ]
    adjustments = adjusting_statements(names, data.mapping, -1, end_arrays, guard)
    bases = names.end_args_base if returns else names.args_base
    begin = frames.data_begin(location, names, data, arrays, grown, end_rows if returns else (), pointers)
    return begin, frames.data_end(location, names, data, grown, end_rows, present, adjustments, bases)
