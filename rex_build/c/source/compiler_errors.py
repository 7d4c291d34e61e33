"""What the host compiler says about a file, as diagnostics of ours."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_CPU, prlimit

from ...base.diagnostics import Diagnostic, SourceSpan
from ...base.paths import argument
from ...base.patterns import regex

_ERROR = regex(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<col>\d+):)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE
)
_MOST = 20  # errors of one file that are shown
_PATIENCE = 20  # seconds of processor time; the compiler itself may never finish, as with thousands of nested classes
# These flags make the compiler read directives, write files, or stop before it has read the text.
_NOT_FOR_SYNTAX = ("-fopenmp", "-fopenmp-simd", "-fopenacc", "-c", "-E", "-S", "-MD", "-MMD", "-M", "-MM", "-MP")


def errors_in(messages: str) -> list[Diagnostic]:
    """The errors in a compiler's messages."""
    return [
        Diagnostic("error", m["text"], SourceSpan(m["file"], int(m["line"]), int(m["col"] or 1)))
        for m in _ERROR.finditer(messages)
    ]


def syntax_errors(source: Path, cflags: Sequence[str], cc: str, language: str = "c") -> list[Diagnostic]:
    """The errors that the host compiler finds in a file; directives are not read. Empty where it accepts the file,
    cannot be run or takes too long."""
    flags = [flag for flag in cflags if flag not in _NOT_FOR_SYNTAX]
    ours = ("-fsyntax-only", "-w", f"-fmax-errors={_MOST}", "-D_OPENMP=201511")
    command = [cc, *ours, *flags, "-x", language, argument(source)]
    env = {**os.environ, "LC_ALL": "C"}
    try:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env) as compiler:
            with suppress(OSError):  # it has ended
                prlimit(compiler.pid, RLIMIT_CPU, (_PATIENCE, _PATIENCE))  # also of what it starts
            _, messages = compiler.communicate()
    except OSError:
        return []
    return errors_in(messages.decode("utf-8", "replace")) if compiler.returncode else []
