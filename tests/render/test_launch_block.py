"""The statements that launch a kernel: what they call, where their arrays live, what is decided beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pycparser import c_ast
from render_support import declarations, lower, map_flags, read_back

pytestmark = pytest.mark.compile

_UNIT = """\
#include <math.h>
struct list { int n; double *values[4]; };
static void loop(int n, double f, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
    for (int i = 0; i < n; i++)
        y[i] += f * x[i];
}
static void fixed(double (*a)[8])
{
#pragma omp target teams distribute parallel for collapse(2) num_teams(4) num_threads(128) map(tofrom: a[0:8])
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            a[i][j] = sqrt(a[i][j]);
}
static double total(int n, const double *x)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: x[0:n])
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
static void sequential(struct list *l)
{
#pragma omp target map(tofrom: l[0:1])
    l->n++;
}
static void iterated(struct list *l, int n)
{
#pragma omp target map(iterator(k=0:n), tofrom: l->values[k][0:8])
    l->values[0][0] = 1;
}
static void none(void)
{
#pragma omp target
    ;
}
"""

# Nothing but arithmetic and the runtime.
_STATIC = {
    "__tgt_target_kernel",
    "rex_apart",
    "rex_blocks",
    "rex_covers",
    "rex_elsewhere",
    "rex_launched_in_order",
    "rex_limited",
    "rex_omp_max_teams",
    "rex_omp_teams_thread_limit",
    "rex_pack_literal_arg_bytes",
    "rex_separate",
    "rex_shift",
    "rex_threads",
    "rex_tile",
}


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, c_ast.FuncDef]:
    tree = read_back(lower(tmp_path_factory.mktemp("launch"), _UNIT) / "rose_unit.c")
    return {item.decl.name: item for item in tree.ext if isinstance(item, c_ast.FuncDef)}


def called(node: c_ast.Node) -> Iterator[str]:
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
        yield node.name.name
    for _, child in node.children():
        yield from called(child)


def launch_block(function: c_ast.FuncDef) -> c_ast.Compound:
    """The compound that declares the packet, without the region's host version and the wait after its launch."""
    (block,) = (
        item
        for item in function.body.block_items
        if isinstance(item, c_ast.Compound) and list(declarations(item, "__kernel_args"))
    )
    if isinstance(block.block_items[0], c_ast.Compound):  # a wait follows the launch
        (block, wait) = block.block_items
        assert list(called(wait)) == ["rex_wait_for_launches"]
    *statements, test = block.block_items
    assert isinstance(test, c_ast.If)
    return c_ast.Compound([*statements, test.cond])


@pytest.mark.parametrize("name", ["loop", "fixed", "total", "sequential", "none"])
def test_the_static_path_allocates_nothing(functions: dict[str, c_ast.FuncDef], name: str) -> None:
    found = list(called(launch_block(functions[name])))
    assert set(found) <= _STATIC
    assert found.count("__tgt_target_kernel") == 1
    for helper in ("rex_threads", "rex_blocks", "rex_covers", "rex_tile"):
        assert found.count(helper) <= 1, "what is computed is computed once"


def test_rows_that_only_the_run_knows_are_freed(functions: dict[str, c_ast.FuncDef]) -> None:
    found = list(called(launch_block(functions["iterated"])))
    assert "rex_row" in found
    assert found.count("rex_free_rows") == 1
    assert found.index("rex_free_rows") > found.index("__tgt_target_kernel")


@pytest.mark.parametrize("name", ["loop", "fixed", "total", "sequential"])
def test_arrays_live_on_the_stack_and_constants_in_tables(functions: dict[str, c_ast.FuncDef], name: str) -> None:
    block = launch_block(functions[name])
    for array in ("__args_base", "__args"):
        (found,) = declarations(block, array)
        assert isinstance(found.type, c_ast.ArrayDecl)
        assert "static" not in found.storage, "recursive and concurrent launches need their own"
    (types,) = declarations(block, "__arg_types")
    assert "static" in types.storage
    assert "const" in types.quals
    (packet,) = declarations(block, "__kernel_args")
    assert not packet.storage, "the runtime writes into it"


@pytest.mark.parametrize(
    ("name", "constant"), [("loop", False), ("fixed", True), ("total", False), ("sequential", True)]
)
def test_sizes_are_a_table_where_they_are_known(functions: dict[str, c_ast.FuncDef], name: str, constant: bool) -> None:
    (sizes,) = declarations(launch_block(functions[name]), "__arg_sizes")
    assert ("static" in sizes.storage) is constant


def test_scalars_travel_in_the_packet(functions: dict[str, c_ast.FuncDef]) -> None:
    """By value, not as mapped storage that has to be copied before the launch."""
    (types,) = declarations(launch_block(functions["loop"]), "__arg_types")
    assert sorted(map_flags(row) for row in types.init.exprs) == [0x21, 0x23, 0x320, 0x320]


def test_no_rows_no_arrays(functions: dict[str, c_ast.FuncDef]) -> None:
    block = launch_block(functions["none"])
    assert not any(isinstance(d.type, c_ast.ArrayDecl) for d in declarations(block, "__args_base"))
