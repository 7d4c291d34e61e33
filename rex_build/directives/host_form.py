"""The form in which a host compiler sees a directive."""

from __future__ import annotations

from ..base.records import dataclass
from .model import Directive


@dataclass(frozen=True)
class HostForm:
    """The text in the host file in place of a directive's pragma, and after the statement to which it applies.

    ``before``, ``inside`` and ``after`` are lines of C: in front of the directive, between it and its statement, and
    after the statement. Together with the statement they are a single statement, so they may stand wherever the
    construct did. The ``clauses`` are added to those of the directive. Without a directive there is no pragma.
    """

    directive: Directive | None
    clauses: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines in place of the pragma."""
        if self.directive is None:
            return (*self.before, *self.inside)
        return (*self.before, " ".join(["#pragma omp", self.directive.text, *self.clauses]), *self.inside)


GONE = HostForm(None)
