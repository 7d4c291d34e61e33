"""The plan: every decision about a translation unit, taken once, before any text is printed.

Host text and device text are printed from the same plan, so they cannot disagree.

A front end fills the plan. The user's code in kernels, variables and types are the front end's own (:mod:`.code`), and
it prints them for the renderers (:mod:`.printer`). Everything else is plain data: kinds, names, offsets, rows, launch
shapes, reasons.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..base.names import GeneratedNames
from ..base.records import dataclass
from ..base.spans import Replacement, SourceSpan
from .code import Code, Entity
from .constructs import DeviceConstruct
from .data import DataConstruct
from .device_code import DeviceCode
from .host import HostRegion, PlacedForm
from .memory import Escaping, TeamMemory
from .region import TargetRegion

REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY = ".requires", 8  # an entry of the offload table that names no symbol


@dataclass(frozen=True)
class DeclareTargetVariable:
    """A variable with static storage that lives on the device. ``device_name`` is its symbol in the image.

    Of a ``link`` variable, only a pointer lives on the device, and a mapping sets this pointer. ``device_name`` is then
    the pointer's name, on the host too. The address of a function's variable is known only in the function. So its
    entry stands in the place of the directive that declares it, and ``place`` is the offset of this directive.
    """

    symbol: Entity
    device_name: str
    entry: bool  # it has an entry: this unit defines it, or has a pointer of its own, and its size is not zero
    link: bool = False
    place: int | None = None
    static_function: str = ""  # the static function that it is in, which a compiler may leave out


@dataclass(frozen=True)
class CallingRun:
    """Statements that are a run with calls, from ``start`` to ``end``.

    With ``external`` they call functions that are not static. In code for shared libraries these may be others than the
    unit's, and then they are no run. ``is_block`` is false if they declare something.
    """

    start: int
    end: int
    external: bool
    is_block: bool


@dataclass(frozen=True)
class TranslationUnitPlan:
    """Everything decided about one unit. Offsets are into the preprocessed text."""

    unit: str
    source_name: str
    regions: tuple[TargetRegion, ...]
    host_regions: tuple[HostRegion, ...]
    data: tuple[DataConstruct, ...]
    variables: tuple[DeclareTargetVariable, ...]
    declarations: tuple[str, ...]  # lines that declare what the host compiler's omp.h does not have yet
    host_forms: tuple[PlacedForm, ...]  # of directives outside of regions
    replacements: tuple[Replacement, ...]  # of words in the host's text
    # Offsets: where the first statement of main can stand, and main's last brace. That is None in C++, where
    # declarations may follow a statement.
    main_body: tuple[int, int | None] | None
    code: DeviceCode  # the functions and variables of the unit that kernels use
    constructs: Mapping[Code, DeviceConstruct]  # all that are nested in kernels and in functions that they call
    locks: tuple[str, ...]
    shared_memory: bool  # requires unified_shared_memory
    ordered: bool  # reductions combine partial results in the same order in every run
    separable: bool  # other units' functions may be called, and calls by address may lead to them
    shared: frozenset[Entity]  # declare target names that other units of a separable device link know, too
    escaping: Escaping
    kept_as_calls: frozenset[str]  # functions that are not inlined

    elsewhere: tuple[tuple[str, SourceSpan], ...] = ()  # symbols that other units have to define, with their first use
    indirect: tuple[Entity, ...] = ()  # functions that host pointers may mean on the device (declare target indirect)
    functions_table: str = ""  # the array of their host addresses, on the host and in the image
    recursive: bool = False  # functions of the device code may call themselves, so the stack's size is not known
    makes_settings: bool = False  # tasks on the device have settings of their own
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    names: GeneratedNames = GeneratedNames()
    definitions: tuple[str, ...] = ()  # lines that the host file ends with, before the offload table
    waits: tuple[tuple[int, int], ...] = ()  # the extents of statements behind which kernels are waited for
    calling_runs: tuple[CallingRun, ...] = ()
    claims: bool = False  # device code is for the check device, and watches what transformations rely on
    unrolled: frozenset[Code] = frozenset()  # loops of which all iterations are written out
    in_regions: frozenset[Code] = frozenset()  # definitions of functions that only regions of whole teams call
    fuses: bool = True  # products are fused with sums (not under -ffp-contract=off)

    @property
    def team_functions(self) -> Mapping[Entity, TeamMemory]:
        """The functions of which a team's sequential part calls another version."""
        return {f.variable: f.team for f in self.code.functions if f.team is not None}

    @property
    def entries(self) -> tuple[str, ...]:
        """The names in the offload table, in order: kernels, then variables."""
        found = tuple(name for r in self.regions for name, _ in r.kernels)
        found += tuple(v.device_name for v in self.variables if v.entry and v.place is None)
        found += (self.functions_table,) if self.indirect else ()
        found += tuple(v.device_name for v in self.variables if v.place is not None)
        # This entry is never the first one: older runtimes would then take the table for one of the newer format.
        return (*found, REQUIRES_ENTRY) if found and self.shared_memory else found
