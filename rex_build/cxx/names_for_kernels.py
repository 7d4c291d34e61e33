"""Names for what kernels have to name, in the unit's text before it is read: parameters of templates, types,
initialisers, lambda expressions and list items that have none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.names import initialiser_name
from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, has_word, next_token, word_before
from ..directives.model import DependClause, ListClause, Locator, Member, ReductionClause
from . import libclang
from .called import PRIVATE_COPIES
from .closures import head_of
from .functions import Function
from .templates import Surroundings, before_default, specifiers
from .text_constructs import Construct, opening_of, qualified_at, qualifier_before, typedef_before
from .unit import Unit, kept

_AUTO = regex(
    r"(?:(?<![\w:])(?P<concept>(?!const\b|volatile\b)(?:::)?[A-Za-z_][\w:]*(?:<[^<>]*>)?)\s+)?\bauto\b(?P<pack>\s*&{0,2}\s*\.\.\.)?"
)
_UNNAMED = regex(r"\b(?P<key>struct|union|class|enum)\s*\{")
_VALUES = regex(r"\btemplate\s*<[^;{}()]*\b(?:auto\b|decltype\s*\(\s*\[)")
_PAIRS = {")": "()", "]": "[]", "}": "{}", ">": "<>"}


def with_named_types(pre: Preprocessed) -> Preprocessed:
    """The text with names for the types of variables that are declared with them: ``struct { int n; } s;``. Anonymous
    unions and structures, as ``union { int n; };``, may declare no types with names."""
    edits: list[Respelling] = []
    anonymous = 0  # where the last one of these ends
    for match in pre.in_own_parts(_UNNAMED):
        end = closing(pre.text, match.end() - 1)
        anonymous = max(anonymous, end) if pre.text[next_token(pre.text, end)] == ";" else anonymous
        if end <= anonymous:
            continue
        while pre.text[end : end + 1].isspace() or pre.text[end : end + 1] in ("*", "&"):
            end += 1
        has_names = qualified_at(pre.text, end) not in ("", "const", "volatile")
        if has_names and typedef_before(pre.text, match.start()) == match.start():
            at = match.end("key")
            edits.append((at, at, f" rex_unnamed_{len(edits) + 1}"))
    return respelled(pre, edits)


def with_names(unit: Unit) -> Preprocessed:
    """The unit's text with names for all parameters of the templates around regions and user's reductions, such as
    ``class = std::enable_if_t<...>``: kernels are templates with the same parameters."""
    edits: list[Respelling] = []
    around: dict[int, Any] = {}
    for construct in unit.constructs:
        counts = construct.directive.is_target or construct.directive.name == "declare reduction"
        function = unit.function_at(construct.start) if counts else None
        cursors = [function.cursor, function.cursor.semantic_parent] if function is not None else []
        around.update((cursor.hash, cursor) for cursor in cursors if function is not None and function.is_template)
    for parameter in (p for cursor in around.values() for p in unit.template_parameters(cursor) if not p.spelling):
        start, end = unit.extent(parameter)
        at = start + len(before_default(unit.text[start:end]))
        dots = next_token(unit.text, at)
        at = dots + 3 if unit.text.startswith("...", dots) else at
        if not unit.text[start:at].endswith(")"):  # a pointer to a function, whose name stands inside
            edits.append((at, at, f" rex_parameter_{len(edits) + 1}"))
    return respelled(unit.pre, sorted(edits))


def with_parameters(unit: Unit) -> Preprocessed:
    """The unit's text with named parameters for every ``auto`` in heads of the user's functions, ``void f(auto x)``."""
    edits: dict[int, list[Respelling]] = {}
    stack = [unit.tu.cursor]
    k = unit.kinds
    while stack:
        for child in unit.own_children(stack.pop()):
            if child.kind == k.FUNCTION_TEMPLATE:
                edits.setdefault(child.location.offset, list(_of(unit, child)))
            elif child.kind in (*unit.classes, k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL, k.FRIEND_DECL):
                stack.append(child)
    return respelled(unit.pre, sorted(edit for found in edits.values() for edit in found))


def _of(unit: Unit, cursor: Any) -> Iterator[Respelling]:
    text = unit.text
    parameters: list[str] = []
    for child in libclang.children(cursor):
        if child.kind != unit.kinds.PARM_DECL or "auto" not in child.type.spelling:
            continue
        start, end = unit.extent(child)
        match = _AUTO.search(text, start, end)
        if match is None:
            continue
        name = f"rex_type_{len(parameters) + 1}"
        parameters.append(f"{match['concept'] or 'class'}{'...' if match['pack'] else ''} {name}")
        yield match.start(), match.end() - len(match["pack"] or ""), name
    if not parameters:
        return
    own = [unit.extent(c)[1] for c in unit.template_parameters(cursor)]
    outside = cursor.semantic_parent.canonical != cursor.lexical_parent.canonical
    if own and not outside:
        yield max(own), max(own), "".join(f", {parameter}" for parameter in parameters)
        return
    before = max(text.rfind(mark, 0, unit.place(cursor.location)) for mark in ";{}")
    at = next_token(text, before + 1)  # libclang says nowhere where such a declaration begins
    while (word := qualified_at(text, at)) in ("public", "private", "protected"):
        at = next_token(text, next_token(text, at + len(word)) + 1)
    at = specifiers(text, at)
    yield at, at, f"template <{', '.join(parameters)}> "


def with_functions(unit: Unit) -> Preprocessed:
    """The unit's text with functions for the initialisers and default arguments that have regions, one for each
    declaration: kernels belong to functions. Others may be left.

    double s = [this] { ... }();    ->   auto rex_first_s_1() -> double { return [this] { ... }(); } double s =
                                         rex_first_s_1();
    void f(int n = [] { ... }());   ->   static inline auto rex_first_n_1() -> int { return [] { ... }(); }
                                         void f(int n = rex_first_n_1());
    """
    edits: dict[int, list[Respelling]] = {}
    for construct in unit.constructs:
        if construct.directive.name.startswith("target") and unit.function_at(construct.start) is None:
            found = _made(unit, construct.start, len(edits) + 1)
            edits.setdefault(found[0][0] if found else -1, found)
    return respelled(unit.pre, [edit for start in sorted(edits) for edit in edits[start]])


def _made(unit: Unit, place: int, number: int) -> list[Respelling]:
    """The edits that make a function of the initialiser around a place, or one of the lambda expression around it; none
    where that is not possible."""
    k, text = unit.kinds, unit.text
    owner, declared = unit.tu.cursor, unit.tu.cursor
    while declared is not None and declared.kind not in (k.VAR_DECL, k.FIELD_DECL, k.PARM_DECL):
        owner, inside = declared, (c for c in unit.own_children(declared) if _is_around(unit, c, place))
        declared = next(inside, None)
    if declared is None:
        return []
    is_parameter, (start, end) = declared.kind == k.PARM_DECL, unit.extent(declared)
    whole = owner if is_parameter else declared  # what the function stands in front of
    record = whole.lexical_parent if whole.lexical_parent.kind in unit.classes else None
    begin, name = unit.extent(whole)[0], unit.place(declared.location) + len(declared.spelling)
    others = [] if is_parameter else [c for c in unit.own_children(owner) if c != declared]
    at = next_token(text, name)
    is_alone = whole.semantic_parent == whole.lexical_parent and not any(unit.extent(c)[0] == start for c in others)
    kind = declared.type
    if not is_alone or text[at] not in "={" or kind.get_array_size() >= 0:
        return [] if is_parameter or record is not None else _closure_made(unit, declared, place, number)
    if kind.kind == unit.types.LVALUEREFERENCE and kind.get_pointee().is_const_qualified():
        kind = kind.get_pointee()  # of a value that lives no longer than the function
    result = kind.spelling.replace("(anonymous namespace)::", "")
    header, arguments = "", ""
    if is_parameter and owner.kind == k.FUNCTION_TEMPLATE:
        header = text[begin : specifiers(text, begin)]
        arguments = f"<{', '.join(unit.parameters_as_arguments(owner))}>"
    of_object = declared.kind == k.FIELD_DECL
    # Other units may have other functions of this name.
    word = "" if of_object else "static " if record is not None else "static inline "
    function = initialiser_name(declared.spelling, number)
    first = at if text[at] == "{" else at + 1
    head = f"{header}{word}auto {function}() -> {result} {{ return {result if first == at else ''}"
    lines = "\n" * (text.count("\n", begin, first) - head.count("\n"))
    again = " ".join(text[begin:name].split())
    return [(begin, first, head + lines), (end, end, f"; }} {again} = {function}{arguments}()")]


def _closure_made(unit: Unit, declared: Any, place: int, number: int) -> list[Respelling]:
    """The same where a function cannot give the value: it gives the closure.

    int a[] = {1, [] { ... }()};    ->   static inline auto rex_first_a_1() { return [] { ... }; } int a[] = {1,
                                         rex_first_a_1()()};
    """
    begin = unit.extent(declared)[0]  # where the first of several variables begins, too
    place = next((c.start for c in unit.constructs_in(begin, place)), place)
    beside = (c for c in unit.own_children(declared.lexical_parent) if _is_around(unit, c, place))
    inside = (c for one in beside for c in libclang.descendants(one) if _is_around(unit, c, place))
    made = next((c for c in inside if c.kind == unit.kinds.LAMBDA_EXPR), None)
    if made is None:
        return []
    start, end = unit.extent(made)
    before = unit.text[begin:start]
    while (function := initialiser_name(declared.spelling, number)) in before:
        number += 1
    lines = "\n" * before.count("\n")
    again = " ".join(before.split())
    return [
        (begin, start, f"static inline auto {function}() {{ return {lines}"),
        (end, end, f"; }} {again} {function}()"),
    ]


def _is_around(unit: Unit, cursor: Any, place: int) -> bool:
    start, end = unit.extent(cursor)
    return start <= place < end


def with_function_objects(unit: Unit) -> Preprocessed:
    """The unit's text with objects in place of lambda expressions whose values are arguments of its templates, also by
    default, and with classes in place of those whose types are.

    each<[](int x) { return 2 * x; }>(p, n);   ->   each<rex_function_1{}>(p, n);
    template <class F = decltype([] { ... })>  ->   template <class F = rex_function_1>

    and in front of the function, for this unit alone:

    namespace { struct rex_function_1 { constexpr auto operator()(int x) const { return 2 * x; } }; }
    """
    if not any(unit.pre.in_own_parts(_VALUES)):
        return unit.pre
    edits: list[Respelling] = []
    for number, (place, made) in enumerate(_arguments(unit), 1):
        start, end = unit.extent(made)
        parts = libclang.children(made)
        body = next(unit.extent(c)[0] for c in parts if c.kind == unit.kinds.COMPOUND_STMT)
        parameters, template = head_of(unit.text[closing(unit.text, start) : body], is_mutable=False)
        name = f"rex_function_{number}"
        method = f"{template}constexpr auto operator(){parameters} {unit.text[body:end]}"
        edits.append((place, place, f"namespace {{ struct {name} {{ {' '.join(method.split())} }}; }} "))
        before = len(unit.text[:start].rstrip()) - 1
        first, word = word_before(unit.text, before)
        is_asked = word == "decltype" and unit.text[before] == "("
        first, last = (first, next_token(unit.text, end) + 1) if is_asked else (start, end)
        edits.append((first, last, name + "{}" * (not is_asked) + "\n" * unit.text.count("\n", first, last)))
    return respelled(unit.pre, sorted(edits))


def _arguments(unit: Unit) -> Iterator[tuple[int, Any]]:
    """Such expressions, each with the place where something can stand in front of what it is in."""
    for function in unit.functions:
        for made in _lambdas(unit, function.cursor):
            if _is_argument(unit.text, unit.extent(made)[0]):
                around = Surroundings(unit, function)
                if not _names_other(unit, function, around, *unit.extent(made)):
                    yield around.outside, made
    for place, cursor in _templates(unit):
        names = [name.removesuffix("...") for name in unit.parameters_as_arguments(cursor)]
        for made in (one for parameter in unit.template_parameters(cursor) for one in _lambdas(unit, parameter)):
            if not has_word(unit.text[slice(*unit.extent(made))], *names):
                yield place, made
    for variable in unit.globals:
        if variable.constant and variable.start >= 0 and not unit.is_static_member(variable):
            for made in _lambdas(unit, variable.cursor)[:1]:
                used = re.finditer(rf"\b{variable.name}\s*[,>]", unit.text)
                if any(_is_argument(unit.text, qualifier_before(unit.text, m.start())) for m in used):
                    yield variable.start, made


def _templates(unit: Unit) -> Iterator[tuple[int, Any]]:
    """The templates, each with the place where something can stand in front of it and of the classes around."""
    k = unit.kinds
    stack = [(-1, unit.tu.cursor)]
    while stack:
        place, scope = stack.pop()
        for child in unit.own_children(scope):
            before = place if place >= 0 else unit.extent(child)[0]
            if child.kind in (k.FUNCTION_TEMPLATE, k.CLASS_TEMPLATE):
                yield before, child
            if child.kind in (*unit.classes, k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL):
                stack.append((before if child.kind in unit.classes else -1, child))


def _lambdas(unit: Unit, around: Any) -> list[Any]:
    """The lambda expressions of a declaration without captures and directives, the outermost first."""
    text = unit.text
    found = libclang.descendants(around, unit.kinds.LAMBDA_EXPR) if text.find("[", *unit.extent(around)) >= 0 else ()
    captures = ((c, text[unit.extent(c)[0] + 1 : closing(text, unit.extent(c)[0]) - 1]) for c in found)
    return [c for c, listed in captures if not listed.strip() and text.find("#", *unit.extent(c)) < 0]


def _is_argument(text: str, place: int) -> bool:
    """Whether what begins at a place is an argument of a template."""
    at = place - 1
    while at >= 0 and text[at] not in "<([{;":
        if text[at] in ")]}" or (text[at] == ">" and text[at - 1] not in "-="):
            at = opening_of(text, at, _PAIRS[text[at]])
        at -= 1
    return text[at] == "<" and text[:place].rstrip()[-1:] in "<,"


def _names_other(unit: Unit, function: Function, around: Surroundings, start: int, end: int) -> bool:
    """Whether an expression names what means something only in its function: variables, types and parameters of it,
    members of its class."""
    mentions = function.mentions
    variables = (r.variable for r in function.references(start, end))
    if any(v.is_local and not start <= v.start < end for v in variables):
        return True
    names = {*(v.name for _, v in mentions.local_types), *(name.removesuffix("...") for name, _ in around.parameters)}
    record = around.record
    while record is not None and record.kind in unit.classes:
        names.update(c.spelling for c in libclang.children(record.get_definition() or record))
        record = record.semantic_parent
    own = {name for name, places in mentions.variables.items() if any(start <= one[0] < end for one in places)}
    return has_word(unit.text[start:end], *(name for name in names - own if name.isidentifier()))


def with_references(unit: Unit) -> Preprocessed:
    """The unit's text with names for members of a method's object that regions have copies of, for objects that an
    operator ``->`` leads to, and for static members of types that are parameters of templates. Where another directive
    stands in front of the construct, the analysis refuses the list.

    #pragma omp target ... reduction(+: s)   ->   { auto &s = this->s;
    statement                                     #pragma omp target ... reduction(+: s)
                                                  statement }

    #pragma ... map(to: T::all)          ->   auto &rex_behind_T_all_1 = T::all;
                                              #pragma omp target enter data map(to: rex_behind_T_all_1)

    #pragma ... map(to: p->a[0:n])       ->   auto *const rex_behind_p_1 = p.operator->();
                                              #pragma omp target enter data map(to: rex_behind_p_1->a[0:n])
    """
    edits: list[Respelling] = []
    ends = {len(unit.text[: c.pragma_end].rstrip()): c for c in unit.constructs if c.end == c.pragma_end}
    for number, construct in enumerate(unit.constructs):
        function = unit.function_at(construct.start)
        names = list(dict.fromkeys(_members(unit, function, construct))) if function is not None else []
        inside = list(_behind_arrows(unit, function, construct)) if function is not None else []
        of_types = list(_static_members(unit, function, construct)) if function is not None else []
        before = len(unit.text[: construct.start].rstrip()) if names or inside or of_types else 0
        is_alone = construct.end == construct.pragma_end or (not names and before in ends)
        while is_alone and before in ends:  # directives without a statement
            before = len(unit.text[: ends[before].start].rstrip())
        line = unit.text[unit.text.rfind("\n", 0, before) + 1 : before]
        if not (names or inside or of_types) or line.lstrip().startswith("#"):
            continue
        references = [f"auto &{name} = this->{name};" for name in names]
        references += [f"auto *const {_behind(name, number)} = {name}.operator->();" for name, _ in inside]
        called = {m: m.rpartition("::")[2] if free and not is_alone else _behind(m, number) for m, free, _ in of_types}
        references += [f"auto &{short} = {name};" for name, short in called.items()]
        edits.append((before, before, f"{'' if is_alone else ' {'} {' '.join(references)}"))
        edits += [] if is_alone else [(construct.end, construct.end, " }")]
        edits += [(at, at + len(name), _behind(name, number)) for name, places in inside for at in places]
        edits += [(*place, called[name]) for name, _, places in of_types for place in places]
    return respelled(unit.pre, sorted(edits, key=lambda one: (one[0], one[2] != " }")))


def _behind(name: str, number: int) -> str:
    return f"rex_behind_{name.replace('::', '_')}_{number}"


def _behind_arrows(unit: Unit, function: Function, construct: Construct) -> Iterator[tuple[str, list[int]]]:
    """(an object whose operator ``->`` list items call, where the construct names it) for those of which it uses no
    more than what the operator leads to."""
    clauses = construct.directive.clauses if construct.directive.name.startswith("target") else ()
    items = (item for clause in clauses for item in getattr(clause, "items", ()) if isinstance(item, Locator))
    arrows = (item.name for item in items if item.steps and isinstance(item.steps[0], Member) and item.steps[0].arrow)
    for name in dict.fromkeys(arrows):
        variable, field = unit.lookup(function, name, construct.start), unit.fields(function).get(name)
        cursor = variable.cursor if variable is not None else field
        if cursor is None or not _is_object(unit, cursor.type.get_canonical()):
            continue
        mentioned = [r.start for r in function.mentions.references if r.variable is variable]
        mentioned += [at for at, member in function.mentions.this if variable is None and member == name]
        in_body = [at for at in mentioned if construct.body_start <= at < construct.end]
        own = re.compile(rf"(?<![\w.>:]){name}\s*->")
        line = [match.start() for match in own.finditer(unit.text, construct.start, construct.pragma_end)]
        if construct.directive.is_target and not all(own.match(unit.text, at) for at in in_body):
            continue
        yield name, [*line, *(in_body if construct.directive.is_target else ())]


@kept
def _listed_static_members(unit: Unit, function: Function) -> list[str]:
    """The static members of types that are a template's parameters, as lists in a function name them."""
    around = [function.cursor.semantic_parent] if function.is_member else []
    types = {p.spelling for one in (function.cursor, *around) for p in unit.template_parameters(one)}
    inside = unit.constructs_in(function.start, function.end) if types else ()
    clauses = (clause for one in inside for clause in one.directive.clauses)
    items = (item for clause in clauses for item in getattr(clause, "items", ()) if isinstance(item, Locator))
    return list(dict.fromkeys(item.name for item in items if item.name.partition("::")[0] in types))


def _static_members(
    unit: Unit, function: Function, construct: Construct
) -> Iterator[tuple[str, bool, list[tuple[int, int]]]]:
    """(a static member of a type that is a template's parameter, whether its own name means nothing else, where the
    construct names it) for those in lists of the function."""
    for name in _listed_static_members(unit, function):
        spelled, short = name.replace("::", r"\s*::\s*"), name.rpartition("::")[2]
        own = re.compile(rf"(?<![\w.>:]){spelled}(?![\w:(])")
        others = own.sub("", unit.text[construct.start : construct.end])
        is_free = unit.lookup(function, short, construct.start) is None and not has_word(others, short)
        if places := [match.span() for match in own.finditer(unit.text, construct.start, construct.end)]:
            yield name, is_free and short not in unit.fields(function), places


def _is_object(unit: Unit, kind: Any) -> bool:
    """Whether a type is a class, perhaps one that depends on a template's parameters, or a reference to an object."""
    kind = libclang.referred(kind).get_canonical()
    return bool(kind.kind == unit.types.RECORD or kind.get_declaration().kind in unit.classes)


def _members(unit: Unit, function: Function, construct: Construct) -> Iterator[str]:
    """The members without ``this->`` in the lists of a construct that ask for copies, or order it."""
    fields = unit.fields(function)
    for clause in construct.directive.clauses if fields and construct.directive.is_target else ():
        is_of_copies = isinstance(clause, (ListClause, ReductionClause)) and clause.name in PRIVATE_COPIES
        if isinstance(clause, DependClause) or is_of_copies:  # g++ takes members for no variables in depend
            items: tuple[Locator, ...] = getattr(clause, "items", ())
            for item in items:
                if item.name in fields and unit.lookup(function, item.name, construct.start) is None:
                    yield item.name
