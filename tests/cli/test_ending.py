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


_DURING_AN_IMPORT = f"""
import _imp, os, signal, sys, traceback
sys.path.insert(0, {str(Path(rex_build.__file__).parents[1])!r})
from rex_build.base import ending

def one(last):
    def trace(frame, event, _):
        nonlocal last
        if "importlib" not in frame.f_code.co_filename:
            return None
        last -= 1
        if last == 0:
            os.kill(os.getpid(), signal.SIGTERM)
        return trace
    sys.settrace(trace)
    import colorsys
    for _ in range(10**7):  # the signal comes again in a moment
        if last > 0:
            break

step = ended = 0
while True:
    step += 1
    process = os.fork()
    if not process:
        status = 1
        try:
            ending.clean_up_first()
            try:
                one(step)
                status = 2
            finally:
                ending.raise_if_ended()
        except ending.EndedError:
            status = 3 if _imp.lock_held() else 0
        except BaseException:  # shown, so that a failure says what came in its place
            traceback.print_exc()
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status == 2:
        break
    assert status == 0, (step, status)
    ended += 1
print(ended)
"""


def test_a_signal_during_an_import_leaves_no_lock() -> None:
    """Another thread that imports a module would wait for it for ever, and the command for the thread."""
    done = subprocess.run([sys.executable, "-c", _DURING_AN_IMPORT], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50
