"""Coverage (``gcc --coverage``): gcov and lcov count the user's lines, those of the cpu device's code, too.

What is compiled for a report names no generated file, which such a report could not open. Each generated line of it is
said to be that of the directive that it is for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ..base.paths import include_dir
from ..base.patterns import regex
from ..base.records import replace
from ..request import LowerResult

_LINE = regex(r'#line (\d+) "((?:[^"\\]|\\.)*)"')
_DIRECTIVE = regex(r"(?://|[ \t]*\{? ?/\*) [^:]*:(\d+): ")  # in front of a kernel, and of what launches it


def is_covered(flags: Sequence[str]) -> bool:
    """Whether a compiler with these flags writes what gcov reads."""
    return "--coverage" in flags or {"-ftest-coverage", "-fprofile-arcs"} <= set(flags)


def without_headers() -> tuple[str, ...]:
    """The options that leave functions of rex-build's headers out, and those of device files that are nobody's.

    What is inlined early would be counted as part of the user's functions.
    """
    files = f"^{re.escape(str(include_dir()))}/;(^|/)rex_lib_[^/]*[.]cu$"
    return ("-fno-early-inlining", f"-fprofile-exclude-files={files}")


def image_options(name: str) -> tuple[str, ...]:
    """The options with which device code of the cpu device is counted. Notes and counts are beside those of the host's
    code, which gcc calls ``name``."""
    own = ("-dumpbase", f"{os.path.abspath(name)}-device")
    return ("--coverage", "-O0", "-fprofile-update=atomic", *without_headers(), *own)


def as_user_lines(result: LowerResult, folder: Path) -> LowerResult:
    """The same unit, in files of a new folder in which every line with code is one of the user's."""
    folder.mkdir()
    made = []
    for path, base in ((result.host, ""), (result.cu, os.getcwd())):  # images are compiled in another folder
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        made.append(folder / path.name)
        made[-1].write_text(_of_user_lines(text, path.name, base), encoding="utf-8", errors="surrogateescape")
    return replace(result, host=made[0], cu=made[1])


def _of_user_lines(text: str, own: str, base: str) -> str:
    """The text of the generated file ``own`` with ``#line`` in front of each generated line that may have code.

    Names of the user's files are relative to ``base``.

    What begins with a directive's comment is counted for the directive. On the host other generated lines, which close
    a construct, are counted for the line behind it, and in a kernel for the kernel's directive. What follows the last
    of these has no code of the user's.
    """
    lines = text.split("\n")
    named = {at: found for at, line in enumerate(lines) if (found := _LINE.match(line))}
    users = [at for at, found in named.items() if found[2] != own]
    in_kernels = own.endswith(".cu")
    last = max(named, default=0)
    end = 1 + next((at for at in range(last, len(lines)) if in_kernels and lines[at] in ("}", "")), last)
    made: list[str] = []
    number = 0
    is_generated = True
    for at, line in enumerate(lines[:end]):
        if at in named:
            is_generated = named[at][2] == own
            if not is_generated:
                made.append(_directive(named[at], base))
            elif not in_kernels:
                number = 0
        elif is_generated:
            if directive := _DIRECTIVE.match(line):
                number = int(directive[1])
            following = named[next((user for user in users if user > at), users[-1])]
            made += [_directive(following, base, number), line]
        else:
            made.append(line)
    return "\n".join([*made, lines[last], *lines[end:]])


def _directive(found: re.Match[str], base: str, number: int = 0) -> str:
    return f'#line {number or found[1]} "{os.path.join(base, found[2])}"'
