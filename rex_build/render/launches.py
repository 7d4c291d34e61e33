"""Prints the block that launches a region's kernel, or runs the region's host version."""

from __future__ import annotations

from ..plan.region import TargetRegion
from ..plan.rows import GATHERED, Adjustment, Role
from . import frames
from .block_names import BlockNames
from .host_edits import Part
from .host_versions import host_version_lines, kept_whole_part, may_be_set_lines, task_lines
from .indentation import indented
from .kernel_choice import choice_statements, is_tiled
from .launch_shape import covered_trips, shape_statements
from .locations import Location
from .map_arrays import adjusting_statements, row_statements, rows_as_text


def region_part(location: Location, names: BlockNames, region: TargetRegion, pad: str) -> Part:
    rows, literals = rows_as_text(location, names, region.mapping.rows)
    row_lines = row_statements(names, region.mapping, rows, 0)
    block = frames.launch(
        location,
        names,
        region,
        covered_trips(names, region.launch),
        shape_statements(names, region),
        _values(names, region),
        literals,
        frames.arrays(
            names, region.mapping, rows, row_lines, adjusting_statements(names, region.mapping, 0, names.arrays)
        ),
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
