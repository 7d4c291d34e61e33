"""Directive text to objects."""

from __future__ import annotations

import subprocess
import sys

import pytest
from directives_support import meaning, parse

from rex_build.base.diagnostics import InputError
from rex_build.directives.clauses import combined_names
from rex_build.directives.model import (
    Clause,
    DefaultmapClause,
    DependClause,
    ExprClause,
    Index,
    KeywordClause,
    ListClause,
    MapClause,
    Member,
    ReductionClause,
    ScheduleClause,
    Section,
    TextClause,
)


def only(text, kind=Clause):
    (clause,) = parse(text).clauses
    assert type(clause) is kind or kind is Clause
    return clause


def texts(items):
    return [item.text for item in items]


@pytest.mark.parametrize(
    ("text", "constructs", "association"),
    [
        ("target", ("target",), "block"),
        ("target teams", ("target", "teams"), "block"),
        ("target parallel for simd", ("target", "parallel", "for", "simd"), "loop"),
        (
            "target teams distribute parallel for simd",
            ("target", "teams", "distribute", "parallel", "for", "simd"),
            "loop",
        ),
        ("target teams loop", ("target", "teams", "loop"), "loop"),
        ("target loop", ("target", "loop"), "loop"),
        ("target data map(a)", ("target data",), "block"),
        ("target enter data map(to: a)", ("target enter data",), "none"),
        ("target exit data map(from: a)", ("target exit data",), "none"),
        ("target update to(a)", ("target update",), "none"),
        ("target_enter_data map(to: a)", ("target enter data",), "none"),
        ("declare target", ("declare target",), "delimited"),
        ("declare target(f, a)", ("declare target",), "none"),
        ("declare target to(f) device_type(any)", ("declare target",), "none"),
        ("declare target enter(f) link(a)", ("declare target",), "none"),
        ("begin declare target device_type(nohost)", ("begin declare target",), "delimited"),
        ("end declare target", ("end declare target",), "none"),
        ("parallel masked taskloop simd", ("parallel", "masked", "taskloop", "simd"), "loop"),
        ("parallel master taskloop", ("parallel", "master", "taskloop"), "loop"),
        ("parallel sections", ("parallel", "sections"), "block"),
        ("section", ("section",), "separating"),
        ("scan inclusive(a)", ("scan",), "separating"),
        ("cancellation point for", ("cancellation point",), "none"),
        ("cancel parallel if(a)", ("cancel",), "none"),
        ("ordered", ("ordered",), "block"),
        ("ordered simd", ("ordered",), "block"),
        ("ordered depend(source)", ("ordered",), "none"),
        ("ordered doacross(sink: i - 1)", ("ordered",), "none"),
        ("atomic capture seq_cst", ("atomic",), "block"),
        ("flush acq_rel", ("flush",), "none"),
        ("taskwait depend(in: a) nowait", ("taskwait",), "none"),
        ("metadirective when(device={kind(gpu)}: teams loop) otherwise(parallel loop)", ("metadirective",), "none"),
        ("begin declare variant match(device={kind(gpu)})", ("begin declare variant",), "delimited"),
        ("declare variant(f_gpu) match(device={kind(gpu)})", ("declare variant",), "declaration"),
        ("declare simd uniform(n) aligned(a: 32) notinbranch", ("declare simd",), "declaration"),
        ("declare reduction(mine: int: omp_out += omp_in) initializer(omp_priv = 0)", ("declare reduction",), "none"),
        ("declare mapper(struct vec v) map(v, v.p[0:v.n])", ("declare mapper",), "none"),
        ("requires unified_shared_memory", ("requires",), "none"),
        ("tile sizes(4, 8)", ("tile",), "loop"),
        ("unroll partial(4)", ("unroll",), "loop"),
        ("interop init(targetsync: o) device(0)", ("interop",), "none"),
        ("depobj(o) depend(in: a)", ("depobj",), "none"),
        ('error at(compilation) severity(warning) message("m")', ("error",), "none"),
        ("assume holds(n > 0)", ("assume",), "block"),
        ("nothing", ("nothing",), "none"),
        ("threadprivate(a)", ("threadprivate",), "none"),
        ("allocate(a) allocator(omp_default_mem_alloc)", ("allocate",), "none"),
        ("scope reduction(+: a)", ("scope",), "block"),
    ],
)
def test_directive_names(text, constructs, association):
    directive = parse(text)
    assert directive.constructs == constructs
    assert directive.name == " ".join(constructs)
    assert directive.association == association
    assert not [c for c in directive.clauses if isinstance(c, TextClause) and c.error]


@pytest.mark.parametrize("name", combined_names())
def test_every_name_in_the_table_parses(name):
    needs = {"target update": " to(a)", "target data": " map(a)", "declare mapper": " map(a)"}
    extra = needs.get(name, " map(a)" if name.endswith("data") else "")
    assert parse(name + extra).name == name


def test_the_combined_names_of_the_standard_are_there():
    names = set(combined_names())
    assert {"target teams distribute parallel for simd", "target parallel loop", "masked taskloop simd"} <= names
    assert not {"target for", "distribute parallel", "teams parallel for", "target distribute"} & names
    assert len(names) == len(combined_names())


@pytest.mark.parametrize(
    ("text", "map_type", "modifiers", "items"),
    [
        ("target map(a)", "tofrom", (), ["a"]),
        ("target map(to:a[0:n])", "to", (), ["a[0:n]"]),
        ("target map( to : a [ 0 : n ] , b )", "to", (), ["a[0:n]", "b"]),
        ("target map(always,to:a)", "to", ("always",), ["a"]),
        ("target map(always tofrom: a)", "tofrom", ("always",), ["a"]),
        ("target map(to, close: a)", "to", ("close",), ["a"]),
        ("target map(always: a)", "tofrom", ("always",), ["a"]),
        ("target map(to)", "tofrom", (), ["to"]),
        ("target map(to: to)", "to", (), ["to"]),
        ("target map(a[n > 0 ? 0 : 1:n])", "tofrom", (), ["a[n > 0 ? 0 : 1:n]"]),
        ("target enter data map(a)", "to", (), ["a"]),
        ("target exit data map(a)", "from", (), ["a"]),
        ("target exit data map(release: a)", "release", (), ["a"]),
        ("target exit data map(delete: a[:0])", "delete", (), ["a[:0]"]),
        ("target map(mapper(deep), to: a)", "to", (), ["a"]),
    ],
)
def test_map(text, map_type, modifiers, items):
    clause = only(text, MapClause)
    assert (clause.map_type, clause.modifiers, texts(clause.items)) == (map_type, modifiers, items)


def test_map_with_iterator_and_mapper():
    clause = only("target map(iterator(it = 0:n, long j=1:m:2), mapper(m), to: a[it][j])", MapClause)
    one, two = clause.iterators
    assert (one.type_text, one.name, one.begin.text, one.end.text, one.step) == ("int", "it", "0", "n", None)
    assert (two.type_text, two.name, two.step and two.step.text) == ("long", "j", "2")
    assert clause.mapper == "m"


def test_locator_steps():
    clause = only("target map(to: s.p[lo:n][k], q->r->x, *p, (*q).v[1:2:3], *q->w, (a)[:])", MapClause)
    shape = [[(type(s).__name__, getattr(s, "name", None)) for s in item.steps] for item in clause.items]
    assert shape == [
        [("Member", "p"), ("Section", None), ("Index", None)],
        [("Member", "r"), ("Member", "x")],
        [("Index", None)],
        [("Index", None), ("Member", "v"), ("Section", None)],
        [("Member", "w"), ("Index", None)],
        [("Section", None)],
    ]
    assert [item.name for item in clause.items] == ["s", "q", "p", "q", "q", "a"]
    section = clause.items[0].steps[1]
    assert isinstance(section, Section)
    assert (section.lower.text, section.length.text, section.stride) == ("lo", "n", None)
    strided = clause.items[3].steps[2]
    assert isinstance(strided, Section)
    assert (strided.lower.text, strided.length.text, strided.stride.text) == ("1", "2", "3")
    whole = clause.items[5].steps[0]
    assert isinstance(whole, Section)
    assert (whole.lower, whole.length, whole.stride) == (None, None, None)
    assert [isinstance(s, Member) and s.arrow for s in clause.items[1].steps] == [True, True]
    dereferenced = clause.items[2].steps[0]
    assert isinstance(dereferenced, Index)
    assert dereferenced.expr.text == "0"


def test_sums_in_locators():
    listed = "*(p + n - 1), (q + 2)[lo:3], (r + k)[:2], (*(s + i)).v[1], (t + 1)[j]"
    items = only(f"target map(to: {listed})", MapClause).items
    assert [item.name for item in items] == ["p", "q", "r", "s", "t"]
    first = [item.steps[0] for item in items]
    assert [s.expr.text for s in first if isinstance(s, Index)] == ["n - 1", "i", "(1) + (j)"]
    assert [s.lower.text for s in first if isinstance(s, Section) and s.lower] == ["(2) + (lo)", "k"]
    assert items[3].text == "(*(s + i)).v[1]"


def test_array_shaping():
    (item,) = only("target update to(([n][m + 1])p[0:2][1:3])", ListClause).items
    assert (item.name, texts(item.shape), len(item.steps)) == ("p", ["n", "m + 1"], 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("teams num_teams(n)", (None, None, "n")),
        ("teams num_teams(2 : n > 1 ? n : 4)", (None, "2", "n > 1 ? n : 4")),
        ("target if(n>10)", (None, None, "n > 10")),
        ("target if(target: n>10 ? 1:0)", ("target", None, "n > 10 ? 1 : 0")),
        ("target if(a ? b : c)", (None, None, "a ? b : c")),
        ("target data map(x) if(target data: f(a, b))", ("target data", None, "f(a, b)")),
        ("target device(device_num: d)", ("device_num", None, "d")),
        ("target device(ancestor: 1)", ("ancestor", None, "1")),
        ("for ordered(2)", (None, None, "2")),
        ("for ordered", (None, None, None)),
        ("taskloop grainsize(strict: 4)", ("strict", None, "4")),
        ("target nowait", (None, None, None)),
        ("parallel num_threads((int)sizeof(struct s) * -1)", (None, None, "(int) sizeof(struct s) * -1")),
        ("simd safelen(8)", (None, None, "8")),
    ],
)
def test_expressions(text, expected):
    clause = next(c for c in parse(text).clauses if isinstance(c, ExprClause))
    lower = clause.lower and clause.lower.text
    assert (clause.modifier, lower, clause.expr and clause.expr.text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for reduction(+:a,b)", ("+", None, ["a", "b"])),
        ("for reduction( && : a )", ("&&", None, ["a"])),
        ("for reduction(|:a)", ("|", None, ["a"])),
        ("for reduction(^:a)", ("^", None, ["a"])),
        ("for reduction(-:a)", ("-", None, ["a"])),
        ("for reduction(*:a[0:n])", ("*", None, ["a[0:n]"])),
        ("for reduction(max:a)", ("max", None, ["a"])),
        ("for reduction(inscan, mine: a)", ("mine", "inscan", ["a"])),
        ("task in_reduction(+: a)", ("+", None, ["a"])),
        ("taskgroup task_reduction(min: a)", ("min", None, ["a"])),
    ],
)
def test_reductions(text, expected):
    clause = only(text, ReductionClause)
    assert (clause.operator, clause.modifier, texts(clause.items)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for schedule(static)", ("static", (), None)),
        ("for schedule(static,4)", ("static", (), "4")),
        ("for schedule(monotonic, simd : dynamic, n/2)", ("dynamic", ("monotonic", "simd"), "n / 2")),
        ("distribute dist_schedule( static , n )", ("static", (), "n")),
    ],
)
def test_schedules(text, expected):
    clause = only(text, ScheduleClause)
    assert (clause.kind, clause.modifiers, clause.chunk and clause.chunk.text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("target depend(in:a[0:n],b)", ("in", ["a[0:n]", "b"], "in: a[0:n], b")),
        ("target depend(inout : *p)", ("inout", ["*p"], "inout: *p")),
        (
            "target depend(iterator(int i=0:n:2), out: a[i])",
            ("out", ["a[i]"], "iterator(int i = 0: n: 2), out: a[i]"),
        ),
        ("task depend(depobj: o)", ("depobj", ["o"], "depobj: o")),
        ("task depend(out: omp_all_memory)", ("out", ["omp_all_memory"], "out: omp_all_memory")),
        ("ordered depend(sink: i - 1, j)", ("sink", [], "sink: i - 1, j")),
        ("ordered depend(source)", ("source", [], "source")),
        ("ordered doacross(source:)", ("source", [], "source: ")),
        ("ordered doacross(source: omp_cur_iteration)", ("source", [], "source: omp_cur_iteration")),
    ],
)
def test_dependences(text, expected):
    clause = only(text, DependClause)
    assert (clause.kind, texts(clause.items), clause.text) == (expected[0], expected[1], expected[2].strip())


@pytest.mark.parametrize(
    ("text", "value", "modifier"),
    [
        ("parallel default(none)", "none", None),
        ("parallel proc_bind(close)", "close", None),
        ("for order(concurrent)", "concurrent", None),
        ("for order(reproducible:concurrent)", "concurrent", "reproducible"),
        ("loop bind(teams)", "teams", None),
        ("declare target device_type(nohost)", "nohost", None),
        ("depobj(o) update(inout)", "inout", None),
    ],
)
def test_keywords(text, value, modifier):
    clause = only(text, KeywordClause)
    assert (clause.value, clause.modifier) == (value, modifier)


def test_defaultmap():
    clauses = parse("target defaultmap(tofrom:scalar) defaultmap(none : pointer)").clauses
    assert [(c.behavior, c.category) for c in clauses if isinstance(c, DefaultmapClause)] == [
        ("tofrom", "scalar"),
        ("none", "pointer"),
    ]
    assert only("target defaultmap(none)", DefaultmapClause).category is None


@pytest.mark.parametrize(
    ("text", "items", "modifiers", "step"),
    [
        ("for private(a,b)", ["a", "b"], (), None),
        ("for lastprivate(conditional: a)", ["a"], ("conditional",), None),
        ("simd linear(i)", ["i"], (), None),
        ("simd linear(i,j:2)", ["i", "j"], (), "2"),
        ("simd linear(val(i):n)", ["i"], ("val",), "n"),
        ("simd linear(i : val, step(3))", ["i"], ("val",), "3"),
        ("simd aligned(a : 64)", ["a"], (), "64"),
        ("parallel allocate(omp_default_mem_alloc: a)", ["a"], (), "omp_default_mem_alloc"),
        ("parallel allocate(align(16), allocator(al): a)", ["a"], ("align(16)",), "al"),
        ("target update from(present, mapper(m): a)", ["a"], ("present",), None),
        ("target data use_device_ptr(p, q)", ["p", "q"], (), None),
        ("target data use_device_addr(a[0:n])", ["a[0:n]"], (), None),
    ],
)
def test_lists(text, items, modifiers, step):
    clause = parse(text).clauses[-1]
    assert isinstance(clause, ListClause)
    assert (texts(clause.items), clause.modifiers, clause.step and clause.step.text) == (items, modifiers, step)


def test_arguments_of_directives():
    assert texts(parse("flush(a, b)").arguments) == ["a", "b"]
    assert texts(parse("declare target (f,a)").arguments) == ["f", "a"]
    named = parse("critical ( name ) hint(1)")
    assert (named.argument_text, named.arguments, [c.name for c in named.clauses]) == ("name", (), ["hint"])


def test_commas_between_clauses_are_optional():
    spaced = parse("target teams , num_teams(4),thread_limit(8) nowait,map(a)")
    assert [c.name for c in spaced.clauses] == ["num_teams", "thread_limit", "nowait", "map"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("target map(to:a[0:n])if(target:n>1)", "target   map ( to : a [ 0 : n ] )  if ( target : n > 1 )"),
        ("for reduction(&&:a)schedule(static,4)", "for , reduction ( && : a ) ,\tschedule ( static , 4 )"),
        ("target map(q->p[ -1 : - -n ])", "target map( q -> p [-1:- -n])"),
    ],
)
def test_whitespace_has_no_meaning(one, other):
    assert meaning(parse(one).clauses) == meaning(parse(other).clauses)


def test_spaces_that_keep_tokens_apart_stay():
    (section,) = parse("target map(a[x - -y:b+ +c])").clauses[0].items[0].steps
    assert (section.lower.text, section.length.text) == ("x - -y", "b + +c")


def test_brackets_in_literals_are_no_brackets():
    clause = only("""target if(f(")", ')') > 0)""", ExprClause)
    assert clause.expr.text == """f(")", ')') > 0"""


def test_places():
    directive = parse("target  map(to: a, b[0:n]) if(x)")
    assert (directive.span.column, directive.span.length) == (1, 32)
    mapped, condition = directive.clauses
    assert (mapped.span.column, mapped.span.length) == (9, 18)
    assert [(i.span.column, i.span.length) for i in mapped.items] == [(17, 1), (20, 6)]
    assert (condition.span.column, condition.expr.span.column) == (28, 31)


@pytest.mark.parametrize(
    "text",
    [
        "parallel fancy(1, 2)",
        "parallel for reduction(what is this)",
        "for collapse",
        "for schedule(novel)",
        "task depend(new: a)",
        "parallel private(a[0:3])",
        "parallel num_threads(",
        "parallel if(for: 1) ;",
        "parallel map(to: a)",
        "parallel num_threads(1) num_threads(2)",
        "flush(1 + 2)",
    ],
)
def test_what_stays_on_the_host_is_not_judged(text):
    directive = parse(text)
    assert directive.constructs[0] in text


def test_an_unreadable_clause_keeps_its_text_and_the_reason():
    clause = only("for schedule( novel )", TextClause)
    assert clause.text == "schedule(novel)"
    assert isinstance(clause.error, InputError)


def test_importing_is_light():
    code = "import sys, rex_build.directives.parser; print([m for m in ('jinja2', 'difflib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_directive_from_the_command_line():
    def run(text):
        return subprocess.run([sys.executable, "-m", "rex_build.directives", text], capture_output=True, text=True)

    good = run("target map(to: a[0:n])")
    assert (good.returncode, good.stderr) == (0, "")
    assert "map_type: to" in good.stdout
    bad = run("target mpa(a)")
    assert (bad.returncode, bad.stdout) == (1, "")
    assert bad.stderr.splitlines()[:3] == [
        "directive:1:8: error: unknown clause 'mpa' on 'target'",
        "    1 | target mpa(a)",
        "      |        ^~~",
    ]
