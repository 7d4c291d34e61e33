# ruff: noqa: E501 -- lines of the generated C stand whole
"""Whole C programs with target regions, drawn at random: every one of them is defined, prints its data and ends.

All arithmetic is on unsigned integers, so that no order of evaluation or reduction shows. What threads write does not
overlap: a parallel loop writes only the elements of its own iterations, reduces into scalars, or updates atomically.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from constructs import Constructs
from data_constructs import DataConstructs
from hypothesis import strategies as st
from loop_constructs import LoopConstructs
from thread_constructs import ThreadConstructs
from vocabulary import OPERATORS, SIZE

TYPES = ("_Bool", "unsigned char", "unsigned short", "unsigned int", "unsigned long", "unsigned long long", "signed char", "short", "int", "long")
LOOPS = (
    "target teams distribute parallel for",
    "target parallel for",
    "target teams distribute parallel for simd",
    "target teams distribute",
    "target teams loop",
    "target simd",
)
INNER = ("parallel for", "parallel for simd", "parallel loop")
REDUCTIONS = ("+", "*", "&", "|", "^", "max", "min")

Draw = Callable[[st.SearchStrategy[object]], object]


class Program(Constructs, LoopConstructs, DataConstructs, ThreadConstructs):
    """Builds one program's text. ``draw`` is Hypothesis's; arrays are ``a0``..., scalars ``s0``..., both global."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.begun = 0
        self.begin()
        self.arrays = [self.one_of(TYPES) for _ in range(self.number(2, 4))]
        self.scalars = [self.one_of(TYPES[1:]) for _ in range(self.number(1, 3))]
        self.has_struct = self.boolean()
        self.functions = 0
        self.names = 0
        self.declarations: dict[str, None] = {}

    def begin(self) -> None:
        """Begin a statement, which is all of one draw: Hypothesis can leave statements out of a program that fails,
        but it discards programs of too many draws, and with them the larger statements."""
        self.begun += 1  # Hypothesis likes some numbers more than others: let them not mean the same statement always
        self.random = random.Random(f"{self.begun} {self.draw(st.integers(0, 2**64 - 1))}")

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def boolean(self) -> bool:
        return self.random.random() < 0.5

    def one_of(self, items: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(items)

    def declare(self, text: str) -> None:
        self.declarations[text] = None

    def fresh(self) -> int:
        self.names += 1
        return self.names

    # -- expressions: unsigned, without side effects, defined for every input -------------------------------------

    def expression(self, readable: list[str], depth: int = 0) -> str:
        """``readable`` are texts of scalar values; ``#`` in one stands for an index expression."""
        if depth > 2 or self.number(0, 3) == 0:
            if readable and self.number(0, 3):
                text = self.one_of(readable)
                return text.replace("#", f"({self.expression([r for r in readable if '#' not in r], depth + 1)}) % {SIZE}")
            return f"{self.number(0, 300)}u"
        kind = self.number(0, 6)
        one = self.expression(readable, depth + 1)
        if kind == 0:
            return f"(unsigned)~({one})"
        other = self.expression(readable, depth + 1)
        if kind == 1:
            return f"(({one}) {self.one_of(('<', '>', '==', '!=', '<=', '>='))} ({other}) ? 1u : 7u)"
        if kind == 2:
            return f"(({one}) / (({other}) % 13u + 1u))"
        if kind == 3:
            return f"((unsigned)({one}) {self.one_of(('<<', '>>'))} (({other}) % 9u))"
        if kind == 4 and self.functions:
            return f"f{self.number(0, self.functions - 1)}((unsigned)({one}), (unsigned)({other}))"
        return f"((unsigned)({one}) {self.one_of(OPERATORS)} (unsigned)({other}))"

    # -- parts of the program ----------------------------------------------------------------------------------------

    def function(self) -> str:
        body = self.expression(["x", "y"])
        extra = ""
        if self.boolean():
            extra = f"    for (unsigned k = 0; k < x % 5u; ++k)\n        y = y * 3u + {self.expression(['x', 'y', 'k'])};\n"
        if self.boolean():
            values = ", ".join(str(self.number(0, 255)) for _ in range(5))
            extra += f"    static const unsigned char table[5] = {{{values}}};\n    y ^= table[x % 5u];\n"
        if self.boolean():
            extra += f"    if (x > 20u)\n        return f{self.functions}(x / 3u, y + 1u) ^ y;\n"
        if self.boolean():
            extra += f"    switch (x % 4u) {{\n    case 0:\n        y += {self.expression(['x', 'y'])};\n    case 1:\n"
            extra += f"        y ^= 5u;\n        break;\n    default:\n        x = {self.expression(['x', 'y'])};\n    }}\n"
        number, self.functions = self.functions, self.functions + 1
        return f"static unsigned f{number}(unsigned x, unsigned y)\n{{\n{extra}    return (unsigned)({body});\n}}\n\n"

    def readable(self, *extra: str, without: tuple[str, ...] = ()) -> list[str]:
        """What a region may read: not the arrays and scalars that other threads write meanwhile."""
        found = [f"{_unsigned(t)}a{i}[#]" for i, t in enumerate(self.arrays) if f"a{i}" not in without]
        found += [f"{_unsigned(t)}s{i}" for i, t in enumerate(self.scalars) if f"s{i}" not in without]
        if self.has_struct and "box" not in without:
            found += ["box.value", "box.items[#]"]
        return [*found, *extra]

    def head(self, spelling: str, written: str, reduction: str = "") -> str:
        """A target loop directive with maps for what it writes, and clauses that do not change the result."""
        clauses = []
        if written:
            clauses.append(f"map(tofrom: {written})")
        if reduction:
            clauses.append(reduction)
        if "teams" in spelling and self.boolean():
            clauses.append(f"num_teams({self.number(1, 5)})")
        if "parallel for" in spelling and self.boolean():
            clauses.append(f"schedule({self.one_of(('static', 'static, 3', 'dynamic', 'guided, 2'))})")
        if "distribute" in spelling and self.boolean():
            clauses.append("dist_schedule(static, 4)")
        if "parallel" in spelling and "loop" not in spelling and self.boolean():
            clauses.append(f"num_threads({self.number(1, 6)})")
        if self.number(0, 4) == 0:
            clauses.append(f"if(target: s0 % {self.number(1, 3)}u == 0)")
        return f"#pragma omp {spelling} {' '.join(clauses)}".rstrip() + "\n"

    def bounds(self, name: str = "i") -> tuple[str, str]:
        """(loop head over some of the elements, each at most once; the element's index)."""
        low, step = self.number(0, 6), self.number(1, 4)
        high = self.number(low, SIZE)
        if self.boolean():
            return f"for (int {name} = {low}; {name} < {high}; {name} += {step})", name
        return f"for (int {name} = {high} - 1; {name} >= {low}; {name} -= {step})", name

    def elementwise(self) -> str:
        array = self.number(0, len(self.arrays) - 1)
        loop, index = self.bounds()
        readable = self.readable(f"(unsigned)a{array}[{index}]", f"(unsigned){index}", without=(f"a{array}",))
        value = self.expression(readable)
        body = f"        a{array}[{index}] = {value};\n"
        if self.boolean():
            body = f"        unsigned t = {self.expression(readable)};\n        if (t % 3u)\n    {body}"
            body += f"        a{array}[{index}] += t;\n"
        section = self.one_of((f"a{array}", f"a{array}[0:{SIZE}]"))
        return f"{self.head(self.one_of(LOOPS), section)}    {loop} {{\n{body}    }}\n"

    def collapsed(self) -> str:
        array = self.number(0, len(self.arrays) - 1)
        rows = self.one_of(("4", "6", "8"))
        columns = SIZE // int(rows)
        value = self.expression(self.readable("(unsigned)i", "(unsigned)j", without=(f"a{array}",)))
        spelling = self.one_of(LOOPS[:3])
        head = self.head(spelling, f"a{array}").rstrip() + " collapse(2)\n"
        return (
            f"{head}    for (int i = 0; i < {rows}; ++i)\n        for (int j = 0; j < {columns}; ++j)\n"
            f"            a{array}[i * {columns} + j] += {value};\n"
        )

    def reduced(self) -> str:
        which = self.number(0, len(self.scalars) - 1)
        scalar = f"s{which}"
        signed = bool(_unsigned(self.scalars[which]))
        operator = self.one_of(REDUCTIONS[2:] if signed else REDUCTIONS)
        loop, index = self.bounds()
        value = self.expression(self.readable(f"(unsigned){index}", without=(scalar,)))
        if operator in ("max", "min"):
            body = f"        {self.scalars[which]} t = {value};\n        if (t {'>' if operator == 'max' else '<'} {scalar})\n"
            body += f"            {scalar} = t;\n"
        else:
            body = f"        {scalar} {operator}= {value};\n"
        spelling = self.one_of(LOOPS[:5])
        return f"{self.head(spelling, '', f'reduction({operator}: {scalar})')}    {loop} {{\n{body}    }}\n"

    def sequence(self) -> str:
        """A region with sequential code around parallel loops, which share its local variables."""
        array = self.number(0, len(self.arrays) - 1)
        scalar = f"s{self.number(0, len(self.scalars) - 1)}"
        lines = [f"#pragma omp target map(tofrom: a{array}, {scalar})\n    {{\n        unsigned t = {self.number(0, 9)}u;\n"]
        for _ in range(self.number(1, 4)):
            kind = self.number(0, 5)
            outside = self.readable("t", without=())
            if kind == 0:
                lines.append(f"        t = {self.expression(outside)};\n")
            elif kind == 1:
                test = self.expression(outside)
                lines.append(f"        for (unsigned k = 0; k < ({test}) % 6u; ++k)\n")
                lines.append(f"            a{array}[k] += {self.expression([*outside, 'k'])};\n")
            elif kind == 2:
                value = self.expression(self.readable("t", "(unsigned)i", without=(f"a{array}",)))
                lines.append(f"#pragma omp {self.one_of(INNER)}\n        {self.bounds()[0]}\n            a{array}[i] ^= {value};\n")
            elif kind == 3:
                value = self.expression(self.readable("(unsigned)i", without=(scalar,)))
                lines.append("#pragma omp parallel for reduction(+: t)\n")
                lines.append(f"        {self.bounds()[0]}\n            t += {value};\n")
            elif kind == 4:
                value = self.expression(self.readable("(unsigned)i", without=(scalar, f"a{array}")))
                lines.append(f"#pragma omp parallel\n        {{\n#pragma omp for\n            {self.bounds()[0]} {{\n")
                lines.append(f"                unsigned v = {value};\n#pragma omp atomic\n                t += v;\n            }}\n")
                lines.append(f"#pragma omp single\n            {scalar} += t;\n        }}\n")
            else:
                lines.append(f"        if (({self.expression(outside)}) % 2u) {{\n#pragma omp parallel for\n")
                value = self.expression(self.readable("(unsigned)i", without=(f"a{array}",)))
                lines.append(f"            for (int i = 0; i < {SIZE}; ++i)\n                a{array}[i] -= {value};\n        }}\n")
        lines.append(f"        {scalar} ^= t;\n    }}\n")
        return "".join(lines)

    def structure(self) -> str:
        value = self.expression(self.readable("(unsigned)i", without=("box",)))
        if self.boolean():
            items = f"box.items[0:{SIZE}]"
            return (
                f"{self.head(self.one_of(LOOPS[:4]), items)}    for (int i = 0; i < {SIZE}; ++i)\n"
                f"        box.items[i] += {value};\n"
            )
        return f"#pragma omp target map(tofrom: box)\n    {{\n        unsigned i = 3;\n        box.value += {value};\n    }}\n"

    def statement(self, depth: int = 0) -> str:
        kind = self.number(0, 19)
        if kind > 7 and depth == 0:
            constructs = (*self.CONSTRUCTS, *self.LOOP_CONSTRUCTS, *self.DATA_CONSTRUCTS, *self.THREAD_CONSTRUCTS)
            return constructs[self.number(0, len(constructs) - 1)](self)
        if kind == 0:
            return self.collapsed()
        if kind == 1:
            return self.reduced()
        if kind == 2:
            return self.sequence()
        if kind == 3 and self.has_struct:
            return self.structure()
        if kind == 4 and depth == 0:
            inside = "".join(self.statement(1) for _ in range(self.number(1, 3)))
            names = [f"a{i}" for i in range(len(self.arrays)) if self.boolean()] or ["a0"]
            # Scalars stay unmapped here: what the host reads in between would be the old value.
            return f"#pragma omp target data map(tofrom: {', '.join(names)})\n    {{\n{self.synchronised(inside, names)}    }}\n"
        return self.elementwise()

    @staticmethod
    def synchronised(inside: str, names: list[str]) -> str:
        """Statements in a data region; the host's copies are brought up to date, since an if clause may need them."""
        update = f"#pragma omp target update from({', '.join(names)})\n"
        return inside.replace("if(target:", "device(0) /* no if */ if(target: 1 ||") + update

    def whole(self, form: str = "", statements: int = 0) -> str:
        """The program, of a few statements of any forms or of so many ``statements`` of one."""
        functions = "".join(self.function() for _ in range(self.number(0, 3)))
        body = ""
        for _ in range(statements or int(str(self.draw(st.integers(1, 5))))):
            self.begin()
            body += FORMS[form](self) if form else self.statement()
        text = "#include <stdio.h>\n\n"
        for i, kind in enumerate(self.arrays):
            text += f"static {kind} a{i}[{SIZE}];\n"
        for i, kind in enumerate(self.scalars):
            text += f"static {kind} s{i} = {self.number(0, 1000)};\n"
        if self.has_struct:
            text += f"static struct {{\n    unsigned value;\n    unsigned short items[{SIZE}];\n}} box;\n"
        text += "static unsigned short pool[96];\nstatic struct {\n    unsigned a : 5, b : 11;\n    unsigned char c;\n    long d;\n} rec[12];\n"
        text += f"\n{functions}{''.join(self.declarations)}\nint main(void)\n{{\n    for (int i = 0; i < {SIZE}; ++i) {{\n"
        for i in range(len(self.arrays)):
            text += f"        a{i}[i] = i * {self.number(1, 99)}u + {self.number(0, 99)}u;\n"
        text += f"    }}\n{body}    for (int i = 0; i < {SIZE}; ++i)\n        printf("
        shown = [f"(unsigned long long)a{i}[i]" for i in range(len(self.arrays))]
        text += '"' + " ".join(["%llu"] * len(shown)) + '\\n", ' + ", ".join(shown) + ");\n"
        for i in range(len(self.scalars)):
            text += f'    printf("%llu\\n", (unsigned long long)s{i});\n'
        if self.has_struct:
            text += f"    unsigned sum = box.value;\n    for (int i = 0; i < {SIZE}; ++i)\n        sum = sum * 31u + box.items[i];\n"
            text += '    printf("%u\\n", sum);\n'
        text += "    unsigned long long hash = 0;\n    for (int i = 0; i < 96; ++i)\n        hash = hash * 31u + pool[i];\n"
        text += "    for (int i = 0; i < 12; ++i)\n        hash = hash * 31u + rec[i].a + rec[i].b * 7u + rec[i].c * 3u + (unsigned)rec[i].d;\n"
        return text + '    printf("%llu\\n", hash);\n    return 0;\n}\n'


# What a program can be made of alone.
FORMS: dict[str, Callable[[Program], str]] = {
    form.__name__: form
    for form in (
        Program.elementwise,
        Program.collapsed,
        Program.reduced,
        Program.sequence,
        Program.structure,
        *Program.CONSTRUCTS,
        *Program.LOOP_CONSTRUCTS,
        *Program.DATA_CONSTRUCTS,
        *Program.THREAD_CONSTRUCTS,
    )
}


def of_one_form(seed: int, form: str, statements: int) -> str:
    """The text of a program with so many statements of one form."""
    numbers = random.Random(f"{form} {seed}")
    program = Program(lambda _: numbers.getrandbits(64))
    program.has_struct = program.has_struct or form == "structure"
    return program.whole(form, statements)


def _unsigned(kind: str) -> str:
    """The cast that keeps arithmetic on values of the type unsigned."""
    return "" if kind.startswith("unsigned") else "(unsigned)"


@st.composite
def programs(draw: Draw) -> str:
    """The text of one program."""
    return Program(draw).whole()
