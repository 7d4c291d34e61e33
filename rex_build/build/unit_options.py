"""Finds the options with which CMake's functions have a unit lowered (``rex-cc --options-in=DIR -- CC ARGUMENTS``).

The macro ``REX_OPTIONS`` among the compiler's arguments names a file in this folder, with one option of ``rex-cc`` a
line. Where the macro is not, in links and other units, the command runs without options for other compilers, and with
one OpenMP runtime. Most have common options alone, and ``launcher.c`` runs them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..base.command_words import compiler_at, expanded, taken_out
from ..base.diagnostics import ToolError, UsageError

OPTION = "--options-in="
_MARK = "-DREX_OPTIONS="


def with_options_in(words: Sequence[str]) -> list[str] | None:
    """The arguments of ``rex-cc`` with those of the file in place of the macro. None if nothing is to be lowered."""
    folder, command = words[0].removeprefix(OPTION), _command(words)
    given = list(expanded(command)) if any(word.startswith("@") for word in command) else command
    names = [word.removeprefix(_MARK) for word in given if word.startswith(_MARK)]
    if not names:
        return None
    file = os.path.join(folder, names[-1])
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as text:
            options = text.read().splitlines()
    except OSError as error:
        raise ToolError(f"cannot read {file}: {error.strerror}") from error
    return [*options, f"--depends-on={file}", "--", *(word for word in given if not word.startswith(_MARK))]


def run_unchanged(words: Sequence[str]) -> int:
    """Run the command behind the option, without options for other compilers and runtimes. Returns its exit status."""
    import subprocess

    from ..tools.runtimes import with_one_runtime
    from .foreign_flags import translate

    command = _command(words)
    at = compiler_at(command)
    if at is not None:
        given = tuple(expanded(command[at + 1 :]))
        own, _ = taken_out(with_one_runtime(given))
        foreign = translate(own, has_targets="clang" in os.path.basename(command[at]))
        if foreign.words != given:
            command[at + 1 :] = foreign.words
    try:
        return subprocess.run(command, close_fds=False).returncode
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error.strerror}") from error


def _command(words: Sequence[str]) -> list[str]:
    if list(words[1:2]) != ["--"] or len(words) == 2:
        raise UsageError(f"rex-cc {OPTION}DIR needs a compiler to run: -- gcc -c file.c")
    return list(words[2:])
