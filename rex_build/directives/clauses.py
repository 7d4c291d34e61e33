"""The tables of directives and clauses. They say what OpenMP allows where, and what becomes of it in device code.

There is one row for each clause and each leaf construct. The parser, the checks and the page ``docs/openmp.md`` read
the same rows, so supporting a clause begins with its row. Source: OpenMP 5.2, and a few spellings of 5.1 and 6.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from ..base.records import dataclass, field
from . import forms
from .model import Clause


class Status(Enum):
    """What becomes of a directive or clause on a target construct or inside a target region."""

    SUPPORTED = "supported"
    IGNORED = "ignored"
    REFUSED = "refused"


@dataclass(frozen=True)
class Support:
    """A status and its reason: why it does no harm to ignore something, or why something is refused. What is not
    ``in_cxx``, C++ units refuse."""

    status: Status
    reason: str = ""
    in_cxx: bool = True


SUPPORTED = Support(Status.SUPPORTED)
IN_C = Support(Status.SUPPORTED, in_cxx=False)


def ignored(reason: str) -> Support:
    return Support(Status.IGNORED, reason)


def refused(reason: str) -> Support:
    return Support(Status.REFUSED, reason)


_LATER = refused("it is new in OpenMP 6.0")


def _words(names: str, support: Support = SUPPORTED) -> dict[str, Support]:
    return dict.fromkeys(names.split(), support)


@dataclass(frozen=True)
class ClauseRule:
    """One clause.

    ``allowed`` are the leaf constructs that take it. A clause that is not ``repeatable`` may appear once on a
    directive (``if`` once for each directive-name-modifier, ``defaultmap`` once for each category). Only one clause of
    an ``exclusive`` group may appear on a directive. ``words`` gives the keywords of the clause and what becomes of
    each, by their role. The role ``form`` is for forms of arguments; a form without an entry has the row's status.
    """

    name: str
    section: str
    parse: Callable[[forms.ClauseText], Clause]
    allowed: tuple[str, ...]
    support: Support = _LATER
    repeatable: bool = False
    exclusive: str | None = None
    words: Mapping[str, Mapping[str, Support]] = field(default_factory=dict)


@dataclass(frozen=True)
class DirectiveRule:
    """One leaf construct or stand-alone directive.

    ``association`` has the values of :class:`~rex_build.directives.model.Directive`. ``arguments`` says what the
    directive's own parentheses hold: nothing (``""``), ``list`` or ``text``. ``before`` are the constructs that may
    follow it in a combined directive. At least one of the clauses in ``needs`` must be present.
    """

    name: str
    section: str
    association: str
    support: Support = _LATER
    arguments: str = ""
    before: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


# Groups of leaf constructs.
_DATA = ("target data", "target enter data", "target exit data")
_DEVICE = ("target", *_DATA, "target update")
_DEFERRED = ("dispatch", "interop", "target", "target enter data", "target exit data", "target update", "taskwait")
_ASSUME = ("assume", "assumes", "begin assumes")
_LOOPS = ("distribute", "for", "loop", "simd", "taskloop")
_TASKS = ("task", "taskloop")
_NEW_LOOPS = ("fuse", "split", "stripe")
_TRANSFORMATIONS = ("tile", "unroll", "reverse", "interchange", *_NEW_LOOPS)
_PRIVATISING = ("distribute", "for", "parallel", "scope", "sections", "single", "target", *_TASKS, "teams")

_VECTORS = ignored("each iteration runs on a thread of its own, so there are no vectors")
_PROMISE = ignored("a promise to the optimiser that device code does not use")
_AT_ONCE = ignored("a task runs at once, where it is encountered")
_HINT = ignored("a hint about contention, without effect on results")
_PLACEMENT = ignored("the places of device threads are fixed by the hardware")
_UNROLLED = ignored("the compiler decides how loops are unrolled; the order of iterations stays")
_ALLOCATED = ignored("private copies live in the registers and the local memory of the threads that own them")
_NO_ANCESTOR = ignored("only device(ancestor:) in a target region needs it, and that is refused")
_NO_CANCEL = ignored("cancel-var is false on devices, so that cancelling has no effect (omp_get_cancellation() is 0)")
_NO_INTEROP = refused("interoperability objects are for host code: no foreign runtime can be called on the device")
_NO_THREADPRIVATE = refused("device threads have no copies of threadprivate variables")
_ALWAYS = ignored("it is true for every device")
_ORDER = ignored("iterations run in no particular order anyway")
_PLAIN_FORMS = {
    "stride": refused("only the motion clauses of 'target update' take sections with gaps"),
    "array shaping": refused("only the motion clauses of 'target update' take array shaping"),
}
_OPERATORS = _words("+ - * & | ^ && || min max")
_DEPENDENCES = {
    "dependence-type": _words("in out inout mutexinoutset inoutset depobj source sink"),
    "modifier": _words("iterator"),
    "form": {**_PLAIN_FORMS, "omp_all_memory": SUPPORTED},
}
_DOACROSS = {"dependence-type": _words("source sink"), "modifier": {}, "form": {}}
_REDUCTION = {"operator": _OPERATORS, "form": _PLAIN_FORMS}
_MOTION = {"modifier": {"present": SUPPORTED, "mapper": SUPPORTED, "iterator": SUPPORTED}}
_MOTION["form"] = {"stride": SUPPORTED, "array shaping": IN_C}
_STRICT = {"modifier": {"strict": _LATER}}
_GRAIN = {"modifier": {"strict": _AT_ONCE}}

_CLAUSE_ROWS = (
    # Mapping and data motion.
    ClauseRule(
        "map",
        "5.8.3",
        forms.mapping,
        ("target", *_DATA, "declare mapper"),
        SUPPORTED,
        repeatable=True,
        words={
            "map-type": _words("alloc to from tofrom release delete"),
            "modifier": _words("always present mapper iterator")
            | {"close": ignored("a hint about where to place the copy")}
            | {"ompx_hold": SUPPORTED, "self": _LATER},
            "form": _PLAIN_FORMS,
        },
    ),
    ClauseRule(
        "defaultmap",
        "5.8.7",
        forms.defaultmap,
        ("target",),
        SUPPORTED,
        words={
            "behavior": _words("alloc to from tofrom firstprivate none default present"),
            "category": _words("scalar aggregate pointer all"),
        },
    ),
    ClauseRule(
        "to",
        "5.9.1",
        forms.locator_list,
        ("target update", "declare target"),
        SUPPORTED,
        repeatable=True,
        words=_MOTION,
    ),
    ClauseRule("from", "5.9.2", forms.locator_list, ("target update",), SUPPORTED, repeatable=True, words=_MOTION),
    ClauseRule(
        "enter",
        "5.8.4",
        forms.locator_list,
        ("declare target",),
        SUPPORTED,
        repeatable=True,
        words={"modifier": {"automap": _LATER}},
    ),
    ClauseRule("local", "7.8", forms.locator_list, ("declare target",), repeatable=True),
    ClauseRule("link", "5.8.5", forms.locator_list, ("declare target",), IN_C, repeatable=True),
    ClauseRule("is_device_ptr", "5.4.7", forms.variable_list, ("target", "dispatch"), SUPPORTED, repeatable=True),
    ClauseRule("has_device_addr", "5.4.9", forms.locator_list, ("target", "dispatch"), SUPPORTED, repeatable=True),
    ClauseRule("use_device_ptr", "5.4.8", forms.variable_list, ("target data",), SUPPORTED, repeatable=True),
    ClauseRule(
        "use_device_addr",
        "5.4.10",
        forms.locator_list,
        ("target data",),
        SUPPORTED,
        repeatable=True,
        words={"form": _PLAIN_FORMS},
    ),
    # Data sharing.
    ClauseRule(
        "default",
        "5.4.1",
        forms.default,
        ("parallel", *_TASKS, "teams", "metadirective"),
        SUPPORTED,
        words={"keyword": _words("none shared private firstprivate")},
    ),
    ClauseRule("shared", "5.4.2", forms.variable_list, ("parallel", *_TASKS, "teams"), SUPPORTED, repeatable=True),
    ClauseRule("private", "5.4.3", forms.variable_list, (*_PRIVATISING, "loop", "simd"), SUPPORTED, repeatable=True),
    ClauseRule("firstprivate", "5.4.4", forms.variable_list, _PRIVATISING, SUPPORTED, repeatable=True),
    ClauseRule(
        "lastprivate",
        "5.4.5",
        forms.variable_list,
        (*_LOOPS, "sections"),
        SUPPORTED,
        repeatable=True,
        words={"modifier": {"conditional": SUPPORTED}},
    ),
    ClauseRule(
        "linear",
        "5.4.6",
        forms.linear_list,
        ("for", "simd", "declare simd"),
        SUPPORTED,
        repeatable=True,
        words={"modifier": {"val": SUPPORTED} | _words("ref uval", refused("it is for references of C++"))},
    ),
    ClauseRule(
        "reduction",
        "5.5.8",
        forms.reduction,
        ("for", "loop", "parallel", "scope", "sections", "simd", "taskloop", "teams"),
        SUPPORTED,
        repeatable=True,
        words={**_REDUCTION, "modifier": _words("default task inscan")},
    ),
    ClauseRule(
        "task_reduction", "5.5.9", forms.reduction, ("taskgroup",), SUPPORTED, repeatable=True, words=_REDUCTION
    ),
    ClauseRule(
        "in_reduction",
        "5.5.10",
        forms.reduction,
        ("target", *_TASKS),
        SUPPORTED,
        repeatable=True,
        words=_REDUCTION,
    ),
    ClauseRule("inclusive", "5.6.1", forms.locator_list, ("scan",), SUPPORTED, exclusive="scan"),
    ClauseRule("exclusive", "5.6.2", forms.locator_list, ("scan",), SUPPORTED, exclusive="scan"),
    ClauseRule("init_complete", "5.6", forms.optional_value, ("scan",), exclusive="scan"),
    ClauseRule("copyin", "5.7.1", forms.variable_list, ("parallel",), _NO_THREADPRIVATE, repeatable=True),
    ClauseRule("copyprivate", "5.7.2", forms.variable_list, ("single",), SUPPORTED, repeatable=True),
    ClauseRule("uniform", "5.10", forms.variable_list, ("declare simd",), _PROMISE, repeatable=True),
    ClauseRule("aligned", "5.11", forms.aligned_list, ("simd", "declare simd"), _PROMISE, repeatable=True),
    ClauseRule("initializer", "5.5.4", forms.raw, ("declare reduction",), SUPPORTED),
    # Memory management.
    ClauseRule("align", "6.3", forms.value, ("allocate",), IN_C),
    ClauseRule("allocator", "6.4", forms.value, ("allocate",), _ALLOCATED),
    ClauseRule("allocate", "6.6", forms.allocate_list, (*_PRIVATISING, "taskgroup"), _ALLOCATED, repeatable=True),
    ClauseRule("uses_allocators", "6.8", forms.raw, ("target",), SUPPORTED, repeatable=True),
    # Variants.
    ClauseRule("when", "7.4.1", forms.raw, ("metadirective", "begin metadirective"), SUPPORTED, repeatable=True),
    ClauseRule("otherwise", "7.4.2", forms.variant, ("metadirective", "begin metadirective"), SUPPORTED),
    ClauseRule("match", "7.5.1", forms.raw, ("declare variant", "begin declare variant"), SUPPORTED),
    ClauseRule(
        "adjust_args",
        "7.5.2",
        forms.variable_list,
        ("declare variant",),
        IN_C,
        repeatable=True,
        words={"modifier": _words("nothing need_device_ptr")},
    ),
    ClauseRule("append_args", "7.5.3", forms.raw, ("declare variant",), IN_C),
    ClauseRule("novariants", "7.6.1", forms.value, ("dispatch",), SUPPORTED),
    ClauseRule("nocontext", "7.6.2", forms.value, ("dispatch",), SUPPORTED),
    ClauseRule("inbranch", "7.7.1", forms.bare, ("declare simd",), _PROMISE, exclusive="branch"),
    ClauseRule("notinbranch", "7.7.1", forms.bare, ("declare simd",), _PROMISE, exclusive="branch"),
    ClauseRule("indirect", "7.8.3", forms.optional_value, ("declare target", "begin declare target"), SUPPORTED),
    # Information for the compiler.
    ClauseRule("at", "8.1", forms.choice, ("error",), SUPPORTED, words={"keyword": _words("compilation execution")}),
    ClauseRule("severity", "8.5.1", forms.choice, ("error",), SUPPORTED, words={"keyword": _words("fatal warning")}),
    ClauseRule("message", "8.5.2", forms.value, ("error",), SUPPORTED),
    ClauseRule(
        "atomic_default_mem_order",
        "8.2.1",
        forms.choice,
        ("requires",),
        SUPPORTED,
        words={"keyword": _words("seq_cst acq_rel acquire release relaxed")},
    ),
    ClauseRule("dynamic_allocators", "8.2.1", forms.optional_value, ("requires",), _ALWAYS),
    ClauseRule("reverse_offload", "8.2.1", forms.optional_value, ("requires",), _NO_ANCESTOR),
    ClauseRule("unified_address", "8.2.1", forms.optional_value, ("requires",), _ALWAYS),
    ClauseRule("unified_shared_memory", "8.2.1", forms.optional_value, ("requires",), SUPPORTED),
    ClauseRule("self_maps", "8.2.1", forms.optional_value, ("requires",), SUPPORTED),
    ClauseRule("device_safesync", "8.2.1", forms.optional_value, ("requires",)),
    *(
        ClauseRule(name, "8.3.1", form, _ASSUME, _PROMISE, repeatable=form is forms.raw)
        for name, form in (
            ("absent", forms.raw),
            ("contains", forms.raw),
            ("holds", forms.raw),
            ("no_openmp", forms.optional_value),
            ("no_openmp_constructs", forms.optional_value),
            ("no_openmp_routines", forms.optional_value),
            ("no_parallelism", forms.optional_value),
        )
    ),
    # Loops.
    ClauseRule("collapse", "4.4.3", forms.value, _LOOPS, SUPPORTED),
    ClauseRule("ordered", "4.4.4", forms.optional_value, ("for",), SUPPORTED),
    ClauseRule("sizes", "9.1.1", forms.raw, ("tile", "stripe"), SUPPORTED),
    ClauseRule("full", "9.2.1", forms.optional_value, ("unroll",), _UNROLLED, exclusive="unroll"),
    ClauseRule("partial", "9.2.2", forms.optional_value, ("unroll",), SUPPORTED, exclusive="unroll"),
    ClauseRule("permutation", "9", forms.raw, ("interchange",), SUPPORTED),
    ClauseRule("looprange", "9", forms.raw, ("fuse",)),
    ClauseRule("counts", "9", forms.raw, ("split",)),
    ClauseRule("apply", "9", forms.raw, _TRANSFORMATIONS, repeatable=True),
    ClauseRule("induction", "5.5", forms.raw, ("distribute", "for", "simd", "taskloop"), repeatable=True),
    ClauseRule(
        "order",
        "10.3",
        forms.choice,
        ("distribute", "for", "loop", "simd"),
        _ORDER,
        words={
            "keyword": {"concurrent": _ORDER},
            "modifier": _words("unconstrained reproducible", _ORDER),
        },
    ),
    ClauseRule("nontemporal", "10.4.1", forms.variable_list, ("simd",), _PROMISE, repeatable=True),
    ClauseRule("safelen", "10.4.2", forms.value, ("simd",), _VECTORS),
    ClauseRule("simdlen", "10.4.3", forms.value, ("simd", "declare simd"), _VECTORS),
    ClauseRule(
        "schedule",
        "11.5.3",
        forms.schedule,
        ("for",),
        SUPPORTED,
        words={
            "kind": _words("static dynamic guided auto runtime"),
            "modifier": {
                "monotonic": SUPPORTED,
                "nonmonotonic": ignored("it permits other orders but asks for none"),
                "simd": _VECTORS,
            },
        },
    ),
    ClauseRule("dist_schedule", "11.6.1", forms.schedule, ("distribute",), SUPPORTED, words={"kind": _words("static")}),
    ClauseRule(
        "bind", "11.7.1", forms.choice, ("loop",), SUPPORTED, words={"keyword": _words("teams parallel thread")}
    ),
    # Threads and teams.
    ClauseRule(
        "if",
        "3.4",
        forms.condition,
        ("cancel", "parallel", "simd", *_DEVICE, *_TASKS, "teams", "taskgraph", "task_iteration"),
        SUPPORTED,
    ),
    ClauseRule("safesync", "10.1", forms.optional_value, ("parallel",)),
    ClauseRule("num_threads", "10.1.2", forms.value, ("parallel",), SUPPORTED, words=_STRICT),
    ClauseRule(
        "proc_bind",
        "10.1.4",
        forms.choice,
        ("parallel",),
        _PLACEMENT,
        words={"keyword": _words("master primary close spread", _PLACEMENT)},
    ),
    ClauseRule("num_teams", "10.2.1", forms.bounds, ("teams",), SUPPORTED),
    ClauseRule("filter", "10.5.1", forms.value, ("masked",), SUPPORTED),
    # Tasks.
    ClauseRule("untied", "12.1", forms.optional_value, _TASKS, _AT_ONCE),
    ClauseRule("mergeable", "12.2", forms.optional_value, _TASKS, _AT_ONCE),
    ClauseRule("final", "12.3", forms.value, _TASKS, _AT_ONCE),
    ClauseRule("priority", "12.4", forms.value, _TASKS, _AT_ONCE),
    ClauseRule(
        "affinity",
        "12.5.1",
        forms.locator_list,
        ("task", "task_iteration"),
        _AT_ONCE,
        repeatable=True,
        words={"modifier": {"iterator": _AT_ONCE}},
    ),
    ClauseRule(
        "detach",
        "12.5.2",
        forms.value,
        ("task",),
        refused("a task in device code runs at once, before its event could be fulfilled; host tasks support it"),
    ),
    ClauseRule("grainsize", "12.6.1", forms.value, ("taskloop",), _AT_ONCE, exclusive="grain", words=_GRAIN),
    ClauseRule("num_tasks", "12.6.2", forms.value, ("taskloop",), _AT_ONCE, exclusive="grain", words=_GRAIN),
    ClauseRule("nogroup", "15.7", forms.optional_value, ("taskloop", "taskgraph"), _AT_ONCE),
    ClauseRule("threadset", "12", forms.raw, _TASKS),
    ClauseRule("transparent", "12", forms.optional_value, (*_TASKS, *_DEVICE)),
    ClauseRule("replayable", "12", forms.optional_value, (*_TASKS, *_DEVICE, "taskwait")),
    # Devices.
    ClauseRule(
        "device_type",
        "13.1",
        forms.choice,
        ("declare target", "begin declare target", "groupprivate"),
        SUPPORTED,
        words={"keyword": _words("host nohost any")},
    ),
    ClauseRule(
        "device",
        "13.2",
        forms.value,
        (*_DEVICE, "dispatch", "interop"),
        SUPPORTED,
        words={
            "modifier": {
                "device_num": SUPPORTED,
                "ancestor": refused("libomptarget has no reverse offload: device code cannot call the host"),
            }
        },
    ),
    ClauseRule("thread_limit", "13.3", forms.value, ("target", "teams"), SUPPORTED),
    ClauseRule("init", "14.1.2", forms.raw, ("interop", "depobj"), _NO_INTEROP, repeatable=True),
    ClauseRule("use", "14.1.3", forms.raw, ("interop",), _NO_INTEROP, repeatable=True),
    ClauseRule("destroy", "3.5", forms.optional_raw, ("interop", "depobj"), _AT_ONCE, repeatable=True),
    # Synchronization.
    ClauseRule("hint", "15.1", forms.value, ("atomic", "critical"), _HINT),
    ClauseRule(
        "nowait",
        "15.6",
        forms.optional_value,
        ("for", "scope", "sections", "single", *_DEFERRED),
        SUPPORTED,
        words={"form": {"argument": _LATER}},
    ),
    *(
        ClauseRule(name, "15.8.1", forms.bare, ("atomic", "flush"), SUPPORTED, exclusive="memory-order")
        for name in ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
    ),
    ClauseRule("read", "15.8.2", forms.bare, ("atomic",), SUPPORTED, exclusive="atomic"),
    ClauseRule("write", "15.8.2", forms.bare, ("atomic",), SUPPORTED, exclusive="atomic"),
    ClauseRule(
        "update",
        "15.8.2",
        forms.update,
        ("atomic", "depobj"),
        SUPPORTED,
        exclusive="atomic",
        words={"keyword": _words("in out inout mutexinoutset inoutset", _AT_ONCE)},
    ),
    ClauseRule("capture", "15.8.3", forms.bare, ("atomic",), SUPPORTED),
    ClauseRule("compare", "15.8.3", forms.bare, ("atomic",), SUPPORTED),
    ClauseRule(
        "fail", "15.8.3", forms.choice, ("atomic",), SUPPORTED, words={"keyword": _words("seq_cst acquire relaxed")}
    ),
    ClauseRule("weak", "15.8.3", forms.bare, ("atomic",), ignored("an exchange whose comparison succeeds never fails")),
    ClauseRule(
        "memscope",
        "15.8.3",
        forms.choice,
        ("atomic", "flush"),
        words={"keyword": _words("all cgroup device", _LATER)},
    ),
    ClauseRule(
        "depend",
        "15.9.5",
        forms.dependence,
        ("depobj", "ordered", "task", "task_iteration", *_DEFERRED),
        SUPPORTED,
        repeatable=True,
        words=_DEPENDENCES,
    ),
    ClauseRule("doacross", "15.9.6", forms.dependence, ("ordered",), SUPPORTED, repeatable=True, words=_DOACROSS),
    ClauseRule("threads", "15.10.3", forms.bare, ("ordered",), SUPPORTED),
    ClauseRule("simd", "15.10.3", forms.bare, ("ordered",), SUPPORTED),
    # The constructs that cancel and cancellation point name.
    *(
        ClauseRule(name, "16.1", forms.bare, ("cancel", "cancellation point"), _NO_CANCEL, exclusive="construct")
        for name in ("parallel", "sections", "for", "taskgroup")
    ),
)

_DIRECTIVE_ROWS = (
    # Device directives.
    DirectiveRule("target", "13.8", "block", SUPPORTED, before=("parallel", "teams", "simd", "loop")),
    DirectiveRule("target data", "13.5", "block", SUPPORTED, needs=("map", "use_device_addr", "use_device_ptr")),
    DirectiveRule("target enter data", "13.6", "none", SUPPORTED, needs=("map",)),
    DirectiveRule("target exit data", "13.7", "none", SUPPORTED, needs=("map",)),
    DirectiveRule("target update", "13.9", "none", SUPPORTED, needs=("to", "from")),
    DirectiveRule("declare target", "7.8.1", "delimited", SUPPORTED, arguments="list"),
    DirectiveRule("begin declare target", "7.8.2", "delimited", SUPPORTED),
    DirectiveRule("end declare target", "7.8.1", "none", SUPPORTED),
    DirectiveRule("declare mapper", "5.8.8", "none", SUPPORTED, arguments="text", needs=("map",)),
    # Parallelism and work distribution.
    DirectiveRule("parallel", "10.1", "block", SUPPORTED, before=("for", "loop", "sections", "masked", "master")),
    DirectiveRule("teams", "10.2", "block", SUPPORTED, before=("distribute", "loop")),
    DirectiveRule("simd", "10.4", "loop", SUPPORTED),
    DirectiveRule("masked", "10.5", "block", SUPPORTED, before=("taskloop",)),
    DirectiveRule("master", "10.5", "block", SUPPORTED, before=("taskloop",)),
    DirectiveRule("single", "11.1", "block", SUPPORTED),
    DirectiveRule("scope", "11.2", "block", SUPPORTED),
    DirectiveRule("sections", "11.3", "block", SUPPORTED),
    DirectiveRule("section", "11.3.1", "separating", SUPPORTED),
    DirectiveRule("for", "11.5.1", "loop", SUPPORTED, before=("simd",)),
    DirectiveRule("distribute", "11.6", "loop", SUPPORTED, before=("parallel", "simd")),
    DirectiveRule("workdistribute", "11", "block"),
    DirectiveRule("loop", "11.7", "loop", SUPPORTED),
    # Tasks.
    DirectiveRule("task", "12.5", "block", SUPPORTED),
    DirectiveRule("taskloop", "12.6", "loop", SUPPORTED, before=("simd",)),
    DirectiveRule("taskyield", "12.7", "none", _AT_ONCE),
    DirectiveRule("taskgroup", "15.4", "block", SUPPORTED),
    DirectiveRule("taskwait", "15.5", "none", _AT_ONCE),
    DirectiveRule("taskgraph", "12", "block"),
    DirectiveRule("task_iteration", "12", "none"),
    # Synchronization.
    DirectiveRule("critical", "15.2", "block", SUPPORTED, arguments="text"),
    DirectiveRule("barrier", "15.3.1", "none", SUPPORTED),
    DirectiveRule("atomic", "15.8.4", "block", SUPPORTED),
    DirectiveRule("flush", "15.8.5", "none", SUPPORTED, arguments="list"),
    DirectiveRule("depobj", "15.9.4", "none", _AT_ONCE, arguments="list"),
    DirectiveRule("ordered", "15.10", "block", SUPPORTED),
    DirectiveRule("scan", "5.6", "separating", SUPPORTED),
    DirectiveRule("cancel", "16.1", "none", _NO_CANCEL),
    DirectiveRule("cancellation point", "16.2", "none", _NO_CANCEL),
    # Loop transformations.
    DirectiveRule("tile", "9.1", "loop", SUPPORTED, needs=("sizes",)),
    DirectiveRule("unroll", "9.2", "loop", SUPPORTED),
    DirectiveRule("reverse", "9", "loop", SUPPORTED),
    DirectiveRule("interchange", "9", "loop", SUPPORTED),
    *(DirectiveRule(name, "9", "loop") for name in _NEW_LOOPS),
    # Declarations.
    DirectiveRule("threadprivate", "5.2", "none", _NO_THREADPRIVATE, arguments="list"),
    DirectiveRule("groupprivate", "5.2", "none", arguments="list"),
    DirectiveRule("declare reduction", "5.5.11", "none", SUPPORTED, arguments="text"),
    DirectiveRule("allocate", "6.5", "none", SUPPORTED, arguments="list"),
    DirectiveRule(
        "declare simd", "7.7", "declaration", ignored("every thread calls functions for itself, never for a vector")
    ),
    DirectiveRule("declare variant", "7.5.4", "declaration", SUPPORTED, arguments="text"),
    DirectiveRule("begin declare variant", "7.5.5", "delimited", SUPPORTED),
    DirectiveRule("end declare variant", "7.5.5", "none", SUPPORTED),
    DirectiveRule("dispatch", "7.6", "block", SUPPORTED),
    DirectiveRule("interop", "14.1", "none", _NO_INTEROP),
    # Variants, information, requirements.
    DirectiveRule("metadirective", "7.4.3", "none", SUPPORTED),
    DirectiveRule("begin metadirective", "7.4.4", "delimited", SUPPORTED),
    DirectiveRule("end metadirective", "7.4.4", "none", SUPPORTED),
    DirectiveRule("requires", "8.2", "none", SUPPORTED),
    DirectiveRule("assumes", "8.3.2", "none", _PROMISE),
    DirectiveRule("assume", "8.3.3", "block", _PROMISE),
    DirectiveRule("begin assumes", "8.3.4", "delimited", _PROMISE),
    DirectiveRule("end assumes", "8.3.4", "none", _PROMISE),
    DirectiveRule("nothing", "8.4", "none", ignored("it has no effect")),
    DirectiveRule("error", "8.5", "none", SUPPORTED),
)

CLAUSES: Mapping[str, ClauseRule] = {row.name: row for row in _CLAUSE_ROWS}
DIRECTIVES: Mapping[str, DirectiveRule] = {row.name: row for row in _DIRECTIVE_ROWS}


def combined_names() -> tuple[str, ...]:
    """Every directive name, combined and composite ones included (OpenMP 5.2, section 17.3), in table order."""

    def extended(leaves: tuple[str, ...]) -> list[tuple[str, ...]]:
        longer = [more for leaf in following(leaves) for more in extended((*leaves, leaf))]
        return [leaves, *longer] if is_complete(leaves) else longer

    return tuple(" ".join(leaves) for name in DIRECTIVES for leaves in extended((name,)))


def following(leaves: tuple[str, ...]) -> tuple[str, ...]:
    """The leaf constructs that may follow these in a combined directive."""
    if leaves[-2:] == ("distribute", "parallel"):
        return ("for",)
    return DIRECTIVES[leaves[-1]].before


def is_complete(leaves: tuple[str, ...]) -> bool:
    """Whether these leaves are a complete directive. ``distribute parallel`` is not, as it needs its ``for``."""
    return leaves[-2:] != ("distribute", "parallel")
