"""To which test a GPU failure is charged, and how pytest is told."""

import json
from dataclasses import asdict, dataclass, field

import pytest

from culprit_cuda import verdict

DOMAIN = "pytest"

# As many bytes of a range's message are kept (culprit.h).
MESSAGE_BYTES = 60


class Tests:
    """The tests that this process has started, so that a range's message leads back to its test."""

    def __init__(self):
        self._numbers = {}
        self._items = []

    def begin(self, item, phase):
        """The message for a phase of the test: its number, and as much of its name as fits."""
        number = self._numbers.setdefault(item.nodeid, len(self._items) + 1)
        if number > len(self._items):
            self._items.append((item.nodeid, item.location))
        head = f"{number} {phase} "
        room = MESSAGE_BYTES - len(head)
        name = item.nodeid.encode()[-room:].decode(errors="ignore")
        return head + name

    def of_message(self, message):
        """The test's (nodeid, location), or None."""
        number = message.split(" ", 1)[0]
        if not number.isdigit() or not 0 < int(number) <= len(self._items):
            return None
        return self._items[int(number) - 1]


@dataclass
class Charge:
    """One root cause. Goes from an xdist worker to its controller as JSON."""

    nodeid: str  # of the test that failed: it launched the culprit, or where unknown saw the error
    location: tuple
    is_launcher: bool
    seen_by: str
    headline: str
    text: str
    place: str  # "file:line" of the launch, "" where unknown
    bundle: str
    word: str  # the verdict's
    others: list = field(default_factory=list)  # tests of further suspects

    def to_json(self):
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text):
        facts = json.loads(text)
        return Charge(**{**facts, "location": tuple(facts["location"])})

    def reason_to_skip(self):
        if self.is_launcher:
            return f"the GPU of this process had failed: launched by {self.nodeid}"
        return f"the GPU of this process had failed: seen by {self.seen_by}"

    def who(self):
        """Return a sentence on which tests launched and saw the failure."""
        if self.is_launcher and self.seen_by == self.nodeid:
            return "launched and seen by this test"
        if self.is_launcher:
            return f"launched by this test, seen by {self.seen_by}"
        if self.others:
            return "seen by this test, launched by one of " + ", ".join(self.others)
        return "seen by this test; which test launched it is not known"

    def properties(self):
        """For JUnit."""
        told = (("verdict", self.word), ("headline", self.headline), ("line", self.place),
                ("seen_by", self.seen_by), ("bundle", self.bundle))
        return [(f"culprit_{name}", value) for name, value in told if value]

    def put_into(self, report):
        """Fails the report, which may have passed, and adds the verdict."""
        if not report.failed:
            report.outcome = "failed"
            report.longrepr = f"{self.headline}\n{self.who()}"
        report.sections.append(("culprit", f"{self.text.rstrip()}\n  {self.who()}\n"))
        report.user_properties.extend(self.properties())

    def reports(self):
        """The failure of a test whose own reports were given before: of its call, and of its end,
        with which JUnit's view takes the properties."""
        call, end = (pytest.TestReport(self.nodeid, self.location, {}, "passed", None, when)
                     for when in ("call", "teardown"))
        self.put_into(call)
        end.user_properties.extend(self.properties())
        return call, end

    def summary(self):
        return f"culprit: {self.headline} - {self.nodeid}, {self.who()}"


def charge(failure, tests, seen_by):
    """The Charge for the failure of this process, seen in the time of the item `seen_by`."""
    text, facts = verdict.of_failure(failure)
    launching = verdict.launchers(facts, DOMAIN, tests.of_message)
    is_launcher = len(launching) == 1 and launching[0] is not None
    nodeid, location = launching[0] if is_launcher else (seen_by.nodeid, seen_by.location)
    place = verdict.user_place(facts["suspects"][0]) if facts.get("suspects") else None
    return Charge(
        nodeid=nodeid, location=location, is_launcher=is_launcher, seen_by=seen_by.nodeid,
        headline=text.splitlines()[0].removeprefix("culprit: "), text=text,
        place=f"{place[0]}:{place[1]}" if place and is_launcher else "",
        bundle=failure.bundle, word=facts.get("verdict") or "unknown",
        others=[test[0] for test in launching if test] if not is_launcher else [],
    )


def log(config, told):
    """Fails the test whose report, a success, has been given already."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    passed = reporter.stats.get("passed", []) if reporter else []
    passed[:] = [report for report in passed
                 if report.nodeid != told.nodeid or report.when != "call"]
    for report in told.reports():
        config.hook.pytest_runtest_logreport(report=report)


def summarize(terminalreporter, charges, n_skipped):
    """One line for each root cause."""
    terminalreporter.section("culprit")
    for told in charges:
        terminalreporter.write_line(told.summary())
    if n_skipped:
        tests = "1 test" if n_skipped == 1 else f"{n_skipped} tests"
        terminalreporter.write_line(
            f"culprit: {tests} not run in a process whose GPU had failed; "
            "pytest-xdist (-n 1) runs them in a fresh one")
