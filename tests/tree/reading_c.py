"""Functions of C texts, as trees."""

from __future__ import annotations

from pathlib import Path

from rex_build.c.front_end import read_unit
from rex_build.c.reading.statements import Reader
from rex_build.c.sema.layout import sema_of
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest
from rex_build.tree import nodes as tree


def read(folder: Path, text: str) -> dict[str, tree.Body]:
    source = folder / "unit.c"
    source.write_text(text)
    parsed = read_unit(preprocessed(LowerRequest(source, folder)), True)
    sema = sema_of(parsed)
    reader = Reader(sema)
    for function in sema.functions.values():
        sema.analyse(function)
    return {name: reader.body(function) for name, function in sema.functions.items()}
