"""What clauses and loops may not have in C++ units is refused by name, with its place."""
# ruff: noqa: ISC004, E501

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import check_refused, region

from rex_build.base.diagnostics import InputError
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

# What is written, with the line and the column of the error, and a part of its message.
REFUSED = {
    "a reference member of the method's object": (
        "struct B { double &r; };\nstruct S { B b[2];\n    void f()\n    {\n#pragma omp target\n        b[1].r += 4;\n    }\n};\n",
        6, 9, "'r' is a reference member, which leads to the host's storage in a region",
    ),
    "a reference member that a method uses": (
        "struct S { double &r; void add() { S own{r}; r += 4; } };\nvoid f(S *s)\n{\n#pragma omp target map(s[0:1])\n    s->add();\n}\n",
        1, 42, "'add', which runs on the device, uses the reference member 'r' of an object of the host",
    ),
    "a member with a device address in a region inside": (
        "struct S {\n    int *p;\n    void f()\n    {\n#pragma omp target data use_device_ptr(p)\n#pragma omp target\n        p[0] = 1;\n    }\n};\n",
        5, 40, "'p', a member in a clause of 'target data', is used in a region inside",
    ),
    "kinds of a type that differ": (
        "template <class T> void f(T &v)\n{\n#pragma omp target map(to: v)\n    (void)v;\n}\n"
        "struct S { int i; };\nvoid g() { int a[2] = {1, 2}; S s{1}; f(a); f(s); }\n",
        1, 1, "'v' is a class and an array in different instantiations, which is not supported",
    ),
    "a bound of a wide floating type": (
        "void f(int *a)\n{\n    const __float128 n = 4;\n#pragma omp target parallel for map(a[0:4])\n"
        "    for (int i = 0; i < n; ++i)\n        a[i] = i;\n}\n",
        5, 25, "a bound that is no integer is not canonical",
    ),
    "a bound of a floating type that a loop does not count to": (
        "void f(int *a)\n{\n#pragma omp target parallel for map(a[0:1000])\n"
        "    for (int i = 0; i != 1e3; ++i)\n        a[i] = i;\n}\n",
        4, 26, "a bound that is no integer is not canonical",
    ),
    "linear in loops with code between them": (
        "void f(int *a, int k)\n{\n#pragma omp target parallel for collapse(2) linear(k) map(a[0:4])\n"
        "    for (int i = 0; i < 2; ++i) {\n        a[i] = 0;\n        for (int j = 0; j < 2; ++j)\n            k++;\n    }\n}\n",
        3, 45, "'linear' and 'collapse' of loops with code between them are not supported together",
    ),
    "declare target of a function's variable": (
        "int f()\n{\n    static int calls = 0;\n#pragma omp declare target to(calls)\n    return calls;\n}\n" + region("x = n;"),
        4, 31, "'declare target' of 'calls', a function's static variable, is not supported in C++",
    ),
    "a reduction that an instantiation lacks": (
        "struct V { int a; };\nstruct W { int a; };\n#pragma omp declare reduction(+: V: omp_out.a += omp_in.a)\n"
        "template <class T> T f(T t)\n{\n#pragma omp target teams distribute parallel for map(t) reduction(+: t)\n"
        "    for (int i = 0; i < 4; ++i)\n        t.a += i;\n    return t;\n}\nint g() { return f(V()).a + f(W()).a; }\n",
        6, 1, "there is no reduction '+' for 'W', as 't' is here",
    ),
    "a mapper in a class template with specialisations": (
        "template <class T> struct Box { T *p; int n;\n#pragma omp declare mapper(Box b) map(b.p[0:b.n])\n};\n"
        "template <> struct Box<char> { char p[4]; };\n" + region("x = 1;"),
        2, 13, "'declare mapper' in a template with specialisations is not supported in C++",
    ),
    "a mapper with a parameter of its template outside of that": (
        "template <class T, int N> struct Box { T *p;\n#pragma omp declare mapper(Box b) map(b, b.p[0:N])\n};\n"
        + region("x = b.p[0];", "map(to: b)", "Box<int, 4> b;"),
        2, 13, "this mapper names 'N', a parameter of its template, and is used outside of that",
    ),
    "a mapper for another class in a class template": (
        "struct A { int *p; };\ntemplate <class T> struct Box { T n;\n#pragma omp declare mapper(A a) map(a.p[0:1])\n};\n" + region("x = 1;"),
        3, 13, "a mapper in 'Box', a template, can be for that only",
    ),
    "a mapper for a type of a function's template": (
        "template <class T> struct Box { T *p; };\ntemplate <class T> void f(Box<T> b)\n{\n"
        "#pragma omp declare mapper(Box<T> a) map(a.p[0:1])\n#pragma omp target map(b)\n    b.p[0] = 1;\n}\n" + region("x = 1;"),
        4, 13, "a mapper for a type that depends on the parameters of a function's template",
    ),
    "different mappers in instantiations": (
        "struct A { int *p; };\nstruct B { int *p; };\n#pragma omp declare mapper(A a) map(a, a.p[0:1])\n"
        "template <class T> void f(T t)\n{\n#pragma omp target map(t)\n    t.p[0] = 1;\n}\nvoid g(A a, B b) { f(a); f(b); }\n",
        6, 24, "'t' has different mappers in the instantiations of 'f'",
    ),
    "a mapper of private members outside of their class": (
        "class Box { double *p; int n;\npublic:\n    Box() : p(nullptr), n(0) {}\n"
        "#pragma omp declare mapper(Box b) map(b, b.p[0:b.n])\n    int size() const { return n; }\n};\n"
        + region("x = b.size();", "map(to: b)", "Box b;"),
        4, 13, "this mapper names 'p', a private member of 'Box', and is used outside of that",
    ),
    "an aligned variable": (
        region("{ int a = n;\n#pragma omp allocate(a) align(64)\n x = a; }"), 7, 25,
        "clause 'align' on 'allocate' is not supported in C++",
    ),
    "an unknown name": (region("x = 1;", "map(y)"), 5, 24, "'y' is not a variable here"),
    "an operator on the way": (
        "struct A { double *p; A *operator->() { return this; } };\n"
        + region("x = a.p[0];", "map(to: a->p[0:n])", "A a{};"),
        6, 28, "'a->p[0:n]' calls an operator, and is no storage to map",
    ),
    "a section of an object": (
        "struct A { double *p; double &operator[](int i) { return p[i]; } };\n"
        + region("x = a[0];", "map(to: a[0:n])", "A a{};"), 6, 28, "'a' is neither array nor pointer",
    ),
    "a section of a member that is an object": (
        "struct V { double &operator[](int); };\nstruct A { V v; void f()\n{\n#pragma omp target update to(v[0:8])\n} };\n",
        4, 30, "'this->v' is neither array nor pointer",
    ),
    "sections of several rows": (
        region("x = rows[0][0];", "map(to: rows[0:2][0:n])", "double **rows = nullptr;"), 5, 28,
        "'rows[0:2][0:n]' is not contiguous: inner dimensions must be whole",
    ),
    "an inner dimension with a name": (
        region("x = a[1][1];", "map(to: a[0:2][0:wide])", "int (*a)[4] = nullptr; const int wide = 3;"), 5, 28,
        "'a[0:2][0:wide]' is not contiguous: inner dimensions must be whole",
    ),
    "a range": (
        "#include <vector>\nstd::vector<int> g();\nvoid f()\n{\n#pragma omp target teams distribute parallel for\n"
        "    for (int v : g())\n        (void)v;\n}\n",
        6, 5, "the range of this loop is neither a variable nor a part of one",
    ),
    "an iterator of a list": (
        "#include <list>\nvoid f(std::list<int> &v)\n{\n#pragma omp target teams distribute parallel for\n"
        "    for (auto i = v.begin(); i != v.end(); ++i)\n        *i = 1;\n}\n",
        5, 5, "the variable 'i' of this loop is no random access iterator",
    ),
    "a host function in the head of an inner loop": (
        "#include <deque>\nvoid f(std::deque<int> &v, int *a)\n{\n#pragma omp target teams distribute\n"
        "    for (int j = 0; j < 4; ++j)\n#pragma omp parallel for\n"
        "        for (std::size_t i = 0; i < v.size(); ++i)\n            a[i] = j;\n}\n",
        7, 37, "device code cannot call 'size', which is not constexpr, in this loop's head",
    ),
    "a member with the name of a variable": (
        "static double a = 2;\nstruct B {\n    double a;\n    double f() const\n    {\n        double s = 0;\n"
        "#pragma omp target map(tofrom: s)\n        s = a + ::a;\n        return s;\n    }\n};\n"
        "int main() { return B{1}.f() > 0; }\n",
        7, 13, "this region uses two variables of the name 'a'",
    ),
    "a variable with the name of another one on the device": (
        "int a = 2;\n#pragma omp declare target(a)\nnamespace other { int a = 3; }\n" + region("x = a + other::a;"),
        8, 13, "this region uses two variables of the name 'a'",
    ),
    "a variable with the name of a constant": (
        "constexpr int a = 2;\nnamespace other { int a = 3; }\n" + region("x = a + other::a;"),
        7, 13, "this region uses two variables of the name 'a'",
    ),
    "a variable that another one hides": (
        "static double a = 2;\ndouble f()\n{\n    double s = 0;\n#pragma omp target map(tofrom: s)\n    {\n"
        "        double a = 1;\n        s = a + ::a;\n    }\n    return s;\n}\n",
        8, 17, "another 'a' hides '::a' here",
    ),
    "a list of parameters, later": (
        "template <class... T> void f(int *x, T... values)\n{\n#pragma omp target nowait map(x[0:1])\n"
        "    x[0] = (values + ...);\n}\nint main() { int x[1]; f(x, 1, 2); f(x, 3); }\n",
        3, 13, "'values', a list of parameters, in a region with 'nowait'",
    ),
    "two lists of types": (
        "template <class... T> struct L {};\ntemplate <class... T, class... U> int f(L<T...>, L<U...>)\n{\n    int x = 0;\n"
        "#pragma omp target map(x)\n    x = sizeof...(T) + sizeof...(U);\n    return x;\n}\nint main() { return f(L<int>(), L<>()); }\n",
        2, 1, "a region in a template with parameters behind a list of parameters of their kind",
    ),
    "two loop variables": (
        "void f(int *a)\n{\n#pragma omp target teams distribute parallel for\n"
        "    for (int i = 0, j = 0; i < 4; ++i)\n        a[i] = j;\n}\n",
        4, 10, "a loop with more than one variable",
    ),
    "a reduction of a member inside of a region": (
        "struct S {\n    int n;\n    void f()\n    {\n#pragma omp target\n#pragma omp parallel for reduction(+: n)\n"
        "        for (int i = 0; i < 4; ++i)\n            n += i;\n    }\n};\nint main() { S s{0}; s.f(); }\n",
        6, 39, "'n' is a member, of which there are no private copies",
    ),
    "a name in a mapper that a local variable hides": (
        "struct S { double *p; };\nstatic int size = 4;\n#pragma omp declare mapper(S s) map(s, s.p[0:size])\n"
        + region("x = s.p[0];", "map(tofrom: s)", "S s{}; int size = 2; (void)size;"),
        8, 32, "the mapper of 's' uses 'size', which a local variable hides here",
    ),
    "a bit-field": (
        "struct S { int wide : 3; };\n" + region("x = s.wide;", "map(tofrom: s.wide)", "S s{};"), 6, 32,
        "'s.wide' is a bit-field, which has no address",
    ),
    "a mapper of an unknown class": (
        "struct S { int n; };\n#pragma omp declare mapper(int s) map(s)\n" + region("x = 1;"), 2, 13, "'int' is not a structure or union type",
    ),
    "a structured binding": (
        region("x = hi;", before="struct { int lo, hi; } r = {1, 2}; auto [lo, hi] = r;"), 6, 11,
        "'hi' is a structured binding, which a region cannot use: keep its value in a variable",
    ),
    "an allocator that is not declared": (
        region("x = 1;", "uses_allocators(mine)"), 5, 20, "'mine' in 'uses_allocators' is not declared",
    ),
    "a reduction that nothing declares": (
        "int f(int *a)\n{\n    int s = 0;\n#pragma omp target parallel for map(a[0:4]) reduction(sum: s)\n"
        "    for (int i = 0; i < 4; ++i)\n        s += a[i];\n    return s;\n}\n",
        4, 45, "no reduction 'sum' is declared for 'int'",
    ),
    "a reduction that another class declares": (
        "struct S {\n#pragma omp declare reduction(add: int : omp_out += omp_in)\n};\n"
        "int f(int *a)\n{\n    int s = 0;\n#pragma omp target parallel for map(a[0:4]) reduction(add: s)\n"
        "    for (int i = 0; i < 4; ++i)\n        s += a[i];\n    return s;\n}\n",
        7, 45, "no reduction 'add' is declared for 'int'",
    ),
    "a reduction for a class of a function": (
        "int f(int *a)\n{\n    struct S { int v; } s = {0};\n"
        "#pragma omp declare reduction(add: S : omp_out.v += omp_in.v)\n"
        "#pragma omp target parallel for map(a[0:4]) reduction(add: s)\n"
        "    for (int i = 0; i < 4; ++i)\n        s.v += a[i];\n    return s.v;\n}\n",
        4, 13, "'declare reduction' for a class of a function is not supported in C++",
    ),
    "a mapper of the method's object": (
        "struct V { int n; int *p; void f(); };\n#pragma omp declare mapper(V v) map(v, v.p[0:v.n])\n"
        "void V::f()\n{\n#pragma omp target\n    p[0] = n;\n}\n",
        5, 13, "a mapper for '*this', which no clause names, is not supported in C++",
    ),
    "a loop in order over teams": (
        "void f(int *a)\n{\n    int k = 0;\n#pragma omp target teams distribute parallel for map(a[0:4]) map(k) linear(k)\n"
        "    for (int i = 0; i < 4; ++i)\n        a[i] = k++;\n}\n",
        4, 13, "a loop that runs in order cannot be 'target teams distribute parallel for'",
    ),
    "an operator": (
        "struct S { int n; };\nvoid f(S s)\n{\n#pragma omp target teams distribute parallel for reduction(+: s)\n"
        "    for (int i = 0; i < 4; ++i)\n        s.n += i;\n}\n",
        4, 63, "a reduction over 's'",
    ),
    "a member that is a reference": (
        "struct S { int &r; };\nvoid f(S s)\n{\n#pragma omp target map(tofrom: s.r)\n    s.r = 1;\n}\n",
        5, 5, "'r' is a reference member, which leads to the host's storage in a region",
    ),
    "a section of a base's member that is a reference": (
        "struct B { int *&p; };\nstruct S { B b; };\nvoid f(S *s)\n{\n#pragma omp target map(tofrom: s->b.p[0:4])\n"
        "    s->b.p[0] = 1;\n}\n",
        5, 32, "'s->b.p[0:4]' uses a reference member, which cannot be mapped",
    ),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    check_refused(tmp_path, text, line, column, message)


def test_all_unknown_names_at_once(tmp_path: Path) -> None:
    """Those in expressions first, which libclang reads."""
    source = tmp_path / "unknown.cpp"
    elsewhere = "void elsewhere() { int length = 1; (void)length; }\n"
    clauses = "map(to: missing[0:x], other, x) firstprivate(third)"
    items = [(["missing", " is not a variable here"], 12), (["other", " is not a variable here"], 5)]
    items.append((["third", " is not a variable here"], 5))
    named = [(["length", " is not declared"], 6), (["last", " is not declared"], 4)]
    for more, expected in ((" thread_limit(length + x) if(last)", named), ("", items)):
        source.write_text(elsewhere + region("x = 1;", clauses + more))
        with pytest.raises(InputError) as found:
            lower_text(LowerRequest(source, tmp_path, cc="g++"))
        told = [(one.message.split("'", 2)[1:], one.span and one.span.length) for one in found.value.diagnostics]
        assert told == expected


def test_names_that_mean_something_in_clauses(tmp_path: Path) -> None:
    source = tmp_path / "known.cpp"
    source.write_text(
        "namespace app { constexpr int size = 8; enum class E { a = 2 }; int teams(); }\n"
        "template <class T, int N> struct A {\n    static constexpr int own = N;\n    T *p;\n    int n;\n"
        "    void run(int m)\n    {\n        enum { K = 16 };\n        using namespace app;\n"
        "        struct L { int q; } l{3};\n        auto f = [&, k = 2](int z) {\n            T *d = p;\n"
        "#pragma omp target teams distribute parallel for map(tofrom: d[0:n]) if(n > 3 and not false) "
        "num_teams(K + own + N + size + k + l.q + z + m + (int)E::a + (int)sizeof(L)) thread_limit(app::teams())\n"
        "            for (int i = 0; i < n; i++)\n                d[i] = 1;\n        };\n        f(3);\n"
        "#pragma omp target update to(p[0:static_cast<unsigned char>(n)])\n    }\n};\n"
        "void g() { A<double, 3> a{nullptr, 0}; a.run(3); }\n"
    )
    assert lower_text(LowerRequest(source, tmp_path, cc="g++")).entries == 1
