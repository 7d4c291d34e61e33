"""Any directive the tables admit, however it is spaced, means the same when printed and read again."""

from __future__ import annotations

from collections.abc import Callable

from directives_support import meaning, parse_quickly
from hypothesis import given, settings
from hypothesis import strategies as st

from rex_build.directives import forms
from rex_build.directives.arguments import DirectiveText
from rex_build.directives.clauses import CLAUSES, DIRECTIVES, ClauseRule, combined_names
from rex_build.directives.combined import host_spelling, leaf_clauses, with_clauses
from rex_build.directives.forms import MAP_TYPES
from rex_build.directives.parser import check_on_device

EXPRESSIONS = st.sampled_from(
    ["n", "2", "n + 1", "-n", "- -n", "n > 4 ? n : 4", "f(a, b[1])", "a[i]->x", "(n)", "n && !m", "x++ + ++y", "n << 2"]
)
STEPS = st.sampled_from(["", "", ".x", "->p", "[3]", "[i + 1]", ".x.y"])
SECTIONS = st.sampled_from(["", "[0:n]", "[:n]", "[n > 1 ? 1 : 0:n]", "[:]", "[1:2][0:m]", "[0:n:2]", "[::2]"])
Text = st.SearchStrategy[str]


@st.composite
def locator(draw: st.DrawFn, name: str) -> str:
    prefix = draw(st.sampled_from(["", "", "", "*", "(*%s)"]))
    start = prefix % name if "%" in prefix else prefix + name
    return start + draw(STEPS) + draw(SECTIONS)


def items(of: Callable[[str], Text], stem: str) -> Text:
    """One to three list items whose variables no other clause names."""
    return st.integers(1, 3).flatmap(lambda count: st.tuples(*(of(f"{stem}{i}") for i in range(count))).map(", ".join))


def headed(heads: list[str], rest: Text) -> Text:
    """``rest``, perhaps with one of the heads before it."""
    return st.tuples(st.sampled_from(["", *heads]), rest).map(lambda parts: ": ".join(filter(None, parts)))


def argument(rule: ClauseRule, constructs: tuple[str, ...], stem: str) -> st.SearchStrategy[str | None]:
    """The text in a clause's parentheses, None for no parentheses."""
    words = {role: sorted(known) for role, known in rule.words.items()}
    modifiers = [w for w in words.get("modifier", []) if w not in {"mapper", "iterator"}]
    if "mapper" in words.get("modifier", []):
        modifiers.append("mapper(m)")
    if "iterator" in words.get("modifier", []):
        modifiers.append("iterator(int it = 0:n, long k = n:1:-1)")
    variables, locators = items(st.just, stem), items(locator, stem)
    if rule.parse is forms.bare or (rule.parse is forms.update and constructs != ("depobj",)):
        return st.none()
    if rule.parse in {forms.raw, forms.variant, forms.default} and "keyword" not in words:
        return st.just("x(y, z)")
    if rule.parse is forms.optional_raw:
        return st.sampled_from([None, "x"])
    if rule.parse is forms.optional_value:
        return st.one_of(st.none(), EXPRESSIONS)
    if rule.parse is forms.value:
        return headed(modifiers, EXPRESSIONS)
    if rule.parse is forms.condition:
        named = [c for c in constructs if c in rule.allowed]
        return headed(named, EXPRESSIONS)
    if rule.parse is forms.bounds:
        return st.tuples(st.booleans(), EXPRESSIONS).map(lambda t: f"1: {t[1]}" if t[0] else t[1])
    if rule.parse is forms.variable_list:
        return headed(modifiers, variables)
    if rule.parse is forms.locator_list:
        return headed(modifiers, locators)
    if rule.parse is forms.aligned_list:
        return st.tuples(variables, st.sampled_from(["", ": 64"])).map("".join)
    if rule.parse is forms.linear_list:
        plain = st.tuples(variables, st.sampled_from(["", ": 2"])).map("".join)
        return st.one_of(plain, variables.map(lambda v: f"val({v}): n"), variables.map(lambda v: f"{v}: val, step(n)"))
    if rule.parse is forms.allocate_list:
        return headed(["al", "allocator(al)", "align(8), allocator(al)"], variables)
    if rule.parse is forms.mapping:
        types = MAP_TYPES[next(c for c in constructs if c in MAP_TYPES)]
        heads = [*types, *modifiers, *(f"{m}, {types[0]}" for m in modifiers), *(f"{types[0]} {m}" for m in modifiers)]
        return headed(heads, locators)
    if rule.parse is forms.reduction:
        heads = [*words["operator"], "mine", *(f"{m}, +" for m in modifiers)]
        return st.tuples(st.sampled_from(heads), locators).map(": ".join)
    if rule.parse is forms.schedule:
        kinds = st.sampled_from(words["kind"])
        heads = [*modifiers, ", ".join(modifiers[:2])] if modifiers else []
        return headed(heads, st.one_of(kinds, st.tuples(kinds, EXPRESSIONS).map(", ".join)))
    if rule.parse is forms.dependence:
        kinds = [*words["dependence-type"], *(["iterator(i = 0:n), in"] if rule.name == "depend" else [])]
        return st.one_of(
            st.just("source"), st.tuples(st.sampled_from([k for k in kinds if k != "source"]), locators).map(": ".join)
        )
    if rule.parse is forms.defaultmap:
        return st.tuples(
            st.sampled_from(words["behavior"]), st.sampled_from(["", *(f": {c}" for c in words["category"])])
        ).map("".join)
    assert "keyword" in words, rule.name
    return headed(modifiers, st.sampled_from(words["keyword"]))


@st.composite
def directives(draw: st.DrawFn) -> str:
    """A directive without a breach of the tables."""
    name = draw(st.sampled_from(combined_names()))
    probe = next(parts for parts in _SPLIT if " ".join(parts) == name)
    allowed = [r for r in CLAUSES.values() if set(r.allowed).intersection(probe)]
    if "parallel" in probe and "target" not in probe:
        allowed = [r for r in allowed if r.name != "nowait"]
    chosen = draw(st.lists(st.sampled_from(allowed), max_size=6)) if allowed else []
    needs = DIRECTIVES[probe[0]].needs
    if needs:
        chosen.append(CLAUSES[draw(st.sampled_from(needs))])
    text, used = name, set()
    if DIRECTIVES[probe[-1]].arguments:
        text += draw(st.sampled_from(["(x)", "(x, y)"]))
    for number, rule in enumerate(chosen):
        keys = {rule.exclusive or rule.name} | ({rule.name} if not rule.repeatable else set())
        if (not rule.repeatable or rule.exclusive) and keys & used:
            continue
        used |= keys
        inner = draw(argument(rule, probe, f"v{number}_"))
        text += f" {rule.name}" + ("" if inner is None else f"({inner})")
    return text


def _leaves(name: str) -> tuple[str, ...]:
    return parse_quickly(name + _FILL.get(name, "")).constructs


_FILL = {"target update": " to(a)", "declare mapper": " map(a)"} | {
    f"target {word}data": " map(a)" for word in ("", "enter ", "exit ")
}
_SPLIT = [_leaves(name) for name in combined_names()]


@st.composite
def respaced(draw: st.DrawFn, text: str) -> str:
    """The same tokens with other blanks between them; none only where a bracket or a comma keeps tokens apart."""
    tokens = DirectiveText.read(text, None, None).tokens  # type: ignore[arg-type]
    out = ""
    for before, token in zip((None, *tokens), tokens, strict=False):
        free = before is None or before.text in set("()[],") or token.text in set("()[],")
        out += draw(st.sampled_from(["", " ", "  ", "\t"] if free else [" ", "  "])) + token.text
    return out


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_round_trip(data):
    text = data.draw(directives())
    directive = parse_quickly(text)
    check_on_device(directive)
    printed = with_clauses(directive, directive.clauses).text
    again = parse_quickly(printed)
    assert meaning(again.clauses) == meaning(directive.clauses)
    assert again.constructs == directive.constructs
    assert meaning(again.arguments) == meaning(directive.arguments)
    assert meaning(parse_quickly(data.draw(respaced(text)))) == meaning(directive)
    assert meaning(parse_quickly(directive.text)) == meaning(directive)


@settings(max_examples=150, deadline=None)
@given(directives())
def test_every_clause_reaches_a_leaf_and_hosts_never_see_a_device(text):
    directive = parse_quickly(text)
    reached = {clause.name for clauses in leaf_clauses(directive).values() for clause in clauses}
    host = host_spelling(directive)
    for clause in directive.clauses:
        moved = clause.name == "firstprivate" and directive.has("map", "lastprivate")
        assert clause.name in reached or moved
    if host is not None and {"target", "teams", "distribute"}.intersection(directive.constructs):
        assert not {"target", "teams", "distribute", "map", "nowait"}.intersection(host.replace("(", " ").split())
        parse_quickly(host)
