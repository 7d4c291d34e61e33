"""Which functions of the C++ library's headers are marked for both sides of nvcc's compilation."""

from __future__ import annotations

import re

import pytest

from rex_build.tools.marked_headers import marked, needs_marks

MARK = re.compile(r"__attribute__\(\(host\)\) __attribute__\(\(device\)\) ")

# Each line, in the namespace std and in a class template if it says so, and whether it is marked.
LINES = {
    "template <class T> void twice(T &x) { x += x; }": True,
    "template <class T, bool B = (sizeof(T) < 4), int N = B ? 1 : 2> T less(T x);": True,
    "template <unsigned long W, bool = W < static_cast<unsigned long>(64)> struct Shift { T f() { return 1; } };": True,
    "inline int small(int x) { if (x < 3) { return 1; } return 2; }": True,
    "int in_the_library(int x);": False,
    "struct Base { virtual int f() { return 1; } };": False,
    "extern template class vector<int>;": False,
    "template <class T> Box(T) -> Box<T>;": False,
    "using Base::operator=;": False,
    "enum class Order : int { first, last };": False,
    "template <class T> constexpr int size_of = sizeof(T);": False,
    "int table[2] = {f(1), f(2)};": False,
    "template <class T> struct Box { Box(T x) : value{x}, other(x) {} T value, other; };": True,
    "template <class T> struct Box { explicit operator bool() const noexcept; };": True,
    'template <class T> struct Box { T operator()(T x) const; static_assert(sizeof(T) > 1, "{"); };': True,
    "template <class T> auto Box<T>::get() const -> decltype(value) { return value; }": True,
    "template <class T> requires (sizeof(T) > 1) void bounded(T x) { (void)x; }": False,
    "inline constexpr _Sort_fn sort{};": False,
}


@pytest.mark.parametrize(("line", "is_marked"), LINES.items(), ids=list(LINES))
def test_marks(line: str, is_marked: bool) -> None:
    around = '# 1 "/usr/include/c++/12/bits/box.h" 1 3\nnamespace std {\n%s\nint last() { return 0; }\n}\n'
    text = marked(around % line)
    assert MARK.sub("", text).replace("__attribute__((device)) ", "") == around % line, "only marks are added"
    _, _, own, behind = text.split("\n", 3)
    assert bool(MARK.search(own)) == is_marked
    assert MARK.match(behind), "the next declaration is found"


def test_only_the_library_is_marked() -> None:
    text = '# 1 "app.cpp"\ntemplate <class T> void own(T x) { (void)x; }\n'
    text += '# 1 "/usr/include/c++/13/istream" 1 3\nstruct S { int f() { return 1; } };\n'
    text += '# 1 "/usr/include/c++/13/bits/messages_members.h" 1 3\n'
    text += "template <class T> messages<T>::~messages() {}\n"  # <iomanip> has it, and declares it virtual
    assert marked(text) == text


def test_object_of_a_function() -> None:
    text = '# 1 "/usr/include/c++/12/bits/ranges_algo.h" 1 3\nnamespace std {\ninline constexpr _Sort_fn sort{};\n}\n'
    assert "__attribute__((device)) inline constexpr _Sort_fn sort{};" in marked(text)


def test_throw_ends_the_kernel() -> None:
    text = '# 1 "/usr/include/c++/12/variant" 1 3\ninline void bad() { (throw (bad_access("x"))); }\n'
    assert "(::rex_std_trap());" in marked(text)


def test_what_nvcc_says() -> None:
    assert needs_marks(
        'a.cu(2): error: calling a __host__ function("std::bitset<3> ::set()") from a __global__ function'
    )
    assert not needs_marks('a.cu(2): error: calling a __host__ function("app::f") from a __global__ function')
