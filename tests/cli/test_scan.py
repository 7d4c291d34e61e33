"""Which units are lowered and which pass through."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rex_build.c.source.scan import _HOST_DIRECTIVES, may_concern_device, scan
from rex_build.directives.clauses import DIRECTIVES
from rex_build.pipeline import lower_text
from rex_build.request import Lowered, LowerRequest


@pytest.mark.parametrize(
    "text",
    [
        "#pragma omp target\n;",
        "  #  pragma   omp   target teams\n;",
        "#pragma \\\n  omp \\\n  target\n;",
        "#pragma omp \\  \n  target\n;",
        "#pragma omp \\\r\n  target\r\n;",
        "# /* a */ pragma /* b\n * c */ omp /* d */ target\n;",
        "#pragma omp /* on\n the */ target\n;",
        "#pragma omp declare target\n",
        "#pragma omp begin declare target\n",
        "#pragma omp requires unified_shared_memory\n",
        "#pragma omp metadirective when(user={condition(1)}: target)\n",
        '_Pragma("omp target") ;',
        '_Pragma ( "omp target teams" ) ;',
        "#define P(x) _Pragma(#x)\nP(omp target)\n;",
        "#define P(x) _Pragma ( # x )\n",
        "#pragma omp parallel for\n;\n#pragma omp target\n;",
        "#pragma omp tile sizes(4)\n;",  # the host compiler may not know it
        "#pragma omp allocate(x) align(64)\n",
        "#pragma omp task detach(e)\n;",
        "void f(void *p, char *b) { p = omp_get_mapped_ptr(p, 0); }\n",  # omp.h may not declare it
        "void f(void) { omp_capture_affinity (0, 0, 0); }\n",
        "int f(void) { return omp_control_tool(omp_control_tool_flush, 0, 0); }\n",
        "#pragma omp scope firstprivate(x)\n;",
        "void f(void) { [[omp::directive(target)]]; }\n",  # this is refused
        "void f(void) { [[using omp : directive(target)]]; }\n",
        "%:pragma omp target\n;",
        "??=pragma omp target\n;",
        "#pragma omp OFFLOAD map(from: h)\n;",  # a macro, which may come from a header of the system's
        '_Pragma("omp OFFLOAD") ;',
    ],
)
def test_may_concern_the_device(text: str) -> None:
    assert may_concern_device(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { return 0; }",
        'int target; /* a target */ const char *s = "target";',
        "#pragma omp parallel for\nfor (;;) target();",
        '#pragma GCC target("avx2")\n',
        "#pragma omp parallel \\\n  for\nint target;",
        "int error, declare, requires, begin;",
        "#pragma omp simd\nint error;",
    ],
)
def test_does_not_concern_the_device(text: str) -> None:
    assert not may_concern_device(text.encode())


def needs(folder: Path, text: str, *flags: str) -> bool:
    source = folder / "unit.c"
    source.write_text(text)
    return scan(source, flags).needs_lowering


def test_headers_are_searched_as_the_compiler_does(tmp_path: Path) -> None:
    include, sub = tmp_path / "include", tmp_path / "sub"
    include.mkdir()
    sub.mkdir()
    (include / "device.h").write_text("#pragma omp declare target\nint f(int);\n#pragma omp end declare target\n")
    (include / "outer.h").write_text('#include "device.h"\n')
    (include / "plain.h").write_text("int target;\n")
    assert not needs(tmp_path, '#include "device.h"\n')  # a system header, or an error for the compiler
    assert needs(tmp_path, '#include "device.h"\n', "-I", str(include))
    assert needs(tmp_path, "#include <device.h>\n", f"-I{include}")
    assert needs(tmp_path, '#include "outer.h"\n', "-iquote", str(include))
    assert needs(tmp_path, "int a;\n", "-I", str(include), "-include", str(include / "device.h"))
    assert needs(tmp_path, '#include "include/outer.h"\n')
    assert not needs(tmp_path, '#include "plain.h"\n', f"-I{include}")
    assert needs(tmp_path, "#define H <device.h>\n#include H\n")


def test_macros_in_directives(tmp_path: Path) -> None:
    pragma = "#pragma omp parallel MORE\n;\n"
    assert not needs(tmp_path, f"#define MORE num_threads(2)\n{pragma}")
    assert not needs(tmp_path, f"#define LESS target\n{pragma}")
    assert needs(tmp_path, f"#define ALL target\n#define MORE(x) \\\n ALL\n{pragma}")
    assert needs(tmp_path, pragma, "-DMORE=detach(e)")
    assert needs(tmp_path, pragma, "-D", "MORE=detach(e)")
    (tmp_path / "macros.h").write_text("#define MORE linear(i)\n")
    assert needs(tmp_path, f'#include "macros.h"\n{pragma}')
    assert needs(tmp_path, pragma, "-imacros", str(tmp_path / "macros.h"))


def test_the_known_directives_are_openmps() -> None:
    assert set(_HOST_DIRECTIVES) <= {name.split()[0].encode() for name in DIRECTIVES}


def test_headers_in_the_environments_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "device.h").write_text("#pragma omp declare target\n")
    assert not needs(tmp_path, "#include <device.h>\n")
    monkeypatch.setenv("C_INCLUDE_PATH", f"/nowhere:{tmp_path / 'include'}")
    assert needs(tmp_path, "#include <device.h>\n")


def test_what_was_read_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n#include "a.h"\n')
    (tmp_path / "b.h").write_text("int b;\n")
    (tmp_path / "unit.c").write_text('#include "a.h"\n#include <stdio.h>\n')
    found = scan(tmp_path / "unit.c", ())
    assert [path.name for path in found.includes] == ["a.h", "b.h"]


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
    assert "{ rex_offload_init();" in with_anchor.host
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


def test_a_long_file_takes_as_long_as_reading_it(tmp_path: Path) -> None:
    """The file has 20,000 lines that almost match, and lines on which bad patterns would backtrack."""
    rows = ["#pragma omp parallel for /", "int target = 1; /* target */", "#pragma once more " + "/* x */" * 50]
    source = tmp_path / "unit.c"
    source.write_text("\n".join(rows * 7000) + "\n")
    start = time.perf_counter()
    assert not scan(source, ()).needs_lowering
    assert time.perf_counter() - start < 1
