"""What device code uses of the host is an error by name, also where nvcc says nothing and drops the code around it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.tools.host_calls import uses_of_the_host

# A header of the system. Each function that begins with `by_` hides what it uses of the host in its own way.
HEADER = """\
extern "C" int plain(int);
extern "C" int same_name(int);
namespace hidden {
int host_only(int);
struct Noisy {
    int v;
    Noisy(int v);
    ~Noisy();
};
template <class F> constexpr int applied(F f, int x) { return f(x); }
constexpr int (*const table[2])(int) = {host_only, host_only};

template <class T> constexpr T by_template(T x) { return x > 3 ? x + host_only(x) : x; }
constexpr int by_constexpr(int x) { return x > 3 ? host_only(x) : x; }
constexpr int by_address(int x) { return applied(plain, x); }
constexpr int by_table(int x) { return table[x & 1](x); }
constexpr int by_builtin(int x) { return x > 3 ? __builtin_clrsb(x) : x; }
constexpr int by_constructor(int x) { return x > 3 ? Noisy(x).v : x; }
constexpr int by_throw(int x) { return x > 3 ? throw x : x; }
constexpr int by_shadow(int same_name) { return same_name > 3 ? ::same_name(same_name) : 0; }
constexpr int by_closure(int x) { return [x](int y) { return host_only(x + y); }(x); }

struct Pair {
    int plain, host_only;
};
template <class T> constexpr T same(T x) { return x; }
constexpr int right(Pair pair) { return __builtin_popcount(pair.plain) + pair.host_only; }
constexpr int right(int x) { return applied(same<int>, x) + right(Pair{x, 2}); }
}
"""
HIDDEN = re.findall(r"\b(by_\w+)", HEADER)


# A cast to each fundamental type. nvcc's text declares none of them.
TYPES = "".join(
    f" v[93] += (int)({name})v[94];"
    for name in ("bool", "char", "wchar_t", "char16_t", "char32_t", "short", "long long", "float", "double", "__int128")
)


# Members of containers that allocate nothing.
CONTAINERS = (
    " auto *w = reinterpret_cast<std::vector<int> *>(v); auto *s = reinterpret_cast<std::string *>(v);"
    " v[97] = (*w)[1] + w->size() + *w->begin() + w->data()[0] + w->empty() + w->back() + w->at(1);"
    " v[98] = (*s)[1] + s->size() + s->c_str()[0];"
)


ALIGNED = " alignas(16) char raw[4] = {}; v[95] = raw[v[96] & 3];"


def image(folder: Path, standard: str, body: str) -> str:
    """What is said when an image is made of a unit with a region, after `STATUS` and the exit status."""
    include = folder / "include"
    include.mkdir(exist_ok=True)
    (include / "hidden.h").write_text(HEADER)
    (folder / "unit.cpp").write_text(
        "#include <hidden.h>\n#include <array>\n#include <string>\n#include <vector>\nint main()\n"
        "{\n    int v[99] = {};\n    std::array<int, 4> a = {};\n"
        f"#pragma omp target map(tofrom: v, a)\n    {{\n{body}\n    }}\n    return v[0] + a[0];\n}}\n"
    )
    options = ("--out-dir", folder, "--", f"-std={standard}", "-isystem", include)
    outcome = rex_build("lower", folder / "unit.cpp", *options)
    assert outcome.status == 0, outcome.stderr
    made = rex_build("device", folder / "rex_lib_unit.cu", "--arch", "sm_90", "-o", folder / "unit.cubin")
    assert (folder / "unit.cubin").exists() == (made.status == 0)
    return f"STATUS {made.status}\n{made.stderr}"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_hidden_uses_of_the_host_are_errors(standard: str, tmp_path: Path) -> None:
    calls = "\n".join(f"v[{i}] = hidden::{name}(v[{i}]);" for i, name in enumerate(HIDDEN))
    said = image(tmp_path, standard, calls + "\nv[90] = hidden::right(v[90]); v[91] = a.at(v[91]);")
    assert said.startswith("STATUS 3")
    lines = HEADER.splitlines()
    errors = re.findall(r"hidden\.h:(\d+):(\d+): error: device code (.*)", said)
    for name in HIDDEN:
        line = next(number for number, text in enumerate(lines, 1) if name in text)
        assert any(int(at) == line for at, _, _ in errors), f"{name}: {said}"
    assert all("by_" in lines[int(at) - 1] for at, _, _ in errors)
    assert "uses hidden::host_only(int), which is the host's" in said
    assert "uses plain, which is the host's" in said
    assert "throws an exception" in said
    column = lines[int(errors[0][0]) - 1].index("host_only") + 1
    assert errors[0][1] == str(column)
    assert said.count("\n      | ") == len(errors)  # carets


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_what_devices_have_is_no_error(standard: str, tmp_path: Path) -> None:
    """Also functions of the standard that would throw: on devices, they end the kernel."""
    said = image(
        tmp_path,
        standard,
        "v[90] = hidden::right(v[90]); v[91] = a.at(v[91]) + __builtin_ffs(v[92]);" + TYPES + ALIGNED + CONTAINERS,
    )
    assert said.startswith("STATUS 0"), said


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_kernels_that_test_alignment_use_nothing_of_the_host(tmp_path: Path) -> None:
    (tmp_path / "unit.cpp").write_text(
        "struct Body { float x, y, z, w; };\nvoid f(int n, const Body *a, Body *b)\n{\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])\n"
        "    for (int i = 0; i < n; ++i)\n        b[i] = a[i];\n}\n"
    )
    lowered = rex_build("lower", tmp_path / "unit.cpp", "--out-dir", tmp_path)
    assert "REX_ASSUME_ALIGNED" in (tmp_path / "rex_lib_unit.cu").read_text(), lowered.stderr
    made = rex_build("device", tmp_path / "rex_lib_unit.cu", "--arch", "sm_90", "-o", tmp_path / "unit.cubin")
    assert made.status == 0, made.stderr


def kept(body: str, head: str = "int x") -> list[str]:
    """The errors for one function in nvcc's text, each without its place."""
    text = (
        '# 3 "some.h"\nstruct Pair { int member; };\nenum Colour {\nred = 1U};\ntypedef int (*_Z6Hidden)(int);\n'
        "static  __device__  int _Z8variable;\n"
        "___device__(static  __no_sc__) __inline__ int _Z5known(int (*)(int), int);\n"
        f'# 7 "some.h"\n___device__(static  __no_sc__) __inline__ __attribute__((__nothrow__)) int _Z4fromi(\n'
        f'# 7 "some.h"\n{head}){{\n# 8 "some.h"\n{{\n# 9 "some.h"\n{body}\n}}}}\n'
    )
    return [f"{error.span}: {error.message}" for error in uses_of_the_host(text)]


def test_names_that_are_the_devices() -> None:
    assert not kept("return _Z5known(x) + red + _Z8variable + threadIdx.x + popcount(x);")
    assert not kept("return f(x);", "int (*f)(int), int x")
    assert not kept("return f(x);", "_Z6Hidden f, int x")
    assert not kept("int later; struct Pair pair; later = x; if (later) goto out; return pair.member;\nout:; return 0;")
    assert not kept("int raw[4] __attribute__((__aligned__(16))); raw[0] = x; return raw[0];")
    assert not kept('return _Z5known("host(1) { \\" } ", x, \'{\');')
    assert not kept('return L"a"[x] + u"b"[x] + U"c"[x] + u8"d"[x] + L\'e\' + u\'f\' + U\'g\';')


def test_names_that_are_the_hosts() -> None:
    assert kept("return _Z4hosti(x);") == ["some.h:9:1: device code uses host(int), which is the host's"]
    assert kept("return puts(x);") == ["some.h:9:1: device code uses puts, which is the host's"]
    assert kept("return x +\nputs;") == ["some.h:10:1: device code uses puts, which is the host's"]
    # A member, a parameter of another function or a type has the name: a call means none of them.
    assert kept("return member(x);") == ["some.h:9:1: device code uses member, which is the host's"]
    assert kept("return x(x);") == ["some.h:9:1: device code uses x, which is the host's"]
    assert kept("return x * later; int later;") == ["some.h:9:1: device code uses later, which is the host's"]
