"""Finds the compiler behind programs that take a compiler's place, and keeps rex-build from calling itself."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..base.command_words import compiler_at
from ..base.diagnostics import Diagnostic, ToolError, UsageError
from ..tools.toolchain import is_ours, real_compiler
from .command_line import Language

_CHAIN = "REX_BUILD_CHAIN"  # the chain of callers, one program a line


def split_command(command: Sequence[str], compilers: Sequence[str] = ()) -> tuple[list[str], list[str]]:
    """(the compiler with launchers in front, its arguments). Raises UsageError if there is no compiler.

    Where one of the ``compilers`` is among the words, all in front of it are launchers.
    """
    at = next((at for at, word in enumerate(command) if word in compilers), compiler_at(command))
    if at is None:
        raise UsageError(f"{shlex.join(command)} names no compiler")
    return list(command[: at + 1]), list(command[at + 1 :])


def c_compiler() -> tuple[str, ...]:
    """The compiler that ``rex-build cc --`` and ``rex-gcc`` run: ``$REX_CC``, else ``$CC``, else gcc. Raises ToolError.

    ``make CC=...`` passes CC on to its commands, so a CC that names rex-build itself does not count.
    """
    return real_compiler("rex-gcc", ("CC",))


def cxx_compiler() -> tuple[str, ...]:
    """The compiler that ``rex-g++`` runs: ``$REX_CXX``, else ``$CXX``, else g++. Raises ToolError."""
    return real_compiler("rex-g++", ("CXX",))


def default_language(compiler: str) -> Language:
    """The language as which a compiler compiles a ``.c`` file."""
    name = Path(compiler).name
    return Language.CXX if "++" in name or name.startswith("rex-g++") else Language.C


@contextmanager
def only_once(compiler: Sequence[str]) -> Iterator[None]:
    """Guard calls of ``compiler``. If it leads back to rex-build, ToolError names the chain: by the compiler's name at
    once, else on the second level, also where a script in between has another environment."""
    chain = list(filter(None, os.environ.get(_CHAIN, "").split("\n"))) or list(_callers())
    link = f"{Path(sys.argv[0]).name} calls {shlex.join(compiler)}"
    if chain or is_ours(compiler[-1]):
        notes = (*chain, link, "name the real compiler in REX_CC (REX_CXX for C++), or use rex-gcc as the compiler")
        raise ToolError([Diagnostic("error", "the compiler that rex-build calls is rex-build again", notes=notes)])
    os.environ[_CHAIN] = link
    try:
        yield
    finally:
        del os.environ[_CHAIN]


def _callers() -> Iterator[str]:
    """What those of this process's parents do that are rex-build in a compiler's place."""
    try:
        process = _parent(os.getpid())
    except OSError:
        return
    while process > 1:
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")
            above = _parent(process)
        except OSError:
            return
        if Path(words[0]).name.startswith("python"):
            called = _command(words)
            if called == "cc" or is_ours(called):
                yield f"rex-build {called} calls a script"
        process = above


def _command(words: Sequence[str]) -> str:
    """The command of rex-build that Python runs, by a script or, as CMake's files do, by the package; else no text."""
    at = 1
    while words[at : at + 1] and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in ("-X", "-W") else 1
    at += words[at : at + 1] == ["-m"]
    found = words[at : at + 2]
    return found[1] if len(found) == 2 and (is_ours(found[0]) or "rex_build" in Path(found[0]).parts[-2:]) else ""


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
