"""Transformations of kernels. None of them changes results, which is proved here, and ``--no-opt`` takes their names.

The plan records which of them were applied, and why the others were not. ``explain`` prints that.
"""
