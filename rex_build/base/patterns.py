"""Regular expressions that are compiled when they are first used.

Lowering one file uses a third of all patterns of the modules that it imports, and Python compiles a pattern in the time
that it takes to parse ten lines of C.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr

if TYPE_CHECKING:

    def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """``re.compile``, later."""

else:

    class regex:  # noqa: N801 - it stands for a function
        """``re.compile``, later."""

        def __init__(self, text: AnyStr, flags: int = 0) -> None:
            self.pattern = text
            self._flags = flags

        def __getattr__(self, name: str) -> Any:
            """An attribute of the compiled pattern, which this object then has, too. ``re`` keeps what it compiled."""
            value = getattr(re.compile(self.pattern, self._flags), name)
            setattr(self, name, value)
            return value
