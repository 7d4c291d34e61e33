"""Reads the parts of ELF files that rex-build needs: a shared library's own name, and the symbols of a device image.

Source: System V ABI, chapters 4 and 5; for cubins, what CUDA 12 and 13 write (``abi_version`` 7 and 8).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from .records import dataclass

EM_X86_64 = 62
EM_CUDA = 190

_SHT_SYMTAB, _SHT_DYNAMIC, _SHT_DYNSYM = 2, 6, 11
_SHN_UNDEF = 0
_STB_LOCAL = 0
_STT_OBJECT = 1
_DT_NEEDED, _DT_SONAME = 1, 14
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")


class ElfError(ValueError):
    """The file is not a little-endian 64-bit ELF file, or it is cut short."""


@dataclass(frozen=True)
class ElfFile:
    """One ELF file.

    ``defined`` holds the names of its defined global and weak symbols with their sizes in bytes; in a cubin also those
    of local variables, since nvcc 13 makes every variable local when it compiles a whole program. ``undefined`` are
    the names of the symbols that it takes from elsewhere.
    """

    machine: int
    type: int
    flags: int
    abi_version: int
    defined: dict[str, int]
    undefined: frozenset[str]
    soname: str | None
    needed: tuple[str, ...]


def read_elf(path: Path) -> ElfFile:
    """Read ``path``. Raises OSError when it cannot be read and ElfError when it is not ELF64 or is damaged."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ElfError(f"{path} is not a 64-bit little-endian ELF file")
    try:
        return _parse(data)
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise ElfError(f"{path} is a damaged ELF file") from error


def read_section(path: Path, name: str) -> bytes:
    """The content of all sections with a name, or nothing if there is none. Raises as :func:`read_elf` does."""
    data, sections = _sections(path)
    return b"".join(data[offset : offset + size] for one, (_, _, _, _, offset, size, *_) in sections if one == name)


def section_sizes(path: Path) -> dict[str, int]:
    """The sizes of all sections by their names. Raises as :func:`read_elf` does."""
    return {name: section[5] for name, section in _sections(path)[1]}


def symbol_names(path: Path) -> list[str]:
    """The names in the symbol table, in its order. Raises as :func:`read_elf` does."""
    data, sections = _sections(path)
    try:
        for _, (_, kind, _, _, offset, size, link, *_) in sections:
            if kind == _SHT_SYMTAB:
                strings = sections[link][1][4]
                return [_string(data, strings + one[0]) for one in _SYMBOL.iter_unpack(data[offset : offset + size])]
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise ElfError(f"{path} is a damaged ELF file") from error
    return []


def _sections(path: Path) -> tuple[bytes, list[tuple[str, tuple[int, ...]]]]:
    """The content of a file, and its sections with their names."""
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ElfError(f"{path} is not a 64-bit little-endian ELF file")
    try:
        *_, table, _, _, _, _, entry, count, names = _HEADER.unpack_from(data)
        sections = [_SECTION.unpack_from(data, table + i * entry) for i in range(count)]
        strings = sections[names][4] if sections else 0
        return data, [(_string(data, strings + section[0]), section) for section in sections]
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise ElfError(f"{path} is a damaged ELF file") from error


def _parse(data: bytes) -> ElfFile:
    ident, type_, machine, _, _, _, table, flags, _, _, _, entry, count, _ = _HEADER.unpack_from(data)
    sections = [_SECTION.unpack_from(data, table + i * entry) for i in range(count)]
    defined: dict[str, int] = {}
    undefined: set[str] = set()
    soname: str | None = None
    needed: list[str] = []
    for _, kind, _, _, offset, size, link, _, _, _ in sections:
        if kind in (_SHT_SYMTAB, _SHT_DYNSYM):
            defined.update(_defined(data, offset, size, sections[link][4], with_local=machine == EM_CUDA))
            undefined.update(_undefined(data, offset, size, sections[link][4]))
        elif kind == _SHT_DYNAMIC:
            for tag, value in struct.iter_unpack("<qQ", data[offset : offset + size]):
                if tag == _DT_NEEDED:
                    needed.append(_string(data, sections[link][4] + value))
                elif tag == _DT_SONAME:
                    soname = _string(data, sections[link][4] + value)
    return ElfFile(machine, type_, flags, ident[8], defined, frozenset(undefined), soname, tuple(needed))


def _defined(data: bytes, offset: int, size: int, strings: int, with_local: bool) -> Iterator[tuple[str, int]]:
    for name, info, _, section, _, length in _SYMBOL.iter_unpack(data[offset : offset + size]):
        visible = info >> 4 != _STB_LOCAL or (with_local and info & 0xF == _STT_OBJECT)
        if name and section != _SHN_UNDEF and visible:
            yield _string(data, strings + name), length


def _undefined(data: bytes, offset: int, size: int, strings: int) -> Iterator[str]:
    for name, _, _, section, _, _ in _SYMBOL.iter_unpack(data[offset : offset + size]):
        if name and section == _SHN_UNDEF:
            yield _string(data, strings + name)


def _string(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode("utf-8", "replace")
