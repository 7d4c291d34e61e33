"""Random C functions of integers: conversions, jumps, short circuits, bit-fields, and writes inside of conditions."""

from __future__ import annotations

from random import Random

TYPES = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool")
PARAMETERS = ("p0", "p1", "p2", "p3")
LOCALS = ("v0", "v1", "v2")
PLACES = ("a[{} & 7]", "s.w", "s.n", "s.i", "(*(a + ({} & 3)))", "q[{} & 1]")
OPERATORS = ("+", "-", "*", "&", "|", "^", "<", "==", ">=", "&&", "||")
STRUCT = "struct s { unsigned long w : 40; int n : 5; short i; };\n"


class Functions:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.loops = 0

    def name(self) -> str:
        return self.random.choice((*PARAMETERS, *LOCALS))

    def lvalue(self) -> str:
        if self.random.random() < 0.7:
            return self.name()
        return self.random.choice(PLACES).format(self.name())

    def expression(self, depth: int = 0) -> str:
        """An expression that changes nothing."""
        choice = self.random.random()
        if depth > 2 or choice < 0.3:
            return self.random.choice((self.lvalue(), str(self.random.randint(-300, 300)), "70000u", "5000000000l"))
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if choice < 0.65:
            return f"({a} {self.random.choice(OPERATORS)} {b})"
        if choice < 0.75:
            return f"({a} ? {b} : {self.expression(depth + 1)})"
        if choice < 0.85:
            return f"({self.random.choice(TYPES)}){a}"
        if choice < 0.95:
            return f"({a} {self.random.choice(('<<', '>>'))} ({b} & 7))"
        return self.random.choice((f"~{a}", f"!{a}", f"-({a})", f"({a} % 7u)"))

    def effect(self) -> str:
        """An expression that changes something, and whose operands are evaluated in one order."""
        target, value = self.lvalue(), self.expression(1)
        kind = self.random.randrange(4)
        if kind == 0:
            return f"{target} = {value}"
        if kind == 1:
            return f"{target} {self.random.choice(('+', '-', '*', '&', '|', '^'))}= {value}"
        if kind == 2:
            return f"{target} {self.random.choice(('<<', '>>'))}= ({value}) & 3"
        return self.random.choice((f"{target}++", f"--{target}"))

    def condition(self) -> str:
        """An expression with points between its parts at which all before is done."""
        kind = self.random.randrange(5)
        if kind == 0:
            return f"({self.effect()}, {self.expression()})"
        if kind == 1:
            return f"({self.expression()}) {self.random.choice(('&&', '||'))} ({self.effect()})"
        if kind == 2:
            return f"({self.effect()}) {self.random.choice(('&&', '||'))} ({self.expression()})"
        if kind == 3:
            return f"{self.expression()} ? ({self.effect()}) : ({self.effect()})"
        return self.expression()

    def block(self, depth: int, inside: bool = False, loop: bool = False) -> str:
        items = [self.statement(depth, inside, loop) for _ in range(self.random.randint(1, 3))]
        return "{ " + " ".join(items) + " }"

    def statement(self, depth: int = 0, inside: bool = False, loop: bool = False) -> str:
        kind = self.random.randrange(12 if depth < 3 else 4)
        if loop and self.random.random() < 0.2:
            return f"if ({self.condition()}) continue;"
        if inside and self.random.random() < 0.15:
            return f"if ({self.condition()}) break;"
        if kind < 4:
            return f"{self.effect()};"
        if kind < 6:
            return f"if ({self.condition()}) {self.block(depth + 1, inside, loop)}"
        if kind == 6:
            then, otherwise = (self.block(depth + 1, inside, loop) for _ in range(2))
            return f"if ({self.condition()}) {then} else {otherwise}"
        if kind < 9:
            self.loops += 1
            k, body = f"k{self.loops}", self.block(depth + 1, True, True)
            form = self.random.randrange(3)
            if form == 0:
                step = self.random.choice((f"{k}++", f"{k}++, {self.effect()}"))
                return f"for (int {k} = 0; {k} < 3; {step}) {body}"
            if form == 1:
                return f"{{ int {k} = 0; while ({k}++ < 2 && ({self.condition()})) {body} }}"
            return f"{{ int {k} = 0; do {body} while ({k}++ < 2 && ({self.condition()})); }}"
        if kind == 9:
            parts = [f"case {n}: {self.effect()}; {self.random.choice(('break;', ''))}" for n in range(2)]
            parts.append(self.random.choice((f"default: {self.effect()};", "case 3: break;", "")))
            return f"switch ({self.condition()}) {{ {' '.join(parts)} }}"
        if kind == 10:
            value = self.expression().replace("v0", "v1")  # of the new variable that has the other's name
            return f"{{ {self.random.choice(TYPES)} v0 = {value}; {self.statement(depth + 1)} p0 += v0; }}"
        if self.random.random() < 0.3:
            return f"if ({self.condition()}) return {self.expression()};"
        return f"{self.condition()};"

    def function(self, name: str) -> str:
        parameters = ", ".join(f"{self.random.choice(TYPES)} {p}" for p in PARAMETERS)
        values = "\n    ".join(self.statement() for _ in range(self.random.randint(3, 7)))
        declared = " ".join(f"{self.random.choice(TYPES)} {v} = {n};" for n, v in enumerate(LOCALS))
        total = " ".join(f"h = h * 31 + (unsigned long){v};" for v in (*PARAMETERS, *LOCALS, "s.w", "s.n", "s.i"))
        return (
            f"unsigned long {name}({parameters})\n{{\n    unsigned long h = 0;\n"
            f"    int a[8] = {{ 1, 2, [5] = 3 }}; long *q, r[2] = {{ 4, 5 }}; struct s s = {{ 1, .i = 2 }}; q = r;\n"
            f"    {declared}\n    {values}\n    {total}\n"
            "    for (int k = 0; k < 8; ++k) h = h * 31 + (unsigned long)a[k];\n    return h + r[0] + r[1];\n}\n"
        )


def unit(seed: int, count: int) -> str:
    """A C unit with ``count`` functions ``f0``, ``f1`` and so on, which take and return numbers."""
    return STRUCT + "\n".join(Functions(seed * 10_000 + n).function(f"f{n}") for n in range(count))
