"""Programs of any size, each a lot of one thing: levels of nesting, or declarations, statements and clauses."""

from __future__ import annotations

from collections.abc import Callable

# Each makes (text at file scope, statements) with n levels. The statements have ``int x, *y``.
Shape = Callable[[int], tuple[str, str]]


def _nested(before: str, middle: str, after: str) -> Shape:
    return lambda n: ("", before * n + middle + after * n)


def _expression(before: str, middle: str, after: str = "") -> Shape:
    return lambda n: ("", f"x = {before * n}{middle}{after * n};")


def _each(before: str, item: str, after: str = "", globals_: str = "") -> Shape:
    """``item`` n times, with its number for %d."""
    return lambda n: (globals_, before + "".join(item.replace("%d", str(k)) for k in range(n)) + after)


def _at_file_scope(item: str, statement: str, before: str = "", after: str = "") -> Shape:
    def shape(n: int) -> tuple[str, str]:
        text = "".join(item.replace("%d", str(k)).replace("%p", str(max(0, k - 1))) for k in range(1, n + 1))
        return before + text + after, statement.replace("%d", str(n))

    return shape


DEEP: dict[str, Shape] = {
    "parentheses": _expression("(", "x", ")"),
    "negations": _expression("- ", "x"),
    "nots": _expression("!", "x"),
    "casts": _expression("(int)", "x"),
    "conditions on the right": _expression("x ? 1 : ", "2"),
    "conditions in the middle": _expression("x ? ", "2", " : 1"),
    "assignments": _expression("x = ", "1"),
    "subscripts": _expression("y[", "0", "]"),
    "sums on the right": _expression("x + (", "x", ")"),
    "sums on the left": _expression("", "x", " + x"),
    "alternatives": _expression("x || (", "x", ")"),
    "statement expressions": _expression("({", "x", "; })"),
    "compound literals": _expression("(int){", "x", "}"),
    "generic selections": _expression("_Generic(0, int: ", "x", ")"),
    "addresses": _expression("*&", "x"),
    "calls": lambda n: ("static int f(int a) { return a; }\n", f"x = {'f(' * n}x{')' * n};"),
    "members": lambda n: ("struct s { struct s *p; int v; };\n", f"struct s s = {{ &s, 0 }}; x = s.p{'->p' * n}->v;"),
    "blocks": _nested("{", "x = 1;", "}"),
    "ifs": _nested("if (x) ", "x = 1;", ""),
    "ifs with braces": _nested("if (x) {\n", "x = 1;", "}\n"),
    "else ifs": _nested("if (x == 1) x = 2;\nelse ", "x = 0;", ""),
    "for loops": _nested("for (int k = 0; k < 1; k++) ", "x++;", ""),
    "while loops": _nested("while (x) ", "x--;", ""),
    "do loops": _nested("do ", "x = 0;", "while (x);"),
    "switches": _nested("switch (x) { case 0: ", "x = 0;", "}"),
    "structures": lambda n: (
        "".join(f"struct s{k} {{ " for k in range(n)) + "int v;" + "".join(f" }} m{k};\n" for k in range(n, 0, -1)),
        "x = sizeof m1;",
    ),
    "structures without names": lambda n: (
        "struct s { " + "struct { " * n + "int v;" + " };" * n + " };\n",
        "struct s s; s.v = x; x = s.v;",
    ),
    "types of types": lambda n: ("", f"{'typeof(' * n}int{')' * n} z = x; x = z;"),
    "macros": lambda n: ("#define M0 x\n" + "".join(f"#define M{k + 1} (M{k})\n" for k in range(n)), f"x = M{n};"),
    "names of types": _at_file_scope("typedef t%p t%d;\n", "t%d z = x; x = z;", "typedef int t0;\n"),
    "functions that call each other": _at_file_scope(
        "static int f%d(int a) { return f%p(a); }\n", "x = f%d(x);", "static int f0(int a) { return a; }\n"
    ),
    "a condition in a clause": lambda n: ("", f"#pragma omp parallel if({'(' * n}x{')' * n})\nx = 1;"),
}

WIDE: dict[str, Shape] = {
    "one sum": _expression("", "x", " + x"),
    "one comma expression": _nested("x++, ", "x++;", ""),
    "else ifs": _nested("if (x == 1) x = 2;\nelse ", "x = 0;", ""),
    "statements": _each("", "x += y[0];\n"),
    "variables": _each("", "int v%d = x; x += v%d;\n"),
    "blocks": _each("", "{ int v = x; x = v + 1; }\n"),
    "cases": _each("switch (x) {\n", "case %d: x = 1; break;\n", "}"),
    "strings": _each("const char *s =", ' "abc"\n', "; x = s[0];"),
    "elements": _each("static const int t[] = {", "%d,\n", "}; x = t[1];"),
    "functions": _at_file_scope("static int f%d(int a) { return a + %d; }\n", "x = f1(x);"),
    "globals": _at_file_scope("static int g%d = %d;\n", "x = g1;"),
    "types": _at_file_scope("typedef int t%d;\n", "t1 z = x; x = z;"),
    "members": _at_file_scope("int m%d;\n", "struct s z; z.m1 = x; x = z.m1;", "struct s {", "};\n"),
    "enumerators": _at_file_scope("e%d,\n", "x = e1;", "enum {", "};\n"),
    "line directives": _at_file_scope("#line %d\n", "x = 1;"),
    "parallel loops": _each("", "#pragma omp parallel for\nfor (int k = 0; k < 4; k++) y[k] += %d;\n"),
    "tiles": _each("", "#pragma omp tile sizes(2)\nfor (int k = 0; k < 4; k++) y[k] += %d;\n"),
    "metadirectives": _each(
        "", "#pragma omp metadirective when(user={condition(x > %d)}: parallel for)\nfor (int k = 0; k < 4; ++k) x++;\n"
    ),
    "records": _at_file_scope("struct s%d { int m; } g%d;\n", "x = g1.m;"),
    "atomics": _each("", "#pragma omp atomic\nx += %d;\n"),
    "tasks": _each("", "#pragma omp task\ny[0] += %d;\n"),
}


def unit(shape: Shape, n: int, in_region: bool, in_loop: bool = False) -> str:
    """A unit with the statements of a shape in a target region, in its loop, or in a function beside one."""
    around, statements = shape(n)
    if in_loop:
        head = "#pragma omp target teams distribute parallel for map(tofrom: x, y[0:10])\nfor (int i = 0; i < 9; ++i)"
        return f"{around}int tested(int x, int *y)\n{{\n{head} {{\n{statements}\n}}\nreturn x;\n}}\n"
    if in_region:
        statements = f"#pragma omp target map(tofrom: x, y[0:10])\n{{\n{statements}\n}}"
        return f"{around}int tested(int x, int *y)\n{{\n{statements}\nreturn x;\n}}\n"
    region = "void g(int *y)\n{\n#pragma omp target map(tofrom: y[0:1])\ny[0] = 1;\n}\n"
    return f"{around}int tested(int x, int *y)\n{{\n{statements}\nreturn x;\n}}\n{region}"


def regions(n: int) -> str:
    lines = "".join(f"#pragma omp target map(tofrom: y[0:10])\ny[{k % 10}] = {k};\n" for k in range(n))
    return f"void f(int *y)\n{{\n{lines}}}\n"


def items(n: int, clause: str) -> str:
    """A region with n variables, in one clause or by an implicit rule."""
    names = [f"v{k}" for k in range(n)]
    declared = "".join(f"int {name} = 0;\n" for name in names)
    used = "".join(f"{name}++;\n" for name in names)
    clause = clause.replace("ITEMS", ", ".join(names))
    return f"void f(void)\n{{\n{declared}#pragma omp target {clause}\n{{\n{used}}}\n}}\n"


def updates(n: int) -> str:
    return "void f(int *y)\n{\n" + "#pragma omp target update to(y[0:10])\n" * n + "}\n"


def loops(n: int, directive: str) -> str:
    """A region with n loops in one another below a directive."""
    heads = "".join(f"for (int i{k} = 0; i{k} < 1; i{k}++)\n" for k in range(n))
    return f"void f(int *y)\n{{\n#pragma omp target map(y[0:1])\n{directive}\n{heads}y[0] = 1;\n}}\n"


# Nests of directives, with the most that are taken and what is said of more.
NESTED: dict[str, tuple[Shape, int, str]] = {
    "tasks": (_nested("#pragma omp task\n{\n", "x = 1;", "}\n"), 199, "more than 200 constructs inside"),
    "parallel regions": (_nested("#pragma omp parallel\n", "x = 1;", ""), 199, "more than 200 constructs inside"),
    "tiles": (
        _nested("#pragma omp tile sizes(1)\n", "for (int k = 0; k < 4; k++) y[k] = 1;", ""), 50,
        "more than 50 directives above one loop",
    ),
    "collapse": (
        lambda n: (loops(n, f"#pragma omp parallel for collapse({n})"), ""), 200, "of more than 200 loops is not",
    ),
}  # fmt: skip

UNITS: dict[str, Callable[[int], str]] = {
    "regions": regions,
    "map items": lambda n: items(n, "map(tofrom: ITEMS)"),
    "implicit map items": lambda n: items(n, "defaultmap(tofrom)"),
    "firstprivate items": lambda n: items(n, "firstprivate(ITEMS)"),
    "regions in functions": lambda n: "".join(
        f"void f{k}(int *y)\n{{\n#pragma omp target map(y[0:9])\ny[{k % 9}] = {k};\n}}\n" for k in range(n)
    ),
    "arrays": lambda n: items(n, "").replace("= 0;", "[9];").replace("++;", "[0]++;"),
    "private items": lambda n: items(n, "private(ITEMS)"),
    "reduction items": lambda n: items(n, "parallel reduction(+: ITEMS)"),
    "globals": lambda n: (
        "".join(f"int g{k} = {k};\n" for k in range(n))
        + "void f(int *y)\n{\n#pragma omp target map(y[0:1])\n{\n"
        + "".join(f"y[0] += g{k};\n" for k in range(n))
        + "}\n}\n"
    ),
    "members": lambda n: (
        f"struct s {{ int {', '.join(f'm{k}' for k in range(n))}; }} s;\nvoid f(void)\n{{\n#pragma omp target\n{{\n"
        + "".join(f"s.m{k} = {k};\n" for k in range(n))
        + "}\n}\n"
    ),
    "called functions": lambda n: (
        "".join(f"static int f{k}(int a) {{ return a + {k}; }}\n" for k in range(n))
        + "void f(int *y)\n{\n#pragma omp target map(y[0:1])\n{\n"
        + "".join(f"y[0] += f{k}(y[0]);\n" for k in range(n))
        + "}\n}\n"
    ),
    "functions that call each other": lambda n: (
        "static int f0(int a) { return a; }\n"
        + "".join(f"static int f{k}(int a) {{ return f{k - 1}(a) + 1; }}\n" for k in range(1, n + 1))
        + f"void f(int *y)\n{{\n#pragma omp target map(y[0:1])\ny[0] = f{n}(y[0]);\n}}\n"
    ),
    "clauses": lambda n: items(n, "").replace("target ", "target " + " ".join(f"map(tofrom: v{k})" for k in range(n))),
    "sections of a construct": lambda n: (
        "void f(int *y)\n{\n#pragma omp target map(y[0:9])\n#pragma omp parallel sections\n{\n"
        + "".join(f"#pragma omp section\ny[{k % 9}] += {k};\n" for k in range(n))
        + "}\n}\n"
    ),
    "mappers": lambda n: (
        "".join(
            f"struct s{k} {{ int n; int *p; }};\n#pragma omp declare mapper(struct s{k} v) map(v, v.p[0:v.n])\n"
            for k in range(n)
        )
        + "void f(int *y)\n{\n"
        + "".join(
            f"struct s{k} a{k} = {{ 3, y }};\n#pragma omp target map(tofrom: a{k})\na{k}.p[0] = 1;\n" for k in range(n)
        )
        + "}\n"
    ),
    "variants": lambda n: (
        "".join(
            f"int v{k}(int a) {{ return a + {k}; }}\n"
            f"#pragma omp declare variant(v{k}) match(device={{kind(gpu)}})\nint b{k}(int a) {{ return a; }}\n"
            for k in range(n)
        )
        + "void f(int *y)\n{\n#pragma omp target map(y[0:2])\n{\n"
        + "".join(f"y[0] += b{k}(y[1]);\n" for k in range(n))
        + "}\n}\n"
    ),
    "updates": updates,
    "sections of one array": lambda n: (
        "void f(int *y)\n{\n#pragma omp target data map(to: " + ", ".join(f"y[{k}:1]" for k in range(n)) + ")\n{ }\n}\n"
    ),
    "sections of rows": lambda n: (
        "void f(int **y)\n{\n#pragma omp target map("
        + ", ".join(f"y[{k}][0:4]" for k in range(n))
        + ")\ny[0][0] = 1;\n}\n"
    ),
    "variables by value": lambda n: items(n, ""),
    "declare target": lambda n: (
        "#pragma omp declare target\n"
        + "".join(f"int f{k}(int a) {{ return a + {k}; }}\n" for k in range(n))
        + "#pragma omp end declare target\nvoid g(int *y)\n{\n#pragma omp target map(y[0:1])\ny[0] = f0(1);\n}\n"
    ),
}
