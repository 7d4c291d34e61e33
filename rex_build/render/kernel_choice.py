"""Prints the tests by which the host chooses between the general kernel, the direct one and the collapsed one."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan.host_expression import Cast, HostExpression, Number, conjuncts, product
from ..plan.launch import LEAST_TILE
from ..plan.launch_policy import BLOCK_THREADS
from ..plan.optimised import CollapsedKernel, DirectKernel, OverlapTest, Walks
from ..plan.region import KernelKind, TargetRegion
from .block_names import BlockNames
from .launch_shape import covered_trips
from .lines import call, condition
from .map_arrays import size_text


def choice_statements(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that find out which kernel can be launched."""
    direct, collapsed, walks = region.optimised.direct, region.optimised.collapsed, region.optimised.walks
    lines: list[str] = []
    if is_tiled(region):
        lines += [f"rex_uint64 {names.tiling} = 0;", f"struct rex_second_dimension {names.second} = {{0, 0}};"]
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
        *outer, inner = collapsed.counts
        trips = {covered_trips(names, region.launch): names.trip_count}  # with the names that have been declared
        for name, count in ((names.outer_trips, product(outer)), (names.inner_trips, inner)):
            if count not in trips:
                trips[count] = name
                lines.append(f"const rex_int64 {name} = {count};")
        space = f"{trips[product(outer)]}, {trips[inner]}, {names.trip_count}"
        found = apart.get(collapsed.optimised.direct.overlap_tests, [])
        found = [*conjuncts(collapsed.conditions), *found, _collapsed_shape(names, region, collapsed, space)]
        lines.append(condition(names.collapsed, found))
    if walks is not None:
        tests = walks.optimised.direct.overlap_tests if walks.optimised is not None and walks.optimised.direct else ()
        lines.append(condition(names.walks, [*_long_rows(names, walks), *apart.get(tests, [])]))
        lines.append(f"if ({names.walks}) {names.blocks} = {walks.threads} / {names.threads};")
    if direct is not None:
        found = [f"!{names.collapsed}"] if collapsed is not None else []
        found += [f"!{names.walks}"] if walks is not None and direct.once else []
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
                sides = ((pair.first, pair.first_size), (pair.second, pair.second_size))
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
    return any(kernel is not None and kernel.tiled for kernel in found)


def _direct_shape(names: BlockNames, region: TargetRegion, direct: DirectKernel) -> list[str]:
    """The condition under which the direct kernel's grid covers the loop."""
    launch = region.launch
    if direct.tiled:
        most = "rex_omp_max_teams()" if launch.icv_teams else "0"
        *outer, inner = launch.trip_counts
        grid = f"&{names.blocks}, &{names.threads}, &{names.second}, &{names.tiling}"
        space = f"{product(outer)}, {inner}"
        if region.optimised.batched:
            return [call("rex_tile_batches", space, most, str(launch.most_threads), grid)]
        return [call("rex_tile", space, most, grid)]
    sharing = names.threads if region.kind is KernelKind.WORKSHARING else "1"  # of a team, where teams share the loop
    return [f"rex_covers({names.blocks}, {sharing}, {names.trip_count})"] if direct.once else []


def _collapsed_shape(names: BlockNames, region: TargetRegion, collapsed: CollapsedKernel, space: str) -> str:
    """The condition under which the collapsed kernel is worth while. Then the launch has its shape.

    ``space`` are the iterations of the outer loops, of the inner one, and those of the general kernel.
    """
    launch, direct = region.launch, collapsed.optimised.direct
    if launch.teams is not None:  # what clauses say is kept
        threads = f"(rex_int64){names.blocks} * {names.threads}"
        return call("rex_is_collapsible", space, threads, str(collapsed.least), names.threads)
    teams = "rex_omp_max_teams()" if launch.icv_teams else "0"
    threads, fewest = str(collapsed.threads), str(LEAST_TILE)
    if launch.threads is not None:  # what a clause says is kept
        threads = fewest = names.threads
    elif launch.icv_threads:
        threads = f"rex_limited({threads}, rex_omp_teams_thread_limit())"
    worth = f"{collapsed.enough}, {collapsed.least}"
    limits = f"{teams}, {threads}, {fewest}, {launch.spread}"
    grid = f"&{names.blocks}, &{names.threads}"
    if collapsed.optimised.staged:
        return call("rex_grid_of_rows", space, worth, f"{teams}, {collapsed.most_threads}", grid)
    if direct is not None and direct.tiled:
        return call("rex_collapse_tiles", space, worth, limits, f"{grid}, &{names.second}, &{names.tiling}")
    most = str(collapsed.most_threads or launch.most_teams * collapsed.threads)
    return call("rex_collapse", space, worth, f"{limits}, {most}", grid)
