"""pytest plugin: charges a GPU failure to the test that launched it, however late it is seen.

A sticky CUDA error ends the GPU's work for the whole process. Without help each test after it
fails, and the first red one need not be the guilty one. Here each phase of a test is a range of the
process (culprit.h), so that the launch that failed tells in which test it was made. Only that test
fails. A test that only saw the error, and all later tests, are skipped with the reason, or under
pytest-xdist run again in a fresh worker (culprit_cuda.pytest_workers).

The library must be in the process: `culprit run -- pytest ...`. Where it is not, the plugin says so
in the header and does nothing.
"""

import os

import pytest

from culprit_cuda import files, library, pytest_charge, pytest_junit, pytest_workers


def pytest_addoption(parser):
    parser.getgroup("culprit", "GPU failures, charged to the test that launched them").addoption(
        "--culprit",
        choices=("auto", "off", "require"),
        default="auto",
        help="charge GPU failures to their tests where libculprit.so is loaded (auto), never (off), "
        "or end at once where it is not loaded (require)",
    )


def pytest_configure(config):
    if config.getoption("culprit") == "off":
        return
    loaded = library.find()
    if loaded is None:
        if config.getoption("culprit") == "require":
            raise pytest.UsageError(how_to_start())
        return
    if pytest_workers.is_controller(config):
        config.pluginmanager.register(pytest_workers.Controller(config), "culprit-controller")
    else:
        config.pluginmanager.register(Guard(config, loaded), "culprit-guard")


def how_to_start():
    line = "culprit is not loaded: start pytest as `%s run -- python -m pytest ...`"
    if not files.has_namesake():
        return line % "culprit"
    return line % "python -m culprit_cuda" + " (another project's distribution `culprit` is installed)"


def pytest_report_header(config):
    if config.getoption("culprit") == "off":
        return None
    manager = config.pluginmanager
    if manager.hasplugin("culprit-guard") or manager.hasplugin("culprit-controller"):
        return "culprit: GPU failures are charged to the test that launched them"
    return how_to_start()


class Guard:
    """Watches the tests of one process."""

    def __init__(self, config, loaded):
        self.config = config
        self.library = loaded
        self.tests = pytest_charge.Tests()
        self.charge = None  # once the GPU has failed
        self.n_skipped = 0

    def phase(self, item, name):
        return self.library.range(pytest_charge.DOMAIN, self.tests.begin(item, name))

    @pytest.hookimpl(tryfirst=True, specname="pytest_runtest_setup")
    def pytest_runtest_setup_after_failure(self, item):
        """Behind the wrappers, so that their ends find what their beginnings made."""
        if self.charge:
            pytest_workers.leave(self.config, self.charge)
            self.n_skipped += 1
            pytest.skip(self.charge.reason_to_skip())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        with self.phase(item, "setup"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item):
        with self.phase(item, "call"):
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item):
        with self.phase(item, "teardown"):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        report = yield
        failure = None if self.charge else self.library.failure()
        if failure:
            self.charge = pytest_charge.charge(failure, self.tests, item)
            self.judge(report)
        return report

    def judge(self, report):
        """The report of the test in whose time the failure was seen."""
        if self.charge.nodeid == report.nodeid:
            self.charge.put_into(report)
            return
        pytest_workers.leave(self.config, self.charge)
        report.outcome = "skipped"
        report.longrepr = (*place_of(report), self.charge.reason_to_skip())
        self.n_skipped += 1
        pytest_charge.log(self.config, self.charge)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        if self.charge:
            pytest_junit.keep_last(self.config, [self.charge.nodeid])
            pytest_workers.tell(self.config, self.charge)

    def pytest_terminal_summary(self, terminalreporter):
        if self.charge:
            pytest_charge.summarize(terminalreporter, [self.charge], self.n_skipped)


def place_of(report):
    path, line, _ = report.location
    return os.path.abspath(path), (line or 0) + 1
