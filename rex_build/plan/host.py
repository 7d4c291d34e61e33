"""What the host file needs around constructs, and for regions that run on the host."""

from __future__ import annotations

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from .host_expression import HostExpression


@dataclass(frozen=True)
class HostTask:
    """The task that encloses a construct with ``nowait`` or ``depend``: ``pragma`` is printed before its block.

    With ``after_all`` the task depends on all earlier tasks, so the host waits for these first.
    """

    pragma: str
    after_all: bool = False


@dataclass(frozen=True)
class HostCopy:
    """A private copy of a variable in a region's host version. It is ``initialised`` for ``firstprivate``. ``original``
    names the variable where its name alone does not."""

    name: str
    initialised: bool
    array: bool
    unset: bool = False  # the variable may have no value yet, because the region sets its copy before it uses it
    by_teams: bool = False  # each team has a copy of its own
    type: str = ""  # if it is not that of the variable, as that of a copy which may be a reference
    original: str = ""


@dataclass(frozen=True)
class HostLeague:
    """The teams of a region's host version, which run one after the other.

    With ``once``, the region does nothing but share out a loop, and the first team runs all of this loop.
    """

    teams: HostExpression
    once: bool


@dataclass(frozen=True)
class PlacedForm:
    """What a host compiler sees of a directive: lines in place of its pragma, and lines after its statement.

    The places are offsets in the preprocessed text: the pragma's ``#``, the end of its line, and one past its
    statement. A directive without a statement ends at ``pragma_end``.
    """

    start: int
    pragma_end: int
    end: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class HostVersion:
    """A target region as the host runs it when there is no device for it."""

    forms: tuple[PlacedForm, ...]  # of the region's own directive and of those inside
    team: bool  # constructs inside bind to the region's team, so it needs a team of its own, with one thread
    limit: HostExpression | None  # the most threads that a team of the region may have
    settings: bool  # the region changes settings of its task, so it needs a task of its own
    league: HostLeague | None  # the region's teams, where running one team would not do the same
    copies: tuple[HostCopy, ...]


@dataclass(frozen=True)
class HostRegion:
    """A target region that stays on the host, or one of a template of which no instantiation ``runs``. Its offsets mean
    the same as those of :class:`TargetRegion`."""

    span: SourceSpan
    start: int
    end: int
    host: HostVersion
    task: HostTask | None
    runs: bool = True
