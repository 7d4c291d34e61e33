# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs whose kernels run inner loops in order over rows of arrays, drawn at random.

The rows begin at aligned addresses or at others, lie evenly or unevenly apart, and are short or long, and there are few
and many. Loops in a row read one to three arrays and write some; sums, scans and hashes depend on the order. They may
stand beside other loops, conditions, and accesses that are no rows, or of rows that are the same for all threads. Calls
also get arrays that lie in one. All arithmetic gives the same bits whether or not a multiplication and an addition are
one instruction.
"""

from __future__ import annotations

from nests import Draws

_ROOM = 1 << 19  # elements of an array
_SHAPES = (
    (1, 1), (1, 9000), (2, 4097), (5, 33), (7, 3000), (33, 65), (40, 31), (40, 32), (64, 1024), (129, 100),
    (300, 257), (700, 512), (1000, 77), (4096, 40), (4099, 64), (9000, 36), (12000, 7), (21500, 9),
)  # fmt: skip


class Rows(Draws):
    """Builds one program with ``count`` kernels."""

    def place(self, name: str) -> str:
        """The element of an array in iteration ``j`` of row ``i``."""
        kind = self.number(0, 9)
        if kind == 0:
            return f"{name}[begin[i] + j]"
        if kind == 1:
            return f"{name}[base + j]"
        if kind == 2:
            return f"({name} + i * apart)[j]"
        if kind == 3:
            return f"*({name} + j + base)"
        if kind == 4:
            return f"{name}[(long)i * apart + j + {self.number(0, 3)}]"
        if kind in (5, 6):  # the same for all threads
            return f"{name}[j + {self.number(0, 3)}]"
        return f"{name}[i * apart + j]"

    def target(self, name: str) -> str:
        """The element of an array that iteration ``j`` of row ``i`` writes. No other row does."""
        kind = self.number(0, 5)
        if kind == 0:
            return f"({name} + i * wide)[j]"
        if kind == 1:
            return f"{name}[(long)wide * i + j + {self.number(0, 3)}]"
        return f"{name}[i * wide + j]"

    def value(self) -> str:
        """Something to read in an iteration."""
        return self.one_of(
            self.place("a"), self.place("a"), self.place("b"), self.place("w"), self.place("z"), "x[j & 63]", "a[j]",
            "x[(i + j) & 63]", f"x[{self.place('w')} & 63]", "row[j]", "(float)(j % 7)",
        )  # fmt: skip

    def loop(self) -> list[str]:
        """An inner loop."""
        low = self.one_of("0", "0", "0", "1", "3")
        high = self.one_of("n", "n", "n", "n", "n - 1", "n - i % 5", "len[i]")
        head = f"for (int j = {low}; j {self.one_of('<', '<', '<', '<=')} {high}; ++j) {{"
        lines: list[str] = []
        for _ in range(self.number(1, 3)):
            v, v2 = self.value(), self.value()
            line = self.one_of(
                f"s += {v};",
                f"s += {v};",
                f"s = s * 0.5f + {v};",
                f"t = t * 0.25 + {v} - {v2};",
                f"h = h * 31u + (unsigned)(int){v};",
                f"h ^= (unsigned)(int)({v} + {v2}) + (unsigned)j;",
                f"if ({v} > s) s = {v2};",
                f"if ({v} > 3) {{ h += 5u; t += {v2}; }}",
                f"for (int k = 0; k < 3; ++k) h += (unsigned)k * (unsigned)(int){v};",
            )
            lines.append(line)
        for name, value, cast in (("o", "s", ""), ("q", "t", ""), ("u", "h", "(unsigned)(int)")):
            if self.chance(22):
                line = f"{self.target(name)} = {self.one_of(value, value, cast + self.value())};"
                lines.insert(self.number(0, len(lines)), f"if (h & 1u) {line}" if self.chance(12) else line)
        if self.chance(6):
            lines.insert(0, "if (j == 90) continue;")
        if self.chance(6):
            lines.append("if (s > 1e6f) break;")
        return [head, *(f"    {line}" for line in lines), "}"]

    def between(self) -> str:
        """A statement between loops."""
        return self.one_of(
            "s = s / 3 + 1;", "t = s + 2.0;", "h += 77u;", "y[i] = s;", "if (h & 2u) y[i] = (float)(h & 255u);",
            "y[i] += 1;", "s += y[i];", "m[i] = h;", "if (s > 9) s = 9;", "s = x[h & 63u];",
        )  # fmt: skip

    def kernel(self, number: int) -> tuple[str, str]:
        """(a function with a kernel, its calls)"""
        lines = [
            "float s = 1;",
            "double t = 2;",
            "unsigned h = 3;",
            "const int base = i * apart, wide = apart + 8;",
            "const float *row = a + base;",
        ]
        for _ in range(self.number(1, 4)):
            lines += self.loop()
            if self.chance(50):
                lines.append(self.between())
        lines += [line for line in ("y[i] = s;", "m[i] = h;", "d[i] = t;") if self.chance(80)]
        clause = self.one_of("", "", "", "", " thread_limit(64)", " num_teams(3)")
        sections = ""
        if self.chance(25):
            sections = (
                " map(to: a[0:ROOM], b[0:ROOM], w[0:ROOM], z[0:ROOM]) map(tofrom: o[0:ROOM], q[0:ROOM], u[0:ROOM])"
            )
        declared = "int rows, int n, int apart, const float *a, const double *b, const int *w, const long *z, float *o, double *q, unsigned *u"
        text = (
            f"static void kernel{number}({declared})\n{{\n"
            f"#pragma omp target teams distribute parallel for{clause}{sections}\n    for (int i = 0; i < rows; ++i) {{\n        "
            + "\n        ".join(lines)
            + "\n    }\n}\n"
        )
        calls = ""
        for _ in range(3):
            rows, n = self.random.choice(_SHAPES)
            apart = n + int(self.one_of("0", "0", "1", "2", "4", "5"))
            shifts = [self.one_of("0", "0", "0", "1", "2", "4") for _ in "abwz"]
            apart_in_one = rows * apart + 64 < _ROOM // 2 > rows * (apart + 8)
            o = self.one_of("oo", "oo", "oo", "oo", "aa + ROOM / 2" if apart_in_one else "oo")
            arrays = [f"{name} + {s}" for name, s in zip(("aa", "bb", "ww", "zz"), shifts, strict=True)]
            out = [f"{name} + {self.one_of('0', '0', '1', '4')}" for name in (o, "qq", "uu")]
            if sections:
                arrays, out = ["aa", "bb", "ww", "zz"], ["oo", "qq", "uu"]
            calls += f"    prepare({rows}, {n}, {apart}), kernel{number}({rows}, {n}, {apart}, {', '.join(arrays + out)}), show({number});\n"
        return text, calls

    def text(self) -> str:
        kernels = [self.kernel(n) for n in range(self.count)]
        arrays = "aa, bb, ww, zz, oo, qq, uu, x, y, d, m, begin, len"
        return (
            "#pragma GCC optimize(1)\n#include <stdio.h>\n#include <string.h>\n"
            f"enum {{ ROOM = {_ROOM}, MOST = 22016 }};\n"
            "static float aa[ROOM + 64], oo[ROOM + 64], x[64], y[MOST];\nstatic double bb[ROOM + 64], qq[ROOM + 64], d[MOST];\n"
            "static int ww[ROOM + 64], begin[MOST], len[MOST];\nstatic long zz[ROOM + 64];\nstatic unsigned uu[ROOM + 64], m[MOST];\n"
            "static void prepare(int rows, int n, int apart)\n{\n"
            "    for (int k = 0; k < ROOM + 64; ++k) {\n"
            "        const unsigned r = k * 2654435761u >> 8;\n"
            "        aa[k] = (float)(r % 1000) / 8 - 31, bb[k] = (double)(r % 777) / 4 - 90, ww[k] = (int)(r % 5000), zz[k] = (long)(r % 333) - 99;\n"
            "        oo[k] = qq[k] = (float)(k % 100), uu[k] = r;\n    }\n"
            "    for (int k = 0; k < 64; ++k) x[k] = (float)k / 3;\n"
            "    for (int k = 0; k < MOST; ++k) y[k] = (float)(k % 50), d[k] = k, m[k] = k, begin[k] = 0, len[k] = 0;\n"
            "    for (int k = 0; k < rows; ++k) begin[k] = k * apart + (apart > n ? k % 2 : 0), len[k] = n > 3 ? n - k % 3 : n;\n"
            f"#pragma omp target update to({arrays})\n}}\n"
            "static void show(int number)\n{\n    unsigned long sum = 0;\n"
            "#pragma omp target update from(aa, oo, qq, uu, y, d, m)\n"
            "    unsigned f, g; unsigned long v;\n"
            "    for (int k = 0; k < ROOM + 64; ++k) {\n"
            "        memcpy(&f, &aa[k], 4), memcpy(&g, &oo[k], 4), memcpy(&v, &qq[k], 8);\n"
            "        sum = sum * 31 + f * 7 + g * 3 + v + uu[k];\n    }\n"
            "    for (int k = 0; k < MOST; ++k) {\n        memcpy(&f, &y[k], 4), memcpy(&v, &d[k], 8);\n        sum = sum * 31 + f + v + m[k];\n    }\n"
            '    printf("%d %lu\\n", number, sum);\n}\n'
            + "".join(text for text, _ in kernels)
            + f"int main(void)\n{{\n#pragma omp target enter data map(alloc: {arrays})\n"
            + "".join(calls for _, calls in kernels)
            + f"#pragma omp target exit data map(release: {arrays})\n    return 0;\n}}\n"
        )
