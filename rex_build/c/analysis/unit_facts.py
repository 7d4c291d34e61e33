"""The facts about a unit that the analysis of its regions and constructs needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...base.names import GeneratedNames
from ...base.records import dataclass
from ...openmp.mappers import MapperTable
from ..sema import Symbol
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .call_graph import CallGraph
from .construct_facts import ConstructTable
from .list_items import HostNames


@dataclass(frozen=True)
class UnitFacts:
    """The facts about a unit that the analysis of every region needs."""

    unit: ParsedUnit
    calls: CallGraph
    constructs: ConstructTable
    name_hash: str
    on_device: frozenset[Symbol]  # declare target variables
    device_variables: Mapping[Symbol, str]  # declare target variables that are no links, with their device names
    mappers: MapperTable
    host_names: Mapping[OmpConstruct, HostNames]  # for constructs that are lowered or stay on the host
    private: Mapping[OmpConstruct, frozenset[Symbol | None]]  # copies made by host constructs around a region
    no_opt: frozenset[str] = frozenset()  # transformations that are switched off
    claimed: bool = False  # the plan has what transformations rely on
    ordered: bool = False  # reductions are combined in the same order in every run
    tables: frozenset[Symbol] = frozenset()  # constants that the device code defines for itself
    threadprivate: frozenset[Symbol] = frozenset()
    team_functions: Collection[Symbol] = ()  # functions with parallel regions that a team's sequential part may call
    functions_table: str = ""  # host addresses of indirect functions, or empty
    names: GeneratedNames = GeneratedNames()
