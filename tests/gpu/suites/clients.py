"""Programs of other people's frameworks with a fault each: does culprit name the launching line?

Each runs plain, to see what the client itself says, and under culprit. Prints a line per fault and
writes OUT/CLIENTS.md and, for whatever is not ok, OUT/clients-details.txt.

A verdict that leaves several launches is followed as the report advises: one more run, with markers
inline. The column "markers" says which run the row is of.

Rows come from tests/gpu/clients/clients.tsv. A program marks the line that launches its bad kernel
with "# culprit: FAULT"; "in native code at NAME" after it says that no Python runs there and which
native function must be in the stack instead. A row whose Python module is missing is skipped.
Wheels in build/wheels are installed for the programs to use (pip, into build/wheels/site).

Exit status: 0 each verdict names the marked line and each program ended as it does plain; 1 otherwise.
"""

import csv
import glob
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import sys

import suite

PROGRAMS = os.path.join(suite.GPU, "clients")
COLUMNS = ["client", "fault", "code", "verdict", "markers", "kernel", "culprit's line", "the client's own line",
           "result"]


def parse_options():
    parser = suite.make_parser(__doc__, only=".", jobs=6)
    parser.add_argument("--defaults", action="store_true", help="no second run with markers inline")
    parser.add_argument("--timeout", type=float, default=200, metavar="SECONDS")
    return suite.parse(parser)


def read_rows(only):
    with open(os.path.join(PROGRAMS, "clients.tsv"), newline="") as table:
        lines = [line for line in table if not line.startswith("#")]
    rows = csv.DictReader(lines, delimiter="\t")
    return [row for row in rows if re.search(only, f"{row['program']} {row['fault']}")]


def install_wheels(build_dir):
    """The folder to put on PYTHONPATH, or None: no wheels were carried."""
    wheels = glob.glob(os.path.join(build_dir, "wheels", "*.whl"))
    if not wheels:
        return None
    site = os.path.join(build_dir, "wheels", "site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
               "--upgrade", "--target", site, *wheels]
    done = suite.run(command)
    if done.status:
        print(f"gpu clients: the wheels cannot be installed: {done.err.strip()[-300:]}")
        return None
    sys.path.insert(0, site)
    return site


def environment_of(options, row, site, bundles):
    environment = suite.environment(options, CULPRIT_DIR=bundles)
    paths = [site, environment.get("PYTHONPATH")]
    environment["PYTHONPATH"] = ":".join(path for path in paths if path)
    if row["environment"] != "-":
        name, _, value = row["environment"].partition("=")
        environment[name] = value
    return environment


def has_module(name):
    try:
        return name == "-" or importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def command_of(options, row, scratch):
    if row["program"].startswith("corpus"):
        program = os.path.join(options.build_dir, "bin", row["program"])
        truth = os.path.join(scratch, "truth.json")
        return [program, "--truth", truth, row["fault"]]
    return [sys.executable, os.path.join(PROGRAMS, row["program"] + ".py"), row["fault"]]


def run(options, command, environment, path):
    """Run a command, keep its output, and return its exit status."""
    done = suite.run(command, options.timeout, env=environment)
    with open(path, "w") as file:
        file.write(done.out + done.err)
    return done.status


def expected_of(row, scratch):
    """(file name, line, native function or None)."""
    if row["program"].startswith("corpus"):
        with open(os.path.join(scratch, "truth.json")) as truth:
            told = json.loads(truth.readline())
        return os.path.basename(told["file"]), told["line"], told["function"]
    name = row["program"] + ".py"
    mark = re.compile(rf"# culprit: {row['fault']}\b(?:, in native code at (\w+))?")
    with open(os.path.join(PROGRAMS, name)) as program:
        for number, line in enumerate(program, 1):
            found = mark.search(line)
            if found:
                return name, number, found.group(1)
    sys.exit(f"gpu clients: {name} has no line marked for {row['fault']}")


def own_line(row, path):
    """Where the client itself points: the last line of the program in its last traceback."""
    with open(path, errors="replace") as file:
        output = file.read()
    if row["program"].startswith("corpus"):
        calls = re.findall(r"^(cuda?\w+) \d+$", output, re.MULTILINE)
        return calls[0] if calls else "-"
    frames = re.findall(rf'File "[^"]*/({row["program"]}\.py)", line (\d+)', output)
    return f"{frames[-1][0]}:{frames[-1][1]}" if frames else "-"


def report_of(options, bundles):
    found = glob.glob(os.path.join(bundles, "culprit-*"))
    try:
        told = json.loads(suite.run(suite.culprit(options, "report", "-f", "json", *found)).out)
    except ValueError:
        return None
    reports = told if isinstance(told, list) else [told]
    failed = [report for report in reports if report.get("error")]
    return failed[0] if failed else None


def culprits_line(row, report):
    """The innermost line of the program itself in the first suspect's stack."""
    suspects = report.get("suspects") or [{}]
    name = row["program"] + ".py"
    for frame in suspects[0].get("python_stack", []):
        if os.path.basename(frame.get("file") or "") == name:
            return f"{name}:{frame['line']}"
    for frame in suspects[0].get("stack", []):
        file = os.path.basename(frame.get("file") or "")
        if row["program"].startswith("corpus") and file == "runtime.cu":
            return f"{file}:{frame['line']}"
    return "-"


def native_functions(report):
    suspects = report.get("suspects") or [{}]
    return " ".join(str(frame.get("function")) for frame in suspects[0].get("stack", []))


def judge(row, report, expected, statuses, line):
    """'ok', or why not."""
    name, number, native = expected
    if not report or report["verdict"] == "unknown":
        return "no suspect is named"
    if statuses[0] != statuses[1]:
        return f"exit status {statuses[1]} under culprit, {statuses[0]} plain"
    if native and not row["program"].startswith("corpus"):
        return "ok" if native in native_functions(report) else f"{native} is not in the stack"
    return "ok" if line == f"{name}:{number}" else f"{name}:{number} was meant"


def run_under(options, row, command, site, scratch, markers):
    """(exit status under culprit, report or None)."""
    bundles = os.path.join(scratch, f"bundles-{markers}")
    os.makedirs(bundles)
    culprit = suite.culprit(options, "run", "--markers", markers, "--")
    status = run(options, culprit + command, environment_of(options, row, site, bundles),
                 os.path.join(scratch, "under.txt"))
    report = report_of(options, bundles)
    with open(os.path.join(scratch, "report.json"), "w") as out:
        json.dump(report, out, indent=1)
    return status, report


def run_row(options, row, site, scratch):
    """The row's cells; the scratch folder keeps all there is about it."""
    os.makedirs(scratch)
    command = command_of(options, row, scratch)
    plain = os.path.join(scratch, "plain.txt")
    status = run(options, command, environment_of(options, row, site, scratch), plain)
    for markers in ["auto"] if options.defaults else ["auto", "inline"]:
        status_under, report = run_under(options, row, command, site, scratch, markers)
        if not report or report["verdict"] != "narrowed":
            break
    statuses = [status, status_under]
    line = culprits_line(row, report or {})
    result = judge(row, report, expected_of(row, scratch), statuses, line)
    suspect = ((report or {}).get("suspects") or [{}])[0]
    verdict = (report or {}).get("verdict", "-")
    if verdict == "narrowed":
        verdict += f" to {report['n_suspects']}"
    return {
        "client": row["client"], "fault": row["fault"],
        "code": str(((report or {}).get("error") or {}).get("code", "-")), "verdict": verdict,
        "markers": markers,
        "kernel": str(suspect.get("name") or suspect.get("kernel") or suspect.get("call") or "-"),
        "culprit's line": line, "the client's own line": own_line(row, plain), "result": result,
    }


def skipped(row, why):
    cells = dict.fromkeys(COLUMNS, "-")
    cells.update(client=row["client"], fault=row["fault"], result=f"skipped: {why}")
    return cells


def cells_of(options, row, site, scratch):
    if not has_module(row["needs"]):
        return skipped(row, f"{row['needs']} is not installed")
    try:
        return run_row(options, row, site, scratch)
    except (OSError, ValueError, KeyError) as error:
        return dict(skipped(row, ""), result=f"failed: {error!r}")


def versions_line():
    names = ["torch", "triton", "cupy-cuda13x", "cupy", "jax", "numba-cuda", "pycuda",
             "cuda-bindings"]
    told = []
    for name in names:
        try:
            told.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return f"Python {sys.version.split()[0]}, " + ", ".join(told)


def shorten(text, width=60):
    return text if len(text) <= width else text[: width - 1] + "…"


def write_details(table, scratches, path):
    with open(path, "w") as out:
        for cells, scratch in zip(table, scratches):
            if cells["result"] == "ok":
                continue
            out.write(f"\n==== {cells['client']} {cells['fault']}: {cells['result']}\n")
            for name in ["plain.txt", "under.txt", "report.json"]:
                file = os.path.join(scratch, name)
                if os.path.exists(file):
                    with open(file, errors="replace") as content:
                        out.write(f"-- {name}\n{content.read()[-6000:]}\n")


def main():
    options = parse_options()
    base = os.path.join(options.build_dir, "gpu-clients")
    shutil.rmtree(base, ignore_errors=True)
    site = install_wheels(options.build_dir)
    rows = read_rows(options.only)
    scratches = [os.path.join(base, f"{row['program']}.{row['fault']}") for row in rows]
    table = []
    for cells in suite.run_all(options, lambda job: cells_of(options, job[0], site, job[1]), zip(rows, scratches)):
        print("  ".join(shorten(cells[name], 40) for name in COLUMNS), flush=True)
        table.append(cells)
    n_ok = sum(cells["result"] == "ok" for cells in table)
    suite.write(options, "CLIENTS.md", "Clients", f"{versions_line()}.\n{len(table)} faults: {n_ok} ok.\n",
                suite.table(COLUMNS, [[shorten(cells[name]) for name in COLUMNS] for cells in table]))
    write_details(table, scratches, os.path.join(options.out, "clients-details.txt"))
    return 0 if all(c["result"] == "ok" or c["result"].startswith("skipped") for c in table) else 1
