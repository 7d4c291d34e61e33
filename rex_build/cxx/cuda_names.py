"""The names that CUDA declares in every device file, and C++ programs may have, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..base.patterns import regex
from ..c.source.library_functions import MATH, is_header_macro, words
from ..c.source.tokens import outside_literals, words_in
from .functions import Function
from .libclang import children, is_users, pattern
from .reached import used_in_instances
from .text_constructs import identifiers_in, qualified_at
from .unit import Unit, kept

# Those that the headers of C and C++ use for nothing. They become macros, and would change those headers, too.
_OF_CUDA_ALONE = regex(
    r"(?:make_)?(?:u?(?:char|short|int|long|longlong)|float|double)[1-4](?:_\w+)?$|dim3$|cu(?:da|rand)?[A-Z]\w*$|CU\w+$|cudalibrary\w+$"
    r"|atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_system|_block)?$|u?(?:ll|ull)?(?:mul24|mulhi|mul64hi)$"
    r"|f?(?:dividef|divide)$|(?:float|int|double|uint|longlong)_as_\w+$|(?:float|double)2(?:int|uint|ll|ull|half|float)\w*$"
    r"|saturate$|clock64$|(?:u|ll|ull)(?:min|max)$|(?:float|u?int|u?ll)2double$|d(?:add|mul|sub)$|normf$|ballot$"
    r"|warpSize$|syncthreads_(?:and|count|or)$"
    r"|(?:rsqrt|rcbrt|rhypot|rnorm|r?norm[34]d|normcdf(?:inv)?|erf(?:inv|cinv|cx)|(?:sin|cos|sincos)pi|cyl_bessel_i[01])f?$"
)


def renamed(names: Iterable[str]) -> list[str]:
    """The lines that give the user's functions and types of these names others in device code."""
    return [f"#define {name} {name}__c" for name in sorted(names) if _OF_CUDA_ALONE.match(name)]


def names_of_macros(unit: Unit, words: Iterable[str]) -> list[str]:
    """The lines that undefine those of the text's words that are macros in headers of all device files, and give the
    user's variables and functions other names. Those that are found by name on the device keep them, and so does what
    headers declare, such as ``stderr``, which is a macro of itself."""
    macros = sorted(filter(is_header_macro, words))  # where the text has such a name, it is no macro
    kept_names = {variable.name for variable in unit.on_device}
    scopes = [unit.tu.cursor] if macros else []
    while scopes:
        for child in children(scopes.pop()):
            if child.kind in (unit.kinds.LINKAGE_SPEC, unit.kinds.UNEXPOSED_DECL):
                scopes.append(child)
            elif child.spelling in macros and not is_users(child):
                kept_names.add(child.spelling)
    lines = ([f"#undef {name}", *([] if name in kept_names else [f"#define {name} {name}__c"])] for name in macros)
    return list(chain.from_iterable(lines))


# CUDA's variables of each kernel.
OF_KERNELS = frozenset(("blockDim", "blockIdx", "gridDim", "threadIdx"))
_OF_KERNELS = outside_literals(rf"\b(?:{'|'.join(sorted(OF_KERNELS))})\b")


def device_name(name: str) -> str:
    """The name in device code of a variable of the user's."""
    return f"{name}__c" if name in OF_KERNELS else name


def device_text(text: str) -> str:
    """Some of the user's text with these names."""
    return _OF_KERNELS.sub(lambda match: device_name(match[0]), text)


def names_of_kernels(unit: Unit, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """(where the user's text has a name of CUDA's variables, the name in device code). These are no macros, because
    kernels and macros of the device library name CUDA's."""
    for match in _OF_KERNELS.finditer(unit.text, start, end) if _has_names_of_kernels(unit) else ():
        if match["found"]:
            yield match.start(), match.end(), device_name(match[0])


@kept
def _has_names_of_kernels(unit: Unit) -> bool:
    return any(name in unit.text for name in OF_KERNELS)


def check_types_of_kernels(texts: Iterable[str], span: SourceSpan) -> None:
    """Refuse types that have a name of CUDA's variables, where kernels would have to name them. Raises InputError."""
    for name in sorted({word for text in texts for word in words_in(text)} & OF_KERNELS):
        raise error_at(span, f"'{name}' is a variable of CUDA's in device code: give the type another name")


# Functions of CUDA whose names the headers of C++ have for something else.
OF_BOTH = frozenset(("all", "any", "norm"))


def renamed_types(unit: Unit) -> Iterator[tuple[int, str]]:
    """(where a type of the user's outside of all namespaces is declared that has the name of a function of CUDA's, the
    line that gives it another one from there on). It stays where headers or the text mean the library's."""
    kinds = (*unit.classes, unit.kinds.TYPEDEF_DECL, unit.kinds.TYPE_ALIAS_DECL, unit.kinds.ENUM_DECL)
    found: dict[str, int] = {}
    for cursor in unit.own_children(unit.tu.cursor):
        if cursor.kind in kinds and cursor.spelling in OF_BOTH:
            found.setdefault(cursor.spelling, unit.extent(cursor)[0])
    for name, start in found.items():
        later = any(at > start for origin, at, _ in unit.pre.stretches if origin.system)
        of_std = ("".join(one.split()).removeprefix("::") for _, one in identifiers_in(unit.text[start:]))
        if not later and f"std::{name}" not in of_std:
            yield start, f"#define {name} {name}__c\n"


# Functions that C or C++ has, too, and of which CUDA declares more outside of all namespaces, such as float min(float,
# float). A unit's own one would be defined twice, or be a template that CUDA's function is preferred to.
_OF_C = words("VOID FLOAT DOUBLE INT UINT LONG ULONG LONGLONG ULONGLONG")
OVERLOADED = MATH | words("abs all any isfinite isinf isnan jn max min norm signbit yn")


def device_names(unit: Unit, functions: Iterable[Function]) -> tuple[dict[int, str], list[str]]:
    """(the user's functions, by hash, that have other names in device code, because CUDA has functions of these names;
    functions of these other names that call those of C, which some calls in templates may mean as well)

    A name stays where it may mean a template of the library, or other units may use it, and that of a friend which only
    its class declares: calls find it by their arguments' classes.
    """
    found: dict[int, str] = {}
    for hashed, cursors in unit.prototypes.items():
        name, parent = cursors[0].spelling, cursors[0].semantic_parent
        outside = parent is not None and parent.kind in (unit.kinds.TRANSLATION_UNIT, unit.kinds.LINKAGE_SPEC)
        outside = outside and any(cursor.lexical_parent.kind not in unit.classes for cursor in cursors)
        if outside and hashed in unit.by_declaration and name in OVERLOADED and not unit.separable:
            found[hashed] = name
    names, others, staying = set(found.values()), {}, set()
    for function in functions if found else ():
        places: dict[int, list[Any]] = {}
        for place, target in (*function.mentions.calls, *function.mentions.overloads):
            if target.spelling in names:
                places.setdefault(place, []).append(target)
        for place, targets in places.items():
            foreign = [target for target in targets if not _is_one_of(found, target)]
            if len(foreign) == len(targets):
                continue
            others.update({_forwarder(target): target.spelling for target in foreign})
            if "" in others or _name_at(unit, place, targets[0].spelling) < 0:
                staying.add(targets[0].spelling)
                others.pop("", None)
        for place, target in (used_in_instances(unit, function) or ()) if function.is_template else ():
            known = places.get(place, ())
            if _is_one_of(found, target) and not any(_is_one_of(found, one) for one in known):
                staying.add(target.spelling)  # only the arguments' classes tell that it is called
    return (
        {hashed: name for hashed, name in found.items() if name not in staying},
        [text for text, name in others.items() if name not in staying],
    )


def _is_of_c(kind: Any) -> bool:
    """Whether a canonical type is one of C's numbers, or ``void``, or a pointer to one."""
    kind = kind.get_pointee() if kind.kind.name == "POINTER" else kind
    return kind.kind.name in _OF_C and not kind.is_const_qualified() and not kind.is_volatile_qualified()


def _forwarder(target: Any) -> str:
    """A function with the other name that calls one of C, or an empty text for other functions."""
    arguments = list(target.get_arguments() or ())
    kinds = [target.result_type.get_canonical(), *(a.type.get_canonical() for a in arguments)]
    if target.kind.name != "FUNCTION_DECL" or not all(_is_of_c(kind) for kind in kinds):
        return ""
    declared = ", ".join(f"{kind.spelling} a{number}" for number, kind in enumerate(kinds[1:]))
    call = f"::{target.spelling}({', '.join(f'a{number}' for number in range(len(arguments)))})"
    return f"__host__ __device__ inline {kinds[0].spelling} {target.spelling}__c({declared}) {{ return {call}; }}"


def overloaded_calls(unit: Unit, function: Function, start: int, end: int) -> list[tuple[int, int, str]]:
    """(where a name begins and ends, the name in device code) for these functions, as a stretch names them."""
    mentions = (*function.mentions.calls, *function.mentions.overloads) if unit.device_names else ()
    found: set[tuple[int, int, str]] = set()
    for place, target in mentions:
        name = target.spelling
        if start <= place < end and name in _names(unit) and _is_one_of(unit.device_names, target):
            at = _name_at(unit, place, name)
            found.add((at, at + len(name), f"{name}__c"))
    return sorted(found)


def overloaded_declarations(unit: Unit) -> Iterator[tuple[int, int, str]]:
    """The same for all declarations of these functions."""
    for hashed, name in unit.device_names.items():
        for cursor in unit.prototypes[hashed]:
            at = unit.place(cursor.location)
            yield at, at + len(name), f"{name}__c"


def _names(unit: Unit) -> set[str]:
    return set(unit.device_names.values())


def _is_one_of(functions: Mapping[int, str], target: Any) -> bool:
    return any(cursor.canonical.hash in functions for cursor in (target, pattern(target)))


def _name_at(unit: Unit, place: int, name: str) -> int:
    """Where the name of a function that is called at a place stands, or -1 if more than ``::`` stands before it."""
    written = qualified_at(unit.text, place)
    is_plain = written.removeprefix("::").strip() == name
    return place + len(written) - len(name) if is_plain else -1
