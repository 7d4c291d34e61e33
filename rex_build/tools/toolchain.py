"""Finds the compilers on this machine."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..base.command_words import compiler_at, shell_words, which
from ..base.diagnostics import Diagnostic, ToolError
from ..base.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")



@dataclass(frozen=True)
class Compiler:
    """A compiler with the command that calls it, which may begin with a launcher (``ccache gcc``)."""

    command: tuple[str, ...]

    @property
    def version(self) -> str:
        """The first line of its version message. Raises ToolError if it does not run."""
        return tool_output(self.command, "--version").partition("\n")[0].strip()

    @property
    def program(self) -> str:
        """The compiler itself, without launchers in front of it and options behind it."""
        return self.command[compiler_at(self.command) or 0]

    @property
    def options(self) -> tuple[str, ...]:
        """The words after the compiler itself."""
        return self.command[(compiler_at(self.command) or 0) + 1 :]


@dataclass(frozen=True)
class Problem:
    """Why something cannot work, and what to do about it."""

    message: str
    remedy: str

    def error(self) -> ToolError:
        return ToolError([Diagnostic("error", self.message, notes=(self.remedy,))])


def asked(question: Callable[[], T]) -> tuple[T | None, list[Problem]]:
    """The answer of a function that finds a tool, or the problem that it raises as a ToolError."""
    try:
        return question(), []
    except ToolError as error:
        diagnostic = error.diagnostics[0]
        return None, [Problem(diagnostic.message, "; ".join(diagnostic.notes))]


def given_compiler(command: str) -> Compiler:
    """The compiler that a user has given, such as ``gcc`` or ``ccache gcc``. Raises ToolError if it is not there."""
    return Compiler(resolved(shell_words(command) or [""], "the command line"))


def find_cc() -> Compiler:
    """The C compiler: ``$CC``, else gcc, else cc. Raises ToolError if there is none."""
    return _compiler("CC", ("gcc", "cc"), "C", "on Debian: apt-get install gcc libc6-dev")


def find_cxx() -> Compiler:
    """The C++ compiler for the CPU device: ``$CXX``, else g++, else c++. Raises ToolError if there is none."""
    return _compiler("CXX", ("g++", "c++"), "C++", "on Debian: apt-get install g++")


def _compiler(variable: str, names: Sequence[str], language: str, remedy: str) -> Compiler:
    if words := words_of(variable):
        return Compiler(resolved(words, variable))
    if found := next(filter(None, map(which, names)), None):
        return Compiler(resolved((found,), variable))
    raise Problem(f"no {language} compiler was found (looked for {', '.join(names)})", remedy).error()


def words_of(variable: str) -> list[str]:
    """The command in an environment variable: a path, which may have blanks (as CMake sets CC), or shell words."""
    text = os.environ.get(variable, "").strip()
    return [text] if "/" in text and Path(text).is_file() else shell_words(text)


def resolved(words: Sequence[str], variable: str) -> tuple[str, ...]:
    """A command with its program's path. Of ``rex-gcc``, the compiler behind it is meant, as in ``ccache rex-gcc`` and
    ``rex-cc ccache gcc``: ``make CC=...`` passes CC on to its commands. Raises ToolError."""
    if at := max((number for number, word in enumerate(words) if number and is_ours(word)), default=0):
        return resolved(words[at:], variable)
    behind = words[words.index("--") + 1 if "--" in words else 1 :]
    if Path(words[0]).name == "rex-cc" and behind:
        return resolved(behind, variable)
    program = which(words[0])
    if program is None:
        raise Problem(
            f"{variable} names {words[0]!r}, which is no program here", f"correct or unset {variable}"
        ).error()
    ours = Path(os.path.realpath(program)).name  # a link to rex-gcc may have a compiler's name
    if ours in _BEHIND:
        return (*real_compiler(ours), *words[1:])
    return (program, *words[1:])


# The programs that stand in a compiler's place: (variable that names the compiler behind, its usual names, language).
_BEHIND = {"rex-gcc": ("REX_CC", ("gcc", "cc"), "C"), "rex-g++": ("REX_CXX", ("g++", "c++"), "C++")}
_OURS = ("rex-build", "rex-cc", "rex_build", *_BEHIND)


def real_compiler(program: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    """The compiler that ``rex-gcc`` or ``rex-g++`` runs: the one that its variable names, or those of ``more``, else
    the first on PATH that is none of ours under the compiler's name. Raises ToolError when there is none."""
    variable, names, language = _BEHIND[program]
    for name in (variable, *more):
        words = words_of(name)
        if words and not any(map(is_ours, words)):
            found = which(words[0])
            if found is None or _not_ours(found):
                return tuple(words)
    for name in names:
        if found := next(filter(None, map(_not_ours, (which(name, path=p) for p in os.get_exec_path()))), None):
            return (found,)
    message = f"no {language} compiler was found (looked for {', '.join(names)})"
    raise Problem(message, f"install {names[0]}, or name a compiler in {variable}").error()


def is_ours(program: str) -> bool:
    """Whether a program's name is that of one that stands in a compiler's place."""
    return Path(program).name in _OURS


def _not_ours(program: str | None) -> str | None:
    """A program, unless it is a link to one of ours or to the one that runs now."""
    real = os.path.realpath(program) if program else ""
    return None if is_ours(real) or real == os.path.realpath(sys.argv[0]) else program


def tool_output(command: Sequence[str], *arguments: str) -> str:
    """The output of a tool. Raises ToolError if it cannot be run or fails."""
    import subprocess

    try:
        return subprocess.run(
            [*command, *arguments], check=True, capture_output=True, text=True, errors="replace", timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"{shlex.join([*command, *arguments])} failed: {error}") from error
