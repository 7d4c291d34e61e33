"""How a command ends, whatever Python makes of the signal's exception."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rex_build

_LOSES = {
    "in a destructor": "class Lost:\n    def __del__(self): os.kill(os.getpid(), signal.SIGTERM)\nLost()",
    "in what makes another error of it": """\
class Member:
    def __set_name__(self, owner, name): os.kill(os.getpid(), signal.SIGTERM)
try:
    type("Kind", (), {"member": Member()})
except RuntimeError as error:
    raise ValueError("a library's") from None""",
    "in what goes on": "try:\n    os.kill(os.getpid(), signal.SIGTERM)\nexcept BaseException:\n    pass",
}


@pytest.mark.parametrize("lost", _LOSES)
def test_a_signal_is_not_lost(lost: str) -> None:
    """The command dies by the signal, though its own code has not seen it."""
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(rex_build.__file__).parents[1])!r})
from rex_build import __main__ as command
def run():
    exec({_LOSES[lost]!r}, globals())
    return 0
command._run = run
sys.exit(command.main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGTERM, done.stderr
