"""printf's formats in the words of CUDA's printf."""

from __future__ import annotations

import pytest

from rex_build.c.cuda.builtins import device_format


@pytest.mark.parametrize(
    ("literal", "arguments", "expected"),
    [
        ('"%d %5.2f%%\\n"', ["a", "b"], ('"%d %5.2f%%\\n"', ["a", "b"])),
        ('"%zu %td %jx %ld %llu"', ["a", "b", "c", "d", "e"], ('"%lu %ld %lx %ld %llu"', ["a", "b", "c", "d", "e"])),
        ('"%hhd|%hhx"', ["a", "b"], ('"%d|%x"', ["static_cast<signed char>(a)", "static_cast<unsigned char>(b)"])),
        ('"%hu"', ["a"], ('"%u"', ["static_cast<unsigned short>(a)"])),
        ('"%*d|%-*s|%.*f"', ["w", "a", "w", "b", "p", "c"], ('"%7d|%-7s|%.3f"', ["a", "b", "c"])),
        ('"%F %Lf %lc"', ["a", "b", "c"], ('"%f %f %c"', ["a", "b", "c"])),
        ('"none"', ["a", "b"], ('"none"', ["a", "b"])),
    ],
)
def test_the_same_is_printed(literal: str, arguments: list[str], expected: tuple[str, list[str]]) -> None:
    values = {"w": 7, "p": 3}
    assert device_format(literal, arguments, lambda at: values.get(arguments[at])) == expected


def test_a_negative_width_is_a_flag_and_a_negative_precision_none() -> None:
    assert device_format('"%*.*f"', ["w", "p", "x"], {0: -5, 1: -1}.get) == ('"%-5f"', ["x"])


@pytest.mark.parametrize("literal", ['"%*d"', '"%n"', '"%d %d"', '"%b"', '"%ls"', '"%w32d"'])
def test_what_cuda_cannot_do_is_an_error(literal: str) -> None:
    with pytest.raises(ValueError, match=r"not supported|no argument"):
        device_format(literal, ["a"], lambda at: None)
