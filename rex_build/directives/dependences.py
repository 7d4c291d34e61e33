"""Spells ``depend`` clauses in words that older host compilers know."""

from __future__ import annotations

from ..base.patterns import regex

_INOUTSET = regex(r"\binoutset\b(?=\s*[:)])")
_MEMBER_SECTION = regex(r"((?:\.|->)\s*\w+\s*(?:\[[^\[\]:]*\]\s*)*)\[\s*([^\[\]:]*?)\s*:[^\[\]]*\]")
_DEPEND_OBJECTS = regex(r"(\bdepobj\s*:\s*)([^()]*\[[^()]*)(?=\)|$)")


def older_dependences(text: str) -> str:
    """The text of ``depend`` clauses in older words.

    ``inoutset`` becomes ``inout``, which orders more. Sections of members become their first elements. Elements of
    arrays of depend objects, which older compilers take for sections, become ``*&`` of the element.
    """
    text = _DEPEND_OBJECTS.sub(lambda m: m[1] + ", ".join(map(_depend_object, m[2].split(","))), text)
    return _MEMBER_SECTION.sub(lambda m: f"{m[1]}[{m[2] or '0'}]", _INOUTSET.sub("inout", text))


def _depend_object(text: str) -> str:
    return f"*(&{text.strip()})" if "[" in text else text.strip()
