"""``--costs``: which files of tests take the processor time, and which tests, with all processes that they wait for."""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator

import forked
import pytest

_COST = "processor seconds"
_spent: Counter[str] = Counter()
_BEGIN = pytest.StashKey[float]()


def _now() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return forked.spent + sum(one.ru_utime + one.ru_stime for one in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGIN] = _now()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """The last report of a test has what all its steps took. Workers send it to the main process."""
    report = yield
    if call.when == "teardown":
        report.user_properties = [*report.user_properties, (_COST, _now() - item.stash[_BEGIN])]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == _COST:
            _spent[report.nodeid] += float(str(value))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    files: Counter[str] = Counter()
    for name, cost in _spent.items():
        files[name.partition("::")[0]] += cost
    terminalreporter.section(f"processor seconds: {_spent.total():.0f}")
    for name, cost in [*files.most_common(60), *_spent.most_common(60)]:
        terminalreporter.write_line(f"{cost:8.1f} {name}")
