"""How a command ends, whatever errors led to it."""

from __future__ import annotations

import signal

import pytest

from rex_build.base.ending import EndedError, raise_ended


def test_an_error_among_its_own_causes_is_no_signal() -> None:
    """Libraries and our own stages may raise a kept error again, while they handle one that came from it."""
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__context__ = second, first
    raise_ended(first)


def test_a_signal_is_found_behind_other_errors() -> None:
    error = ValueError("a library's")
    error.__context__ = EndedError(signal.SIGTERM)
    with pytest.raises(EndedError):
        raise_ended(error)
