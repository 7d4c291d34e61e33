"""The names that generated host text declares. The user's program contains none of them."""

from __future__ import annotations

from ..base.names import GeneratedNames
from ..plan.rows import Role


class BlockNames:
    """The local variables of host blocks.

    Tools look for the names without ``rex`` in them. All of them give way to names of the user's.
    """

    def __init__(self, names: GeneratedNames) -> None:
        fresh = self.fresh = names.fresh
        self.device_id = fresh("__device_id")
        self.threads = fresh("_threads_per_block_")
        self.blocks = fresh("_num_blocks_")
        self.trip_count = fresh("__rex_tripcount")
        self.host_ptr = fresh("__host_ptr")
        self.args_base = fresh("__args_base")
        self.args = fresh("__args")
        self.arg_sizes = fresh("__arg_sizes")
        self.arg_types = fresh("__arg_types")
        self.arg_names = fresh("__arg_names")
        self.arg_num = fresh("__arg_num")
        self.kernel_args = fresh("__kernel_args")
        self.location = fresh("__rex_location")
        self.end_args_base = fresh("__rex_end_args_base")
        self.end_arg_types = fresh("__rex_end_arg_types")
        self.rows = fresh("__rex_rows")
        self.end_rows = fresh("__rex_end_rows")
        self.on_host = fresh("__rex_on_host")
        self.on_device = fresh("__rex_on_device")
        self.direct = fresh("__rex_direct")
        self.collapsed = fresh("__rex_collapsed")
        self.apart = fresh("__rex_apart")
        self.outer_trips = fresh("__rex_outer_trips")
        self.inner_trips = fresh("__rex_inner_trips")
        self.walks = fresh("__rex_walks")
        self.tiling = fresh(Role.TILING.value)
        self.second = fresh("__rex_second")
        self.launch_shape = fresh(Role.LAUNCH_SHAPE.value)
        self.num_devices = fresh(Role.NUM_DEVICES.value)
        self.device_num = fresh(Role.DEVICE_NUM.value)
        self.num_procs = fresh(Role.NUM_PROCS.value)
        self.partials = fresh(Role.PARTIALS.value)
        self.partials_size = fresh(f"{Role.PARTIALS.value}_size")
        self.league = fresh("__rex_league")

    @property
    def arrays(self) -> tuple[str, str, str, str]:
        """The arrays with the bases, addresses, sizes and types of rows whose number is fixed."""
        return self.args_base, self.args, self.arg_sizes, self.arg_types

    def literal(self, number: int) -> str:
        return self.fresh(f"__rex_packed_literal_arg_{number}")

    def row(self, number: int) -> str:
        """The variable with the number of a row that only the run knows."""
        return self.fresh(f"__rex_row_{number}")

    def extent(self, row: int) -> str:
        return self.fresh(f"__rex_extent_{row}")

    def range(self, number: int) -> str:
        return self.fresh(f"__rex_range_{number}")

    def shift(self, number: int) -> str:
        return self.fresh(f"__rex_shift_{number}")

    def stand_in(self, row: int) -> str:
        return self.fresh(f"__rex_stand_in_{row}")

    def copied_type(self, variable: str) -> str:
        return self.fresh(f"__rex_type_{variable}")

    def copied_value(self, variable: str) -> str:
        return self.fresh(f"__rex_copy_{variable}")

    def may_be_set(self, variable: str) -> str:
        return self.fresh(f"__rex_set_{variable}")


def growing(rows: str) -> tuple[str, str, str, str]:
    """The four arrays of rows whose number is known at run time only."""
    return f"{rows}.rex_bases", f"{rows}.rex_ptrs", f"{rows}.rex_sizes", f"{rows}.rex_types"
