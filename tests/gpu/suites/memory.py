"""Programs that miss memory, are refused launches or run out of memory: is what culprit says right?

The programs know the truth, and culprit's reports are compared with it. Prints a line for each, and writes
OUT/MEMORY.md and, for whatever is not right, OUT/memory-details.txt.

    faults    a kernel's pointer misses memory: is the right allocation named, in the report and by
              `culprit memory --at`?
    refusals  launches just beyond the device's limits, images, calls about host memory: is it the right
              rule, with the right numbers?
    oom       PyTorch runs out of memory while a C extension holds a part of it: is that part named, with
              the extension's function and line? Is culprit silent about a training loop that recovers?

Each result is right; silent: culprit said nothing where it could; WRONG; or one that is no answer
(no fault: the GPU did not mind). Rows that need a missing framework, or for which the budget has no
time left, are skipped. On simcuda (--driver simcuda) no framework is used.
Exit status: 0; 1 something is WRONG, silent, or has failed.
"""

import functools
import glob
import json
import os
import re
import shutil
import sys
import time

import suite

PROGRAMS = os.path.join(suite.GPU, "memory")
LIMIT_SECONDS = 90
FRAMEWORKS = {  # of memory_faults.py: the module that it needs, the faults, the environment
    "torch": ("torch", ["after", "before", "index", "freed"], {}),
    "torch, no cache": ("torch", ["after", "before", "index", "freed"], {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}),
    "triton": ("triton", ["index"], {}), # it asks the driver about pointers, and refuses those to nothing
    "cupy": ("cupy", ["after", "before", "index", "freed"], {}),
    "cupy-unpooled": ("cupy", ["after", "index", "freed"], {}),
    "cupy-kernel": ("cupy", ["index", "freed"], {}),
    "pycuda": ("pycuda", ["after", "before", "index", "freed"], {}),
    "pycuda-pooled": ("pycuda", ["after", "before", "index", "freed"], {}),
    "pycuda-kernel": ("pycuda", ["after", "before", "index", "freed"], {}),
}
IMAGES = {  # file: (rule, words of the line, environment)
    "older.fatbin": ("no_binary_for_gpu", ["sm_80 and sm_86"], {}),
    "other.fatbin": ("no_binary_for_gpu", ["sm_100a"], {}),
    "older.cubin": ("no_binary_for_gpu", ["sm_86"], {}),
    "later.ptx": ("no_binary_for_gpu", ["compute_110"], {}),
    "wrong.ptx": ("invalid_ptx", ["version 7.0"], {}),
    "future.ptx": ("ptx_too_new", ["version 99.0"], {}),
    "sound.ptx": ("jit_disabled", ["CUDA_DISABLE_PTX_JIT"], {"CUDA_DISABLE_PTX_JIT": "1"}),
    "nonsense": ("is_none", [], {}),
}
WRITTEN = {
    "wrong.ptx": ".version 7.0\n.target sm_75\n.enrty k() { ret; }\n",
    "future.ptx": ".version 99.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n",
    "sound.ptx": ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }\n",
    "nonsense": "\1\2",
}
HOST_RULES = {  # scenarios of memory_host host_memory that do not depend on the device
    "flags": "flags_not_zero", "pageable": "not_registered", "behind": "not_registered", "freed": "freed",
    "unregistered": "freed", "device_memory": "is_device_memory", "again": "already_pinned",
    "twice": "freed", "inside": "not_its_start", "unregister_pinned": "is_of_other_kind",
    "unregister_pageable": "not_registered", "free_registered": "is_of_other_kind",
}


def parse_options():
    parser = suite.make_parser(__doc__, driver="gpu", only=".", jobs=8, budget=150)
    parser.add_argument("--python", default=sys.executable, metavar="PROGRAM", help="that has the frameworks")
    parser.add_argument("--held", type=int, default=20480, metavar="MIB", help="by the extension")
    options = suite.parse(parser)
    options.kernels = os.path.join(options.build_dir, "lib", f"{options.driver}-kernels")
    options.images = os.path.join(options.build_dir, "lib", "images")
    return options


class Row:
    """One program, and what its run must show."""

    def __init__(self, part, who, what, command, judge, environment=None, needs=None, expected=None):
        self.part, self.who, self.what, self.command, self.judge = part, who, what, command, judge
        self.environment, self.needs, self.expected = environment or {}, needs, expected
        self.result, self.said, self.folder, self.done = "", "", None, None

    def name(self):
        return f"{self.part} {self.who} {self.what}"


def environment_of(options, row):
    # Most of these programs go on after a refused call.
    settings = {"CULPRIT_VERBOSE": "1", "HOST_KERNELS": options.driver, **row.environment}
    if options.driver == "simcuda":
        settings["SIMCUDA_MEMORY_MB"] = "512"
    return suite.environment(options, **settings)


def truth_of(done):
    """Return the program's first line that is JSON, or None."""
    return next((json.loads(line) for line in done.out.splitlines() if line.startswith("{")), None)


def run(options, row):
    """Run the row's program under culprit. Return what it leaves, with the paths of its bundles."""
    os.makedirs(row.folder)
    bundles = os.path.join(row.folder, "bundles")
    command = suite.culprit(options, "run", "--keep", "always", "--dir", bundles, "--", *row.command)
    limit = min(LIMIT_SECONDS, max(options.deadline - time.monotonic(), 1) + 15)
    row.done = suite.run(command, limit, cwd=row.folder, env=environment_of(options, row))
    row.done.bundles = glob.glob(os.path.join(bundles, "culprit-*"))
    return row.done


def ask(options, *arguments):
    """Return what the command prints, or ''."""
    return suite.run(suite.culprit(options, *arguments), LIMIT_SECONDS).out


def failed_report(options, done):
    for bundle in done.bundles:
        try:
            report = json.loads(ask(options, "report", "-f", "json", bundle))
        except ValueError:
            continue
        report = report[0] if isinstance(report, list) else report
        if report.get("error"):
            return bundle, report
    return None, None


def arguments_with(report, pointer):
    digits = int(pointer, 16).to_bytes(8, "little").hex()
    for suspect in report.get("suspects") or []:
        for argument in suspect.get("arguments") or []:
            if argument.get("hex") == digits:
                yield argument


def has_line(allocation, truth):
    frames = (allocation.get("stack") or []) + (allocation.get("python_stack") or [])
    return truth["line"] == 0 or any(
        os.path.basename(frame.get("file") or "") == truth["file"] and frame.get("line") == truth["line"]
        for frame in frames
    )


def is_piece(allocation, truth):
    return allocation["start"] == truth["base"] and abs(allocation["size"] - truth["size"]) < 2 << 20


def judge_argument(report, truth):
    """(result, what was said) of the pointer in the report."""
    texts = [line["text"] for line in report["lines"] if truth["pointer"] in line["text"]]
    texts.sort(key=lambda text: f'{truth["pointer"]} = ' not in text)  # the argument, before the fault
    said = texts[0] if texts else "-"
    found = [argument["allocation"] for argument in arguments_with(report, truth["pointer"])]
    if not found:
        return "silent", "no suspect has the pointer"
    allocation = found[0]
    if truth["state"] == "own":
        if allocation:
            return "WRONG", said
        return ("right" if "the program's own memory" in said else "silent"), said
    if truth["state"] == "none":
        return ("WRONG" if allocation else "right"), said
    if not allocation:
        return "silent", said
    if allocation["state"] != truth["state"] or not is_piece(allocation, truth) or not has_line(allocation, truth):
        return "WRONG", said
    return ("right" if truth.get("words", "") in said else "silent"), said


def judge_at(options, bundle, truth):
    """'right', 'silent' or 'WRONG' of `culprit memory --at`."""
    told = json.loads(ask(options, "memory", bundle, "--at", truth["pointer"], "-f", "json"))
    relation, allocation = told["relation"], told["allocation"]
    if truth["state"] in ("own", "none"):
        return "WRONG" if relation in ("inside", "freed") else "right"
    if truth["state"] == "reserved":
        return "right" if (told["reserved"] or {}).get("start") == truth["base"] else "WRONG"
    if relation == "nowhere":
        return "silent"
    is_right = relation == {"past": "after"}.get(truth["state"], truth["state"]) and is_piece(allocation, truth)
    return "right" if is_right else "WRONG"


def judge_fault(options, row, done):
    truth = truth_of(done)
    if not truth:
        return "failed", f"status {done.status}: {done.err[-200:]}"
    if "skipped" in truth:
        return "skipped", truth["skipped"]
    bundle, report = failed_report(options, done)
    if not report:
        return ("no fault" if done.status == 0 else "failed"), f"status {done.status}: {done.err[-200:]}"
    result, said = judge_argument(report, truth)
    at = judge_at(options, bundle, truth)
    if at != result and "WRONG" in (at, result):
        return "WRONG", f"{said} (report {result}, --at {at})"
    return result, said


def judge_history(options, row, done):
    """Judge PyTorch's own block of the pointer, with the line that allocated it, on stderr and in the report."""
    line = suite.marked_line(row.command[1], "embedding")
    told = re.search(r"argument 1: 0x[0-9a-f]+ is 0 bytes into a block of 4.0 KiB \(active_allocated\).*\n"
                     r" +allocated +(.*)", done.err)
    if not told:
        return "silent", done.err[-300:]
    kept = [re.search(r"1: PyTorch's block of 4\.0 KiB \+ 0, in use when it was asked, allocated at (.*)",
                      ask(options, "report", bundle)) for bundle in done.bundles]
    kept = next(filter(None, kept), None)
    if not kept:
        return "silent", f"{told[0].strip()}, but not in the report"
    is_right = all(f"torch_history.py:{line} make_embedding" in where.split("  <- ")[0] for where in (told[1], kept[1]))
    return ("right" if is_right else "WRONG"), f"{told[0].strip()}; in the report: {kept[0]}"


def lines_of(done):
    return [line for line in done.err.splitlines() if re.match(r"culprit: .* refused \(", line)]


def judge_limit(options, row, done):
    truth = truth_of(done)
    if not truth:
        return "failed", f"status {done.status}: {done.err[-200:]}"
    if "skipped" in truth:
        return "skipped", truth["skipped"]
    code, lines = int(done.out.split()[-1]), lines_of(done)
    if code == 0:
        return "no fault", "the driver took it"
    if not lines:
        return "silent", f"the driver returned {code}, {truth['code']} was expected"
    numbers = all(re.search(rf"(?<![\d,]){number:,}(?!,?\d)", lines[0]) for number in truth["numbers"])
    is_right = len(lines) == 1 and lines[0].endswith(f"[{truth['rule']}]") and f"({code})" in lines[0] and numbers
    return ("right" if is_right else "WRONG"), lines[0]


def judge_words(options, row, done):
    """There is a line, and every line has that rule and those words."""
    rule, words = row.expected
    lines = lines_of(done)
    if not lines:
        return ("silent" if done.status != "timeout" else "failed"), f"{done.out.strip()} {done.err.strip()[-200:]}"
    is_right = all(line.endswith(f"{rule}]") and all(word in line for word in words) for line in lines)
    return ("right" if is_right else "WRONG"), lines[0]


def held_groups(options, done):
    """Yield the holders of memory in the bundles, each with its stack."""
    for bundle in done.bundles:
        yield from json.loads(ask(options, "memory", bundle, "-f", "json") or "{}").get("groups", [])


def judge_exhaustion(options, row, done):
    """The extension's part at once, by whom it was called for; with its own line in the bundle."""
    size = f"{options.held / 1024:.1f} GiB" if options.held >= 1024 else f"{options.held:.1f} MiB"
    told = [line.strip() for line in done.err.splitlines() if f"{size} in 1 allocation from " in line]
    if "culprit: out of memory: " not in done.err or not told:
        return "silent", done.err[-300:]
    lines = [f"{os.path.basename(frame['file'] or '-')}:{frame['line']} {frame['function']}"
             for group in held_groups(options, done) if group["bytes"] == options.held << 20
             for frame in group["stack"] if frame["function"] == "hoard_memory"]
    is_right = ", by hoard_memory in libhoard.so" in told[0] and lines and re.match(r"hoard\.c:\d+ ", lines[0])
    return ("right" if is_right else "WRONG"), f"{told[0]}; in the bundle: {' '.join(lines)}"


def judge_recovery(options, row, done):
    before, over, after = done.err.partition("the loop is over")
    if not over or done.status != 0:
        return "failed", f"status {done.status}: {done.err[-300:]}"
    if "culprit:" in before:
        return "WRONG", before[-300:]
    return "right", "nothing" if "culprit:" not in after else f"nothing; at its end: {after.strip()[:200]}"


def judge_runtime(options, row, done):
    """Judge a program for another GPU. An error that the runtime returns without a driver call has no line."""
    lines, code = lines_of(done), done.out.strip()
    if not code or done.status != 0:
        return "failed", f"status {done.status}: {done.err[-200:]}"
    if row.what == "unregistered":
        return ("WRONG" if lines else "right"), f"{code}: {' '.join(lines) or 'nothing'}"
    if not lines:
        return "silent", f"the runtime returned {code}"
    words = ["that of foreign, ", "it holds code for sm_80;", "98"]
    is_right = lines[0].endswith("[image.no_binary_for_gpu]") and all(word in lines[0] for word in words)
    return ("right" if is_right else "WRONG"), f"the runtime returned {code}: {lines[0]}"


def names_of(options, scenario):
    """Return the names of a scenario of memory_host, which prints them."""
    command = [os.path.join(options.build_dir, "bin", "tests", "memory_host"), scenario]
    done = suite.run(command, LIMIT_SECONDS, env=environment_of(options, Row("", "", "", command, None)))
    if done.status:
        sys.exit(f"gpu memory: {' '.join(command)}: status {done.status}: {done.err.strip()[-300:]}")
    return done.out.split()


@functools.cache
def has_module(python, name):
    code = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    return suite.run([python, "-c", code, name], LIMIT_SECONDS).status == 0


def frameworks_of(options):
    if options.driver == "gpu":
        return FRAMEWORKS
    return {who: row for who, row in FRAMEWORKS.items() if row[0] == "pycuda" and has_module(options.python, "pycuda")}


def fault_rows(options):
    host = os.path.join(options.build_dir, "bin", "tests", "memory_host")
    for name in names_of(options, "fault"):
        yield Row("faults", "C", name, [host, "fault", name], judge_fault)
    missed = os.path.join(options.build_dir, "bin", "tests", "memory_missed")
    if options.driver == "gpu" and os.path.exists(missed): # simcuda has no private tables for a runtime
        for name in ("after", "before", "index", "freed"):
            yield Row("faults", "C++ runtime", name, [missed, name], judge_fault)
    kernel = os.path.join(options.kernels, "stray_store" + (".fatbin" if options.driver == "gpu" else ".so"))
    program = [options.python, os.path.join(PROGRAMS, "memory_faults.py")]
    for who, (needs, faults, environment) in {"driver": (None, ["after", "before", "index", "freed"], {}),
                                              **frameworks_of(options)}.items():
        for fault in faults:
            yield Row("faults", who, fault, [*program, who.split(",")[0], fault, kernel], judge_fault,
                      environment, needs)
    if options.driver == "gpu":
        yield Row("faults", "torch", "history", [options.python, os.path.join(PROGRAMS, "torch_history.py"), kernel],
                  judge_history, {}, "torch")


def refusal_rows(options, scratch):
    host = os.path.join(options.build_dir, "bin", "tests", "memory_host")
    for name in names_of(options, "limit"):
        yield Row("refusals", "launch", name, [host, "limit", name], judge_limit)
    for name, content in WRITTEN.items():
        with open(os.path.join(scratch, name), "w") as file:
            file.write(content)
    for name, (rule, words, environment) in IMAGES.items():
        path = os.path.join(scratch if name in WRITTEN else options.images, name)
        if os.path.exists(path):
            yield Row("refusals", "image", name, [host, "load", path], judge_words, environment,
                      expected=(f"image.{rule}", words))
    foreign = os.path.join(options.build_dir, "bin", "tests", "foreign")
    if options.driver == "gpu" and os.path.exists(foreign): # simcuda has no private tables for a runtime
        for name in ("attributes", "occupancy", "launch", "unregistered"):
            yield Row("refusals", "runtime", name, [foreign, name], judge_runtime)
    for name, rule in HOST_RULES.items():
        yield Row("refusals", "host memory", name, [host, "host_memory", name], judge_words,
                  expected=(f"host.{rule}", []))


def oom_rows(options):
    extension = os.path.join(options.build_dir, "lib", "libhoard.so")
    who, needs = ("torch", "torch") if options.driver == "gpu" else ("driver", None)
    command = [options.python, os.path.join(PROGRAMS, "out_of_memory.py"), who, extension, str(options.held)]
    yield Row("oom", who, "exhausted", command, judge_exhaustion, needs=needs)
    yield Row("oom", who, "recovered", [*command, "recover"], judge_recovery, needs=needs)


def work(options, row):
    if row.needs and not has_module(options.python, row.needs):
        row.result, row.said = "skipped", f"{row.needs} is not installed"
    elif suite.is_late(options):
        row.result, row.said = "skipped", "no time left"
    else:
        try:
            row.result, row.said = row.judge(options, row, run(options, row))
        except (OSError, ValueError, KeyError, TypeError) as error:
            row.result, row.said = "failed", repr(error)
    print(f"{row.result:9}{row.name()}: {row.said}"[:200], flush=True)
    return row


def counts_of(rows, part):
    results = [row.result for row in rows if row.part == part]
    order = ["right", "silent", "WRONG", "failed", "no fault", "skipped"]
    told = [f"{results.count(result)} {result}" for result in order if result in results]
    return f"{part}: {len(results)}: {', '.join(told) or '-'}"


def write_details(rows, path):
    with open(path, "w") as file:
        for row in rows:
            if row.result not in ("right", "skipped") and row.done:
                file.write(f"\n==== {row.name()}: {row.result}: {row.said}\n"
                           f"-- out\n{row.done.out[-6000:]}\n-- err\n{row.done.err[-6000:]}\n")


def main():
    options = parse_options()
    scratch = os.path.join(options.build_dir, f"gpu-memory-{options.driver}")
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch)
    rows = [*fault_rows(options), *refusal_rows(options, scratch), *oom_rows(options)]
    rows = [row for row in rows if re.search(options.only, row.name())]
    for number, row in enumerate(rows):
        row.folder = os.path.join(scratch, str(number))
    list(suite.run_all(options, lambda row: work(options, row), [row for row in rows if row.part != "oom"]))
    # The rows that run out of memory come last, one at a time: they leave no memory for others.
    for row in rows:
        if row.part == "oom":
            work(options, row)
    counts = [counts_of(rows, part) for part in ("faults", "refusals", "oom")]
    table = suite.table(["part", "who", "what", "result", "culprit says"], [
        [row.part, row.who, row.what, row.result, " ".join(row.said.split())[:300]] for row in rows])
    suite.write(options, "MEMORY.md", "Memory", *(f"- {count}" for count in counts), "", table)
    write_details(rows, os.path.join(options.out, "memory-details.txt"))
    print("\n".join(counts))
    return 1 if any(row.result in ("WRONG", "silent", "failed") for row in rows) else 0
