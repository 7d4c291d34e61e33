# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs with loops that reduce narrow elements, drawn at random.

A thread may load the elements of neighbouring iterations with one access, where arrays are aligned and every iteration
reads its element. So arrays begin anywhere in others, lengths are odd, loops begin late, some elements are read under a
condition, at several places or at others' values, and arrays that are only read overlap. All values are integers, so no
order shows.
"""

from __future__ import annotations

from nests import Draws

N = 4003
_KINDS = ("unsigned char", "signed char", "char", "short", "unsigned short", "_Bool")


class Narrow(Draws):
    """Builds one program with ``count`` kernels."""

    def read(self) -> str:
        """An element, mostly one that every iteration has of its own."""
        array = self.one_of("a", "a", "b", "c")
        return self.one_of(
            *[f"{array}[i]"] * 8, f"*({array} + i)", f"i[{array}]", f"{array}[i + from]", f"{array}[i + 1]", f"{array}[n - 1 - i]",
            f"{array}[i / 2]", f"{array}[from]", f"{array}[(unsigned char)b[i]]", f"{array}[i & 63]",
        )  # fmt: skip

    def value(self) -> str:
        one, other = self.read(), self.read()
        return self.one_of(
            one, one, one, f"{one} * {other}", f"({one} ^ {other})", f"({one} > {self.number(0, 90)})", f"({one} && {other})",
            f"({one} ? {other} : i)", f"larger({one}, {other})", f"({one} + i % 3)", f"(int)sizeof({one})",
        )  # fmt: skip

    def update(self, operator: str, histogram: bool) -> str:
        value = self.value()
        if histogram:
            return self.one_of(
                f"h[({value}) & 127] += 1;", f"h[(unsigned)({value}) % 128]++;", f"h[i & 127] += {value};"
            )
        if operator in ("max", "min"):
            return f"{{ const long v = {value}; if (v {'>' if operator == 'max' else '<'} sum) sum = v; }}"
        return f"sum {operator}= {value};"

    def body(self, operator: str, histogram: bool) -> str:
        lines = []
        for _ in range(self.number(1, 2)):
            line, kind = self.update(operator, histogram), self.number(0, 9)
            if kind == 0:
                line = f"if ({self.read()} > {self.number(0, 60)}) {line}"
            elif kind == 1:
                line = f"if ({self.read()} == {self.number(0, 9)}) continue;\n        {line}"
            elif kind == 2:
                line = f"const int at{len(lines)} = i + {self.number(0, 1)}; if (a[at{len(lines)}] & 1) {line}"
            elif kind == 3:
                line = (
                    f"const int q{len(lines)} = {self.read()}; if (q{len(lines)} & 1) {line} else sink(q{len(lines)});"
                )
            lines.append(line)
        return "\n        ".join(lines)

    def kernel(self, number: int) -> str:
        one = self.one_of(*_KINDS)
        kinds = [one if self.chance(40) else self.one_of(*_KINDS) for _ in range(3)]
        histogram = self.chance(40)
        operator = "+" if histogram else self.one_of("+", "+", "^", "|", "&", "max", "min")
        low = self.one_of("0", "0", "0", "from", "3")
        up = self.one_of("i < n", "i < n", "i <= n - 1")
        kind = self.one_of("int", "int", "long", "short", "unsigned" if up == "i < n" else "int")
        step = "i += 2" if self.chance(8) else "++i"
        clause = self.one_of("", "", "", " num_teams(3)", " schedule(static, 5)", " num_threads(33)")
        what = "h[0:128]" if histogram else "sum"
        parameters = ", ".join(f"const {k} *{name}" for k, name in zip(kinds, "abc", strict=True))
        offsets = [self.one_of("0", "0", "8", str(self.number(0, 17))) for _ in kinds]
        arrays = [f"pool_{k.replace(' ', '_').strip('_')} + {offset}" for k, offset in zip(kinds, offsets, strict=True)]
        length = self.one_of("3001", "2048", "7", "1", "0", str(self.number(0, 3500)))
        begin = f"{self.number(-9, 99)}" if operator != "&" else "-1"
        return (
            f"static long kernel{number}(int n, int from, {parameters}, int *h)\n{{\n    long sum = {begin};\n"
            f"#pragma omp target teams distribute parallel for reduction({operator}: {what}){clause} map(to: a[0:n + 300], b[0:n + 300], c[0:n + 300])\n"
            f"    for ({kind} i = {low}; {up}; {step}) {{\n        {self.body(operator, histogram)}\n    }}\n    return sum;\n}}\n"
            f"static void run{number}(void)\n{{\n    int h[128] = {{0}};\n    unsigned long long all = 0;\n"
            f"    const long sum = kernel{number}({length}, {self.number(0, 5)}, {', '.join(arrays)}, h);\n"
            f"    for (int b = 0; b < 128; ++b) all = all * 31 + (unsigned)h[b];\n"
            f'    printf("{number} %ld %llu\\n", sum, all);\n}}\n'
        )

    def text(self) -> str:
        kernels = "".join(self.kernel(number) for number in range(self.count))
        calls = "".join(f"    run{number}();\n" for number in range(self.count))
        names = [(kind, f"pool_{kind.replace(' ', '_').strip('_')}") for kind in _KINDS]
        pools = "".join(f"static {kind} {name}[N + 400];\n" for kind, name in names)
        pools_named = ", ".join(name for _, name in names)
        filled = "".join(f"        {name}[i] = ({kind})(next(&s) * 16 + next(&s));\n" for kind, name in names)
        return (
            f"#include <stdio.h>\nenum {{ N = {N} }};\n{pools}"
            "static int larger(int x, int y) { return x > y ? x : y; }\nstatic void sink(int v) { (void)v; }\n"
            "static int next(unsigned *s) { return (int)((*s = *s * 1664525u + 1013904223u) >> 28); }\n"
            f"{kernels}int main(void)\n{{\n    unsigned s = 1;\n    for (int i = 0; i < N + 400; ++i) {{\n{filled}    }}\n#pragma omp target enter data map(to: {pools_named})\n{calls}#pragma omp target exit data map(release: {pools_named})\n    return 0;\n}}\n"
        )
