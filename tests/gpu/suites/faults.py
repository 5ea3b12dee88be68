"""The table `faults` of a bundle, for each kind of fault and work beside it.

Prints a line per run: the kind, what ran beside it, and ok or what is wrong; writes the same to
OUT/FAULTS.md. Some kinds also run as nobody, without nvidia-uvm-tools, and with CULPRIT_FAULT=off,
where mount and setpriv are there. The program is tests/gpu/faults/faults.cu; scripts/gpu --pack faults
compiles it with nvcc.
Exit status: 0 all as expected, 1 otherwise.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import suite

MEMORY = ["null", "small", "store", "load", "atomic", "freed", "host", "code", "many"]
EXCEPTIONS = ["misaligned", "vector", "wide", "inlined", "invalid", "local", "shared", "stack"]
OTHERS = ["trap", "assert"]
BESIDE = ["", "busy", "graph", "resets"]
WITHOUT = ["unshare", "-m", "sh", "-c", 'mount --bind /dev/null /dev/nvidia-uvm-tools; exec "$@"', "sh"]
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def pack(build_dir):
    subprocess.run(["nvcc", "-O2", "-lineinfo", "-cudart", "static", "-arch=sm_90", "-o", f"{build_dir}/bin/gpu-faults",
                    f"{suite.GPU}/faults/faults.cu"], check=True)


def rows_of(options, folder):
    bundles = [name for name in os.listdir(folder) if name.startswith("culprit-")]
    if len(bundles) != 1:
        return None
    dump = suite.run(suite.culprit(options, "dump", "--file", "faults", f"{folder}/{bundles[0]}"))
    return [line.split(": ", 1)[1] for line in dump.out.splitlines() if line.startswith("fault ")]


def report_of(options, folder):
    return suite.run(suite.culprit(options, "report", "-v", folder)).out


def fields(row):
    return dict(word.split("=", 1) for word in row.split() if "=" in word)


def of_kind(rows, kind):
    return [row for row in map(fields, rows) if row["kind"] == kind]


def judge_memory(rows, expected, has_events):
    faults = of_kind(rows, "event" if has_events else "mmu")
    if not faults or of_kind(rows, "exception"):
        return "no memory fault, or an exception beside it"
    wrong = [fault for fault in faults[:1] if fault["access"] != expected["access"]
             or ("page" in expected and fault["page"] != expected["page"])]
    return f"expected {expected}, got {faults[0]}" if wrong else "ok"


def judge_exception(rows, expected, has_events):
    exceptions = of_kind(rows, "exception")
    if not exceptions or of_kind(rows, "event"):
        return "no exception, or a memory event beside it"
    if has_events and of_kind(rows, "events-read")[0]["n"] != "0":
        return "events"
    first = exceptions[0]
    if int(first["warp_esr"], 16) & 0xff != int(expected["esr"], 16) or "pc" not in first:
        return f"expected {expected}, got {first}"
    if "address" in expected and first["address"] != expected["address"]:
        return f"expected {expected}, got {first}"
    return "ok"


def judge_report(output, report):
    wanted = re.search(r"^report (.*)", output, re.M)
    return "ok" if not wanted or re.search(wanted[1], report) else f"no {wanted[1]} in the report"


def judge(output, rows, has_events):
    expected = re.search(r"^expect (.*)", output, re.M)
    if rows is None or not expected or "error " not in output:
        return "no bundle, or the program did not fail"
    if has_events and not of_kind(rows, "events-read"):
        return "the events were not read"
    if expected[1] == "none":
        return "ok" if not of_kind(rows, "event") + of_kind(rows, "exception") else "rows"
    wanted = fields(expected[1])
    return (judge_memory if wanted["kind"] == "event" else judge_exception)(rows, wanted, has_events)


def run(options, kind, beside, prefix, setting):
    """Return ok or what is wrong, and the details."""
    build = options.build_dir
    with tempfile.TemporaryDirectory(prefix="gpu-faults-") as folder:
        os.chmod(folder, 0o777)
        environment = suite.environment(options, CULPRIT_DIR=folder, CULPRIT_QUIET="1", CULPRIT_FAULT=setting)
        environment["LD_PRELOAD"] = ""
        command = [*prefix, "env", f"LD_PRELOAD={build}/lib/libculprit.so", f"{build}/bin/gpu-faults", kind]
        done = suite.run([*command, beside] if beside else command, 60, env=environment, cwd=folder)
        rows = rows_of(options, folder)
        report = report_of(options, folder)
    details = [done.out, done.err[-500:], *(rows or [])]
    if setting == "off":
        if rows is None or "error " not in done.out:
            return "no bundle, or the program did not fail", details
        return "rows" if rows else "ok", details
    result = judge(done.out, rows, prefix != WITHOUT)
    if result == "ok" and beside in ("", "busy"):
        result = judge_report(done.out, report)
    return result, details


def is_allowed(prefix):
    """Can this machine and user run commands this way?"""
    return shutil.which(prefix[0]) is not None and suite.run([*prefix, "true"]).status == 0


def matrix(repeat):
    allowed = list(filter(is_allowed, (WITHOUT, NOBODY)))
    for kind in MEMORY + EXCEPTIONS + OTHERS:
        for beside in BESIDE:
            for _ in range(repeat if beside in ("", "busy") else 1):
                if not (beside == "graph" and kind == "assert"):
                    yield kind, beside, (), "on"
    for kind in ("store", "load", "misaligned", "invalid"):
        for prefix in allowed:
            yield kind, "", prefix, "on"
        yield kind, "", (), "off"


def main():
    parser = suite.make_parser(__doc__, jobs=1)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="runs alone and beside a busy stream")
    parser.add_argument("--verbose", action="store_true", help="print the details of all runs")
    options = suite.parse(parser)
    if not os.path.exists(f"{options.build_dir}/bin/gpu-faults"):
        sys.exit("gpu faults: bin/gpu-faults is not built; run scripts/gpu --pack faults")
    cells = list(matrix(options.repeat))
    table = []
    for cell, (result, details) in zip(cells, suite.run_all(options, lambda cell: run(options, *cell), cells)):
        kind, beside, prefix, setting = cell
        user = "without" if prefix == WITHOUT else "nobody" if prefix else "root"
        table.append((kind, beside or "-", user, setting, result))
        print(f"{kind:11}{beside or '-':8}{user:9}{setting:4}{result}", flush=True)
        if result != "ok" or options.verbose:
            print("    " + "\n    ".join(map(str, details)), flush=True)
    n_wrong = sum(row[-1] != "ok" for row in table)
    summary = f"{len(cells)} runs, {n_wrong} not as expected\n"
    suite.write(options, "FAULTS.md", "The fault itself", summary,
                suite.table(["kind", "beside", "run as", "CULPRIT_FAULT", "result"], table))
    print(summary, end="")
    return 1 if n_wrong else 0
