"""Structural invariants of the reduced Rodinia programs, whatever the text around them looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from execution import PROGRAMS, rex_build


@dataclass(frozen=True)
class Lowered:
    host: str
    device: str

    @property
    def kernels(self) -> set[str]:
        """Names of the kernels that the device file defines."""
        return set(re.findall(r"(OUT__\w+__kernel__)\s*\(", self.device))

    @property
    def launches(self) -> int:
        return len(re.findall(r"\b__tgt_target_kernel\s*\(", self.host))


@pytest.fixture(scope="module")
def lowered(tmp_path_factory: pytest.TempPathFactory):
    """A function that lowers ``rodinia/<name>.c`` once per module."""
    done: dict[str, Lowered] = {}

    def of(name: str) -> Lowered:
        if name not in done:
            out: Path = tmp_path_factory.mktemp(name)
            outcome = rex_build("lower", PROGRAMS / "rodinia" / f"{name}.c", "--out-dir", out, "--", "-std=c11")
            assert outcome.status == 0, outcome.stderr
            done[name] = Lowered((out / f"rose_{name}.c").read_text(), (out / f"rex_lib_{name}.cu").read_text())
        return done[name]

    return of


NAMES = ["nn", "axpy", "btree", "bfs", "gaussian", "hotspot", "literal_scalars", "target_data"]


@pytest.mark.parametrize("name", NAMES)
def test_what_every_host_file_holds(lowered, name: str) -> None:
    unit = lowered(name)
    assert not re.search(r"^\s*#\s*pragma\s+omp\s+.*\btarget\b", unit.host, re.MULTILINE)
    main = unit.host[re.search(r"\bmain\s*\(", unit.host).end() :]
    assert re.match(r"[^;{]*\{\s*(?:#line[^\n]*\s*)?rex_offload_init\s*\(\s*\)\s*;", main)
    assert unit.launches == len(unit.kernels) > 0
    for name_of_kernel in unit.kernels:
        assert name_of_kernel in unit.host
        assert name_of_kernel.replace("__kernel__", "__id__") in unit.host
        signature = re.search(rf"{name_of_kernel}\s*\(([^)]*)\)\s*\{{", unit.device)
        assert signature
        assert signature[1].lstrip().startswith("void *__rex_kernel_launch_env")
    for word in ("__device_id", "_threads_per_block_", "_num_blocks_", "__host_ptr", "__args_base", "__arg_sizes"):
        assert word in unit.host
    for word in ("__arg_types", "__arg_num", "__kernel_args"):
        assert word in unit.host


@pytest.mark.parametrize("name", ["nn", "axpy", "bfs", "gaussian", "hotspot", "target_data"])
def test_canonical_loops_are_direct(lowered, name: str) -> None:
    unit = lowered(name)
    for helper in ("XOMP_static_sched_init", "XOMP_static_sched_next", "_dev_lower", "_dev_upper"):
        assert helper not in unit.device
    assert "_dev_thread_num" in unit.device
    assert "_dev_thread_id" in unit.device
    assert "__rex_tripcount" in unit.host


def test_three_kernels_and_a_repeated_call(lowered) -> None:
    unit = lowered("axpy")
    assert len(unit.kernels) == 3
    for function in ("scale", "axpy", "add_bias"):
        assert any(f"__{function}__" in kernel for kernel in unit.kernels)
    main = unit.host[re.search(r"\bmain\s*\(", unit.host).end() :]
    assert len(re.findall(r"\baxpy\s*\(x, y", main)) == 2


def test_two_kernels_of_the_tree(lowered) -> None:
    unit = lowered("btree")
    assert len(unit.kernels) == 2
    assert any("__find_keys__" in kernel for kernel in unit.kernels)
    assert any("__find_ranges__" in kernel for kernel in unit.kernels)


def test_bfs_has_two_kernels_in_one_data_region(lowered) -> None:
    unit = lowered("bfs")
    assert len(unit.kernels) == 2
    assert unit.host.count("__tgt_target_data_begin") == unit.host.count("__tgt_target_data_end") == 1


def test_gaussian_launches_inside_its_data_region(lowered) -> None:
    assert len(lowered("gaussian").kernels) == 3


def test_scalars_travel_as_literals(lowered) -> None:
    unit = lowered("literal_scalars")
    assert re.search(r"rex_pack_literal_arg_bytes\(&\(?n\)?, sizeof", unit.host)
    assert "__rex_packed_literal_arg_" in unit.host
    assert "unsigned long long n" in unit.device
    assert "n__rex_value" in unit.device
    assert "__builtin_memcpy" in unit.device
    # What must come back, or may be present already, keeps its storage.
    assert not re.search(r"rex_pack_literal_arg_bytes\(&\(?changed\)?,", unit.host)


def test_private_and_firstprivate_in_target_data(lowered) -> None:
    unit = lowered("target_data")
    assert len(unit.kernels) == 1
    assert "__tgt_target_data_begin" in unit.host
    for name in ("lower", "upper", "t"):
        assert not re.search(rf"rex_pack_literal_arg_bytes\(&\(?{name}\)?,", unit.host)
    assert re.search(r"rex_pack_literal_arg_bytes\(&\(?width\)?,", unit.host)
