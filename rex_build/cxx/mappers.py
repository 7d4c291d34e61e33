"""The mappers that a C++ unit declares."""

from __future__ import annotations

from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..c.source.tokens import has_word
from ..directives.parser import refuse_unsupported
from ..openmp.list_items import DeclaredMapper
from ..openmp.mappers import MapperTable, declared_mapper
from . import libclang
from .functions import Function
from .text_constructs import opening_of
from .type_names import endings, is_named
from .unit import Unit
from .user_reductions import block_from


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
