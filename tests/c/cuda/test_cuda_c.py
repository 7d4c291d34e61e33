"""C printed as CUDA C++ compiles without warnings for both devices, and computes what the C computes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cuda_support import CUDA, PRELUDE, device_unit, gxx, run

from rex_build.base.diagnostics import InputError
from rex_build.base.line_directives import resolve_line_markers
from rex_build.c.analysis.devicecode import Collected

UNITS = Path(__file__).parent / "units"
NAMES = ("language", "dialect", "checksums", "builtins")
MAIN = """
#include <stdio.h>
int main(void)
{{
    for (int k = 0; k < 7; ++k) {{
{calls}    }}
    return 0;
}}
"""


def unit_text(name: str, tmp_path: Path) -> tuple[str, Collected]:
    return device_unit(tmp_path, (UNITS / f"{name}.c").read_text())


@pytest.mark.compile
@pytest.mark.parametrize("name", NAMES)
def test_compiles_for_the_cpu(name: str, tmp_path: Path) -> None:
    text, collected = unit_text(name, tmp_path)
    assert collected.undefined == ()
    done = gxx(tmp_path, text, "-fsyntax-only")
    assert done.returncode == 0, done.stderr


@pytest.mark.compile
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_compiles_for_cuda(tmp_path: Path) -> None:
    for name in NAMES:
        text, collected = unit_text(name, tmp_path)
        functions = collected.code.functions
        # Taking its address makes nvcc compile a function.
        used = "".join(f"    out[{i}] = (void *){_name(text, f.decl.name)};\n" for i, f in enumerate(functions))
        source = tmp_path / f"{name}.cu"
        source.write_text(f'{text}extern "C" __global__ void use(void **out)\n{{\n{used}}}\n')
        done = run("nvcc", *CUDA, "-cubin", source, "-o", tmp_path / f"{name}.cubin")
        assert done.returncode == 0, done.stderr + done.stdout


def _name(text: str, name: str) -> str:
    return f"{name}__c" if f"{name}__c(" in text else name


@pytest.mark.compile
@pytest.mark.parametrize(("name", "flags"), [("checksums", ()), ("builtins", ("-include", "builtins_reference.h"))])
def test_computes_what_the_c_computes(name: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    source = UNITS / f"{name}.c"
    tests = re.findall(r"\blong (test_\w+)\(", source.read_text())
    calls = "".join(f'        printf("{t} %d %ld\\n", k, {t}(k));\n' for t in tests)
    main = MAIN.format(calls=calls)
    (tmp_path / "c.c").write_text(source.read_text() + main)
    done = run("gcc", "-std=gnu11", "-w", "-O1", f"-I{UNITS}", *flags, tmp_path / "c.c", "-o", tmp_path / "c", "-lm")
    assert done.returncode == 0, done.stderr
    text, _ = unit_text(name, tmp_path)
    done = gxx(tmp_path, text + main, "-O1", "-o", tmp_path / "cxx")
    assert done.returncode == 0, done.stderr
    expected, found = run(tmp_path / "c").stdout.splitlines(), run(tmp_path / "cxx").stdout.splitlines()
    assert len(expected) == 7 * len(tests)
    assert found == expected


def printed(tmp_path: Path, code: str) -> str:
    """The printed unit without the prelude."""
    return device_unit(tmp_path, code)[0].removeprefix(PRELUDE)


REFUSED = [
    ("long double f(int x) { return x; }", 1, "'long double' is not supported in device code"),
    ("double f(double x)\n{\n    return x * 2.0L;\n}", 3, "'long double' is not supported in device code"),
    ("double f(long double _Complex x) { return 1; }", 1, "'long double _Complex' is not supported in device code"),
    ('void f(void)\n{\n    __asm__ volatile("nop");\n}', 3, "inline assembly is not supported"),
    ("#include <setjmp.h>\nint f(jmp_buf b) { return setjmp(b); }", 2, "'_setjmp' is not supported"),
    ("#include <stdio.h>\nFILE *f(void) { return stdin; }", 2, "'stdin' of the C library cannot be used"),
    ("double f(__float128 x) { return 1; }", 1, "'__float128' is not supported in device code"),
    ("union u { long l; };\nunion u f(int i) { return (union u)i; }", 2, "no member of 'union u' has the type 'int'"),
    ("struct s { struct s *p; } x = {&x};\nvoid *f(void) { return x.p; }", 1, "leads to itself"),
]


@pytest.mark.parametrize(("code", "line", "message"), REFUSED)
def test_refuses_with_the_place(code: str, line: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        device_unit(tmp_path, code)
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.span is not None
    assert (Path(diagnostic.span.file).name, diagnostic.span.line) == ("unit.c", line)


FORMS = [
    ("int f(int *p) { return p == 0; }", "return p == nullptr;"),
    ("int *f(void *v) { return v; }", "return (int *)v;"),
    ("int f(int class) { return class; }", "int f(int class__c)"),
    ("int f(int a[restrict 3][4]) { return a[1][2]; }", "int f(int (*__restrict__ a)[4])"),
    ("double f(int n, double a[][n], int i) { return a[i][2]; }", "return a[i * a__rex_extent1 + 2];"),
    ("#include <math.h>\ndouble f(float x) { return fabs(x); }", "return fabs((double)x);"),
    ("double f(float x) { return __builtin_sqrt(x); }", "return sqrt((double)x);"),
    ("float f(double x, int n) { return __builtin_ldexpf(x, n); }", "return ldexpf((float)x, n);"),
    ('int f(void) { return *L"wide"; }', 'return *(int *)L"wide";'),
    ("_Float16 f(_Float16 h, int n) { return n ? h : 2.0f; }", "return n ? (float)h : 2.0f;"),
    ("_Float16 f(int n) { _Float16 h = 0.1; return h * n; }", "rex_half h = rex_half::of(0x2e66);"),
    ("int f(void) { return sizeof('a'); }", "return sizeof(int);"),
    ("int f(int a, int b, int c) { return (a + b) * c - (a - (b - c)); }", "return (a + b) * c - (a - (b - c));"),
    ("#include <assert.h>\nvoid f(int n) { assert(n > 0); }", 'n > 0 ? (void)0 : __assert_fail("n > 0", '),
    ("static int min(int a, int b) { return a < b ? a : b; }", "static __device__ int min__c(int a, int b)"),
    ("int f(int *p) { *p = 1; }", "*p = 1;\n    return {};\n}"),
    ("int f(int *p) { for (;; ++*p) { while (*p) break; } }", "break;\n    }\n}"),
    ("int f(int *p) { if (*p) return; return 1; }", "return {};"),
    ("void f(int *p) { if (*p) return ++*p; }", "return (void)++*p;"),
    ("double g(); double f(float x) { return g(x, 1); }", "return ((double (*)(double, int))g)(x, 1);"),
    ("unsigned long f(unsigned *p) { return __builtin_strlen(p); }", "rex_c_strlen((const char *)p);"),
    ("void f(volatile int *p) { __builtin_memset(p, 0, 4); }", "memset((void *)p, 0, 4);"),
    ('void f(char *p) { __builtin_memcpy(p, "a", 2); }', 'memcpy(p, "a", 2);'),
    ("int __sin(int x) { return x; }", "int __sin__c(int x)"),
    ("typedef int v __attribute__((vector_size(8))); int f(v a, v b) { return (a * 2 < b)[1]; }",
     "return (a * rex_vector<int, 2>::all(2) < b).at[1];"),
]


@pytest.mark.parametrize(("code", "form"), FORMS)
def test_prints(code: str, form: str, tmp_path: Path) -> None:
    assert form in printed(tmp_path, code)


def test_closure_has_only_what_is_used_and_callees_first(tmp_path: Path) -> None:
    code = """
    #include <sys/time.h>
    struct unused { int x; };
    struct far { int x; };
    struct near { struct far *p; struct timeval t; };
    enum { A, B, C };
    int table[B + 1] = {C};
    int missing(int);
    static int odd(int n);
    static int even(int n) { return n ? odd(n - 1) : table[0]; }
    static int odd(int n) { return n ? even(n - 1) : missing(n); }
    int f(struct near *p) { return even(A) + (int)p->t.tv_sec; }
    """
    text, collected = device_unit(tmp_path, code)
    assert [i.tag for i in collected.code.records] == ["near"]
    assert [i.tag for i in collected.code.forward] == ["far"]
    assert sorted(s.name for s in collected.code.enumerators) == ["A", "C"]
    assert [s.name for s in collected.code.globals] == ["table"]
    assert collected.code.system_headers == ("sys/time.h",)
    assert [s.name for s, _ in collected.undefined] == ["missing"]
    names = [f.decl.name for f in collected.code.functions]
    assert names.index("odd") < names.index("even") < names.index("f")
    assert [f.decl.name for f in collected.code.prototypes] == ["even"]
    assert "struct unused" not in text


def test_lines_point_into_the_users_file(tmp_path: Path) -> None:
    code = "int f(int n)\n{\n    int r = 0;\n\n\n\n\n    r += n;\n    return r;\n}\n"
    lines = device_unit(tmp_path, code, lines=True)[0].splitlines()
    at = next(i for i, line in enumerate(lines) if "r += n" in line)
    assert re.fullmatch(r'#line 8 ".*unit\.c"', lines[at - 1])
    assert "return r" in lines[at + 1]
    assert sum(line.startswith("#line") for line in lines) == 2


def test_markers_pad_small_gaps_and_return_to_the_file_itself() -> None:
    text = "a\n\x015\x02u.c\nb\n\x017\x02u.c\nc\n\x01\x02\nd\n\x017\x02u.c\ne\n"
    assert resolve_line_markers(text, "g.cu").splitlines() == [
        "a", '#line 5 "u.c"', "b", "", "c", '#line 7 "g.cu"', "d", '#line 7 "u.c"', "e",
    ]  # fmt: skip
