# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs whose plain ``target`` regions run loops that a block of threads may share out, drawn at random.

Iterations add to integers of all widths, multiply them, combine their bits, or keep the smallest and the largest, and
some read them. The values that they add may come from the element that they write, from other iterations' elements,
from variables that depend on a sum, from inner loops or from functions. Loops begin and end anywhere, count down, have
steps, and stand one after the other, under conditions, or in loops of one thread. Arrays may be the same or shifted.
"""

from __future__ import annotations

from nests import Draws

_ROOM = 4096  # elements of an array
_ARRAYS = ("a", "b", "c")  # int, unsigned, long long
_SUMS = ("s", "t", "u", "p", "m")


class Blocks(Draws):
    """Builds one program with ``count`` kernels."""

    def place(self, array: str, wild: bool) -> str:
        """An element in iteration ``i``. All places are in the array."""
        kind = self.number(0, 9 if wild else 6)
        return (
            f"{array}[i]" if kind <= 5
            else f"{array}[i + {self.number(1, 40)}]" if kind == 6
            else f"{array}[{self.number(0, 99)}]" if kind == 7
            else f"{array}[(i * {self.number(2, 7)}) % ROOM]" if kind == 8
            else f"{array}[(unsigned)s % ROOM]"
        )  # fmt: skip

    def value(self) -> str:
        """What an iteration adds, or stores."""
        kind = self.number(0, 11)
        one = self.place(self.one_of(*_ARRAYS), self.chance(30))
        return (
            f"(int)({one} & 1023)" if kind <= 4
            else "i" if kind == 5
            else f"({one} % 7 > 2 ? 3 : i)" if kind == 6
            else f"(int)(look((unsigned){one}) & 255u)" if kind == 7
            else "v" if kind <= 9
            else f"(int)({self.one_of('s', 't', 'u')} & 15)" if kind == 10
            else "(short)(i * 77)"
        )  # fmt: skip

    def update(self) -> str:
        """A statement that combines a variable with a value."""
        value = self.value()
        if self.chance(5):
            return self.one_of(
                f"f += {value};", f"s = {value} - s;", f"s = {value};", f"n2 += (short){value};", f"t ^= {value};"
            )
        return self.one_of(
            f"s += {value};", f"s += {value};", f"t += {value};", f"t = t + {value};", f"u -= (unsigned){value};", "++s;",
            f"p *= (unsigned){value} | 1u;", f"if ({value} > m) m = {value};", f"m = m < {value} ? {value} : m;",
            f"u -= {value};", f"g += {value};", f"h = {value} + h;", f"q ^= (unsigned){value};", f"z |= {value} & 64;",
        )  # fmt: skip

    def body(self) -> list[str]:
        """The statements of an iteration."""
        lines = [f"int v = {self.one_of('i', 'a[i] & 63', 'a[i]', '(int)(b[i] % 100u)')};"] * self.chance(60) or [
            "const int v = 5;"
        ]
        for _ in range(self.number(1, 4)):
            kind = self.number(0, 9)
            written = self.one_of(*_ARRAYS, "d")
            if kind <= 4:
                line = self.update()
                lines.append(
                    f"if ({self.one_of('a[i] & 1', 'v > 3', 'i % 3', 's & 1')}) {{ {line} }}"
                    if self.chance(25)
                    else line
                )
            elif kind <= 7:
                kept = self.one_of("s", "t", "m", "(int)u", "v", self.value(), "s + m", "(int)p")
                lines.append(f"{self.place(written, self.chance(8))} = {kept};")
            elif kind == 8:
                inner = self.one_of("v = v * 3 + k;", "s += v + k;", f"v ^= {self.place('a', True)};")
                lines.append(
                    f"for (int k = 0; k < {self.number(1, 4)}; ++k) {{ {inner} }}"
                    if "const" not in lines[0]
                    else "t += i;"
                )
            else:
                lines.append(
                    self.one_of("w = i;", "w = v; t += w;", "if (i == 77) continue;", "d[i] += w;", "x = a[i]; s += x;")
                )
        return lines

    def loop(self) -> list[str]:
        head = self.one_of(
            "for (int i = 0; i < n; ++i) {", "for (int i = 0; i < n; ++i) {", "for (int i = 0; i < n; ++i) {", "for (int i = n - 1; i >= 0; --i) {",
            "for (int i = 5; i <= n; i += 3) {", "for (i = 0; i < n; i++) {", "for (long i = 1; i < n; ++i) {", "for (int i = 0; i < 40; ++i) {",
            "for (unsigned i = 3; i < (unsigned)n; i += 2) {",
        )  # fmt: skip
        return [head, *(f"    {line}" for line in self.body()), "}"]

    def statement(self, depth: int = 0) -> list[str]:
        kind = self.number(0, 11)
        if kind <= 6:
            return self.loop()
        if kind == 7 and depth < 2:
            inner = [line for _ in range(self.number(1, 2)) for line in self.statement(depth + 1)]
            head = self.one_of(
                f"for (int r{depth} = 0; r{depth} < 3; ++r{depth}) {{",
                f"if (d[{depth}] & 1) {{",
                "if (s > 9) {",
                f"for (int r{depth} = d[{depth}] & 1; r{depth} < 2; ++r{depth}) {{",
            )
            return [head, *(f"    {line}" for line in inner), "}"]
        return [self.one_of("s = s / 2;", "d[3] = s;", "d[s & 7] += 5;", "t = d[2] + 1;", "g = s;", "m = 0;", "x = i;", "u += b[9];", "h += t;", "if (t & 1) a[1] = m; else s = a[2];")]  # fmt: skip

    def kernel(self, number: int) -> tuple[str, str]:
        lines = [
            "int s = 3, m = -5, i = 0, w = 1, x = 2;",
            "long long t = 7;",
            "unsigned u = 9, p = 1, q = 8;",
            "int z = 0;",
            "float f = 0;",
            "short n2 = 0;",
        ]
        for _ in range(self.number(1, 4)):
            lines += self.statement()
        lines += [
            "d[8] = s; d[9] = m; d[10] = (int)u; d[11] = (int)p; d[12] = (int)t; d[13] = i; d[14] = n2; d[15] = (int)(f * 4) + (int)q + z;"
        ]
        lines += ["d[16] += w + x;"] * self.chance(30)
        text = (
            f"static void kernel{number}(int n, int *a, unsigned *b, long long *c, int *d)\n{{\n    int g = 4;\n    long h = 6;\n"
            f"#pragma omp target map(tofrom: g, h){self.one_of('', ' firstprivate(n)')}\n    {{\n        "
            + "\n        ".join(lines)
            + '\n    }\n    printf("%d %ld ", g, h);\n}\n'
        )
        calls = ""
        for _ in range(2):
            n = self.one_of("0", "1", "31", "33", "1000", "1024", "1025", "2500", "4000")
            d = self.one_of("dd", "dd", "dd", "aa", "aa + 1", "aa + 2048")
            calls += f"    prepare(), kernel{number}({n}, aa, bb, cc, {d}), show({number});\n"
        return text, calls

    def text(self) -> str:
        kernels = [self.kernel(n) for n in range(self.count)]
        arrays = "aa, bb, cc, dd"
        return (
            f"#pragma GCC optimize(1)\n#include <stdio.h>\nenum {{ ROOM = {_ROOM} }};\n"
            "static int aa[3 * ROOM], dd[2 * ROOM];\nstatic unsigned bb[2 * ROOM];\nstatic long long cc[2 * ROOM];\n"
            "static unsigned look(unsigned x)\n{\n    return x * 2654435761u >> 9;\n}\n"
            "static void prepare(void)\n{\n    for (int k = 0; k < 2 * ROOM; ++k) {\n"
            "        const unsigned r = k * 2654435761u >> 8;\n        aa[k] = (int)(r % 2000) - 900, bb[k] = r, cc[k] = (long long)(r % 999) - 300, dd[k] = (int)(r % 50);\n    }\n"
            f"#pragma omp target update to({arrays})\n}}\n"
            "static void show(int number)\n{\n    unsigned long sum = 0;\n"
            f"#pragma omp target update from({arrays})\n"
            "    for (int k = 0; k < 2 * ROOM; ++k) sum = sum * 31 + (unsigned)aa[k] * 7 + bb[k] * 3 + (unsigned long)cc[k] + (unsigned)dd[k];\n"
            '    printf("%d %lu\\n", number, sum);\n}\n'
            + "".join(text for text, _ in kernels)
            + f"int main(void)\n{{\n#pragma omp target enter data map(alloc: {arrays})\n"
            + "".join(calls for _, calls in kernels)
            + f"#pragma omp target exit data map(release: {arrays})\n    return 0;\n}}\n"
        )
