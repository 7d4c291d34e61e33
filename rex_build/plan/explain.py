"""The output of ``rex-build explain --details``: the plan's facts as indented text."""

from __future__ import annotations

from typing import Any

_MOST = 120  # letters of a list in one line


def as_text(facts: Any, depth: int = 0) -> str:
    """Facts as text. A mapping has one line ``name: value`` for each entry, and a list one ``-`` for each item."""
    pad = "  " * depth
    if isinstance(facts, dict):
        return "\n".join(_named(pad, str(name), value, depth) for name, value in facts.items())
    if isinstance(facts, list):
        return "\n".join(_item(pad, item, depth) for item in facts)
    return f"{pad}{_word(facts)}"


def _named(pad: str, name: str, value: Any, depth: int) -> str:
    label = f"{pad}{name.replace('_', ' ')}:"
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        text = ", ".join(map(_word, value)) or "none"
        return f"{label} {text}" if len(text) <= _MOST else f"{label}\n{as_text(value, depth + 1)}"
    if isinstance(value, dict | list):
        return f"{label}\n{as_text(value, depth + 1)}" if value else f"{label} none"
    return f"{label} {_word(value)}"


def _item(pad: str, item: Any, depth: int) -> str:
    text = as_text(item, depth + 1)
    return f"{pad}- {text.lstrip()}"


def _word(value: Any) -> str:
    return (
        {True: "yes", False: "no", None: "none"}.get(value, str(value))
        if isinstance(value, bool | type(None))
        else str(value)
    )
