# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs that try to break proofs, drawn at random: in kernels of a few iterations, with loops inside that may not all be
spread over threads.

A thread's own variables change in front of inner loops, in declarations, conditions and calls, and under ``continue`` and
``switch``. Reductions have every operator and type, with conversions, values that are left out, and what is no number.
Counters have every width, sign and direction, end on ``!=``, or wrap around, and subscripts have casts. Bit-fields are
wider than ``int``. Each kernel has one iteration that is distributed, so C says what all of it gives.
"""

from __future__ import annotations

from nests import Draws

WIDTH = 256
_INTEGERS = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long")
_REDUCED = (*_INTEGERS, "_Bool", "float", "double")
# Loops that end, by the types of their counters.
_HEADS = (
    ("unsigned char", "k = first", "k != last", "k++"),
    ("unsigned char", "k = last", "k != first", "k--"),
    ("unsigned char", "k = 200", "k > 3", "k -= 7"),
    ("signed char", "k = 100", "k != -100", "k++"),
    ("signed char", "k = -100", "k < 120", "k += 7"),
    ("unsigned short", "k = 65500", "k != 100", "k++"),
    ("short", "k = -20", "k <= n", "k += 4"),
    ("unsigned", "k = n - 1", "k != -1u", "k--"),
    ("unsigned", "k = -5", "k != n", "k++"),
    ("unsigned", "k = 0", "k < n", "k += 3"),
    ("unsigned", "k = 4294967000u", "k < 4294967290u", "k += 7"),
    ("unsigned long", "k = n - 1", "k != -1ul", "k--"),
    ("unsigned long", "k = 0", "k < 3ul * n", "k += 3"),
    ("long", "k = 0", "k < (long)n << 32", "k += 1L << 32"),
    ("long", "k = n", "k > 0", "k -= 2"),
    ("int", "k = 0", "k < n", "k++"),
    ("int", "k = n", "k != -1", "--k"),
)

_PLAIN = (("int", "k = 0", "k < n", "k++"), ("unsigned", "k = 0", "k < n", "k += 2"), ("long", "k = n", "k > 0", "--k"))


class Breaks(Draws):
    """Builds one program with ``count`` kernels."""

    def subscript(self, kind: str) -> str:
        if self.whole:
            return "k"
        if self.plain and self.chance(85):
            return "k"
        found = [
            "(unsigned char)k",
            "(unsigned char)(k * 3)",
            "(k & 255)",
            "(unsigned char)(int)k",
            "((unsigned)k * 2u + 1u) % 256u",
        ]
        found += ["(unsigned char)((unsigned short)k / 2)", "(unsigned long)k * 0x8000000000000000ul % 255"]
        found += ["(unsigned char)(k >> 32)", "((int)(k * 0x100000000ul + (k & 63)) & 255)"] if "long" in kind else []
        return self.random.choice(found)

    def value(self) -> str:
        return self.one_of(
            "own",
            "other",
            "(unsigned)k",
            "a[(unsigned char)k]",
            "bits.wide + 1",
            "(bits.wide << 3) + own",
            "(int)bits.narrow",
            "7u",
            "sum_of(a, own)",
        )

    def front(self) -> str:
        """What stands in front of the inner loop."""
        if self.whole:
            return self.one_of(
                "", "", "const unsigned q = d[5] + own;", "int q = own * 2; q += m;", "const int q = i * 3, r = q + other;",
                "unsigned q = 7; if (own & 1) q = f[3]; else q = m;",
            )  # fmt: skip
        if self.plain and self.chance(70):
            return self.one_of(
                "", "", "own = 3;", "const unsigned q = a[5] + own; other = q & 7;", "int q = own * 2; other = q + m;"
            )
        return self.one_of(
            "", "", "own = 3;", "own = own * 3 + 1;", "int q = own++; other += q;", "if (own++ < 100) other ^= 5;",
            "int q = bump(&own); other = q;", "int *p = &own; *p += 2;", "unsigned q = (own += 2, own); (void)q;",
            "(void)bump(&other);", "if (bump(&own) & 1) other = 9; else other = own;", "switch (own & 3) { case 0: own = 9; case 1: own += 2; break; default: other = own; }",
            "int q[2] = {own++, 1}; other += q[0];", "bits.wide += 0xfffffffffful;", "const int q = other; own = q; other = own + 1;",
        )  # fmt: skip

    def statement(self, kind: str) -> str:
        at = self.subscript(kind)
        if self.whole:
            return self.one_of(
                "b[k] += own + 0u + k;",
                "b[k] = a[k] * own;",
                "if (a[k] & 1) b[k] += other;",
                "for (int t = 0; t < 3; ++t) b[k] += a[(k + t) & 255];",
                "b[k] = sum_of(a, own) + k;",
                "{ unsigned v = a[k & 63]; if (v > 9) v -= own; b[k] ^= v; }",
                "b[k] += i * 5u + (unsigned)(int)d[k];",
            )
        if self.plain and self.chance(80):
            return self.one_of(
                f"b[{at}] += own + 0u + k;",
                f"b[{at}] = a[{at}] * own;",
                f"if (a[{at}] & 1) b[{at}] += other;",
                f"for (int t = 0; t < 3; ++t) b[{at}] += a[(k + t) & 255];",
                f"b[{at}] = sum_of(a, own) + k;",
                f"b[{at}] = a[k] * 3u + other;",
                f"a[{at}] ^= a[{at}] + own;",
                f"other = k * 5; b[{at}] = other;",
            )
        return self.one_of(
            f"a[{at}] = {self.value()};", f"b[{at}] += {self.value()};", f"b[{at}] = a[(unsigned char)k] + {self.value()};",
            f"own = {self.value()}; b[{at}] = own;", f"if (k % 3 == 0) other = {self.value()}; b[{at}] ^= other;",
            f"if (k & 1) continue; b[{at}] = {self.value()};", f"for (int t = 0; t < 2; b[{at}] += own, ++t) {{ if (k % 5) continue; own = t + (int)k; }}",
            f"switch ((int)(k & 3)) {{ case 1: own = 5; case 2: b[{at}] = own; break; default: other = 1; }}",
            f"b[{at}] = bump(&own);", f"bits.wide += 3; b[{at}] = bits.wide >> 20;",
            f"if (k & 2) goto next; own += 1; next: b[{at}] += own;" if not self.labels else ";",
        )  # fmt: skip

    def update(self, kind: str, operator: str) -> str:
        """A statement that changes the reduced variable."""
        # What C says nothing about, devices answer each in a way of its own: a conversion of what does not fit.
        is_floating = kind in ("float", "double", "_Bool")
        floating = ("d[(unsigned char)k]", "f[(unsigned char)k]")
        value = self.one_of(
            *(floating if is_floating or kind in ("int", "long") else [f"(int){v}" for v in floating]),
            "(a[(unsigned char)k] & 15)",
            "(long)k",
            "(signed char)k",
            "(own & 3)",
        )
        whole = self.one_of("(a[(unsigned char)k] & 15)", "(long)k", "(unsigned char)k", "bits.wide")
        if operator in ("&", "|", "^") and kind not in ("float", "double"):
            return self.one_of(
                f"s {operator}= {whole};", f"s = s {operator} {whole};", f"if (k & 1) s {operator}= {whole};"
            )
        if operator in ("&&", "||"):
            return self.one_of(
                f"s = s {operator} {value} != 3;",
                f"s = (a[(unsigned char)k] != 3) {operator} s;",
                f"s = s {operator} bump(&own) > 3;",
                f"s = s {operator} (b[(unsigned char)k]++, k != 9);",
            )
        if operator in ("max", "min"):
            r = "><"[operator == "min"]
            value = self.one_of(value, *["x[(unsigned char)k]"] * 2 * is_floating)
            fits = value if kind in ("float", "double") else self.one_of("(a[(unsigned char)k] & 15)", "(own & 3)")
            return self.one_of(
                f"if ({value} {r} s) s = {value};",
                f"s = s {r} {value} ? s : {value};",
                f"s = {value} {r} s ? {value} : s;",
                f"s = f{operator}(s, {fits});",
                f"if (!({value} {'<>'[operator == 'min']}= s)) s = {value};",
            )
        value = (
            whole if kind in ("float", "double") or self.chance(40) else value
        )  # sums of floating point numbers stay exact
        return self.one_of(
            f"s {operator}= {value};",
            f"s = s {operator} {value};",
            f"s = {value} {operator} s;",
            f"b[7] = (unsigned)(long)(s {operator}= {value});",  # C has no unsigned for what does not fit
            f"if (s {operator} 1) s {operator}= {value};",
            "s++;" if operator == "+" else ";",
        )

    def kernel(self, number: int) -> str:
        self.whole = self.chance(32)  # the loops make a nest that can be collapsed
        self.plain = self.whole or self.chance(60)  # much can be proved
        kind, begins, ends, steps = self.random.choice(_PLAIN if self.plain else _HEADS)
        loop = f"for ({kind} {begins}; {ends}; {steps})"
        self.labels = False
        body: list[str] = []
        for _ in range(self.number(0, 2)):
            body.append(self.statement(kind))
            self.labels = self.labels or "goto" in body[-1]
        reduced, plain = (
            self.one_of(*_INTEGERS[4:], "double") if self.plain else self.one_of(*_REDUCED),
            not self.whole and self.chance(25),
        )
        operators = (
            ("+", "&&", "||", "max", "min")
            if reduced in ("float", "double")
            else ("+", "&", "|", "^", "&&", "||", "max", "min")
        )
        if reduced == "_Bool":  # gcc adds these up as bytes
            operators = ("&&", "||", "max", "min")
        operator = self.one_of(*operators)
        clauses = "map(tofrom: a, b) map(to: d, f, x)"
        if self.whole and operator in ("&&", "||", "max", "min"):
            operator = "+"
        if not body or self.chance(50):
            exact = self.plain and operator in ("+", "&", "|", "^") and (self.whole or self.chance(80))
            body.append(f"s {operator}= (a[k & 255] & 15);" if exact else self.update(reduced, operator))
        body_text = " ".join(body)
        if plain:
            text = f"#pragma omp target {clauses} map(tofrom: s) firstprivate(own, other, bits)\n    {{ {self.front()} {loop} {{ {body_text} }} }}"
        else:
            text = f"#pragma omp target teams distribute parallel for {clauses} reduction({operator}: s) firstprivate(own, other, bits)\n    for (int i = 0; i < m; ++i) {{ {self.front()} {loop} {{ {body_text} }} }}"
        return (
            f"{self.head(number)}\n{{\n"
            f"    int own = 2, other = 3; struct bits bits = {{0xffffffff0ful, -3}};\n    {reduced} s = 1;\n{text}\n    show({number}, s);\n}}\n"
        )

    def head(self, number: int) -> str:
        return f"static void kernel{number}(int m, int n, unsigned char first, unsigned char last)"

    def text(self) -> str:
        kernels = "".join(self.kernel(number) for number in range(self.count))
        calls = "".join(f"    kernel{number}(1, 40, 1, 0);\n" for number in range(self.count))
        return (
            "#include <math.h>\n#include <stdio.h>\n"
            f"static unsigned a[{WIDTH}], b[{WIDTH}];\nstatic double d[{WIDTH}], x[{WIDTH}];\nstatic float f[{WIDTH}];\n"
            "struct bits { unsigned long wide : 40; long narrow : 36; };\n"
            "static int bump(int *p) { return *p = (int)(*p * 3u + 1u); }\n"
            "static unsigned sum_of(const unsigned *p, int k) { return p[k & 255] + p[1]; }\n"
            "static void show(int number, double s)\n{\n    unsigned sum = 0;\n"
            f"    for (int k = 0; k < {WIDTH}; ++k) {{\n        sum = sum * 31u + a[k] * 7u + b[k];\n"
            "        a[k] = k * 37u % 61u, b[k] = k, d[k] = -0.25 * (k % 7), f[k] = k % 5 + 0.5f, x[k] = k == 21 ? NAN : k * 13 % 29;\n    }\n"
            '    printf("%d %.17g %u\\n", number, s, sum);\n}\n'
            f"{kernels}int main(void)\n{{\n    show(-1, 0);\n{calls}    return 0;\n}}\n"
        )


class DressedBreaks(Breaks):
    """The same kernels in C++: in templates, as members, with references, and with functors and lambdas that they call."""

    suffix = ".cpp"

    def head(self, number: int) -> str:
        return self.one_of(
            super().head(number),
            f"template <class Size> static void kernel{number}(Size m, Size n, unsigned char first, unsigned char last)",
            f"static void kernel{number}(const int &m, const int &n, unsigned char first, const unsigned char &last)",
        )

    def kernel(self, number: int) -> str:
        text = super().kernel(number)
        dress = self.one_of("", "arrays", "functor", "lambda", "member")
        inside = f"kernel{number}("
        match dress:
            case "arrays":
                head = "(unsigned (&a)[WIDTH], unsigned (&b)[WIDTH], "
                return text.replace(inside, f"with_arrays{number}(", 1).replace(
                    f"with_arrays{number}(", f"with_arrays{number}{head}", 1
                ) + (
                    f"static void kernel{number}(int m, int n, unsigned char first, unsigned char last)\n"
                    f"{{\n    with_arrays{number}(a, b, m, n, first, last);\n}}\n"
                )
            case "functor":
                return text.replace("\n{\n", "\n{\n    const bumps bump{};\n", 1)
            case "lambda":
                return text.replace("\n{\n", "\n{\n    const auto bump = [](int *p) { return *p = (int)(*p * 3u + 1u); };\n", 1)
            case "member":
                return (
                    f"template <class T> struct of{number} {{\n{text}}};\n"
                    f"static void kernel{number}(int m, int n, unsigned char first, unsigned char last)\n"
                    f"{{\n    of{number}<int>::kernel{number}(m, n, first, last);\n}}\n"
                )
        return text

    def text(self) -> str:
        more = f"enum {{ WIDTH = {WIDTH} }};\n#define _Bool bool\n"
        more += "struct bumps { int operator()(int *p) const { return *p = (int)(*p * 3u + 1u); } };\n"
        return super().text().replace("#include <stdio.h>\n", f"#include <stdio.h>\n{more}", 1)
