# ruff: noqa: E501 -- lines of the generated C stand whole
"""C programs with loops over rows that are distributed and loops over columns inside, drawn at random.

Rows are independent: what is written in a row is read in that row only. Columns may depend on each other in any
distance and direction, wrap around, or be chosen by values in memory. Arrays may be the same or shifted, pointers may
lead to several, functions change what their parameters point to, and scalars may carry values from one column to the
next. Bounds may depend on the row, conditions may pick columns by their remainder, and two loops may stand side by
side. Some kernels update one colour of a checkerboard and read the other one's in the rows around. In others, a team
has a row and arrays of its own, which its threads exchange values in.
"""

from __future__ import annotations

import random
import re

ROWS, WIDTH = 36, 96
LOW, HIGH = 8, 84  # columns with which subscripts, gaps and shifts of arrays stay in their row
SHORT = 60  # where a short loop ends
_MARGIN = 4
_TYPES = ("int", "long", "unsigned", "unsigned long", "short")


class Draws:
    """What a seed draws for a program with ``count`` kernels."""

    def __init__(self, seed: str, count: int = 8) -> None:
        self.random = random.Random(seed)
        self.count = count

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def chance(self, percent: int) -> bool:
        return self.random.random() * 100 < percent

    def one_of(self, *items: str) -> str:
        return self.random.choice(items)


class Nests(Draws):
    """Builds one program with ``count`` kernels."""

    # -- subscripts -----------------------------------------------------------------------------------------------

    def column(self, variable: str) -> str:
        """A column between LOW and HIGH, for a ``variable`` between LOW and HIGH."""
        kind = self.number(0, 13 if self.wild else 9)
        if self.short and self.chance(25):
            return f"{variable} + {self.number(10, HIGH - SHORT + _MARGIN)}"
        if kind <= 4:
            return variable
        if kind <= 6:
            return f"{variable} {self.one_of('+', '-')} {self.number(1, _MARGIN)}"
        if kind in (10, 11):
            return self.wrapped(variable)
        if kind == 12:
            return f"{LOW} + (int)(c[i * {WIDTH} + {variable}] % {HIGH - LOW}u)"
        if kind == 13:
            return f"{LOW} + ((int){variable} * {self.number(2, 9)} + i) % {HIGH - LOW}"
        if kind == 7:
            return f"{LOW + (SHORT if self.short else HIGH)} - {variable}"
        if kind == 8:
            return f"({variable} / 2) * 2 + {self.number(0, 1)}"
        return f"2 * ({variable} / 2)" if self.chance(50) else f"{self.number(LOW, HIGH)}"

    def wrapped(self, variable: str) -> str:
        """The column beside a variable, or that at the other end."""
        end = self.one_of("last", f"{HIGH}", f"{HIGH - 1}", f"{SHORT}")
        return self.one_of(
            f"({variable} > {LOW} ? {variable} - 1 : {end} - 1)",
            f"({variable} < {end} - 1 ? {variable} + 1 : {LOW})",
            f"({variable} == {LOW} ? {end} - 1 : {variable} - 1)",
            f"({variable} + 1 == {end} ? {LOW} : {variable} + 1)",
            f"({variable} >= {end} - 2 ? {variable} - ({end} - 2) + {LOW} : {variable} + 2)",
            f"{LOW} + ({variable} - {LOW} + {self.number(1, 3)}) % ({end} - {LOW})",
        )

    def element(self, array: str, variable: str) -> str:
        column = self.column(variable)
        forms = [
            f"{array}[i * {WIDTH} + {column}]",
            f"{array}[{column} + width * i]",
            f"*({array} + i * width + ({column}))",
        ]
        if self.gaps:  # somewhat further on, or in the second half of the array
            forms += [f"{array}[gap + i * width + {column}]", f"{array}[i * {WIDTH} + gap * 1 + ({column})]"]
        if self.rows:
            forms += [f"{array}_row[{column}]"] * 3
        if self.matrices:
            forms += [f"{array}_matrix[i][{column}]"] * 2
        if self.index and self.chance(40):
            return f"{array}[at]"
        return self.random.choice(forms)

    def value(self, variable: str, depth: int = 0) -> str:
        if depth > 2 or self.chance(25):
            found = [variable, "(unsigned)i", f"{self.number(1, 99)}u", *(s for s in self.scalars if self.chance(60))]
            return self.random.choice(found)
        if self.chance(45):
            return self.element(self.one_of("a", "b", "c"), variable)
        one, other = self.value(variable, depth + 1), self.value(variable, depth + 1)
        if self.chance(15):
            return f"mix((unsigned)({one}), (unsigned)({other}))"
        if self.chance(10):
            return f"get({self.one_of('a', 'b', 'c')}, i * width + ({self.column(variable)}))"
        return f"((unsigned)({one}) {self.one_of('+', '-', '*', '^', '|')} (unsigned)({other}))"

    # -- statements -----------------------------------------------------------------------------------------------

    def statement(self, variable: str, depth: int = 0) -> str:
        kind = self.number(0, 11)
        if self.wild and self.chance(20):
            return self.by_pointer(variable)
        if kind <= 4:
            return f"{self.element(self.written, variable)} {self.one_of('=', '=', '=', '+=', '^=')} {self.value(variable)};"
        if kind <= 6 and self.scalars:
            return f"{self.random.choice(self.scalars)} {self.one_of('=', '=', '=', '+=')} {self.value(variable)};"
        if kind == 7 and self.reduction:
            return self.reduced(variable)
        if kind == 8 and depth < 2:
            return f"if ({self.value(variable)} % 3u) {{ {self.statement(variable, depth + 1)} }}"
        if kind == 9 and depth < 2:
            inner = f"{{ {self.statement(variable, depth + 1)} }}"
            return f"for (int k = 0; k < {self.number(1, 3)}; ++k) {inner}"
        if kind == 11 and self.chance(40):
            column = f"i * width + ({self.column(variable)})"
            return f"put({self.written}, {column}, {self.value(variable)});"
        if kind == 10 and self.chance(40):
            return f"{{ unsigned s = {variable}; {self.element(self.written, variable)} = next(&s) + next(&s); }}"
        if kind == 10 and self.chance(30):
            return f"if ({self.value(variable)} % 5u == 0) continue;"
        return f"{self.element(self.written, variable)} = {self.value(variable)};"

    def by_pointer(self, variable: str) -> str:
        """A statement that reaches elements by pointers that are made for it."""
        one, other = (self.element(self.one_of("a", "b"), variable) for _ in range(2))
        value = self.value(variable)
        forms = [
            f"swap(&{one}, &{other});",
            f"*moved({self.written}, i * width + ({self.column(variable)})) = {value};",
            f"{{ unsigned *p = {value} % 2u ? &{one} : &{other}; *p += {value}; }}",
            f"{{ unsigned *p = &{one}, *q = &{other}; *p = *q + {value}; q[0] ^= p[0]; }}",
            f"{{ unsigned v[3] = {{ {value}, {variable} }}; v[{variable} % 3] += {one}; {other} = v[0] ^ v[2]; }}",
            *(f"bump(&{s}, {value});" for s in self.scalars),
        ]
        return self.random.choice(forms)

    def reduced(self, variable: str) -> str:
        value = f"({self.value(variable)})"
        if self.reduction == "+":
            return self.one_of(
                f"total += {value};", f"total = total + {value};", f"total = {value} + total;", f"total -= {value};"
            )
        if self.reduction == "^":
            return f"total ^= {value};"
        return (
            f"if ({value} > total) total = {value};"
            if self.chance(50)
            else f"total = total > {value} ? total : {value};"
        )

    def inner(self) -> str:
        """A loop over columns with its head in one of many forms, alone or two of them."""
        kind, step = self.one_of(*_TYPES), self.number(1, 3)
        self.index = self.chance(30)
        declared = f"{kind} " if not self.outside else ""
        if self.slanted:
            head = self.slanted_head(declared, step)
        elif self.chance(70):
            bound = f"{SHORT}" if self.short else self.one_of(f"{HIGH}", "last", f"width - {WIDTH - HIGH}")
            head = f"for ({declared}j = {LOW}; j < {bound}; j += {step})"
        else:
            head = f"for ({declared}j = {SHORT if self.short else HIGH}; j > {LOW}; j -= {step})"
        before = f"{self.one_of('const ', '') if not self.at_outside else ''}"
        at = ""
        if self.index:
            at = f"at = i * width + {self.column('j')};"
            at = at if self.at_outside else f"{before}{self.one_of('int', 'long')} {at}"
        local = "unsigned t = j * 3u; " if self.chance(30) else ""
        self.scalars += ["t"] if local else []
        body = self.body()
        loops = f"{head} {{ {at} {local}{body} }}"
        if self.chance(25) and not at:  # another loop in front of it, perhaps with other bounds
            other = head if self.short or self.chance(80) else self.slanted_head(declared, step)
            between = self.one_of(
                "",
                "",
                "unsigned w = i + 5u;",
                f"unsigned w = a[i * {WIDTH}];",
                *(f"{s} += 3u;" for s in self.scalars[:1] if s != "t"),
            )
            self.scalars = [s for s in self.scalars if s != "t"]
            loops = f"{other} {{ {self.body()} }} {between} {loops}"
        self.scalars = [s for s in self.scalars if s != "t"]
        return loops

    def body(self) -> str:
        body = " ".join(self.statement("j") for _ in range(self.number(1, 3)))
        picked = self.number(0, 14)
        modulus = self.one_of("2", "2", "3", "4")
        value = self.one_of("i + j", "j - i", "j", "3 * j + i", "2 * j + i")
        if picked == 0:
            return f"if (({value}) % {modulus} == {self.one_of('0', '1', 'i % 2', 'gap', 'j % 2')}) {{ {body} }}"
        if picked == 1:
            return f"if (({value}) & 1) {{ {body} }}" + (
                f" else {{ {self.statement('j')} }}" if self.chance(30) else ""
            )
        if picked == 2:
            return f"if (({value}) % {modulus} != 0) continue; {body}"
        if picked == 3:
            return f"if (!(({value}) & 3) && j > {LOW}) {{ {body} }}"
        return body

    def slanted_head(self, declared: str, step: int) -> str:
        """A loop whose bounds depend on the row."""
        start = self.one_of(
            f"{LOW}",
            f"{LOW} + i",
            f"{LOW} + (i + gap) % 2",
            f"{LOW + 1} + (i - 5) % 2",
            f"{LOW} + (i & 3)",
            "i < 9 ? 8 : i",
            "from",
        )
        end = self.one_of(f"{HIGH}", "last", "last - i", f"{HIGH} - i % 3", f"{LOW + 9} + i", "2 * i + 9")
        if self.chance(75):
            return f"for ({declared}j = {start}; j {self.one_of('<', '<=')} {end}; j += {self.one_of('1', '1', '2', str(step))})"
        return f"for ({declared}j = {self.one_of(f'{HIGH}', f'{HIGH} - i', f'{HIGH} - (i & 1)')}; j {self.one_of('>', '>=')} {self.one_of(f'{LOW}', f'{LOW} + i', f'{LOW} + i % 2')}; j -= {step})"

    def kernel(self, number: int) -> tuple[str, str]:
        """(a function with a kernel, its calls)"""
        self.rows, self.matrices, self.index = self.chance(30), self.chance(30), False
        self.outside, self.at_outside = self.chance(30), self.chance(50)
        self.gaps = self.chance(40)
        self.slanted = self.chance(35)
        self.short = not self.slanted and self.chance(30)  # loops that are shorter than some distances
        self.reduction = self.one_of("+", "^", "max") if self.chance(30) else ""
        self.scalars = ["u"] if self.chance(50) else []
        self.written = self.one_of("a", "a", "b")
        self.wild = self.chance(35)
        kind = self.number(0, 11)
        if kind == 0:
            return self.team_kernel(number)
        if kind <= 2:
            self.rows, self.matrices, self.gaps, self.short, self.reduction, self.scalars = (False,) * 4 + ("", [])
        lines = []
        if self.rows:
            lines += [f"unsigned *{n}_row = {n} + i * {WIDTH};" for n in "abc"]
        if self.matrices:
            lines += [f"unsigned (*{n}_matrix)[{WIDTH}] = (unsigned (*)[{WIDTH}]){n};" for n in "abc"]
        if self.scalars:
            lines.append(f"unsigned u{self.one_of(' = i', ' = 1', '')};")
            if not lines[-1].endswith(("i;", "1;")):
                lines.append("u = 7;")
        if self.chance(10):
            lines.append(f"if (i % {self.number(2, 5)} == 1) continue;")
        if self.outside:
            lines.append(f"{self.one_of(*_TYPES)} j;")
        if self.at_outside:
            lines.append("long at;")
        lines.append("const int from = 8 + i % 4;")
        lines.append(self.checkered() if kind in (1, 2) else self.inner())
        if kind not in (1, 2) and self.chance(12):
            lines.append(f"{self.written}[i * {WIDTH}] += {self.one_of('3u', *self.scalars)};")
        if kind not in (1, 2) and self.chance(12):
            lines.insert(-1, f"{self.written}[i * {WIDTH} + {self.number(LOW, HIGH)}] = 5u;")
        clause = f" reduction({self.reduction}: total)" if self.reduction else ""
        directive = "target teams distribute parallel for"
        if self.chance(20):
            clause += self.one_of(" thread_limit(48)", " num_threads(width)", " thread_limit(1)", " num_teams(3)")
        if self.chance(20):  # one thread
            directive, clause = "target", " map(tofrom: total)"
        loop = "for (int i = 0; i < rows; ++i)"
        if directive != "target" and self.chance(15):
            clause += " collapse(2)"
            loop = "for (int h = 0; h < rows / 6; ++h) for (int r = 0; r < 6; ++r)"
            lines.insert(0, "const int i = h * 6 + r;")
        elif directive != "target" and "num_teams" not in clause and self.chance(10):
            directive = "target parallel for"
            clause = clause.replace("thread_limit(1)", "")
        body = "\n        ".join(lines)
        head = "int rows, int width, int last, int gap, unsigned *a, unsigned *b, unsigned *c"
        loop = f"{loop} {{\n        {body}\n    }}"
        structure = self.chance(40)
        if structure:  # everything comes in a structure by value
            loop = re.sub(r"\b(rows|width|last|gap|a|b|c)\b", r"given.\1", loop)
            head, clause = "struct given given", clause.replace("(width)", "(given.width)")
            sections = ", ".join(f"given.{n}[0:2 * given.rows * given.width]" for n in "abc")
            clause += f" map(to: given.rows, given.width, given.last, given.gap) map(tofrom: {sections})"
        elif self.chance(30):  # sections of some, of several lengths: all of the memory is on the device
            for name in "abc":
                section = self.one_of(
                    "0:2 * rows * width",
                    "0:rows * width",
                    "width:width",
                    f"{LOW}:rows * width / 2",
                    "width:rows * width",
                )
                clause += f" map(tofrom: {name}[{section}])" if self.chance(70) else ""
        text = (
            f"static unsigned kernel{number}({head})\n{{\n"
            f"    unsigned total = 0;\n#pragma omp {directive}{clause}\n"
            f"    {loop}\n    return total;\n}}\n"
        )
        return text, self.calls(number, structure, kind in (1, 2))

    def calls(self, number: int, structure: bool, checkered: bool, apart: bool = False) -> str:
        """Three calls of a kernel. Arrays that lie ``apart`` are not the same, and all parts of a checkerboard keep
        their colour."""
        calls = ""
        for _ in range(3):
            shifts = [self.number(0, _MARGIN) if self.chance(30) and not apart else 0 for _ in range(3)]
            shifts = [s & ~1 for s in shifts] if checkered else shifts
            mixed = self.chance(60) and not apart
            arrays = [self.one_of("x", "y", "z") for _ in range(3)] if mixed else ["x", "y", "z"]
            names = ", ".join(f"{n} + {s}" for n, s in zip(arrays, shifts, strict=True))
            gap = self.one_of("0", "1", "2", *([f"{ROWS * WIDTH}"] * 3 if not checkered else ["-1", "-2"]))
            values = f"{ROWS}, {WIDTH}, {HIGH}, {gap}, {names}"
            values = f"(struct given){{{values}}}" if structure else values
            calls += f"    show({number}, kernel{number}({values}));\n"
        return calls

    def checkered(self) -> str:
        """Updates of one colour of a checkerboard, which reads the other one's fields above and below."""
        end = self.one_of("last", "last", "last - 1", f"{HIGH}", f"{HIGH - 1}")
        around = (
            "const int up = i > 0 ? i - 1 : rows - 1, down = i < rows - 1 ? i + 1 : 0; "
            f"const int left = j > {LOW} ? j - 1 : {end} - 1, right = j < {end} - 1 ? j + 1 : {LOW};"
        )
        array = self.one_of("a", "b", self.written, self.written)
        fields = [f"{array}[{row} * width + j]" for row in ("up", "down")]
        fields += [f"{array}[i * width + {column}]" for column in ("left", "right", "j")]
        seen = " + ".join(self.random.sample(fields, self.number(2, 5)))
        own = f"{self.written}[i * {WIDTH} + j]"
        change = self.one_of(
            f"{own} {self.one_of('=', '+=', '^=')} {seen};",
            f"if (({seen}) % 3u) {own} = {seen} + {self.value('j')};",
            f"const unsigned sum = {seen}; {own} = sum * 5u + {own};",
        )
        return f"for (int j = {LOW} + (i + gap) % 2; j < {end}; j += 2) {{ {around} {change} }}"

    def team_kernel(self, number: int) -> tuple[str, str]:
        """A kernel in which every team has a row, and parallel regions exchange values in arrays of the team's."""
        steps = [self.team_step() for _ in range(self.number(3, 7))]
        body = "\n        ".join(
            [
                f"unsigned held = c[i * {WIDTH} + {self.number(LOW, HIGH)}], one[{WIDTH}], two[{WIDTH}];",
                f"\n#pragma omp parallel for\n        for (int j = 0; j < {WIDTH}; ++j) one[j] = i + j * 3u, two[j] = j ^ held;",
                *steps,
                f"\n#pragma omp parallel for\n        for (int j = 0; j < {WIDTH}; ++j) a[i * {WIDTH} + j] += one[j] + two[j] * 3u;",
            ]
        )
        limit = self.one_of("", " thread_limit(32)", " thread_limit(48)", " num_teams(5)")
        text = (
            f"static unsigned kernel{number}(int rows, int width, int last, int gap, unsigned *a, unsigned *b, unsigned *c)\n"
            f"{{\n#pragma omp target teams distribute{limit}\n"
            f"    for (int i = 0; i < rows; ++i) {{\n        {body}\n    }}\n    return 0;\n}}\n"
        )
        return text, self.calls(number, False, False, apart=True)

    def team_step(self, depth: int = 0) -> str:
        """A parallel region of a team, or what its first thread does between two."""
        to, source = self.random.choice([("one", "two"), ("two", "one")])
        start, end = self.one_of("0", f"{LOW}"), self.one_of(f"{HIGH}", "last", "40", f"{WIDTH - _MARGIN}")
        away = self.one_of("j", f"{WIDTH - 1} - j", f"j + {_MARGIN}", "(j * 7) % 90", f"{LOW} + j % 3")
        mine = self.one_of("one", "two", "a", "b")
        column = self.number(LOW, HIGH)
        head = f"\n#pragma omp parallel for\n        for (int j = {start}; j < {end}; ++j)"
        value = self.one_of(
            f"{source}[{away}] + held", f"{source}[{away}] * 3u + {to}[j]", f"{to}[j] ^ c[i * {WIDTH} + {away}]"
        )
        kind = self.number(0, 9)
        if kind <= 3:
            return f"{head} {to}[j] = {value};"
        if kind == 4:
            element = f"{mine}[i * {WIDTH} + j]" if mine in ("a", "b") else f"{mine}[j]"
            return f"{head} {element} += {element} * 2u + held;"
        if kind == 5:
            return f"{head.replace(' for', ' for reduction(+: held)', 1)} held += {source}[{away}];"
        if kind == 6:
            return f"held = held * 3u + {source}[{column}];"
        if kind == 7:
            return f"{to}[{column}] = held + {source}[{self.number(LOW, HIGH)}];"
        if depth < 2:
            inner = f"{self.team_step(depth + 1)} {self.team_step(depth + 1)}"
            inner = inner.replace("#pragma", "\n#pragma")
            return (
                f"if (held % 3u) {{ {inner} }}"
                if kind == 8
                else f"for (int r = 0; r < {self.number(1, 3)}; ++r) {{ {inner} }}"
            )
        return f"held += {source}[{column}];"

    def text(self) -> str:
        kernels = [self.kernel(number) for number in range(self.count)]
        together = self.chance(30)  # all arrays in one piece of memory
        size = 2 * ROWS * WIDTH + 16
        declared = (
            f"static unsigned memory[3 * {size}];\n#define x memory\n#define y (memory + {size})\n#define z (memory + 2 * {size})\n"
            if together
            else f"static unsigned x[{size}], y[{size}], z[{size}];\n"
        )
        mapped = "memory" if together else "x, y, z"
        return (
            f"#include <stdio.h>\n{declared}"
            "struct given { int rows, width, last, gap; unsigned *a, *b, *c; };\n"
            "static unsigned mix(unsigned p, unsigned q) { for (unsigned k = 0; k < p % 4u; ++k) q = q * 5u + p; return q; }\n"
            "static unsigned get(const unsigned *p, int k) { return p[k] * 2u; }\n"
            "static void put(unsigned *p, int k, unsigned v) { if (v & 1u) p[k] += v; else p[k] = v; }\n"
            "static void swap(unsigned *p, unsigned *q) { unsigned t = *p; *p = *q; *q = t; }\n"
            "static unsigned *moved(unsigned *p, int k) { return p + k; }\n"
            "static void bump(unsigned *p, unsigned v) { *p = *p * 3u + v; }\n"
            "static unsigned next(unsigned *seed) { *seed = *seed * 1664525u + 1013904223u; return *seed >> 8; }\n"
            "static void show(int number, unsigned total)\n{\n    unsigned sum = 0;\n"
            f"#pragma omp target update from({mapped})\n"
            f"    for (int k = 0; k < {size}; ++k)\n        sum = sum * 31u + x[k] * 7u + y[k] * 3u + z[k];\n"
            '    printf("%d %u %u\\n", number, total, sum);\n}\n'
            + "".join(text for text, _ in kernels)
            + f"int main(void)\n{{\n    for (int k = 0; k < {size}; ++k)\n        x[k] = k * 3u, y[k] = k * 5u + 1u, z[k] = k ^ 9u;\n"
            f"#pragma omp target enter data map(to: {mapped})\n"
            + "".join(calls for _, calls in kernels)
            + f"#pragma omp target exit data map(release: {mapped})\n    return 0;\n}}\n"
        )
