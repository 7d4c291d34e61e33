"""``declare variant``: calls name the variant that fits at their place (OpenMP 5.2, sections 7.5.4, 7.5.5).

The host and the device read the same text, so a call that means different functions there names both of them:
``REX_VARIANT(host, device)``, a macro of rex_cxx.h. Functions inside ``begin declare variant`` get other names.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from ..base.diagnostics import Replacement, error_at
from ..base.patterns import regex
from ..base.records import dataclass
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, next_token
from ..directives.model import Directive, TextClause
from ..directives.parser import refuse_unsupported
from ..directives.selectors import Context, best_of, undecided
from ..openmp.variants import RULE, delimited, is_for_host, matched
from ..plan.unit import PlacedForm
from . import libclang
from .instantiations import instantiations
from .text_constructs import Construct, closing_angle, find_directives
from .unit import Unit

_RENAMED = "__rex_variant_"
_MARK = regex(r"[({;<]")
_HEAD = regex(r"([A-Za-z_]\w*)\s*$")
_OPENED = regex(r'(?:\bnamespace\b[^;{}()"]*|\bextern\s*"C(?:\+\+)?"\s*)$')
_OF_HEADS = ("__attribute__", "alignas", "decltype", "noexcept")  # what else has parentheses in front of a body
_NAMED = regex(r"((?:::\s*)?(?:[A-Za-z_]\w*\s*(?:<[^;{}()]*>\s*)?::\s*)*)([A-Za-z_]\w*)\s*(?=[(<])")


@dataclass(frozen=True)
class _Variant:
    """A variant of a function: its name, of a method without the class's, and where it is chosen."""

    name: str
    is_method: bool
    selector: str
    clause: TextClause


def with_other_names(pre: Preprocessed) -> Preprocessed:
    """The text with other names for the functions inside ``begin declare variant``. A function whose name is declared
    nowhere else is its own base, as with clang, and stands there with its own name, too."""
    edits: list[Respelling] = []
    text, ranges = pre.text, [(begin.end, end.start) for begin, end in delimited(find_directives(pre))]
    others = {f.name for f in _declared_in(text, 0, len(text)) if not any(a <= f.end < b for a, b in ranges)}
    first: dict[str, int] = {}
    for number, stretch in enumerate(ranges):
        for f in _declared_in(text, *stretch):
            if f.body is None:
                continue
            whole = text[f.start : closing(text, f.body)]
            if f.name not in others and first.setdefault(f.name, number) == number and "#" not in whole:
                unused = "__attribute__((__unused__)) " * whole.startswith("static ")
                edits.append((f.start, f.start, f"{unused}{' '.join(whole.split(chr(10)))} "))
            edits.append((f.end, f.end, f"{_RENAMED}{number}"))
    return respelled(pre, edits)


@dataclass(frozen=True)
class _Named:
    """A function that a stretch declares: where that begins, its name, where this ends, and the brace of its body."""

    start: int
    name: str
    end: int
    body: int | None


def _declared_in(text: str, start: int, end: int) -> Iterator[_Named]:
    """The functions that a stretch declares, in namespaces and ``extern "C"`` too."""
    at, begin, head = start, start, None
    while (match := _MARK.search(text, at, end)) is not None:
        before, at, mark = at, match.end(), match[0]
        if mark == "<":
            closed = closing_angle(text, match.start())
            is_list = text[match.start() - 8 : match.start()] != "operator" and ";" not in text[at:closed]
            at = closed if is_list and head is None else at
        elif mark == "(":
            if head is None:
                head = _HEAD.search(text, start, match.start())
                head = head if head is not None and head[1] not in _OF_HEADS else None
            at = closing(text, match.start())
        elif mark == "{" and _OPENED.search(text, before, match.start()):
            begin, head = at, None
        else:
            if head is not None:
                first = next_token(text, max(begin, text.rfind("}", begin, head.start()) + 1))
                yield _Named(first, head[1], head.end(1), match.start() if mark == "{" else None)
            at = closing(text, match.start()) if mark == "{" else at
            begin, head = at, None


def with_variants(unit: Unit) -> Preprocessed:
    """The unit's text in which calls name variants."""
    variants = _declared(unit)
    edits: dict[int, Respelling] = {}
    for place, targets in _calls(unit, variants).items():
        name = _NAMED.match(unit.text, place)
        if name is None or any(t is None or t.spelling.partition("<")[0] != name[2] for t in targets.values()):
            if all(target is not None for target in targets.values()):
                continue  # such as a conversion, which names nothing
            what = "a call that means functions with variants and others, by arguments of a template's types,"
            raise error_at(unit.span(place), f"{what} is not supported")
        around = tuple(leaf for c in _around(unit, place) for leaf in c.directive.constructs)
        base = f"{name[1]}{name[2]}"
        chosen = set()
        for hashed in targets:
            contexts = (Context(False, around), Context(True, ("target", *around)))
            chosen.add(tuple(_chosen(variants[hashed], context, name[1], base) for context in contexts))
        if len(chosen) > 1:
            what = f"a call of '{base}', which has different variants for the types of a template,"
            raise error_at(unit.span(place), f"{what} is not supported")
        host, device = chosen.pop()
        if (host, device) != (base, base):
            text = host if host == device else f"REX_VARIANT({host}, {device})"
            edits[place] = (place, place + len(name[0].rstrip()), text)
    return respelled(unit.pre, sorted(edits.values()))


def _calls(unit: Unit, variants: dict[int, list[_Variant]]) -> dict[int, dict[int, Any]]:
    """Where the names of called functions with variants stand, with the functions that they mean, by their hashes.

    In a template, a name may mean another function in each instantiation. None is a function without variants.
    """
    k = unit.kinds
    found: dict[int, dict[int, Any]] = {}
    plain: set[int] = set()
    declared = {c.location.offset: hashed for hashed in variants for c in unit.prototypes[hashed]}
    bodies = [f.cursor for f in unit.functions if not f.is_template]
    bodies += [v.cursor for v in unit.globals]
    bodies += [one for made in instantiations(unit).values() for one in made if one.kind not in unit.classes]
    for cursor in (node for body in bodies for node in libclang.descendants(body) if node.kind == k.CALL_EXPR):
        target = cursor.referenced
        callee = next(iter(libclang.children(cursor)), None)
        while callee is not None and callee.kind in (k.UNEXPOSED_EXPR, k.PAREN_EXPR):
            callee = next(iter(libclang.children(callee)), None)
        if target is None or callee is None or callee.kind not in (k.DECL_REF_EXPR, k.MEMBER_REF_EXPR):
            continue
        is_member = callee.kind == k.MEMBER_REF_EXPR
        place = unit.place(callee.location if is_member else callee.extent.start)
        # A member template of an instantiated class has no other relation to that of the class template.
        general = declared.get(target.location.offset) if libclang.is_users(target) else None
        if general is not None:
            found.setdefault(place, {})[general] = target
        else:
            plain.add(place)
    for place in plain & found.keys():
        found[place][0] = None
    return found


def _around(unit: Unit, place: int) -> list[Construct]:
    return [c for c in unit.constructs if c.body_start <= place < c.end and c.end > c.pragma_end]


def _chosen(variants: list[_Variant], context: Context, qualifier: str, base: str) -> str:
    best = best_of([(v.selector, v.clause) for v in variants], context)
    if best is None:
        return base
    return f"{qualifier if variants[best].is_method else ''}{variants[best].name}"


def _declared(unit: Unit) -> dict[int, list[_Variant]]:
    """The variants of functions, by the hashes of their canonical declarations."""
    declared = _Declared(unit)
    found: dict[int, list[_Variant]] = {}

    def add(base: Any, variant: Any, selector: str, clause: TextClause) -> None:
        is_method = variant.semantic_parent.kind in unit.classes
        own = _Variant(variant.spelling if is_method else unit.qualified(variant), is_method, selector, clause)
        found.setdefault(base.canonical.hash, []).append(own)

    for begin, end in delimited(unit.constructs):
        clause, selector = _match(begin.directive)
        for cursor in declared.between(begin.pragma_end, end.start):
            name, renamed, _ = cursor.spelling.partition(_RENAMED)
            if renamed:
                for base in _named(unit, declared, name, cursor)[:1]:
                    add(base, cursor, selector, clause)
    kinds = (unit.kinds.FUNCTION_DECL, unit.kinds.CXX_METHOD, unit.kinds.FUNCTION_TEMPLATE)
    for directive, place in ((c.directive, c.pragma_end) for c in unit.constructs):
        if directive.name != "declare variant":
            continue
        refuse_unsupported(directive, cxx=True)
        clause, selector = _match(directive)
        base = next(iter(declared.between(place, len(unit.text))), None)
        if base is None or base.kind not in kinds or not base.spelling.isidentifier():
            what = "'declare variant' of a constructor, a destructor, an operator or a conversion"
            raise error_at(directive.span, f"{what} is not supported in C++")
        if base.is_virtual_method():
            raise error_at(directive.span, "'declare variant' of a virtual function is not supported in C++")
        name = "".join((directive.argument_text or "").split())
        options = _named(unit, declared, name, base)
        if not options:
            what = f"no function '{name}' with the type of '{base.spelling}' is declared"
            raise error_at(directive.span, what, RULE)
        add(base, options[0], selector, clause)
    return found


class _Declared:
    """All declarations of functions, by their places and by their names."""

    def __init__(self, unit: Unit) -> None:
        found = ((unit.extent(c)[0], c) for cursors in unit.prototypes.values() for c in cursors)
        self._in_order = sorted(found, key=itemgetter(0))
        self._starts = [start for start, _ in self._in_order]
        self._named: dict[str, list[Any]] = {}
        for _, cursor in self._in_order:
            self._named.setdefault(unit.qualified(cursor), []).append(cursor)

    def between(self, start: int, end: int) -> Iterator[Any]:
        for at in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            yield self._in_order[at][1]

    def named(self, qualified: str) -> list[Any]:
        return self._named.get(qualified, [])


def _named(unit: Unit, declared: _Declared, name: str, like: Any) -> list[Any]:
    """The functions of a name, as it is seen from another function, with that function's type; innermost first."""
    scope, wanted = like.semantic_parent, []
    while scope is not None:
        wanted.append(f"{unit.scope_name(scope)}::{name.removeprefix('::')}")
        scope = scope.semantic_parent
    kind = _type_of(like)
    found = []
    for qualified in wanted[-1:] if name.startswith("::") else wanted:
        found += [c for c in declared.named(qualified) if c.kind == like.kind and _type_of(c) == kind]
    return found


def _type_of(cursor: Any) -> str:
    return str(cursor.type.get_canonical().spelling).partition(" noexcept")[0]


def _match(directive: Directive) -> tuple[TextClause, str]:
    clause, selector = matched(directive)
    if undecided(selector, clause):
        raise error_at(clause.span, "a condition that is not constant here is not supported in C++", RULE)
    return clause, selector


def host_forms(unit: Unit) -> Iterator[PlacedForm]:
    """The directives around functions that the host may call, and those in front of functions: it sees none of them."""
    gone = [c for c in unit.constructs if c.directive.name == "declare variant"]
    gone += [c for pair in delimited(unit.constructs) if is_for_host(*_match(pair[0].directive)) for c in pair]
    for construct in gone:
        yield PlacedForm(construct.start, construct.pragma_end, construct.pragma_end, (), ())


def left_out(unit: Unit) -> Iterator[Replacement]:
    """The stretches of functions that the host never calls, and perhaps cannot compile."""
    for begin, end in delimited(unit.constructs):
        if not is_for_host(*_match(begin.directive)):
            yield Replacement(begin.start, end.pragma_end, "")
