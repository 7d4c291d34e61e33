"""Which units are lowered and which pass through: the preprocessed text decides."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from scan_texts import CONCERN_THE_DEVICE, DO_NOT, REGION, WITH_FLAGS, words_of, write_headers

from rex_build.c.source.preprocess import preprocess
from rex_build.c.source.scan import _HOST_DIRECTIVES, concerns_device, has_target_directive
from rex_build.directives.clauses import DIRECTIVES
from rex_build.pipeline import lower_text
from rex_build.request import Lowered, LowerRequest

pytestmark = pytest.mark.compile

CLANG = shutil.which("clang-19") or shutil.which("clang")
COMPILERS = ("gcc", *([CLANG] if CLANG else []))


def needs(folder: Path, text: str, *flags: str, cc: str = "gcc") -> bool:
    source = folder / "unit.c"
    source.write_text(text)
    return concerns_device(preprocess(source, flags, cc))


@pytest.mark.parametrize("cc", COMPILERS)
@pytest.mark.parametrize(
    "text",
    CONCERN_THE_DEVICE,
)
def test_concerns_the_device(tmp_path: Path, text: str, cc: str) -> None:
    assert needs(tmp_path, text, "-w", cc=cc)


def test_trigraphs_count_where_the_compiler_reads_them(tmp_path: Path) -> None:
    text = "??=pragma omp tar??/\nget\n;"
    assert needs(tmp_path, text, "-std=c11")
    assert not needs(tmp_path, "//??/\n#pragma omp target\n", "-std=c11")


@pytest.mark.parametrize(
    "text",
    DO_NOT,
)
def test_does_not_concern_the_device(tmp_path: Path, text: str) -> None:
    assert not needs(tmp_path, text, "-Ofast")


@pytest.mark.parametrize("cc", COMPILERS)
@pytest.mark.parametrize(
    ("text", "flags"),
    WITH_FLAGS,
)
def test_flags_count_as_the_compiler_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, flags: str, cc: str
) -> None:
    write_headers(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert needs(tmp_path, text, *words_of(flags), cc=cc)


def test_folders_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "region.h").write_text(REGION)
    monkeypatch.chdir(tmp_path / "include")
    monkeypatch.setenv("C_INCLUDE_PATH", "/nowhere:")  # an empty name is the current folder
    assert needs(tmp_path, "#include <region.h>\n")


def test_the_known_directives_are_openmps() -> None:
    assert {name.split()[0] for name in DIRECTIVES} >= _HOST_DIRECTIVES


def test_a_plain_directive_is_seen_without_the_preprocessor() -> None:
    assert has_target_directive(b"int x;\n  # pragma omp  target teams\n")
    assert not has_target_directive(b"int x; // #pragma omp target\n")


def test_what_was_read_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text("int b;\n")
    lowered = passed_through(tmp_path, '#include "a.h"\n')
    assert [Path(name).name for name in lowered.dependencies][:3] == ["unit.c", "stdc-predef.h", "a.h"]
    assert lowered.dependencies[-1] == str(tmp_path / "b.h")


def passed_through(folder: Path, text: str, **options: object) -> Lowered:
    source = folder / "unit.c"
    source.write_bytes(text.encode("latin-1"))
    return lower_text(LowerRequest(source, folder, **options))  # type: ignore[arg-type]


def test_the_text_passes_through(tmp_path: Path) -> None:
    text = "#include <stdio.h>\n#pragma omp parallel for\nint é;\n\n\nint main(void)\n{\n    return 0;\n}\n"
    lowered = passed_through(tmp_path, text)
    assert lowered.entries == 0
    head, line, body = lowered.host.split("\n", 2)
    assert head.startswith("/* rex-build")
    assert line.startswith("#line 1 ")
    assert body.encode("utf-8", "surrogateescape") == text.encode("latin-1")
    assert "__global__" not in lowered.device


def test_main_of_a_program_with_regions_elsewhere_makes_the_device_ready(tmp_path: Path) -> None:
    text = "int helper(void);\nint main(void)\n{\n    return helper();\n}\n"
    with_anchor = passed_through(tmp_path, text, anchor="rex_anchor_x")
    assert "{ if (rex_offload_init) rex_offload_init();" in with_anchor.host
    assert "rex_offload_init" not in passed_through(tmp_path, text).host
    assert "rex_offload_init" not in passed_through(tmp_path, text, anchor="rex_anchor_x", init="lazy").host


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) { return 0; }\n",
        "int main(void);\n",
        "int domain(int x) { return x; }\n",
        "#define main(x) { other(x) }\n",
        "// int main(void) {\n",
        "int x = remain(1);\n",
    ],
)
def test_no_main(tmp_path: Path, text: str) -> None:
    assert "rex_offload_init" not in passed_through(tmp_path, text, anchor="a").host
