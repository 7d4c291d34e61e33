"""Wrong directives: the exact message, its place, and what the notes say."""

from __future__ import annotations

import pytest
from directives_support import FILE, LINE, parse

from rex_build.base.diagnostics import InputError
from rex_build.directives.parser import check_on_device, refuse_unsupported

COMBINED = "OpenMP 5.2, section 17.2 (clauses on combined and composite constructs)"
MAP = "OpenMP 5.2, section 5.8.3, map clause"

# text, column and length of the place, message, notes
WRONG = [
    ("", 1, 1, "expected the name of an OpenMP directive", ["OpenMP 5.2, section 3.1 (directive format)"]),
    (
        "taget map(a)", 1, 5, "unknown OpenMP directive 'taget'",
        ["did you mean 'target'?", "OpenMP 5.2, section 3.1 (directive format)"],
    ),
    (
        "declare targt", 1, 7, "unknown OpenMP directive 'declare'",
        ["did you mean 'declare target'?", "OpenMP 5.2, section 3.1 (directive format)"],
    ),
    ("zzz", 1, 3, "unknown OpenMP directive 'zzz'", ["OpenMP 5.2, section 3.1 (directive format)"]),
    (
        "target paralel for", 8, 7, "unknown clause 'paralel' on 'target'",
        ["did you mean 'parallel'?", "OpenMP 5.2, section 13.8 (target)"],
    ),
    (
        "target teams distribute colapse(2)", 25, 7, "unknown clause 'colapse' on 'target teams distribute'",
        ["did you mean 'collapse'?", COMBINED],
    ),
    ("target qqq(1)", 8, 3, "unknown clause 'qqq' on 'target'", ["OpenMP 5.2, section 13.8 (target)"]),
    (
        "target for", 8, 3, "'for' cannot be combined with 'target'",
        ["write 'target parallel for'", "OpenMP 5.2, section 17.3 (combined and composite directive names)"],
    ),
    (
        "target teams distribute parallel", 1, 32,
        "'target teams distribute parallel' is not complete: 'for' has to follow 'parallel'",
        ["OpenMP 5.2, section 17.3 (combined and composite directive names)"],
    ),
    (
        "target collapse(2)", 8, 11, "clause 'collapse' is not allowed on 'target'",
        ["it is allowed on distribute, for, loop, simd, taskloop: OpenMP 5.2, section 4.4.3 (collapse clause)"],
    ),
    (
        "target enter data map(to: a) map(a) private(b)", 37, 10,
        "clause 'private' is not allowed on 'target enter data'",
        [
            ("it is allowed on distribute, for, parallel, scope, sections, single, target, task, taskloop, teams, "
            "loop, simd: OpenMP 5.2, section 5.4.3 (private clause)")
        ],
    ),
    (
        "target update to(a) map(to: a)", 21, 10, "clause 'map' is not allowed on 'target update'",
        [
            ("it is allowed on target, target data, target enter data, target exit data, declare mapper: "
            "OpenMP 5.2, section 5.8.3 (map clause)")
        ],
    ),
    (
        "target device(1) map(a) device(0)", 25, 9, "clause 'device' appears more than once on 'target'",
        ["the first one is at stencil.c:12:8", "OpenMP 5.2, section 13.2 (device clause)"],
    ),
    (
        "target if(a) if(b)", 14, 5, "clause 'if' appears more than once on 'target'",
        ["the first one is at stencil.c:12:8", "OpenMP 5.2, section 3.4 (if clause)"],
    ),
    (
        "target parallel if(target: a) if(b)", 31, 5,
        "an 'if' clause without directive-name-modifier cannot stand beside one that has it",
        ["OpenMP 5.2, section 3.4 (if clause)"],
    ),
    (
        "target parallel if(targt: a)", 20, 5, "'targt' in 'if' clause is not a part of 'target parallel'",
        [
            "did you mean 'target'?",
            "the directive-name-modifier is one of: target, parallel (OpenMP 5.2, section 3.4, if clause)",
        ],
    ),
    (
        "target defaultmap(none) defaultmap(to: all)", 25, 19, "clause 'defaultmap' appears more than once on 'target'",
        ["the first one is at stencil.c:12:8", "OpenMP 5.2, section 5.8.7 (defaultmap clause)"],
    ),
    (
        "target map(tofrm: a[0:n])", 12, 5, "unknown map-type 'tofrm' in 'map' clause",
        ["did you mean 'tofrom'?", f"on 'target' the map-type is one of: alloc, from, to, tofrom ({MAP})"],
    ),
    (
        "target map(alway, to: a)", 12, 5, "unknown modifier 'alway' in 'map' clause",
        [
            "did you mean 'always'?",
            ("on 'target' the modifier is one of: always, close, iterator, mapper, ompx_hold, present, self "
            f"({MAP})"),
        ],
    ),
    (
        "target map(release: a)", 12, 7, "map-type 'release' is not allowed on 'target'",
        [f"on 'target' the map-type is one of: alloc, from, to, tofrom ({MAP})"],
    ),
    (
        "target enter data map(from: a)", 23, 4, "map-type 'from' is not allowed on 'target enter data'",
        [f"on 'target enter data' the map-type is one of: alloc, to, tofrom ({MAP})"],
    ),
    (
        "target exit data map(to: a)", 22, 2, "map-type 'to' is not allowed on 'target exit data'",
        [f"on 'target exit data' the map-type is one of: delete, from, release, tofrom ({MAP})"],
    ),
    ("target map(to, from: a)", 12, 8, "more than one map-type in 'map' clause", [MAP]),
    ("target map(: a)", 12, 1, "expected a modifier before ':' in 'map' clause", [MAP]),
    ("target map", 11, 1, "expected '(' after 'map'", [MAP]),
    ("target map nowait", 12, 6, "expected '(' after 'map'", [MAP]),
    ("target map()", 12, 1, "expected an argument in 'map' clause", [MAP]),
    ("target map(to:)", 15, 1, "expected a list item in 'map'", []),
    ("target map(to: a,, b)", 18, 1, "expected a list item in 'map'", []),
    ("target map(to: 1 + a)", 16, 5, "expected a variable or an array section in 'map'", []),
    (
        "target map(to: f(a))", 16, 4, "'f(a)' in 'map' is not a variable or an array section",
        [
            "give what the call returns a name, as in p = v.data(), and write p[0:n]",
            ("a list item is a variable, a member of one, an element or an array section such as 'a[lower:length]' "
            "(OpenMP 5.2, section 3.2.1)")
        ],
    ),
    (
        "target map(to: a[0:1:2:3])", 23, 2, "too many ':' in array section",
        ["an array section is [lower:length] or [lower:length:stride] (OpenMP 5.2, section 3.2.5)"],
    ),
    (
        "target map(to: a[])", 18, 1, "expected an index or an array section between '[' and ']'",
        ["an array section is [lower:length] or [lower:length:stride] (OpenMP 5.2, section 3.2.5)"],
    ),
    (
        "target map(to: a[0:n].x)", 22, 2, "a member cannot be taken of an array section",
        ["OpenMP 5.2, section 3.2.5 (array sections)"],
    ),
    ("target map(to: a[0:n)", 17, 1, "expected ']' in 'map' clause", ["to close this bracket"]),
    ("target map(to: a[0:n]", 11, 1, "expected ')' in 'map' clause", ["to close this bracket"]),
    ("target map(to: a])", 17, 1, "unexpected ']' in 'map' clause", []),
    ("target map(to: a))", 18, 1, "expected a clause, found ')'", []),
    ("target ; map(a)", 8, 1, "expected a clause, found ';'", []),
    ("target (a)", 8, 1, "expected a clause, found '('", None),
    ("target map(to: a[0 +:n])", 18, 3, "'0 +' is not a C expression", []),
    (
        "target parallel for reduction(sum)", 31, 3, "expected 'operator: list' in 'reduction' clause",
        ["OpenMP 5.2, section 5.5.8, reduction clause"],
    ),
    (
        "target parallel for reduction(/: a)", 31, 1, "unknown operator '/' in 'reduction' clause",
        [
            ("on 'target parallel for' the operator is one of: &, &&, *, +, -, ^, max, min, |, || "
            "(OpenMP 5.2, section 5.5.8, reduction clause)")
        ],
    ),
    (
        "target parallel for schedule(stattic, 2)", 30, 7, "unknown kind 'stattic' in 'schedule' clause",
        [
            "did you mean 'static'?",
            ("on 'target parallel for' the kind is one of: auto, dynamic, guided, runtime, static "
            "(OpenMP 5.2, section 11.5.3, schedule clause)"),
        ],
    ),
    (
        "target parallel for schedule(static, )", 38, 1, "expected an expression in 'schedule'", [],
    ),
    ("target parallel for collapse(2, 3)", 31, 3, "expected one expression in 'collapse'", []),
    ("target map(a[0, 1:2:3, 4])", 22, 3, "expected one expression in 'map'", []),
    ("target map(a[0, :2])", 17, 1, "expected an expression in 'map'", []),
    (
        "target depend(inn: a)", 15, 3, "unknown dependence-type 'inn' in 'depend' clause",
        [
            "did you mean 'in'?",
            ("on 'target' the dependence-type is one of: depobj, in, inout, inoutset, mutexinoutset, out, sink, source "
            "(OpenMP 5.2, section 15.9.5, depend clause)"),
        ],
    ),
    (
        "target depend(iterator(i), in: a[i])", 24, 1, "malformed iterator 'i'",
        ["an iterator is [type] name = begin:end[:step] (OpenMP 5.2, section 3.2.6)"],
    ),
    (
        "target private(a[0:2])", 16, 6, "'a[0:2]' in 'private' clause is not a variable",
        ["'private' takes a list of variables (OpenMP 5.2, section 3.2.1)"],
    ),
    (
        "target private(x: a)", 16, 1, "'private' takes no modifier", ["OpenMP 5.2, section 5.4.3, private clause"],
    ),
    (
        "target parallel default(some)", 25, 4, "unknown keyword 'some' in 'default' clause",
        [
            ("on 'target parallel' the keyword is one of: firstprivate, none, private, shared "
            "(OpenMP 5.2, section 5.4.1, default clause)")
        ],
    ),
    (
        "target parallel private(a) firstprivate(b, a)", 44, 1,
        "'a' appears in a 'private' and in a 'firstprivate' clause of 'target parallel'",
        ["OpenMP 5.2, section 5.4 (data-sharing attribute clauses)"],
    ),
    ("target data if(1)", 1, 11, "'target data' needs a 'map' or 'use_device_addr' or 'use_device_ptr' clause",
     ["OpenMP 5.2, section 13.5 (target data)"]),
    ("target enter data nowait", 1, 17, "'target enter data' needs a 'map' clause",
     ["OpenMP 5.2, section 13.6 (target enter data)"]),
    ("target update", 1, 13, "'target update' needs a 'to' or 'from' clause",
     ["OpenMP 5.2, section 13.9 (target update)"]),
    ("declare target(1)", 16, 1, "expected a variable or an array section in 'declare target'", []),
]  # fmt: skip


def errors(check, *arguments):
    with pytest.raises(InputError) as caught:
        check(*arguments)
    return caught.value.diagnostics


@pytest.mark.parametrize(("text", "column", "length", "message", "notes"), WRONG)
def test_wrong_directives(text, column, length, message, notes):
    first, *more = errors(parse, text)
    assert (first.severity, first.message) == ("error", message)
    assert (str(first.span), first.span.length) == (f"{FILE}:{LINE}:{column}", length)
    assert notes is None or list(first.notes) == notes
    assert not more


def test_every_mistake_is_reported_in_source_order():
    found = errors(parse, "target mpa(to: a) map(tofrm: b) collapse(2) device(0) device(1)")
    assert [d.span.column for d in found] == [8, 23, 33, 55]


# The same for directives that are only known to matter once they are found inside a target region.
WRONG_ON_DEVICE = [
    ("parallel fro", 10, "unknown clause 'fro' on 'parallel'"),
    ("parallel for schedule(novel)", 23, "unknown kind 'novel' in 'schedule' clause"),
    ("parallel for nowait", 14, "clause 'nowait' is not allowed on 'parallel for'"),
    ("for map(to: a)", 5, "clause 'map' is not allowed on 'for'"),
    ("for collapse(2) collapse(3)", 17, "clause 'collapse' appears more than once on 'for'"),
    ("atomic read write", 13, "clauses 'read' and 'write' exclude each other"),
    ("atomic seq_cst relaxed", 16, "clauses 'seq_cst' and 'relaxed' exclude each other"),
    ("barrier nowait", 9, "clause 'nowait' is not allowed on 'barrier'"),
    ("parallel for private(a) reduction(+: a)", 38,
     "'a' appears in a 'private' and in a 'reduction' clause of 'parallel for'"),
    ("parallel distribute", 10, "'distribute' cannot be combined with 'parallel'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "message"), WRONG_ON_DEVICE)
def test_nested_directives_are_checked_on_request(text, column, message):
    directive = parse(text)
    (found,) = errors(check_on_device, directive)
    assert (found.message, found.span.column) == (message, column)


@pytest.mark.parametrize(
    "text",
    [
        "target firstprivate(a) nowait map(b)",
        "target parallel for firstprivate(a) lastprivate(a) nowait",
        "for nowait",
        "parallel for if(parallel: a) if(simd: b)".replace(" if(simd: b)", ""),
        "atomic update capture",
        "target teams if(target: a) if(teams: b)",
    ],
)
def test_what_is_right_passes(text):
    check_on_device(parse(text))


# text, then (column, message, note) of each refusal
REFUSED = [
    ("interop init(target: o)", [(1, "directive 'interop' is not supported", "14.1 (interop)")]),
    ("threadprivate(a)", [(1, "directive 'threadprivate' is not supported", "5.2 (threadprivate)")]),
    ("fuse looprange(1, 2)", [(1, "directive 'fuse' is not supported", "9 (fuse)")]),
    ("task detach(event)", [(6, "clause 'detach' on 'task' is not supported", "12.5.2 (detach clause)")]),
    ("target parallel num_threads(strict: 4)",
     [(17, "modifier 'strict' in 'num_threads' clause is not supported", "10.1.2 (num_threads clause)")]),
    ("simd linear(ref(a))", [(6, "modifier 'ref' in 'linear' clause is not supported", "5.4.6 (linear clause)")]),
    ("parallel copyin(a)", [(10, "clause 'copyin' on 'parallel' is not supported", "5.7.1 (copyin clause)")]),
    ("target map(self, to: a)", [(8, "modifier 'self' in 'map' clause is not supported", "5.8.3 (map clause)")]),
    ("target map(to: a[0:n:2])", [(16, "stride in 'map' clause is not supported", "5.8.3 (map clause)")]),
    ("target map(to: ([n])p[0:2])", [(16, "array shaping in 'map' clause is not supported", "5.8.3 (map clause)")]),
    ("declare target enter(automap: a)",
     [(16, "modifier 'automap' in 'enter' clause is not supported", "5.8.4 (enter clause)")]),
    ("target device(ancestor: 1)",
     [(8, "modifier 'ancestor' in 'device' clause is not supported", "13.2 (device clause)")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_refusals(text, expected):
    directive = parse(text)
    check_on_device(directive)
    found = errors(refuse_unsupported, directive)
    assert [(d.span.column, d.message, d.notes[0].removeprefix("OpenMP 5.2, section ")) for d in found] == expected
    assert all(len(d.notes) == 2 and d.notes[1] for d in found)  # and why


@pytest.mark.parametrize(
    "text",
    [
        "target map(always, close, tofrom: s.p[0:n], q->p[lo:n]) nowait depend(inout: a) device(1) if(target: n > 1)",
        (
            "target teams distribute parallel for simd collapse(2) num_teams(4) thread_limit(64) schedule(static, 1) "
            "dist_schedule(static, 8) private(a) firstprivate(b) lastprivate(c) shared(d) default(none) safelen(4) "
            "simdlen(4) proc_bind(close) order(concurrent) aligned(p: 64) nontemporal(p) num_threads(8)"
        ),
        "target parallel for reduction(+: a) reduction(max: b) defaultmap(tofrom: scalar) is_device_ptr(p)",
        "target data map(to: a) use_device_ptr(p) use_device_addr(b)",
        "target enter data map(alloc: a[0:n]) nowait",
        "target exit data map(delete: a[0:n]) depend(in: a)",
        "target update to(a[1:n]) from(b) if(x) device(0)",
        "declare target",
        "end declare target",
        "atomic capture",
        "critical(name) hint(0)",
        "single nowait",
        "masked",
        "master",
        "barrier",
        "declare simd uniform(n) simdlen(8)",
        "distribute parallel for",
    ],
)
def test_what_is_supported_is_not_refused(text):
    directive = parse(text)
    check_on_device(directive)
    refuse_unsupported(directive)
