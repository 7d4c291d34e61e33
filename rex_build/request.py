"""The request to lower a unit, and the results that come back."""

from __future__ import annotations

from pathlib import Path

from .base.diagnostics import Diagnostic
from .base.findings import Finding
from .base.records import dataclass

# Transformations of kernels that ``--no-opt`` can leave out, and what they are: docs/transformations.md has more.
TRANSFORMATIONS = {
    "byvalue": "a small structure that a region only reads reaches the kernel in its parameters",
    "noalias": "a second kernel with restrict pointers, for launches whose arrays do not overlap",
    "readonly": "loads of what nobody writes go through the cache for read-only data",
    "scalarise": "an element that an iteration uses again and again stays in a variable",
    "hoist": "ends of inner loops that are in memory are loaded once, before the loop",
    "index32": "loop counters are computed in 32 bits where all iterations fit",
    "once": "a second kernel in which each thread, or team, runs one iteration, without a loop around it",
    "tile": "blocks are tiles of two or more collapsed loops, in a grid of two dimensions",
    "collapse": "a third kernel in which inner loops share the grid with the distributed one",
    "stage": "a third kernel whose warps move the rows of inner loops through shared memory",
    "broadcast": "warps bring what all their threads read in inner loops to shared memory together",
    "share": "the threads of a team have one copy of a reduced array, in shared memory",
    "batch": "with elements of one or two bytes, a thread runs several iterations side by side",
    "wide": "neighbouring elements of one or two bytes are loaded with one access",
    "walk": "fewer threads at a time where each walks along long rows of its own",
    "align": "fields that follow each other are loaded and stored with one access",
    "block": "a block of threads runs what one thread would, and shares out its loops",
    "spmd": "all threads of a team run its sequential part, and its parallel regions in place",
    "unroll": "short loops over arrays of the thread's own are unrolled, so that these lie in registers",
    "banks": "arrays of the thread's own that data index lie in shared memory, each thread's in a bank of its own",
    "inorder": "regions that follow each other are launched without a wait in between",
}

# How the partial results of a reduction are combined: by atomic operations, or in the same order in every run.
REDUCTIONS = ("atomic", "ordered")


_CXX_SUFFIXES = frozenset((".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"))


def is_source(file: Path) -> bool:
    """Whether a file is a C or C++ source by its suffix, as host files are."""
    return file.suffix == ".c" or file.suffix in _CXX_SUFFIXES


def language_of(source: Path) -> str:
    """The language of a source, by its suffix."""
    return "c++" if source.suffix in _CXX_SUFFIXES else "c"


@dataclass(frozen=True)
class LowerRequest:
    """What to lower and where to put it. ``cflags`` are the flags that the source is compiled with, and ``warnings``
    those that choose warnings about the program (base/command_words.py). They do not change what is written.

    Outputs go to ``out_dir`` as ``rose_<source>`` and ``rex_lib_<stem>.cu`` unless ``host_output`` and ``cu_output``
    name other files. File names in the outputs are relative to ``base_dir``. ``init`` is ``main`` to make the device
    ready at the head of main if its unit has device code, ``always`` to do so anyway, and ``lazy`` to leave main alone.
    With ``separable``, units share their declare target names with external linkage. With ``device_link``, a unit is
    separable if it needs that: its device code uses what others define, or a header declares what it defines for
    others. With ``claims``, device code verifies what transformations rely on, on the check device alone.
    """

    source: Path
    out_dir: Path
    cflags: tuple[str, ...] = ()
    depfile: Path | None = None
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
    device_link: bool = False
    warnings: tuple[str, ...] = ()
    claims: bool = False

    @property
    def language(self) -> str:
        """The language of the source, as compilers call it: ``c`` or ``c++``."""
        forced = [after for word, after in zip(self.cflags, self.cflags[1:], strict=False) if word == "-x"]
        return forced[-1] if forced else language_of(self.source)

    @property
    def host(self) -> Path:
        return self.host_output or self.out_dir / f"rose_{self.source.name}"

    @property
    def cu(self) -> Path:
        return self.cu_output or self.out_dir / f"rex_lib_{self.source.stem}.cu"


@dataclass(frozen=True)
class LowerResult:
    """The files written, the messages for the user, and the number of entries in the unit's offload table.

    An ``unchanged`` unit had nothing to lower. ``inputs`` are the files that decide what compilers make of the unit,
    if the cache knows that nothing else does.
    """

    host: Path
    cu: Path
    diagnostics: tuple[Diagnostic, ...]
    entries: int
    unchanged: bool = False
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lowered:
    """The texts of the host and the device file, and the files that they depend on.

    ``needed_definitions`` is true when the texts contain macro definitions, which the preprocessed text does not have.
    ``findings`` are all that were found, whether or not they are reported. ``inputs`` are those of a ``LowerResult``.
    """

    host: str
    device: str
    dependencies: tuple[str, ...]
    entries: int
    diagnostics: tuple[Diagnostic, ...] = ()
    needed_definitions: bool = False
    findings: tuple[Finding, ...] = ()
    inputs: tuple[str, ...] = ()
