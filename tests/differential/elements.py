# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs whose kernels access structures, short rows and narrow elements, drawn at random.

Structures begin at addresses that are aligned for one wide access, or that are not. Some kernels also reduce an array,
of which a team has a copy. Elements of one or two bytes are in loops with few iterations and with many, alone or
collapsed, in arrays of their own or in one that is read and written. All values are integers, or floating-point numbers
that add up exactly, so no order shows.
"""

from __future__ import annotations

from nests import Draws

_LENGTHS = (1, 7, 100, 3001)
_MANY = (300007, 524000)  # more than a GPU runs threads at a time
_ROOM = 1 << 20  # bytes of an array
_SHAPES = ((3, 5), (40, 300), (1, 9000), (700, 706), (1900, 257), (5, 90000))

# For each type of elements: (its declaration, the parts of an element ``@``, the bytes to which C aligns it)
_STRUCTURES = {
    "struct quad": ("struct quad { float x, y, z, w; };", ("@.x", "@.y", "@.z", "@.w"), 4),
    "struct pair": ("struct pair { double a, b; };", ("@.a", "@.b"), 8),
    "struct six": ("struct six { int v[6]; };", ("@.v[0]", "@.v[2]", "@.v[3]", "@.v[5]"), 4),
    "struct mixed": (
        "struct mixed { int k; float w; short s, t; unsigned char c[4]; };",
        ("@.k", "@.w", "@.s", "@.c[1]"),
        4,
    ),
    "struct shorts": ("struct shorts { short a, b, c, d; };", ("@.a", "@.b", "@.d"), 2),
    "four": ("typedef int four[4];", ("@[0]", "@[1]", "@[3]"), 4),
    "two": ("typedef double two[2];", ("@[0]", "@[1]"), 8),
}
_NARROW = ("unsigned char", "signed char", "short", "unsigned short")


class Elements(Draws):
    """Builds one program with ``count`` kernels."""

    def wide(self, number: int) -> tuple[str, str]:
        """(a function with a kernel over structures, its calls)"""
        kinds = [self.one_of(*_STRUCTURES) for _ in "pq"]
        kinds = kinds[:1] * 2 if self.chance(40) else kinds
        parts = {n: _STRUCTURES[k][1] for n, k in zip("pq", kinds, strict=True)}

        def part(name: str) -> str:
            return self.one_of(*parts[name]).replace("@", f"{name}[i]")

        def value() -> str:
            return self.one_of(f"(int)((long){part('q')} % 50)", f"(int)((long){part('p')} % 40)", "i % 9", "3")

        lines = []
        for _ in range(self.number(1, 4)):
            line = f"{part('p')} {self.one_of('=', '=', '+=')} {value()};"
            lines.append(f"if ((long){part('q')} & 1) {{ {line} }}" if self.chance(25) else line)
        if kinds[0] == kinds[1] and kinds[0].startswith("struct") and self.chance(30):
            lines.insert(0, "p[i] = q[i];")
        clause = ""
        if self.chance(50):
            lines.append(f"h[(unsigned)({value()}) % 97u] += {value()};")
            clause = " reduction(+: h[0:97])"
        clause += self.one_of("", "", "", " num_teams(3)", " thread_limit(64)")
        if self.chance(30):
            clause += f" map(tofrom: p[0:n]) map(to: q[0:{self.one_of('n', 'n', '1')}])"
        text = (
            f"static int kernel{number}(int n, {kinds[0]} *p, const {kinds[1]} *q, int *h)\n{{\n"
            f"#pragma omp target teams distribute parallel for{clause}\n    for (int i = 0; i < n; ++i) {{\n        "
            + "\n        ".join(lines)
            + "\n    }\n    return 0;\n}\n"
        )
        calls = ""
        for _ in range(3):
            least = [_STRUCTURES[k][2] for k in kinds]
            shifts = [self.one_of("0", "0", f"{align}", f"{3 * align}", "16", "8") for align in least]
            at = [f"({k} *)({memory} + {shift})" for k, memory, shift in zip(kinds, ("x", "y"), shifts, strict=True)]
            calls += f"    show({number}, kernel{number}({self.one_of(*map(str, (*_LENGTHS, 40000)))}, {at[0]}, {at[1]}, counts));\n"
        return text, calls

    def narrow(self, number: int) -> tuple[str, str]:
        """(a function with a kernel over narrow elements, its calls)"""
        kinds = [self.one_of(*_NARROW) for _ in "abc"]
        two, same = self.chance(50), self.chance(30)
        at = self.one_of("y * width + v", "width * y + v") if two else "i"
        index = "(y + v)" if two else "i"

        def value() -> str:
            return self.one_of(
                f"a[{at}]", f"b[{at}] * 3", f"c[a[{at}] & 63]", f"c[{index} % 64]", f"{index} % 11", "by"
            )

        lines = []
        for _ in range(self.number(1, 3)):
            line = f"b[{at}] {self.one_of('=', '=', '+=', '^=')} {value()} {self.one_of('+', '-', '^')} {value()};"
            kind = self.number(0, 6)
            if kind == 0:
                line = f"if (a[{at}] & 1) {{ {line} }}"
            elif kind == 1:
                line = f"if (a[{at}] % 5 == 2) continue;\n        {line}"
            lines.append(line)
        clause = ""
        if self.chance(25):
            lines.append(f"h[c[a[{at}] & 63] & 63] += {value()};")
            clause = " reduction(+: h[0:97])"
        elif self.chance(25):
            lines.append(f"total += {value()};")
            clause = " reduction(+: total)"
        if self.chance(25):
            clause += self.one_of(" num_teams(3)", " thread_limit(64)", " num_teams(1)", " thread_limit(by * 24)")
        if two:
            clause += " collapse(2)"
            loop = "for (int y = 0; y < n / width; ++y)\n    for (int v = 0; v < width; ++v)"
        else:
            loop = self.one_of(
                "for (int i = 0; i < n; ++i)",
                "for (long i = n - 1; i >= 0; --i)",
                "for (unsigned i = 3; i < n; i += 2)",
            )
        sections = " map(to: a[0:n], c[0:64]) map(tofrom: b[0:n])" if self.chance(30) else ""
        text = (
            f"static int kernel{number}(int n, int width, int by, {kinds[1] if same else kinds[0]} *a, {kinds[1]} *b, {kinds[2]} *c, int *h)\n{{\n"
            f"    long total = 0;\n#pragma omp target teams distribute parallel for{clause}{sections}\n    {loop} {{\n        "
            + "\n        ".join(lines)
            + "\n    }\n    return (int)(total % 1000);\n}\n"
        )
        calls = ""
        for _ in range(3):
            n, width = int(self.one_of(*map(str, (*_LENGTHS, *_MANY)))), 1
            if two:
                rows, width = self.random.choice(_SHAPES)
                n = rows * width
            n = min(n, _ROOM // 2 - 64)
            shift = self.number(0, 3) * 2
            first = f"({kinds[1]} *)(y + {shift})" if same else f"({kinds[0]} *)(x + {shift})"
            arrays = f"{first}, ({kinds[1]} *)(y + {shift if same else 0}), ({kinds[2]} *)z"
            calls += f"    show({number}, kernel{number}({n}, {width}, {self.number(1, 9)}, {arrays}, counts));\n"
        return text, calls

    def text(self) -> str:
        kernels = [self.wide(n) if self.chance(50) else self.narrow(n) for n in range(self.count)]
        return (
            "#pragma GCC optimize(1)\n#include <stdio.h>\n#include <string.h>\n"
            + "".join(f"{declaration}\n" for declaration, _, _ in _STRUCTURES.values())
            + f"enum {{ ROOM = {_ROOM} }};\n"
            "static unsigned char x[ROOM] __attribute__((aligned(256))), y[ROOM] __attribute__((aligned(256))), z[4096];\n"
            "static int counts[97];\n"
            "static void fill(void)\n{\n"
            "    float *f = (float *)x, *g = (float *)y;\n"
            "    for (int k = 0; k < ROOM / 4; ++k) f[k] = k % 61, g[k] = k % 53;\n"
            "    for (int k = 0; k < 4096; ++k) z[k] = k * 7;\n"
            "    memset(counts, 0, sizeof counts);\n"
            "#pragma omp target update to(x, y, z, counts)\n}\n"
            "static void show(int number, int total)\n{\n    unsigned long sum = 0, *p = (unsigned long *)x, *q = (unsigned long *)y;\n"
            "#pragma omp target update from(x, y, counts)\n"
            "    for (int k = 0; k < ROOM / 8; ++k) sum = sum * 31 + p[k] * 7 + q[k];\n"
            "    for (int k = 0; k < 97; ++k) sum = sum * 31 + counts[k];\n"
            '    printf("%d %d %lu\\n", number, total, sum);\n    fill();\n}\n'
            + "".join(text for text, _ in kernels)
            + "int main(void)\n{\n#pragma omp target enter data map(alloc: x, y, z, counts)\n    fill();\n"
            + "".join(calls for _, calls in kernels)
            + "#pragma omp target exit data map(release: x, y, z, counts)\n    return 0;\n}\n"
        )
