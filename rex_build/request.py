"""What a user asks of the lowering step, and what comes out of it."""

from __future__ import annotations

from pathlib import Path

from .base.diagnostics import Diagnostic
from .base.records import dataclass

# Transformations of kernels that ``--no-opt`` leaves out (see analysis.optimise).
TRANSFORMATIONS = ("noalias", "readonly", "scalarise", "hoist", "index32", "once", "tile", "spmd")

# How partial results of a reduction come together: with atomic operations, or in an order that is always the same.
REDUCTIONS = ("atomic", "ordered")


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
