"""Texts that have something to lower, and texts that look as if they had."""

from __future__ import annotations

from pathlib import Path

REGION = "#pragma omp target\n;\n"

CONCERN_THE_DEVICE = [
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
    "void f(void) { [[__omp__::__directive__(target)]]; }\n",
    "#define C(a, b) a##b\nvoid f(void) { [[C(o, mp)::C(direc, tive)(target)]]; }\n",
    "void f(void) {\n[\n[\nomp\n::directive(target)]]; }\n",
    "void f(void) { [[likely, gnu::f((1)), omp::directive(target)]]; }\n",
    "void f(void) { [\n#if 1\n[omp::directive(target)]]; }\n#endif\n",
    'const char *s = R"(")"; void f(void) { [[omp::directive(target)]]; } const char *t = "";\n',
    "#define M metadirective\n#pragma omp M when(user={condition(1)}: target)\n;",
]

# Compiled with -Ofast, which brings glibc's directives for vectors.
DO_NOT = [
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
]

# A text and flags, with the headers of write_headers.
WITH_FLAGS = [
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
    ('void f(void) { [\n#include "begun.h"\n; }\n', "-Iinclude"),
    ('void f(void) { [[\n#include "inner.h"\n]]; }\n', "-Iinclude"),
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
]


def write_headers(folder: Path) -> None:
    """Headers with a region in ``include``, for a compiler that runs in ``folder``."""
    include = folder / "include"
    include.mkdir()
    (include / "region.h").write_text(REGION)
    (include / "begun.h").write_text("[omp::directive(target)]]\n")
    (include / "inner.h").write_text("omp::directive(target)\n")
    (include / "outer.h").write_text('#include "region.h"\n')
    (include / "macros.h").write_text("#define MORE detach(e)\n")


def words_of(flags: str) -> list[str]:
    """The words of flags from WITH_FLAGS. Those with a blank inside a word are one word."""
    if flags.startswith("-D MORE"):
        return ["-D", flags[3:]]
    return [flags.replace("\t", " ")] if "\t" in flags else flags.split()
