"""What a cpu image offers the process that it is loaded into: only what libomptarget looks up, and nothing else. And
what it takes from there.

libomptarget opens images for the whole process. Without a list, functions of device code would take the place of those
of the same name in libraries that are opened later, and inline variables would be those of the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..base.elf import read_elf, read_section

# The names of kernels, and the mark for which the registration looks. Generated names begin like this.
_ALWAYS = ("OUT__*", "rex_ready_*", "rex_cpu_image")
_SECTION = ".rex_looked_up"  # REX_LOOKED_UP of cpu/rex_device.h: the names of variables, each with a zero at its end
# What the device library and g++ call. Most images call nothing else that is not their own.
_ALWAYS_THERE = frozenset(
    """GOMP_barrier GOMP_parallel _GLOBAL_OFFSET_TABLE_ _Unwind_Resume __cxa_guard_abort __cxa_guard_acquire
    __cxa_guard_release __ehdr_start __gxx_personality_v0 __tls_get_addr abort atoi dladdr free fwrite getauxval getenv
    malloc memcpy memmove memset omp_get_active_level omp_get_max_active_levels omp_get_max_teams omp_get_max_threads
    omp_get_num_procs omp_get_num_threads omp_get_thread_num omp_set_max_active_levels printf stderr""".split()  # noqa: SIM905
)


def export_script(objects: Sequence[str], script: str) -> list[str]:
    """The linker's options for an image of ``objects``, whose list of names is written to the file ``script``.

    Raises OSError and ElfError.
    """
    listed = b"".join(read_section(Path(obj), _SECTION) for obj in objects).decode("utf-8", "surrogateescape")
    names = [*_ALWAYS, *(f'"{name}"' for name in dict.fromkeys(filter(None, listed.split("\0"))))]
    text = f"{{ global: {' '.join(f'{name};' for name in names)} local: *; }};\n"
    Path(script).write_text(text, encoding="utf-8", errors="surrogateescape")
    return ["-Xlinker", "--version-script", "-Xlinker", script]  # -Wl has no way to name files with commas


def may_miss_functions(objects: Sequence[str]) -> bool:
    """Whether a link of ``objects`` has to find out if functions are missing. Raises OSError and ElfError."""
    files = [read_elf(Path(obj)) for obj in objects]
    names = _ALWAYS_THERE.union(*(file.defined for file in files))
    return "__gnu_lto_slim" in names or any(not file.undefined <= names for file in files)
