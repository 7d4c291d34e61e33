"""What the cpu device cannot show of a device file: which variables are in memory that a team's threads share."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from execution import PROGRAMS, quick_nvcc, rex_build

from rex_build.base.paths import include_dir
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

# gcc's builtins in the headers of <algorithm> and others: those that nvcc knows, and those that only the host calls.
FOR_DEVICES = set(
    """addressof bit_cast ceil clz clzll expect fabs fabsf floor huge_val huge_valf is_constant_evaluated
    is_corresponding_member is_pointer_interconvertible_with_class isnan labs launder llabs memcpy memset nan nanf
    popcount popcountll signbit unreachable""".split()  # noqa: SIM905
)
FOR_HOSTS = set(
    """alloca fabsl free huge_vall mul_overflow nanl nans nansf nansl strcmp va_end va_list va_start
    vsnprintf""".split()  # noqa: SIM905
)
HEADERS = ("algorithm", "array", "bit", "functional", "iterator", "limits", "numeric", "optional", "tuple", "utility")


def device_text(program: str, folder: Path, *options: str) -> str:
    source = PROGRAMS / "cxx" / f"{program}.cpp"
    outcome = rex_build("lower", source, "--out-dir", folder, *options, "--", "-std=gnu++17")
    assert outcome.status == 0, outcome.stderr
    return (folder / f"rex_lib_{program}.cu").read_text()


def test_variables_of_one_declaration_have_an_order(tmp_path: Path) -> None:
    """The text is the same in every run."""
    text = device_text("team_objects", tmp_path)
    bound = re.findall(r"^ +auto &(\w+) = \*\1__rex_at;", text, re.MULTILINE)
    assert bound[:10] == "sum given plain array first listed second copied started outer".split()  # noqa: SIM905


def test_device_text_names_the_folder_only_where_the_user_does(tmp_path: Path) -> None:
    """No name that is made up depends on the length of a path: checkouts in different folders share their images."""
    texts = []
    for folder in (tmp_path / "a", tmp_path / "a much longer name"):
        folder.mkdir()
        source = folder / "unit.cpp"
        shutil.copy(PROGRAMS / "cxx" / "auto_in_templates.cpp", source)
        outcome = rex_build("lower", source, "--out-dir", folder, "--", "-std=gnu++17")
        assert outcome.status == 0, outcome.stderr
        texts.append((folder / "rex_lib_unit.cu").read_text().replace(str(folder), ""))
    assert texts[0] == texts[1]


def test_what_threads_of_a_team_change_is_shared(tmp_path: Path) -> None:
    """A closure copies what it captures on GPUs: arrays and scalars that it changes are in memory of the team."""
    text = device_text("team_tiles", tmp_path)
    assert "REX_TEAM_SHARED float tile[32];" in text
    assert "REX_TEAM_SHARED float sum;" in text
    generic = device_text("generic", tmp_path, "--no-opt=spmd")
    assert "REX_TEAM_SHARED double local; local = 0;" in generic
    assert "REX_TEAM_SHARED double base" not in generic  # which the parallel region only reads
    assert "REX_TEAM_SHARED T tile[64];" in device_text("arrays", tmp_path)


def test_what_is_shared_stands_in_the_order_of_its_declarations(tmp_path: Path) -> None:
    """The same in every run: sets of variables have no order."""
    names = [f"v{k}" for k in range(12)]
    declared = "".join(f"int {name}[30000];\n" for name in names)
    used = "".join(f"{name}[i] = i;\n" for name in names)
    source = tmp_path / "shared.cpp"
    source.write_text(
        f"int main()\n{{\nint s = 0;\n#pragma omp target map(tofrom: s)\n{{\n{declared}#pragma omp parallel for\n"
        f"for (int i = 0; i < 9; ++i) {{\n{used}}}\ns = v0[3] + v11[4];\n}}\nreturn s != 7;\n}}\n"
    )
    outcome = rex_build("lower", source, "--out-dir", tmp_path, "-w")
    assert outcome.status == 0, outcome.stderr
    text = (tmp_path / "rex_lib_shared.cu").read_text()
    assert re.findall(r"auto &(v\d+) = \*v\d+__rex_at;", text) == names


def test_only_what_device_code_needs(tmp_path: Path) -> None:
    text = device_text("beside_regions", tmp_path)
    assert "main(" not in text
    assert "Noisy global" not in text
    assert "#include <iostream>" in text
    functions = device_text("called_functions", tmp_path)
    assert "__host__ __device__ static int fibonacci(int n)" in functions
    assert functions.count("__host__ __device__ double scaled(") == 2  # its declaration and its definition


def test_functions_do_not_promise_to_write_no_memory(tmp_path: Path) -> None:
    """nvcc believes that of the objects that they return, too, and then makes wrong code."""
    text = device_text("attributes", tmp_path)
    assert "[[gnu::unused]] __host__ __device__ Last last()" in text
    assert "__attribute__((unused)) Last first()" in text


def test_the_host_computes_bounds_that_call_functions(tmp_path: Path) -> None:
    text = device_text("host_bounds", tmp_path)
    assert "counted(" not in text
    assert "long long rex_trips_1 = rex_trips_1__rex_value;" in text
    assert "v.size()" not in text


def test_methods_that_only_the_host_calls_have_no_bodies(tmp_path: Path) -> None:
    text = device_text("crtp", tmp_path)
    assert re.search(r"explicit Field\(int n\) *;", text)
    assert "delete[]" not in text


def complex_numbers(*operators: str) -> str:
    """A program with a region for each way to change a complex number."""
    regions = "".join(f"#pragma omp target map(tofrom: z)\n    z {operator};\n" for operator in operators)
    text = "#include <complex>\nint main()\n{\n    std::complex<double> z(1, 2), w(3, 4);\n"
    return f"{text}{regions}    return z.real() < 0;\n}}\n"


NARROW = "std::complex<float>(2, 3)"


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (complex_numbers(".real(2.0)", "*= 2.0", "*= w", "= z * 2.0"), ()),
        (complex_numbers(f"+= {NARROW}", f"= {NARROW}"), (6, 8)),
        ((PROGRAMS / "cxx" / "algorithm_headers.cpp").read_text(), ()),
    ],
    ids=["operators", "narrow operators", "algorithms"],
)
def test_functions_of_the_standard_call_no_host_functions(text: str, errors: tuple[int, ...], tmp_path: Path) -> None:
    """nvcc drops such calls without a word, so an image is only made if there are none. For C++17, the programs' own
    tests show this. It also leaves out arithmetic of gcc's complex types, which libstdc++ uses in ``z *= 2.0``."""
    (tmp_path / "unit.cpp").write_text(text)
    options = ("--out-dir", tmp_path, "--", "-std=c++20", f"-I{PROGRAMS}", f"-I{PROGRAMS / 'cxx'}")
    assert rex_build("lower", tmp_path / "unit.cpp", *options).status == 0
    output = ("--arch", "sm_90", "-o", tmp_path / "unit.cubin", "--", *quick_nvcc())
    image = rex_build("device", tmp_path / "rex_lib_unit.cu", *output)
    assert image.status == (3 if errors else 0), image.stderr
    assert all(f"unit.cpp({line}): error" in image.stderr for line in errors)


PRINTING = """\
#include <cstdio>
struct Pool {
    int used = 0;
    void give(int i) { if (i < 0) std::fprintf(stderr, "bad %d\\n", i); used += i; }
};
inline FILE *target(int i) { return i ? stderr : stdout; }
template <class T> auto file(T t) -> decltype(target(t)) { return target(t); }
template <class P, class T> void drop(P &pool, T i)
{
    pool.give(i);
    fputs("dropped\\n", stdout);
    fprintf(stdout, "%ld\\n", i);
}
int main()
{
    Pool pool;
#pragma omp target map(tofrom: pool)
    drop(pool, -2L);
    return file(1) != stderr || pool.used != -2;
}
"""


def test_standard_streams_are_those_of_the_library(tmp_path: Path) -> None:
    """Device code prints to the program's stdout, as C's does. ``stderr`` is a macro of itself, and keeps its name in
    declarations that the device file has."""
    source = tmp_path / "printing.cpp"
    source.write_text(PRINTING)
    outcome = rex_build("cc", "--device", "cpu", source, "-o", tmp_path / "printing")
    assert outcome.status == 0, outcome.stderr
    run = subprocess.run([tmp_path / "printing"], check=True, capture_output=True, text=True)
    assert run.stdout == "bad -2\ndropped\n-2\n"
    outcome = rex_build("lower", source, "--out-dir", tmp_path)
    text = (tmp_path / "rex_lib_printing.cu").read_text()
    assert '::printf("%s", "dropped\\n")' in text
    assert "fprintf" not in text


def test_closures_are_structures(tmp_path: Path) -> None:
    """In device code, and in the host file their captures are listed in the order of the members."""
    text = device_text("lambda_arguments", tmp_path)
    members = r"double \*x;\s+double a;\s+double \*y;\s+int shift;"
    assert re.search(r"struct rex_closure_48_21 \{ // lambda_arguments\.cpp:48: a closure\s+" + members, text)
    host = (tmp_path / "rose_lambda_arguments.cpp").read_text()
    number = re.search(r"rex_closure<rex_number<(\d+, 0x[\da-f]{8})>>\(\[x, a, y, shift\]", host)
    assert number
    assert f"using rex_closure_48_21 = rex_number<{number[1]}>;" in host
    pointers = host.split("struct rex_parts<rex_closure_48_21, 0> {")[1].split("return all")[0]
    assert re.findall(r"\{(\d+), ", pointers) == ["1", "17"]  # one more than their offsets


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_calls_of_host_functions_are_errors(tmp_path: Path) -> None:
    """nvcc only warns of them in functions for both sides, and what it makes of the call does nothing."""
    (tmp_path / "unit.cpp").write_text(
        "#include <algorithm>\nstatic void sorted(int *v, int n) { std::stable_sort(v, v + n); }\nint main()\n{\n"
        "    int v[3] = {3, 1, 2};\n#pragma omp target\n    sorted(v, 3);\n    return v[0] != 1;\n}\n"
    )
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path, "--", "-std=c++17").status == 0
    image = rex_build("device", tmp_path / "rex_lib_unit.cu", "--arch", "sm_90", "-o", tmp_path / "unit.cubin")
    assert image.status == 3
    assert "unit.cpp(2): error" in image.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_what_reverse_iterators_read_is_read(standard: str, tmp_path: Path) -> None:
    include = include_dir()
    options = (f"-std={standard}", "--expt-relaxed-constexpr", f"-I{include / 'std'}", f"-I{include}")
    # libstdc++ says of this one that it writes no memory.
    kernel = 'extern "C" __global__ void last(std::array<int, 4> *a) { (*a)[0] = *a->rbegin(); }'
    (tmp_path / "last.cu").write_text(f"#include <array>\n{kernel}\n")
    subprocess.run(("nvcc", "-arch=sm_90", *options, "-ptx", "-o", "last.ptx", "last.cu"), cwd=tmp_path, check=True)
    assert "ld.global" in (tmp_path / "last.ptx").read_text()


def test_all_builtins_of_the_standard_library_are_known() -> None:
    """nvcc drops calls of those that it takes for functions of the host."""
    text = "".join(f"#include <{header}>\n" for header in HEADERS)
    used: set[str] = set()
    for standard in ("c++17", "c++20"):
        command = ("g++", f"-std={standard}", "-E", "-x", "c++", "-")
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
        used |= set(re.findall(r"__builtin_(\w+)", done.stdout))
    ours = (include_dir() / "std" / "rex_std_builtins.h").read_text()
    assert used - set(re.findall(r"#define __builtin_(\w+)", ours)) <= FOR_DEVICES | FOR_HOSTS


@pytest.mark.parametrize(
    ("clauses", "body", "tiled"),
    [
        ("collapse(2)", "p[i * n + j] = 1;", True),
        ("collapse(2)", "\n#pragma omp atomic\np[j] += 1;", True),
        ("", "p[i * n + j] = 1;", True),
        ("", "p[i * n] = 1;", False),
        ("collapse(2) num_teams(3)", "p[i * n + j] = 1;", True),
        ("collapse(2)", "p[i * n + j] = omp_get_thread_num();", False),
        ("collapse(2)", "p[i * n + j] = asked();", False),
        ("collapse(2) schedule(static, 3)", "p[i * n + j] = 1;", False),
    ],
)
def test_collapsed_loops_run_in_tiles(clauses: str, body: str, tiled: bool, tmp_path: Path) -> None:
    """Unless code can tell which thread runs which iteration."""
    source = tmp_path / "unit.cpp"
    source.write_text(
        "#include <omp.h>\nstatic int asked() { return omp_get_team_num(); }\nvoid f(int n, int *p)\n{\n"
        f"#pragma omp target teams distribute parallel for map(p[0:n * n]) {clauses}\n"
        f"    for (int i = 0; i < n; ++i)\n        for (int j = 0; j < n; ++j) {{ {body} }}\n}}\n"
    )
    outcome = rex_build("lower", source, "--out-dir", tmp_path)
    assert outcome.status == 0, outcome.stderr
    assert ("REX_TILE_COLUMNS" in (tmp_path / "rex_lib_unit.cu").read_text()) == tiled


def test_headers_of_the_system_that_clang_does_not_understand(tmp_path: Path) -> None:
    """However many errors it has there, it reads the user's code behind them, and says what is wrong in that."""
    folder = tmp_path / "headers"
    folder.mkdir()
    declared = "".join(f"void *f{i}() __attribute__((__malloc__(__builtin_free, 1)));\n" for i in range(30))
    (folder / "many.h").write_text(declared)
    code = "#include <many.h>\nvoid g(int n)\n{{\n#pragma omp target map(n)\n    n = {};\n}}\n"
    for text, status in (("n + 1", 0), ("nothing_of_this_name", 1)):
        (tmp_path / "x.cpp").write_text(code.format(text))
        outcome = rex_build("lower", "x.cpp", "--out-dir", "o", "--", "-isystem", "headers", "-g3", cwd=tmp_path)
        assert outcome.status == status, outcome.stderr
        assert ("x.cpp:5:9: error:" in outcome.stderr) == bool(status), outcome.stderr


def test_device_files_have_what_device_code_names(tmp_path: Path) -> None:
    """nvcc reads the headers of streams and containers longer than it compiles a kernel. Functions of the host's are
    left out with them, unless the remaining text names them, such as for a type."""
    library = "#include <iostream>\n#include <vector>\n#include <algorithm>\n#include <string>\n"
    source = tmp_path / "unit.cpp"
    body = "{\n#pragma omp target\n    *p = WHAT;\n}\n"
    functions = (
        "void show(const std::vector<int> &v);\n"
        "static std::string name(const std::string &text) { return text + '!'; }\n"
        'extern "C" void in_c(int) {}\n'
        "long count_all(const std::vector<int> &v)\n{\n    return v.size();\n}\n"
    )
    counted = "struct Counted {\n    decltype(count_all({})) n;\n};\n"
    for what, more, headers, named in (
        ("2", "", [], []),
        ("std::max(*p, 2)", "", ["algorithm"], []),
        ("2", counted, ["vector"], ["count_all"]),
    ):
        source.write_text(f"{library}{functions}{more}void run(int *p)\n{body.replace('WHAT', what)}")
        assert rex_build("lower", source, "--out-dir", tmp_path).status == 0
        text = (tmp_path / "rex_lib_unit.cu").read_text()
        assert re.findall(r"^#include <(.*)>", text, re.MULTILINE) == headers, what
        assert [name for name in ("show", "name", "count_all") if re.search(rf"\b{name}\(const", text)] == named
        assert 'extern "C" void in_c(int);' in text


def test_lines_with_macros_of_headers(tmp_path: Path) -> None:
    """The preprocessor gives the text of such a macro lines of its own."""
    (tmp_path / "unit.cpp").write_text(
        "#include <cmath>\nvoid f(double *p)\n{\n#pragma omp target\n    {\n"
        "        p[0] = std::sin(M_PI * p[1]) + M_E;\n        p[1] = 2;\n    }\n}\n"
    )
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path).status == 0
    text = (tmp_path / "rex_lib_unit.cu").read_text()
    line = r"        p\[0\] = std::sin\( 3\.14159\d+ \* p\[1\]\) \+ 2\.71828\d+ ;"
    assert re.search(rf"^{line}\n        p\[1\] = 2;", text, re.MULTILINE)


def test_headers_that_rely_on_those_in_front(tmp_path: Path) -> None:
    """A header that is not the compiler's may have names of a header that the user includes in front of it."""
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "one.hpp").write_text("inline int one(const std::string *) { return 1; }\n")
    (tmp_path / "unit.cpp").write_text(
        "#include <string>\n#include <one.hpp>\nvoid f(int *p)\n{\n#pragma omp target\n    *p = 1;\n}\n"
    )
    flags = ("--", "-isystem", tmp_path / "library")
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path, *flags).status == 0
    text = (tmp_path / "rex_lib_unit.cu").read_text()
    assert re.findall(r"^#include <(.*)>", text, re.MULTILINE) == ["string", "one.hpp"]


def test_a_header_that_says_it_is_of_the_system(tmp_path: Path) -> None:
    """``#pragma GCC system_header`` in a header of the user's, as in Catch's: what its classes name is kept.

    Headers beside it, and in folders there, are the user's, too."""
    (tmp_path / "host.hpp").write_text(
        "#pragma once\n#pragma GCC system_header\nint &made();\nint unused();\n"
        "struct Host {\n    int &member = made();\n    Host();\n};\n"
        '#include "beside.hpp"\n#include "folder/below.hpp"\n'
    )
    (tmp_path / "beside.hpp").write_text("#include <cstdlib>\ninline int one() { return 1; }\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "below.hpp").write_text("inline int other() { return unused() + std::rand(); }\n")
    (tmp_path / "unit.cpp").write_text(
        '#include "host.hpp"\nvoid f(int *p)\n{\n#pragma omp target\n    *p = one();\n}\nHost::Host() {}\n'
    )
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path).status == 0
    text = (tmp_path / "rex_lib_unit.cu").read_text()
    assert "int &made();" in text
    assert "one() { return 1; }" in text
    assert "unused" not in text
    included = [line for line in text.splitlines() if line.startswith("#include")]
    assert len(included) == 2, included  # the device library


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_device_objects_of_several_units(tmp_path: Path) -> None:
    """A kernel of 1,024 threads calls a body that would take more registers than each of them may have, and a virtual
    function that another unit defines overrides one that only this unit has. Limits of teams are written only if
    they are new: stores of all warps to one place wait for each other."""
    (tmp_path / "unit.cpp").write_text(
        "struct Base {\n    virtual void set(double *p) { *p = 0; }\n};\n"
        "struct Part : Base {\n    void set(double *p) override;\n};\n"
        "void mix(double *p, int n)\n{\n    Part part;\n"
        "#pragma omp target teams num_teams(2) thread_limit(1024) map(p[0:n])\n    {\n"
        "#pragma omp parallel for\n        for (int i = 0; i < n; i++) {\n            double v[40], s = 0;\n"
        "            for (int k = 0; k < 40; k++)\n                v[k] = p[i + k];\n"
        "            for (int k = 0; k < 40; k++)\n                for (int j = 0; j < 40; j++)\n"
        "                    v[k] += v[j] * v[39 - k];\n"
        "            for (int k = 0; k < 40; k++)\n                s += v[k];\n"
        "            p[i] = s;\n            part.set(p + i);\n        }\n    }\n}\n"
    )
    assert rex_build("lower", tmp_path / "unit.cpp", "--separable", "--out-dir", tmp_path).status == 0
    text = (tmp_path / "rex_lib_unit.cu").read_text()
    assert "rex_set_fact(rex_limits, " in text
    assert "rex_limits = " not in text
    made = rex_build(
        "device", tmp_path / "rex_lib_unit.cu", "--separable", "--arch", "sm_90", "-o", tmp_path / "unit.o"
    )
    assert made.status == 0, made.stderr


def test_what_other_units_have_to_define_is_named_once(tmp_path: Path) -> None:
    body = "double part(double x);\nvoid f(double *p)\n{\n#pragma omp target\n    p[0] = part(1) + part(2);\n}\n"
    (tmp_path / "unit.cpp").write_text(body)
    assert rex_build("lower", tmp_path / "unit.cpp", "--separable", "--out-dir", tmp_path).status == 0
    needed = re.findall(r"rex-build: needs (\S+ \S+)", (tmp_path / "rose_unit.cpp").read_text())
    assert needed == ["_Z4partd 5:12"]  # where it is called first


def test_headers_that_name_what_another_declares(tmp_path: Path) -> None:
    """``using ::int64_t;`` in <cstdint> declares the name in ``std``. Other headers declare it outside of that."""
    body = "void f(long *p)\n{\n#pragma omp target\n    *p = static_cast<std::int64_t>(*p);\n}\n"
    (tmp_path / "unit.cpp").write_text(f"#include <cstdlib>\n#include <sys/types.h>\n#include <cstdint>\n{body}")
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path).status == 0
    text = (tmp_path / "rex_lib_unit.cu").read_text()
    assert "#include <cstdint>" in text


@pytest.mark.parametrize(
    ("functions", "call", "recursive"),
    [
        ("int down(int n) { return n > 1 ? n * down(n - 1) : 1; }", "down(*p)", True),
        ("int odd(int); int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n - 1) : 0; }",
         "even(*p)", True),
        ("template <class T> T down(T n) { return n > 1 ? n * down(n - 1) : 1; }", "down(*p)", True),
        ("struct S { int at(int n) { return n ? at(n - 1) : 0; } };", "S().at(*p)", True),
        ("#include <algorithm>", "(std::sort(p, p + 3), 1)", True),
        ("int calls(int (*f)(int), int n) { return f(n); } int down(int n) { return n ? calls(down, n - 1) : 0; }",
         "down(*p)", True),
        ("int calls(int (*f)(int), int n) { return f(n); } int one(int n) { return n; }", "calls(one, *p)", False),
        ("int one(int n) { return n; } int two(int n) { return one(n) + one(n); }", "two(*p)", False),
        ("int down(int n) { return n > 1 ? n * down(n - 1) : 1; }", "1", False),
        ("#include <algorithm>", "std::max(*p, 3)", False),
    ],
)  # fmt: skip
def test_recursion_is_told_to_the_registration(tmp_path: Path, functions: str, call: str, recursive: bool) -> None:
    """CUDA gives threads a small stack where no compiler can tell what they take."""
    body = f"void f(int *p)\n{{\n#pragma omp target map(tofrom: p[0:3])\n    *p = {call};\n}}\n"
    (tmp_path / "unit.cpp").write_text(f"{functions}\n{body}")
    assert rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path).status == 0
    assert ("; recursive */" in (tmp_path / "rose_unit.cpp").read_text()) == recursive


@pytest.mark.parametrize("flags", [("-w",), ()])
def test_warnings_that_the_user_leaves_out_are_left_out_for_devices(flags: tuple[str, ...], tmp_path: Path) -> None:
    """The text is the user's own, so the compilers of images warn of what the host's warns of."""
    (tmp_path / "x.cpp").write_text(
        'int main() {\n    int s = 0;\n#pragma omp target map(tofrom: s)\n    { const char *p = "\\%"; s = p[0]; }\n'
        "    return s != '%';\n}\n"
    )
    assert rex_build("lower", "x.cpp", "--out-dir", "o", "--", *flags, cwd=tmp_path).status == 0
    options = re.findall(r"^/\* options: (.*) \*/$", (tmp_path / "o" / "rex_lib_x.cu").read_text(), re.MULTILINE)
    assert ("-w" in options[0].split()) == bool(flags)


def test_types_that_libclangs_module_has_no_name_for(tmp_path: Path) -> None:
    """``_Float16`` is one. It is no obstacle to reading what stands around it."""
    source = tmp_path / "half.cpp"
    source.write_text(
        "void half(int n, float *out)\n{\n#pragma omp target teams distribute parallel for map(from: out[0:n])\n"
        "    for (int i = 0; i < n; i++) {\n        _Float16 x = 0.5f;\n        float part[4];\n"
        "        for (int k = 0; k < 4; k++)\n            part[k] = (float)x * (i + k);\n"
        "        out[i] = part[0] + part[3];\n    }\n}\n"
    )
    outcome = rex_build("lower", source, "--out-dir", tmp_path)
    assert outcome.status == 0, outcome.stderr
    assert "REX_UNROLL for (int k = 0;" in (tmp_path / "rex_lib_half.cu").read_text()


ATTRIBUTES = """
#include <cmath>
#include <omp.h>
void f(int n, float *out)
{
#pragma omp target teams num_teams(n) thread_limit(32) map(from: out[0:n])
    {
        float sum[32], most = -INFINITY;
#pragma omp parallel
        {
            int t = omp_get_thread_num();
            float part[4];
#pragma unroll 2
            for (int k = 0; k < 4; k++)
                part[k] = k + t;
            for (int k = 0; k < 4; k++)
                part[k] += k;
            sum[t] = part[2];
        }
        if (n > 3) [[likely]]
            out[omp_get_team_num()] = sum[0] > most ? sum[0] : most;
    }
}
"""


def test_attributes_and_pragmas_of_loops_are_read_over(tmp_path: Path) -> None:
    """``#pragma unroll`` and ``[[likely]]`` hide nothing from the proofs, and what the user says of a loop stays."""
    source = tmp_path / "attributes.cpp"
    source.write_text(ATTRIBUTES)
    outcome = rex_build("explain", source, "--", "-std=c++20")
    assert "applied: spmd" in outcome.stdout, outcome
    outcome = rex_build("lower", source, "--out-dir", tmp_path, "--", "-std=c++20")
    text = (tmp_path / "rex_lib_attributes.cu").read_text()
    assert re.search(r"#pragma unroll 2\n +for \(int k = 0;", text)
    assert text.count("REX_UNROLL for") == text.count("#pragma unroll 2")


IN_NO_BODY = """#include <omp.h>
static int shifted(int value, int by = omp_get_thread_num()) { return value + by; }
struct Member { int me = omp_get_thread_num(); };
struct Listed { int me; Listed() : me(omp_get_thread_num()) {} };
struct Named { int me() { return ::omp_get_thread_num(); } };
static int asking() { return omp_get_thread_num(); }
void f(int *x)
{
#pragma omp target teams num_teams(1) thread_limit(64) map(from: x[0:64])
    {
        int row[64];
#pragma omp parallel num_threads(64)
        row[omp_get_thread_num()] = BODY + asking();
        for (int i = 0; i < 64; i++)
            x[i] = row[i];
    }
}
"""


@pytest.mark.parametrize("body", ["shifted(1)", "Member{}.me", "Listed().me", "Named().me()"])
def test_questions_who_runs_them_that_stand_in_no_body(tmp_path: Path, body: str) -> None:
    """What a kernel's first line says of them cannot be seen from there, so the device library has to know."""
    used = {"shifted(1)": "shifted", "Member{}.me": "Member", "Listed().me": "Listed", "Named().me()": "Named"}[body]
    others = ("static int shifted", "struct")
    kept = [line for line in IN_NO_BODY.splitlines() if not line.startswith(others) or used in line]
    source = tmp_path / "who.cpp"
    source.write_text("\n".join(kept).replace("BODY", body))
    outcome = rex_build("lower", source, "--out-dir", tmp_path)
    assert outcome.status == 0, outcome
    text = (tmp_path / "rex_lib_who.cu").read_text()
    assert "REX_TEAM_TOGETHER_STATE(64);" in text
    assert "REX_TEAM_QUERIES" not in text


@pytest.mark.parametrize("program", ["reduced_templates", "aggregates", "templates"])
def test_one_blank_line_stands_in_front_of_the_end(program: str, tmp_path: Path) -> None:
    text = device_text(program, tmp_path)
    end = text.index("// What rex_offload_init()")
    assert text[:end].endswith("}\n\n")
    assert not text[:end].endswith("\n\n\n")


DEFAULTED = """
struct Number { Number() = default; Number(int v) : v(v) {} int v; %s };
void f(int n, int *out)
{
#pragma omp target teams distribute thread_limit(32) map(from: out[0:n])
    for (int t = 0; t < n; ++t) {
        Number values[32], most(3);
#pragma omp parallel for
        for (int i = 0; i < 32; ++i)
            values[i] = i + most.v;
        out[t] = values[31].v;
    }
}
"""


@pytest.mark.parametrize(
    ("member", "runs"),
    [("", False), ("Number(const Number &) = default;", False), ("int w = 0;", True), ("void operator=(int);", True)],
)
def test_objects_that_a_defaulted_constructor_makes_lie_in_shared_memory(
    member: str, runs: bool, tmp_path: Path
) -> None:
    """Nothing runs for them, whatever other constructors there are. Values of members do, and odd assignments may."""
    source = tmp_path / "numbers.cpp"
    source.write_text(DEFAULTED % member)
    outcome = rex_build("explain", source, "--", "-std=c++17")
    assert ("applied: spmd" in outcome.stdout) == (not runs), outcome


def test_members_order_constructs(tmp_path: Path) -> None:
    """g++ knows no members in ``depend`` but with ``this->``."""
    source = tmp_path / "unit.cpp"
    source.write_text("""
struct Queue {
    char token = 0; double *p = nullptr;
    void start(double *y) {
        #pragma omp target nowait depend(inout: token, p[0:2]) map(tofrom: y[0:2])
        y[0] = 1;
        #pragma omp taskwait
    }
};
int main() { double y[2] = {}; Queue().start(y); return y[0] != 1; }
""")
    assert rex_build("cc", "--device", "cpu", "-o", tmp_path / "program", source, "--", "-std=c++17").status == 0
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 0


@pytest.mark.parametrize(
    ("declared", "defined"),
    [
        ("struct Cell;", "struct Cell { int v; };"),
        ("friend struct Other; struct Cell; struct Other { Cell *next; };", "struct Cell { int v; };"),
        ("class Cell;", "class Cell { public: int v; };"),
    ],
)
def test_all_declarations_of_a_private_class_become_public(tmp_path: Path, declared: str, defined: str) -> None:
    """A kernel's name has the class, and compilers take no two declarations of one with different access."""
    source = tmp_path / "unit.cpp"
    template = "template <class T> void add(T *p)\n{\n#pragma omp target map(p[0:1])\np[0].v++;\n}\n"
    box = f"class Box {{ {declared}\n{defined}\nCell *cells;\npublic: void run() {{ add(cells); }} }};\n"
    source.write_text(f"{template}{box}void f(Box &box) {{ box.run(); }}\n")
    lowered = lower_text(LowerRequest(source=source, out_dir=tmp_path))
    for text in (lowered.host, lowered.device):
        assert len(re.findall(r"public:\s+(?:#[^\n]*\n|/\*.*?\*/\s*)*(?:struct|class) Cell", text)) == 2


_REDUCED = """auto s = v;
#pragma omp declare reduction(join : T : omp_out += omp_in) initializer(omp_priv = T())
#pragma omp parallel for reduction(join : s)
for (int i = 0; i < n; i++) s += host_only * i;
return s;"""


@pytest.mark.parametrize(
    ("includes", "host"),
    [
        ("", _REDUCED),
        ("", "static Late late; return v + host_only;"),
        ("", "static int late = n; return v + late + host_only;"),
        ("#include <mutex>\n", "static std::mutex m; m.lock(); m.unlock(); return v + host_only;"),
        ("#include <chrono>\n", "std::chrono::steady_clock::now(); return v + host_only;"),
        ("#include <string>\n", "return v + std::stoi(std::string(n, '1')) + host_only;"),
        ("#include <memory>\n", "std::shared_ptr<T> p; p.reset(new T(v)); return *p + host_only;"),
        ("#include <functional>\n", "std::function<T()> g = [=] { return v; }; return g() + host_only;"),
        ("#include <iostream>\n", "std::cout << v << std::endl; return v + host_only;"),
        ("", "return call(v, n) + host_only;"),
    ],
    ids=[
        "declared reduction", "late constructor", "late value", "mutex", "clock", "text", "shared pointer", "function",
        "stream", "by another",
    ],
)
def test_what_is_only_perhaps_called_is_left_out_where_it_is_no_device_code(
    tmp_path: Path, includes: str, host: str
) -> None:
    """What an unknown call means is guessed from its name, and what the host alone can have is not meant."""
    source = tmp_path / "unit.cpp"
    late = "int start();\nstruct Late { int n = start(); };\nextern int host_only;\n"
    late += "inline int call(int v, int n) { static Late late; return v + late.n + host_only; }\n"
    helped = f"template <class T> T help(T v, int n)\n{{\n{host}\n}}\n"
    both = "template <class T> T help(T v) { return v + 1; }\nint onhost(int n) { return help(1, n); }\n"
    source.write_text(
        f"{includes}{late}{helped}{both}void f(int *y)\n{{\nauto g = [](auto v) {{ return help(v); }};\n"
        "#pragma omp target map(y[0:1])\ny[0] = g(y[0]);\n}\n"
    )
    device = lower_text(LowerRequest(source=source, out_dir=tmp_path)).device
    assert "host_only *" not in device
    assert "+ host_only" not in device
    assert "return v + 1" in device


def test_what_the_library_has_for_devices_stays_where_it_is_only_perhaps_called(tmp_path: Path) -> None:
    """Such functions have no definition in headers, or the compiler makes them, and need nothing of the host."""
    source = tmp_path / "unit.cpp"
    used = [
        "std::move(v)", 'std::printf("%d", v)', 'std::fprintf(stderr, "")', "int(std::pow(2, v))", 'std::strlen("a")',
        "std::optional<int>(v).value()", "std::array<int, 2>{}.at(v)", "*std::make_unique<int>(v)",
        "std::atomic<int>(v)++",
        "v; throw std::runtime_error(std::to_string(v))",
        "int(std::norm(std::complex<double>(v, 1)))", "(std::abort(), 1)", "int(std::bitset<8>(v).count())",
    ]  # fmt: skip
    headers = ("array", "atomic", "bitset", "cmath", "complex", "cstdio", "cstdlib", "cstring", "memory", "optional")
    headers += ("stdexcept", "string")
    helped = "".join(f"template <class T> T help{number}(T v) {{ return {use}; }}\n" for number, use in enumerate(used))
    calls = " + ".join(f"help{number}(v)" for number in range(len(used)))
    source.write_text(
        "".join(f"#include <{name}>\n" for name in headers) + f"{helped}void f(int *y)\n{{\n"
        f"auto g = [](auto v) {{ return {calls}; }};\n#pragma omp target map(y[0:1])\ny[0] = g(y[0]);\n}}\n"
    )
    device = lower_text(LowerRequest(source=source, out_dir=tmp_path, cflags=("-std=c++17",))).device
    kept = re.findall(r"int help(\d+)\(|T help(\d+)\(T v\) \{", device)
    assert {int(a or b) for a, b in kept} == set(range(len(used)))
