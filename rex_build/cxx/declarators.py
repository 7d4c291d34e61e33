"""Declarations as text: their specifiers and declarators, and those of variables that live elsewhere in device code."""

from __future__ import annotations

import re
from collections.abc import Collection

from ..base.patterns import regex
from ..c.source.tokens import marks_outside

_QUALIFIED = r"(?:[*&]|\s|\b(?:const|volatile|__restrict(?:__)?)\b)*"
_DECLARATOR = regex(
    rf"\s*(?P<marks>{_QUALIFIED})(?P<name>[A-Za-z_]\w*)\s*(?P<dims>(?:\[[^\]]*\]\s*)*)(?P<init>[=({{].*)?$", re.DOTALL
)
_SPECIFIED = regex(
    rf"\s*(?P<specifiers>.*?[\s>)*&])(?={_QUALIFIED}(?!const\b)[A-Za-z_]\w*\s*(?:[\[=({{].*)?$)", re.DOTALL
)
_CONSTANT = regex(r"\bconst(?:expr)?\b\s*")


def _parts(declaration: str) -> tuple[str, list[str]]:
    """(a declaration's specifiers, its declarators), or nothing for a form that is not handled."""
    commas = [m.start() for m in marks_outside(declaration) if m[0] == ","]
    commas = [c for c in commas if declaration.count("<", 0, c) <= declaration.count(">", 0, c)]
    parts = [declaration[low:high] for low, high in zip([0, *(c + 1 for c in commas)], [*commas, None], strict=True)]
    first = _SPECIFIED.match(parts[0])
    if first is None:
        return "", []
    marks = (m.start() for m in re.finditer(r"[*&]", first["specifiers"]))
    closed = max(first["specifiers"].rfind(">"), first["specifiers"].rfind(")"))  # T<U *> and decltype(*p) have others
    end = next((mark for mark in marks if mark > closed), len(first["specifiers"]))
    parts[0] = parts[0].lstrip()[len(first["specifiers"][:end].lstrip()) :]
    return first["specifiers"][:end].strip(), parts


def only(declaration: str, names: Collection[str]) -> str:
    """A declaration without the variables that are not among ``names``. One that is not understood stays."""
    specifiers, parts = _parts(declaration.rstrip().removesuffix(";"))
    found = [part.strip() for part in parts if (m := _DECLARATOR.match(part)) is not None and m["name"] in names]
    return f"{specifiers} {', '.join(found)};\n" if len(found) == len(names) else declaration


def declarators(
    declaration: str, shared: Collection[str], heap: Collection[str], objects: Collection[str] = (), guard: bool = False
) -> list[str]:
    """A declaration as one statement for each variable. Those in ``shared`` are assigned instead of initialised, with
    ``guard`` by the first thread, and those in ``heap`` are references to storage on the device's heap, in which
    ``objects`` are constructed.

    The list is empty for a form that is not handled, such as a structured binding.
    """
    specifiers, parts = _parts(declaration)
    lines = []
    for part in parts:
        match = _DECLARATOR.match(part)
        if match is None:
            return []
        if match["name"] not in shared:
            lines.append(f"{specifiers} {part.strip()};")
            continue
        plain = re.sub(r"\bstatic\s+", "", f"{specifiers} ").strip()
        name, marks_of_it, dims = match["name"], match["marks"].strip(), match["dims"].strip()
        if "*" in marks_of_it:
            star = marks_of_it.rindex("*")
            marks_of_it = marks_of_it[:star] + _CONSTANT.sub("", marks_of_it[star:])
        else:
            plain = _CONSTANT.sub("", f"{plain} ").strip()
        if re.search(r"\bauto\b", plain) is not None:
            if match["init"] is None or not match["init"].startswith("="):
                return []
            plain, marks_of_it = f"decltype(rex_decayed({match['init'].removeprefix('=').strip()}))", ""
        space = "" if marks_of_it.endswith(("*", "&")) or not marks_of_it else " "
        declarator, initial = f"{marks_of_it}{space}", f"{name}__rex_initial"
        if dims and match["init"]:
            lines.append(f"{plain} {declarator}{initial}{dims} {match['init'].strip()};")
            dims = re.sub(r"^\[\s*\]", f"[sizeof({initial}) / sizeof({initial}[0])]", dims)
        if name in heap:
            lines.append(f"typedef {plain} {declarator}{name}__rex_type{dims};")
            lines.append(f"rex_local_array<{name}__rex_type> {name}__rex_storage(1);")
            lines.append(f"{name}__rex_type *const {name}__rex_at = {name}__rex_storage.elements;")
            lines.append(f"{name}__rex_type &{name} = *{name}__rex_at;")
        else:
            lines.append(f"REX_TEAM_SHARED {plain} {declarator}{name}{dims};")
        who = "if (rex_team_first()) " if guard else ""
        if name in heap and name in objects:
            value = (match["init"] or "").strip()
            made = value.removeprefix("=").strip() if value.startswith("=") else f"{name}__rex_type{value or '()'}"
            lines.append(f"rex_construct({name}{f', {initial if dims else made}' if value else ''});")
        elif dims and match["init"]:
            lines.append(f"{who}rex_assign({name}, {initial});")
        elif match["init"]:
            value = match["init"].strip()
            kind = f"{name}__rex_type" if name in heap else f"decltype({name})"
            value = value.removeprefix("=").strip() if value.startswith("=") else kind + value
            lines.append(f"{who}{name} = {value};")
    return lines
