"""Keeps patterns and constructors of records, compiled, beside Python's compiled modules.

Python keeps modules, but compiles each pattern and each text for ``exec`` again in every process, which would take an
eighth of lowering a short file. What is made of a text depends on the text and on Python's version alone, and both are
in the file. So nothing in it can be out of date. It is written where and when Python writes compiled modules.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from contextlib import suppress
from functools import cache
from types import CodeType
from typing import Any

_sre: Any = sys.modules["_sre"]
FILE = f"{__spec__.cached.removesuffix('.pyc')}.kept" if __spec__ is not None and __spec__.cached else ""
VERSION = (sys.version, _sre.MAGIC)
_MOST = 2000  # entries: a file that is larger would take longer to read than it saves

# A pattern's name is its text and flags, a program's is its text.
_Name = Any
_added: set[_Name] = set()


def pattern(text: str | bytes, flags: int) -> re.Pattern[Any]:
    """``re.compile(text, flags)``."""
    known = _known(FILE).get((text, flags))
    if known is not None:
        made: re.Pattern[Any] = _sre.compile(text, *known)
        return made
    _added.add((text, flags))
    return re.compile(text, flags)


def program(text: str) -> CodeType:
    """``compile(text, ...)``, for ``exec``."""
    known: CodeType | None = _known(FILE).get(text)
    if known is not None:
        return known
    _added.add(text)
    return compile(text, "<string>", "exec")


def keep() -> None:
    """Write what this process has compiled, with what is kept already."""
    if not _added or not FILE or sys.dont_write_bytecode:
        return
    _known.cache_clear()  # other processes may have written since
    known = _known(FILE)
    made = {name: _compiled(name) for name in _added if name not in known}
    kept = {**known, **{name: value for name, value in made.items() if value is not None}}
    if len(known) < len(kept) <= _MOST:
        write(FILE, VERSION, kept)


@cache
def _known(file: str) -> dict[_Name, Any]:
    known: dict[_Name, Any] = read(file, VERSION) or {}
    return known


def read(file: str, version: object) -> Any:
    """The value in a file of this version, or None."""
    try:
        with open(file, "rb", buffering=0) as opened:
            found, value = marshal.loads(opened.readall())  # noqa: S302 - as much ours as the modules beside it
    except (OSError, EOFError, TypeError, ValueError):
        return None
    return value if found == version else None


def write(file: str, version: Any, value: Any) -> None:
    """Replace a file as a whole, if that is possible."""
    temporary = f"{file}.{os.getpid()}"
    try:
        with open(temporary, "wb") as opened:
            marshal.dump((version, value), opened)
        os.replace(temporary, file)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)


def _compiled(name: _Name) -> Any:
    """What is kept under a name: code, or arguments for ``_sre``. None if ``re`` is made of other parts."""
    if isinstance(name, str):
        return compile(name, "<string>", "exec")
    text, flags = name
    try:
        modules: Any = re
        compiler = modules._compiler if sys.version_info >= (3, 11) else modules.sre_compile
        parser = modules._parser if sys.version_info >= (3, 11) else modules.sre_parse
        tree = parser.parse(text, flags)
        groups = tree.state.groupdict
        names = {at: group for group, at in groups.items()}
        made = (
            int(flags | tree.state.flags), [int(word) for word in compiler._code(tree, flags)], tree.state.groups - 1,
            dict(groups), tuple(names.get(at) for at in range(tree.state.groups)),
        )  # fmt: skip
        return made if _sre.compile(text, *made) == re.compile(text, flags) else None
    except (AttributeError, TypeError):
        return None
