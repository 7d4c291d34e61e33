"""Regular expressions that are compiled when they are first used.

Lowering one file uses a third of all patterns of the modules that it imports, and Python compiles a pattern in the time
that it takes to parse ten lines of C. A pattern that has a name of the user's in it is for ``re.compile``.
"""

from __future__ import annotations

import re

_ATTRIBUTES = [name for name in dir(re.Pattern) if not name.startswith("_")]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr

    def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """``re.compile``, later."""

else:

    class _Ready:
        """Has the methods of a compiled pattern. Python finds them faster than in a class with ``__getattr__``."""

    class regex(_Ready):  # noqa: N801 - it stands for a function
        """``re.compile``, later."""

        def __init__(self, text: AnyStr, flags: int = 0) -> None:
            self.pattern, self._flags = text, int(flags)

        def __getattr__(self, name: str) -> Any:
            """An attribute of the compiled pattern. This object then has all of them."""
            made = re.compile(self.pattern, self._flags)
            for one in _ATTRIBUTES:
                setattr(self, one, getattr(made, one))
            self.__class__ = _Ready
            return getattr(self, name)
