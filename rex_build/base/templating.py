"""The Jinja environment of every template. Undefined names are errors, and blocks leave no blank lines behind."""

from __future__ import annotations

import os
import pickle
import sys
from functools import cache
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket


class _CompiledTemplates(jinja2.BytecodeCache):
    """Keeps compiled templates beside their sources, if that folder can be written, as Python does with modules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / "__pycache__" / f"{bucket.key}.{sys.implementation.cache_tag}.{jinja2.__version__}.pyc"

    def load_bytecode(self, bucket: Bucket) -> None:
        try:
            with self._file(bucket).open("rb") as file:
                bucket.load_bytecode(file)
        except (OSError, ValueError, EOFError, TypeError, pickle.UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        file = self._file(bucket)
        part = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            file.parent.mkdir(exist_ok=True)
            part.write_bytes(bucket.bytecode_to_string())
            part.replace(file)
        except OSError:
            part.unlink(missing_ok=True)


@cache
def environment(folder: Path, *, is_html: bool = False) -> jinja2.Environment:
    """The environment of the templates in a folder. In pages, what is put in is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=is_html,
        bytecode_cache=_CompiledTemplates(folder),
    )
