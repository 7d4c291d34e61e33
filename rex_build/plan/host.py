"""What the host file needs around a region that may run on the host."""

from __future__ import annotations

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..directives.host_form import HostForm
from .host_expression import HostExpression


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
    """The teams of a region's host version, which run one after the other.

    ``once``: all that the region does is to share out a loop, which the first of them runs.
    """

    teams: HostExpression
    once: bool


@dataclass(frozen=True)
class PlacedForm:
    """What a host compiler is to see of a directive, and where: offsets in the preprocessed text of its pragma's ``#``,
    of the end of that line, and one past its statement (``pragma_end`` where nothing stands behind that)."""

    start: int
    pragma_end: int
    end: int
    form: HostForm


@dataclass(frozen=True)
class HostVersion:
    """A target region as the host runs it where there is no device for it."""

    forms: tuple[PlacedForm, ...]  # of the directives in it, its own among them
    team: bool  # constructs in it bind to its team, so it needs one of its own, of one thread
    limit: HostExpression | None  # the most threads that it may have in a team, as C text
    settings: bool  # it makes settings of its task, which it then needs
    league: HostLeague | None  # its teams, where one is not the same
    copies: tuple[HostCopy, ...]


@dataclass(frozen=True)
class HostRegion:
    """A target region that stays on the host. Offsets as for :class:`TargetRegion`."""

    span: SourceSpan
    start: int
    end: int
    host: HostVersion
    task: HostTask | None
