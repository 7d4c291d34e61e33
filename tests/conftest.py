"""The fixtures of all tests, which say on which device programs run and whether it is available."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

from rex_build.base.stack import FRAMES

T = TypeVar("T")

_TESTS = Path(__file__).parent
_WITHOUT_CACHE = {
    "c", "check", "cxx", "differential", "e2e", "hygiene", "openmp", "plan", "render", "runtime", "scale", "tree",
}  # fmt: skip

# Many tests start rex-build. Without bytecode, a start compiles all modules and templates: a second of processor time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# As rex-build does for its processes. Most of what these searches walk is pytest's own: thousands of tests, which stay.
gc.set_threshold(100_000, 20, 20)

# A shell starts jobs in the background with SIGINT ignored, and programs of the tests would ignore it, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run uses the same examples. HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None)
settings.register_profile("search", max_examples=2000, deadline=None)
# Lowering sets this limit. Hypothesis warns if it changes during a test.
sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", choices=("cpu", "cuda"), default="cpu", help="what lowered programs run on")
    parser.addoption("--arch", default=None, help="sm_<NN> for --device cuda (default: the GPU here)")
    parser.addoption("--whole", action="store_true", help="run all cases of tests of which otherwise a sample runs")
    parser.addoption("--costs", action="store_true", help="say at the end what took the processor time")
    parser.addoption("--sample", help="what draws the sample: any text (default: the commit)")


def pytest_configure(config: pytest.Config) -> None:
    """Who runs all tests gets a sample of some, another one with each commit. Who names tests gets all of them. Workers
    get the main process's options."""
    option = config.option
    if option.costs:
        config.pluginmanager.import_plugin("costs")
    if option.sample is None:
        option.whole |= config.args_source is not pytest.Config.ArgsSource.TESTPATHS or option.keyword != ""
        command = ["git", "-C", str(config.rootpath), "rev-parse", "--short", "HEAD"]
        has_git = shutil.which("git") is not None
        option.sample = has_git and subprocess.run(command, capture_output=True, text=True).stdout.strip()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if terminalreporter.stats.get("failed") and not config.getoption("--whole"):
        terminalreporter.write_line(f"The same sample runs again with --sample {config.option.sample}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out cases of tests that are marked ``sampled(n)``, so that one in n runs."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out: set[pytest.Item] = set()
    for name, found in cases.items():
        (one_in,) = found[0].get_closest_marker("sampled").args
        left_out |= {*found} - {*draw(config, name, found, one_in)}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def draw(config: pytest.Config, name: str, items: Sequence[T], one_in: int) -> list[T]:
    """One in n of a test's cases, in their order."""
    if config.getoption("--whole"):
        return [*items]
    dice = random.Random(f"{config.option.sample} {name}")
    return [items[at] for at in sorted(dice.sample(range(len(items)), -(-len(items) // one_in)))]


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> Callable[[Sequence[T], int], list[T]]:
    """Draws from the cases of a test that tries many at once."""
    return partial(draw, request.config, request.node.nodeid)


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give the tests a cache of their own, without entries of earlier runs or of the user. Workers share what a user's
    first command builds: the launcher, and the libraries of the check device and of profiles."""
    os.environ["REX_BUILD_CACHE_DIR"] = str(tmp_path_factory.mktemp("cache"))
    own = tmp_path_factory.getbasetemp()
    home = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "home"
    home.mkdir(exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(home)


@pytest.fixture(scope="module", autouse=True)
def without_cache(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let commands do without the cache where no test is about it. To find out what an entry depends on and to store it
    is a third of lowering a small unit, which no test asks for a second time."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.relative_to(_TESTS).parts[0] in _WITHOUT_CACHE:
            patch.setenv("REX_BUILD_CACHE", "off")
        yield


@pytest.fixture(scope="session", autouse=True)
def linker(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let links not ask whether shared libraries miss functions: for that, ld reads libLLVM, which libomptarget needs,
    and a thousand links of 0.4 s would be a fifth of all that the tests compute."""
    if found := shutil.which("ld"):
        script = tmp_path_factory.mktemp("linker") / "ld"
        script.write_text(f'#!/bin/sh\nexec "{found}" --allow-shlib-undefined "$@"\n')
        script.chmod(0o755)
        os.environ["PATH"] = f"{script.parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> str:
    """``cpu`` or ``cuda``. The test is skipped if it should run on a GPU and there is none."""
    kind: str = request.config.getoption("--device")
    if kind == "cuda":
        if shutil.which("nvcc") is None and not Path("/usr/local/cuda/bin/nvcc").exists():
            pytest.skip("--device cuda: no nvcc here")
        if not Path("/dev/nvidiactl").exists():
            pytest.skip("--device cuda: no NVIDIA GPU here")
    return kind


@pytest.fixture(scope="session")
def arch(request: pytest.FixtureRequest) -> str | None:
    """The architecture given with ``--arch``, or None."""
    value: str | None = request.config.getoption("--arch")
    return value
