"""What a unit instantiates of its templates, and the arguments of that, as text that names them from anywhere."""

from __future__ import annotations

import re
import struct
from collections.abc import Collection, Iterator, Mapping
from re import Match
from typing import Any

from ..base.diagnostics import error_at
from ..base.mentions import naming
from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import next_token, word_before
from . import libclang
from .functions import NARROW_SIGNED, Function
from .naming import means_other, stretch
from .text_constructs import Variable, closing_angle, name_before, opening_of, qualified_at
from .type_names import FUNCTIONS, UNNAMED, arguments_in, last_arguments
from .unit import Unit, kept

_LOCAL = "local class"
_DEEPEST = 4  # how many classes inside of each other are looked at
_NO_NAME = regex(rf"\((?:lambda|unnamed|anonymous|{_LOCAL})")  # unlike 'double (*)(double)'
_EXPLICIT = regex(
    r"(?:^|(?<=[;{}]))[ \t]*(?P<whole>(?P<extern>extern[ \t]+)?template\b\s*(?P<declared>[^<\s;{}][^;{}]*);)",
    re.MULTILINE,
)
_Names = dict[int, set[str]]
_LENGTH = regex(r"\d+(?=[A-Za-z_])")
# The address of an array's first element in a symbol of clang's, which the C++ library does not know.
_BYTES = regex(r"\((?:float|(?P<wide>double))\)\[(?P<bytes>[\da-f]+)\]")  # of a number, in an object's members
_ELEMENT = regex(r"adso[A-Z\d_]*[a-z](L_Z(?:N[^E]*E|[^E]*)E)E")


def declared_at(unit: Unit, cursor: Any, name: str, at: int | None) -> Any:
    """The variable of a name that an instantiation declares, at a place or anywhere."""
    return next((node for node in _declared(unit, cursor).get(name, ()) if at in (None, node.location.offset)), None)


@kept
def _declared(unit: Unit, cursor: Any) -> dict[str, list[Any]]:
    """The variables that an instantiation declares, by name."""
    declared: dict[str, list[Any]] = {}
    for node in libclang.descendants(cursor):
        if node.kind in (unit.kinds.VAR_DECL, unit.kinds.PARM_DECL):
            declared.setdefault(node.spelling, []).append(node)
    return declared


def instances_with(unit: Unit, function: Function, start: int, end: int) -> list[Any]:
    """The instantiations of a function that have the statement from ``start`` to ``end``, if that is a place in it."""
    found = instantiations(unit).get(function.start, [])
    return [cursor for cursor in found if start < 0 or _has_statement(unit, cursor, start, end)]


def _has_statement(unit: Unit, instance: Any, start: int, end: int) -> bool:
    nodes = libclang.descendants(instance)
    if not any(node.kind == unit.kinds.COMPOUND_STMT for node in nodes):
        return True  # libclang does not show what it has
    return any(start <= unit.place(node.location) < end for node in nodes)


@kept
def closures_of_constant(unit: Unit, constant: Variable) -> tuple[list[str], list[Variable]]:
    """(the lambda expressions in the value of a constant and of those that these name, the latter constants)"""
    k, found, stack = unit.kinds, [], [constant.cursor.get_definition() or constant.cursor]
    for cursor in stack:
        for node in libclang.descendants(cursor):
            named = node.referenced if node.kind == k.DECL_REF_EXPR else None
            if node.kind == k.LAMBDA_EXPR:
                found.append(unit.text[slice(*unit.extent(node))])
            elif named is not None and named.kind == k.VAR_DECL and libclang.is_users(named) and named not in stack:
                stack.append(named)
    others = {cursor.canonical.hash for cursor in stack[1:]} if found else ()
    return found, [v for v in unit.globals if v.constant and v.cursor.canonical.hash in others]


@kept
def narrow_steps(unit: Unit, function: Function) -> frozenset[int]:
    """Where a template steps variables that are narrow signed integers in one of its instantiations."""
    made = (node for one in instantiations(unit).get(function.start, ()) for node in libclang.descendants(one))
    steps = (node for node in made if node.kind == unit.kinds.UNARY_OPERATOR)
    narrow = (node for node in steps if node.type.get_canonical().kind.name in NARROW_SIGNED)
    return frozenset(unit.extent(node)[0] for node in narrow)


def uninstantiated(unit: Unit) -> frozenset[int]:
    """Where constructs begin that stand in templates, or in branches of them, that the unit does not instantiate."""
    found = set()
    for construct in unit.constructs:
        function = unit.function_at(construct.start) if construct.directive.is_target else None
        if function is None or not function.is_template:
            continue
        has_statement = construct.end > construct.pragma_end
        start, end = (construct.body_start, construct.end) if has_statement else (-1, -1)
        if not instances_with(unit, function, start, end):
            found.add(construct.start)
    return frozenset(found)


@kept
def instantiations(unit: Unit) -> dict[int, list[Any]]:
    """The instantiations of the user's templates that the unit makes: for each function's start, their cursors."""
    k = unit.kinds
    found: dict[int, list[Any]] = {}
    seen: set[tuple[str, int]] = set()
    queue = [f.cursor for f in unit.functions if not f.is_template]
    queue += [*(v.cursor for v in unit.globals), *unit.asking]
    through, targets = _Through(unit), set[Any]()

    def reach(target: Any) -> None:
        if target in targets:
            return
        targets.add(target)
        function = unit.defined(target)
        if function is None and through:  # of the library, or of a closure with 'auto' parameters
            symbol = target.mangled_name  # which different closures may have in common
            if (symbol, target.canonical.hash) not in seen and through.has(symbol):
                seen.add((symbol, target.canonical.hash))
                queue.extend(filter(None, [target.get_definition()]))
        if function is None or not function.is_template or function.cursor == target:
            return
        name = f"{target.get_usr()} {target.semantic_parent.type.spelling}"  # which closures may have in common
        if (name, target.canonical.hash) in seen:
            return
        seen.add((name, target.canonical.hash))
        definition = target.get_definition() or target
        found.setdefault(function.start, []).append(definition)
        queue.append(definition)

    for record in unit.explicit:
        general = libclang.template_of(record)
        for function in unit.functions:
            parent = function.cursor.semantic_parent
            if general is not None and function.is_member and parent.canonical == general.canonical:
                found.setdefault(function.start, []).append(record)
    named = (k.CALL_EXPR, k.DECL_REF_EXPR, k.MEMBER_REF_EXPR)
    functions = (k.FUNCTION_DECL, k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR)
    while queue:
        head = queue.pop()
        for cursor in (head, *libclang.descendants(head, *named, *functions, k.VAR_DECL)):
            if cursor.kind in named:
                target = cursor.referenced
                if target is not None and target.kind in (*functions, k.CONVERSION_FUNCTION, k.VAR_DECL):
                    reach(target)
            elif cursor.kind in functions:
                reach(cursor)
            else:
                kind = cursor.type.get_canonical() if cursor.kind == k.VAR_DECL else None
                declaration = kind.get_declaration() if kind is not None else None
                for child in libclang.children(declaration) if declaration is not None else ():
                    if child.kind == k.DESTRUCTOR:
                        reach(child)
    return found


class _Through:
    """What the symbols of the library's functions have in them that perhaps call templates with regions, or make or end
    objects of such classes: closures, and the user's classes with templates. False without regions in templates."""

    def __init__(self, unit: Unit) -> None:
        members = (f.cursor.semantic_parent for f in unit.functions if f.is_template and f.is_member)
        self._names = {record.spelling.partition("<")[0] for record in members} if _with_regions(unit) else set()
        self._any = bool(_with_regions(unit))

    def __bool__(self) -> bool:
        return self._any

    def has(self, symbol: str) -> bool:
        if "Ul" in symbol or "$_" in symbol:
            return True
        for found in _LENGTH.finditer(symbol):  # a name stands behind its length, in front of which other digits may be
            for start in range(found.start(), found.end()):
                if symbol[found.end() : found.end() + int(symbol[start : found.end()])] in self._names:
                    return True
        return False


@kept
def _leading(unit: Unit) -> list[Function]:
    """The templates that have regions, or that name such a one."""
    around = (unit.function_at(c.start) for c in unit.constructs if c.directive.is_target)
    found = {f.start for f in around if f is not None and f.is_template}
    templates = [f for f in unit.functions if f.is_template] if found else []
    first = [number for number, f in enumerate(templates) if f.start in found]
    parts = [stretch(f, f.start) for f in templates]
    return [templates[n] for n in naming(unit.text, parts, first, means_other(unit, templates))] if found else []


@kept
def _with_regions(unit: Unit) -> dict[int, Function]:
    """The templates that have regions, and methods of class templates that may run without a call and name one that
    has, or that names such a one, by where they begin. If constructors, destructors or assignments are among these,
    all of them are there, because members and bases are made and ended without a name."""
    around = (unit.function_at(c.start) for c in unit.constructs if c.directive.is_target)
    found = {f.start for f in around if f is not None and f.is_template}
    named = [f for f in _leading(unit) if f.start in found or _is_implicit(unit, f)]
    if any(_is_implicit(unit, f) and not _is_virtual(f) for f in named):
        named += [f for f in unit.functions if f.is_template and _is_implicit(unit, f)]
    return {f.start: f for f in named}


def in_braces(unit: Unit) -> list[Function]:
    """The function templates of regions that the unit names without a call, perhaps in braces: libclang does not show
    which instantiations these are."""
    functions = [f for f in _leading(unit) if f.cursor.kind == unit.kinds.FUNCTION_TEMPLATE]
    found = set[str]()
    names = "|".join(sorted({f.name for f in functions if f.name.isidentifier()}))
    for match in unit.pre.in_own_parts(re.compile(rf"\b(?:{names})\b")) if names else ():
        at = next_token(unit.text, match.end())
        at = next_token(unit.text, closing_angle(unit.text, at)) if unit.text[at] == "<" else at
        if unit.text[at] in ",.}":
            found.add(match[0])
    return [f for f in functions if f.name in found]


def _is_implicit(unit: Unit, function: Function) -> bool:
    """Whether a method may run without a call that names it."""
    k, kind = unit.kinds, function.cursor.kind
    return kind in (k.CONSTRUCTOR, k.DESTRUCTOR) or function.name == "operator=" or _is_virtual(function)


def _is_virtual(function: Function) -> bool:
    return function.is_member and bool(function.cursor.is_virtual_method())


def uncalled_methods(unit: Unit, failed: Collection[int]) -> dict[str, int]:
    """Statements that use methods with regions of instantiated classes, where nothing calls them by name: virtual ones,
    destructors, constructors and assignments that those of other classes call, inherited constructors, methods of
    explicit instantiations, and those that the library calls. libclang shows their bodies then. Each has the place of
    its method. The ``failed`` ones do not compile."""
    k = unit.kinds
    kinds = (k.CXX_METHOD, k.CONSTRUCTOR, k.DESTRUCTOR)
    of_classes = {start: f for start, f in _with_regions(unit).items() if f.cursor.kind in kinds}
    methods = {start: f for start, f in of_classes.items() if start not in failed}
    if not methods:
        return {}
    asked = {start for start, method in methods.items() if _is_uncalled(unit, method)}
    records, inside, bases, further = _records(unit)
    implicit = {m.cursor.semantic_parent.canonical.hash for m in methods.values() if _is_implicit(unit, m)}
    records = {**records, **{hashed: records.get(hashed, set()) | bases.get(hashed, set()) for hashed in implicit}}
    return dict.fromkeys((f"(void)rex_value<{base} &>();" for base in further), -1) | {
        _use(unit, record, method): start
        for start, method in sorted(methods.items())
        for hashed in [method.cursor.semantic_parent.canonical.hash]
        for record in sorted((records.get(hashed, set()) if start in asked else set()) | inside.get(hashed, set()))
        if not _NO_NAME.search(record)
    }


def _is_uncalled(unit: Unit, method: Function) -> bool:
    """Whether there may be instantiations of a method that no call names."""
    cursor = method.cursor
    if cursor.kind == unit.kinds.CONSTRUCTOR:
        is_special = cursor.is_default_constructor() or cursor.is_copy_constructor() or cursor.is_move_constructor()
        return is_special or method.name.partition("<")[0] in _inherited(unit)
    classes = (unit.kinds.CLASS_DECL, unit.kinds.STRUCT_DECL)
    return _is_implicit(unit, method) or all(i.kind in classes for i in instantiations(unit).get(method.start, ()))


@kept
def _inherited(unit: Unit) -> set[str]:
    """The names of the classes whose constructors others inherit: that is how libclang names these calls."""
    own, using = unit.own_children(unit.tu.cursor), unit.kinds.USING_DECLARATION
    return {node.spelling.partition("<")[0] for child in own for node in libclang.descendants(child, using)}


def of_hidden_classes(unit: Unit) -> list[tuple[int, str]]:
    """What names virtual methods and destructors with regions of class templates whose arguments have no names, such
    as closures, in their constructors: libclang shows the bodies of these then. Raises InputError where there is
    none."""
    k = unit.kinds
    of_regions = ((start, f) for start, f in _with_regions(unit).items() if f.is_member)
    methods = {start: f for start, f in of_regions if f.cursor.kind == k.DESTRUCTOR or _is_virtual(f)}
    is_end = {start: f.cursor.kind == k.DESTRUCTOR for start, f in methods.items()}
    kinds = {start: "destructor" if is_end[start] else "virtual method" for start in methods}
    records = _records(unit)[0] if kinds else {}
    named: list[tuple[int, str]] = []
    for method in (methods[start] for start in sorted(kinds)):
        record = method.cursor.semantic_parent
        made = records.get(record.canonical.hash, set())
        hidden = next((kind for kind in ("lambda", _LOCAL) if any(f"({kind}" in one for one in made)), None)
        makers = [f for f in unit.functions if f.name.partition("<")[0] == record.spelling]
        makers = [f for f in makers if f.cursor.semantic_parent.canonical == record.canonical]
        makers = [f for f in makers if unit.text[f.body] == "{"]  # and not defaulted
        if hidden is not None and not makers:
            what = f"'{method.name}', a {kinds[method.start]} that has or calls a region, of a class template "
            what += f"with a {hidden} as argument and without a constructor, is not supported"
            remedy = "give the class a constructor, or give it an object of a class of a namespace instead"
            raise error_at(unit.span(method.start), what, remedy)
        text = _use(unit, record.spelling, method)
        named += [(maker.body + 1, text) for maker in makers if hidden is not None]
    return named


def _use(unit: Unit, record: str, method: Function) -> str:
    """A statement for which a compiler instantiates a method of a class. Where it does not compile, nothing is said."""
    k, cursor, name = unit.kinds, method.cursor, method.name.partition("<")[0]
    if cursor.kind == k.DESTRUCTOR:
        return f"static_cast<{record} *>(nullptr)->{name}();"
    if cursor.kind == k.CXX_METHOD and not _is_overloaded(cursor):
        return f"(void)&{record}::{cursor.spelling};"
    names: dict[str, str] = {}
    for depth, template in enumerate(_templates_around(unit, cursor)):
        given = _arguments_of_name(record, depth)
        names |= {child.spelling: text for child, text in zip(unit.template_parameters(template), given, strict=False)}
        names |= {f"type-parameter-{depth}-{number}": text for number, text in enumerate(given)}
    types = (_with_arguments(c.type.get_canonical().spelling, names) for c in cursor.get_arguments())
    values = ", ".join(f"rex_value<{kind}>()" for kind in types)
    if cursor.kind == k.CXX_METHOD:
        return f"rex_value<{'const ' * cursor.is_const_method()}{record} &>().{cursor.spelling}({values});"
    return f"{{ struct rex_made : {record} {{ rex_made() : {record}({values}) {{}} }}; }}"


def _is_overloaded(method: Any) -> bool:
    return bool(sum(one.spelling == method.spelling for one in libclang.children(method.semantic_parent)) > 1)


def _templates_around(unit: Unit, cursor: Any) -> list[Any]:
    """The class templates that a method is in, the outermost first."""
    found, around = list[Any](), cursor.semantic_parent
    while around is not None and around.kind in unit.classes:
        found += [around] * (around.kind == unit.kinds.CLASS_TEMPLATE)
        around = around.semantic_parent
    return found[::-1]


def _arguments_of_name(record: str, depth: int) -> list[str]:
    """The arguments in a class's name, of the template that so many others are around."""
    begin = -1
    for _ in range(depth + 1):
        begin = record.find("<", begin + 1 if begin < 0 else closing_angle(record, begin))
        if begin < 0:
            return []
    return [text for text in arguments_in(record[begin : closing_angle(record, begin)]) if text]


def _with_arguments(kind: str, names: Mapping[str, str]) -> str:
    """The name of a type in a template with the arguments of an instantiation."""
    return re.sub(r"type-parameter-\d+-\d+|\w+", lambda match: names.get(match[0], match[0]), kind)


def _named(kind: Any) -> str:
    """A class as text behind the unit can name it, or with a mark of _NO_NAME if it cannot."""
    arguments = (kind.get_template_argument_type(n) for n in range(max(0, kind.get_num_template_arguments())))
    around = [argument.get_declaration().semantic_parent for argument in arguments]
    is_local = any(one is not None and one.kind.name in FUNCTIONS for one in around)
    return str(kind.spelling.replace(UNNAMED, "")) + f" ({_LOCAL})" * is_local


def _dependent_bases(unit: Unit, record: Any, general: Any) -> Iterator[tuple[Any, str]]:
    """(the template, the name of its instantiation) of each base of an instantiation that its template's parameters
    say."""
    given = arguments_of(unit, record, types_of(unit, general))
    names = {child.spelling: text for child, text in zip(unit.template_parameters(general), given, strict=False)}
    names |= {f"type-parameter-0-{number}": text for number, text in enumerate(given)}
    for child in libclang.children(general.get_definition() or general):
        spelled = child.type.get_canonical().spelling if child.kind == unit.kinds.CXX_BASE_SPECIFIER else ""
        base = child.type.get_declaration() if "<" in spelled and "..." not in spelled else None
        if base is not None and base.kind == unit.kinds.CLASS_TEMPLATE:
            yield base, _with_arguments(spelled, names)


@kept
def _records(unit: Unit) -> tuple[_Names, _Names, _Names, list[str]]:
    """The names of instantiations of the user's classes, by hash of the class: (of templates, those of which there is a
    variable or an expression; of classes in templates, those in explicit instantiations; the bases of classes that are
    no templates), and those of which libclang shows the parts only if an expression names them"""
    k = unit.kinds
    records: _Names = {}
    inside: _Names = {}
    bases: _Names = {}
    depths: dict[tuple[str, int], int] = {}  # at which types were looked at
    dependent: dict[str, Any] = {}

    def note_inside(general: Any, name: str) -> None:
        for child in libclang.children(general.get_definition() or general):
            if child.kind in (k.CLASS_DECL, k.STRUCT_DECL):
                inside.setdefault(child.canonical.hash, set()).add(f"{name}::{child.spelling}")
                note_inside(child, f"{name}::{child.spelling}")

    def note(kind: Any, depth: int = 0) -> None:
        kind = kind.get_canonical()
        kind = kind.get_pointee() if kind.kind in (unit.types.POINTER, unit.types.LVALUEREFERENCE) else kind
        record = kind.get_declaration()
        key = (kind.spelling, record.hash)
        if depths.get(key, _DEEPEST + 1) <= depth:
            return
        depths[key] = depth
        general = libclang.template_of(record)
        if general is not None and general.kind == k.CLASS_TEMPLATE:  # perhaps of a class of an instantiation
            general = libclang.pattern(general)
        if general is not None and libclang.is_users(general) and "type-parameter" not in kind.spelling:
            records.setdefault(general.canonical.hash, set()).add(_named(kind))
            for base, name in _dependent_bases(unit, record, general):
                records.setdefault(base.canonical.hash, set()).add(name)
                dependent[name] = base
        if record.kind in unit.classes and libclang.is_users(record) and depth < _DEEPEST:
            members, parents = unit.members_of(record)
            for part in (*(libclang.innermost(member.type) for member in members), *(one.type for one in parents)):
                note(part, depth + 1)
        for number in range(max(0, kind.get_num_template_arguments()) if depth < _DEEPEST else 0):
            if (argument := kind.get_template_argument_type(number)).kind != unit.types.INVALID:
                note(argument, depth + 1)

    for record in unit.explicit:
        note(record.type)
        note_inside(libclang.pattern(record), record.type.spelling)
    bodies = [f.cursor for f in unit.functions if not f.is_template] + [v.cursor for v in unit.globals]
    bodies += [instance for instances in instantiations(unit).values() for instance in instances]
    bodies += unit.asking
    for outer in bodies:
        for cursor in (outer, *libclang.descendants(outer)):
            if cursor.kind in (k.VAR_DECL, k.CALL_EXPR, k.CXX_NEW_EXPR, k.CXX_FUNCTIONAL_CAST_EXPR):
                note(libclang.innermost(cursor.type))
    for record in unit.plain_classes:
        for base in unit.members_of(record)[1]:
            if (general := libclang.template_of(base)) is not None:
                bases.setdefault(general.canonical.hash, set()).add(_named(base.type.get_canonical()))
    seen = {kind for kind, _ in depths}
    further = [name for name, base in dependent.items() if name not in seen and any(unit.members_of(base))]
    return records, inside, bases, sorted(name for name in further if not _NO_NAME.search(name))


def explicit_instantiations(pre: Preprocessed) -> Iterator[Match[str]]:
    """The explicit instantiations of a unit's own text, with ``whole``, ``extern`` and ``declared``: not the second
    line of ``matrix.`` and ``template solve<1>(other);``."""
    for match in pre.in_own_parts(_EXPLICIT):
        end, word = word_before(pre.text, match.start("whole"))
        if word or pre.text[end - 1 : end] not in (".", ">", ":"):
            yield match


def explicit_functions(unit: Unit) -> str:
    """Text that names the function templates that the unit instantiates explicitly, which libclang does not show.

    ``template int app::sum<4>(const int *);`` becomes ``int (*rex_explicit_1)(const int *) = &app::sum<4>;``.
    """
    named: list[str] = []
    for match in explicit_instantiations(unit.pre):
        declared = match["declared"]
        scope, record = unit.scope_at(match.start())
        if qualified_at(declared, 0) in ("class", "struct", "union") or ")" not in declared:
            continue
        begin = opening_of(declared, declared.rindex(")"), "()")
        identifier = declared[name_before(declared, begin) : begin].strip()
        if match["extern"] or record is not None or "(" in scope or not identifier:
            continue
        result, rest = declared[: declared.rindex(identifier, 0, begin)], declared[begin:]
        pointer = f"rex_explicit_{len(named) + 1}"
        is_method = "<" in identifier.rpartition("::")[0]
        text = f"auto {pointer} = &{identifier};" if is_method else f"{result}(*{pointer}){rest} = &{identifier};"
        spaces = [name for name in scope.split("::") if name]
        outer, end = "".join(f"namespace {name} {{ " for name in spaces), "}" * len(spaces)
        named.append(f"{outer}void rex_names_{pointer}() {{ {text} (void){pointer}; }}{end}\n")
    return "\n" + "".join(named) if named else ""


def check_local(unit: Unit, function: Function, instance: Any) -> None:
    """Refuse an instantiation with a class of a function that kernels cannot name: one of a template's, or one in such
    a class."""
    for number in range(max(0, instance.get_num_template_arguments())):
        record = libclang.behind(instance.get_template_argument_type(number)).get_declaration()
        around = record.semantic_parent if record is not None and libclang.is_users(record) else None
        place = unit.place(record.location) if around is not None else -1
        outer = unit.function_at(place) if around is not None and around.kind.name in FUNCTIONS else None
        while around is not None and around.kind in unit.classes:
            around = around.semantic_parent
        is_in_function = around is not None and around.kind.name in FUNCTIONS and "(" not in record.spelling
        if is_in_function and record.spelling and (outer is None or outer.is_template or outer.cursor != around):
            what = f"a region in '{function.name}', a template that is instantiated with '{record.spelling}', a class "
            what += "of a function, is not supported: declare the class outside"
            raise error_at(unit.span(function.start), what)


def types_of(unit: Unit, cursor: Any) -> list[str]:
    """The type of each parameter of a template that is a value; an empty text for other parameters."""
    value = unit.kinds.TEMPLATE_NON_TYPE_PARAMETER
    parameters = unit.template_parameters(cursor)
    return [child.type.get_canonical().spelling if child.kind == value else "" for child in parameters]


def class_arguments(unit: Unit, record: Any, template: Any) -> str:
    """All arguments of a class template's instantiation, also those that are defaults: ``<int, 2>``."""
    return f"<{', '.join(arguments_of(unit, record, types_of(unit, template)))}>"


def arguments_of(unit: Unit, cursor: Any, types: list[str], symbol: str = "") -> list[str]:
    """The template arguments of an instantiation, as text that names them from anywhere. Of a class, ``symbol`` is that
    of a method of it."""
    found = []
    for number in range(cursor.get_num_template_arguments()):
        kind = libclang.argument_kind(cursor, number)
        of = types[number] if number < len(types) else ""
        if kind == "TYPE":
            found.append(unit.names.spelled(cursor.get_template_argument_type(number).get_canonical(), outside=True))
        elif kind == "INTEGRAL" and "auto" not in of:
            depends = "type-parameter" in of or of.startswith("typename ")
            plain = "" if depends else of.replace("(anonymous namespace)::", "")
            value = cursor.get_template_argument_value(number)
            found.append(f"static_cast<{plain}>({value})" if plain else str(value))
        else:  # a template, a list of arguments, or a value of any type
            written = _written_arguments(cursor, symbol)
            if len(written) != cursor.get_num_template_arguments():
                return written
            found.append(written[number])
    return found if cursor.get_num_template_arguments() >= 0 else _written_arguments(cursor, symbol)


def _written_arguments(cursor: Any, symbol: str) -> list[str]:
    """The arguments of an instantiation, as the name of its class has them or, of a function, its symbol. The name of a
    class has objects without the scopes of their classes, and no defaults: the symbol of a method has both."""
    name = cursor.spelling.partition("<")[0]
    text = cursor.type.get_canonical().spelling if cursor.kind.name in ("CLASS_DECL", "STRUCT_DECL") else ""
    given = [*filter(None, last_arguments(text))]  # of S<> none
    is_whole = "{" not in text and len(given) >= cursor.get_num_template_arguments()
    if not text or (symbol and not is_whole):
        text = _demangled(_ELEMENT.sub(r"\1", symbol or cursor.mangled_name)) or text
    text = text.replace("(anonymous namespace)::", "")
    for place in _outside_of_brackets(text, f"{name}<"):
        if not text[:place][-1:].isalnum() and not text[:place].endswith("_"):
            written = text[place : closing_angle(text, place + len(name))]
            return [_of_function(argument) for argument in arguments_in(written) if argument]
    return [""]


def completed(unit: Unit, argument: str) -> str:
    """An argument that may be an object, with all of its members: a symbol leaves out the last ones if they are 0, and
    in their place would stand what the class has by default. The values of an array have no type in front of them."""
    name, brace, _ = argument.partition("{")
    kind, _, length = name.partition(" [")
    record = unit.record_of_name(kind)
    is_object = brace and argument.endswith("}") and (length or record is not None)
    if not is_object or (record is not None and "][" in name):
        return argument
    given = [completed(unit, value) for value in arguments_in(f"<{argument[len(name) + 1 : -1]}>") if value]
    if any(value.startswith(".") for value in given):  # the member of a union
        return argument
    zeros = _zeros(unit, record) if record is not None else []
    if length:
        zeros = [f"{{{', '.join(zeros)}}}"] * int(length.partition("]")[0])
    return f"{'' if length else name}{{{', '.join([*given, *zeros[len(given) :]])}}}"


def _zeros(unit: Unit, record: Any) -> list[str]:
    """What makes each part of a class 0, whatever the class has by default."""
    members, bases = unit.members_of(record)
    return [_zero(unit, one.type) for one in (*bases, *members)]


def _zero(unit: Unit, kind: Any) -> str:
    kind = kind.get_canonical()
    record = kind.get_declaration()
    if record.kind in unit.classes:
        return f"{{{', '.join(_zeros(unit, record))}}}"
    is_array = kind.kind == unit.types.CONSTANTARRAY
    element = _zero(unit, kind.element_type) if is_array else "{}"
    return "{}" if element == "{}" else f"{{{', '.join([element] * kind.element_count)}}}"


def _outside_of_brackets(text: str, name: str) -> list[int]:
    """Where a name stands in no brackets, such as those around the arguments of another one; the last place first."""
    around, found = "", []
    for at, char in enumerate(text):
        if not around and text.startswith(name, at):
            found.append(at)
        if char in "([{" or (char == "<" and not around.endswith("(")):  # in parentheses it may compare
            around += char
        elif around and char == {"(": ")", "[": "]", "{": "}", "<": ">"}[around[-1]] and text[at - 1] != "-":
            around = around[:-1]
    return found[::-1]


def _of_function(argument: str) -> str:
    """An argument, of a function's address without what the function takes and gives: ``&(int app::f(int))`` is
    ``&app::f``."""
    inner = argument[2:-1]
    if not argument.startswith("&(") or ")" not in inner:
        return argument
    begin = opening_of(inner, inner.rindex(")"), "()")  # behind it, there may be const
    return f"&{inner[name_before(inner, begin) : begin]}"


def _demangled(symbol: str) -> str:
    """A symbol as C++, or an empty text if the C++ library is not found."""
    import ctypes

    try:
        demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
    except OSError:
        return ""
    demangle.restype = ctypes.c_void_p
    demangle.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)]
    status = ctypes.c_int()
    made = demangle(symbol.encode(), None, None, ctypes.byref(status))
    text = ctypes.cast(made, ctypes.c_char_p).value.decode() if made and status.value == 0 else ""  # type: ignore[union-attr]
    return _BYTES.sub(_number, text)


def _number(found: Match[str]) -> str:
    number: float = struct.unpack(">d" if found["wide"] else ">f", bytes.fromhex(found["bytes"]))[0]
    return number.hex()
