"""Checks in CUDA graphs: is the node of a NaN named, are results the same, and what do checks cost?

    decode    tests/gpu/checks/decode_graph.py, a decode loop of PyTorch: at replay 37 a kernel makes a NaN. The
              node, the captured line and the replay must be named, and all outputs must be those of a plain run.
    compiled  tests/gpu/checks/compiled_graphs.py, torch.compile with CUDA graph trees: the same, of a kernel that
              Inductor generated.
    random    the random graphs of tests/graph_checks, plain and checked: the outputs must be equal.
    cost      the decode loop, --replays replays, plain, under culprit and with both kinds of checks, in turns: µs of
              a replay (median), the ratio to plain, and the µs that each checked kernel adds.

Prints and writes OUT/GRAPHS.md. Without PyTorch only the random graphs run. `--only compiled` runs that part alone.
Exit status: 0; 1 a NaN was not named, or an output differs.
"""

import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile

import suite

PROGRAM = os.path.join(suite.GPU, "checks", "decode_graph.py")
COMPILED = os.path.join(suite.GPU, "checks", "compiled_graphs.py")
BAD, SHOWN = 37, 48
VARIANTS = {"plain": None, "culprit": [], "--nan": ["--nan"], "--inspect=.": ["--inspect=."]}


def pack(build_dir):
    folder = os.path.join(suite.GPU, "checks", "nvcc")
    subprocess.run(["nvcc", "-std=c++17", "-fatbin", "-gencode", "arch=compute_90,code=sm_90", "-gencode",
                    "arch=compute_75,code=compute_75", f"-I{folder}", "-o", f"{build_dir}/lib/gpu-kernels/layers.fatbin",
                    f"{suite.ROOT}/tests/simcuda/tests/kernels/layers.cu"], check=True)


def parse_options():
    parser = suite.make_parser(__doc__, driver="gpu", only=".", runs=5, budget=400)
    parser.add_argument("--replays", type=int, default=5000, metavar="N")
    parser.add_argument("--graphs", type=int, default=300, metavar="N", help="random graphs (default: %(default)s)")
    options = suite.parse(parser)
    options.has_torch = options.driver == "gpu" and importlib.util.find_spec("torch") is not None
    return options


def checked(options, *checks):
    return suite.culprit(options, "run", *checks, "--print-to", "lines", "--")


def read_lines(folder):
    path = os.path.join(folder, "lines")
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read()


def compare(options, folder, command, checks):
    """Return whether plain and checked outputs are equal, and the lines of the checked run."""
    plain = suite.run(command, cwd=folder, env=suite.environment(options), timeout=200)
    done = suite.run(checked(options, checks) + command, cwd=folder, env=suite.environment(options), timeout=200)
    if plain.status or done.status:
        print(f"status {plain.status} and {done.status}: {plain.err[-300:]} {done.err[-600:]}")
    return plain.out == done.out and plain.status == done.status == 0, read_lines(folder)


def try_random(options, folder):
    module = "simcuda-kernels/layers.so" if options.driver == "simcuda" else "gpu-kernels/layers.fatbin"
    command = [os.path.join(options.build_dir, "bin", "tests", "random_graphs"),
               os.path.join(options.build_dir, "lib", module), "1", str(options.graphs)]
    is_equal, lines = compare(options, folder, command, "--inspect=layers::")
    reasons = {}
    for reason in re.findall("is not checked: (.*)", lines):
        reasons[reason] = reasons.get(reason, 0) + 1
    text = (f"{options.graphs} random graphs: outputs {'equal' if is_equal else 'DIFFER'}; "
            f"{lines.count('checked kernels in replay')} were checked to their end; left alone: {reasons or 'none'}\n")
    return text, is_equal


def judge(name, is_equal, lines, wanted):
    """Return the text of a trial, and whether the only origin in the block of replay BAD is what the regex names."""
    block = re.search(rf"values that appeared in replay {BAD}\n(?:  .*\n)+", lines)
    made = re.findall(r"  node .*\n(?:    (?!=>).*\n|      .*\n)*    => made here", block.group(0)) if block else []
    is_named = len(made) == 1 and re.search(wanted, made[0].split("\n")[0]) is not None
    text = (f"{name}: outputs {'equal' if is_equal else 'DIFFER'}; the node of the NaN: "
            f"{'named' if is_named else 'NOT NAMED'}\n\n```\n{(block.group(0) if block else lines)[:4000]}```\n")
    return text, is_equal and is_named


def try_decode(options, folder):
    command = [sys.executable, PROGRAM, "hash", str(SHOWN), str(BAD)]
    results = [judge(f"decode, {checks}", *compare(options, folder, command, checks),
                     rf"decode_graph\.py:{suite.marked_line(PROGRAM, 'nan')} ") for checks in ("--nan", "--inspect=.")]
    return "\n".join(text for text, _ in results), all(is_well for _, is_well in results)


def try_compiled(options, folder):
    """Inductor names its kernels after the operators. The frame of a compiled function has its first line only."""
    command = [sys.executable, COMPILED, str(SHOWN), str(BAD)]
    is_equal, lines = compare(options, folder, command, "--inspect=.")
    return judge("compiled", is_equal, lines, r"triton_\w*sqrt\w*  .*compiled_graphs\.py:\d+ ")


def measure(options, folder):
    """Return the rows of the table, and the number of checked kernels."""
    times = {name: [] for name in VARIANTS}
    for _ in range(options.runs):
        for name, checks in VARIANTS.items():
            if suite.is_late(options):
                continue
            start = [] if checks is None else checked(options, *checks)
            done = suite.run(start + [sys.executable, PROGRAM, "time", str(options.replays)], cwd=folder,
                             env=suite.environment(options), timeout=200)
            if done.status == 0:
                times[name].append(float(done.out))
    found = re.search(r": (\d+) checked kernels", read_lines(folder))
    n_kernels = int(found.group(1)) if found else 0
    median = {name: statistics.median(values) for name, values in times.items() if values}
    plain = median.get("plain", float("nan"))
    return [[name, len(times[name]), f"{value:.1f}", f"{value / plain:.2f}",
             f"{(value - plain) / n_kernels:.2f}" if n_kernels and name.startswith("--") else "-"]
            for name, value in median.items()], n_kernels


def main():
    options = parse_options()
    parts, is_sound = [], True
    trials = {"random": try_random}
    if options.has_torch:
        trials = {**trials, "decode": try_decode, "compiled": try_compiled}
    with tempfile.TemporaryDirectory() as folder:
        for name, trial in trials.items():
            if not re.search(options.only, name):
                continue
            text, is_well = trial(options, folder)
            parts.append(text)
            is_sound = is_sound and is_well
        if options.has_torch and re.search(options.only, "cost"):
            rows, n_nodes = measure(options, folder)
            parts.append(f"{n_nodes} checked kernels in the graph\n\n" + suite.table(
                ["run", "runs", "µs a replay", "ratio", "µs a kernel"], rows))
    print(suite.write(options, "GRAPHS.md", "Checks in graphs", *parts), end="")
    return 0 if is_sound else 1
