"""Characters in names that are no letters for Python get letters, and come out again as they were."""

from __future__ import annotations

import pytest

from rex_build.base.diagnostics import Diagnostic
from rex_build.c.source.letters import respelt, with_letters
from rex_build.c.source.preprocess import read_preprocessed


@pytest.mark.parametrize("name", ["x🙂", "🙂", "👨‍👩‍👧", "a\u0301", "क्षि", "e⃝x", "µ🙂𠀀"])
def test_names_are_one_word_of_the_same_length(name: str) -> None:
    text, letters = with_letters(f'{name} = "{name}";')
    spelt = text.split()[0]
    assert spelt.isidentifier()
    assert len(spelt) == len(name)
    assert text.endswith(f'= "{name}";')
    assert respelt(spelt, letters) == name


def test_no_two_characters_get_the_same_letter() -> None:
    """Also not one that the text has, in a name or in a literal."""
    taken = with_letters("🙂")[0]
    text, letters = with_letters(f'🙂 = {taken} + 🙃 + "{taken}";')
    first, own, other = (text.split()[k] for k in (0, 2, 4))
    assert own == taken
    assert len({first, own, other}) == 3
    assert respelt(text, letters) == f'🙂 = {taken} + 🙃 + "{taken}";'


def test_a_character_has_the_same_letter_in_all_units() -> None:
    """Units that share device code agree about names in it."""
    assert with_letters("🙂 + 🚀")[0].split()[0] == with_letters("🙂")[0]


def test_numbers_of_letters_are_read_first() -> None:
    """gcc prints characters in names as numbers."""
    pre = read_preprocessed('# 1 "unit.c"\nint x\\U0001f642 = 1;\n', "unit.c")
    assert respelt(pre.text, pre.letters).endswith("int x🙂 = 1;\n")
    assert pre.text.split()[-3].isidentifier()


def test_texts_in_records_are_spelt() -> None:
    text, letters = with_letters("x🙂")
    found = respelt([Diagnostic("error", f"'{text}' is not", None, (text,))], letters)
    assert found == [Diagnostic("error", "'x🙂' is not", None, ("x🙂",))]
