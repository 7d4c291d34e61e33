"""What the host compiler says about a file, as diagnostics of ours."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ...base.diagnostics import Diagnostic
from ...base.paths import argument
from ...base.spans import SourceSpan

_ERROR = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<col>\d+):)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
_MOST = 20  # errors of one file that are shown
# These flags make the compiler read directives, write files, or stop before it has read the text.
_NOT_FOR_SYNTAX = ("-fopenmp", "-fopenmp-simd", "-fopenacc", "-c", "-E", "-S", "-MD", "-MMD", "-M", "-MM", "-MP")


def errors_in(messages: str) -> list[Diagnostic]:
    """The errors in a compiler's messages."""
    return [
        Diagnostic("error", m["text"], SourceSpan(m["file"], int(m["line"]), int(m["col"] or 1)))
        for m in _ERROR.finditer(messages)
    ]


def syntax_errors(source: Path, cflags: Sequence[str], cc: str, language: str = "c") -> list[Diagnostic]:
    """The errors that the host compiler finds in a file; directives are not read. Empty where it accepts the file
    or cannot be run."""
    flags = [flag for flag in cflags if flag not in _NOT_FOR_SYNTAX]
    ours = ("-fsyntax-only", "-w", f"-fmax-errors={_MOST}", "-D_OPENMP=201511")
    command = [cc, *ours, *flags, "-x", language, argument(source)]
    try:
        done = subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    except OSError:
        return []
    return errors_in(done.stderr.decode("utf-8", "replace")) if done.returncode else []
