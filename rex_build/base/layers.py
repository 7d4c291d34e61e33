"""A dictionary inside another one, for scopes: what is noted inside is not known outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")


class Layers(Generic[K, V]):
    """The values of keys, noted here or around here.

    A unit opens a scope for every function and construct. Copying all that is known into each of them would take time
    that grows with the square of the unit's size. So a layer refers to those around it, and takes in those that are
    not larger than itself, which keeps them few.
    """

    __slots__ = ("_around", "_own")

    def __init__(self, own: Mapping[K, V], around: tuple[dict[K, V], ...] = ()) -> None:
        self._own = dict(own)
        self._around = around

    def inside(self, more: Mapping[K, V]) -> Layers[K, V]:
        """A layer inside this one, with ``more``. What is noted here later is not known there."""
        if self._own:
            own, around = self._own, self._around
            while around and len(around[0]) <= len(own):
                own, around = {**around[0], **own}, around[1:]
            self._own, self._around = {}, (own, *around)
        return Layers(more, self._around)

    @overload
    def get(self, key: K) -> V | None: ...

    @overload
    def get(self, key: K, otherwise: V) -> V: ...

    def get(self, key: K, otherwise: V | None = None) -> V | None:
        if key in self._own:
            return self._own[key]
        for layer in self._around:
            if key in layer:
                return layer[key]
        return otherwise

    def __contains__(self, key: object) -> bool:
        return key in self._own or any(key in layer for layer in self._around)

    def __getitem__(self, key: K) -> V:
        for layer in (self._own, *self._around):
            if key in layer:
                return layer[key]
        raise KeyError(key)

    def __setitem__(self, key: K, value: V) -> None:
        self._own[key] = value
