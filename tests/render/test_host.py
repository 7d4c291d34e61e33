"""Host files: structure, the user's lines, and the same bytes everywhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from execution import rex_build
from pycparser import c_ast
from render_support import calls, compile_host, declarations, lower, map_flags, parameters, read_back

from rex_build.base.paths import include_dir

pytestmark = pytest.mark.compile

_UNIT = """\
#include <stdio.h>
#include <stdlib.h>

struct field { int n; double *values; };

static void scale(struct field *f, double by)
{
    int n = f->n;
    double *v = f->values;
#pragma omp target data map(tofrom: v[0:n])
    {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] *= by;
#pragma omp target if(n > 4) nowait
        v[0] = n;
#pragma omp taskwait
    }
#pragma omp target update to(v[0:n])
#pragma omp target enter data map(to: v[0:n])
#pragma omp target exit data map(release: v[0:n])
}

int main(void)
{
    double v[8] = {1};
    struct field f = {8, v};
    scale(&f, 2);
    printf("%g\\n", v[0]);
    return 0;
}
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lower(tmp_path_factory.mktemp("host"), _UNIT)


def test_runtime_calls(output: Path) -> None:
    tree = read_back(output / "rose_unit.c")
    own = [item for item in tree.ext if isinstance(item, c_ast.FuncDef) and item.decl.name in ("scale", "main")]
    assert sum(len(list(calls(item, "__tgt_target_kernel"))) for item in own) == 2
    text = (output / "rose_unit.c").read_text()
    assert text.count("__tgt_target_data_begin") == 2  # target data, enter data
    assert text.count("__tgt_target_data_end") == 2  # target data, exit data
    assert text.count("__tgt_target_data_update") == 1


def test_main_begins_with_the_device(output: Path) -> None:
    tree = read_back(output / "rose_unit.c")
    (main,) = (item for item in tree.ext if isinstance(item, c_ast.FuncDef) and item.decl.name == "main")
    first = main.body.block_items[0]
    assert isinstance(first, c_ast.FuncCall)
    assert first.name.name == "rex_offload_init"


def test_kernel_parameters_match_the_arrays(output: Path) -> None:
    tree = read_back(output / "rose_unit.c")
    cu = (output / "rex_lib_unit.cu").read_text()
    names = re.findall(r"^(OUT__\w+__kernel__)\(", cu, re.MULTILINE)
    assert len(names) == 2
    (scale,) = (item for item in tree.ext if isinstance(item, c_ast.FuncDef) and item.decl.name == "scale")
    bases = [d.init for d in declarations(scale, "__args_base")]
    kinds = [d.init for d in declarations(scale, "__arg_types")]
    by_target = [
        sum(bool(map_flags(e) & 0x20) for e in kind.exprs) for kind in kinds if isinstance(kind, c_ast.InitList)
    ]
    for base, kind in zip(bases, kinds, strict=True):
        assert len(base.exprs) == len(kind.exprs)
    for name in names:
        found = parameters(cu, name)
        assert found[0] == "void *__rex_kernel_launch_env"
        assert len(found) - 1 in by_target


def test_identity_and_entry_of_each_kernel(output: Path) -> None:
    host = (output / "rose_unit.c").read_text()
    cu = (output / "rex_lib_unit.cu").read_text()
    for kernel in re.findall(r"^(OUT__\w+)__kernel__\(", cu, re.MULTILINE):
        assert re.search(rf'\{{\(void \*\)&{kernel}__id__, \(char \*\)"{kernel}__kernel__", 0, 0, 0\}}', host)
        assert f"__host_ptr = (void *)&{kernel}__id__" in host


def test_compiles_without_warnings(output: Path) -> None:
    done = compile_host(output / "rose_unit.c", "-std=gnu11", "-Wall", "-Wextra", "-O2")
    assert (done.returncode, done.stderr) == (0, "")


_C90 = """\
#include <stdio.h>

static int next(int k)
{
    int out = 0;
#pragma omp target map(tofrom: out)
    out = k + 1;
    return out;
}

int main(int argc, char **argv)
{
    int i;
    double a[10], sum = 0;

    (void)argv;
    for (i = 0; i < 10; i++)
        a[i] = i;
#pragma omp target data map(tofrom: a[0:10])
    {
        double scale = 2;
#pragma omp target teams distribute parallel for map(tofrom: a[0:10])
        for (i = 0; i < 10; i++)
            a[i] *= scale;
    }
#pragma omp target parallel for reduction(+: sum) nowait
    for (i = 0; i < argc + 9; i++)
        sum += a[i];
#pragma omp taskwait
#pragma omp target update to(a) if(argc > 100)
    printf("%g %d\\n", sum, next(3));
#ifdef OTHER
    return 1;
}
#else
    return 0; }
#endif
"""
_PLAIN_C90 = "int next(int);\nint main(void)\n{\n    int x = 3;\n    int y;\n\n    y = next(x);\n    return y;\n}\n"


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
@pytest.mark.parametrize(("text", "options"), [(_C90, ()), (_PLAIN_C90, ("--anchor", "rex_anchor"))], ids=["", "plain"])
def test_strict_c90(tmp_path: Path, compiler: str, text: str, options: tuple[str, ...]) -> None:
    """main calls rex_offload_init() before anything else, and yet no declaration comes after a statement."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    (tmp_path / "unit.c").write_text(text)
    lowered = rex_build("lower", "unit.c", "--out-dir", "out", *options, "--", "-std=c90", cwd=tmp_path)
    assert lowered.status == 0, lowered.stderr
    host = (tmp_path / "out/rose_unit.c").read_text()
    assert re.search(r"\{\s*(#line.*\s*)?(if \(rex_offload_init\) )?rex_offload_init\(\);", host)
    strict = "-std=c90 -pedantic-errors -Wall -Wextra -Wdeclaration-after-statement -Werror -Wno-source-uses-openmp"
    command = [compiler, "-fopenmp", *strict.split(), f"-I{include_dir()}", "-fsyntax-only", "rose_unit.c"]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_headers_as_llvm_has_them(tmp_path: Path) -> None:
    """LLVM's omp.h brings in others, and has variants that are its compiler's to read."""
    if shutil.which("clang-19") is None:
        pytest.skip("no clang-19")
    system = tmp_path / "system"
    system.mkdir()
    (system / "omp.h").write_text("""#include <time.h>
int omp_is_initial_device(void);
#pragma omp begin declare variant match(device={kind(host)})
static inline int omp_is_initial_device(void) { return 1; }
#pragma omp end declare variant
""")
    (tmp_path / "unit.c").write_text("""#include <omp.h>
static int other(int x) { return x + 1; }
#pragma omp declare variant(other) match(construct={target})
static int base(int x) { return x; }
int f(struct timespec *t)
{
    int n = omp_is_initial_device();
#pragma omp target map(tofrom: n, t[0:1])
    n += base(t->tv_sec) + omp_is_initial_device();
    return n + base(1);
}
""")
    command = ("lower", "unit.c", "--out-dir", "out", "--", "-isystem", system)
    lowered = rex_build(*command, cwd=tmp_path, env={"CC": "clang-19"})
    assert lowered.status == 0, lowered.stderr
    device = (tmp_path / "out/rex_lib_unit.cu").read_text()
    assert "#include <time.h>" in device
    assert "omp.h" not in device
    flags = ["-fopenmp", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-isystem", str(system), f"-I{include_dir()}"]
    done = subprocess.run(["clang-19", *flags, "rose_unit.c"], cwd=tmp_path / "out", capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("optimise", ["-O0", "-O2"])
def test_a_temporary_without_a_value_is_no_reason_for_a_warning(tmp_path: Path, optimise: str) -> None:
    """gcc has nothing to say about the original either."""
    text = """void f(int n, double *a, double **b)
{
    int i, j;
    double t, *row;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (i = 0; i < n; i++) { t = a[i]; j = i; a[j] = t * t; }
#pragma omp target teams distribute map(tofrom: b[0:n])
    for (i = 0; i < n; i++) {
        row = b[i];
#pragma omp parallel for
        for (j = 0; j < n; j++) row[j] = 0;
    }
}
"""
    done = compile_host(lower(tmp_path, text) / "rose_unit.c", "-std=gnu11", "-Wall", "-Wextra", optimise)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_function_of_the_users_keeps_its_name(tmp_path: Path) -> None:
    text = (
        "static int omp_get_num_teams(void) { return 1; }\n"
        "int f(void)\n{\n    int x = 0;\n#pragma omp target map(from: x)\n    x = 1;\n"
        "    return x - omp_get_num_teams();\n}\n"
    )
    done = compile_host(lower(tmp_path, text) / "rose_unit.c", "-Wall")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_users_lines_are_there(output: Path) -> None:
    """Every line outside of constructs, with its own text."""
    host = (output / "rose_unit.c").read_text().splitlines()
    for line in _UNIT.splitlines():
        if line.strip() and "#pragma omp target" not in line:
            assert line in host, line


# #line


def presumed_lines(host: Path) -> dict[int, set[str]]:
    """The text at each line of unit.c, as the compiler numbers it."""
    found: dict[int, set[str]] = {}
    name, number = host.name, 1
    for text in host.read_text().splitlines():
        if match := re.match(r'#line (\d+) "(.*)"', text):
            number, name = int(match[1]), match[2]
            continue
        if Path(name).name == "unit.c":
            found.setdefault(number, set()).add(text)
        number += 1
    return found


def test_line_directives_give_every_line_its_number(output: Path) -> None:
    """What claims to be a line of the user's file has that line's words (or a part of them)."""
    user = _UNIT.splitlines()
    for number, texts in presumed_lines(output / "rose_unit.c").items():
        for text in texts - {"}", "{", ""}:
            wanted = user[number - 1]
            assert text.strip() == wanted.strip() or text.strip().startswith("#pragma omp"), (number, text)


_LINES = """\
#include <stdio.h>
#define HERE printf("%d ", __LINE__)
#define MARK(x) x = __LINE__
int main(void)
{
    int a[4] = {0}, in = 0;
    HERE;
#pragma omp target teams distribute parallel for \\
    map(tofrom: a)
    for (int i = 0; i < 4; i++)
        a[i] = __LINE__;
    HERE;
#pragma omp target map(tofrom: in)
    {
        MARK(in);
    }
    HERE; _Pragma("omp target map(tofrom: in)") { in += __LINE__; }
    HERE;
    printf("%d %d\\n", a[3], in);
    return 0;
}
"""


def test_line_macro_on_the_host(tmp_path: Path) -> None:
    """__LINE__ has the user's numbers, in the host version of regions too."""
    out = lower(tmp_path, _LINES)
    stubs = """
#include "rex_kmp.h"
int __tgt_target_kernel(const struct rex_location *l, rex_int64 d, rex_int32 t, rex_int32 n, void *h,
                        struct __tgt_kernel_arguments *k)
{
    return 1;
}
void rex_offload_init(void) {}
"""
    (out / "stubs.c").write_text(stubs)
    command = ["gcc", "-w", "-fopenmp", f"-I{include_dir()}", "rose_unit.c", "stubs.c", "-o", "program"]
    subprocess.run(command, cwd=out, check=True)
    said = subprocess.run(["./program"], cwd=out, check=True, capture_output=True, text=True).stdout
    plain = tmp_path / "plain"
    subprocess.run(["gcc", "-w", tmp_path / "unit.c", "-o", plain], check=True)
    assert said == subprocess.run([plain], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("line", [3, 5, 9, 10, 15])
def test_compiler_messages_speak_of_the_users_file(tmp_path: Path, line: int) -> None:
    """A warning for an unused variable, before, in and after a region."""
    rows = [
        "int f(int n, int *a)",
        "{",
        "",
        "    int s = 0;",
        "",
        "#pragma omp target teams distribute parallel for \\",
        "        map(tofrom: a[0:n])",
        "    for (int i = 0; i < n; i++) {",
        "",
        "",
        "        a[i] = i;",
        "    }",
        "    for (int i = 0; i < n; i++)",
        "        s += a[i];",
        "",
        "    return s;",
        "}",
    ]
    rows[line - 1] = "int not_used;"
    out = lower(tmp_path, "\n".join(rows) + "\n")
    done = compile_host(out / "rose_unit.c", "-Wunused-variable")
    places = re.findall(r"([\w./]+):(\d+):\d+: warning: unused variable .not_used.", done.stderr)
    assert [(Path(file).name, int(number)) for file, number in places] == [("unit.c", line)]


def test_header_with_a_region_keeps_its_own_lines(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text(
        "static int in_header(int *a)\n{\n    int not_used;\n#pragma omp target map(tofrom: a[0:1])\n    a[0] = 1;\n"
        "    return __LINE__;\n}\n"
    )
    out = lower(tmp_path, 'int before;\n#include "part.h"\nint g(int *a) { int unused_too; return in_header(a); }\n')
    done = compile_host(out / "rose_unit.c", "-Wunused-variable")
    places = re.findall(r"([\w./]+):(\d+):\d+: warning: unused variable .(\w+)", done.stderr)
    assert sorted((Path(f).name, int(n), v) for f, n, v in places) == [
        ("part.h", 3, "not_used"),
        ("unit.c", 3, "unused_too"),
    ]


# Determinism


def test_same_bytes_in_another_folder_locale_and_hash_order(tmp_path: Path) -> None:
    outs = []
    for folder, extra in (
        ("one", {"LC_ALL": "C", "PYTHONHASHSEED": "1"}),
        ("a much longer/second folder", {"LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"}),
    ):
        place = tmp_path / folder
        place.mkdir(parents=True)
        (place / "unit.c").write_text(_UNIT)
        command = [sys.executable, "-m", "rex_build", "lower", "unit.c", "--out-dir", "out", "--", "-O2"]
        subprocess.run(command, cwd=place, env={**os.environ, **extra}, check=True)
        outs.append({file.name: file.read_bytes() for file in sorted((place / "out").iterdir())})
    assert outs[0] == outs[1]
    assert not any(str(tmp_path).encode() in text for text in outs[0].values())


def test_continued_directives_do_not_reach_back_for_parentheses(tmp_path: Path) -> None:
    text = (
        "#include <stddef.h>\nstatic size_t before(void) { return 0; }\nvoid f(int *a)\n{\n"
        "#pragma omp target teams distribute parallel for \\\n    map(tofrom: a[0:8]) \\\n    num_teams(2)\n"
        "    for (int i = 0; i < 8; ++i)\n        a[i] = i;\n}\nint main(void) { return (int)before(); }\n"
    )
    output = lower(tmp_path, text)
    assert "#include <stddef.h>" in (output / "rose_unit.c").read_text()


def test_blocks_stand_where_their_constructs_stood(tmp_path: Path) -> None:
    """Indented as the construct or, where that is at the left margin, as its statement; nothing else on their lines."""
    text = (
        "void f(int n, int *a)\n{\n    if (n) {\n"
        "#pragma omp target map(tofrom: a[0:n])\n        a[0] = 1;\n"
        "\t#pragma omp target update from(a[0:n])\n    }\n"
        "#pragma omp target exit data map(delete: a[0:n])\n}\n"
    )
    lines = (lower(tmp_path, text) / "rose_unit.c").read_text().splitlines()
    heads = [line for line in lines if "/* unit.c:" in line]
    assert [line.partition("{")[0] for line in heads] == [" " * 8, "\t", "    "]
    for line in lines:
        for word in ("REX_GENERATED_BEGIN", "REX_GENERATED_END"):
            assert word not in line or line.strip() == word


def test_rows_say_what_they_are(tmp_path: Path) -> None:
    """One row a line, with its clause; map flags by their names."""
    text = "struct s { int n; int *a; };\nvoid f(struct s *p)\n{\n"
    text += "#pragma omp target map(always, tofrom: p->n) map(to: p->a[0:p->n])\n    p->a[0] = 1;\n}\n"
    host = (lower(tmp_path, text) / "rose_unit.c").read_text()
    assert "        REX_MAP_MEMBER_OF(1) | REX_MAP_TO | REX_MAP_PTR_AND_OBJ, /* to: p->a[0:p->n] */" in host
    assert "        REX_MAP_MEMBER_OF(1) | REX_MAP_TOFROM | REX_MAP_ALWAYS, /* tofrom: p->n */" in host
    assert not re.search(r"\b0x", host)
    for name in ("__args_base", "__args", "__arg_sizes", "__arg_types"):
        table = re.search(rf"{name}\[\] = \{{\n(.*?)\n\s*\}};", host, re.DOTALL)
        assert table is not None
        is_noted = name in ("__args_base", "__arg_types")  # the others have the same rows
        assert all(line.endswith(" */") is is_noted for line in table[1].splitlines())
        assert len(table[1].splitlines()) == 3
