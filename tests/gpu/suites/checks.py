"""Check --nan and --checksums on PyTorch, Triton and CuPy: the launch, the results, and what it costs.

The programs of tests/gpu/checks make a NaN in step 37 and print a digest of each step's results. Each runs
plain and with --nan: the digests must be the same, and the marked line must be named. Then runs with
--checksums are compared: they must be equal, except those of torch_race.py, where the marked line must be
named. Prints a table and what culprit said, and writes both to OUT/CHECKS.md. A program whose module is
missing is skipped.
Exit status: 0 all is as it must be; 1 otherwise.
"""

import glob
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import time

import suite

PROGRAMS = os.path.join(suite.GPU, "checks")
MODULES = {"torch_steps.py": "torch", "triton_steps.py": "triton", "cupy_steps.py": "cupy", "torch_race.py": "torch"}


def run(options, program, *arguments, folder):
    """Return a Done and the seconds that it took."""
    command = [sys.executable, os.path.join(PROGRAMS, program)]
    if arguments:
        command = suite.culprit(options, "run", *arguments, "--", *command)
    start = time.monotonic()
    done = suite.run(command, timeout=300, cwd=folder, env=suite.environment(options))
    return done, time.monotonic() - start


def find_nan(options, program, folder):
    """Return a row of the table and what --nan said."""
    plain, plain_s = run(options, program, folder=folder)
    checked, checked_s = run(options, program, "--nan", "--print-to", "nan", folder=folder)
    with open(os.path.join(folder, "nan")) as file:
        told = file.read()
    line = f"{program}:{suite.marked_line(os.path.join(PROGRAMS, program), 'nan')}"
    is_same = plain.status == checked.status == 0 and plain.out == checked.out
    is_told = re.search(rf"first NaN: made by #\d+ .* at \S*{line}", told) is not None
    return [program, "--nan", f"{plain_s:.1f}", f"{checked_s:.1f}", "same" if is_same else "OTHER",
            "named" if is_told else "NOT NAMED"], told + checked.err[-500:]


def record_checksums(options, program, name, folder):
    """Return the bundles of a run, which should be one, and its seconds."""
    where = os.path.join(folder, name)
    shutil.rmtree(where, ignore_errors=True)
    _, seconds = run(options, program, "--checksums", "--keep", "always", "--dir", where, folder=folder)
    return glob.glob(os.path.join(where, "culprit-*")), seconds


def find_difference(options, program, folder):
    """Return a row of the table and what culprit diff said of the first run and each other one."""
    is_race = program == "torch_race.py"
    runs = [record_checksums(options, program, name, folder) for name in ("first", "second", "third")[:2 if is_race else 3]]
    bundles = sum((found for found, _ in runs), [])
    if len(bundles) != len(runs):
        return [program, "--checksums", "", "", "OTHER", "NO BUNDLES"], ""
    done = [suite.run(suite.culprit(options, "diff", bundles[0], other), env=suite.environment(options))
            for other in bundles[1:]]
    line = f"{program}:{suite.marked_line(os.path.join(PROGRAMS, program), 'race')}" if is_race else ""
    is_right = (done[0].status == 1 and re.search(rf"first result that differs: .* at \S*{line}", done[0].out)) if is_race else (
        all(each.status == 0 for each in done))
    return [program, "--checksums", "", f"{runs[0][1]:.1f}", "", "as it must be" if is_right else "NOT SO"], "".join(
        each.out + each.err[-500:] for each in done)


def main():
    options = suite.parse(suite.make_parser(__doc__, driver="gpu", only=".", budget=500))
    rows, texts = [], []
    for program, module in MODULES.items():
        if not re.search(options.only, program) or importlib.util.find_spec(module) is None or suite.is_late(options):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for step in [find_difference] if program == "torch_race.py" else [find_nan, find_difference]:
                row, text = step(options, program, folder)
                rows.append(row)
                texts.append(f"{row[0]} {row[1]}\n\n```\n{text}```\n")
    head = suite.table(["program", "option", "plain s", "checked s", "results", "launch"], rows)
    print(suite.write(options, "CHECKS.md", "Checks on the GPU", head, *texts), end="")
    is_sound = not any(word.isupper() for row in rows for word in row[4:])
    return 0 if is_sound else 1
