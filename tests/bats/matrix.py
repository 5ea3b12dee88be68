#!/usr/bin/env python3
"""Compare what all views of a failure say: each must name the same launch, place and cause.

usage: matrix.py BUILD      in an empty folder

Makes a bundle of each row of FAILURES on the simulated driver, once, in the environment of a GitHub
workflow. Then asks for each view of all bundles together. Exit status: 0, or 1 after a line for each
difference.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.realpath(sys.argv[1])
CULPRIT = f"{BUILD}/bin/culprit"
# From the build folder, so that the length of its path makes no difference to how lines are broken.
CORPUS = ["bin/corpus", "--kernels", "lib/simcuda-kernels"]
ROBUST = "bin/tests/robust"
HANG = ["--hang", "1", "--on-hang", "abort"]
SNAPSHOTS = ["--hang", "60"] # one each ten seconds
LIMITED = ["timeout", "-s", "KILL", "15"]
ILLEGAL = "error[700]: illegal memory access: "


# name, program, the error's word in `list`, title, certainty, what was submitted, source file, function,
# a pattern for the line in it, settings. Short, as a table is.
FAILURES = [
    ("stray_store", CORPUS, "700", ILLEGAL + "stray_store", "exact", "launch #12, stray_store<<<4, 32>>>",
     "corpus/faults.c", "stray_store", "LAUNCH_BAD", {}),
    ("misaligned", CORPUS, "716", "error[716]: misaligned address: misaligned", "exact",
     "launch #12, misaligned<<<4, 32>>>", "corpus/faults.c", "misaligned", "LAUNCH_BAD", {}),
    ("device_assert", CORPUS, "710", "error[710]: device-side assert: device_assert", "exact",
     "launch #12, device_assert<<<4, 32>>>", "corpus/faults.c", "device_assert", "LAUNCH_BAD", {}),
    ("trap", CORPUS, "719", "error[719]: launch failed: trap", "exact", "launch #12, trap<<<4, 32>>>",
     "corpus/faults.c", "trap", "LAUNCH_BAD", {}),
    ("host_pointer", CORPUS, "700", ILLEGAL + "stray_store, argument 1 is a host pointer", "exact",
     "launch #12, stray_store<<<4, 32>>>", "corpus/faults.c", "host_pointer", "LAUNCH_BAD", {}),
    ("use_after_free", CORPUS, "700", ILLEGAL + "use_after_free, argument 1 points into freed memory", "exact",
     "launch #12, use_after_free<<<4, 32>>>", "corpus/faults.c", "use_after_free", "LAUNCH_BAD", {}),
    ("copy_fault", CORPUS, "700", ILLEGAL + "copy by cuMemcpyDtoDAsync_v2, its source was freed while in flight", "exact", "copy #3, cuMemcpyDtoDAsync_v2 of 4 KiB",
     "corpus/submissions.c", "copy_fault", "cuMemcpyDtoDAsync_v2", {}),
    ("graph_one_node", CORPUS, "700", ILLEGAL + "store_through, in a graph", "exact", "graph launch #10, graph 0x",
     "corpus/graphs.c", "replay", "truth_other>cuGraphLaunch", {}),
    ("one_of_four_streams", CORPUS, "700", ILLEGAL + "one of 400 submissions", "narrowed", "#2 spin",
     "corpus/launch.c", "launch_spin", "return LAUNCH", {"CULPRIT_MARKERS": "off", "CULPRIT_PROGRESS": "off"}),
    ("hangs", [ROBUST], "hung", "error[hang]: no progress: spin", "exact", "launch #233, spin<<<1, 1>>>",
     "robust/host.c", "host_spin", "return cuLaunchKernel", {"ROBUST_HANG": "kernel"}),
    # The launch takes longer than the time limit, which kills it; snapshots showed it until then.
    ("hangs", LIMITED + [ROBUST], "unfinished", "error[unfinished]: killed, or gone by _exit, with 7 submissions unfinished; spin had started",
     "narrowed", "launch #233, spin<<<1, 1>>>", "robust/host.c", "host_spin", "return cuLaunchKernel", {"ROBUST_HANG": "kernel"}),
    ("use_after_free", CORPUS, "2", "error[2]: out of memory: cuMemAlloc_v2 of 64.0 MiB", "refused",
     "the driver refused cuMemAlloc_v2", "corpus/faults.c", "use_after_free", "cuMemAlloc_v2",
     {"SIMCUDA_MEMORY_MB": "1"}),
    ("refused", [ROBUST], "1", "error[1]: launch refused: spin: the block's x is 65,536 > 1,024", "refused",
     "the driver refused cuLaunchKernel", "robust/failure/first_launches.c", "launch_wide", "return cuLaunchKernel",
     {}),
]
faults = []


class Failure:
    """A row, and the bundle that its program left."""

    def __init__(self, number, row):
        (self.name, program, self.error, self.title, self.certainty, self.submitted, file, self.function,
         pattern, self.settings) = row
        self.file = os.path.basename(file)
        self.line = find_line(f"{ROOT}/tests/{file}", self.function, pattern)
        self.place = f"{self.file}:{self.line} {self.function}"
        self.folder = os.path.join(os.getcwd(), f"{number}-{self.name}")
        self.command = [CULPRIT, "run", "--dir", self.folder, *{"hung": HANG, "unfinished": SNAPSHOTS}.get(self.error, []),
                        "--", *program, self.name]

    def make(self):
        """Run the program in the environment of a workflow; sources are found from the build folder."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("CULPRIT_")}
        self.summary = self.folder + ".md"
        environment.update({"CULPRIT_MARKERS": "inline", **self.settings}, GITHUB_ACTIONS="true",
                           GITHUB_STEP_SUMMARY=self.summary, LD_LIBRARY_PATH=f"{BUILD}/lib/simcuda")
        ran = subprocess.run(self.command, cwd=BUILD, env=environment, capture_output=True, text=True, check=False,
                             timeout=60)
        self.said = ran.stderr
        (bundle,) = os.listdir(self.folder)
        self.bundle = os.path.join(self.folder, bundle)
        self.pid = re.search(r"\d+$", bundle)[0]
        return self

    def check(self, view, text, *needed):
        """Note each needed part that the view's text lacks. How lines are broken makes no difference."""
        flat = re.sub(r"\s", "", text or "")
        for part in needed:
            if re.sub(r"\s", "", part) not in flat:
                faults.append(f"{self.name} as {view}: lacks {part!r} in {text!r}")

    def check_short(self, view, text):
        self.check(view, text, self.title, self.certainty, self.place, self.submitted, "help")


def find_line(path, function, pattern):
    """Return the first line with the pattern after the function's begin; a>b: with b after one with a."""
    lines = open(path, encoding="utf-8").read().split("\n")
    begin = next(i for i, line in enumerate(lines) if re.match(rf"\w.*\b{function}\(.*[^;]$", line))
    for part in pattern.split(">"):
        begin = next(i for i in range(begin + 1, len(lines)) if part in lines[i])
    return begin + 1


def view(name, bundles, *arguments, columns=None):
    """Return what `culprit` prints about all bundles, on a terminal of this width or to a pipe."""
    terminal = [sys.executable, "-S", f"{HERE}/terminal.py", str(columns)] if columns else []
    environment = {**os.environ, "CULPRIT_REPORT": "short", "NO_COLOR": "1"}
    ran = subprocess.run([*terminal, CULPRIT, name, *arguments, *bundles], env=environment, capture_output=True,
                         text=True, check=False, cwd=BUILD)
    return ran.stdout.replace("\r", "")


def one_of(parts, failure):
    """Return the part about the failure's process."""
    return next((part for part in parts if re.search(rf"pid\s+{failure.pid}\b", part)), "")


def words(element):
    return "".join(element.itertext())


def check_texts(failures, bundles):
    for columns in 80, 40:
        text = view("report", bundles, columns=columns)
        if max(map(len, text.split("\n"))) > columns:
            faults.append(f"a line is wider than {columns} columns")
        for failure in failures:
            report = one_of(text.split("\n\n"), failure)
            failure.check_short(f"text of {columns}", report)
            # The next step is last, and may be lower on a narrow terminal.
            first = "\n".join(report.split("\n")[:12])
            answers = [failure.title, failure.certainty, failure.place, "help"]
            failure.check(f"the first lines of {columns}", first, *answers[:4 if columns == 80 else 3])


def check_markup(failures, bundles):
    page = tree.fromstring(view("report", bundles, "--format", "html").removeprefix("<!DOCTYPE html>"))
    junit = tree.fromstring(view("report", bundles, "--format", "junit"))
    markdown = view("report", bundles, "--format", "markdown")
    github = "".join(view("report", some, "--format", "github") for some in (bundles[:6], bundles[6:]))  # ten at most
    for failure in failures:
        article = one_of([words(part[0]) + words(part[1]) for part in page.iter("article")], failure)
        failure.check("html", article, failure.title, failure.certainty, failure.place, failure.submitted)
        failure.check_short("markdown", one_of(re.split("(?m)^### ", markdown), failure))
        case = next(case for case in junit.iter("testcase") if f"pid {failure.pid})" in words(case))
        failure.check("junit's message", case[0].get("message"), failure.title, f"[{failure.certainty}]")
        failure.check_short("junit", words(case[0]))
        check_annotation(failure, "github", one_of(github.split("\n"), failure))


def check_annotation(failure, name, line):
    failure.check_short(name, line.replace("%0A", "\n"))
    failure.check(name, line, f"{failure.file},line={failure.line},")


def check_json(failures, bundles):
    reports = [json.loads(line) for line in view("report", bundles, "--format", "json").split("\n") if line]
    ids = {report["bundle"]: report["fingerprint"] for report in reports}
    sarif = json.loads(view("report", bundles, "--format", "sarif"))["runs"][0]["results"]
    gitlab = json.loads(view("report", bundles, "--format", "gitlab"))
    for failure in failures:
        own = ids[os.path.realpath(failure.bundle)]
        result = next(one for one in sarif if one["partialFingerprints"]["culprit/v1"] == own)
        place = result["locations"][0]
        text = "{artifactLocation[uri]}:{region[startLine]} ".format(**place["physicalLocation"])
        text += place["logicalLocations"][0]["fullyQualifiedName"]
        failure.check("sarif", result["message"]["text"] + text, failure.title, failure.certainty, failure.place)
        issue = next(one for one in gitlab if one["fingerprint"] == own)
        text = "{location[path]}:{location[lines][begin]}".format(**issue)
        failure.check("gitlab", issue["description"] + text, failure.title, failure.certainty,
                      f"{failure.file}:{failure.line}")


def check_list(failures, bundles):
    rows = [line.split("\t") for line in view("list", bundles, "--format", "tsv").split("\n")[1:] if line]
    for failure in failures:
        row = next(row for row in rows if row[-1] == failure.bundle)
        failure.check("list", " ".join(row), failure.error, failure.certainty, failure.place)


def check_action(failures):
    for failure in failures:
        line = one_of([line for line in failure.said.split("\n") if line.startswith("::error")], failure)
        check_annotation(failure, "the action", line)
        failure.check_short("the action's summary", open(failure.summary, encoding="utf-8").read())


def main():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = list(pool.map(lambda row: Failure(*row).make(), enumerate(FAILURES)))
    bundles = [failure.bundle for failure in failures]
    check_texts(failures, bundles)
    check_markup(failures, bundles)
    check_json(failures, bundles)
    check_list(failures, bundles)
    check_action(failures)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
