"""What a GPU can do, and how much of it a kernel uses."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from ..base.records import dataclass

_WARP = 32
_PARTITIONS = 4  # of a multiprocessor, which share its registers
_REGISTERS_AT_ONCE = 256  # a warp gets a multiple of them
_SHARED_AT_ONCE = 128  # bytes
# Of one lane of PCIe in one direction, in bytes a second, by its generation.
_LANE = {1: 250_000_000, 2: 500_000_000, 3: 985_000_000, 4: 1_969_000_000, 5: 3_938_000_000, 6: 7_563_000_000}


@dataclass(frozen=True)
class Card:
    """A GPU. Numbers are those of the CUDA driver, and 0 where it has not said them.

    ``link`` is what PCIe carries in one direction, in bytes a second. The last five are those of a multiprocessor.
    """

    name: str
    multiprocessors: int
    memory_rate: int  # bytes a second
    link: int
    threads: int
    registers: int
    shared: int
    reserved: int  # shared memory that each team needs beside its own
    blocks: int


@dataclass(frozen=True)
class Shape:
    """A launch as the GPU had it. ``registers`` are those of a thread, and ``shared`` is a team's memory in bytes."""

    teams: int
    threads: int
    registers: int
    shared: int


@dataclass(frozen=True)
class Occupancy:
    """How many of the warps that a GPU can hold at once a kernel has at most, and ``why`` it has no more."""

    part: float
    why: str


def card(said: Mapping[str, Any]) -> Card | None:
    """The card that the recorder has found, if there is one."""
    if not said["multiprocessors"]:
        return None
    return Card(
        name=said["name"],
        multiprocessors=said["multiprocessors"],
        memory_rate=said["memory_kilohertz"] * 1000 * 2 * said["memory_bits"] // 8,  # two transfers in each cycle
        link=0 if said["shares_page_tables"] else _link(said["place"]),
        threads=said["threads"],
        registers=said["registers"],
        shared=said["shared"],
        reserved=said["reserved"],
        blocks=said["blocks"],
    )


def _link(place: str) -> int:
    """What the PCIe link of the GPU at a place carries in one direction, as far as nvidia-smi knows it."""
    program = shutil.which("nvidia-smi")
    if program is None or not place:
        return 0
    what = "--query-gpu=pcie.link.gen.max,pcie.link.width.max"
    command = [program, f"--id={place}", what, "--format=csv,noheader"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20).stdout.split(",")
    except (OSError, subprocess.TimeoutExpired):
        return 0
    numbers = [int(part) for part in map(str.strip, said) if part.isdigit()]
    return _LANE.get(numbers[0], 0) * numbers[1] if len(numbers) == 2 else 0


def occupancy(of: Card, shape: Shape) -> Occupancy | None:
    """How many warps of a kernel a GPU holds at once, by the rules of NVIDIA's ``cuda_occupancy.h``."""
    if not (of.threads and of.registers and of.blocks and shape.threads and shape.teams):
        return None
    warps = -(-shape.threads // _WARP)
    of_warp = -(-shape.registers * _WARP // _REGISTERS_AT_ONCE) * _REGISTERS_AT_ONCE
    own = -(-(shape.shared + of.reserved) // _SHARED_AT_ONCE) * _SHARED_AT_ONCE
    fit = {
        f"a team has {shape.threads} threads": min(of.blocks, of.threads // _WARP // warps),
        f"a thread has {shape.registers} registers": of.registers // _PARTITIONS // of_warp * _PARTITIONS // warps,
        f"a team has {shape.shared:,} bytes of shared memory": of.shared // own if own else of.blocks,
    }
    why, most = min(fit.items(), key=lambda one: one[1])
    if shape.teams < most * of.multiprocessors:
        why, resident = f"there are only {shape.teams} teams", shape.teams
    else:
        resident = most * of.multiprocessors
    part = resident * warps * _WARP / (of.multiprocessors * of.threads)
    return Occupancy(part, why if part < 1 else "")
