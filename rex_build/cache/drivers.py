"""Asks programs that compile who they are and what they would run. A hit with a known compiler needs none of this.

What is behind a program is a list of texts, each of which says what counts:

================  ====================================================================
a path            the content of this file
``path:as``       the content of the program of this name that is found on ``PATH``
``maybe:FILE``    the content of this file, if there is one
``flags:FOLDER``  the contents of clang's configuration files in this folder
``list:FOLDER``   the names of what is in this folder
================  ====================================================================
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence

from .flags import NotCachedError
from .memo import read_file

# Names of drivers: a target may stand in front, as in x86_64-linux-gnu-gcc, and a version behind, as in clang++-19.
_NAME = re.compile(r"(?:.+-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-[\d.]+)?")
# What reads the text in a driver's answer to -###: gcc's cc1, or clang with the option -cc1.
_READER = re.compile(r'^ "?([^" \n]+/cc1(?:plus)?)"? |^ "([^"\n]+)" "-cc1" ', re.MULTILINE)

Answer = Callable[..., tuple[int, str, str]]


def ask(
    command: str, path: str, parts: Sequence[str], flags: Sequence[str], language: str
) -> tuple[str, list[str], bool]:
    """(what the program says, what is behind it, whether this holds until its file changes).

    ``path`` is the program's file. Raises NotCachedError for a program that does not say what it would run.
    """
    if _may_be_driver(path):
        answer = _asker(command, ())
        said = _version(command, answer)
        if not parts or _is_itself(command, path, said, answer):
            return said, _behind(answer, said, parts), True
    answer = _asker(command, flags)
    said = _version(command, answer)
    behind = _behind(answer, said, parts)
    if not parts:  # nvcc
        return said + answer("--dryrun", "-E", "-x", "cu", os.devnull)[2], behind, False
    _, _, would_run = answer("-###", "-E", "-x", language, os.devnull)
    programs = [of_gcc or of_clang for of_gcc, of_clang in _READER.findall(would_run)]
    if not programs:
        raise NotCachedError(f"{command} does not say what it would run")
    behind += (os.path.realpath(program) for program in programs if os.path.isfile(program))
    return said + would_run, behind, False


def _asker(command: str, flags: Sequence[str]) -> Answer:
    """Runs the program with some words and ``flags``. Returns its status and its texts."""
    environment = {**os.environ, "LC_ALL": "C"}

    def answer(*words: str) -> tuple[int, str, str]:
        try:
            done = subprocess.run(
                [command, *words, *flags], capture_output=True, env=environment, timeout=30, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NotCachedError(f"{command} {words[0]}: {error}") from error
        out, errors = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
        return done.returncode, out.strip(), errors

    return answer


def _version(command: str, answer: Answer) -> str:
    status, said, _ = answer("--version")
    if status:
        raise NotCachedError(f"{command} does not tell its version")
    return said


def _may_be_driver(path: str) -> bool:
    """Whether a file is a program with the name of a driver and with words that only such a driver has."""
    name = os.path.basename(path)
    if name != "nvcc" and not _NAME.fullmatch(name):
        return False
    own = [b"NVCC_PREPEND_FLAGS"] if name == "nvcc" else [b"COLLECT_GCC_OPTIONS"]
    if "clang" in name:  # its text is in the program, or in a library
        own = [b"CLANG_NO_DEFAULT_CONFIG", b"libclang-cpp"]
    content = read_file(path)
    return content.startswith(b"\x7fELF") and any(word in content for word in own)


def _is_itself(command: str, path: str, said: str, answer: Answer) -> bool:
    """Whether the driver that answers is this file, and no other that it calls."""
    if "InstalledDir: " in said:
        return f"InstalledDir: {os.path.dirname(path)}" in said.splitlines()
    return f"COLLECT_GCC={command}" in answer("-###", "-E", "-x", "c", os.devnull)[2].splitlines()


def _behind(answer: Answer, said: str, parts: Sequence[str]) -> list[str]:
    """What decides what the compiler makes: programs, configuration files, and places of such files."""
    behind = []
    for part in parts:
        _, program, _ = answer(f"-print-prog-name={part}")
        if os.path.isabs(program) and os.path.isfile(program):
            behind.append(os.path.realpath(program))
        elif program == part:
            behind.append("path:" + part)
    if "clang" in said:
        # Names a configuration file that does not exist, to be told where such files would be.
        _, _, told = answer("-v", "--config=rex-build-asks-where.cfg", "-E", "-x", "c", os.devnull)
        behind += ("flags:" + folder for folder in re.findall(r"searched for in the directory: (.*)", told))
        _, _, told = answer("-v", "-E", "-x", "c", os.devnull)
        installed = {os.path.dirname(path) for path in re.findall(r"Found candidate GCC installation: (.*)", told)}
        behind += ("list:" + folder for folder in sorted(installed))
        behind += _libraries(said)
    elif parts:
        _, told, _ = answer("-print-search-dirs")
        behind += ("maybe:" + path for path in _specs(told))
    return behind


def _specs(told: str) -> list[str]:
    """Where gcc looks for a file that replaces its rules, from its answer to ``-print-search-dirs``."""
    folders = []
    for folder in re.findall("^install: (.*)", told, re.MULTILINE):
        folders += [folder, os.path.dirname(folder.rstrip("/"))]
    for listed in re.findall("^libraries: =?(.*)", told, re.MULTILINE):
        folders += listed.split(os.pathsep)
    return [f"{folder}/specs" for folder in dict.fromkeys(map(os.path.realpath, folders))]


def _libraries(said: str) -> list[str]:
    """The libraries that clang's driver is made of. They can be replaced while it stays as it is."""
    for folder in re.findall("^InstalledDir: (.*)", said, re.MULTILINE):
        program = f"{folder}/clang"
        if os.path.isfile(program):
            loaded = subprocess.run(
                [program], capture_output=True, env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1"}, timeout=30
            )
            lines = loaded.stdout.decode("utf-8", "surrogateescape").splitlines()
            found = [re.fullmatch(r"\s*(lib(?:clang|LLVM)\S*) => (\S+) \(.*", line) for line in lines]
            return [os.path.realpath(match[2]) for match in found if match]
    return []
