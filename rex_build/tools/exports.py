"""What a cpu image offers the process that it is loaded into: only what libomptarget looks up, and nothing else.

libomptarget opens images for the whole process. Without a list, functions of device code would take the place of those
of the same name in libraries that are opened later, and inline variables would be those of the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..base.elf import read_section

# The names of kernels, and the mark for which the registration looks. Generated names begin like this.
_ALWAYS = ("OUT__*", "rex_ready_*", "rex_cpu_image")
_SECTION = ".rex_looked_up"  # REX_LOOKED_UP of cpu/rex_device.h: the names of variables, each with a zero at its end


def export_script(objects: Sequence[str], script: str) -> list[str]:
    """The linker's options for an image of ``objects``, whose list of names is written to the file ``script``.

    Raises OSError and ElfError.
    """
    listed = b"".join(read_section(Path(obj), _SECTION) for obj in objects).decode("utf-8", "surrogateescape")
    names = [*_ALWAYS, *(f'"{name}"' for name in dict.fromkeys(filter(None, listed.split("\0"))))]
    text = f"{{ global: {' '.join(f'{name};' for name in names)} local: *; }};\n"
    Path(script).write_text(text, encoding="utf-8", errors="surrogateescape")
    return ["-Xlinker", "--version-script", "-Xlinker", script]  # -Wl has no way to name files with commas
