"""C units as trees that know no language: whole programs are understood, and what C does silently is written out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from pycparser import c_ast

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tree"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "differential"))

from csmith import SMALL, generate, is_installed
from generate import programs
from well_formed import problems

from rex_build.base.diagnostics import InputError
from rex_build.c.front_end import read_unit
from rex_build.c.reading.statements import Reader
from rex_build.c.sema.layout import sema_of
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest
from rex_build.tree import nodes as tree
from rex_build.tree.types import Integer

PROGRAMS = sorted((Path(__file__).resolve().parents[2] / "programs").glob("*.c"))
# What the reader does not understand in all programs of the tests, which stays as short as this.
NOT_UNDERSTOOD = {
    "the size of an expression of variable length",
    "the size of an incomplete type",
    "a construct that could not be read",
}


def bodies(source: Path, flags: tuple[str, ...] = ()) -> Iterator[tree.Body]:
    """The functions of a unit."""
    unit = read_unit(preprocessed(LowerRequest(source, source.parent, cflags=flags)), True)
    sema = sema_of(unit)
    reader = Reader(sema)
    for function in unit.every_function.ext:
        if isinstance(function, c_ast.FuncDef):
            try:
                sema.analyse(function, True)
            except InputError:
                continue
            yield reader.body(function)


def check(found: Iterator[tree.Body]) -> Counter[str]:
    """Refuse trees that are not well formed. Returns why nodes are Opaque."""
    reasons: Counter[str] = Counter()
    for body in found:
        wrong = list(problems(body.statement))
        assert not wrong, (body.function.name, wrong)
        reasons.update(n.why for n in tree.walk(body.statement) if isinstance(n, tree.Opaque))
    return reasons


def function(tmp_path: Path, text: str) -> tree.Body:
    """The last function of a unit."""
    source = tmp_path / "unit.c"
    source.write_text(text)
    return list(bodies(source))[-1]


def every(body: tree.Body, kind: type[tree.Node]) -> list[tree.Node]:
    return [n for n in tree.walk(body.statement) if isinstance(n, kind)]


@pytest.mark.sampled(4)
@pytest.mark.compile
@pytest.mark.parametrize("part", range(8))
def test_all_programs_are_understood(part: int) -> None:
    reasons: Counter[str] = Counter()
    for source in PROGRAMS[part::8]:
        try:
            reasons += check(bodies(source))
        except InputError:
            continue
    assert set(reasons) <= NOT_UNDERSTOOD
    assert reasons.total() <= 12, reasons


@pytest.mark.compile
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate,))
@given(programs())
def test_generated_programs_are_understood(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        source = Path(folder, "unit.c")
        source.write_text(text)
        assert not check(bodies(source))


@pytest.mark.compile
@pytest.mark.skipif(not is_installed(), reason="csmith and its headers (libcsmith-dev) are not installed")
@pytest.mark.parametrize("seed", [20, 22, 23])
def test_programs_of_csmith_are_understood(seed: int, tmp_path: Path) -> None:
    found = generate(seed, tmp_path, SMALL)
    assert found is not None
    (source,) = found[0].sources
    assert not check(bodies(source, tuple(found[0].cflags)))


def test_conversions_are_nodes(tmp_path: Path) -> None:
    body = function(tmp_path, "void f(char c, unsigned char *p, double d) { *p = c + d; p[c] += c; }")
    shown = [
        (n.value.type.bits if isinstance(n.value.type, Integer) else "float",
         n.type.bits if isinstance(n.type, Integer) else "float")
        for n in every(body, tree.Convert) if isinstance(n, tree.Convert)
    ]  # fmt: skip
    assert shown == [("float", 8), (32, "float"), (8, 32), (8, 32)]
    (update,) = every(body, tree.Update)
    assert isinstance(update, tree.Update)
    assert update.computed == Integer(32, True, 4)


def test_a_bit_field_is_as_wide_as_it_says(tmp_path: Path) -> None:
    """gcc computes with 40 bits in C, and promotes what fits into an int."""
    body = function(tmp_path, "struct s { unsigned long w : 40; unsigned n : 5; };"
                    "long f(struct s *p) { return (p->w + 1) + (p->n - 6); }")  # fmt: skip
    sums = [n.type for n in every(body, tree.Binary)]
    assert sums == [Integer(40, False, 8), Integer(40, False, 8), Integer(32, True, 4)]


def test_lengths_are_evaluated_once(tmp_path: Path) -> None:
    body = function(tmp_path, "double f(int n) { double a[n][n + 1]; n = 7; return a[1][2] + sizeof a; }")
    declared = [n.variable.name for n in every(body, tree.Declare) if isinstance(n, tree.Declare)]
    assert declared == ["length", "length", "a"]


def test_what_is_not_understood_mentions_its_variables(tmp_path: Path) -> None:
    body = function(tmp_path, "int f(int x, int *p) { int nested(int y) { return y + x; } return nested(*p); }")
    (opaque,) = every(body, tree.Opaque)
    assert isinstance(opaque, tree.Opaque)
    assert [n.variable.name for n in opaque.mentions or () if isinstance(n, tree.Named)] == ["y", "x"]
    assembly = function(tmp_path, 'void f(int x) { __asm__("nop" : "+r"(x)); }')
    (found,) = every(assembly, tree.Opaque)
    assert isinstance(found, tree.Opaque)
    assert found.mentions is None
    assert found.jumps


def test_a_cleanup_ends_its_variable(tmp_path: Path) -> None:
    body = function(tmp_path, "void end(int *); void f(void) { __attribute__((cleanup(end))) int x = 1, y; x = 2; }")
    found = {n.variable.name: n.end for n in every(body, tree.Declare) if isinstance(n, tree.Declare)}
    assert isinstance(found["x"], tree.Call)
    (argument,) = found["x"].arguments
    assert isinstance(argument, tree.AddressOf)


def test_clauses_have_expressions(tmp_path: Path) -> None:
    body = function(tmp_path, "void f(int n, short k, double *a) {\n"
                    "#pragma omp target map(tofrom: a[0:n]) if(k > 3)\n{ a[0] = 1; }\n}\n")  # fmt: skip
    (construct,) = every(body, tree.Construct)
    assert isinstance(construct, tree.Construct)
    assert [v.name for v in construct.variables] == ["a"]
    texts = {e.text: value for e, value in construct.expressions}
    assert isinstance(texts["k > 3"], tree.Binary)
    assert isinstance(texts["k > 3"].left, tree.Convert)
    assert isinstance(texts["n"], tree.Load)
