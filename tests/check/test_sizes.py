"""How large the warnings take memory of C++ to be: 100 elements fit, and one more is one more than there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

# Statements that make 'p' lead to 100 elements of 16 bytes, and whether their number is known.
_MADE = {
    "count": ("std::vector<Body> v(100);", True),
    "count and value": ("std::vector<Body> v(100, Body{1, 2});", True),
    "count and named value": ("Body b{1, 2}; std::vector<Body> v(100, b);", True),
    "braced value": ("std::vector<Body> v(100, {1, 2});", True),
    "list": ("std::vector<Body> v{TEN(TEN(one))};", True),
    "list in parentheses": ("std::vector<Body> v({TEN(TEN(one))});", True),
    "list without one": ("std::vector<Body> v{TEN(TEN(one)) {1, 2}}; v.pop_back();", False),
    "list of a call": ("std::vector<Body> v(many({{1, 2}}));", False),
    "range of another": ("std::vector<Body> w(100); std::vector<Body> v(w.begin(), w.end());", False),
    "range of a list": ("std::initializer_list<Body> l = {TEN(TEN(one))}; std::vector<Body> v(l);", False),
    "copy": ("std::vector<Body> w(100); std::vector<Body> v(w);", False),
    "moved": ("std::vector<Body> w(100); std::vector<Body> v(std::move(w));", False),
    "assigned": ("std::vector<Body> v(3); v = std::vector<Body>(100);", False),
    "assigned list": ("std::vector<Body> v(3); v = {TEN(TEN(one))};", False),
    "swapped": ("std::vector<Body> v(3), w(100); v.swap(w);", False),
    "swapped by the library": ("std::vector<Body> v(3), w(100); std::swap(v, w);", False),
    "reserved": ("std::vector<Body> v(3); v.reserve(100);", False),
    "resized": ("std::vector<Body> v(3); v.resize(100);", False),
    "resized with a value": ("std::vector<Body> v(3); v.resize(100, Body{1, 2});", False),
    "inserted": ("std::vector<Body> v(3); v.insert(v.begin(), 97, Body{1, 2});", False),
    "grown": ("std::vector<Body> v(99); v.emplace_back(Body{1, 2});", False),
    "shrunk": ("std::vector<Body> v(200); v.resize(100); v.shrink_to_fit();", False),
    "in a function": ("std::vector<Body> v = made(100);", False),
    "by a reference": ("std::vector<Body> v(3); fill(v);", False),
    "new": ("Body *v_ = new Body[100]; Held v{v_};", True),
    "new with values": ("Held v{new Body[100]{{1, 2}, {3, 4}}};", True),
    "new with one value": ("Held v{new Body[100]{Body{1, 2}}};", True),
    "unique": ("std::unique_ptr<Body[]> u(new Body[100]); Held v{u.get()};", True),
    "made unique": ("auto u = std::make_unique<Body[]>(100); Held v{u.get()};", False),
    "made with another": ("auto u = std::make_unique<Body[]>(std::size(ten) * 10); Held v{u.get()};", False),
    "reset": ("std::unique_ptr<Body[]> u(new Body[3]); u.reset(new Body[100]); Held v{u.get()};", False),
    "array": ("std::array<Body, 100> v{Body{1, 2}, {3, 4}};", True),
    "array of another": ("std::array<std::array<Body, 10>, 10> w{}; Held v{w[0].data()};", False),
    "pointer that another unit sets": ("Body *q = new Body[3]; longer(&q); Held v{q};", False),
    "member that another unit sets": ("Held v{new Body[3]}; longer(v);", False),
    "member that another unit reads": ("Held v{new Body[100]}; read(v);", True),
    "member": ("Held v{new Body[100]}; v.more = 3;", True),
}
_TEXT = """#include <array>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>
#define TEN(x) x x x x x x x x x x
#define one Body{1, 2},
struct Body { double x, v; };
struct Held { Body *at; int more = 0; Body *data() { return at; } };
extern int ten[10];
void longer(Body **p);
void longer(Held &held);
void read(const Held &held);
std::vector<Body> many(std::initializer_list<Body> all);
static std::vector<Body> made(int n) { std::vector<Body> all(n); return all; }
static void fill(std::vector<Body> &v) { v = std::vector<Body>(100, Body{3, 4}); }
"""


@pytest.mark.compile
def test_sizes_in_cxx(tmp_path: Path) -> None:
    lines = _TEXT.splitlines()
    fits, too_long = {}, {}
    for name, (making, _) in _MADE.items():
        for marks, count in ((fits, 100), (too_long, 101)):
            lines += [f"void f{len(lines)}()", "{", f"    {making}", "    Body *p = v.data();"]
            lines += [f"#pragma omp target data map(tofrom: p[0:{count}])", "    { }", "}"]
            marks[len(lines) - 2] = name
    source = tmp_path / "sizes.cpp"
    source.write_text("\n".join(lines) + "\n")
    findings = lower_text(LowerRequest(source, tmp_path, ("-std=c++17",), cc="g++")).findings
    found = {f.span.line: f.message for f in findings if f.name == "bounds"}
    said = "the section 'p[0:101]' is 16 bytes longer than what 'p' leads to"
    assert {fits.get(line, f"{too_long.get(line)}: {m}") for line, m in found.items() if m != said} == set()
    assert {too_long[line] for line in found} >= {name for name, (_, known) in _MADE.items() if known}
