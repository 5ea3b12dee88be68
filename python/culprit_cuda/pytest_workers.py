"""pytest-xdist: a worker whose GPU has failed ends, and another one runs what it had before it.

The worker cannot report for a test that it has finished, so it leaves its Charge in a folder of the
controller's and ends without a word. The controller, told by xdist of the crash, charges the right
test and puts the one that was running back to those that wait.
"""

import contextlib
import os
import shutil
import tempfile

import pytest

from culprit_cuda import pytest_charge, pytest_junit

FOLDER = "culprit_folder"
OUTPUT = "culprit_charge"
STATUS = 75  # EX_TEMPFAIL of sysexits.h: try again


def is_controller(config):
    """Does this process hand its tests to workers?"""
    return not hasattr(config, "workerinput") and bool(getattr(config.option, "dist", "no") != "no")


def path_of(folder, worker):
    return os.path.join(folder, f"{worker}.json")


def leave(config, charge):
    """Ends a worker, and leaves its charge; in a process that is none this returns."""
    told = getattr(config, "workerinput", {})
    if FOLDER not in told:
        return
    path = path_of(told[FOLDER], told["workerid"])
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(charge.to_json())
    os.rename(path + ".new", path)
    os._exit(STATUS)


def tell(config, charge):
    """At the end of a worker that was not left: its charge goes with its last message."""
    if hasattr(config, "workeroutput"):
        config.workeroutput[OUTPUT] = charge.to_json()


class Controller:
    def __init__(self, config):
        self.config = config
        self.folder = tempfile.mkdtemp(prefix="culprit-pytest-")
        self.charges = []
        self.rerun = set()  # nodeids of tests whose worker ended
        self.reported = set()  # (worker, nodeid) of failures that came with a verdict

    def pytest_unconfigure(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput[FOLDER] = self.folder

    def take_charge(self, worker):
        try:
            with open(path_of(self.folder, worker), encoding="utf-8") as file:
                return pytest_charge.Charge.from_json(file.read())
        except FileNotFoundError:
            return None

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem, report, sched):
        charge = self.take_charge(report.node.gateway.id)
        if charge is None:
            return
        self.charges.append(charge)
        report.outcome = "skipped"  # for JUnit; people are told by pytest_report_teststatus
        report.culprit_rerun = True
        self.rerun.add(crashitem)
        report.longrepr = (crashitem.split("::")[0], None, charge.reason_to_skip())
        with contextlib.suppress(NotImplementedError):  # those by scope and group do so unasked
            sched.mark_test_pending(crashitem)
        if (report.node.gateway.id, charge.nodeid) not in self.reported:
            pytest_charge.log(self.config, charge)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        text = getattr(node, "workeroutput", {}).get(OUTPUT)
        if text:
            self.charges.append(pytest_charge.Charge.from_json(text))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        charged = {charge.nodeid for charge in self.charges}
        pytest_junit.keep_last(self.config, charged | self.rerun)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        told = any(name == "culprit_headline" for name, _ in report.user_properties)
        if report.failed and told and hasattr(report, "node"):
            self.reported.add((report.node.gateway.id, report.nodeid))

    def pytest_report_teststatus(self, report):
        if getattr(report, "culprit_rerun", False):
            return "rerun", "R", ("RERUN", {"yellow": True})
        return None

    def pytest_terminal_summary(self, terminalreporter):
        if self.charges:
            pytest_charge.summarize(terminalreporter, self.charges, 0)
