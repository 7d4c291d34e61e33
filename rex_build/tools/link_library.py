"""What programs are linked with in libomptarget's place: a library with its name and its functions, and nothing else.

libomptarget needs LLVM's own library, of 150 MB. GNU ld reads all libraries that a library needs, to find out whether
anything is undefined in them, and that takes several times as long as all else in the link of a small program. What is
undefined in the user's objects and libraries is still found.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from ..base.diagnostics import ToolError
from ..base.elf import ElfError, read_elf
from .built_library import compiled, is_ours, kept_file
from .toolchain import find_cc

_ROW = re.compile(r"[0-9a-f]+ (?P<kind>\w) (?P<name>[\w.$]+)(?:@@?(?P<version>[\w.]+))?")


def link_library(library: Path, kept: Path | None = None) -> Path:
    """The library to link with in place of ``library``. It is ``library`` itself if no other can be made of it.

    It is ``kept`` under that name, or else among the files of this user.
    """
    try:
        state = library.stat()
        known = [str(library).encode(), f"{state.st_size} {state.st_mtime_ns}".encode(), Path(__file__).read_bytes()]
        made = kept or kept_file("link", known, ".so")
        if made is None:
            return library
        if kept is not None or not is_ours(made):
            made.parent.mkdir(parents=True, exist_ok=True)
            _make(library, made)
    except (OSError, ElfError, ToolError, subprocess.SubprocessError):
        return library
    return made


def _make(library: Path, made: Path) -> None:
    """Make a library with the functions of another one in their versions. Raises ToolError if it has variables."""
    command = ["nm", "-D", "--defined-only", "--with-symbol-versions", str(library)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    versions: dict[str, list[str]] = {}
    for row in said.splitlines():
        match = _ROW.fullmatch(row)
        kind = match["kind"] if match else "D"
        if kind not in "TWA" and not kind.islower():
            raise ToolError(f"{library} has more than functions: {row}")
        if match and kind in "TW":  # others are names of versions, and what is local
            versions.setdefault(match["version"] or "", []).append(match["name"])
    names = [name for group in versions.values() for name in group]
    if not names:
        raise ToolError(f"nm found no functions in {library}")
    text = "".join(f".globl {name}\n.type {name}, %function\n{name}:\n" for name in names)
    script = "".join(f"{v} {{ global: {'; '.join(group)}; }};\n" for v, group in versions.items() if v)
    with tempfile.TemporaryDirectory(prefix="rex-build-") as folder:
        source, mapped = Path(folder, "functions.s"), Path(folder, "versions")
        source.write_text(f".text\n{text}.byte 0\n.section .note.GNU-stack\n")
        mapped.write_text(script)
        name = read_elf(library).soname or library.name
        more = [f"-Wl,--version-script={mapped}"] if script else []
        compiled([*find_cc().command, "-shared", "-nostdlib", f"-Wl,-soname,{name}", *more, str(source)], made)
