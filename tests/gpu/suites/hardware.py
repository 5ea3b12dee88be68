"""Is it the hardware? The line about NVML for healthy, failing and hanging programs, and what it costs.

Prints a table and writes it to OUT/HARDWARE.md; the bundles' hardware.json go to OUT. Each case says what
was wrong, or nothing. "without NVML" has a libnvidia-ml.so.1 that cannot be loaded in front of the real
one. "nobody" runs as user 65534.
Exit status: 0 every case is as it should be, 1 otherwise.
"""

import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import suite

NOBODY = 65534
LINE = re.compile(r"^  hardware:? +(.*)$", re.MULTILINE)
CORPUS = ("corpus", "--kernels", "kernels")
HANGS = ("tests/robust", "hangs")


def parse_options():
    return suite.parse(suite.make_parser(__doc__, driver="gpu", runs=20))


def unpack(options, folder):
    """Copy what runs to a folder that every user can read, and return options for it."""
    for name in ("culprit", "corpus", "tests/robust"):
        target = os.path.join(folder, "bin", name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(options.build_dir, "bin", name), target)
    shutil.copytree(os.path.join(options.build_dir, "lib"), os.path.join(folder, "lib"),
                    ignore=shutil.ignore_patterns("images", "culprit-demo", "pitfalls"))
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o755)
    options.build_dir = folder


def kernels_of(options):
    return os.path.join(options.build_dir, "lib", f"{'simcuda' if options.driver == 'simcuda' else 'gpu'}-kernels")


def command_of(options, program, *arguments):
    words = [os.path.join(options.build_dir, "bin", program[0]), *program[1:], *arguments]
    return [kernels_of(options) if word == "kernels" else word for word in words]


def run(options, command, *flags, broken=None, user=None, **environment):
    """Run a command under culprit. Return (Done, hardware.json or None, seconds)."""
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o777)
        names = suite.environment(options, **environment)
        folders = [broken, names["LD_LIBRARY_PATH"]]
        if options.driver == "simcuda":
            folders.insert(1, os.path.join(options.build_dir, "lib", "simnvml"))
        names["LD_LIBRARY_PATH"] = ":".join(filter(None, folders))
        start = time.monotonic()
        done = suite.run(suite.culprit(options, "run", "--dir", work, *flags, "--", *command), env=names,
                         cwd=work, **({"user": user, "group": user, "extra_groups": []} if user else {}))
        seconds = time.monotonic() - start
        paths = glob.glob(os.path.join(work, "culprit-*", "hardware.json"))
        state = None
        if paths:
            with open(paths[0]) as file:
                state = json.load(file)
        return done, state, seconds


def line_of(done):
    found = LINE.search(done.err)
    return found.group(1) if found else ""


def judge_fault(done, state, wants_line):
    if done.status != 1 or "stray_store" not in done.err:
        return f"status {done.status}: {done.err[-300:]}"
    if bool(line_of(done)) != wants_line or bool(state) != wants_line:
        return f"line {line_of(done)!r}, {'a' if state else 'no'} hardware.json"
    return ""


def cases(options, broken):
    """Yield (name, line, problem, hardware.json or None)."""
    done, _, _ = run(options, command_of(options, CORPUS, "ok"), "-v")
    told = re.search(r"^culprit run: hardware: (.*)$", done.err, re.MULTILINE)
    yield "healthy, -v", told.group(1) if told else "", "" if told and done.status == 0 else done.err, None
    done, _, _ = run(options, command_of(options, CORPUS, "ok"))
    yield "healthy", "", done.err or (f"status {done.status}" if done.status else ""), None
    fault = command_of(options, CORPUS, "stray_store")
    done, state, _ = run(options, fault)
    yield "fault", line_of(done), judge_fault(done, state, True), state
    done, state, _ = run(options, ["sh", "-c", 'sleep 2; exec "$0" "$@"', *fault])
    yield "fault after 2 s", line_of(done), judge_fault(done, state, True), state
    done, state, _ = run(options, fault, user=NOBODY)
    yield "fault, nobody", line_of(done), judge_fault(done, state, True), state
    done, state, _ = run(options, fault, broken=broken)
    yield "fault, without NVML", line_of(done), judge_fault(done, state, False), state
    done, state, _ = run(options, command_of(options, HANGS), "--hang", "3", "--on-hang", "abort", ROBUST_HANG="kernel")
    is_told = done.status == 124 and line_of(done) and state
    yield "hang", line_of(done), "" if is_told else f"status {done.status}: {done.err[-300:]}", state


def cost(options, command, broken):
    """Return the medians in ms of the run with NVML, and without it, in turn."""
    times = ([], [])
    for _ in range(options.runs):
        for index, folder in enumerate((None, broken)):
            times[index].append(run(options, command, broken=folder)[2] * 1000)
    return [f"{statistics.median(values):.1f}" for values in times]


def helper_cost(options):
    """Return the memory and the processor time of the helper after 5 seconds."""
    with subprocess.Popen(suite.culprit(options, "run", "--", "sleep", "5"), env=suite.environment(options)) as process:
        time.sleep(4.5)
        with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
            children = file.read().split()
        for child in children:
            with open(f"/proc/{child}/stat") as file:
                name, rest = re.match(r"\d+ \((.*)\) (.*)", file.read()).groups()
            fields = rest.split()
            if name == "culprit-nvml":
                ticks = (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
                return f"helper: {int(fields[21]) * 4 // 1024} MiB, {ticks:.0f} ms of processor time in 4.5 s\n"
    return "helper: not found\n"


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        unpack(options, os.path.join(folder, "build"))
        broken = os.path.join(folder, "broken")
        os.makedirs(broken)
        with open(os.path.join(broken, "libnvidia-ml.so.1"), "w") as file:
            file.write("no library\n")
        rows = []
        for name, line, problem, state in cases(options, broken):
            rows.append((name, line, problem))
            if state:
                with open(os.path.join(options.out, f"hardware-{re.sub('[^a-z0-9]+', '-', name)}.json"), "w") as file:
                    json.dump(state, file, indent=1)
        doctor = suite.run(suite.culprit(options, "doctor"), env=suite.environment(options))
        costs = [(name, *cost(options, command, broken))
                 for name, command in (("true", ["true"]), ("corpus ok", command_of(options, CORPUS, "ok")))]
        print(suite.write(options, "HARDWARE.md", "Is it the hardware?",
                          suite.table(["case", "line", "problem"], rows),
                          suite.table(["culprit run, median", "with NVML, ms", "without, ms"], costs),
                          helper_cost(options),
                          "\n".join(line for line in doctor.out.splitlines() if "hardware  " in line) + "\n"))
    return 1 if any(problem for _, _, problem in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
