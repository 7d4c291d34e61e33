"""Variables that live on the device: those of ``declare target``, and those that device functions use.

nvcc allows no variables of the device in classes, so static members are references in the device file. They lead to
variables of the device that stand outside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ..base.diagnostics import OtherUnitsNeeded, error_at
from ..c.source.tokens import has_word, next_token, statement_end
from ..directives.model import Locator
from ..openmp.declare_target import device_type, named_by
from ..openmp.restrictions import is_indirect, shares_memory
from ..plan.unit import DeclareTargetVariable
from . import libclang, template_members
from .cuda_names import device_name
from .first_values import computing
from .functions import Function
from .indirect import by_address, check_known
from .instantiations import in_braces
from .reached import Reached
from .reading.reader import reader_of
from .text_constructs import Construct, Variable, declare
from .unit import Unit
from .user_lines import TextEdit

_Members = Sequence[tuple[Any, Variable]]


def device_variable(variable: Variable) -> str:
    """The name of the device's variable for a static member that is no constant."""
    return f"rex_static_{variable.cursor.mangled_name}"


def check_static_member(unit: Unit, variable: Variable) -> None:
    """Refuse a static member that cannot be a variable of the device, or one that a template's could be."""
    scope, kind = variable.cursor.semantic_parent, libclang.innermost(variable.cursor.type)
    inside = kind.get_declaration().semantic_parent if kind.kind in (unit.types.RECORD, unit.types.ENUM) else None
    if inside is not None and inside.kind in unit.classes and variable not in unit.members_of_templates:
        what = f"'{variable.name}', a static member of a type that is declared in a class, cannot be a variable of the "
        raise error_at(unit.span(variable.start), f"{what}device: declare the type outside")
    while scope is not None and scope.kind in unit.classes:
        if scope.kind not in (unit.kinds.CLASS_DECL, unit.kinds.STRUCT_DECL) or scope.get_num_template_arguments() > 0:
            what = f"'{variable.name}', a static member of a specialisation or of a class in a class template, cannot "
            raise error_at(unit.span(variable.start), f"{what}be a variable of the device")
        scope = scope.semantic_parent


def static_members(unit: Unit, reached: Reached) -> Iterator[TextEdit]:
    """The edits of the declarations and the definitions of static members."""
    for start, members in _by_declaration(unit, unit.static_members):
        end = statement_end(unit.text, start)
        if any(variable in unit.on_device for _, variable in members):
            yield from _living(unit, members, start, end)
        elif any(_needs_storage(variable, reached) for _, variable in members):
            yield from _constants(unit, members, start, end)
        elif _are_of_host(unit, members, start, end):
            yield TextEdit(start, end, " ".join(f"static {declare(v.type, v.name)};" for _, v in members))
    for start, members in _by_declaration(unit, unit.member_definitions):
        if any(variable.constant and variable.cursor == cursor for cursor, variable in members):
            continue  # the value of a specialisation's member, which the compiler must see
        on_device = unit.on_device.difference(unit.members_of_templates, unit.on_host)
        living = [(cursor, variable) for cursor, variable in members if variable in on_device]
        text = " ".join(_definition(unit, cursor, variable) for cursor, variable in living)
        yield TextEdit(start, statement_end(unit.text, start), text)


def _are_of_host(unit: Unit, members: _Members, start: int, end: int) -> bool:
    """Whether members are variables of the host that their class defines, perhaps with values of its functions."""
    named = not any(v.constant or v.is_reference or has_word(v.type.text, "auto", "decltype") for _, v in members)
    return named and has_word(unit.text[start:end], "inline")


def _by_declaration(unit: Unit, members: _Members) -> Iterator[tuple[int, _Members]]:
    """(where a declaration begins, the members that it declares)"""
    whole: dict[int, list[tuple[Any, Variable]]] = {}
    for cursor, variable in members:
        attributes = [unit.extent(c)[0] for c in libclang.children(cursor) if c.kind == unit.kinds.ALIGNED_ATTR]
        start = unit.extent(cursor)[0]
        whole.setdefault(min([start, *(a for a in attributes if start - 80 < a)]), []).append((cursor, variable))
    yield from whole.items()


def is_one_of_all_units(unit: Unit, variable: Variable) -> bool:
    """Whether a variable is inline: all units that define it have one."""
    head = unit.text[variable.start : unit.place(variable.cursor.location)]
    return has_word(head, "inline") and variable.cursor.linkage.name == "EXTERNAL"


def _needs_storage(variable: Variable, reached: Reached) -> bool:
    """Whether device code needs more of a constant than its value, as far as its mentions tell."""
    if variable.start in reached.addressed:
        return True
    spelled = variable.cursor.type.get_canonical().spelling
    is_parameter = spelled.removeprefix("const ").startswith("type-parameter-") and spelled[-1].isdigit()
    is_scalar = variable.type.kind == "scalar" or is_parameter
    return variable.constant and (f"::{variable.name}" if is_scalar else variable.name) in reached.words


def _constants(unit: Unit, members: _Members, start: int, end: int) -> Iterator[TextEdit]:
    """A declaration of constants, inside of a class that has their values."""
    declaration = " ".join(unit.text[start:end].split())
    first = members[0][1].name
    yield TextEdit(start, start, f"public: struct rex_constant_{first} {{ ")
    value = "static constexpr const auto &rex_value = {}; }};"
    text = value.format(first)
    for _, variable in members[1:]:
        text += f" struct rex_constant_{variable.name} {{ {declaration} {value.format(variable.name)}"
    text += f" {members[0][0].access_specifier.name.lower()}:"
    for _, variable in members:
        text += f" static constexpr const auto &{variable.name} = rex_static<rex_constant_{variable.name}>.value;"
    yield TextEdit(end, end, f" {text}")


def _living(unit: Unit, members: _Members, start: int, end: int) -> Iterator[TextEdit]:
    """A declaration of variables that live on the device, and what stands in front of the outermost class."""
    text = ""
    for cursor, variable in members:
        if variable not in unit.on_device:
            text += f"static {declare(variable.type, variable.name)}; "
            continue
        if variable in unit.members_of_templates:
            before = unit.extent(cursor.semantic_parent.get_definition() or cursor.semantic_parent)[0]
            yield TextEdit(before, before, f"{template_members.declaration(unit, variable)} ")
            text += f"{template_members.reference(unit, variable)} "
            continue
        outermost = cursor
        while outermost.semantic_parent.kind in unit.classes:
            outermost = outermost.semantic_parent
        before = unit.extent(outermost.get_definition() or outermost)[0]
        if (pointer := unit.on_host.get(variable)) is not None:
            yield TextEdit(before, before, f'extern "C" {{ __device__ {declare(variable.type, f"*{pointer}")}; }} ')
            text += f"static {declare(variable.type, variable.name)}; "
            text += f"static constexpr auto &{pointer} = {unit.scope_name(outermost.semantic_parent)}::{pointer}; "
            continue
        is_defined = variable.start == unit.extent(cursor)[0] and (cursor.is_definition() or not unit.separable)
        declared = f'extern "C" __device__ {_declared(variable)};'
        yield TextEdit(before, before, f"{_definition(unit, cursor, variable) if is_defined else declared} ")
        const = "const " if variable.type.const else ""
        text += f"static constexpr {const}auto &{variable.name} = {device_variable(variable)}; "
    yield TextEdit(start, end, text.rstrip())


def _declared(variable: Variable, scope: str = "") -> str:
    return declare(variable.type, scope + device_variable(variable))


def _definition(unit: Unit, cursor: Any, variable: Variable) -> str:
    """The definition of a variable of the device, with the user's initialiser."""
    value = template_members.initialiser(unit, cursor)
    # nvcc takes it for another variable where it is not in the scope of its declaration, in front of the class.
    own, declared = (unit.scope_at(unit.extent(c)[0])[0] for c in (cursor, variable.cursor.canonical))
    declared = declared.removeprefix("::") if own != declared else ""
    inline = "inline " if unit.separable and is_one_of_all_units(unit, variable) else ""
    return f'extern "C" {{ {inline}__device__ {_declared(variable, declared)}{f" {value}" if value else ""}; }}'


def declared_target(unit: Unit) -> tuple[list[Variable], list[Function]]:
    """What ``declare target`` directives put on the device: the variables, and the functions that other units may call.

    A unit's own device code needs no directive for functions. Raises InputError for what is not supported.
    """
    named = named_by(
        unit.constructs, partial(_listed, unit), partial(_between, unit),
        lambda one: unit.function_at(one.start) is not None, cxx=True,
    )  # fmt: skip
    on_device = {one: said for one, (said, _) in named.items() if device_type(said.directive) != "host"}
    functions = [one for one in on_device if isinstance(one, Function)]
    indirect = [one for one in functions if is_indirect(on_device[one].directive, reader_of(unit).constant)]
    unit.indirect = by_address(unit, indirect)
    check_known(unit, indirect, "whose address the device has to know")
    check_known(unit, in_braces(unit), "whose region needs a kernel")
    plain = (f for f in functions if f.cursor.kind not in (unit.kinds.FUNCTION_TEMPLATE, unit.kinds.VAR_DECL))
    plain = (f for f in plain if not f.is_template and f.cursor.lexical_parent.kind not in unit.classes)
    shared = [f for f in plain if f.cursor.linkage.name == "EXTERNAL"]
    return [v for v in on_device if isinstance(v, Variable) and not v.constant], shared


def _listed(unit: Unit, construct: Construct, item: Locator, _how: str) -> Iterator[Variable | Function]:
    """What a list item means. A function that is only declared is none of this unit's."""
    function = unit.function_at(construct.start)
    variable = _variable(unit, item, construct.start)
    if variable is not None and variable.is_local:
        what = f"'declare target' of '{item.text}', a function's static variable, is not supported in C++"
        raise error_at(item.span, what)
    start = function.start if function is not None else construct.start
    called = unit.functions_at(item.name, start) if variable is None else ()
    if variable is None and not called:
        raise error_at(item.span, f"'{item.text}' is no variable or function of this unit")
    yield from filter(None, (variable, *(unit.defined(cursors[0]) for cursors in called)))


def _variable(unit: Unit, item: Locator, place: int) -> Variable | None:
    """The variable that a list item of a directive names at a place, perhaps in no function."""
    function = unit.function_at(place)
    if function is not None:
        return unit.lookup(function, item.name, place)
    return unit.variable_at(item.name, place)


def _between(unit: Unit, begin: Construct, end: Construct) -> Iterator[Variable | Function]:
    """What is declared between two directives."""
    variables = [(v.start, v) for v in unit.globals] + unit.redeclared
    variables += [(unit.extent(cursor)[0], v) for cursor, v in unit.static_members]
    yield from (variable for start, variable in variables if begin.start < start < end.start)
    yield from (function for function in unit.functions if begin.start < function.start < end.start)
    for cursors in unit.prototypes.values():
        if any(begin.start < unit.extent(c)[0] < end.start for c in cursors):
            yield from filter(None, [unit.defined(cursors[0])])


def others_may_use(
    unit: Unit, functions: Iterable[Function], variables: Iterable[Variable], used: Collection[Function]
) -> bool:
    """Whether device code of other units may use what this one defines for the device.

    That is so for what a header declares, for inline variables, which are one in all units, and for what nothing in
    this unit uses. Each unit has the functions that a header defines. ``used`` are those that its device code calls.
    """
    if shares_memory(unit.requirements):
        return False  # its variables can only be its own
    functions = [f for f in functions if unit.span(f.start).file == unit.pre.main_file]
    has_regions = any(construct.directive.is_target for construct in unit.constructs)
    defined = [v for v in variables if v.cursor.is_definition() and not v.constant]
    is_inline = any(is_one_of_all_units(unit, v) and unit.span(v.start).file != unit.pre.main_file for v in defined)
    if any(function not in used for function in functions) or (defined and not has_regions) or is_inline:
        return True
    known = [c for f in functions for c in unit.prototypes.get(f.cursor.canonical.hash, ()) if not c.is_definition()]
    places = [unit.extent(c)[0] for c in known]
    places += [start for start, variable in unit.redeclared if variable in defined]
    return any(unit.span(place).file != unit.pre.main_file for place in places)


def threadprivate(unit: Unit) -> Iterator[Variable]:
    """The variables of which each thread of the host has its own."""
    private = (one for one in unit.directives if one.directive.name == "threadprivate")
    named = (_variable(unit, item, one.start) for one in private for item in one.directive.arguments)
    yield from filter(None, named)


def unnamed_namespace(digest: str) -> str:
    """The name that device code has for the unit's namespaces without a name, whose variables the host must find."""
    return f"rex_unnamed_{digest}"


def hosted(unit: Unit, variables: Iterable[Variable], digest: str) -> dict[Variable, str]:
    """The variables that host and device share, as all memory is shared, and the pointers by which the device finds
    them. Constants have copies. Raises InputError."""
    found = {}
    for variable in variables if shares_memory(unit.requirements) else ():
        if variable.type.const:
            continue
        is_hidden = variable in unit.members_of_templates or (unit.is_static_member(variable) and _is_private(variable))
        if is_hidden or variable.is_reference or unit.separable:
            of_class = "a private static member, one of a class template, or a reference"
            what = "which several units share" if unit.separable else of_class
            what = f"'{variable.name}', {what}, cannot be shared by host and device (unified_shared_memory)"
            raise error_at(unit.span(variable.start), what)
        if "(unnamed" in variable.type.text:
            what = f"'{variable.name}', of a class without a name, cannot be shared by host and device"
            raise error_at(unit.span(variable.start), f"{what} (unified_shared_memory)")
        found[variable] = f"rex_shared_{device_symbol(variable, unnamed_namespace(digest))}"
    return found


def is_constant_of_unit(unit: Unit, variable: Variable) -> bool:
    """Whether each unit of an image has a constant of its own of this name, as of ``const double pi`` in a header."""
    return bool(unit.separable) and variable.type.const and variable.cursor.linkage.name == "INTERNAL"


def planned(unit: Unit, variables: Iterable[Variable], digest: str) -> tuple[DeclareTargetVariable, ...]:
    """What the plan says of variables on the device. Raises InputError for those that cannot be there."""
    found = []
    for variable in variables:
        cursor = variable.cursor
        place = unit.span(variable.start)
        if variable in unit.members_of_templates:
            template_members.check(unit, variable)
            continue  # its instances are variables
        general = template_members.general_of(unit, variable)
        if general is None:
            check_static_member(unit, variable)
        elif general.type.const:
            continue  # the image's own
        if is_constant_of_unit(unit, variable):
            continue
        if variable.is_reference:
            raise error_at(place, f"'{variable.name}', a reference, cannot be a variable of the device")
        defined = bool(cursor.is_definition()) or general is not None
        if not defined and unit.separable is None:
            raise OtherUnitsNeeded
        if not defined and not unit.separable:
            raise error_at(place, f"'{variable.name}' is on the device, but this unit does not define it")
        hosted = Variable(variable.host, variable.type, cursor, variable.start, variable.end)
        if variable in unit.on_host:
            found.append(DeclareTargetVariable(hosted, unit.on_host[variable], entry=defined, link=True))
            continue
        symbol = device_symbol(variable, unnamed_namespace(digest))
        if unit.is_static_member(variable):
            symbol = device_variable(variable) if general is None else template_members.symbol(unit, variable)
            hosted.name = f"rex_reached({_tag(variable)}())" if _is_private(variable) else variable.host
        found.append(DeclareTargetVariable(hosted, symbol, entry=defined))
    return tuple(found)


def check_first_value(unit: Unit, variable: Variable) -> None:
    """Refuse a variable of the device whose first value is computed when the program starts, or that each thread has.
    Raises InputError."""
    if variable in unit.on_host or variable.is_local:
        return
    if variable.cursor.tls_kind.value:
        what = f"'{variable.name}', which device code uses, is thread-local, which is not supported"
        raise error_at(unit.span(variable.start), what)
    for node, called in computing(unit, variable.cursor.get_definition() or variable.cursor):
        what = f"'{variable.name}' is on the device, but '{called}' gives it a value when the program starts"
        remedy = "make that constexpr, pass the value to the functions that need it, or assign it in a region"
        raise error_at(unit.span(unit.place(node.extent.start)), what, remedy)


def _is_private(variable: Variable) -> bool:
    return str(variable.cursor.access_specifier.name) in ("PRIVATE", "PROTECTED")


def _tag(variable: Variable) -> str:
    return f"rex_of{variable.cursor.mangled_name}"


def reached_members(unit: Unit) -> Iterator[str]:
    """What lets the host file's table name private members: an explicit instantiation may do so."""
    for variable in sorted(unit.on_device, key=lambda one: (one.start, one.host)):
        if variable in unit.members_of_templates or variable.type.const:
            continue
        if unit.is_static_member(variable) and _is_private(variable):
            tag, kind = _tag(variable), declare(variable.type, "")
            yield f"struct {tag} {{ using type = {kind}; friend constexpr type &rex_reached({tag}); }};"
            yield f"template struct rex_member<{tag}, &{variable.host}>;"


def owners(unit: Unit, variables: Iterable[DeclareTargetVariable], digest: str) -> Iterator[str]:
    """What ends a program in which variables are one on the host and several on the device, as inline ones are that two
    libraries define."""
    entries = (one.symbol for one in variables if one.entry and not one.link)
    known = (symbol for symbol in entries if isinstance(symbol, Variable))
    common = [v for v in known if is_one_of_all_units(unit, v) or template_members.general_of(unit, v) is not None]
    if not common:
        return
    own = "&__dso_handle" if unit.separable else f"&rex_image_{digest}"
    text = ""
    for v in common:
        variable = f"{_tag(v)}, nullptr" if _is_private(v) else f"decltype({v.name}), &{v.name}"
        text += f'rex_own(rex_owner<{variable}>::image, {own}, "{v.host.removeprefix("::")}"); '
    yield f"static const char rex_image_{digest} = 0;"
    yield f"__attribute__((constructor)) static void rex_own_{digest}() {{ {text}}}"


def device_symbol(variable: Variable, unnamed: str) -> str:
    """The name of a variable in the image, where it has external linkage, also in a namespace without a name."""
    name, own = variable.name, device_name(variable.name)
    mangled = str(variable.cursor.mangled_name) or name
    if mangled in (name, f"_ZL{len(name.encode())}{name}"):
        return own
    mangled = mangled.replace("12_GLOBAL__N_1", f"{len(unnamed)}{unnamed}")
    counted, length = f"{len(own.encode())}{own}", len(name.encode())
    return mangled.replace(f"L{length}{name}", counted).replace(f"{length}{name}", counted)


def specifiers_to_drop(text: str, start: int) -> int:
    """The offset behind ``static`` and ``inline`` at the beginning of a declaration."""
    while text.startswith(("static", "inline"), start) and text[start + 6 : start + 7].isspace():
        start = next_token(text, start + 6)
    return start
