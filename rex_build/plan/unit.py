"""The plan: every decision about a translation unit, taken once, before any text is printed.

Both sides of the host/device boundary print from the same plan, so they cannot disagree about it.

What of the C front end is in it: the code that becomes bodies (statements of regions, constructs and functions, and the
expressions in their loop heads and clauses) as nodes of pycparser's tree; sets of such nodes that the optimiser singled
out; symbols and types, which stand for variables and say how they are declared; and ``sema``, which nothing but the
printer of those bodies reads. A second front end brings its own of each together with a printer for them. Everything
else is plain data: kinds, names, offsets, rows, launch shapes, reasons.
"""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast

from ..base.records import dataclass
from ..base.spans import Replacement
from ..c.sema import Sema, Symbol
from ..c.syntax.nodes import OmpConstruct
from .constructs import DeviceConstruct
from .data import DataConstruct
from .device_code import DeviceCode
from .host import HostRegion, PlacedForm
from .memory import Escaping, TeamMemory
from .names import GeneratedNames
from .region import TargetRegion

REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY = ".requires", 8  # an entry of the offload table that is no symbol


@dataclass(frozen=True)
class DeclareTargetVariable:
    """A variable of static storage that lives on the device. ``device_name`` is its symbol in the image.

    Of a ``link`` variable only a pointer lives there, which a mapping sets: ``device_name`` is the pointer's name, on
    the host too. Of a function's variable only the function knows the address: ``place`` is the offset of the
    directive that declares it, in whose place its entry stands.
    """

    symbol: Symbol
    device_name: str
    entry: bool  # this unit has the variable's definition (or a pointer of its own), and it has a size: a table entry
    link: bool = False
    place: int | None = None
    of_static: bool = False  # the function that it belongs to is static: a compiler may leave that out


@dataclass(frozen=True)
class TranslationUnitPlan:
    """Everything decided about one unit. Offsets are into the preprocessed text."""

    unit: str
    source_name: str
    regions: tuple[TargetRegion, ...]
    host_regions: tuple[HostRegion, ...]
    data: tuple[DataConstruct, ...]
    variables: tuple[DeclareTargetVariable, ...]
    declarations: tuple[str, ...]  # of what the host compiler's omp.h does not have yet, as lines
    host_forms: tuple[PlacedForm, ...]  # of directives outside of regions
    replacements: tuple[Replacement, ...]  # of words in the host's text
    main_body: tuple[int, int] | None  # offsets of where the first statement of main can stand, and of its last brace
    declared_early: tuple[c_ast.FuncDef, ...]  # to be declared before any definition
    code: DeviceCode  # what kernels use of the unit: functions, types, constants
    constructs: Mapping[OmpConstruct, DeviceConstruct]  # everything nested in kernels and in those functions
    locks: tuple[str, ...]
    shared_memory: bool  # requires unified_shared_memory
    ordered: bool  # reductions combine partial results in the same order in every run
    sema: Sema  # for the printer of bodies
    separable: bool  # other units' functions may be called, and calls by address may lead to them
    shared: frozenset[Symbol]  # declare target names that other units of a separable device link know too
    escaping: Escaping
    team_functions: Mapping[Symbol, TeamMemory]  # that a team's sequential part calls in a version of their own
    kept_as_calls: frozenset[str]  # functions that are not to be inlined

    indirect: tuple[Symbol, ...] = ()  # functions that host pointers may mean on the device (declare target indirect)
    functions_table: str = ""  # the array of their host addresses, on the host and in the image
    recursive: bool = False  # functions of the device code may call themselves: their stacks have no known size
    makes_settings: bool = False  # tasks on the device have settings of their own
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    names: GeneratedNames = GeneratedNames()
    fuses: bool = True  # products with sums (not under -ffp-contract=off)

    @property
    def entries(self) -> tuple[str, ...]:
        """Names in the offload entries table, in order: kernels, then variables."""
        found = tuple(name for r in self.regions for name, _ in r.kernels)
        found += tuple(v.device_name for v in self.variables if v.entry and v.place is None)
        found += (self.functions_table,) if self.indirect else ()
        found += tuple(v.device_name for v in self.variables if v.place is not None)
        # Never the first one: older runtimes would take the table for the newer format.
        return (*found, REQUIRES_ENTRY) if found and self.shared_memory else found
