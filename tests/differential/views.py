# ruff: noqa: E501 -- lines of the generated C++ stand whole
"""C++ programs that reach memory as C++ does, drawn at random: in kernels over independent rows, with loops over columns that
may depend on each other.

An element is named through references, views with ``operator()`` and ``operator[]``, lambdas that return references,
templates, objects that convert to references, pointers that were cast, members of bases, unions and structured bindings.
A row's own variables change in closures, functors, destructors of temporaries and by references to them.
"""

from __future__ import annotations

from nests import Draws

ROWS, WIDTH = 3, 48
_TYPES = f"""enum {{ ROWS = {ROWS}, WIDTH = {WIDTH} }};
struct view {{ int *p; int &operator()(int i, int j) const {{ return p[i * WIDTH + j]; }} }};
struct row {{ int *p; int &operator[](int j) const {{ return p[j]; }} int *begin() const {{ return p + 4; }} int *end() const {{ return p + 40; }} }};
struct matrix {{ int *p; row operator[](int i) const {{ return row{{p + i * WIDTH}}; }} }};
struct shifted : view {{ int by; int &operator()(int i, int j) const {{ return view::operator()(i, j + by); }} }};
struct element {{ int *p; operator int &() const {{ return *p; }} }};
struct pairs {{ int *in, *out; void step(int k) const {{ out[k] = in[k] * 3 + 1; }} }};
struct counter {{ int value; int operator()(int k) {{ return value = value * 3 + k; }} }};
struct base {{ int value; void up(int k) {{ value += k; }} }};
struct derived : base {{ int other; int next(int k) {{ up(k); return value ^ other; }} }};
struct guard {{ int &value; int by; guard(int &v, int k) : value(v), by(k) {{}} ~guard() {{ value += by; }} }};
struct fields {{ unsigned low : 12, high : 20; }};
union both {{ int whole; unsigned char bytes[4]; }};
static int bump(int &v) {{ return v = (int)(v * 3u + 1u); }}
template <class V> static int &at(const V &v, int i, int j) {{ return v(i, j); }}
template <class F> static void every(int first, int last, F body) {{ for (int j = first; j < last; ++j) body(j); }}
"""


class Views(Draws):
    """Builds one program with ``count`` kernels."""

    suffix = ".cpp"

    def column(self) -> str:
        return self.one_of(
            "j", "j", "j", "j", "j + 1", "j - 1", "j + 3", "43 - j", "(j ^ 1)", "j / 2 * 2", "(j + 7) % 40", "(unsigned char)(j + 256)",
            "5", "(j > 4 ? j - 1 : 39)", "(int)(j * 3u % 40u)",
        )  # fmt: skip

    def element(self, array: str, column: str) -> str:
        """An int in the row of an array."""
        return self.one_of(
            f"{array}[i * WIDTH + {column}]", f"v{array}(i, {column})", f"m{array}[i][{column}]", f"at(v{array}, i, {column})",
            f"of_{array}({column})", f"r{array}[{column}]", f"*(r{array} + {column})", f"static_cast<int &>(element{{r{array} + {column}}})",
            f"*reinterpret_cast<int *>(reinterpret_cast<char *>(r{array}) + 4 * ({column}))", f"shifted{{{{{array}}}, 1}}(i, {column})",
            f"(j & 1 ? r{array}[{column}] : v{array}(i, j))", f"reinterpret_cast<both *>(r{array} + {column})->whole",
        )  # fmt: skip

    def value(self) -> str:
        return self.one_of(
            "own", "j", "i", "count(j)", "bump(own)", "object.next(j)", "(int)bits.high", "word.bytes[1]", "x", "y", "closure(j)",
            self.element("a", "j"), self.element("a", self.column()), self.element("b", self.column()), "(own += 2, own)",
            "(j & 1 ? own : ++own)",
        )  # fmt: skip

    def plain_value(self) -> str:
        return self.one_of("own", "j", "i", "x", "y", self.element("a", "j"), self.element("a", self.column()))

    def statement(self) -> str:
        if self.plain:
            place = self.element("b", "j")
            return self.one_of(
                f"{place} = {self.plain_value()} * 3 + {self.plain_value()};", f"{place} += {self.plain_value()};",
                f"{{ int &q = {place}; q = q * 3 + {self.plain_value()}; }}", f"if (j % 3) {place} ^= {self.plain_value()};",
                f"{{ const int t = {self.plain_value()}; {place} = t * t; }}",
            )  # fmt: skip
        place = self.element("b", self.one_of("j", self.column()))
        return self.one_of(
            f"{{ const int t = {self.value()}; {place} = t + {self.plain_value()}; }}", f"{place} = {place} * 3 + {self.value()};",
            f"{{ auto &q = {place}; q += {self.value()}; }}", f"std::swap({place}, {self.element('b', self.column())});",
            f"{{ guard g(own, j); {place} += own; }}", "guard(own, j);", "object.up(j);", f"{{ int *p = &own; *p += 1; {place} = own; }}",
            f"bits.low = j; {place} = bits.high; bits.high = j * 5;", f"{place} = word.whole; word.bytes[j & 3] = j;",
            f"if (j & 1) continue; {place} = {self.value()};", f"x += {self.value()} & 7; {place} = y; y ^= x;", f"alias = {self.value()}; {place} = own;",
            "pairs{rb, rb + 1}.step(j);", f"for (int &e : few) e = e * 2 + j; {place} = few[j & 1];", f"new (&own) int(j); {place} += own;",
        )  # fmt: skip

    def kernel(self, number: int) -> str:
        self.plain = self.chance(55)
        front = "" if self.chance(60) else self.one_of("own = 3;", "bump(own);", "alias += 2;", "count(own);", "object.up(2);", "x = own * 2;", "guard(own, 3);")
        body = " ".join(self.statement() for _ in range(self.number(1, 2)))
        head = self.one_of(
            "for (int j = 4; j < 40; ++j)", "for (int j = 4; j < last; ++j)", "for (int j = 39; j >= 4; --j)", "for (unsigned j = 4; j != 40u; ++j)",
            "for (short j = 4; j < 40; j += 2)", "for (long j = i + 4; j < 40; ++j)", "for (int j = 4; j < 40 - (b[i * WIDTH] & 3); ++j)",
        )  # fmt: skip
        loop = f"{head} {{ {body} }}"
        if "continue" not in body and self.chance(15):
            loop = f"every(4, last, [&](int j) {{ {body} }});"
        if self.chance(25):
            loop += f" {head} {{ {self.statement()} }}"
        named, made = f"{front} {loop}", "own x"
        parts = {
            "own": "int own = 2 + i;", "alias": "int &alias = own;", "count": "counter count{own};", "object": "derived object{{i}, 5};", "bits": "fields bits{1, 2};",
            "word": "both word; word.whole = i;", "x": "int xy[2] = {own, 3}; auto &[x, y] = xy;", "few": "int few[2] = {1, i};",
            "closure": "auto closure = [&](int k) { own += k; return own * 2; };",
            "va": "const view va{a}, vb{b};", "ma": "const matrix ma{a}, mb{b};", "ra": "int *const ra = a + i * WIDTH, *const rb = b + i * WIDTH;",
            "of_a": "auto of_a = [&](int k) -> int & { return a[i * WIDTH + k]; }; auto of_b = [&](int k) -> int & { return b[i * WIDTH + k]; };",
        }  # fmt: skip
        also = {"x": ("y",), "va": ("vb",), "ma": ("mb",), "ra": ("rb",), "of_a": ("of_b",), "own": ("alias", "count", "closure", "x", "y")}
        used = [text for name, text in parts.items() if any(word in named for word in (name, *also.get(name, ())))]
        if self.plain and not front:  # each iteration makes its own
            inside = [text for name, text in parts.items() if text in used and name not in made]
            used = [text for text in used if text not in inside]
            named = named.replace(") { ", f") {{ {' '.join(inside)} ")
        template, call = self.one_of("template <int Last>|<40>", "|").split("|")
        last = "const int last = Last;" if template else "int last = 40;"
        arrays = self.one_of("", "int *const a = ::a, *const b = ::b; ")
        sections = "map(tofrom: a[0:ROWS * WIDTH], b[0:ROWS * WIDTH])" if arrays else "map(tofrom: a, b)"
        return (
            f"{template} static void kernel{number}()\n{{\n    {last} {arrays}\n#pragma omp target teams distribute parallel for {sections}\n"
            f"    for (int i = 0; i < ROWS; ++i) {{ {' '.join(used)} {named} }}\n    show({number});\n}}\n"
            f"static void call{number}() {{ kernel{number}{call}(); }}\n"
        )

    def text(self) -> str:
        kernels = "".join(self.kernel(number) for number in range(self.count))
        calls = "".join(f"    call{number}();\n" for number in range(self.count))
        return (
            f"#include <cstdio>\n#include <new>\n#include <utility>\n{_TYPES}static int a[ROWS * WIDTH], b[ROWS * WIDTH];\n"
            "static void show(int number)\n{\n    unsigned sum = 0;\n    for (int k = 0; k < ROWS * WIDTH; ++k)\n"
            "        sum = sum * 31u + a[k] * 7u + b[k], a[k] = k * 37 % 61, b[k] = k;\n"
            f'    printf("%d %u\\n", number, sum);\n}}\n{kernels}int main()\n{{\n    show(-1);\n{calls}    return 0;\n}}\n'
        )
