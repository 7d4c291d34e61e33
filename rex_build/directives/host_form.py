"""What a host compiler is to see of a directive."""

from __future__ import annotations

from ..base.records import dataclass
from .model import Directive


@dataclass(frozen=True)
class HostForm:
    """What stands in the host file in place of a directive's pragma, and behind the statement that it applies to.

    ``before``, ``inside`` and ``after`` are lines of C: in front of the directive, between it and its statement, and
    behind the statement. Together they are one statement, so that they may stand wherever the construct did. The
    ``clauses`` are added to those of the directive; without a directive there is no pragma.
    """

    directive: Directive | None
    clauses: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands in place of the pragma."""
        if self.directive is None:
            return (*self.before, *self.inside)
        return (*self.before, " ".join(["#pragma omp", self.directive.text, *self.clauses]), *self.inside)


GONE = HostForm(None)
