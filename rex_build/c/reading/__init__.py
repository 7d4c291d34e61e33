"""The normalised tree of a C unit as the tree that knows no language (:mod:`...tree`)."""
