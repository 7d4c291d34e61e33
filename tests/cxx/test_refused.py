"""What is not supported in C++ units is refused by name, with its place, or left to the host if the user says so."""
# ruff: noqa: ISC004, E501

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from execution import rex_build

REGION = "void f(int n)\n{{\n    int x = 0;\n{before}\n#pragma omp target {clauses}\n    {{ {body} }}\n}}\n"


def region(body: str, clauses: str = "map(tofrom: x)", before: str = "") -> str:
    return REGION.format(body=body, clauses=clauses, before=before)


# What is written, with the line and the column of the error, and a part of its message.
REFUSED = {
    "a template that is instantiated with a class of a function": (
        "template <class F> int run(F f)\n{\n    int x = 0;\n#pragma omp target map(tofrom: x)\n    x = f();\n    return x;\n}\n"
        "int h()\n{\n    struct One { int operator()() const { return 1; } };\n    return run(One{});\n}\n",
        1, 1, "instantiated with 'One', a class of a function, is not supported",
    ),
    "a variable of a private type": (
        "template <class T> class Box {\n    struct Node { T v; };\n    Node *d;\n    template <class U> friend U sum(const Box<U> &);\n"
        "};\ntemplate <class U> U sum(const Box<U> &b)\n{\n"
        "    int s = 0;\n    auto *d = b.d;\n#pragma omp target map(to: d[0:1]) map(tofrom: s)\n    s = d->v;\n    return s;\n}\n"
        "int h(const Box<int> &b) { return sum(b); }\n",
        10, 13, "'d' has a private type of a class, which this region cannot name",
    ),
    "a static member of a type of its class on the device": (
        "struct reg {\n    struct field { int a; };\n    static inline field live = {1};\n};\n#pragma omp declare target(reg::live)\n"
        "void f(int n)\n{\n#pragma omp target\n    reg::live.a += 1;\n}\n",
        3, 5, "a static member of a type that is declared in a class, cannot be a variable of the device",
    ),
    "an attribute behind another one": (
        "void f(int n)\n{\n    [[likely, omp::directive(target)]] n = 1;\n}\n", 3, 5, "this attribute of OpenMP is not supported",
    ),
    "an attribute of another form": (
        "void f(int n)\n{\n    [[using omp: directive(target)]] n = 1;\n}\n", 3, 5, "this attribute of OpenMP is not supported",
    ),
    "an exception": (region("if (n) throw 1; x = n;"), 6, 14, "device code throws an exception"),
    "try": (region("try { x = n; } catch (...) {}"), 6, 7, "device code has a 'try' block"),
    "long double": (
        "void f(long double *a, double x)\n{\n    const double c = 2.5L;\n#pragma omp target map(tofrom: a[0:4])\n"
        "    a[1] += x * c;\n}\n",
        5, 5, "device code computes with 'long double', which is not supported",
    ),
    "typeid": ("#include <typeinfo>\n" + region("x = typeid(n) == typeid(x);"), 7, 11, "device code has a 'typeid'"),
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
    "a reference member of the method's object": (
        "struct B { double &r; };\nstruct S { B b[2];\n    void f()\n    {\n#pragma omp target\n        b[1].r += 4;\n    }\n};\n",
        6, 9, "'r' is a reference member, which leads to the host's storage in a region",
    ),
    "a reference member that a method uses": (
        "struct S { double &r; void add() { S own{r}; r += 4; } };\nvoid f(S *s)\n{\n#pragma omp target map(s[0:1])\n    s->add();\n}\n",
        1, 46, "'add', which runs on the device, uses the reference member 'r' of an object of the host",
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
    "a variable of the device with a value of the host": (
        "int made();\nstatic int scale = 2 * made();\nstatic int scaled(int x) { return x * scale; }\n" + region("x = scaled(n);"),
        2, 24, "'scale' is on the device, but 'made' gives it a value when the program starts",
    ),
    "an object of the device that a constructor makes": (
        "struct Scale { int s; Scale(int x) : s(x) {} };\n#pragma omp declare target\nScale scale(3);\n"
        "#pragma omp end declare target\n" + region("x = scale.s;"),
        3, 7, "'scale' is on the device, but 'Scale' gives it a value when the program starts",
    ),
    "a mapper in a class template": (
        "template <class T> struct Box { T *p; int n;\n#pragma omp declare mapper(Box b) map(b.p[0:b.n])\n};\n" + region("x = 1;"),
        2, 13, "'declare mapper' in a class or a function is not supported in C++",
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
    "an aligned variable": (
        region("{ int a = n;\n#pragma omp allocate(a) align(64)\n x = a; }"), 7, 25,
        "clause 'align' on 'allocate' is not supported in C++",
    ),
    "another unit's function": ("int g(int);\n" + region("x = g(n);"), 7, 11, "'g' is called on the device"),
    "another unit's method": (
        "struct C { int g(int) const; };\n" + region("x = c.g(n);", before="C c;"), 7, 11,
        "'g' is called on the device, but this unit does not define it",
    ),
    "a closure that changes a pointer it refers to": (
        region("add(1);", before="int *p = &x; auto add = [&](int a) { p += a; };"), 4, 38,
        "this may change the pointer 'p', which a closure of a target region captures by reference",
    ),
    "a closure that changes and has addresses": (
        region("x = add(1);", before="auto add = [n, &x](int a) mutable { return n += a + x; };"), 5, 13,
        "'add' is a closure that changes its captures and has addresses in it",
    ),
    "a closure of a template outside of it": (
        "template <class T> auto g(T v) { return [v](T w) { return v + w; }; }\n"
        + region("x = add(1);", before="auto add = g(2);"), 6, 13,
        "the closure of line 1, which is made in a template, and is in none",
    ),
    "a closure with an object that is more than its bytes": (
        "#include <vector>\n" + region("x = at(1);", before="std::vector<int> v(3); auto at = [v](int i) { return v[i]; };"),
        5, 34, "this closure, which a target region gets, captures 'v', whose copies are more than its bytes",
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
    "a closure with pointers for parallel regions": (
        "void f(int *p, int n)\n{\n    auto set = [p](int i) { p[i] = i; };\n#pragma omp target teams distribute\n"
        "    for (int j = 0; j < n; ++j)\n#pragma omp parallel for\n"
        "        for (int i = 0; i < n; ++i)\n            set(i);\n}\n",
        4, 13, "'set', a closure with pointers, in a region with parallel regions inside",
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
        "#include <vector>\nvoid f(std::vector<int> &v, int *a)\n{\n#pragma omp target teams distribute\n"
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
    "a variable that another one hides": (
        "static double a = 2;\ndouble f()\n{\n    double s = 0;\n#pragma omp target map(tofrom: s)\n    {\n"
        "        double a = 1;\n        s = a + ::a;\n    }\n    return s;\n}\n",
        8, 17, "another 'a' hides '::a' here",
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
    "a list of parameters, later": (
        "template <class... T> void f(int *x, T... values)\n{\n#pragma omp target nowait map(x[0:1])\n"
        "    x[0] = (values + ...);\n}\nint main() { int x[1]; f(x, 1, 2); f(x, 3); }\n",
        3, 13, "'values', a list of parameters, in a region with 'nowait'",
    ),
    "a closure in a list of parameters": (
        "template <class... T> void f(int *x, T... values)\n{\n#pragma omp target map(x[0:1])\n"
        "    x[0] = (values(1) + ...);\n}\nint main() { int x[1]; f(x, [](int a) { return a; }); }\n",
        1, 1, "instantiated with a type without a name",
    ),
    "a generic lambda expression with a region": (
        "int main()\n{\n    auto f = [](auto x) {\n        int y = 0;\n#pragma omp target map(y)\n        y = x;\n"
        "        return y;\n    };\n    return f(0);\n}\n",
        5, 13, "'x', a parameter of a generic lambda expression, is not supported",
    ),
    "two lists of parameters": (
        "template <class... T> struct A {\n    template <class... U> void f(int *x, T... t, U... u)\n    {\n"
        "#pragma omp target map(x[0:1])\n        x[0] = (t + ...) + (u + ...);\n    }\n};\n"
        "int main() { int x[1]; A<int>().f(x, 1, 2); }\n",
        2, 5, "a region in a template with parameters behind a list of parameters",
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
    "a partial specialisation": (
        "template <class T, int N> struct A;\ntemplate <int N> struct A<int, N> {\n    int v[N];\n    void f()\n    {\n"
        "#pragma omp target\n        v[0] = 1;\n    }\n};\nint main() { A<int, 3> a; a.f(); }\n",
        4, 5, "a region in a partial specialisation of a class template is not supported",
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
    "a variant of a virtual function": (
        "struct S {\n    int v(int);\n"
        "#pragma omp declare variant(v) match(device={kind(nohost)})\n    virtual int g(int);\n};\n" + region("x = 1;"),
        3, 13, "'declare variant' of a virtual function is not supported in C++",
    ),
    "variants without a beginning": (
        "#pragma omp end declare variant\n" + region("x = 1;"), 1, 13,
        "'end declare variant' without a 'begin declare variant' before it",
    ),
    "a metadirective with an unknown selector": (
        region("x = 1;", before="#pragma omp metadirective when(device={speed(fast)}: parallel)\n    x = n;"),
        4, 1, "context selector 'device={speed}' is not supported",
    ),
    "allocators": (
        region("x = 1;", "uses_allocators(omp_default_mem_alloc)"), 5, 20, "clause 'uses_allocators' on 'target' is not supported in C++",
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
    "a friend of a class template": (
        "template <class T> struct S {\n    template <class U> friend void f(S *s, U u)\n    {\n#pragma omp target map(s[0:1])\n"
        "        s->n = u;\n    }\n    T n;\n};\nint main() { S<int> s; f(&s, 1); }\n",
        4, 13, "a region in a friend of a class template that is not defined in it, or a template, is not supported",
    ),
    "a class of a function": (
        "int main()\n{\n    struct S {\n        int n = 0;\n        void f()\n        {\n#pragma omp target\n"
        "            n = 1;\n        }\n    };\n    S s;\n    s.f();\n}\n",
        7, 13, "a region in 'S', a class of a function, is not supported",
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
    "an end of the program": (
        "#include <cstdlib>\ninline void stop(int x)\n{\n    if (x)\n        std::exit(x);\n}\n" + region("stop(x);"),
        5, 9, "'stop', which runs on the device, calls 'exit'",
    ),
    "an exit in a template": (
        "#include <stdlib.h>\ntemplate <class T> void f(T *t)\n{\n#pragma omp target map(t[0:1])\n    if (*t)\n"
        "        exit(1);\n}\nint main() { int i = 0; f(&i); }\n",
        6, 9, "device code calls 'exit', which is not supported",
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


@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_by_name(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--", "-std=c++17")
    assert outcome.status == 1, outcome.stderr
    found = re.findall(r"unit\.cpp:(\d+):(\d+): error: (.*)", outcome.stderr)
    assert any(message in said and (int(at), int(col)) == (line, column) for at, col, said in found), outcome.stderr
    assert re.search(r"^ *\d+ \| .*\n +\| \s*\^", outcome.stderr, re.MULTILINE), outcome.stderr
    assert not (tmp_path / "out").exists()


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
            "struct R { int &r; };\ntemplate <class T> void g(T &s)\n{\n#pragma omp target map(tofrom: s.r)\n    s.r += 1;\n}\n"
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
