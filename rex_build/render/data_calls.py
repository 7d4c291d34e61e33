"""Prints the calls of libomptarget for data constructs."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan.data import DataConstruct
from ..plan.rows import MAP_PRESENT, MAP_RETURN_PARAM
from . import frames
from .block_names import BlockNames, growing
from .host_edits import Part
from .host_versions import task_lines
from .indentation import indented
from .locations import Location
from .map_arrays import adjusting_statements, index_of_row, row_statements, rows_as_text

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
    arrays = frames.arrays(
        names, data.mapping, rows, row_lines, adjusting_statements(names, data.mapping, change, names.arrays, guard)
    )
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
    returns = any(row.flags & MAP_RETURN_PARAM for row in data.mapping.rows)
    present = any(row.flags & MAP_PRESENT for row in data.mapping.rows)
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
    return begin, frames.data_end(names, data, grown, end_rows, present, adjustments, bases)
