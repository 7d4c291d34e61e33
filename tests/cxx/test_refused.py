"""What is not supported in C++ units is refused by name, with its place, or left to the host if the user says so."""
# ruff: noqa: ISC004, E501

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from execution import rex_build
from refusals import check_refused, region

# What is written, with the line and the column of the error, and a part of its message.
REFUSED = {
    "an exception": (region("if (n) throw 1; x = n;"), 6, 14, "device code throws an exception"),
    "try": (region("try { x = n; } catch (...) {}"), 6, 7, "device code has a 'try' block"),
    "an array of two lengths that only the run knows": (
        region("int t[n][3]; t[0][0] = n; x = t[0][0];"), 6, 11,
        "device code declares 't', an array of variable length, in this way, which is not supported",
    ),
    "the size of an array of variable length": (
        region("int t[n]; x = sizeof(t);"), 6, 28, "device code asks for the size or the type of 't', an array of variable",
    ),
    "an array of variable length that a team shares": (
        region("int t[n];\n#pragma omp parallel\n    t[0] = n;"), 6, 7,
        "'t', an array of variable length that threads of a team share, is not supported",
    ),
    "long double": (
        "void f(long double *a, double x)\n{\n    const double c = 2.5L;\n#pragma omp target map(tofrom: a[0:4])\n"
        "    a[1] += x * c;\n}\n",
        5, 5, "device code computes with 'long double', which is not supported",
    ),
    "typeid": ("#include <typeinfo>\n" + region("x = typeid(n) == typeid(x);"), 7, 11, "device code has a 'typeid'"),
    "a static variable that a constructor makes": (
        "struct A { int v; A(int x) : v(x) {} };\nint g() { static A a(2); return a.v; }\n" + region("x = g();"), 2, 20,
        "the first call gives the static variable 'a' its value, by 'A', which device code does not support",
    ),
    "a static variable of a template with a member that a function gives its value": (
        "int start() { return 3; }\nstruct A { int v = start(); };\n"
        "template <class T> T g(T x) { static A a; return a.v + x; }\n" + region("x = g(n);"), 3, 40,
        "the first call gives the static variable 'a' its value, by 'start', which device code does not support",
    ),
    "a static variable of a region": (
        region("static int last = n; x = last;"), 6, 18,
        "the first call gives the static variable 'last' its value, ",
    ),
    "a virtual call": (
        "struct B { virtual int g() { return 1; } };\nint h(B *b)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = b->g();\n    return x;\n}\n",
        6, 9, "device code calls the virtual function 'g', which is not supported",
    ),
    "a virtual call by a pointer to objects of two classes": (
        "struct B { virtual int g() { return 1; } };\nstruct C : B { int g() { return 2; } };\nint h(bool b)\n{\n"
        "    C c;\n    B d, *p = &d;\n    if (b)\n        p = &c;\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = p->g();\n    return x;\n}\n",
        11, 9, "device code calls the virtual function 'g', which is not supported",
    ),
    "a virtual call by a pointer that a function may change": (
        "struct B { virtual int g() { return 1; } };\nvoid change(B *&);\nint h()\n{\n"
        "    B d, *p = &d;\n    change(p);\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = p->g();\n    return x;\n}\n",
        9, 9, "device code calls the virtual function 'g', which is not supported",
    ),
    "a virtual call through an element of an array of pointers": (
        "struct B { virtual int g() { return 1; } };\nint h(B &b)\n{\n    int x = 0;\n#pragma omp target map(x, b)\n"
        "    { B *all[1] = {&b}; x = all[0]->g(); }\n    return x;\n}\n",
        6, 29, "device code calls the virtual function 'g', which is not supported",
    ),
    "a function of the host's, by a pointer": (
        "int h(int (*f)(int))\n{\n    int x = 0;\n#pragma omp target map(x)\n    x = f(1);\n    return x;\n}\n",
        5, 9, "'f' leads to a function of the host's, which device code cannot call",
    ),
    "a function of the host's, by a template's argument": (
        "int g(int v) { return v; }\ntemplate <class F> int h(F f)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = (*f)(1);\n    return x;\n}\nint i() { return h(g); }\n",
        6, 9, "'f' leads to a function of the host's, which device code cannot call",
    ),
    "a function of the host's, by a member": (
        "struct S { int (*f[2])(int); int h(); };\nint S::h()\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = f[0](1);\n    return x;\n}\n",
        6, 9, "'f' leads to a function of the host's, which device code cannot call",
    ),
    "a member of a virtual base of an object of the host's": (
        "struct B { int n; };\nstruct C : virtual B { int own; int h(); };\nint C::h()\n{\n    int x = 0;\n"
        "#pragma omp target map(x)\n    x = own + n;\n    return x;\n}\n",
        7, 15, "'n' is a member of the virtual base 'B' of an object of the host's",
    ),
    "a virtual base of an object of the host's, in a method of it": (
        "struct B { int n; };\nstruct C : virtual B { int sum() const { return n; } };\nint h(C &c)\n{\n    int x = 0;\n"
        "#pragma omp target map(x)\n    x = c.sum();\n    return x;\n}\n",
        2, 49, "'n' is a member of the virtual base 'B' of an object of the host's",
    ),
    "a virtual call in a function": (
        "struct B { virtual int g() = 0; };\nint h(B &b) { return b.g(); }\nint i(B &b)\n{\n    int x = 0;\n"
        "#pragma omp target map(x)\n    x = h(b);\n    return x;\n}\n",
        2, 22, "'h', which runs on the device, calls the virtual function 'g'",
    ),
    "a virtual call of a template": (
        "struct B { virtual int g(); };\ntemplate <class T> struct C : B { int g(); };\n"
        "template <class T> int h()\n{\n    C<T> c;\n    int x = 0;\n#pragma omp target map(x)\n    x = c.g();\n"
        "    return x;\n}\nint i() { return h<int>(); }\n",
        8, 9, "device code calls the virtual function 'g', which is not supported",
    ),
    "a reference member of a mapped object": (
        "struct S { double &r; };\nvoid f(S s)\n{\n#pragma omp target map(tofrom: s)\n    s.r += 4;\n}\n",
        5, 5, "'r' is a reference member, which leads to the host's storage in a region",
    ),
    "a variable of the device with a value of the host": (
        "int made();\nstatic int scale = 2 * made();\nstatic int scaled(int x) { return x * scale; }\n" + region("x = scaled(n);"),
        2, 24, "'scale' is on the device, but 'made' gives it a value when the program starts",
    ),
    "an object of the device that a constructor makes": (
        "struct Scale { int s; Scale(int x) : s(x) {} };\n#pragma omp declare target\nScale scale(3);\n"
        "#pragma omp end declare target\n" + region("x = scale.s;"),
        3, 7, "'scale' is on the device, but 'Scale' gives it a value when the program starts",
    ),
    "a type with the name of a variable of CUDA's": (
        "struct threadIdx { int a; };\n" + region("x = t.a;", before="threadIdx t{4};"),
        6, 13, "'threadIdx' is a variable of CUDA's in device code: give the type another name",
    ),
    "a thread-local variable in device code": (
        "static thread_local int own = 2;\nstatic int twice() { return 2 * own; }\n" + region("x = twice();"),
        1, 1, "'own', which device code uses, is thread-local",
    ),
    "a constant table with a value of the host": (
        "int made();\nconst int scale = made();\nconst int table[2] = {scale, 1};\n"
        "static int scaled(int x) { return table[x]; }\n" + region("x = scaled(n);"),
        3, 23, "'table' is on the device, but 'scale' gives it a value when the program starts",
    ),
    "std::function": (
        "#include <functional>\n" + region("x = f(n);", before="std::function<int(int)> f = [](int i) { return i; };"),
        7, 11, "device code calls a function of std::function, which is not supported",
    ),
    "a stream": (
        "#include <iostream>\nint said(int n)\n{\n    std::cout << n;\n    return n;\n}\n" + region("x = said(n);"),
        4, 5, "'said', which runs on the device, calls a function of std::ostream",
    ),
    "another unit's function": ("int g(int);\n" + region("x = g(n);"), 7, 11, "'g' is called on the device"),
    "another unit's method": (
        "struct C { int g(int) const; };\n" + region("x = c.g(n);", before="C c;"), 7, 11,
        "'g' is called on the device, but this unit does not define it",
    ),
    "an object with a virtual destructor": (
        "struct A { int v; virtual ~A() {} };\nstruct B : A { int w; };\n" + region("A *b = new B; if (n) b = new A; delete b;"),
        8, 39, "device code calls the virtual function '~A', which is not supported",
    ),
    "a shared object with a destructor": (
        "struct A { int v; A() : v(1) {} ~A() { v = 0; } };\n"
        "void f(int *p)\n{\n#pragma omp target map(p[0:1])\n    {\n        A a;\n#pragma omp parallel\n        a.v++;\n"
        "        p[0] = a.v;\n    }\n}\n",
        6, 9, "'a', which threads of a team share, has a destructor, which is not supported",
    ),
    "a complex number of gcc's": (
        region("z = z * z; x = 1;", "map(tofrom: x, z)", "__complex__ double z = 1;"), 6, 7,
        "device code computes with complex numbers that are not std::complex",
    ),
    "a function with a complex number of gcc's": (
        "typedef double _Complex C;\nstatic double g(double x)\n{\n    C z = x;\n    return __real__(z * z);\n}\n"
        + region("x = g(n);"), 4, 11,
        "'g', which runs on the device, computes with complex numbers that are not std::complex",
    ),
    "a variant of a virtual function": (
        "struct S {\n    int v(int);\n"
        "#pragma omp declare variant(v) match(device={kind(nohost)})\n    virtual int g(int);\n};\n" + region("x = 1;"),
        3, 13, "'declare variant' of a virtual function is not supported in C++",
    ),
    "an end of the program": (
        "#include <cstdlib>\ninline void stop(int x)\n{\n    if (x)\n        std::exit(x);\n}\n" + region("stop(x);"),
        5, 9, "'stop', which runs on the device, calls 'exit'",
    ),
    "an exit in a template": (
        "#include <stdlib.h>\ntemplate <class T> void f(T *t)\n{\n#pragma omp target map(t[0:1])\n    if (*t)\n"
        "        exit(1);\n}\nint main() { int i = 0; f(&i); }\n",
        6, 9, "device code calls 'exit', which is not supported",
    ),
    "private member in shared memory": (
        "#pragma omp requires unified_shared_memory\nclass B { static int n; public: void f() { n = 1; } };\n"
        "int B::n = 2;\nvoid g()\n{\n#pragma omp target\n    B().f();\n}\n",
        3, 1, "'n', a private static member, one of a class template, or a reference, cannot be shared",
    ),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    check_refused(tmp_path, text, line, column, message)


@pytest.mark.parametrize(
    ("wrong", "right", "cure"),
    [("c->g()", "c->C::g()", "name the class"), ("1.5L * x", "1.5 * x", "devices compute with 'double' at most")],
    ids=["virtual", "long double"],
)
def test_messages_say_the_way_out(tmp_path: Path, wrong: str, right: str, cure: str) -> None:
    """What the note says to write instead is lowered."""
    text = (
        "struct B { virtual double g() = 0; };\nstruct C : B { double g() override { return 4; } };\n"
        "double h(C *c)\n{\n    double x = 0;\n#pragma omp target map(x) map(to: c[0:1])\n    x = @;\n    return x;\n}\n"
    )
    source = tmp_path / "unit.cpp"
    source.write_text(text.replace("@", wrong))
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out")
    assert (outcome.status, cure in outcome.stderr, "--on-unsupported=host" in outcome.stderr) == (1, True, True)
    source.write_text(text.replace("@", right))
    assert rex_build("lower", source, "--out-dir", tmp_path / "out").status == 0


def test_a_cure_stands_at_its_message(tmp_path: Path) -> None:
    regions = "".join(f"#pragma omp target map(x)\n    x = {text};\n" for text in ("b->g()", "x ? throw 1 : 2"))
    source = tmp_path / "unit.cpp"
    source.write_text(f"struct B {{ virtual int g() {{ return 1; }} }};\n\nvoid f(int x, B *b)\n{{\n{regions}}}\n")
    told = rex_build("lower", source, "--out-dir", tmp_path / "out").stderr
    parts = ("unit.cpp:6:", "name the class", "unit.cpp:8:", "--on-unsupported=host")
    assert [part for part in parts if part in told] == sorted(parts, key=told.find), told


LOOPS = (
    "loop_heads",
    *(f"not_canonical_{what}" for what in ("bound", "changed_index", "condition", "increment", "start")),
)
EXPECTED = re.compile(r'^// expect: error (\S+) "(.*)"$', re.MULTILINE)


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_refused_as_in_c(tmp_path: Path, name: str) -> None:
    """The same loops, on the same lines, with the same words."""
    text = (Path(__file__).parents[1] / "bad_input" / f"{name}.c").read_text()
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    said = re.findall(r"unit\.cpp:(\S+): error: (.*)", rex_build("lower", source, "--out-dir", tmp_path / "out").stderr)
    expected = EXPECTED.findall(text)
    assert len(said) == len(expected) > 0
    for (at, message), (place, words) in zip(said, expected, strict=True):
        assert at.partition(":")[0] == place.partition(":")[0]
        assert words in message


JUMPS = """\
#include <stdexcept>
int f(int *a, int n)
{
#pragma omp target data map(a[0:n])
    {
        if (n == 1) return 1;                           // 'return' leaves the 'target data' region
        if (n == 2) goto out;                           // 'goto out' leaves the 'target data' region
        if (n == 3) throw std::runtime_error("x");      // 'throw' leaves the 'target data' region
        try { if (n == 4) throw 1; } catch (int) { }
        try { } catch (...) { throw; }                  // 'throw' leaves the 'target data' region
        for (int i = 0; i < n; ++i) { if (i == 3) break; else continue; }
        if (n == 7) goto in;
in:
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                if (i == 3) return 5;                   // 'return' leaves the 'target teams distribute parallel for' region
                if (i == 4) break;                      // 'break' leaves the 'target teams distribute parallel for' region
                if (i == 5) continue;
                switch (i) { case 4: break; case 5: continue; }
                auto h = [](int x) { for (;;) if (x) break; return x; };
                a[h(i)] = j;
            }
    }
    for (int i = 0; i < n; ++i)
#pragma omp target
    {
        struct S { int g() { return 1; } };
        if (i == 3) break;                              // 'break' leaves the 'target' region
#pragma omp parallel
        {
            if (a[0]) return 1;                         // 'return' leaves the 'parallel' region
#pragma omp critical
            { if (a[1]) goto next; }                    // 'goto next' leaves the 'critical' region
next: ;
#pragma omp single
            return 4;                                   // 'return' leaves the 'single' region
        }
        if (i == 4) continue;                           // 'continue' leaves the 'target' region
        if (i == 5) return 1;                           // 'return' leaves the 'target' region
    }
    if (n == 9) goto in;                                // 'goto in' leads into the 'target data' region
#pragma omp parallel
    if (n) return 1;                                    // 'return' leaves the 'parallel' region
out:
    return 0;
}
template <class T> struct A {
    T n;
    A() {
#pragma omp target data map(n)
        { if (n) return; }                              // 'return' leaves the 'target data' region
    }
};
"""


def test_jumps_out_of_constructs(tmp_path: Path) -> None:
    """A statement that leaves a construct would skip what is done at its end, such as the end of a mapping."""
    source = tmp_path / "unit.cpp"
    source.write_text(JUMPS)
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--", "-std=c++17")
    found = re.findall(r"unit\.cpp:(\d+):(\d+): error: (.*)", outcome.stderr)
    expected = []
    for number, line in enumerate(JUMPS.splitlines(), 1):
        text, _, message = line.partition("//")
        if message:
            column = re.search(r"\b(return|goto|break|continue|throw)\b", text).start() + 1
            expected.append((str(number), str(column), message.strip()))
    assert found == expected
    assert outcome.status == 1


@pytest.mark.compile
def test_regions_are_left_to_the_host(tmp_path: Path) -> None:
    """The region that is refused runs on the host with a warning, and the other one on the device."""
    source = tmp_path / "unit.cpp"
    source.write_text(
        "#include <cstdio>\n#include <vector>\n#include <utility>\n#include <omp.h>\nint main()\n{\n"
        "    std::vector<int> v(10, 1);\n    int host = 0, device = 1;\n"
        "#pragma omp target teams distribute parallel for\n    for (int &one : std::move(v))\n        one += 1;\n"
        "#pragma omp target map(from: device)\n    device = omp_is_initial_device();\n"
        '    for (int x : v)\n        host += x;\n    std::printf("%d %d\\n", host, device);\n}\n'
    )
    program = tmp_path / "program"
    options = ("--device", "cpu", "--on-unsupported", "host", "-o", program, source, "--", "-std=c++17", "-w")
    outcome = rex_build("cc", *options)
    assert outcome.status == 0, outcome.stderr
    assert "unit.cpp:10:5: warning: the range of this loop is neither" in outcome.stderr
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == "20 0\n"


def test_the_compilers_errors_come_first(tmp_path: Path) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text("int main()\n{\n    int x = 0;\n#pragma omp target map(x)\n    x = missing;\n}\n")
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out")
    assert outcome.status == 1
    assert "unit.cpp:5:9: error:" in outcome.stderr
    assert "missing" in outcome.stderr


@pytest.mark.compile
@pytest.mark.parametrize(
    ("unit", "message"),
    {
        "a parameter": (
            "template <class V> void f(V &v)\n{\n#pragma omp target teams distribute parallel for map(tofrom: v[0:8])\n"
            "    for (int i = 0; i < 8; ++i)\n        v[i] = i;\n}\n", "base of an array section is an object",
        ),
        "a type of a template": (
            "template <class T> void g(A<T> &v)\n{\n#pragma omp target enter data map(to: v[0:8])\n}\n"
            "void f(A<int> &a) { g(a); }\n", "base of an array section is an object",
        ),
        "a member": (
            "template <class T> struct B\n{\n    T v;\n    void update()\n    {\n#pragma omp target update to(v[0:8])\n    }\n};\n"
            "void f(A<int> &a) { B<A<int>> b{a}; b.update(); }\n", "an array section is taken for a pointer, but it is none",
        ),
        "a member that is a reference": (
            "struct R { int &r; };\ntemplate <class T> void g(T &s)\n{\n#pragma omp target map(tofrom: s.r)\n    ;\n}\n"
            "void f(A<int> &a) { R r{a.x}; g(r); }\n", "a list item uses a reference member, which cannot be mapped",
        ),
        "an array where a pointer is expected": (
            "template <class T> struct B\n{\n    T v;\n    void update()\n    {\n#pragma omp target update to(v[0:2])\n    }\n};\n"
            "void f(A<int> &) { B<int[2]> b = {{1, 2}}; b.update(); }\n",
            "an array section is taken for a pointer, but it is none",
        ),
        "a part of each row": (
            "template <int N> void g(int (*v)[N])\n{\n#pragma omp target enter data map(to: v[0:2][0:N - 1])\n}\n"
            "void f(A<int> &) { int v[2][3]; g(v); }\n", "an inner dimension of an array section must be whole",
        ),
    }.values(),
)  # fmt: skip
def test_a_section_of_what_only_the_compiler_knows_to_be_an_object(tmp_path: Path, unit: str, message: str) -> None:
    source = tmp_path / "unit.cpp"
    head = "template <class T> struct A { T x; T &operator[](int) { return x; } };\n"
    source.write_text(f"{head}{unit}int main() {{ A<int> a; f(a); }}\n")
    outcome = rex_build("cc", "--device", "cpu", source, "-o", tmp_path / "unit")
    assert outcome.status == 1, outcome.stderr
    assert message in outcome.stderr, outcome.stderr
    assert not (tmp_path / "unit").exists()


def test_c_units_read_nothing_of_cxx(tmp_path: Path) -> None:
    """Nothing of the C++ front end is imported for a C unit."""
    source = tmp_path / "unit.c"
    source.write_text("void f(int n)\n{\n#pragma omp target map(tofrom: n)\n    n += 1;\n}\n")
    code = (
        "import sys\nfrom rex_build.cli.main import main\n"
        f"status = main(['lower', {str(source)!r}, '--out-dir', {str(tmp_path / 'out')!r}])\n"
        "print(status, [name for name in sys.modules if 'cxx' in name.split('.') or name.startswith('clang')])\n"
    )
    done = subprocess.run(["python", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 []\n"


@pytest.mark.compile
def test_closures_in_cxx11(tmp_path: Path) -> None:
    """What stands for closures in the host file needs no newer C++ than the unit."""
    source = tmp_path / "unit.cpp"
    source.write_text(
        "template <class F> void each(F f)\n{\n#pragma omp target\n    f(1);\n}\n"
        "template <class T> void set(T *p, T v) { each([=](int i) { p[i] = v; }); }\n"
        "int main()\n{\n    int a[2] = {}, b = 3, *p = a;\n"
        "#pragma omp target data map(tofrom: p[0:2])\n    {\n        set(p, 2);\n"
        "        each([&](int i) { p[i] += b; });\n    }\n    return a[1] != 5;\n}\n"
    )
    program = tmp_path / "program"
    options = ("--device", "cpu", "-o", program, source, "--", "-std=c++11", "-Wall", "-Wextra")
    outcome = rex_build("cc", *options)
    assert (outcome.status, outcome.stderr) == (0, "")
    subprocess.run([program], check=True, env={**os.environ, "OMP_TARGET_OFFLOAD": "MANDATORY"})
