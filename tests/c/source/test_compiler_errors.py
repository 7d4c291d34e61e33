"""What the host compiler says about a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.c.source import compiler_errors


def test_a_compiler_that_never_ends_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As g++ with thousands of nested classes. The limit is processor time, also of what the compiler starts."""
    monkeypatch.setattr(compiler_errors, "_PATIENCE", 1)
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\nsleep 0.2\necho 'a.c:1:1: error: no' >&2\nsh -c 'while :; do :; done'\n")
    compiler.chmod(0o755)
    compiler_errors.syntax_errors(tmp_path / "a.c", (), str(compiler))


def test_errors_come_with_their_places(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text("int f(void) { return x; }\n")
    (error,) = compiler_errors.syntax_errors(source, (), "gcc")
    assert error.span is not None
    assert (error.span.line, error.span.column) == (1, 22)
