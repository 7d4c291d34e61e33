"""Names that options take, in a module of their own so that the command line needs no analysis to know them."""

# Transformations of kernels that ``--no-opt`` leaves out (see analysis.optimise).
TRANSFORMATIONS = ("noalias", "readonly", "scalarise", "hoist", "index32", "once", "tile", "spmd")

# How partial results of a reduction come together: with atomic operations, or in an order that is always the same.
REDUCTIONS = ("atomic", "ordered")
