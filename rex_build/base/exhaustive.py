"""``typing.assert_never``, which Python 3.10 lacks: mypy refuses a ``match`` that does not handle every case."""

from __future__ import annotations

from typing import NoReturn


def assert_never(value: NoReturn) -> NoReturn:
    """Called with what is left behind all cases."""
    raise AssertionError(f"{value!r} is handled by no case")
