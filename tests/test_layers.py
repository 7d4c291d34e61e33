"""Scopes inside scopes: what each knows, and that they share what is the same."""

from __future__ import annotations

from rex_build.base.layers import Layers


def test_what_is_noted_inside_is_not_known_outside() -> None:
    outer = Layers({"a": 1, "b": 2})
    inner = outer.inside({"b": 3})
    inner["c"] = 4
    outer["d"] = 5  # after the layer inside was made
    assert [inner.get(name) for name in "abcd"] == [1, 3, 4, None]
    assert [outer.get(name) for name in "abcd"] == [1, 2, None, 5]
    assert ("c" in inner, "c" in outer, outer.get("c", 9), outer["b"]) == (True, False, 9, 2)


def test_layers_copy_little_and_stay_few() -> None:
    """A unit with thousands of device variables opens a scope for each of its thousands of functions."""
    base = Layers({number: number for number in range(5000)})
    scope, copied = base, 0
    for number in range(2000):
        base.inside({"parameter": number})
        scope[f"local {number}"] = number
        scope = scope.inside({})
        copied = max(copied, sum(map(len, scope._around)))
    assert copied == 7000
    assert len(scope._around) < 15
    assert scope.get(4999) == 4999
    assert scope.get("local 0") == 0
