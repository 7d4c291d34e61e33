"""Commands that users give as one text: what no shell could split is the user's error, wherever it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.cli.main import main

UNIT = "void f(int *x)\n{\n#pragma omp target map(tofrom: x[0:1])\n    x[0] = 1;\n}\n"


@pytest.mark.parametrize(
    ("words", "variable"),
    [
        (("lower", "unit.c", "--out-dir", "out", "--cc", '"'), ""),
        (("lower", "unit.c", "--out-dir", "out"), "CC"),
        (("explain", "unit.c", "--cc", "gcc '"), ""),
        (("device", "unit.cu", "--arch", "cpu", "-o", "image", "--compiler", "g++ '"), ""),
        (("device", "unit.cu", "--arch", "cpu", "-o", "image", "--launcher", '"'), ""),
        (("cc", "--device", "cpu", "--launcher", '"', "unit.c"), ""),
        (("rex-cc", "--cpu-compiler", "'", "gcc", "-c", "unit.c"), ""),
        (("rex-cc", "gcc", "-c", "unit.c"), "REX_NVCC_OPTIONS"),
        (("rex-gcc", "-c", "unit.c"), "REX_CC"),
    ],
)
def test_a_quote_that_is_not_closed(
    words: tuple[str, ...], variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("unit.c").write_text(UNIT)
    Path("unit.cu").write_text("")
    if variable:
        monkeypatch.setenv(variable, '"')
    assert main(words) == 2
    assert "cannot be split into words: no closing quotation" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variable", "meant"),
    [("REX_ARCH", "REX_CUDA_ARCHITECTURES"), ("REX_DEVICE", "REX_DEVICES"), ("REX_CCX", "REX_CC"), ("REX_HOME", "")],
)
def test_a_misspelt_variable_is_told(
    variable: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "1")
    Path("unit.c").write_text("int x;\n")
    assert main(("rex-gcc", "-fsyntax-only", "unit.c")) == 0
    said = f"rex-build: warning: {variable} in the environment is not read\n      note: did you mean '{meant}'?\n"
    assert capsys.readouterr().err == said * bool(meant)
