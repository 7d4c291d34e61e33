"""What of a C++ unit is handed to the process that checks it as C."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.c.source.preprocess import preprocess
from rex_build.cxx.c_text import of_user


@pytest.mark.compile
def test_only_the_users_text(tmp_path: Path) -> None:
    """The other process gets the user's files without the headers of the system, and finds the same places in them."""
    (tmp_path / "own.h").write_text("inline int own_function(int own) { return own; }\n")
    source = tmp_path / "unit.cpp"
    source.write_text(
        '#include <vector>\nint own_first;\n#include "own.h"\n#include <string>\n\n  int own_second = own_first;\n'
    )
    pre = preprocess(source, (), "g++", (), "c++")
    own, shifts = of_user(pre)
    assert "namespace std" in pre.text
    assert "namespace std" not in own.text
    for name in ("own_first;", "own_function", "own; }", "own_second"):
        place = pre.text.index(name)
        start, moved = [pair for pair in shifts if pair[0] <= place][-1]
        assert own.text.startswith(name, place - start + moved)
        assert own.span_at(*own.place_at(place - start + moved)) == pre.span_at(*pre.place_at(place))
