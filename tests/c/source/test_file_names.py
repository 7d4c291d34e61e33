"""Sources with odd names, and with odd names in ``#line``: their host files compile, and places name them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rex_build.base.diagnostics import InputError, ToolError
from rex_build.c.source.preprocess import presumed_place
from rex_build.pipeline import lower as lower_to_files
from rex_build.pipeline import lower_text
from rex_build.request import Lowered, LowerRequest

TEXT = "int f(int x)\n{\n#pragma omp target map(tofrom: x)\n    x++;\n    return x;\n}\n"
NAMES = ["-a.c", "--.c", "-c.c", 'a"b.c', "a'b c.c", "a\\b.c", "<a>.c", "<built-in>.c", "@a.c", "a$(b)`c`.c", "a%s#;.c"]


def lower(folder: Path, source: Path) -> Lowered:
    return lower_text(LowerRequest(source, folder, ("-w",), cc="gcc"))


def compiled(folder: Path, host: str) -> str:
    """What gcc says of a host file."""
    include = Path(__file__).parents[3] / "rex_build/include"
    (folder / "host.c").write_text(host, encoding="utf-8", errors="surrogateescape")
    done = subprocess.run(
        ["gcc", "-fsyntax-only", f"-I{include}", "host.c"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(TEXT)
    lowered = lower(tmp_path, Path(name))
    assert lowered.entries == 1
    assert "__tgt_target_kernel" in lowered.host
    assert "warning" not in compiled(tmp_path, lowered.host)


@pytest.mark.parametrize("name", ["-a.c", "--.c"])
def test_errors_in_a_file_whose_name_looks_like_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The host compiler is asked about the file, and not called with an option."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(TEXT.replace("int x)", "real_t x)"))
    with pytest.raises(InputError, match="unknown type name"):
        lower(tmp_path, Path(name))


@pytest.mark.parametrize("name", ["a\nb.c", "a\rb.c", "a\\\nb.c"])
def test_a_name_with_a_line_break_is_refused(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    source.write_text(TEXT)
    with pytest.raises(InputError, match="a file name with a line break is not supported"):
        lower(tmp_path, source)
    source.write_text(TEXT.replace("#pragma", "//"))
    assert lower(tmp_path, source).entries == 0


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a\\nb.c", "a\nb.c"),
        ("\\303\\251.c", "\u00e9.c"),
        ("\\377.c", "\udcff.c"),
        ("a\\\\b.c", "a\\b.c"),
        ('\\".c', '".c'),
    ],
)
def test_escapes_in_line_directives(tmp_path: Path, written: str, meant: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(TEXT.replace("{\n", f'{{\n#line 7 "{written}"\n', 1))
    lowered = lower(tmp_path, source)
    assert presumed_place(str(source), 4) == (meant, 7)
    assert lowered.entries == 1
    assert "warning" not in compiled(tmp_path, lowered.host)
    assert all("target" not in line for line in lowered.device.split("\n") if line.startswith("b.c"))


def test_line_numbers_that_libomptarget_cannot_read_are_cut(tmp_path: Path) -> None:
    """libomptarget ends a program if the line of a location is no int."""
    source = tmp_path / "unit.c"
    source.write_text(TEXT.replace("{\n", "{\n#line 2147483647\nint unused;\n", 1))
    host = lower(tmp_path, source).host
    assert ", 2147483647, " in host
    assert ", 2147483648, " not in host


@pytest.mark.parametrize("region", ["target map(tofrom: x)", "target data map(tofrom: x)", "target update to(x)", ""])
def test_names_neither_end_nor_begin_comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, region: str) -> None:
    """The name of a file and that of a ``#line`` stand in comments of both files."""
    monkeypatch.chdir(tmp_path)
    source = Path("a*/* b/u.c")
    source.parent.mkdir(parents=True)
    pragma = f"#pragma omp {region}\n" if region else ""
    source.write_text(f'#line 2 "*/ x /*"\nint f(int x)\n{{\n{pragma}    ;\n    return x;\n}}\n')
    lowered = lower_text(LowerRequest(source, tmp_path, ("-w",), cc="gcc", base_dir=tmp_path))
    assert "a* /" in lowered.host
    assert "warning" not in compiled(tmp_path, lowered.host)
    assert lowered.device.count("/*") == lowered.device.count("*/")
    assert "a* /" in lowered.device


def test_long_names(tmp_path: Path) -> None:
    """A name may be as long as the file system allows for the outputs. Longer outputs are named, and none is left."""
    longest = tmp_path / ("a" * 242 + ".c")  # its device file has 255 characters
    longest.write_text(TEXT)
    lower_to_files(LowerRequest(longest, tmp_path / "out", cc="gcc"))
    assert [len(file.name) for file in sorted((tmp_path / "out").iterdir())] == [253, 249]
    longer = tmp_path / ("a" * 246 + ".c")
    longer.write_text(TEXT)
    with pytest.raises(ToolError, match=r"cannot write \S*/rex_lib_a{246}.cu: File name too long"):
        lower_to_files(LowerRequest(longer, tmp_path / "other", cc="gcc"))
    assert list((tmp_path / "other").iterdir()) == []
