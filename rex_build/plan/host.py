"""What the host file needs around a region that may run on the host."""

from __future__ import annotations

from ..base.records import dataclass
from ..base.spans import SourceSpan


@dataclass(frozen=True)
class HostTask:
    """The task that encloses a construct with ``nowait`` or ``depend``: the pragma to print before its block.

    ``after_all``: it depends on all earlier tasks, which are waited for.
    """

    pragma: str
    after_all: bool = False


@dataclass(frozen=True)
class HostCopy:
    """A private copy of a variable in a region's host version; ``initialised`` for firstprivate."""

    name: str
    initialised: bool
    array: bool
    unset: bool = False  # the variable may have no value yet: the region sets its copy before it uses it
    by_teams: bool = False  # each team has one


@dataclass(frozen=True)
class HostLeague:
    """The teams of a region's host version: ``teams`` is C text. They run one after the other; ``once``: all that the
    region does is to share out a loop, which the first of them runs."""

    teams: str
    once: bool


@dataclass(frozen=True)
class HostRegion:
    """A target region that stays on the host: the last seven as for :class:`TargetRegion`."""

    span: SourceSpan
    start: int
    end: int
    fallback: tuple[tuple[int, int, str], ...]
    host_team: bool
    host_limit: str | None
    host_settings: bool
    league: HostLeague | None
    copies: tuple[HostCopy, ...]
    task: HostTask | None
