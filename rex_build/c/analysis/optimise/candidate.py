"""What is known of a region of C before its transformations are decided."""

from __future__ import annotations

from pycparser import c_ast

from ....base.records import dataclass
from ....openmp.host_bounds import HostView
from ....openmp.regions import Planned
from ...syntax.nodes import OmpConstruct, ParsedUnit


@dataclass(frozen=True)
class Candidate(Planned):
    """A region as far as it is planned: its ``body`` is the whole statement of the ``construct`` in a ``function``.

    ``shared_memory`` says that it can reach all memory of the host. ``view`` is what its host side sees. If it is
    ``claimed``, the plan says what transformations rely on.
    """

    unit: ParsedUnit
    view: HostView
    function: c_ast.FuncDef
    construct: OmpConstruct
    body: c_ast.Node
    shared_memory: bool
    claimed: bool
