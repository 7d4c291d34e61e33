"""Prints the calls of libomptarget for data constructs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..plan.data import DataConstruct
from ..plan.host_expression import Binary, Number
from ..plan.rows import MAP_PRESENT, MAP_RETURN_PARAM
from .block_names import BlockNames, growing
from .host_edits import Part
from .host_versions import task_lines
from .indentation import indented
from .locations import Location
from .map_arrays import adjusting_statements, index_of_row, row_statements, rows_as_text
from .templating import environment

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
        "adjustments": adjusting_statements(names, data.mapping, change, names.arrays, guard),
    }
    if data.directive in _CALLS:
        text = environment().get_template("data_call.c.j2").render(**common, function=_CALLS[data.directive])
        before, after = task_lines(names, data.task)
        return Part(data.start, data.pragma_end, data.pragma_end, indented([*before, text, *after], pad))
    begin, end = _block(location, names, data, common, guard)
    return Part(data.start, data.pragma_end, data.end, indented([begin], pad), indented([end], pad))


def _block(
    location: Location, names: BlockNames, data: DataConstruct, common: Mapping[str, Any], guard: str
) -> tuple[str, str]:
    """The texts around the statement of ``target data``. ``common`` is what all templates print."""
    end_rows, _ = rows_as_text(location, names, data.end_mapping.rows if data.end_mapping is not None else ())
    returns = any(row.flags & MAP_RETURN_PARAM for row in data.mapping.rows)
    present = any(row.flags & MAP_PRESENT for row in data.mapping.rows)
    end_arrays: Sequence[str] = names.arrays
    if common["row_lines"]:
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
                f"{declaration} = {cast}{names.args_base}[{index_of_row(names, data.mapping, row)}];"
                for row, declaration, cast in data.device_pointers
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
            row_lines=common["row_lines"],
            rows=end_rows,
            count=len(end_rows),
            adjustments=adjusting_statements(names, data.mapping, -1, end_arrays, guard),
            bases=names.end_args_base if returns else names.args_base,
            types=names.end_arg_types if present else names.arg_types,
        )
    )
    return begin, end
