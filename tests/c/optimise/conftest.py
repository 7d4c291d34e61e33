"""What these tests share. Most of them lower a unit and ask what was decided about it: gcc reads its text once, and
nothing is looked for that warnings could say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from rex_build import pipeline
from rex_build.c.source import preprocess


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    known: dict[object, str] = {}
    run = preprocess._run_preprocessor

    def once(
        cc: str, arguments: Sequence[str], text: str | None = None, meanwhile: Callable[[], None] = lambda: None
    ) -> str:
        source = None if text is not None else Path(arguments[-1]).read_bytes()
        key = cc, *arguments, text, source
        if key not in known:
            known[key] = run(cc, arguments, text, meanwhile)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preprocess, "_run_preprocessor", once)
        patch.setattr(pipeline, "nothing_is_reported", lambda _: True)
        yield
