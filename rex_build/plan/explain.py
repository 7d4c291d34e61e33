"""The output of ``rex-build explain --details``: the plan's facts as indented text."""

from __future__ import annotations

from typing import Any

_MOST = 120  # letters of a list in one line
_PLACE = ("file", "line", "column", "length")


def as_text(facts: Any, depth: int = 0) -> str:
    """Facts as text. A mapping has one line ``name: value`` for each entry, and a list one ``-`` for each item."""
    pad = "  " * depth
    if _is_word(facts):
        return f"{pad}{_word(facts)}"
    if isinstance(facts, dict):
        return "\n".join(_named(pad, str(name), value, depth) for name, value in facts.items())
    return "\n".join(_item(pad, item, depth) for item in facts)


def _named(pad: str, name: str, value: Any, depth: int) -> str:
    label = f"{pad}{name.replace('_', ' ')}:"
    if isinstance(value, list) and all(map(_is_word, value)):
        text = ", ".join(map(_word, value)) or "none"
        return f"{label} {text}" if len(text) <= _MOST else f"{label}\n{as_text(value, depth + 1)}"
    if not _is_word(value):
        return f"{label}\n{as_text(value, depth + 1)}" if value else f"{label} none"
    return f"{label} {_word(value)}"


def _item(pad: str, item: Any, depth: int) -> str:
    if isinstance(item, dict) and all(map(_is_word, item.values())):
        text = ", ".join(f"{name.replace('_', ' ')}: {_word(value)}" for name, value in item.items())
    else:
        text = as_text(item, depth + 1)
    return f"{pad}- {text.lstrip()}"


def _is_word(value: Any) -> bool:
    """Whether VALUE is shown as it is: what is no list or mapping, and a place."""
    return not isinstance(value, dict | list) or tuple(value) == _PLACE


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return "{file}:{line}:{column}".format(**value)
    return (
        {True: "yes", False: "no", None: "none"}.get(value, str(value))
        if isinstance(value, bool | type(None))
        else str(value)
    )
