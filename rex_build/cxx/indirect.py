"""Functions that device code calls by the addresses that the host has for them (``declare target indirect``).

The host file has a table of their addresses, which launches bring, and the device file one of the device's. Calls by
pointers ask for the address in the first, and call what stands in the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..base.diagnostics import error_at
from ..c.source.tokens import next_token
from ..plan.unit import TranslationUnitPlan
from . import libclang
from .functions import Function
from .instantiations import in_braces, instantiations
from .text_constructs import CxxType, Variable, closing_angle, qualifier_before
from .unit import Unit

_NAMING = "rex_naming_"


def by_address(unit: Unit, functions: Iterable[Function]) -> tuple[tuple[Function, Variable], ...]:
    """Functions, of templates their instantiations, and what is the address of each on both sides."""
    found: dict[str, tuple[Function, Variable]] = {}
    for function in dict.fromkeys(functions):
        instances = instantiations(unit).get(function.start, ()) if function.is_template else (function.cursor,)
        for cursor in instances:
            is_method = cursor.kind == unit.kinds.CXX_METHOD
            if cursor.kind != unit.kinds.FUNCTION_DECL and not (is_method and cursor.is_static_method()):
                continue  # no pointer to a function has its address
            if is_method and cursor.access_specifier.name != "PUBLIC":
                what = f"'{function.name}', which is not public in its class, cannot be called by its address"
                raise error_at(unit.span(function.start), f"{what} on the device")
            if unit.separable:
                what = f"'indirect' of '{function.name}' where units share device code is not supported in C++"
                raise error_at(unit.span(function.start), what)
            text = f"rex_address<{unit.names.spelled(cursor.type.get_canonical())}>(&{_qualified(unit, cursor)})"
            found[text] = function, Variable(text, CxxType(text, "other"), cursor, function.start, function.end)
    return tuple(found.values())


def functions_table(unit: Unit) -> str:
    """The array of their host addresses."""
    return f"__rex_functions_{unit.key}" if unit.indirect else ""


def _qualified(unit: Unit, cursor: Any) -> str:
    """The name of a function from anywhere in the unit, without the arguments of its own template."""
    around = cursor.semantic_parent
    if around.kind in unit.classes:
        return f"{unit.names.spelled(around.type.get_canonical())}::{cursor.spelling}"
    scope = "".join(f"::{name}" for name in unit.namespaces_around(cursor))
    return f"{scope}::{cursor.spelling}{_arguments(unit, cursor)}"


def _arguments(unit: Unit, cursor: Any) -> str:
    """The arguments of an instantiation, or nothing if its type has to tell them."""
    kinds = [cursor.get_template_argument_kind(n).name for n in range(max(0, cursor.get_num_template_arguments()))]
    if not kinds or not {"TYPE", "INTEGRAL"}.issuperset(kinds):
        return ""
    texts = (
        unit.names.spelled(cursor.get_template_argument_type(n).get_canonical())
        if kind == "TYPE"
        else str(cursor.get_template_argument_value(n))
        for n, kind in enumerate(kinds)
    )
    return f"<{', '.join(texts)}>"


def named_in_braces(unit: Unit) -> str:
    """Text that names instantiations as the initialisers of objects do, of which libclang shows only the templates."""
    is_any = any(found.directive.has("indirect") for found in unit.directives)
    wanted = {one.cursor.canonical.hash for one in in_braces(unit)}
    text = ""
    for start, end in sorted(_in_braces(unit, wanted, is_any=is_any) if is_any or wanted else ()):
        scope = "".join(f"namespace {name} {{ " for name in unit.scope_at(start)[0].split("::") if name)
        begin, after = qualifier_before(unit.text, start), next_token(unit.text, end)
        last = closing_angle(unit.text, after) if unit.text[after] == "<" else end
        named = f"void {_NAMING}{start}() {{ auto p = &{unit.text[begin:last]}; (void)p; }}"
        text += f"\n{scope}{named}{'}' * scope.count('{')}"
    return text


def _in_braces(unit: Unit, wanted: Collection[int], *, is_any: bool) -> set[tuple[int, int]]:
    """Where such mentions of the ``wanted`` templates begin and end, outside of templates, or of any ones."""
    found = set[tuple[int, int]]()
    for node in _unresolved(unit):
        function = unit.function_at(unit.extent(node)[0])
        is_plain = function is None or not function.is_template
        if is_any or (is_plain and any(one.canonical.hash in wanted for one in libclang.overloads(node))):
            found.add(unit.extent(node))
    return found


def _unresolved(unit: Unit) -> Iterator[Any]:
    """The mentions of functions, in templates those of instantiations, of which libclang does not show which they
    mean."""
    k = unit.kinds
    templates = (k.FUNCTION_TEMPLATE, k.CLASS_TEMPLATE, k.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION)
    stack = [child for child in unit.own_children(unit.tu.cursor) if child.kind not in templates]
    stack += [one for instances in instantiations(unit).values() for one in instances]
    while stack:
        node = stack.pop()
        if node.kind == k.OVERLOADED_DECL_REF:
            yield node
        stack += (child for child in libclang.children(node) if child.kind not in templates)


def check_known(unit: Unit, functions: Iterable[Function], why: str) -> None:
    """Raise InputError where an instantiation of one of the functions is named and it is not known which, and ``why``
    it has to be."""
    naming = {f.spelling: f for f in unit.asking if f.spelling.startswith(_NAMING)}
    templates = {f.cursor.canonical.hash: f for f in functions if f.is_template}
    for node in _unresolved(unit) if templates else ():
        named = (templates.get(one.canonical.hash) for one in libclang.overloads(node))
        if (function := next(filter(None, named), None)) is not None:
            place = unit.extent(node)[0]
            found = libclang.descendants(naming[name]) if (name := f"{_NAMING}{place}") in naming else ()
            if not any(one.kind == unit.kinds.DECL_REF_EXPR and one.spelling == function.name for one in found):
                what = f"which '{function.name}' this is, {why}, cannot be seen here"
                raise error_at(unit.span(place), what, "write 'static_cast<F>(f<T>)', with its type")


def called_by_pointer(unit: Unit, call: Any) -> Iterator[tuple[int, int, str]]:
    """What stands around what a call calls that is or may be a pointer to a function."""
    callee = next(iter(libclang.children(call)), None)
    if callee is None:
        return
    start, end = unit.extent(callee)
    yield start, start, "REX_CALLED("
    yield end, end, ")"


def table(plan: TranslationUnitPlan) -> list[str]:
    """The lines in front of device code that calls by pointers."""
    if not plan.indirect:
        return []
    translated = f"rex_called_by(f, {plan.functions_table}, rex_indirect, {len(plan.indirect)})"
    return [
        f'extern "C" {{ __device__ void *{plan.functions_table}[{len(plan.indirect)}]; }}',
        "static __device__ void *rex_indirect(int number);",
        "struct rex_translation {",
        f"    template <class F> __device__ F operator()(F f) const {{ return {translated}; }}",
        "};",
        "#define REX_CALLED(f) rex_called(f, rex_translation())",
    ]


def addresses(plan: TranslationUnitPlan) -> list[str]:
    """The lines behind the functions that are called by their addresses."""
    if not plan.indirect:
        return []
    listed = ", ".join(f"(void *){function.name}" for function in plan.indirect)
    return [
        "static __device__ void *rex_indirect(int number)",
        f"{{ void *const functions[] = {{{listed}}}; return functions[number]; }}",
    ]
