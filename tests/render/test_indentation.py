"""Generated text is indented as the user's, and what is found for it is looked for once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.c.source.preprocess import read_preprocessed
from rex_build.render import lines


class Counted:
    """A pattern that counts the characters it looks at."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.characters = 0

    def search(self, text: str, start: int) -> re.Match[str] | None:
        found = self.pattern.search(text, start)
        self.characters += (found.start() if found is not None else len(text)) - start
        return found


@pytest.mark.parametrize("after", ["    x = 1;\n", "  }\n", ""])
def test_directives_after_one_another_are_passed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    directive = "#pragma omp target update to(x)\n"
    source = tmp_path / "many.c"
    source.write_text(directive * 500 + after)
    counted = Counted(lines._STATEMENT)
    monkeypatch.setattr(lines, "_STATEMENT", counted)
    pre = read_preprocessed(source.read_text(), str(source))
    indents = lines.Indentation(pre)
    wanted = {"    x = 1;\n": "    ", "  }\n": "      ", "": ""}[after]
    assert {indents.at(k * len(directive)) for k in range(500)} == {wanted}
    assert counted.characters < 2 * len(pre.text)
    assert indents.at(0) == wanted  # also behind what was found
