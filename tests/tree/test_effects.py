"""What is claimed of what a program does, against runs of it.

The interpreter runs the tree; that the tree means what the C meant, the same functions compiled by gcc say.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from interpreter import Address, Interpreter, wrapped
from random_functions import unit
from reading_c import read

from rex_build.tree import nodes as tree
from rex_build.tree.flow import Effects, effects_of, is_written_first, leaks
from rex_build.tree.symbols import Function, Variable
from rex_build.tree.values import object_of

COUNT = 40


class Trace:
    """The accesses of one run of a function, and which of its parameters are read before they are written."""

    def __init__(self, bodies: dict[str, tree.Body], body: tree.Body, arguments: list[int]) -> None:
        self.accesses: list[tuple[tree.Node, bool, bool]] = []
        self.read_first: set[Variable] = set()
        self._written: set[object] = set()
        by_function: dict[Function, tree.Body] = {b.function: b for b in bodies.values()}
        self._run = Interpreter(by_function, self._note)
        self.result = self._run.call(body, arguments)

    def _note(self, node: tree.Node, at: Address, reads: bool, writes: bool) -> None:
        if len(self._run.frames) > 1:
            return
        self.accesses.append((node, reads, writes))
        for variable, place in self._run.frames[0].items():
            if place is at.object and reads and place not in self._written:
                self.read_first.add(variable)
        if writes:
            self._written.add(at.object)


def arguments_of(body: tree.Body, random: Random) -> list[int]:
    return [wrapped(random.choice((0, 1, 3, -1, random.getrandbits(64))), p.type) for p in body.parameters]


@pytest.mark.compile
@pytest.mark.parametrize("seed", range(3))
def test_random_functions(seed: int, tmp_path: Path) -> None:
    text = unit(seed, COUNT)
    bodies = read(tmp_path, text)
    library = tmp_path / "unit.so"
    flags = ("-std=gnu11", "-w", "-O0", "-fwrapv", "-shared", "-fPIC")
    subprocess.run(["gcc", *flags, "-o", library, tmp_path / "unit.c"], check=True)
    compiled = ctypes.CDLL(str(library))
    claims = 0
    for name, body in bodies.items():
        assert not [n for n in tree.walk(body.statement) if isinstance(n, tree.Opaque)]
        effects = effects_of(body.statement)
        first = {p for p in body.parameters if is_written_first(body.statement, p)}
        claims += len(first)
        random, call = Random(seed), getattr(compiled, name)
        call.restype, call.argtypes = ctypes.c_uint64, [ctypes.c_int64] * 4
        for _ in range(6):
            arguments = arguments_of(body, random)
            trace = Trace(bodies, body, arguments)
            assert trace.result == call(*arguments), (name, arguments)
            check(trace, effects, name)
            assert not first & trace.read_first, (name, [v.name for v in first & trace.read_first])
    assert claims > 0


def check(trace: Trace, effects: Effects, name: str) -> None:
    """Each access that happened is claimed, in this order, and each certain one has happened."""
    claimed = {(a.node, a.reads or not a.writes, a.writes): a for a in effects.accesses}
    known = {node: a for (node, _, _), a in claimed.items()}
    order = {a.node: number for number, a in enumerate(effects.accesses)}
    last = -1
    for node, reads, writes in trace.accesses:
        access = known.get(node)
        assert access is not None, (name, node)
        assert access.reads or not reads, (name, node)
        assert access.writes or not writes, (name, node)
        if not access.loops:
            assert order[node] >= last, (name, node)
            last = order[node]
    happened = {node for node, _, _ in trace.accesses}
    missing = [a for a in effects.accesses if a.certain and a.node not in happened]
    assert not missing, (name, missing)


def first_in(tmp_path: Path, text: str, name: str = "k") -> bool:
    """Whether a variable is written first in the block that ends a function."""
    body = read(tmp_path, f"void use(int *); int any(void); void f(int n, int *a, int k) {{ {text} }}")["f"]
    variable = next(p for p in body.parameters if p.name == name)
    return is_written_first(body.statement, variable)


@pytest.mark.parametrize(
    "text",
    [
        "k = n; a[0] = k;",
        "if (n) k = 1; else k = 2; a[0] = k;",
        "for (k = 0; k < n; k++) a[k] = k;",
        "int t = (k = 3, 4); a[k] = t;",
        "if ((k = n) > 0) a[k] = 1;",
        "do { k = n; if (k) break; } while (n); a[0] = k;",
        "if (n) return; k = 1; a[0] = k;",
        "for (int j = 0; j < n; j++) { if (j == 3) continue; k = j; a[j] = k; }",
        "switch (n) { case 1: k = 3; break; default: k = 4; } a[0] = k;",
        "goto l; a[0] = k; l: k = 1; a[0] = k;",
        "a[sizeof k] = 0;",
    ],
)
def test_written_first(tmp_path: Path, text: str) -> None:
    assert first_in(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "a[0] = k; k = n;",
        "k += n;",
        "if (n) k = 1; a[0] = k;",
        "int q = k++; a[0] = q;",
        "n && (k = 3); a[0] = k;",
        "for (int j = 0; j < n; j++) k = j; a[0] = k;",
        "for (int j = 0; j < n; a[j] += k, j++) { if (a[j]) continue; k = j; }",
        "while (n--) { if (n == 3) break; k = 1; } a[0] = k;",
        "switch (n) { case 1: k = 3; break; case 2: k = 4; } a[0] = k;",
        "switch (n) { case 1: k = 3; case 2: a[0] = k; }",
        "k = 1; use(&k);",
        "if (n) goto l; k = 1; l: a[0] = k;",
        '__asm__("nop" : "+r"(n)); k = 1;',
        "\n#pragma omp parallel private(k)\n{ k = 1; }\na[0] = k;",
        "*a = n > 1 ? (k = 1) : n; a[1] = k;",
    ],
)
def test_not_written_first(tmp_path: Path, text: str) -> None:
    assert not first_in(tmp_path, text)


def test_where_places_are(tmp_path: Path) -> None:
    body = read(
        tmp_path,
        "struct s { int m[4]; int *to; }; void f(struct s x, struct s *p, int n, int *q) {"
        " x.m[n] = 1; p->m[1] = 2; (q + n)[1] = 3; *(&x.m[0] + 1) = 4; *p->to = 5; ((short *)q)[2] = 6; }",
    )["f"]
    objects = [object_of(a.place) for a in effects_of(body.statement).accesses if a.writes]
    shown = [f"{'*' if o.behind else ''}{o.variable.name}" if o is not None else "?" for o in objects]
    assert shown == ["x", "*p", "*q", "x", "?", "*q"]


def test_a_leak_is_any_address_of_a_part(tmp_path: Path) -> None:
    body = read(
        tmp_path, "void use(int *); void f(int n, int k) { struct { int m[3]; } s; use(s.m); use(&n); n = k; }"
    )["f"]
    variables = {n.variable.name: n.variable for n in tree.walk(body.statement) if isinstance(n, tree.Named)}
    assert {name for name, v in variables.items() if leaks(body.statement, v)} == {"s", "n"}
