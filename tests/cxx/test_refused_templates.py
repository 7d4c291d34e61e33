"""What templates, closures and variants of C++ units may not be is refused by name, with its place."""
# ruff: noqa: ISC004, E501

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import check_refused, region

# What is written, with the line and the column of the error, and a part of its message.
REFUSED = {
    "a template that is instantiated with a class of a function": (
        "template <class F> int run(F f)\n{\n    int x = 0;\n#pragma omp target map(tofrom: x)\n    x = f();\n    return x;\n}\n"
        "template <class T> int h()\n{\n    struct One { int operator()() const { return sizeof(T); } };\n    return run(One{});\n}\n"
        "int main() { return h<int>(); }\n",
        1, 1, "instantiated with 'One', a class of a function, is not supported",
    ),
    "the address of a variable of the host's as an argument": (
        "int table[2];\ntemplate <int *P> void f()\n{\n    int r = 0;\n#pragma omp target map(tofrom: r)\n    r = P[1];\n}\n"
        "int main() { f<table>(); }\n",
        5, 13, "'table', whose address is an argument of this region's template, is not on the device",
    ),
    "a static member of a type of its class on the device": (
        "struct reg {\n    struct field { int a; };\n    static inline field live = {1};\n};\n#pragma omp declare target(reg::live)\n"
        "void f(int n)\n{\n#pragma omp target\n    reg::live.a += 1;\n}\n",
        3, 5, "a static member of a type that is declared in a class, cannot be a variable of the device",
    ),
    "a private method that is called by its address": (
        "class K {\n#pragma omp begin declare target indirect\n    static int f(int x) { return x; }\n#pragma omp end declare target\n"
        "};\nvoid f(int n)\n{\n#pragma omp target\n    n = 1;\n}\n",
        3, 5, "'f', which is not public in its class, cannot be called by its address on the device",
    ),
    "an instantiation whose address is taken where nobody sees which": (
        "#pragma omp begin declare target indirect\ntemplate <int N> int f(int x) { return N * x; }\n#pragma omp end declare target\n"
        "struct E { int (*g)(int); };\ntemplate <int N> E made() { return {f<N + 1>}; }\nint main()\n{\n    E e = made<2>();\n    int n = 0;\n"
        "#pragma omp target map(tofrom: n)\n    n = e.g(1);\n}\n",
        5, 37, "which 'f' this is, whose address the device has to know, cannot be seen here",
    ),
    "an instantiation with a region that nobody sees, in a table of a template": (
        "template <int N> void f()\n{\n#pragma omp target\n    ;\n}\n"
        "template <int... N> void g(int k)\n{\n    void (*const all[])() = {f<N>...};\n    all[k]();\n}\n"
        "int main() { g<1, 2>(1); }\n",
        8, 30, "which 'f' this is, whose region needs a kernel, cannot be seen here",
    ),
    "'indirect' with what is computed": (
        "bool on = true;\nint f(int x) { return x; }\n#pragma omp declare target enter(f) indirect(on)\nvoid g(int n)\n{\n"
        "#pragma omp target\n    n = 1;\n}\n",
        3, 37, "'indirect' takes a constant",
    ),
    "a static member that a template's parameter names": (
        "struct tally { static int n; };\nint tally::n;\ntemplate <class P> void f()\n{\n#pragma omp target\n    P::n = 1;\n}\n"
        "int main() { f<tally>(); }\n",
        6, 5, "'n', a static member that depends on a template's parameters, is not supported in a region",
    ),
    "a lambda with a function's constant as the value of a template's argument": (
        "template <auto F> void f(int n)\n{\n#pragma omp target\n    n = F(n);\n}\n"
        "int main() { constexpr int k = 1; f<[](int v) { return v + k; }>(2); }\n",
        1, 1, "whose argument is a class without a name, a lambda or an object with constructors is not supported",
    ),
    "a lambda as the default of a template's argument": (
        "template <class T, auto F = [](T v) { return v + 1; }> struct S {\n    void f(T n)\n    {\n#pragma omp target\n"
        "        n = F(n);\n    }\n};\nint main() { S<int>().f(1); }\n",
        2, 5, "how 'f' is instantiated cannot be told: a region in it is not supported",
    ),
    "a copy that another variable hides": (
        "namespace a { int n; }\nint main()\n{\n#pragma omp target\n    { a::n = 2; int n = 1; a::n += n; }\n}\n",
        5, 28, "another 'n' hides '::a::n' here, of which the region has a copy",
    ),
    "a copy in a clause inside": (
        "namespace a { int n; }\nint main()\n{\n#pragma omp target\n    {\n        a::n = 2;\n"
        "#pragma omp parallel reduction(+: a::n)\n        a::n += 1;\n    }\n}\n",
        7, 35, "the region has its own copy of 'a::n'",
    ),
    "an object with a constructor as a template's argument": (
        "struct Size { int n; constexpr Size(int m) : n(m + 1) {} };\n"
        "template <Size S> void f(int n)\n{\n#pragma omp target\n    n = S.n;\n}\nint main() { f<Size(2)>(2); }\n",
        2, 1, "an object with constructors is not supported",
    ),
    "a virtual method of a class template with a function's class": (
        "struct Base { virtual int run() const = 0; };\ntemplate <class F> struct Made : Base {\n    F f;\n"
        "    int run() const override\n    {\n        int n = 2;\n        F own = f;\n"
        "#pragma omp target map(n) firstprivate(own)\n        n = own(n);\n        return n;\n    }\n};\n"
        "template <class F> Base *made() { return new Made<F>(); }\n"
        "int main()\n{\n    struct Next { int operator()(int v) const { return v + 1; } };\n"
        "    return made<Next>()->run();\n}\n",
        4, 5, "of a class template with a local class as argument and without a constructor, is not supported",
    ),
    "a closure that is made outside of functions": (
        "using Next = decltype([](int v) { return v + 1; });\n"
        "template <class F> void f(int n)\n{\n#pragma omp target\n    n = F{}(n);\n}\nint main() { f<Next>(2); }\n",
        4, 13, "which is made outside of functions",
    ),
    "a region in the initialiser of a variable template": (
        "template <class T> T a = [] { T s = 0;\n#pragma omp target map(tofrom: s)\n    s = 2;\n    return s; }();\n"
        "int main() { return a<int>; }\n",
        2, 13, "'target' is in no function, but in an initialiser or a default argument",
    ),
    "data that an array's initialiser maps": (
        "struct S { int v[1] = {[] { int s = 0;\n#pragma omp target update to(s)\n    return s; }()}; };\nint main() { return S().v[0]; }\n",
        2, 13, "'target update' is in no function, but in an initialiser or a default argument",
    ),
    "an attribute behind another one": (
        "void f(int n)\n{\n    [[likely, omp::directive(target)]] n = 1;\n}\n", 3, 5, "this attribute of OpenMP is not supported",
    ),
    "an attribute of another form": (
        "void f(int n)\n{\n    [[using omp: directive(target)]] n = 1;\n}\n", 3, 5, "this attribute of OpenMP is not supported",
    ),
    "a closure that changes a pointer it refers to": (
        region("add(1);", before="int *p = &x; auto add = [&](int a) { p += a; };"), 4, 38,
        "this may change the pointer 'p', which a closure of a target region captures by reference",
    ),
    "a closure that changes and has addresses": (
        region("x = add(1);", before="auto add = [n, &x](int a) mutable { return n += a + x; };"), 5, 13,
        "'add' is a closure that changes its captures and has addresses in it",
    ),
    "a closure with a mutable member and addresses": (
        "struct N { mutable int n; int next() const { return ++n; } };\n"
        + region("x = add(1);", before="N m{1}; auto add = [m, &x](int a) { return m.next() + a + x; };"), 6, 13,
        "'add' is a closure that changes its captures and has addresses in it",
    ),
    "a closure with a mutable member that comes back": (
        "struct N { mutable int n; int next() const { return ++n; } };\n"
        + region("x = add(1);", "map(tofrom: add)", before="N m{1}; auto add = [m, &x](int a) { return m.next() + a + x; };"),
        6, 13, "'add' is a closure that changes its captures and has addresses in it",
    ),
    "a closure of a template outside of it": (
        "template <class T> auto g(T v) { return [v](T w) { return v + w; }; }\n"
        + region("x = add(1);", before="auto add = g(2);"), 6, 13,
        "the closure of line 1, which is made in a template, and is in none",
    ),
    "a closure with an object that is more than its bytes": (
        "#include <vector>\n" + region("x = at(1);", before="std::vector<int> v(3); auto at = [v](int i) { return v[i]; };"),
        5, 34, "captures 'v', of a class of the library whose copies are more than its bytes",
    ),
    "a closure that refers to a closure": (
        region("x = twice(1);", before="int *p = &x; auto once = [p](int a) { return *p + a; };\n"
               "    auto twice = [&](int a) { return once(once(a)); };"), 6, 13,
        "which captures the closure 'once' by reference",
    ),
    "a closure of a class of the function": (
        region("x = add(1);", before="struct P { int a; } p{1}; auto add = [p](int a) { return a + p.a; };"), 5, 13,
        "the closure of line 4, which captures 'p', of a class of the function",
    ),
    "a closure with a class of the function as a parameter": (
        region("x = add(P{1});", before="struct P { int a; }; auto add = [n](const P &p) { return p.a + n; };"), 5, 13,
        "the closure of line 4, whose parameters name 'P' of the function",
    ),
    "a closure with pointers for parallel regions": (
        "template <class F> void f(int n, const F &set)\n{\n#pragma omp target teams distribute map(to: set)\n"
        "    for (int j = 0; j < n; ++j)\n#pragma omp parallel for\n"
        "        for (int i = 0; i < n; ++i)\n            set(i);\n}\n"
        "void g(int *p) { f(4, [p](int i) { p[i] = i; }); }\n",
        3, 13, "'set', a closure with pointers, in a region with parallel regions inside",
    ),
    "a closure in a list of parameters": (
        "template <class... T> void f(int *x, T... values)\n{\n#pragma omp target map(x[0:1])\n"
        "    x[0] = (values(1) + ...);\n}\nint main() { int x[1]; f(x, [x](int a) { return *x; }, [&x](int a) { return *x; }); }\n",
        3, 13, "'values', a list of parameters, has a closure with more than values in it, which is not supported",
    ),
    "a generic lambda expression with a region": (
        "int main()\n{\n    auto f = [](auto x) {\n        int y = 0;\n#pragma omp target map(y)\n        y = x;\n"
        "        return y;\n    };\n    return f(0);\n}\n",
        5, 13, "'x', a parameter of a generic lambda expression, is not supported",
    ),
    "a variant of another type": (
        "long v(long);\n#pragma omp declare variant(v) match(device={kind(nohost)})\nint g(int);\n" + region("x = g(1);"),
        2, 13, "no function 'v' with the type of 'g' is declared",
    ),
    "a variant with a condition": (
        "int on, v(int);\n#pragma omp declare variant(v) match(user={condition(on)})\nint g(int);\n" + region("x = 1;"),
        2, 32, "a condition that is not constant here is not supported in C++",
    ),
    "different variants for the types of a template": (
        "int v(int);\n#pragma omp declare variant(v) match(device={kind(nohost)})\nint g(int);\nint g(long);\n"
        "template <class T> int h(T t) { return g(t); }\n" + region("x = h(1) + h(1L);"),
        5, 40, "a call that means functions with variants and others, by arguments of a template's types, is not supported",
    ),
    "a variant of an operator": (
        "struct S { S v(int); };\nstruct T {\n"
        "#pragma omp declare variant(v) match(device={kind(nohost)})\n    int operator+(int);\n};\n" + region("x = 1;"),
        3, 13, "'declare variant' of a constructor, a destructor, an operator or a conversion is not supported in C++",
    ),
    "variants without a beginning": (
        "#pragma omp end declare variant\n" + region("x = 1;"), 1, 13,
        "'end declare variant' without a 'begin declare variant' before it",
    ),
    "a metadirective with an unknown selector": (
        region("x = 1;", before="#pragma omp metadirective when(device={speed(fast)}: parallel)\n    x = n;"),
        4, 1, "context selector 'device={speed}' is not supported",
    ),
    "a list of a generic lambda expression": (
        "int main()\n{\n    auto f = [](auto... v) { int s = 0;\n#pragma omp target map(tofrom: s)\n        s = (v + ...);\n"
        "        return s; };\n    return f(1);\n}\n",
        4, 13, "'v', a parameter of a generic lambda expression, is not supported in its regions",
    ),
    "a class of a template's function": (
        "template <class T> void f(T t)\n{\n    struct S {\n        T n;\n        void f()\n        {\n#pragma omp target\n"
        "            n = 1;\n        }\n    };\n    S s{t};\n    s.f();\n}\nint main() { f(1); }\n",
        7, 13, "a region in 'S', a class of a template's function, is not supported",
    ),
    "a static member of a class in a template": (
        "template <class T> struct S { struct I { static int n; int get() { return n; } } i; };\n"
        "template <class T> int S<T>::I::n = 1;\nvoid f(S<int> s)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = s.i.get();\n}\n",
        2, 1, "'n', a static member of a specialisation or of a class in a class template, cannot be a variable of the device",
    ),
    "a static member whose value names a member": (
        "template <class T> struct S { static const int k = 3; static int n; int get() { return n; } };\n"
        "template <class T> int S<T>::n = k;\nvoid f(S<int> s)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = s.get();\n}\n",
        2, 1, "its type or its first value names 'k', a member of the class",
    ),
    "a specialisation of a static member": (
        "template <class T> struct S { static int n; int get() { return n; } };\ntemplate <class T> int S<T>::n = 1;\n"
        "template <> int S<int>::n = 2;\nvoid f(S<int> s)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = s.get();\n}\n",
        3, 25, "'n', a static member of a class template, cannot be a variable of the device: this is a specialisation of it",
    ),
    "a static member whose value comes later": (
        "template <class T> struct S { static int n; int get() { return n; } };\nconstexpr int k = 3;\n"
        "template <class T> int S<T>::n = k;\nvoid f(S<int> s)\n{\n    int x = 0;\n#pragma omp target map(x)\n"
        "    x = s.get();\n}\n",
        3, 1, "'k', which is declared behind the class, is in its definition",
    ),
    "a static member that only the instantiation tells": (
        "template <class T> struct S { static int n; };\ntemplate <class T> int S<T>::n = 1;\n"
        "template <class T> int f()\n{\n    int x = 0;\n#pragma omp target map(x)\n    x = S<T>::n;\n    return x;\n}\n"
        "int main() { return f<int>(); }\n",
        7, 9, "'n', a static member that depends on a template's parameters, is not supported in a region",
    ),
    "a static member that only the instantiation tells, of an object": (
        "template <class T> struct S { static int n; };\ntemplate <class T> int S<T>::n = 1;\n"
        "template <class T> int f()\n{\n    S<T> s;\n    int x = 0;\n#pragma omp target map(x)\n    x = s.n;\n"
        "    return x;\n}\nint main() { return f<int>(); }\n",
        8, 9, "'n', a static member that depends on a template's parameters, is not supported in a region",
    ),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    check_refused(tmp_path, text, line, column, message)
