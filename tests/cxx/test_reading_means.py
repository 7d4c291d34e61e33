# ruff: noqa: E501 -- lines of the generated C++ stand whole
"""What the tree says of C++ functions is what the compiler makes of them: both run, and return the same."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tree"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential"))

from interpreter import Interpreter
from views import Views

from rex_build.base.stack import on_deep_stack
from rex_build.cxx.reading.reader import Reader
from rex_build.cxx.unit import Unit
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest
from rex_build.tree import nodes as tree
from rex_build.tree.symbols import Function

pytestmark = pytest.mark.compile
COUNT = 60
_BODY = re.compile(r"    for \(int i = 0; i < ROWS; \+\+i\) (\{.*\})\n    show\(")
_CALL = re.compile(r"\{ kernel\d+(<40>)?\(\); \}")
_WORK = """static unsigned work{number}() {{
    {last} int a[ROWS * WIDTH], b[ROWS * WIDTH];
    for (int k = 0; k < ROWS * WIDTH; ++k) {{ a[k] = k * 37 % 61; b[k] = k; }}
    for (int i = 0; i < ROWS; ++i) {body}
    unsigned sum = 0;
    for (int k = 0; k < ROWS * WIDTH; ++k) sum = sum * 31u + a[k] * 7u + b[k];
    return sum;
}}
extern "C" unsigned call{number}() {{ return work{number}{arguments}(); }}
"""


_TYPES = """
struct ended { int *to; int n; ~ended() { *to += n; } };
struct held { int *to; int n; held(int *p, int k) : to(p), n(k) {} held(const held &o) : to(o.to), n(o.n + 1) {} ~held() { *to ^= n; } };
struct two { held one; int other; };
struct steps { int v; steps &operator+=(int k) { v += k; return *this; } steps operator++(int) { steps old = *this; v += 3; return old; } steps &operator++() { ++v; return *this; }
  explicit operator bool() const { return v & 1; } bool operator<(const steps &o) const { return v < o.v; } friend steps operator+(steps a, steps b) { return {a.v * 2 + b.v}; } };
struct top { int t; int up() { return ++t; } };
struct left : top { int l; };
struct bottom : left { int b; bottom(int x) : left{{x}, x + 1}, b(x * 2) {} int sum() const { return t + l * 3 + b * 5; } };
enum class colour : short { red = 3, green = -2 };
static ended make(int *p, int n) { return {p, n}; }
static held hold(int *p, int n) { return held(p, n); }
static int use(ended e) { return e.n; }
static int of_two(two t) { return t.other + t.one.n; }
static int count_up(int v, int by = 2) { return v * by; }
static int by_reference(const int &v, int &w) { w += 1; return v + w; }
static int &largest(int &v, int &w) { return v < w ? w : v; }
struct based { int q; based() : q(7) {} };
struct over : based { int w; over(int x) : w(x) { w += q; } };
struct outer { over one; int n = 3; outer(int x) : one(x) {} };
template <int N> struct filled { int v; filled(int k = -N) : v(k * 2) {} };
struct holding { filled<3> in; filled<2 + 2> other = 5; int n = 4; };
struct assigned { int v; assigned(int k) : v(k) {} assigned &operator=(int k) { v = k + 1; return *this; } };
struct flags { unsigned a : 2 + 1 = 5; int b : 4; };
struct many { int a[1 + 2]{4, 5}, n = a[1]; };
struct inner { ended e; int n; };
template <class T> T twice(T v) { return v + v; }
template <class T, class... More> T added(T first, More... more) { if constexpr (sizeof...(more) == 0) return first; else return first + added(more...); }
"""
_FORMS = (
    "ended{{&own, j}};",
    "own += use({{&own, 2}});",
    "make(&own, 7);",
    "own += hold(&own, 3).n;",
    "own += of_two({{{{&own, 3}}, 1}});",
    "own += of_two(two{{held(&own, 5), 1}});",
    "{{ const ended &kept = make(&own, 5); {place} = own + kept.n; }}",
    "{{ held h(&own, j), k = h; {place} = k.n; }}",
    "{{ steps s{{j}}; (s += 2) += own; {place} = s++.v + s.v; }}",
    "{{ steps s{{own}}, t{{j}}; {place} = (s + t).v + (++s < t); if (s) own += 1; }}",
    "{{ over o(j); outer p(own); {place} = o.w + p.one.w * p.n; }}",
    "{{ ended e{{&own, 1}}; e = make(&own, j); {place} = e.n; }}",
    "{{ auto [to, n] = make(&own, j); {place} = n; }}",
    "{{ auto &&[to, n] = make(&own, j); {place} = n + own; }}",
    "{{ int &&n = make(&own, j).n; {place} = own + n; }}",
    "{{ inner o{{make(&own, 3), j}}; {place} = own; }}",
    "{place} = inner{{make(&own, 3), j}}.n + j;",
    "{place} = (j & 1 ? 3 : make(&own, j).n);",
    "{{ held h(&own, j); auto f = [h](int k) {{ return h.n + k; }}; {place} = f(1); }}",
    "for (int q = make(&own, 2).n; q > 0; --q) {place} += own;",
    "if (make(&own, j).n & 1) {place} = own;",
    "{{ ended e[2] = {{{{&own, 1}}, {{&own, j}}}}; {place} = e[1].n; }}",
    "{{ bottom o(j); o.up(); top &t = o; t.up(); left l = o; l.up(); {place} = o.sum() + l.t; }}",
    "{place} = count_up(j) + count_up(j, own);",
    "{place} = by_reference(own, {place}); ",
    "{place} = by_reference(3, own);",
    "largest(own, {place}) += 2;",
    "{place} = twice(own) + (int)twice(2L) + added(own, j, 3);",
    "(own = j) += 3;",
    "++(own += 2); {place} = own;",
    "(j & 1 ? own : {place}) = j;",
    "{place} = own++ * 2; {place} -= --own;",
    "if (int q = j & 3; q > 1) {place} = q; else own += q;",
    "{{ holding h; {place} = h.in.v + h.other.v * h.n; }}",
    "{{ holding h{{}}; h.in.v += own; {place} = h.in.v - h.other.v; }}",
    "{{ assigned s(j), t = s; t = own; s = t; {place} = s.v * 2 + assigned(t).v; }}",
    "{{ flags f; f.b = own; {place} = f.a * 8 + f.b; }}",
    "{{ many m{{}}; {place} = m.a[1] + m.n; }}",
    "{{ many m{{{{own, 2}}, own}}; {place} = m.a[1] * m.n + m.a[2]; }}",
    "while (int q = own & 3) {{ own -= q; {place} += q; }}",
    "{{ int q[3] = {{1, own}}; for (const int e : q) {place} += e; }}",
    "{{ auto f = [own](int k) mutable {{ own += k; return own; }}; {place} = f(1) * 3; {place} += f(2); }}",
    "{{ auto f = [&own, k = own * 2] {{ own += k; }}; f(); f(); }}",
    "{{ colour c = j & 1 ? colour::red : colour::green; {place} = static_cast<int>(c) * own; }}",
    "{{ char c = own; c += 100; {place} = c; }}",
    "{{ unsigned short c = own; c *= c; {place} = c >> 3; }}",
    "{{ bool c = own; c += 2; {place} = c + !own; }}",
    "{{ long long w = own; w <<= 20; {place} = w % 1000003; }}",
    "{{ int &&r = own + 1; r += j; {place} = r; }}",
    "{{ two pair{{{{&own, 2}}, 4}}; auto &[one, other] = pair; other += one.n; {place} = pair.other; }}",
    "{{ int grid[2][3] = {{{{1, 2}}, {{own}}}}; for (auto &row : grid) for (int &e : row) {place} += e++; }}",
    "switch (int q = own & 3; q) {{ case 0: own += 1; [[fallthrough]]; case 1: {place} = q; break; default: own ^= j; }}",
    "do {{ own += 5; if (own & 1) continue; {place} += 1; }} while (own % 3);",
    "{{ int *p = &own, **q = &p; **q += 2; {place} = *p + (q == &p) + !p; }}",
    "{{ struct {{ int v; int get() const {{ return v * 2; }} }} o{{own}}; {place} = o.get(); }}",
    "{place} = (own, j), own += 1;",
    "for (int q = 0, r = 9; q < r; ++q, r -= 2) {place} += q * r;",
    "{place} = int(own) + int{{3}} + int();",
    "{{ int &&moved = std::move(own); moved += 2; }}",
    "const_cast<int &>(static_cast<const int &>(own)) += 1;",
)


class Functions(Views):
    """The bodies of the random kernels, in functions, with more forms of the language."""

    def statement(self) -> str:
        if not self.plain and self.chance(65):
            place = self.element("b", self.one_of("j", self.column()))
            return self.random.choice(_FORMS).format(place=place)
        while "word" in (found := super().statement()):  # the interpreter knows no bytes of integers
            continue
        return found

    def kernel(self, number: int) -> str:
        text = super().kernel(number)
        (body,), (arguments,) = _BODY.findall(text), _CALL.findall(text)
        head, last = ("template <int Last> ", "const int last = Last;") if arguments else ("", "int last = 40;")
        return head + _WORK.format(number=number, last=last, body=body, arguments=arguments)

    def text(self) -> str:
        return super().text().partition("int main()")[0].replace("static int a[", f"{_TYPES}static int a[", 1)


class Bodies(dict[Function, tree.Body]):
    """The functions of a unit, and of the library, each read when it is called first."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def __missing__(self, function: Function) -> tree.Body:
        found = self._reader.body(function)
        assert found is not None, function.name
        return found


class NotUnderstoodError(Exception):
    pass


class Run(Interpreter):
    def call(self, body: tree.Body, arguments: list[object]) -> object:
        if any(isinstance(n, tree.Opaque) for n in tree.walk(body.statement)):
            raise NotUnderstoodError
        return super().call(body, arguments)

    def run(self, node: tree.Call, first: list[object]) -> object:
        assert isinstance(node.callee, tree.FunctionAddress)
        if node.callee.function.name == "std::move":  # the compiler knows it, so there is no body
            return self.value(node.arguments[0])
        return super().run(node, first)


@pytest.mark.parametrize("seed", range(2))
def test_random_functions(seed: int, tmp_path: Path) -> None:
    source, library = tmp_path / "unit.cpp", tmp_path / "unit.so"
    source.write_text(Functions(f"functions {seed}", COUNT).text())
    subprocess.run(
        ["g++", "-std=gnu++17", "-w", "-O0", "-fwrapv", "-shared", "-fPIC", "-o", library, source], check=True
    )
    compiled = ctypes.CDLL(str(library))
    request = LowerRequest(source, tmp_path, cflags=("-std=gnu++17",), cc="g++")
    reader = Reader(on_deep_stack(lambda: Unit(preprocessed(request), request.cflags, "g++")))
    ran = 0
    for function in reader.unit.functions:
        if not function.name.startswith("call"):
            continue
        call = getattr(compiled, function.name)
        call.restype = ctypes.c_uint
        run = Run(Bodies(reader), lambda *_: None)
        try:
            found = on_deep_stack(lambda run=run, f=function: run.call(run.bodies[reader.function(f.cursor)], []))
        except NotUnderstoodError:
            continue
        ran += 1
        assert found == call(), function.name
    assert ran > COUNT // 2
