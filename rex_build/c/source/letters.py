"""Puts letters in place of the characters in names that compilers take there although they are no letters.

gcc takes signs, marks and emoji in names (C11, annex D). What a name is, patterns of all stages ask by ``\\w``, which
has letters alone. So in preprocessed text a letter that the text does not have stands for each such character, and
what leaves the passes, files and messages, is spelt as the user did. Literals stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.patterns import regex
from ...base.records import replace, values
from .tokens import outside_literals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

# Bytes that are no text, which are read as single surrogates, are in no name.
_ODD = regex(r"[^\x00-\x7f\w\s\ud800-\udfff]")
_ODD_OUTSIDE = outside_literals(_ODD.pattern)
_FIRST, _MANY = 0x20000, 0xA6D0  # rare ideographs


def with_letters(text: str) -> tuple[str, Mapping[str, str]]:
    """(a text in which names have letters, which character each added letter stands for)."""
    if text.isascii() or _ODD.search(text) is None:
        return text, {}
    odd = {match[0] for match in _ODD_OUTSIDE.finditer(text) if match["found"]}
    letters: dict[str, str] = {}
    for character in sorted(odd):
        letters[character] = next(c for c in _candidates(character) if c not in text and c not in letters.values())
    spelt = _ODD_OUTSIDE.sub(lambda match: letters.get(match[0], match[0]), text)
    return spelt, {letter: character for character, letter in letters.items()}


def _candidates(character: str) -> Iterator[str]:
    """Letters that may stand for a character. The first is the same in all units, so they agree about device names."""
    return (chr(_FIRST + (ord(character) + k) % _MANY) for k in range(_MANY))




def respelt(value: T, letters: Mapping[str, str]) -> T:
    """A text, or all texts in records, lists, tuples and dictionaries, with names as the user spells them."""
    return _respelt(value, str.maketrans(dict(letters))) if letters else value


def _respelt(value: Any, table: dict[int, str]) -> Any:
    if isinstance(value, str):
        return value.translate(table)
    if isinstance(value, dict):
        return {_respelt(key, table): _respelt(one, table) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_respelt(one, table) for one in value)
    return replace(value, **_respelt(values(value), table)) if hasattr(value, "__dataclass_fields__") else value
