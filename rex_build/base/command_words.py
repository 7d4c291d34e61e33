"""Words of compiler commands: launchers in front of the compiler, and the options that choose warnings of ours.

Launchers run a compiler, under their own name or a compiler's. That compiler can change while they do not.

The options for warnings about the user's program are taken out of a command line. The host compiler has others:

=========================  ==============================================================================
``-Wrex-NAME``             report all findings of this name, likely ones too
``-Wno-rex-NAME``          report none of them
``-Wrex-all``              report every finding, likely ones too; ``-Wno-rex-all`` reports none
``-Werror=rex-NAME``       ``-Wrex-NAME``, and such a finding is an error; ``-Wno-error=rex-NAME`` says it is none
``-Werror``, ``-w``        as the host compiler has them, which gets them too: all are errors, or nothing is reported
=========================  ==============================================================================

As in gcc, an option with a name counts more than one for all, and of two equal ones the last. A cache hit reads this
module, so it imports nothing that Python has not imported yet.
"""

from __future__ import annotations

from . import light_os as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "buildcache", "colorgcc")
_OURS = ("-Wrex-", "-Wno-rex-", "-Werror=rex-", "-Wno-error=rex-")
_SHARED = ("-Werror", "-Wno-error", "-w")


def compiler_at(command: Sequence[str]) -> int | None:
    """The position in a command of the compiler itself, after its launchers, or None if there is none."""
    return next((at for at, word in enumerate(command) if os.path.basename(word) not in LAUNCHERS), None)


def taken_out(flags: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the flags that the host compiler gets, those that choose our warnings). Shared ones are in both."""
    words = tuple(flags)
    chosen = tuple([word for word in words if word in _SHARED or word.startswith(_OURS)])
    if not chosen:
        return words, ()
    return tuple([word for word in words if not word.startswith(_OURS)]), chosen


def chooses_more(chosen: Sequence[str]) -> bool:
    """Whether findings may be reported that are not reported without these words."""
    return any(word.startswith(_OURS) for word in chosen)


def nothing_is_reported(chosen: Sequence[str]) -> bool:
    """Whether no finding can be reported, so that none has to be looked for."""
    if "-w" in chosen:
        return True
    groups = [word for word in chosen if word in ("-Wrex-all", "-Wno-rex-all", "-Werror=rex-all")]
    named = any(word.startswith(("-Wrex-", "-Werror=rex-")) and word not in groups for word in chosen)
    return bool(groups) and groups[-1] == "-Wno-rex-all" and not named
