"""Prints the statements that compute how many blocks and threads a kernel is launched with."""

from __future__ import annotations

from ..plan.host_expression import Call, Conditional, HostExpression, Not, Number, Variable
from ..plan.launch import LEAST_THREADS, LEAST_TILE, MAX_THREADS, LaunchShape, SerialLaunch
from ..plan.region import KernelKind, TargetRegion
from .block_names import BlockNames

_INT_MAX = 2147483647


def shape_statements(names: BlockNames, region: TargetRegion) -> list[str]:
    """The statements that set the threads per block and the number of blocks."""
    launch = region.launch
    loop = region.kind is KernelKind.WORKSHARING and launch.trip_count is not None
    threads = str(launch.threads or launch.default_threads)
    if loop and launch.threads is None:
        most = str(min(launch.default_threads, launch.thread_cap or launch.default_threads))
        if launch.light_threads:
            most = f"{names.trip_count} <= {launch.light_trips} ? {launch.light_threads} : {most}"
        spread = launch.spread if launch.teams is None and launch.default_teams > 1 else 0
        direct, collapsed = region.optimised.direct, region.optimised.collapsed
        tiled = (collapsed is not None and not collapsed.optimised.staged) or (direct is not None and direct.tiled)
        threads = f"rex_threads({names.trip_count}, {most}, {LEAST_TILE if tiled else LEAST_THREADS}, {spread})"
    lines = [f"int {names.threads} = {threads};"]
    if launch.threads is not None and launch.threads.value not in range(1, MAX_THREADS + 1):
        lines.append(
            f"if ({names.threads} > {MAX_THREADS}) {names.threads} = {MAX_THREADS}; /* the most that hardware takes */"
        )
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


def covered_trips(names: BlockNames, launch: LaunchShape) -> HostExpression | None:
    """The iterations to cover. Where the host may not read them, they are as many as the default grid has threads."""
    found = launch.trip_count
    if found is None:
        return None
    for pointer in launch.followed:
        present = Call("rex_on_device", (Variable(names.device_id), pointer))
        found = Conditional(present, found, Number(launch.default_teams * launch.default_threads))
    return found
