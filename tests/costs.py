"""``--costs``: which files of tests take the processor time, which tests do, with all processes that they wait for, and
which tests wait without work, also for other programs of the machine."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Iterator

import forked
import pytest

_COST = "processor seconds"
_WAITED = "seconds without work"
_spent: dict[str, Counter[str]] = {_COST: Counter(), _WAITED: Counter()}
_BEGIN = pytest.StashKey[tuple[float, float]]()


def _now() -> tuple[float, float]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return forked.spent() + sum(one.ru_utime + one.ru_stime for one in used), time.monotonic()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGIN] = _now()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """The last report of a test has what all its steps took. Workers send it to the main process."""
    report = yield
    if call.when == "teardown":
        cost, wall = (now - begin for now, begin in zip(_now(), item.stash[_BEGIN], strict=True))
        report.user_properties = [*report.user_properties, (_COST, cost), (_WAITED, max(wall - cost, 0))]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name in _spent:
            _spent[name][report.nodeid] += float(str(value))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for what, spent in _spent.items():
        files: Counter[str] = Counter()
        for name, cost in spent.items():
            files[name.partition("::")[0]] += cost
        terminalreporter.section(f"{what}: {spent.total():.0f}")
        for name, cost in [*files.most_common(60), *spent.most_common(60)]:
            terminalreporter.write_line(f"{cost:8.1f} {name}")
