"""Functions of a C++ unit as C, so that the warnings of C look at them: printed from their trees (``..reading``)."""
