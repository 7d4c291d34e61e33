# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs with loops that reduce arrays, drawn at random.

Some loops only combine elements with values, in all the forms in which C can say that; then the threads of a team share
one copy of the array. Others also read an element, use the result of a step, or hand the array on, and must not share.
Lengths are constants or known only to the run, and some arrays are too long for shared memory. All values are integers,
or floating-point numbers that add up exactly, so no order shows.
"""

from __future__ import annotations

from nests import Draws

N = 3001
_OPERATORS = {"+": ("+", "-"), "|": ("|",), "^": ("^",), "&": ("&",), "*": ("*",), "max": (), "min": ()}


class Histograms(Draws):
    """Builds one program with ``count`` kernels."""

    def value(self) -> str:
        return self.one_of("1", "k[i]", "(int)x[i]", "t[i].w", "i % 7", "k[i] * (i & 3)", "twice(x[i])", "next(&s)")

    def subscript(self, length: str) -> str:
        inner = self.one_of("k[i]", "x[i]", "t[i].key", "i", "k[i] + 3 * x[i]", "k[x[i]]", "i / 9", "k[i] ^ i")
        return f"({inner}) % {length}"

    def update(self, name: str, operator: str, length: str) -> str:
        """A statement that combines an element with a value, or in a few cases does more."""
        at, value = f"{name}[{self.subscript(length)}]", self.value()
        if operator in ("max", "min"):
            value, sign = self.one_of("k[i]", "i % 7", "(int)x[i]"), ">" if operator == "max" else "<"
            return self.one_of(
                f"if ({value} {sign} {at}) {at} = {value};",
                f"if ({value} {sign} {at}) {{ {at} = {value}; }}",
                f"{at} = {value} {sign} {at} ? {value} : {at};",
                f"{at} = {at} {'>' if operator == 'max' else '<'} {value} ? {at} : {value};",
                f"if ({at} {'<' if operator == 'max' else '>'} {value}) {at} = {value};",
            )
        sign = self.one_of(*_OPERATORS[operator])
        forms = [f"{at} {sign}= {value};"] * 3 + [f"{at} = {at} {sign} ({value});"]
        if sign == "+":
            forms += [f"{at}++;", f"++{at};", f"{at} = ({value}) + {at};", f"{at} = {at} + 1 + ({value});"]
        elif sign == "-":
            forms += [f"{at}--;", f"--{at};"]
        elif sign != "*":
            forms.append(f"{at} = ({value}) {sign} {at};")
        if sign == "*":
            forms = [f"{at} *= 1 + 2 * (i % 2);", f"{at} = {at} * 3;"]
        return self.one_of(*forms)

    def odd(self, name: str, length: str) -> str:
        """A statement that uses the array otherwise. It changes nothing that shows."""
        at = f"{name}[{self.subscript(length)}]"
        return self.one_of(
            f"if ({at} == 12345678 && n < 0) {at} = 0;",
            f"keep({name});",
            f"{at} += {at} == 12345678;",
            f"for (int q = 0; q < 0; {at}++) ++q;",
        )

    def body(self, name: str, operator: str, length: str) -> str:
        lines = []
        for _ in range(self.number(1, 3)):
            line = self.update(name, operator, length)
            kind = self.number(0, 8)
            if kind == 0:
                line = f"if (x[i] > {self.number(0, 200)}) {{ {line} }}"
            elif kind == 1:
                line = f"for (int j = 0; j < {self.number(1, 4)}; ++j) {line}"
            elif kind == 2:
                line = f"if (i % {self.number(2, 6)} == 1) continue;\n        {line}"
            elif kind == 3:
                line = f"switch (x[i] & 3) {{ case 1: {line} case 2: {line} break; default: ; }}"
            elif kind == 4:
                line = f"if (k[i] & 1) {{ {line} }} else {self.update(name, operator, length)}"
            lines.append(line)
        if self.chance(15):
            lines.append(self.odd(name, length))
        return "\n        ".join(lines)

    def kernel(self, number: int) -> str:
        operator = self.one_of("+", "+", "+", "|", "^", "&", "*", "max", "min")
        kinds = ("int", "unsigned", "long", "unsigned long long", "short", "unsigned char")
        if operator in ("max", "min"):
            kinds = kinds[:4]  # the values fit
        if operator in ("+", "max", "min") and self.chance(25):
            kinds = ("float", "double")
        kind = self.one_of(*kinds)
        size = self.one_of("20", "33", "64", "256", "1000", "5000", "20000")
        known, length = self.chance(40), "m"
        if known:
            length = size
        first = self.number(0, 5) if self.chance(30) else 0
        array = known and not first and self.chance(30)
        body = self.body("h", operator, length)
        clause = self.one_of("", "", " num_teams(3)", " thread_limit(48)", " schedule(static, 5)", " num_threads(33)")
        directive = self.one_of(
            "target teams distribute parallel for", "target teams distribute parallel for", "target parallel for"
        )
        if directive == "target parallel for":
            clause = clause.replace(" num_teams(3)", "").replace(" thread_limit(48)", "")
        section = f"h[{first or ''}:{length}]" if not array else "h"
        declared = (
            f"    {kind} h[{size}];\n    for (int b = 0; b < {size}; ++b) h[b] = given[b];\n"
            if array
            else f"    {kind} *h = given;\n"
        )
        after = f"    for (int b = 0; b < {size}; ++b) given[b] = h[b];\n" if array else ""
        moved = body.replace("h[", f"h[{first} + ") if first else body
        loop = "for (int i = 0; i < n; ++i)"
        return (
            f"static void kernel{number}(int n, int m, {kind} *given, const unsigned char *x, const int *k, const struct item *t)\n{{\n"
            f"{declared}#pragma omp {directive} reduction({operator}: {section}){clause} map(to: x[0:n], k[0:n], t[0:n])\n"
            f"    {loop} {{\n        unsigned s = i * 3u;\n        {moved}\n        (void)s;\n    }}\n{after}}}\n"
            f"static void run{number}(void)\n{{\n    enum {{ m = {size}, all = m + 8 }};\n    {kind} *h = malloc(all * sizeof *h);\n"
            f"    for (int b = 0; b < all; ++b) h[b] = ({kind})(b % 5);\n    kernel{number}(N, m, h, x, k, t);\n"
            f"    unsigned long long sum = 0;\n    for (int b = 0; b < all; ++b) sum = sum * 31 + (unsigned long long)(long long)h[b];\n"
            f'    printf("{number} %llu\\n", sum);\n    free(h);\n}}\n'
        )

    def text(self) -> str:
        kernels = "".join(self.kernel(number) for number in range(self.count))
        calls = "".join(f"    run{number}();\n" for number in range(self.count))
        return (
            "#include <stdio.h>\n#include <stdlib.h>\n"
            f"enum {{ N = {N} }};\nstruct item {{ int key; int w; }};\n"
            "static unsigned char x[N];\nstatic int k[N];\nstatic struct item t[N];\n"
            "static int twice(int v) { return 2 * v; }\n"
            "static int next(unsigned *s) { return (int)((*s = *s * 1664525u + 1013904223u) >> 28); }\n"
            "#define keep(p) ((void)(p))\n"
            f"{kernels}int main(void)\n{{\n    unsigned s = 1;\n"
            "    for (int i = 0; i < N; ++i) {\n        x[i] = (unsigned char)next(&s) * 16 + next(&s), k[i] = next(&s) * 200 + next(&s);\n"
            "        t[i].key = next(&s) * 99, t[i].w = next(&s);\n    }\n"
            f"{calls}    return 0;\n}}\n"
        )
