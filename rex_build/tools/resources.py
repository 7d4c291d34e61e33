"""What kernels take of a GPU's multiprocessor, as nvcc's images say, and how many of their threads it runs at a time.

Sources: the attributes of cubins as CUDA 12 and 13 write them (``.nv.info``); CUDA C++ Programming Guide, "Technical
specifications per compute capability".
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from ..base.diagnostics import InputError
from ..base.elf import ElfError, read_elf, read_section, section_sizes, symbol_names
from ..base.records import dataclass
from .backends import CUDA

_WITH_DATA = 4  # the format of an attribute that has data behind its size
_REGISTERS, _FRAME = 0x2F, 0x11  # of a function: the number of its symbol, and a value
_WARP = 32
_ALL_REGISTERS, _REGISTERS_AT_ONCE = 65536, 256  # of a multiprocessor, and of a warp in one step
# By compute capability: threads, blocks and bytes of shared memory of a multiprocessor.
_LIMITS = {
    75: (1024, 16, 65536),
    80: (2048, 32, 167936),
    86: (1536, 16, 102400),
    87: (1536, 16, 167936),
    89: (1536, 24, 102400),
    90: (2048, 32, 233472),
    100: (2048, 32, 233472),
    120: (1536, 24, 102400),
}
_SCARCE = {"registers": "there are no more registers", "shared memory": "there is no more shared memory"}


@dataclass(frozen=True)
class Resources:
    """What one kernel takes: registers of each thread, bytes of shared memory of each block, bytes of each stack."""

    arch: str
    registers: int
    shared: int
    stack: int

    def text(self, threads: int) -> str:
        """In words, with how many threads a multiprocessor runs at a time if blocks have ``threads``."""
        parts = [f"{self.registers} registers"]
        parts += [f"{self.shared:,} bytes of shared memory"] if self.shared else []
        parts += [f"{self.stack:,} bytes of stack"] if self.stack else []
        return ", ".join(parts) + self._running(threads)

    def _running(self, threads: int) -> str:
        limits = _LIMITS.get(CUDA.capability(self.arch) or 0)
        if limits is None or threads <= 0:
            return ""
        warps = -(-threads // _WARP)
        of_warp = -(-self.registers * _WARP // _REGISTERS_AT_ONCE) * _REGISTERS_AT_ONCE
        by = {
            "its threads": limits[0] // (warps * _WARP),
            "its blocks": limits[1],
            "registers": _ALL_REGISTERS // (of_warp * warps) if of_warp else limits[1],
            "shared memory": limits[2] // self.shared if self.shared else limits[1],
        }
        blocks = min(by.values())
        running = min(blocks * threads, limits[0])
        text = f"; a multiprocessor runs {running:,} of at most {limits[0]:,} threads at a time"
        enough = min(by["its threads"], limits[1])
        scarce = [why for what, why in _SCARCE.items() if by[what] == blocks < enough]
        return text + (f", as {' and '.join(scarce)}" if scarce else "")


def resources_of(images: Sequence[Path]) -> dict[str, list[Resources]]:
    """The resources of all kernels in images for GPUs, by their names. Raises InputError for another file."""
    found: dict[str, list[Resources]] = {}
    for path in images:
        try:
            arch = CUDA.identify(read_elf(path))
            if arch is None:
                raise ElfError(f"{path} is no image for a GPU")
            info, sizes, names = read_section(path, ".nv.info"), section_sizes(path), symbol_names(path)
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error
        except ElfError as error:
            raise InputError(str(error)) from error
        values = _attributes(info)
        for number, registers in values.get(_REGISTERS, {}).items():
            name = names[number] if number < len(names) else ""
            shared = sizes.get(f".nv.shared.{name}", 0)
            stack = values.get(_FRAME, {}).get(number, 0)
            found.setdefault(name, []).append(Resources(arch, registers, shared, stack))
    return found


def _attributes(info: bytes) -> dict[int, dict[int, int]]:
    """The attributes that are a number for a function, by their code and the number of the function's symbol."""
    found: dict[int, dict[int, int]] = {}
    at = 0
    while at + 4 <= len(info):
        form, code, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == _WITH_DATA:
            if size == 8 and at + 8 <= len(info):
                symbol, value = struct.unpack_from("<II", info, at)
                found.setdefault(code, {})[symbol] = value
            at += size
    return found
