"""From a preprocessed C++ unit to its plan and its texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..base.diagnostics import (
    Diagnostic,
    InputError,
    OtherUnitsNeeded,
    Replacement,
    SourceSpan,
    Stretches,
    collect_errors,
    error_at,
    in_source_order,
)
from ..base.digests import digest_of
from ..base.names import GeneratedNames
from ..base.records import dataclass, replace
from ..c.rewrite.rewriting import TRANSFORMED, refuse_other_attributes, respelled, with_pragmas
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import braces_around, directive_lines, directive_pattern
from ..c.source.user_names import user_names
from ..directives.combined import host_spelling
from ..openmp.device_constructs import device_construct
from ..openmp.host_version import by_value_of, host_version
from ..openmp.launch import LOOP_LEAVES
from ..openmp.program import chain_of
from ..openmp.restrictions import requirements_of, shares_memory
from ..plan.constructs import Code, DeviceConstruct
from ..plan.unit import (
    DataConstruct,
    DeclareTargetVariable,
    HostRegion,
    HostVersion,
    PlacedForm,
    TargetRegion,
    TranslationUnitPlan,
    check_plan,
    within_shared_memory,
)
from ..render.host import render_host
from . import local_classes
from .call_graph import CallGraph, calls_of
from .called import copied_by
from .closures import Closure, Closures, closure_texts, host_names, host_texts
from .cuda_names import device_names
from .declare_target import check_first_value, declared_target, hosted, others_may_use, owners, reached_members
from .declare_target import planned as planned_variables
from .device_file import device_file
from .escapes import escaping
from .functions import Function, may_be_shared
from .headers import SYSTEM_FOLDERS, folders_of, with_header_macros, with_library_headers
from .host_bounds import hidden_heads
from .host_directives import host_directives, renamed_calls
from .in_order import launched_in_order
from .indirect import functions_table, named_in_braces
from .instantiations import explicit_functions, of_hidden_classes, uncalled_methods, uninstantiated
from .libclang import defined_by, language_flags, standard_of, without_seen_macros
from .list_items import analyse_data
from .loops import check_jumps, collapse_of, iterator_functions
from .names_for_kernels import (
    with_function_objects,
    with_functions,
    with_named_types,
    with_names,
    with_parameters,
    with_references,
)
from .optimise import loops_to_unroll, tables_in, with_arrays
from .program import Program, RegionFacts, bind_loops
from .reached import Reached, reached_from
from .reading.reader import reader_of
from .regions import Decided, analyse_region, in_teams
from .team_memory import TeamFunctions, team_functions
from .template_members import with_instances
from .text_constructs import Construct
from .unit import Unit
from .user_reductions import declared_mappers, declared_reductions
from .usual_forms import with_plain_nests, with_section_blocks, with_split_constructs, without_raw_strings
from .variants import host_forms as variant_forms
from .variants import left_out, with_other_names, with_variants

_FOR_THE_DEVICE = ("declare target", "begin declare target", "end declare target", "requires", "declare mapper")
_VARIANTS = directive_pattern(r"(?:begin\s+)?declare\s+variant\b")
_DATA = ("target data", "target enter data", "target exit data", "target update")
_BELOW_SYSROOT = ("=", "$SYSROOT")


@dataclass(frozen=True)
class Planned:
    """A unit's plan, and what the writer of the device file needs besides."""

    plan: TranslationUnitPlan
    unit: Unit
    decided: tuple[Decided, ...]
    reached: Reached
    closures: tuple[Closure, ...]


def read_unit(pre: Preprocessed, cflags: Sequence[str], cxx: str, definitions: Callable[[], Preprocessed]) -> Unit:
    """Read a unit. Raises InputError for what is wrong in it, and ToolError without libclang.

    ``definitions`` preprocesses the unit with the lines that define macros left in it.
    """
    pre = with_header_macros(with_library_headers(pre, cflags), cflags, definitions)
    pre = with_named_types(with_pragmas(without_raw_strings(pre)))
    refuse_other_attributes(pre)
    if "metadirective" in pre.text:
        from ..c.rewrite.dynamic_metadirectives import without_metadirectives

        pre = without_metadirectives(pre)
    pre = with_section_blocks(with_split_constructs(pre))
    if any(directive_lines(TRANSFORMED, pre.text)):
        from ..c.rewrite.loop_transformations import transform_loops

        pre = transform_loops(pre, GeneratedNames(user_names(pre, cflags)).fresh)
        lines = ((m.start(), pre.text.index("\n", m.start())) for m in pre.in_own_parts(TRANSFORMED))
        pre = respelled(pre, [(start, end, "") for start, end in lines])
    has_variants = any(directive_lines(_VARIANTS, pre.text))
    unit = Unit(with_other_names(pre) if has_variants else pre, cflags, cxx)
    if has_variants and (named := with_variants(unit)) is not unit.pre:
        unit = Unit(named, cflags, cxx)
    if any(f.cursor.kind == unit.kinds.FUNCTION_TEMPLATE and "auto" in f.cursor.displayname for f in unit.functions):
        named = with_parameters(unit)
        unit = Unit(named, cflags, cxx) if named is not unit.pre else unit
    while (named := with_functions(unit)) is not unit.pre:
        unit = Unit(named, cflags, cxx)
    for change in (with_function_objects, with_names, with_plain_nests, with_references):
        if (changed := change(unit)) is not unit.pre:
            unit = Unit(changed, cflags, cxx)
    if hidden := of_hidden_classes(unit):
        unit = Unit(unit.pre, cflags, cxx, "", hidden)
    explicit, braces, failed, read = explicit_functions(unit), named_in_braces(unit), frozenset[int](), ""
    uses = uncalled_methods(unit, failed)
    while (more := _instances(uses, failed) + explicit + braces) != read:
        try:
            unit, read = Unit(unit.pre, cflags, cxx, more, hidden), more
            uses.update(uncalled_methods(unit, failed))
        except InputError as error:  # a method that nothing calls need not compile
            where = [diagnostic.span for diagnostic in error.diagnostics if diagnostic.span is not None]
            more_failed = failed.union(f.start for f in unit.functions if f.is_template and _has_one(unit, f, where))
            if more_failed == failed and not braces:
                raise
            braces = braces if more_failed != failed else ""  # which may name what a function has for itself
            failed = more_failed
    return unit


def _instances(uses: Mapping[str, int], failed: Collection[int]) -> str:
    """A function with the statements that use methods, without those of the ``failed`` ones."""
    used = [statement for statement, start in uses.items() if start not in failed]
    return f"\ntemplate <class T> T rex_value();\nvoid rex_instances() {{ {' '.join(used)} }}\n" if used else ""


def _has_one(unit: Unit, function: Function, where: Sequence[SourceSpan]) -> bool:
    first, last = unit.span(function.start), unit.span(function.end)
    return any(one.file == first.file and first.line <= one.line <= last.line for one in where)


def plan_unit(
    unit: Unit, source_name: str, defines: Sequence[str], left: frozenset[int] = frozenset(), at_main: bool = True,
    fuses: bool = True, ordered: bool = False, separable: bool | None = False, no_opt: frozenset[str] = frozenset(),
    claimed: bool = False,
) -> Planned:  # fmt: skip
    """Decide everything about a unit. Target constructs at the offsets ``left`` stay on the host, and ``no_opt`` names
    transformations to leave out. If it is ``claimed``, the plan has what others rely on. If ``separable`` is None,
    OtherUnitsNeeded is raised where it makes a difference.

    Raises InputError with every error found, in the order of the source.
    """
    digest = _digest(unit, source_name, defines)
    unit.separable, unit.no_opt, unit.claimed, unit.key = separable, no_opt, claimed, digest[:8]
    unit.generated = GeneratedNames(user_names(unit.pre, defines))
    found = _analysed(unit, left, digest)
    placed, in_regions = in_teams(unit, found.decided, found.constructs, found.reached.functions, found.teams)
    runs = launched_in_order(
        unit, [replace(o, region=r) for o, r in zip(found.decided, within_shared_memory(placed), strict=True)]
    )
    decided = [replace(one, region=region) for one, region in zip(found.decided, runs.regions, strict=True)]
    escapes = escaping(
        unit, runs.regions, [one.chain[0] for one in decided], found.constructs, found.teams.memory.values()
    )  # fmt: skip
    if ordered and any(one.region.sharing.reductions for one in decided):
        raise error_at(decided[0].region.span, "--reduction=ordered is not supported in C++")
    plan = TranslationUnitPlan(
        unit=digest[:16],
        source_name=source_name,
        claims=claimed,
        regions=tuple(one.region for one in decided),
        host_regions=found.on_host,
        data=found.data,
        variables=found.variables,
        declarations=tuple(filter(None, ('#include "rex_cxx.h"', unit.missing))),
        host_forms=(*_removed(unit), *variant_forms(unit), *host_directives(unit)),
        replacements=tuple(_replacements(unit, decided, found)),
        main_body=_main_body(unit) if at_main else None,
        constructs=found.constructs,
        shared_memory=shares_memory(unit.requirements),
        separable=bool(separable),
        indirect=tuple(address for _, address in unit.indirect),
        functions_table=functions_table(unit),
        elsewhere=tuple((symbol, unit.span(place)) for symbol, place in unit.used_elsewhere.items()),
        shared=frozenset(v.symbol for v in found.variables if v.link),
        recursive=calls_of(unit).is_recursive(
            (f, c.start, c.end) for c in found.regions if (f := unit.function_at(c.start)) is not None
        ),
        names=unit.generated,
        unrolled=_unrolled(unit, decided, found.reached),
        tables=tables_in(unit, () if "banks" in unit.no_opt else found.reached.functions),
        shared_code=tuple(
            (f.start, f.end) for f in unit.functions if unit.constructs_in(f.start, f.end) and may_be_shared(unit, f)
        ),
        waits=runs.waits,
        calling_runs=runs.calling,
        in_regions=in_regions,
        escaping=escapes,
        in_sequence=found.teams.memory,
        fuses=fuses,
        makes_settings=any(one.region.makes_settings for one in decided),
        definitions=tuple(_definitions(unit, decided, found, digest[:16])),
    )
    check_plan(plan)
    return Planned(plan, unit, tuple(decided), found.reached, found.closures)


@dataclass(frozen=True)
class _Analysed:
    """What the analysis of a unit finds, in which launches are not ordered yet. ``regions`` are on the device."""

    regions: tuple[Construct, ...]
    decided: tuple[Decided, ...]
    on_host: tuple[HostRegion, ...]
    data: tuple[DataConstruct, ...]
    constructs: dict[Any, DeviceConstruct]
    reached: Reached
    variables: tuple[DeclareTargetVariable, ...]
    closures: tuple[Closure, ...]
    teams: TeamFunctions


def _analysed(unit: Unit, left: frozenset[int], digest: str) -> _Analysed:
    """Raises InputError with every error found, in the order of the source."""
    unseen = uninstantiated(unit)
    left |= unseen
    bind_loops(unit)
    errors: list[Diagnostic] = []
    decided: list[Decided] = []
    data: list[DataConstruct] = []
    on_host: list[HostRegion] = []
    constructs: dict[Any, DeviceConstruct] = {}
    reached = Reached([], [], [])
    variables: tuple[DeclareTargetVariable, ...] = ()
    closures: list[Closure] = []
    _read_declarations(unit, errors)
    with collect_errors(errors):
        reached, variables, closures = _on_device(unit, left, errors, digest[:16])
    targets = [c for c in unit.constructs if c.directive.is_target]
    regions = tuple(c for c in targets if c.start not in left)
    teams = team_functions(unit, regions, reached.functions)
    for number, construct in enumerate(targets, 1):
        with collect_errors(errors):
            if construct.start in left:
                on_host.append(_left(unit, construct, is_unseen=construct.start in unseen))
            else:
                decided.append(analyse_region(unit, construct, number, digest[:8], closures, teams))
    for construct in unit.constructs:
        with collect_errors(errors):
            if construct.directive.name in _DATA and construct.start not in left:
                data.append(analyse_data(unit, construct))
    for function, construct, around in _inside(unit, decided, closures, reached.functions):
        with collect_errors(errors):
            constructs[construct] = device_construct(Program(unit, function), construct, around)
    if errors:
        raise InputError(in_source_order(errors))
    return _Analysed(
        regions, tuple(decided), tuple(on_host), tuple(data), constructs, reached, variables, tuple(closures), teams
    )


def _read_declarations(unit: Unit, errors: list[Diagnostic]) -> None:
    """Let a unit have what its directives declare for all others."""
    with collect_errors(errors):
        check_jumps(unit)
    with collect_errors(errors):
        asked = (c.directive for c in unit.constructs if c.directive.name == "requires")
        unit.requirements = requirements_of(asked, reader_of(unit).constant)
    with collect_errors(errors):
        unit.user_reductions = declared_reductions(unit)
    with collect_errors(errors):
        unit.mappers = declared_mappers(unit)


def _replacements(unit: Unit, decided: Sequence[Decided], found: _Analysed) -> Iterator[Replacement]:
    """What the host file has in place of the user's text, besides directives."""
    yield from _identities(decided)
    yield from host_texts(unit, found.closures)
    yield from local_classes.host_texts(unit)
    yield from local_classes.public_types(unit)
    yield from left_out(unit)
    yield from renamed_calls(unit)
    yield from _copied_names(unit, [*(one.region for one in decided), *found.on_host])
    for construct in unit.constructs:
        if construct.directive.association == "loop":
            yield from braces_around(unit.text, construct.body_start)


def _main_body(unit: Unit) -> tuple[int, None] | None:
    main = next((f for f in unit.functions if f.name == "main" and f.cursor.semantic_parent == unit.tu.cursor), None)
    return (main.body + 1, None) if main is not None else None


def _copied_names(unit: Unit, regions: Iterable[TargetRegion | HostRegion]) -> Iterator[Replacement]:
    """What names the copies of variables in the host versions of regions that name the variables otherwise."""
    for region in regions:
        function = unit.function_at(region.start)
        originals = {copy.original for copy in region.host.copies}
        if function is None or not any(originals):
            continue
        for one in function.mentions.references:
            if region.start <= one.start < region.end and one.qualifier and one.variable.host in originals:
                name, place = one.variable.name, one.start
                hiding = unit.lookup(function, name, place)
                if hiding is not None and hiding.is_local:
                    what = f"another '{name}' hides '{one.variable.host}' here, of which the region has a copy"
                    raise error_at(unit.span(place), f"{what}: give one of them another name")
                yield Replacement(one.start, one.end, name)


def _inside(
    unit: Unit, decided: Iterable[Decided], closures: Iterable[Closure], functions: Iterable[Function]
) -> Iterator[tuple[Function, Construct, list[Construct]]]:
    """The constructs of device code, each with its function and the constructs around it, outermost first."""
    parts = [(one.function, one.region.start, one.region.end, {c.start for c in one.chain}) for one in decided]
    parts += [(closure.function, closure.body, closure.end, set()) for closure in closures]
    parts += [(function, function.body, function.end, set()) for function in functions]
    for function, start, end, chain in parts:
        around: list[Construct] = []
        for construct in unit.constructs_in(start, end):
            around = [c for c in around if construct.end <= c.end]
            if construct.start not in chain:
                yield function, construct, around
            around.append(construct)


def _unrolled(unit: Unit, decided: Iterable[Decided], reached: Reached) -> frozenset[Code]:
    """The loops to unroll in regions and in the functions that they reach."""
    called = loops_to_unroll(unit, () if "unroll" in unit.no_opt else with_arrays(unit, reached.functions))
    return called.union(*(one.region.optimised.unrolled for one in decided))


def _removed(unit: Unit) -> Iterator[PlacedForm]:
    """The directives that mean nothing to the host compiler."""
    for construct in unit.constructs:
        if construct.directive.name in _FOR_THE_DEVICE:
            yield PlacedForm(construct.start, construct.pragma_end, construct.pragma_end, (), ())


def _on_device(
    unit: Unit, left: frozenset[int], errors: list[Diagnostic], digest: str
) -> tuple[Reached, tuple[DeclareTargetVariable, ...], list[Closure]]:
    """The functions that regions reach, the variables with static storage on the device, the closures of regions."""
    declared, offered = declared_target(unit)
    if unit.separable is not False:
        hosts = calls_of(unit).lead_to_regions(offered)
        offered = [function for function in offered if function not in hosts]
    shared: list[tuple[Function | None, Function, bool]] = [(None, one, True) for one in offered if unit.separable]
    shared += ((None, function, True) for function, _ in unit.indirect)
    ranges = []
    closures = Closures(unit)
    arguments: list[str] = []
    for construct in unit.constructs:
        function = unit.function_at(construct.start)
        if construct.directive.is_target and construct.start not in left and function is not None:
            start = construct.body_start
            with collect_errors(errors):
                for low, high in hidden_heads(unit, function, chain_of(Program(unit, function), construct)[0]):
                    ranges.append((function, start, low))
                    start = high
            ranges.append((function, start, construct.end))
            shared += ((function, *one) for one in copied_by(unit, function, construct))
            with collect_errors(errors):
                texts = closure_texts(unit, function, construct.body_start, construct.end)
                closures.needed(texts, construct.directive.span, function.is_template)
                arguments += texts
    regions = (c for c in unit.constructs if c.directive.is_target and c.start not in left)
    in_regions = Stretches((region.start, region.end) for region in regions)
    for construct in unit.constructs:
        function = unit.function_at(construct.start)
        if function is None or construct.start not in in_regions:
            continue
        if not LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            with collect_errors([]):  # what is wrong in its loops, the analysis of its region says
                depth = collapse_of(unit, construct)
                shared += ((function, one, True) for one in iterator_functions(unit, construct, depth))
    bodies = [(c.function, c.body, c.end, bool(c.template)) for c in closures.all()]
    bodies += local_classes.bodies(unit, ranges)
    copied = [closures.record(c) for c in closures.all() if not c.is_bytes]
    reached = reached_from(unit, ranges, bodies, arguments, shared, copied)
    if unit.separable is None and others_may_use(unit, offered, declared, reached.functions):
        raise OtherUnitsNeeded
    found = with_instances(unit, [*declared, *reached.variables])
    unit.on_device = set(found)
    for place, variable in reached.unresolved:
        if variable not in unit.on_device:
            what = f"'{variable.name}', a static member that depends on a template's parameters, is not supported in a "
            what += "region unless it is a variable of the device"
            note = "name it in a function that the region calls, or bind a reference to it in front of the region"
            errors += error_at(unit.span(place), what, note).diagnostics
    unit.on_host = hosted(unit, found, digest)
    for variable in (*found, *reached.constants):
        with collect_errors(errors):
            check_first_value(unit, variable)
    unit.calls = CallGraph(unit, reached)
    of_device = {function.start: function for function in (*reached.functions, *(one for one, _, _ in ranges))}
    unit.device_names, unit.device_functions = device_names(unit, of_device.values())
    return reached, planned_variables(unit, found, digest), closures.all()


def _identities(decided: Sequence[Decided]) -> Iterator[Replacement]:
    """The host's templates whose instances are the identities of kernels, in front of the templates with regions."""
    for one in decided:
        if one.around is not None and one.around.is_template:
            for _, identity in replace(one.region, instances=None).kernels:
                text = f"{one.around.head} struct {identity} {{ static char id; }};"
                yield Replacement(one.around.outside, one.around.outside, text)


def _definitions(unit: Unit, decided: Sequence[Decided], found: _Analysed, digest: str) -> Iterator[str]:
    """What stands at the end of the host file, such as the identities of the kernels of instantiations: one that
    nothing defines is an error of the linker."""
    yield from host_names(unit, found.closures)
    yield from local_classes.names(unit)
    yield from reached_members(unit)
    yield from owners(unit, found.variables, digest)
    for one in decided:
        if one.region.instances is not None:
            for _, identity in one.region.kernels:
                yield f"template <> char {identity} = 0;"


def host_text_of(
    planned: Planned, own_name: str, anchor: str | None, definitions: Callable[[], Preprocessed],
    file_name: Callable[[str], str], macros: frozenset[str],
) -> str:  # fmt: skip
    return render_host(planned.plan, planned.unit.pre, own_name, anchor, definitions, file_name, macros)


def device_text_of(planned: Planned, own_name: str, cflags: Sequence[str]) -> str:
    options, macros = _image_options(without_seen_macros(language_flags(cflags), planned.unit.read.text))
    if "-w" in cflags:  # the text is the user's, of which both compilers warn
        options.append("-w")
    return device_file(
        planned.plan, planned.unit, planned.decided, planned.reached, planned.closures, own_name, options, macros
    )


def _image_options(flags: Sequence[str]) -> tuple[list[str], list[str]]:
    """(the options that say how the headers of the system are found and read, lines that define the user's macros).

    The device library needs C++17, and comes before the user's macros: ``-DT=float`` would break its templates. Names
    of folders are whole, because images are made in another folder.
    """
    words = iter(flags)
    found: list[str] = []
    for option, folder in folders_of(flags, SYSTEM_FOLDERS):
        found += [option, folder if folder.startswith(_BELOW_SYSROOT) else os.path.abspath(folder)]
    macros: dict[str, str] = {}
    for word in words:
        if word in ("-I", "-iquote", *SYSTEM_FOLDERS):
            next(words, "")
        elif word.startswith(("-D_", "-U")):  # names with _ are the system's
            found.append(word)
            if word.startswith("-U"):
                macros.pop(word[2:], None)
        elif word.startswith("-D"):
            name, line = defined_by(word)
            macros[name] = line
        elif standard_of(word)[:1] == "2":
            found.append("-std=c++20")
    return found, list(macros.values())


def _left(unit: Unit, construct: Construct, *, is_unseen: bool) -> HostRegion:
    """A region that stays on the host. One that no instantiation has, as far as is seen, is an error of the linker
    if there is one after all."""
    function = unit.function_at(construct.start) if not is_unseen else None
    facts = None
    with suppress(InputError):  # a clause is wrong, so the construct is used as it is
        facts = RegionFacts(unit, construct, function) if function is not None else None
    if facts is not None:
        version = host_version(facts, by_value_of(facts.program, construct, facts.chain[-1]))
    else:
        version = _spelled(unit, construct, is_unseen=is_unseen)
    return HostRegion(construct.directive.span, construct.start, construct.end, version, None, not is_unseen)


def _spelled(unit: Unit, construct: Construct, *, is_unseen: bool) -> HostVersion:
    """A region with the directives that the host's threads know, and nothing around it."""
    forms = []
    for part in unit.constructs_in(construct.start, construct.end):
        spelling = host_spelling(part.directive)
        if spelling != part.directive.text:
            before = (f"#pragma omp {spelling}",) if spelling else ()
            guard = ("if (rex_instantiation_that_was_not_seen())",) if is_unseen and part is construct else ()
            forms.append(PlacedForm(part.start, part.pragma_end, part.end, (*guard, *before), ()))
    return HostVersion(tuple(forms), False, None, False, None, ())


def _digest(unit: Unit, source_name: str, defines: Sequence[str]) -> str:
    """The unit's name: its file, its defines and the text of its target directives. Where kernels are templates, whose
    instantiations the linker knows by their names, another file of the same name has to differ: so it has the text of
    the user's files, too."""
    regions = [construct for construct in unit.constructs if construct.directive.is_target]
    functions = (unit.function_at(region.start) for region in regions)
    has_templates = any(function is not None and function.is_template for function in functions)
    own = [unit.text[start:end] for origin, start, end in unit.pre.stretches if not origin.system and has_templates]
    return digest_of([source_name, *defines, *(region.directive.text for region in regions), *own])


def left_to_host(planned_unit: Unit, error: InputError) -> tuple[frozenset[int], tuple[Diagnostic, ...]]:
    """(the target constructs that errors are about, the warnings in their place)"""
    left: set[int] = set()
    warnings = []
    for diagnostic in error.diagnostics:
        span = diagnostic.span
        for construct in planned_unit.constructs:
            name = construct.directive.name
            if span is None or not (construct.directive.is_target or name in _DATA):
                continue
            first = construct.directive.span.line
            last = planned_unit.span(max(construct.start, construct.end - 1)).line
            if construct.directive.span.file == span.file and first <= span.line <= last:
                left.add(construct.start)
                warnings.append(replace(diagnostic, severity="warning"))
                break
    return frozenset(left), tuple(warnings)
