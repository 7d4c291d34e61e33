"""Relaxation on a device."""

from ._relax import relax

__all__ = ["relax"]
