"""This module states the order of the stages, and nothing else.

    source -> cache -> preprocess -> scan -> parse -> plan -> check -> render -> cache -> files

Each stage is a function from one value to the next. A unit without anything to lower stops after the scan. A unit that
was lowered before comes from the cache, which looks a second time after preprocessing.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path

from .base.command_words import nothing_is_reported
from .base.diagnostics import (
    Diagnostic,
    InputError,
    InternalError,
    OtherUnitsNeeded,
    RexError,
    SourceSpan,
    UsageError,
    error_at,
)
from .base.findings import Finding, as_data, reported
from .base.line_directives import line_directive
from .base.outputs import place, write_depfile
from .base.paths import portable_name
from .base.patterns import regex
from .base.records import replace
from .base.stack import LEVELS_NOTE, TOO_DEEP, on_deep_stack
from .c.source.flags import check_flags, check_name, macro_flags
from .c.source.scan import concerns_device, passthrough_device, passthrough_host
from .cache.memo import Cache, opened_cache
from .request import Lowered, LowerRequest, LowerResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")
    from .c.analysis.unit import PlannedUnit
    from .c.source.preprocess import Preprocessed
    from .c.syntax.nodes import ParsedUnit
    from .cxx.front_end import Planned as CxxPlanned
    from .cxx.unit import Unit as CxxUnit
    from .plan.listing import Remark
    from .plan.unit import TranslationUnitPlan
    from .tools.resources import Resources

STAGES = ("preprocessed", "directives", "plan", "host", "device")

# What lowers a unit, by the language. The last one looks for mistakes.
_STAGES = {
    "c": (
        ".c.front_end", ".c.analysis.unit", ".c.cuda.printer", ".render.device", ".render.host", ".c.findings",
    ),
    "c++": (".cxx.front_end", ".cxx.findings"),
}  # fmt: skip


def lower(request: LowerRequest, cache: Cache | None = None) -> LowerResult:
    """Lower one unit, by the ``cache`` that its other steps use. No file is written unless every stage succeeds.

    Raises InputError for errors in the user's file, and ToolError when the compiler cannot be run or an output cannot
    be written.
    """
    cache = cache or opened_cache()
    if cache is None:
        lowered = lower_text(request)
    else:
        from .cache.step import through_cache

        lowered = through_cache(request, cache, lower_text)
    diagnostics = (*lowered.diagnostics, *reported(lowered.findings, request.warnings))
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise InputError(diagnostics)
    files = [(request.host, lowered.host), (request.cu, lowered.device)]
    if request.depfile is not None:
        files.append((request.depfile, write_depfile(str(request.host), lowered.dependencies)))
    place(files, request.source)
    unchanged = lowered.device == passthrough_device(source_name(request))
    return LowerResult(request.host, request.cu, diagnostics, lowered.entries, unchanged, lowered.inputs)


@contextmanager
def compiler_speaks_first(request: LowerRequest, pre: Preprocessed) -> Iterator[None]:
    """Around what reads a unit: the host compiler's errors in place of ours, where it rejects the file, too.

    They replace what is said about the file, and failures of passes, which may rely on valid C.
    """
    try:
        yield
    except RecursionError:
        raise
    except Exception as error:
        if isinstance(error, RexError) and not isinstance(error, InputError | InternalError):
            raise
        from .c.source.compiler_errors import syntax_errors
        from .c.source.library_functions import is_about_missing

        said = syntax_errors(request.source, (*pre.added, *request.cflags), request.cc, request.language)
        if said := [one for one in said if not is_about_missing(one.message)]:
            raise InputError(said) from None
        raise


@contextmanager
def _depth_is_refused(pre: Preprocessed) -> Iterator[None]:
    """Around the passes over a unit: an InputError in place of a RecursionError."""
    try:
        yield
    except RecursionError as error:
        raise error_at(_reached(error, pre), TOO_DEEP, LEVELS_NOTE) from None


def _reached(error: RecursionError, pre: Preprocessed) -> SourceSpan:
    """The place of the innermost node of a C unit that a pass had reached."""
    from pycparser import c_ast

    trace, frames = error.__traceback__, []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        for node in frame.f_locals.values():
            value = getattr(node, "origin", node)  # of the tree
            if isinstance(value, c_ast.Node) and (found := getattr(value, "coord", None)) is not None:
                return pre.span_at(found.line, found.column or 1)
    return SourceSpan(pre.main_file, 1)


def lower_text(request: LowerRequest, known: Callable[[Preprocessed], Lowered | None] = lambda _: None) -> Lowered:
    """Run all stages but the last and return what would be written.

    ``known`` gets the preprocessed text. It returns what an earlier run lowered the same text to, or None.
    """
    pre = preprocessed(request, meanwhile=partial(_import_stages, request))
    if (lowered := known(pre)) is not None:
        return lowered
    if not concerns_device(pre):
        return _unchanged(request, pre)
    check_name(request.source)
    check_flags(request.cflags)
    try:
        return _lower_concerned(request, pre)
    except InputError as error:
        raise _with_way_out(error, request, pre) from error


def _lower_concerned(request: LowerRequest, pre: Preprocessed) -> Lowered:
    """Lower a unit that concerns the device."""
    return _reading(request, pre, partial(_lower_preprocessed if request.language == "c" else _lower_cxx, request, pre))


def _reading(request: LowerRequest, pre: Preprocessed, passes: Callable[[], T]) -> T:
    """Run the passes over a unit, which need a deep stack. What is wrong with the unit becomes an InputError.

    What comes out spells the user's names as the user does.
    """
    from .c.source.letters import respelt

    try:
        with _depth_is_refused(pre), compiler_speaks_first(request, pre):
            lowered = passes()
        return respelt(lowered, pre.letters)
    except InputError as error:
        if pre.letters:
            raise InputError(respelt(error.diagnostics, pre.letters)) from None
        raise


def _unchanged(request: LowerRequest, pre: Preprocessed) -> Lowered:
    """The outputs for a unit that has nothing to lower."""
    name = source_name(request)
    text = request.source.read_bytes().removeprefix(codecs.BOM_UTF8)
    # With an anchor, the program surely has the registration of other units.
    at_main = request.init == "always" or (request.init == "main" and request.anchor is not None)
    host = passthrough_host(text, str(request.source), name, request.anchor, request.host.name, at_main)
    return Lowered(host, passthrough_device(name), pre.includes, 0)


def _lower_preprocessed(request: LowerRequest, pre: Preprocessed) -> Lowered:
    """Parse, plan, check and render a C unit."""
    from .c.analysis.adoption import left_to_host
    from .c.cuda.printer import device_printer
    from .c.front_end import read_unit
    from .c.source.user_names import macros_of_options
    from .render.device import render_device
    from .render.host import render_host

    defines = macro_flags(request.cflags)
    unit = on_deep_stack(lambda: read_unit(pre, request.on_unsupported == "host", defines))
    definitions = _Definitions(request)

    def rendered(left: frozenset[int], request: LowerRequest) -> Lowered:
        planned = on_deep_stack(lambda: make_plan(request, unit, left))

        def texts() -> tuple[str, str]:
            plan, macros = planned.plan, macros_of_options(unit.pre, defines)
            names = partial(_file_name, request)
            host = render_host(plan, unit.pre, request.host.name, request.anchor, definitions, names, macros)
            return host, render_device(plan, device_printer(planned, unit), request.cu.name, unit.pre.main_file)

        host, device = on_deep_stack(texts)
        findings, problems = _wanted(request, lambda: _findings_of(planned, unit))
        return Lowered(host, device, unit.pre.includes, len(planned.plan.entries), problems, findings=findings)

    return _with_regions_left(request, pre, definitions, rendered, partial(left_to_host, unit))


def _findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    from .c.findings import findings_of

    return findings_of(planned, unit)


def _lower_cxx(request: LowerRequest, pre: Preprocessed) -> Lowered:
    """The same for a C++ unit."""
    from .c.source.user_names import macros_of_options
    from .cxx.front_end import device_text_of, host_text_of, left_to_host

    definitions = _Definitions(request)
    unit = on_deep_stack(lambda: _read_cxx(request, pre, definitions))

    def rendered(left: frozenset[int], request: LowerRequest) -> Lowered:
        planned = on_deep_stack(lambda: _plan_cxx(request, unit, left))

        def texts() -> tuple[str, str]:
            names, macros = partial(_file_name, request), macros_of_options(pre, macro_flags(request.cflags))
            host = host_text_of(planned, request.host.name, request.anchor, definitions, names, macros)
            return host, device_text_of(planned, request.cu.name, request.cflags)

        host, device = on_deep_stack(texts)
        findings, problems = _wanted(request, lambda: _findings_of_cxx(planned))
        return Lowered(host, device, pre.includes, len(planned.plan.entries), problems, findings=findings)

    return _with_regions_left(request, pre, definitions, rendered, partial(left_to_host, unit))


def _findings_of_cxx(planned: CxxPlanned) -> tuple[Finding, ...]:
    from .cxx.findings import findings_of

    return findings_of(planned)


def _wanted(
    request: LowerRequest, found: Callable[[], tuple[Finding, ...]]
) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...]]:
    """(the findings about a unit, what went wrong with them). Where nothing is reported, the analyses do not run.

    The unit is lowered already. So a mistake of ours in the analyses takes nothing but the findings.
    """
    if nothing_is_reported(request.warnings):
        return (), ()
    try:
        return on_deep_stack(found), ()
    except Exception as error:
        if "REX_BUILD_TRACEBACK" in os.environ:
            raise
        said = " ".join(str(error).split())[:200]
        what = f"internal error in the search for mistakes: {type(error).__name__}: {said}"
        notes = ("this is a bug in rex-build; the file is lowered all the same, without other warnings of rex-build's",)
        return (), (Diagnostic("warning", what, notes=notes),)


def _file_name(request: LowerRequest, file: str) -> str:
    return portable_name(Path(file), request.base_dir)


def _with_regions_left(
    request: LowerRequest,
    pre: Preprocessed,
    definitions: _Definitions,
    rendered: Callable[[frozenset[int], LowerRequest], Lowered],
    left_to_host: Callable[[InputError], tuple[frozenset[int], tuple[Diagnostic, ...]]],
) -> Lowered:
    """Plan and render a unit. Regions that errors are about stay on the host where the request says so.

    Where the device code of several units can be linked, a unit that needs this becomes a separable one.
    """
    from .c.source.preprocess import device_macro_warnings

    left: frozenset[int] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()
    while True:
        try:
            lowered = rendered(left, request)
            macros = (one for one in device_macro_warnings(pre) if _is_in(lowered.device, one.span))
            said = (*macros, *warnings, *lowered.diagnostics)
            return replace(lowered, diagnostics=said, needed_definitions=definitions.were_needed)
        except OtherUnitsNeeded:
            request = replace(request, separable=True)
        except InputError as error:
            if request.on_unsupported != "host":
                raise
            more, messages = on_deep_stack(partial(left_to_host, error))
            if not more - left:
                raise
            left |= more
            warnings += messages


def _is_in(device: str, span: SourceSpan | None) -> bool:
    """Whether the device file has text of a place's file. What chooses between sides elsewhere concerns none."""
    return span is not None and line_directive(1, span.file).removeprefix("#line 1") in device


# Words of messages about what is right, but not on a device. Of other mistakes the host compiler tells.
_NOT_SUPPORTED = regex(
    r"not supported|\bdevice\b|long double|virtual function|only host code has|cannot be used in a region|"
    r"this region uses|no private copy|is not (?:known|available)"
)
# What to write instead, by words of messages.
_INSTEAD = {
    "long double": "devices compute with 'double' at most: use it there",
    "virtual function": "it must be certain which function that is: let the class or the function be 'final', or name "
    "the class in the call (p->C::f())",
}


def _with_way_out(error: InputError, request: LowerRequest, pre: Preprocessed) -> InputError:
    """The error with notes where something is right that devices do not have: each cure once, at the first message that
    it is about, and at the end whether regions with it can stay on the host, which is tried."""
    said = [*error.diagnostics]
    if request.on_unsupported == "host" or not any(_NOT_SUPPORTED.search(one.message) for one in said):
        return error
    for words, cure in _INSTEAD.items():
        number = next((n for n, one in enumerate(said) if words in one.message), None)
        if number is not None:
            said[number] = replace(said[number], notes=(*said[number].notes, cure))
    note = "no option leaves this to the host: a file that is not lowered may have it, and runs its regions on the host"
    if not any("not supported" in one.message for one in said):
        note = ""
    with suppress(RexError):
        _lower_concerned(replace(request, on_unsupported="host", warnings=("-w",)), pre)
        note = "'--on-unsupported=host' leaves a region with this to the host"
    said[-1] = replace(said[-1], notes=(*said[-1].notes, *filter(None, [note])))
    return InputError(said)


class _Definitions:
    """Preprocesses a unit once more when it is called first, with the lines that define macros left in the text."""

    def __init__(self, request: LowerRequest) -> None:
        self._request = request
        self._text: Preprocessed | None = None

    def __call__(self) -> Preprocessed:
        if self._text is None:
            self._text = preprocessed(self._request, ("-dD",))
        return self._text

    @property
    def were_needed(self) -> bool:
        return self._text is not None


def _read_cxx(request: LowerRequest, pre: Preprocessed, definitions: _Definitions) -> CxxUnit:
    from .cxx.front_end import read_unit

    return read_unit(pre, request.cflags, request.cc, definitions)


def _plan_cxx(request: LowerRequest, unit: CxxUnit, left: frozenset[int] = frozenset()) -> CxxPlanned:
    from .c.source.flags import products_fuse, quotients_round
    from .cxx.front_end import plan_unit

    planned = plan_unit(
        unit, source_name(request), macro_flags(request.cflags), left, request.init != "lazy",
        products_fuse(request.cflags), request.reduction == "ordered", _separable(request),
        frozenset(request.no_opt), request.claims,
    )  # fmt: skip
    return replace(planned, plan=replace(planned.plan, rounds=quotients_round(request.cflags)))


def preprocessed(
    request: LowerRequest, defines: Sequence[str] = (), meanwhile: Callable[[], None] = lambda: None
) -> Preprocessed:
    from .c.source.preprocess import preprocess

    return preprocess(request.source, request.cflags, request.cc, defines, request.language, meanwhile)


def _import_stages(request: LowerRequest) -> None:
    """Import what lowers a unit, if the source seems to have something to lower. The preprocessor runs beside it."""
    try:
        text = request.source.read_bytes()
    except OSError:
        return  # the preprocessor says what is wrong
    if b"omp" in text and b"target" in text:
        names = _STAGES[request.language]
        for name in names[:-1] if nothing_is_reported(request.warnings) else names:
            import_module(name, __package__)


def make_plan(request: LowerRequest, unit: ParsedUnit, left: frozenset[int] = frozenset()) -> PlannedUnit:
    """Make the plan and check it. The target constructs at the offsets ``left`` stay on the host."""
    from .c.analysis.naming import check_macros
    from .c.analysis.unit import plan_unit
    from .c.source.flags import overflow_wraps, products_fuse, quotients_round
    from .plan.unit import check_plan

    no_opt = frozenset(request.no_opt)
    ordered = request.reduction == "ordered"
    defines = macro_flags(request.cflags)
    separable, claims = _separable(request), request.claims
    planned = plan_unit(unit, source_name(request), defines, left, separable, no_opt, ordered, claimed=claims)
    plan = planned.plan
    check_plan(plan)
    check_macros(plan.names, unit.pre, defines, lambda: preprocessed(request, ("-dD",)))
    main_body = plan.main_body if request.init != "lazy" else None
    wraps, fuses, rounds = (ask(request.cflags) for ask in (overflow_wraps, products_fuse, quotients_round))
    made = replace(plan, main_body=main_body, wraps=wraps, fuses=fuses, rounds=rounds, claims=claims)
    return replace(planned, plan=made)


def _separable(request: LowerRequest) -> bool | None:
    """As plan_unit takes it. A region that may stay on the host is not worth a link that fails."""
    ask = request.device_link and request.on_unsupported == "error"
    return request.separable or (None if ask else False)


def source_name(request: LowerRequest) -> str:
    """The unit's name, which does not depend on where it is built."""
    return portable_name(request.source, request.base_dir)


def dump(request: LowerRequest, stage: str) -> str:
    """What one stage hands to the next, as text. Raises UsageError for an unknown stage."""
    from .c.front_end import directives_text, read_unit
    from .plan.dump import plan_text

    if stage not in STAGES:
        raise UsageError(f"there is no stage '{stage}': one of {', '.join(STAGES)}")
    if stage in ("host", "device"):
        lowered = lower_text(request)
        return lowered.host if stage == "host" else lowered.device
    if stage == "preprocessed":
        return preprocessed(request).text
    check_flags(request.cflags)
    pre, request = preprocessed(request), replace(request, claims=True)

    def text() -> str:
        if request.language != "c":
            cxx = _read_cxx(request, pre, _Definitions(request))
            lines = [f"{c.directive.span}: {c.directive.text}" for c in cxx.constructs]
            return "\n".join(lines) if stage == "directives" else plan_text(_plan_cxx(request, cxx).plan)
        unit = read_unit(pre)
        return directives_text(unit) if stage == "directives" else plan_text(make_plan(request, unit).plan)

    return _reading(request, pre, partial(on_deep_stack, text))


def explain(request: LowerRequest) -> dict[str, Any]:
    """What was decided about every region and why, as a value that can be printed as JSON."""
    from .plan.dump import plan_facts

    def shown(plan: TranslationUnitPlan, findings: tuple[Finding, ...]) -> dict[str, Any]:
        return {"version": 2, **plan_facts(plan), "findings": [as_data(finding) for finding in findings]}

    nothing: dict[str, Any] = {"regions": [], "data": [], "findings": []}
    return _explained(request, shown) or {"version": 2, "source": source_name(request), **nothing}


def explain_listing(request: LowerRequest, images: Sequence[Path] = ()) -> str:
    """The directives of the source, with what became of each, and what is reported about the program.

    ``images`` were made of the unit for GPUs: the listing has the resources that their kernels take.
    """
    from .plan.listing import listing

    def shown(plan: TranslationUnitPlan, findings: tuple[Finding, ...]) -> str:
        messages = [diagnostic.format() for diagnostic in reported(findings, request.warnings)]
        return "\n\n".join([listing(plan, _resources(plan, images)), *messages])

    return _explained(request, shown) or f"{request.source}: no target directives"


def explain_remarks(request: LowerRequest, images: Sequence[Path] = ()) -> list[Remark]:
    """The same as values. What is reported about the program comes last, as remarks on its lines."""
    from .plan.listing import Remark, remarks

    def shown(plan: TranslationUnitPlan, findings: tuple[Finding, ...]) -> list[Remark]:
        messages = [
            Remark(one.span, "", f"{one.severity}: {one.message} [{one.option}]", one.notes)
            for one in reported(findings, request.warnings)
            if one.span is not None
        ]
        return [*remarks(plan, _resources(plan, images)), *messages]

    return _explained(request, shown) or []


def _resources(plan: TranslationUnitPlan, images: Sequence[Path]) -> Mapping[str, Sequence[Resources]]:
    """What the kernels of a unit take in images. Raises UsageError if these are of another unit."""
    if not images:
        return {}
    from .tools.resources import resources_of

    found = resources_of(images)
    if not any(kernel in name for region in plan.regions for kernel, _ in region.kernels for name in found):
        raise UsageError("the images have no kernels of this file, or were made with other options of the compiler")
    return found


def _explained(request: LowerRequest, shown: Callable[[TranslationUnitPlan, tuple[Finding, ...]], T]) -> T | None:
    """What ``shown`` makes of a unit's plan and of the findings, or None if there is nothing to lower in it.

    Other units may define what the unit's device code uses.
    """
    from .c.front_end import read_unit

    pre = preprocessed(request)
    if not concerns_device(pre):
        return None
    check_flags(request.cflags)

    silent = nothing_is_reported(request.warnings)

    def passes() -> T:
        try:
            return planned(replace(request, device_link=True, claims=True))
        except OtherUnitsNeeded:
            return planned(replace(request, separable=True, claims=True))

    def planned(request: LowerRequest) -> T:
        if request.language != "c":
            of_cxx = _plan_cxx(request, _read_cxx(request, pre, _Definitions(request)))
            return shown(of_cxx.plan, () if silent else _findings_of_cxx(of_cxx))
        unit = read_unit(pre)
        of_c = make_plan(request, unit)
        return shown(of_c.plan, () if silent else _findings_of(of_c, unit))

    try:
        return _reading(request, pre, partial(on_deep_stack, passes))
    except InputError as error:
        raise _with_way_out(error, request, pre) from error
