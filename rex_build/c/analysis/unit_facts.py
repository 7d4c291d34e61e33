"""What the analysis of regions and constructs needs to know about their unit."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...base.records import dataclass
from ...plan.names import GeneratedNames
from ..sema import Symbol
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .call_graph import CallGraph
from .construct_facts import ConstructTable
from .mappers import MapperTable
from .mapping import HostNames


@dataclass(frozen=True)
class UnitFacts:
    """What the analysis of every region needs to know about its unit."""

    unit: ParsedUnit
    calls: CallGraph
    constructs: ConstructTable
    name_hash: str
    on_device: frozenset[Symbol]  # declare target variables
    device_variables: Mapping[Symbol, str]  # those of them that are no pointers to others, and their device names
    mapped_elsewhere: frozenset[Symbol]  # variables that data constructs of the unit map
    mappers: MapperTable
    host_names: Mapping[OmpConstruct, HostNames]  # of what is lowered or stays on the host
    private: Mapping[OmpConstruct, frozenset[Symbol | None]]  # of which host constructs around a region have copies
    no_opt: frozenset[str] = frozenset()  # transformations that are switched off
    ordered: bool = False  # reductions are combined in the same order in every run
    tables: frozenset[Symbol] = frozenset()  # constants that the device code defines for itself
    threadprivate: frozenset[Symbol] = frozenset()
    team_functions: Collection[Symbol] = ()  # functions with parallel regions that a team's sequential part may call
    functions_table: str = ""  # host addresses of indirect functions, empty where there are none
    names: GeneratedNames = GeneratedNames()
