"""The fault corpus: every scenario, build and marker scheme, plain and under culprit.

Prints a line per cell and writes OUT/RESULTS.md and, for whatever is not ok, OUT/details.txt.

    corpus --cuda12     the same with the programs of scripts/make-cuda12, markers auto
    corpus --coredump   the same with GPU core dumps (CULPRIT_COREDUMP=on), markers auto: does the
                        program see what it sees plain, where the driver hides or changes errors?

Exit status: 0 when no verdict is wrong and no program saw a difference, 1 otherwise.
"""

import csv
import glob
import json
import os
import re
import shutil

import suite

DRIVER_BUILDS = ["linked", "dlopen", "procaddress"]
RUNTIME_BUILDS = ["cudart-static", "cudart-shared"]
SCHEMES = ["side", "inline", "off", "auto"]
COLUMNS = ["scenario", "build", "scheme", "code", "class", "suspects", "output", "result", "reason"]
UNFORGIVEN = {"WRONG", "DIFFERS"}


def parse_options():
    parser = suite.make_parser(__doc__, driver="gpu", only=".", jobs=4, budget=440)
    parser.add_argument("--builds", default="", metavar="LIST", help="comma-separated")
    parser.add_argument("--schemes", metavar="LIST", help="of markers")
    parser.add_argument("--cuda12", action="store_true", help="programs of CUDA 12")
    parser.add_argument("--coredump", action="store_true", help="CULPRIT_COREDUMP=on")
    options = suite.parse(parser)
    if not options.schemes:
        options.schemes = "auto" if options.coredump or options.cuda12 else ",".join(SCHEMES)
    return options


def read_table():
    with open(os.path.join(suite.ROOT, "kernels", "faults.tsv"), newline="") as table:
        lines = [line for line in table if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def builds_of_cuda12(options, is_runtime):
    paths = glob.glob(os.path.join(options.build_dir, "bin", "corpus-*-12.*"))
    names = sorted(os.path.basename(path).removeprefix("corpus-") for path in paths)
    return [name for name in names if name.startswith("cudart") == is_runtime]


def builds_of(row, options):
    kinds = row["builds"].split(",")
    if options.cuda12:
        builds = builds_of_cuda12(options, False) if "driver" in kinds else []
        if options.driver == "gpu" and "cudart" in kinds:
            builds += builds_of_cuda12(options, True)
        return [build for build in builds if build in (options.builds.split(",") if options.builds else builds)]
    builds = DRIVER_BUILDS if "driver" in row["builds"].split(",") else []
    if options.driver == "gpu" and "cudart" in row["builds"].split(","):
        builds = builds + RUNTIME_BUILDS
    wanted = options.builds.split(",") if options.builds else builds
    return [build for build in builds if build in wanted]


def groups_of(options):
    """(scenario, build) pairs; one corpus-cell runs all schemes of one."""
    return [
        (row["scenario"], build)
        for row in read_table()
        if re.search(options.only, row["scenario"])
        for build in builds_of(row, options)
    ]


def program_is_built(options, build):
    name = "corpus" if build == "linked" else f"corpus-{build}"
    return os.access(os.path.join(options.build_dir, "bin", name), os.X_OK)


def cell_environment(options):
    coredump = {"CULPRIT_COREDUMP": "on"} if options.coredump else {}
    return suite.environment(options, keep_settings=True, **coredump)


def seconds_of(directory, scheme):
    try:
        with open(os.path.join(directory, scheme, "times")) as times:
            start, end = map(float, times.read().split())
        return end - start
    except (OSError, ValueError):
        return 0.0


def truth_of(directory, scheme):
    """The bad call in a few words, from what the program wrote before it made it."""
    try:
        with open(os.path.join(directory, scheme, "truth.json")) as truth:
            told = json.loads(truth.readline())
    except (OSError, ValueError):
        return "-"
    what = told.get("kernel") or told["kind"]
    return f"{what}, {told['function']} {os.path.basename(told['file'])}:{told['line']}"


def dump_of(directory, scheme):
    """Return how the core dump was used: used, unused or, with no dump, "-"."""
    for path in glob.glob(os.path.join(directory, scheme, "culprit-*.json")):
        try:
            with open(path) as file:
                dump = json.load(file).get("coredump")
        except (OSError, ValueError):
            continue
        if dump:
            return "used" if dump["used"] else "unused"
    return "-"


def not_run(scenario, build, schemes, reason):
    row = dict.fromkeys(COLUMNS, "-")
    row.update(scenario=scenario, build=build, result="FAILED", reason=reason)
    row.update(seconds=0.0, truth="-", dump="-")
    return [dict(row, scheme=scheme) for scheme in schemes]


def run_group(options, scenario, build, cells):
    schemes = options.schemes.split(",")
    if not program_is_built(options, build):
        return not_run(scenario, build, schemes, "the program is not built")
    if suite.is_late(options):
        return not_run(scenario, build, schemes, "no time was left")
    directory = os.path.join(cells, f"{scenario}.{build}")
    command = [
        os.path.join(suite.ROOT, "scripts", "corpus-cell"), "--build-dir", options.build_dir,
        "--driver", options.driver, "--keep", directory, scenario, build, *schemes,
    ]
    done = suite.run(command, None, env=cell_environment(options)) # corpus-cell has limits of its own
    rows = [dict(zip(COLUMNS, line.split("\t"))) for line in done.out.splitlines()]
    if [row.get("scheme") for row in rows] != schemes:
        return not_run(scenario, build, schemes, (done.err.strip() or "no rows")[-200:])
    for row in rows:
        row["seconds"] = seconds_of(directory, row["scheme"])
        row["truth"] = truth_of(directory, row["scheme"])
        row["dump"] = dump_of(directory, row["scheme"])
    return rows


def print_row(row):
    print(
        f"{row['result']:8} {row['scenario']:22} {row['build']:13} {row['scheme']:6} "
        f"{row['code']:>4} {row['class']:9} {row['suspects']:>4} {row['dump']:6} "
        f"{row['seconds']:5.1f}s "
        f"{row['reason']}",
        flush=True,
    )


def run_matrix(options, cells):
    rows = []
    for group in suite.run_all(options, lambda group: run_group(options, *group, cells), groups_of(options)):
        for row in group:
            print_row(row)
            rows.append(row)
    return rows


def run_destructors(options, cells):
    """Run the C++ program that terminates without culprit and reaches its own handler with it."""
    kernels = "simcuda-kernels/stray_store.so" if options.driver == "simcuda" else "gpu-kernels/stray_store.fatbin"
    command = [os.path.join(options.build_dir, "bin", "throwing-destructor"),
               os.path.join(options.build_dir, "lib", kernels)]
    environment = dict(cell_environment(options), CULPRIT_DIR=cells)
    told = []
    for prefix in [], suite.culprit(options, "run", "--"):
        done = suite.run(prefix + command, 60, env=environment)
        told.append((done.status, done.out.strip()))
    right = told[0][0] == -6 and told[1] == (1, "caught: cuStreamSynchronize returned 700")
    return f"throwing-destructor: plain {told[0]}, under culprit {told[1]}", right


def summary_of(rows):
    counts = {}
    for row in rows:
        counts[row["result"]] = counts.get(row["result"], 0) + 1
    parts = [f"{counts[result]} {result}" for result in sorted(counts, key=lambda r: r != "ok")]
    return f"{len(rows)} cells: " + ", ".join(parts)


def table_of(rows):
    heads = ["scenario", "build", "markers", "truth", "verdict", "suspects", "dump", "code",
             "output", "seconds", "result"]
    return suite.table(heads, [
        [*(row[name] for name in COLUMNS[:3]), row["truth"], row["class"], row["suspects"], row["dump"],
         row["code"], row["output"], f"{row['seconds']:.1f}", f"{row['result']} {row['reason']}"] for row in rows])


def tail_of(path, size=3000):
    with open(path, errors="replace") as file:
        return file.read()[-size:]


def write_details(rows, cells, path):
    """Everything there is about the cells that are not ok, each file's end."""
    with open(path, "w") as out:
        for row in rows:
            if row["result"] == "ok":
                continue
            out.write(f"\n==== {row['scenario']} {row['build']} {row['scheme']}: "
                      f"{row['result']} {row['reason']}\n")
            group = os.path.join(cells, f"{row['scenario']}.{row['build']}")
            for directory in group, os.path.join(group, row["scheme"]):
                names = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
                for name in names:
                    file = os.path.join(directory, name)
                    if os.path.isfile(file) and os.path.getsize(file):
                        out.write(f"-- {name}\n{tail_of(file)}\n")


def main():
    options = parse_options()
    cells = os.path.join(options.build_dir, "gpu-cells")
    shutil.rmtree(cells, ignore_errors=True)
    os.makedirs(cells)
    rows = run_matrix(options, cells)
    try:
        extra, destructors_right = run_destructors(options, cells)
    except OSError as error:
        extra, destructors_right = f"throwing-destructor: {error}", False
    suite.write(options, "RESULTS.md", "Fault corpus", f"{summary_of(rows)}.\n\n{extra}\n", table_of(rows))
    write_details(rows, cells, os.path.join(options.out, "details.txt"))
    print(extra)
    print(summary_of(rows))
    bad = [row for row in rows if row["result"] in UNFORGIVEN or row["output"] == "differs"]
    return 1 if bad or not rows or not destructors_right else 0
