"""The order of the stages, and nothing else.

    source -> cache -> scan -> preprocess -> parse -> plan -> check -> render -> cache -> files

Each stage is a function from one value to the next. A unit without anything to lower stops after the scan; one that was
lowered before comes from the cache, which has a second look after preprocessing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base.depfile import write_depfile
from .base.diagnostics import Diagnostic, InputError, UsageError
from .base.outputs import place
from .base.records import dataclass
from .c.source.passthrough import passthrough_device, passthrough_host
from .c.source.scan import scan
from .cache.step import through_cache

if TYPE_CHECKING:
    from .c.source.preprocess import Preprocessed
    from .c.syntax.parse import ParsedUnit
    from .plan.plan import TranslationUnitPlan

STAGES = ("preprocessed", "directives", "plan", "host", "device")


@dataclass(frozen=True)
class LowerRequest:
    """What to lower and where to put it. ``cflags`` are the flags the source is compiled with.

    Outputs go to ``out_dir`` as ``rose_<stem>.c`` and ``rex_lib_<stem>.cu`` unless ``host_output`` and ``cu_output``
    say otherwise. ``base_dir`` is the folder that file names in the output are relative to. ``init`` is ``main`` or, to
    leave main alone, ``lazy``. With ``separable``, declare target names with external linkage are shared between units.
    """

    source: Path
    out_dir: Path
    cflags: tuple[str, ...] = ()
    depfile: Path | None = None
    depfile_target: str | None = None
    anchor: str | None = None
    cc: str = "cc"
    base_dir: Path | None = None
    on_unsupported: str = "error"
    no_opt: tuple[str, ...] = ()
    reduction: str = "atomic"
    host_output: Path | None = None
    cu_output: Path | None = None
    init: str = "main"
    separable: bool = False

    @property
    def host(self) -> Path:
        return self.host_output or self.out_dir / f"rose_{self.source.name}"

    @property
    def cu(self) -> Path:
        return self.cu_output or self.out_dir / f"rex_lib_{self.source.stem}.cu"


@dataclass(frozen=True)
class LowerResult:
    """Files written, messages for the user, and the number of entries in the unit's offload table."""

    host: Path
    cu: Path
    diagnostics: tuple[Diagnostic, ...]
    entries: int


@dataclass(frozen=True)
class Lowered:
    """The two texts, and the files that they depend on.

    ``needed_definitions``: they have in them macro definitions that preprocessing leaves out.
    """

    host: str
    device: str
    dependencies: tuple[str, ...]
    entries: int
    diagnostics: tuple[Diagnostic, ...] = ()
    needed_definitions: bool = False


def lower(request: LowerRequest) -> LowerResult:
    """Lower one unit: nothing is written unless every stage succeeds.

    Raises InputError for errors in the user's file, ToolError when the compiler cannot be run or an output not written.
    """
    lowered = through_cache(request, lower_text)
    files = [(request.host, lowered.host), (request.cu, lowered.device)]
    if request.depfile is not None:
        target = request.depfile_target or str(request.host)
        files.append((request.depfile, write_depfile(target, lowered.dependencies)))
    place(files)
    return LowerResult(request.host, request.cu, lowered.diagnostics, lowered.entries)


def lower_text(request: LowerRequest, known: Callable[[Preprocessed], Lowered | None] = lambda _: None) -> Lowered:
    """All stages but the last: what would be written. ``known`` may know what the preprocessed text is lowered to."""
    scanned = scan(request.source, request.cflags)
    name = source_name(request)
    if not scanned.needs_lowering:
        host = passthrough_host(
            scanned.text, str(request.source), name, request.anchor, request.host.name, request.init == "main"
        )
        dependencies = (str(request.source), *map(str, scanned.includes))
        return Lowered(host, passthrough_device(name), dependencies, 0)
    from .c.analysis.adoption import left_to_host
    from .c.source.preprocess import device_macro_warnings
    from .render.device import render_device
    from .render.host import render_host

    pre = preprocessed(request)
    if (lowered := known(pre)) is not None:
        return lowered
    definitions: list[Preprocessed] = []

    def with_definitions() -> Preprocessed:
        definitions.append(preprocessed(request, ("-dD",)))
        return definitions[-1]

    unit = parse(pre, request.on_unsupported == "host")
    left: frozenset[int] = frozenset()
    warnings = device_macro_warnings(pre)
    while True:
        try:
            plan = make_plan(request, unit, left)
            host = render_host(plan, unit.pre, request.host.name, request.anchor, with_definitions)
            device = render_device(plan, unit, request.cu.name)
            return Lowered(host, device, unit.pre.includes, len(plan.entries), warnings, bool(definitions))
        except InputError as error:
            if request.on_unsupported != "host":
                raise
            more, messages = left_to_host(unit, error)
            if not more - left:
                raise
            left |= more
            warnings += messages


def preprocessed(request: LowerRequest, defines: Sequence[str] = ()) -> Preprocessed:
    from .c.source.flags import check_flags
    from .c.source.preprocess import preprocess

    check_flags(request.cflags)
    return preprocess(request.source, request.cflags, request.cc, defines)


def parse(pre: Preprocessed, tolerant: bool = False) -> ParsedUnit:
    """The tree; ``tolerant``: what cannot be read of target constructs is for the plan to complain about."""
    from .c.rewrite.attributes import with_pragmas
    from .c.rewrite.dynamic_metadirectives import with_choices
    from .c.rewrite.loop_transformations import with_tiles
    from .c.syntax.parse import parse_unit

    return parse_unit(with_tiles(with_choices(with_pragmas(pre))), tolerant)


def make_plan(request: LowerRequest, unit: ParsedUnit, left: frozenset[int] = frozenset()) -> TranslationUnitPlan:
    """The checked plan; the target constructs at the offsets ``left`` stay on the host."""
    from .c.analysis.unit import plan_unit
    from .c.source.flags import overflow_wraps, products_fuse
    from .plan.check import check_plan

    no_opt = frozenset(request.no_opt)
    ordered = request.reduction == "ordered"
    plan = plan_unit(unit, source_name(request), _defines(request.cflags), left, request.separable, no_opt, ordered)
    check_plan(plan)
    main_body = plan.main_body if request.init == "main" else None
    wraps, fuses = overflow_wraps(request.cflags), products_fuse(request.cflags)
    return replace(plan, main_body=main_body, wraps=wraps, fuses=fuses)


def source_name(request: LowerRequest) -> str:
    """The unit's name, the same wherever it is built: its path below the base directory, else as given if relative."""
    source = request.source
    if request.base_dir is not None:
        try:
            return source.resolve().relative_to(request.base_dir.resolve()).as_posix()
        except ValueError:
            return source.name
    return source.name if source.is_absolute() else source.as_posix()


def _defines(cflags: Sequence[str]) -> list[str]:
    """The -D and -U flags: two compilations of one file may differ in nothing else."""
    found = []
    words = iter(cflags)
    for word in words:
        if word in ("-D", "-U"):
            found.append(word + next(words, ""))
        elif word.startswith(("-D", "-U")):
            found.append(word)
    return found


def dump(request: LowerRequest, stage: str) -> str:
    """What one stage hands to the next, as text. Raises UsageError for a stage there is not."""
    from .plan import dump as printers

    if stage not in STAGES:
        raise UsageError(f"there is no stage '{stage}': one of {', '.join(STAGES)}")
    if stage in ("host", "device"):
        lowered = lower_text(request)
        return lowered.host if stage == "host" else lowered.device
    if stage == "preprocessed":
        from .c.source.preprocess import preprocess

        return preprocess(request.source, request.cflags, request.cc).text
    unit = parse(preprocessed(request))
    return printers.directives_text(unit) if stage == "directives" else printers.plan_text(make_plan(request, unit))


def explain(request: LowerRequest) -> dict[str, Any]:
    """What was decided about every region and why, as JSON has it."""
    from .plan import dump as printers

    if not scan(request.source, request.cflags).needs_lowering:
        return {"source": source_name(request), "regions": [], "data": []}
    return printers.plan_facts(make_plan(request, parse(preprocessed(request))))
