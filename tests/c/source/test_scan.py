"""Which units are lowered and which pass through: the preprocessed text decides."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

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
    [
        "#pragma omp target\n;",
        "  #  pragma   omp   target teams\n;",
        "#pragma \\\n  omp \\\n  target\n;",
        "#pragma omp \\  \n  target\n;",
        "#pragma omp \\\r\n  target\r\n;",
        "#pra\\\ngma omp tar\\\nget\n;",
        "#pragma omp task de\\\ntach(e)\n",
        "# /* a */ pragma /* b\n * c */ omp /* d */ target\n;",
        "/* a */ #pragma omp /* on\n the */ target\n;",
        "#pragma omp declare target\n",
        "#pragma omp begin declare target\n",
        "#pragma omp requires unified_shared_memory\n",
        "#pragma omp metadirective when(user={condition(1)}: target)\n",
        '_Pragma("omp target") ;',
        '_Pragma\n/* a */\n( "omp target teams" ) ;',
        "#define P(x) _Pragma(#x)\nP(omp target)\n;",
        '#define CAT(a, b) a##b\nCAT(_Prag, ma)("omp target") ;',
        "#define CAT(a, b) a##b\n#pragma omp parallel CAT(det, ach)(e)\n;",
        "#define A tar%:%:get\n#pragma omp A\n;",
        "#define ALL target\n#define OFFLOAD ALL\n#pragma omp OFFLOAD map(from: h)\n;",
        "#pragma omp parallel for\n;\n#pragma omp target\n;",
        "#pragma omp tile sizes(4)\n;",  # the host compiler may not know it
        "#pragma omp allocate(x) align(64)\n",
        "#pragma omp task detach(e)\n;",
        "void f(void *p, char *b) { p = omp_get_mapped_ptr(p, 0); }\n",  # omp.h may not declare it
        "void f(void) { omp_capture_affinity (0, 0, 0); }\n",
        "int f(void) { return omp_control_tool(omp_control_tool_flush, 0, 0); }\n",
        "#pragma omp scope firstprivate(x)\n;",
        "void f(void) { [[omp::directive(target)]]; }\n",
        "void f(void) { [[using omp : directive(target)]]; }\n",
        "#define NS omp\nvoid f(void) { [ [NS::sequence(directive(target))]]; }\n",
        "void f(void) { <:<: omp::directive(target) :>:>; }\n",
        "%:pragma omp target\n;",
    ],
)
def test_concerns_the_device(tmp_path: Path, text: str, cc: str) -> None:
    assert needs(tmp_path, text, "-w", cc=cc)


def test_trigraphs_count_where_the_compiler_reads_them(tmp_path: Path) -> None:
    text = "??=pragma omp tar??/\nget\n;"
    assert needs(tmp_path, text, "-std=c11")
    assert not needs(tmp_path, "//??/\n#pragma omp target\n", "-std=c11")


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { return 0; }",
        'int target; /* a target */ const char *s = "#pragma omp target";',
        "#pragma omp parallel for\nfor (;;) target();",
        '#pragma GCC target("avx2")\n',
        "#pragma omp parallel \\\n  for\nint target;",
        "// #pragma omp target\n",
        "#ifdef ON\n#pragma omp target\n#endif\n",
        "#define LESS target\n#pragma omp parallel MORE\n;",
        "#define MORE num_threads(2)\n#pragma omp parallel MORE\n;",
        "#include <omp.h>\n#include <math.h>\nint error, declare, requires, begin;",
        "#include <math.h>\n#pragma omp simd\nint error;",
        "int omp, a[2]; int f(int i) { return i ? omp : a[a[omp]]; }",
    ],
)
def test_does_not_concern_the_device(tmp_path: Path, text: str) -> None:
    assert not needs(tmp_path, text, "-Ofast")


REGION = "#pragma omp target\n;\n"


@pytest.mark.parametrize("cc", COMPILERS)
@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("#include <region.h>\n", "-Iinclude"),
        ("#include <region.h>\n", "-I include"),
        ("#include <region.h>\n", "-isysteminclude"),  # a folder of the system
        ("#include <region.h>\n", "--include-directory=include"),
        ("#include <region.h>\n", "--sysroot=. -I=/include"),
        ('#include "region.h"\n', "-iquote include"),
        ('#include "outer.h"\n', "-idirafter include"),
        ('#/* a */include/* b */"include/outer.h"\n', ""),
        ('#incl\\\nude "include/out\\\ner.h"\n', ""),
        ('%:include "include/region.h"\n', ""),
        ("#define H <region.h>\n#include H\n", "-Iinclude"),
        (";\n", "-include include/region.h"),
        (";\n", "-includeinclude/region.h"),
        (";\n", "--include include/region.h"),
        (";\n", "--include=include/region.h"),
        (";\n", "-Wp,-include,include/region.h"),
        (";\n", "-Xpreprocessor -include -Xpreprocessor include/region.h"),
        ("#pragma omp OFFLOAD\n;\n", "-DOFFLOAD=target"),
        ("#pragma omp parallel MORE(a)\n;\n", "-D MORE(x)=detach(x)"),
        ("#pragma omp parallel MORE\n;\n", "--define-macro=MORE=detach(e)"),
        ("#pragma omp parallel MORE\n;\n", "-Wp,-DMORE=detach(e)"),
        ("#pragma omp parallel MORE\n;\n", "-imacros include/macros.h"),
        ("REGION ;\n", '-DREGION=_Pragma("omp\ttarget")'),
    ],
)
def test_flags_count_as_the_compiler_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, flags: str, cc: str
) -> None:
    include = tmp_path / "include"
    include.mkdir()
    (include / "region.h").write_text(REGION)
    (include / "outer.h").write_text('#include "region.h"\n')
    (include / "macros.h").write_text("#define MORE detach(e)\n")
    monkeypatch.chdir(tmp_path)
    if flags.startswith("-D MORE"):
        words = ["-D", flags[3:]]
    elif "\t" in flags:
        words = [flags.replace("\t", " ")]
    else:
        words = flags.split()
    assert needs(tmp_path, text, *words, cc=cc)


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
