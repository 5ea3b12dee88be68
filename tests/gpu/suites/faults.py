"""The fault itself in C, PyTorch, CuPy and Triton: address, access, kernel and line of each kind.

The programs are in tests/gpu/faults; scripts/gpu --pack faults compiles what nvcc must. Each prints the truth
about its fault, runs alone and beside busy streams, and is judged by

    address   of the table `faults`: the page of a memory fault, or the byte of an exception
    access    of that table for memory faults; for exceptions, that of the instruction in the report
    kernel    in which the report puts an exception's program counter
    line      of that, as marked in the program's source
    verdict   an exact one must name the kernel that failed

Each of the first four is ok, WRONG, silent (not there), or - (the truth has none, or, in a graph and after a
device reset, culprit locates nothing). Prints a line per run and sums; writes both to OUT/FAULTS.md. C also runs
in a graph and after device resets; some of its kinds run as nobody, without nvidia-uvm-tools, and with
CULPRIT_FAULT=off, where mount and setpriv are there. --only chooses by "CLIENT KIND BESIDE". A client whose
module is missing is left out. A run in which the GPU raised no fault counts for nothing.
Exit status: 0 all as expected, 1 otherwise.
"""

import collections
import dataclasses
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import suite

FOLDER = os.path.join(suite.GPU, "faults")
MEMORY = ["null", "small", "store", "load", "atomic", "freed", "host", "code", "many"]
EXCEPTIONS = ["misaligned", "vector", "wide", "inlined", "invalid", "local", "shared", "stack"]
OTHERS = ["trap", "assert"]
ALL = MEMORY + EXCEPTIONS + OTHERS
OWN = ["fill", "negate", "add", "index"] # PyTorch's own kernels
WITHOUT = ["unshare", "-m", "sh", "-c", 'mount --bind /dev/null /dev/nvidia-uvm-tools; exec "$@"', "sh"]
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
CELLS = ["address", "access", "kernel", "line"]
COLUMNS = ["client", "kind", "beside", "run as", "CULPRIT_FAULT", *CELLS, "verdict", "result"]
NO_FAULT = "no fault raised"
NOT_STARTED = "not started"


@dataclasses.dataclass
class Client:
    """The module that it needs, its program and first arguments, its source with the marked lines, its kinds."""

    module: str
    program: str
    arguments: tuple
    source: str
    kinds: list

    def command(self, options):
        if self.program.endswith(".py"):
            return [sys.executable, os.path.join(FOLDER, self.program), *self.arguments]
        return [os.path.join(options.build_dir, "bin", self.program)]


CLIENTS = {
    "C": Client(None, "gpu-faults", (), "kernels.cu", ALL),
    "PyTorch": Client("torch", "torch_faults.py", (), "kernels.cu", ALL + OWN),
    "CuPy-nvrtc": Client("cupy", "cupy_faults.py", ("nvrtc",), "kernels.cu", ALL),
    "CuPy-cubin": Client("cupy", "cupy_faults.py", ("cubin",), "kernels.cu", ALL),
    "Triton": Client("triton", "triton_faults.py", (), "triton_faults.py",
                     [kind for kind in ALL if kind not in ("code", "stack")]),
}


@dataclasses.dataclass
class Run:
    """One program to start: `prefix` before its command, `setting` for CULPRIT_FAULT."""

    client: str
    kind: str
    beside: str = ""
    prefix: tuple = ()
    setting: str = "on"

    def name(self):
        return f"{self.client} {self.kind} {self.beside or 'alone'}"

    def is_located(self):
        """True if culprit must find the code of an exception."""
        return self.beside in ("", "busy")


@dataclasses.dataclass
class Outcome:
    """The result of a run, its cells by column, its verdict, and details to print."""

    result: str
    cells: dict = dataclasses.field(default_factory=dict)
    verdict: str = "-"
    details: list = dataclasses.field(default_factory=list)


def pack(build_dir):
    nvcc = ["nvcc", "-O2", "-lineinfo", "-cudart", "static", "-arch=sm_90"]
    for arguments in (["-o", f"{build_dir}/bin/gpu-faults", f"{FOLDER}/faults.cu"],
                      ["-shared", "-Xcompiler=-fPIC,-fvisibility=hidden", "-o", f"{build_dir}/lib/libgpu_faults.so",
                       f"{FOLDER}/library.cu"],
                      ["-cubin", "-o", f"{build_dir}/lib/gpu_faults.cubin", f"{FOLDER}/kernels.cu"]):
        subprocess.run([*nvcc, *arguments], check=True)


def find_bundle(folder):
    bundles = [name for name in os.listdir(folder) if name.startswith("culprit-")]
    return f"{folder}/{bundles[0]}" if len(bundles) == 1 else None


def rows_of(options, bundle):
    dump = suite.run(suite.culprit(options, "dump", "--file", "faults", bundle))
    return [line.split(": ", 1)[1] for line in dump.out.splitlines() if line.startswith("fault ")]


def report_of(options, bundle):
    """Return the report as JSON, or {}."""
    try:
        told = json.loads(suite.run(suite.culprit(options, "report", "-f", "json", bundle)).out)
    except ValueError:
        return {}
    return (told[0] if told else {}) if isinstance(told, list) else told


def fields(row):
    return dict(word.split("=", 1) for word in row.split() if "=" in word)


def of_kind(rows, kind):
    return [row for row in map(fields, rows) if row["kind"] == kind]


def compare(wanted, got):
    """Return a cell: wanted None means that there is no truth, got None that nothing is said."""
    if wanted is None:
        return "-"
    if got is None:
        return "silent"
    return "ok" if got == wanted else f"WRONG: {got}, not {wanted}"


def compare_page(truth, page):
    """Compare the page of the first event. Any one of many may be first."""
    if page is None or "stride" not in truth:
        return compare(truth.get("page"), page)
    start, stride = int(truth["page"], 16), int(truth["stride"])
    distance = int(page, 16) - start
    is_one = distance % stride == 0 and 0 <= distance < stride * int(truth["pages"])
    return "ok" if is_one else f"WRONG: {page}, not {truth['page']} + n * {stride}"


def judge_memory(rows, truth, has_events):
    """Return the cells of a memory fault, and what is wrong with the table or None."""
    faults = of_kind(rows, "event" if has_events else "mmu")
    if not faults or of_kind(rows, "exception"):
        missing = {"address": compare(truth.get("page"), None), "access": "silent"}
        return missing, "no memory fault, or an exception beside it"
    return {"address": compare_page(truth, faults[0].get("page")),
            "access": compare(truth["access"], faults[0].get("access"))}, None


def places_of(report):
    """Return the locations on the device, innermost first."""
    lines = [line for line in report.get("lines", []) if line["id"] == "on_the_device"]
    return [place for line in lines for place in line["places"] if place["language"] == "device"]


def marked_lines(source, kernel):
    mark = re.compile(rf"\bculprit: {kernel}\b")
    with open(os.path.join(FOLDER, source)) as file:
        return [f"{source}:{number}" for number, line in enumerate(file, 1) if mark.search(line)]


def judge_line(source, truth, places):
    """The marked line may call an inlined function of a header, such as atomicAdd()."""
    got = [f"{os.path.basename(place['file'])}:{place['line']}" for place in places if place["file"]]
    wanted = marked_lines(source, truth["line"])
    return "ok" if set(got) & set(wanted) else compare(" or ".join(wanted), got[0] if got else None)


def judge_access(truth, report):
    """Compare the access of the instruction: "read 4"."""
    instruction = (report.get("fault") or {}).get("instruction")
    wanted = f"{truth['access']} {truth['bytes']}" if "bytes" in truth else None
    return compare(wanted, instruction and f"{instruction['access']} {instruction['bytes']}")


def judge_code(run, truth, report):
    """Return the cells about the code of an exception."""
    places = places_of(report)
    if not places and not run.is_located():
        return {"access": "-", "kernel": "-", "line": "-"}
    if not places:
        return {"access": judge_access(truth, report), "kernel": "silent", "line": "silent"}
    return {"access": judge_access(truth, report), "kernel": compare(truth["kernel"], places[-1]["function"]),
            "line": judge_line(CLIENTS[run.client].source, truth, places)}


def judge_exception(rows, truth, has_events):
    """Return the cells of an exception, and what is wrong with the table or None."""
    exceptions = of_kind(rows, "exception")
    missing = {"address": compare(truth.get("address"), None)}
    if not exceptions or of_kind(rows, "event"):
        return missing, "no exception, or a memory event beside it"
    if has_events and of_kind(rows, "events-read")[0]["n"] != "0":
        return missing, "memory faults were counted"
    first = exceptions[0]
    if int(first["warp_esr"], 16) & 0xff != int(truth["esr"], 16) or "pc" not in first:
        return missing, f"expected {truth}, got {first}"
    return {"address": compare(truth.get("address"), first.get("address"))}, None


def judge_verdict(run, truth, report):
    """Return the verdict, and what is wrong with it or None."""
    verdict = report.get("verdict", "-")
    suspect = (report.get("suspects") or [{}])[0]
    name = str(suspect.get("name") or suspect.get("kernel"))
    is_right = run.beside == "graph" or re.search(rf"\b{truth['kernel']}\b", name)
    return verdict, f"WRONG: the exact verdict names {name}" if verdict == "exact" and not is_right else None


def judge_text(output, report):
    wanted = re.search(r"^report (.*)", output, re.M)
    text = "\n".join(line["text"] for line in report.get("lines", []))
    return f"no {wanted[1]} in the report" if wanted and not re.search(wanted[1], text) else None


def judge(run, output, rows, report):
    """Return the Outcome of a run that failed and left a bundle."""
    has_events = run.prefix != WITHOUT
    truth = fields(re.search(r"^expect (.*)", output, re.M)[1])
    if has_events and not of_kind(rows, "events-read"):
        return Outcome("the events were not read")
    if truth["kind"] == "event":
        cells, problem = judge_memory(rows, truth, has_events)
    elif truth["kind"] == "exception":
        cells, problem = judge_exception(rows, truth, has_events)
        cells.update(judge_code(run, truth, report))
    else:
        cells, problem = {}, "rows" if of_kind(rows, "event") + of_kind(rows, "exception") else None
    verdict, wrong = judge_verdict(run, truth, report)
    failed = [f"{name} {cell}" for name, cell in cells.items() if cell not in ("ok", "-")]
    text = judge_text(output, report) if run.is_located() else None
    return Outcome("; ".join(filter(None, [problem, *failed, wrong, text])) or "ok", cells, verdict)


def outcome_of(options, run, done, folder):
    """Judge a run that is over."""
    error = re.search(r"^error (-?\d+)", done.out, re.M)
    bundle = find_bundle(folder)
    if error and error[1] == "0":
        return Outcome(NO_FAULT)
    if not error or not bundle or not re.search(r"^expect ", done.out, re.M):
        return Outcome(f"no bundle, or the program did not get to its fault (status {done.status})")
    rows = rows_of(options, bundle)
    if run.setting == "off":
        outcome = Outcome("rows" if rows else "ok")
    else:
        report = report_of(options, bundle)
        outcome = judge(run, done.out, rows, report)
        outcome.details += [line["text"] for line in report.get("lines", [])
                            if line["id"] in ("headline", "fault", "on_the_device")]
    outcome.details += rows
    return outcome


def start(options, run):
    """Run a program and return its Outcome."""
    if suite.is_late(options):
        return Outcome(NOT_STARTED)
    build = options.build_dir
    with tempfile.TemporaryDirectory(prefix="gpu-faults-") as folder:
        os.chmod(folder, 0o777)
        paths = [os.path.join(suite.GPU, "clients"), os.environ.get("PYTHONPATH")]
        environment = suite.environment(
            options, CULPRIT_DIR=folder, CULPRIT_QUIET="1", CULPRIT_FAULT=run.setting, LD_PRELOAD="",
            PYTHONPATH=":".join(filter(None, paths)), PYTHONDONTWRITEBYTECODE="1",
            GPU_FAULTS_LIBRARY=f"{build}/lib/libgpu_faults.so", GPU_FAULTS_CUBIN=f"{build}/lib/gpu_faults.cubin")
        command = [*run.prefix, "env", f"LD_PRELOAD={build}/lib/libculprit.so", *CLIENTS[run.client].command(options),
                   run.kind, *filter(None, [run.beside])]
        done = suite.run(command, options.timeout, env=environment, cwd=folder)
        outcome = outcome_of(options, run, done, folder)
    outcome.details = [done.out, done.err[-700:], *outcome.details]
    return outcome


def is_allowed(prefix):
    """Can this machine and user run commands this way?"""
    return shutil.which(prefix[0]) is not None and suite.run([*prefix, "true"]).status == 0


def has_client(client):
    module = CLIENTS[client].module
    return module is None or importlib.util.find_spec(module) is not None


def matrix(repeat):
    """Yield each Run."""
    for client in filter(has_client, CLIENTS):
        for kind in CLIENTS[client].kinds:
            for beside in ("", "busy", "graph", "resets") if client == "C" else ("", "busy"):
                for _ in range(repeat if beside in ("", "busy") else 1):
                    if not (beside == "graph" and kind == "assert"):
                        yield Run(client, kind, beside)
    allowed = list(filter(is_allowed, (WITHOUT, NOBODY)))
    for kind in ("store", "load", "misaligned", "invalid"):
        for prefix in allowed:
            yield Run("C", kind, "", prefix)
        yield Run("C", kind, "", (), "off")


def row_of(run, outcome):
    user = "without" if run.prefix == WITHOUT else "nobody" if run.prefix else "root"
    cells = [outcome.cells.get(name, "-").split(":")[0] for name in CELLS]
    return [run.client, run.kind, run.beside or "-", user, run.setting, *cells, outcome.verdict, outcome.result]


def share(counts):
    """Return "38 of 40 (95.0 %)": the cells that are ok, of those that could be."""
    n = sum(counts.values())
    return f"{counts['ok']} of {n} ({100 * counts['ok'] / n:.1f} %)" if n else "-"


def sums_of(name, rows):
    """Return a row of sums: of a client or of all."""
    done = [row for row in rows if row[-1] not in (NO_FAULT, NOT_STARTED)]
    counts = [collections.Counter(row[COLUMNS.index(cell)] for row in done if row[COLUMNS.index(cell)] != "-")
              for cell in CELLS]
    return [name, len(rows), len(rows) - len(done), *map(share, counts), sum("WRONG" in row[-1] for row in done),
            sum(row[-1] != "ok" for row in done)]


def write(options, rows):
    """Write and print the sums. Return the number of runs that were not as expected."""
    clients = list(dict.fromkeys(row[0] for row in rows))
    sums = [sums_of(client, [row for row in rows if row[0] == client]) for client in clients]
    sums.append(sums_of("all", rows))
    text = suite.table(["client", "runs", "without a fault", *CELLS, "WRONG", "not as expected"], sums)
    suite.write(options, "FAULTS.md", "The fault itself", text, suite.table(COLUMNS, rows))
    print(text, end="")
    return sums[-1][-1]


def main():
    parser = suite.make_parser(__doc__, jobs=1, only=".", budget=500)
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="runs alone and beside a busy stream")
    parser.add_argument("--timeout", type=float, default=90, metavar="SECONDS", help="for a program (default: 90)")
    parser.add_argument("--verbose", action="store_true", help="print the details of all runs")
    options = suite.parse(parser)
    if not os.path.exists(f"{options.build_dir}/bin/gpu-faults"):
        sys.exit("gpu faults: bin/gpu-faults is not built; run scripts/gpu --pack faults")
    runs = [run for run in matrix(options.repeat) if re.search(options.only, run.name())]
    rows = []
    for run, outcome in zip(runs, suite.run_all(options, lambda run: start(options, run), runs)):
        rows.append(row_of(run, outcome))
        print("  ".join(map(str, rows[-1])), flush=True)
        if outcome.result not in ("ok", NOT_STARTED) or options.verbose:
            print("    " + "\n    ".join("\n".join(outcome.details).splitlines()), flush=True)
    return 1 if write(options, rows) else 0
