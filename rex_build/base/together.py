"""Imports many modules from one file.

Python searches, opens and reads a file for each module, which takes a fifth of lowering a short file. What a process
imports ``together`` under a name is kept in one file beside Python's compiled modules, with the states of the sources.
A module whose source has another state, or that is not in the file, is imported as usual, and the file is written anew.
Python always searches for what is in no package, as that depends on the environment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from . import kept

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class _Loader(SourceFileLoader):
    """Python's loader, with the code at hand."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        return self._code


class _Finder:
    """Finds modules of packages, where Python would look first, of which the sources are as they were."""

    def __init__(self, file: str, version: object) -> None:
        self._file, self._version = file, version

    @cached_property
    def known(self) -> dict[str, Any]:
        """What the file says."""
        known: dict[str, Any] = (kept.read(self._file, self._version) if kept.FILE else None) or {}
        return known

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002
        if not path or name not in self.known:
            return None
        file, cached, state, code = self.known[name]
        folder, _, module = file.rpartition("/")
        package = module == "__init__.py"
        if next(iter(path)) != (folder.rpartition("/")[0] if package else folder) or _state(file) != state:
            return None
        spec = ModuleSpec(name, _Loader(name, file, code), origin=file, is_package=package)
        spec.has_location, spec.cached = True, cached
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(folder)
        return spec


@contextmanager
def together(name: str) -> Iterator[None]:
    """Modules that are imported meanwhile come from the file of this name."""
    file, version = f"{kept.FILE}.{name}", [*kept.VERSION, _PACKAGE]
    before = set(sys.modules)
    finder: Any = _Finder(file, version)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
    if kept.FILE and not sys.dont_write_bytecode:
        new = (one for one in list(sys.modules) if "." in one and one not in before)
        found = {one: entry for one in new if (entry := _entry(one)) is not None}
        if any(finder.known.get(one, ())[:-1] != entry[:-1] for one, entry in found.items()):
            kept.write(file, version, {**finder.known, **found})


def _entry(name: str) -> tuple[str, str, tuple[int, int], CodeType] | None:
    """What the file is to say of a module that Python has searched for: its files, the source's state, and the code."""
    spec = getattr(sys.modules[name], "__spec__", None)
    if spec is None or type(spec.loader) is not SourceFileLoader or spec.cached is None:
        return None
    file = spec.loader.path
    state, code = _state(file), spec.loader.get_code(name)
    return None if state is None or code is None or state != _state(file) else (file, spec.cached, state, code)


def _state(file: str) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
