"""The mappers that a C++ unit declares, and ``declare reduction`` (OpenMP 5.2, section 5.5.11): its combiner and
initialiser become functions in device code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import dataclass, replace
from ..c.source.tokens import has_word
from ..directives.parser import refuse_unsupported
from ..openmp.list_items import DeclaredMapper
from ..openmp.mapping import MapperTable, declared_mapper
from ..openmp.reductions import declared_reduction
from . import libclang
from .functions import Function
from .templates import Surroundings
from .text_constructs import Construct, CxxType, UserReduction, Variable, identifiers_in, opening_of
from .type_names import endings, is_named
from .unit import Unit

_NO_TYPE = CxxType("", "other")


@dataclass(frozen=True)
class _Home:
    """Where the functions of a reduction stand: at ``place``, behind the texts ``before`` them and in front of each
    (``header``). Their names have a ``qualifier``, and a template's ``arguments``. If their method is defined outside
    of its class, they are, too, as what the directive names may be declared behind the class: ``outside`` has the
    place, and the texts in front of each function and of its name."""

    place: int
    before: str
    header: str
    qualifier: str
    arguments: str
    outside: tuple[int, str, str] | None = None

    def named(self, names: Sequence[str]) -> tuple[Variable, Variable]:
        first, second = (Variable(f"{self.qualifier}{name}{self.arguments}", _NO_TYPE, None, -1, -1) for name in names)
        return first, second

    def texts(self, functions: Iterable[tuple[str, str, str]]) -> tuple[tuple[int, str], ...]:
        """The places and texts of functions, of which the name, the parameters and the body are given."""
        inside, behind = self.before, ""
        for name, parameters, body in functions:
            head = f"{self.header}static inline __device__ void {name}({parameters})"
            inside += f"{head} {body}\n" if self.outside is None else f"{head};\n"
            if self.outside is not None:
                _, header, qualifier = self.outside
                behind += f"{header} inline __device__ void {qualifier}{name}({parameters}) {body}\n".lstrip()
        return ((self.place, inside), *([(self.outside[0], behind)] if self.outside is not None else ()))


def _functions(number: int) -> list[str]:
    return [f"rex_reduction_{number}_{part}" for part in ("combine", "initialise")]


def _in_function(unit: Unit, function: Function, span: SourceSpan) -> tuple[_Home, Any]:
    """(where the functions of a reduction of a function stand, the class that they are members of)"""
    around = Surroundings(unit, function)
    if around.is_friend_inside:
        raise error_at(span, "'declare reduction' in a friend that a class defines is not supported in C++")
    own = around.own_parameters
    scope = unit.scope_at(function.start)[0]
    outside = None
    if around.record is not None and not around.is_in_class:
        outside = (function.start, around.header, around.qualifier)
    arguments = around.arguments(own) if own else ""
    return _Home(function.start, "", around.own_head, scope, arguments, outside), around.record


def _in_class(unit: Unit, home: _Home, record: Any) -> _Home:
    """The same, where the functions are members of a class, at its end."""
    if record is None:
        return home
    written = record.get_definition() or record
    return replace(home, place=unit.extent(written)[1] - 1, before="public:\n", qualifier="")


def declared_reductions(unit: Unit) -> tuple[UserReduction, ...]:
    """The reductions that the unit declares. Raises InputError for those that are not supported."""
    found: list[UserReduction] = []
    for construct in unit.constructs:
        if construct.directive.name == "declare reduction":
            found += _reductions(unit, construct, len(found))
    return tuple(found)


def _reductions(unit: Unit, construct: Construct, first: int) -> list[UserReduction]:
    directive = construct.directive
    declared = declared_reduction(directive)
    scope, record = unit.scope_at(construct.start)
    function = unit.function_at(construct.start)
    low, high = construct.start, len(unit.text)
    home, is_local = _Home(construct.start, "", "", scope, ""), False
    if function is not None:
        low, high = block_from(unit, function, construct.start)
        home, record = _in_function(unit, function, directive.span)
        types = {word for kind in declared.types for _, word in identifiers_in(kind)}
        is_local = any(at < construct.start and v.name in types for at, v in function.mentions.local_types)
    home = _in_class(unit, home, record)
    found = []
    source, owner = f"{declared.combiner} {declared.initialiser}", record if function is None else None
    for number, kind in enumerate(declared.types_of_cxx(), first):
        names = _functions(number)
        combine, initialise = declared.statements(kind, "rex_", f"= {kind}()")
        texts = home.texts((
            (names[0], f"{kind} *rex_out, {kind} *rex_in", f"{{ (void)rex_in; {combine} }}"),
            (names[1], f"{kind} *rex_priv, {kind} *rex_orig", f"{{ (void)rex_orig; {initialise} }}"),
        ))  # fmt: skip
        reads, functions = declared.reads_original, home.named(names)
        made = UserReduction(declared.identifier, kind, functions, texts, source, reads, low, high, scope, owner)
        found.append(replace(made, refused=directive.span if is_local else None))
    return found


def block_from(unit: Unit, function: Function, place: int) -> tuple[int, int]:
    """The stretch from a place in a function to the end of the block around it."""
    end, stack = function.end, [function.cursor]
    while stack:
        for child in libclang.children(stack.pop()):
            first, last = unit.extent(child)
            if first <= place < last:
                end = last if child.kind == unit.kinds.COMPOUND_STMT else end
                stack.append(child)
    return place, end


def reduction_for(unit: Unit, function: Function, identifier: str, kind: CxxType, place: int) -> UserReduction | None:
    """The innermost reduction of that identifier for a type, of those that are declared at a place in a function, which
    device code needs from then on. Raises InputError if it cannot be there.

    None also where several namespaces or classes have one and it is not told which is meant.
    """
    found = _reduction_for(unit, function, identifier, kind, place)
    if found is not None and found.refused is not None:
        raise error_at(found.refused, "'declare reduction' for a class of a function is not supported in C++")
    if found is not None:
        unit.used_reductions.add(found.functions)
    return found


def _reduction_for(unit: Unit, function: Function, identifier: str, kind: CxxType, place: int) -> UserReduction | None:
    qualifier, _, name = identifier.rpartition("::")
    found = [r for r in unit.user_reductions if r.identifier == name and r.low < place < r.high]
    found = [r for r in found if is_named(kind.text, r.type) or unit.type_named(r.type) == kind.text]
    local = [r for r in found if r.record is None and r.high < len(unit.text)]
    if local and not qualifier:
        return local[-1]
    if qualifier:
        wanted = f"::{qualifier.removeprefix('::')}"
        found = [r for r in found if _scope_of(unit, r).endswith(wanted)]
    else:
        records = _records_around(unit, function)
        own = [r for r in found if r.record is not None and r.record.canonical.hash in records]
        here = unit.scope_at(function.start)[0]
        spaces = sorted((r for r in found if r.record is None and here.startswith(r.scope)), key=lambda r: len(r.scope))
        elsewhere = [r for r in found if r.record is None]
        found = own or spaces or (elsewhere if len({r.scope for r in elsewhere}) == 1 else [])
    return found[-1] if found else None


def reduction_in_instances(
    unit: Unit, function: Function, identifier: str, variable: Variable, is_section: bool, place: int, builtin: str
) -> UserReduction | None:
    """The reduction for a variable of a template whose type its parameters decide.

    In each instantiation it is the one that is declared for the type there, or else the ``builtin`` operator. None if
    no instantiation has a declared one.
    """
    around = Surroundings(unit, function)
    declared: dict[str, UserReduction] = {}
    missing = ""
    start = variable.start if function.body < variable.start else -1  # 'if constexpr' may discard its declaration
    for instance in around.instances(start, place):
        cursor = around.declared_in(variable, instance)
        kind = unit.type_of(cursor.type) if cursor is not None else around.type_in(variable, instance)
        kind = kind.element if is_section and kind.element is not None else kind.innermost
        one = reduction_for(unit, function, identifier, kind, place)
        if one is not None:
            declared[kind.text] = one
        elif kind.kind != "scalar" or not builtin:
            missing = kind.text
    if not declared:
        return None
    span = unit.span(place)
    if missing:
        raise error_at(span, f"there is no reduction '{identifier}' for '{missing}', as '{variable.name}' is here")
    home = _in_class(unit, *_in_function(unit, function, span))
    name = variable.type.element.text if is_section and variable.type.element else variable.type.innermost.text
    names = _functions(len(unit.user_reductions))
    written = []
    last = (
        f"*rex_a = {builtin}::apply(*rex_a, *rex_b);",
        f"(void)rex_b; *rex_a = rex_identity<{builtin}, {name}>();",
    )
    for number, (function_name, otherwise) in enumerate(zip(names, last, strict=True)):
        chain = " else ".join(
            f"if constexpr (rex_is_same<{name}, {kind}>) {one.functions[number].name}(rex_a, rex_b);"
            for kind, one in declared.items()
        )
        body = f"{{ {chain}{f' else {{ {otherwise} }}' if builtin else ''} }}"
        written.append((function_name, f"{name} *rex_a, {name} *rex_b", body))
    found = UserReduction(
        identifier, name, home.named(names), home.texts(written), "",
        any(one.reads_original for one in declared.values()), function.body, function.end, home.qualifier, None,
    )  # fmt: skip
    unit.user_reductions = (*unit.user_reductions, found)
    unit.used_reductions.add(found.functions)
    return found


def _scope_of(unit: Unit, reduction: UserReduction) -> str:
    """The namespace or the class that a reduction is a member of, as ``::app::Sum``."""
    if reduction.record is not None:
        name = unit.scope_name(reduction.record)
        return name.partition("<")[0] if name.endswith(">") else name
    return reduction.scope.removesuffix("::")


def _records_around(unit: Unit, function: Function) -> set[int]:
    """The classes whose members a function can name: its own, their bases and those around it."""
    found: set[int] = set()
    queue = [function.cursor.semantic_parent]
    while queue:
        record = queue.pop()
        if record is None or record.kind not in unit.classes or record.canonical.hash in found:
            continue
        found.add(record.canonical.hash)
        queue += [record.semantic_parent, *unit.members_of(record)[1]]
    return found


def declared_mappers(unit: Unit) -> MapperTable:
    """The mappers of a unit. Raises InputError for those that are not supported."""
    found: list[DeclaredMapper] = []
    for construct in unit.constructs:
        directive = construct.directive
        if directive.name == "declare mapper":
            refuse_unsupported(directive, cxx=True)
            record, function = unit.scope_at(construct.start)[1], unit.function_at(construct.start)
            unit.mapper_classes[construct.start] = record
            local = function.mentions.local_types if function is not None else ()
            own = {one.name for at, one in local if at < construct.start}

            def type_of(text: str, own: set[str] = own, at: int = construct.start, record: Any = record) -> str | None:
                for word in ("struct ", "class "):
                    text = text.removeprefix(word).strip()
                if record is not None and _is_template(unit, record):
                    return _of_template(unit, record, text, directive.span)  # noqa: B023
                if function is not None and function.is_template and has_word(text, *_parameters(unit, function)):  # noqa: B023
                    what = "a mapper for a type that depends on the parameters of a function's template"
                    raise error_at(directive.span, f"{what} is not supported", "declare it in the type's class")  # noqa: B023
                known = unit.class_named(text, at) or unit.record_named(text)
                if known and text in own:
                    raise error_at(directive.span, f"'{text}' is a class of the function and another one")  # noqa: B023
                return known or (text if "<" in text or text in own else None)

            end = block_from(unit, function, construct.start)[1] if function is not None else len(unit.text)
            found.append(declared_mapper(construct, end, type_of))
    return MapperTable(found, lambda text: endings(text)[0].removeprefix("::"))


def _parameters(unit: Unit, function: Function) -> list[str]:
    around = [function.cursor, function.cursor.semantic_parent]
    return [parameter.spelling for cursor in around for parameter in unit.template_parameters(cursor)]


def _of_template(unit: Unit, record: Any, text: str, span: SourceSpan) -> str:
    """What stands for all instantiations of a class template, or of a class in one, in which a mapper for it is."""
    general = record if record.kind == unit.kinds.CLASS_TEMPLATE else None
    special = (libclang.template_of(one) for one in unit.special_classes)
    is_special = general is None and record.kind == unit.kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION
    if is_special or any(one is not None and one.canonical == record.canonical for one in special):
        instead = "declare one behind the template for each type that you map, such as (Vector<double> v)"
        raise error_at(span, "'declare mapper' in a template with specialisations is not supported in C++", instead)
    if text.partition("<")[0].rpartition("::")[2].strip() != record.spelling:
        raise error_at(span, f"a mapper in '{record.spelling}', a template, can be for that only")
    return template_name(unit, record)


def _is_template(unit: Unit, record: Any) -> bool:
    around = record
    while around is not None and around.kind in unit.classes:
        if around.kind in (unit.kinds.CLASS_TEMPLATE, unit.kinds.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
            return True
        around = around.semantic_parent
    return False


def template_name(unit: Unit, record: Any) -> str:
    """The name of a class without the arguments of templates, with a mark: ``app::Vector<>``."""
    names: list[str] = []
    while record is not None and record.kind in unit.classes:
        names.insert(0, record.spelling)
        outermost, record = record, record.semantic_parent
    return f"{'::'.join([*unit.namespaces_around(outermost), *names])}<>"


def _without_arguments(text: str) -> str:
    """The same of a type's text."""
    while text.endswith(">") or ">::" in text:
        end = text.index(">::") if ">::" in text else len(text) - 1
        text = text[: opening_of(text, end)] + text[end + 1 :]
    return f"{text}<>"


def mapper_for(unit: Unit, text: str, name: str, place: int) -> DeclaredMapper | None:
    """The mapper for a class, by the text of its type."""
    table: MapperTable = unit.mappers
    keys = [*endings(text), _without_arguments(text)] if table.mappers else []
    return table.find(keys, name, place, lambda written: written == keys[-1] or is_named(text, written))


def element_text(unit: Unit, kind: Any) -> str:
    """The text of a type or, of an array, of that of its elements."""
    while kind.kind == unit.types.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
    return str(unit.type_of(kind).text)
