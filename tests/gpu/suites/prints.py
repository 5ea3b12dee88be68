"""Measure the cost of `culprit run --print` per launch, and check --inspect on a NaN in PyTorch.

Prints both, and writes them to OUT/PRINT.md.

    bare      launch_cost: launches of eight arguments and nothing else
    PyTorch   tests/gpu/prints/torch_launches.py: out.add_(1)

Each runs plain, under culprit, and with --print into a file, in turns. The table has the medians of
the runs: ns that a launch takes the thread that makes it, seconds of the whole command, and the
launches that have no line. On simcuda (--driver simcuda) there is no PyTorch.
Exit status: 0; 1 a program failed, or the launch that made the NaN or the one after it is missing.
"""

import importlib.util
import os
import re
import statistics
import sys
import tempfile
import time

import suite

PROGRAMS = os.path.join(suite.GPU, "prints")
VARIANTS = {"plain": None, "culprit": [], "--print": ["--print", "--print-to", "lines"]}


def parse_options():
    parser = suite.make_parser(__doc__, driver="gpu", runs=5, budget=300)
    parser.add_argument("--launches", type=int, default=1000000, metavar="N")
    options = suite.parse(parser)
    options.has_torch = options.driver == "gpu" and importlib.util.find_spec("torch") is not None
    return options


def make_environment(options):
    null = {"SIMCUDA_NULL": "1"} if options.driver == "simcuda" else {} # accepts kernels and forgets them
    return suite.environment(options, **null)


def hosts_of(options):
    """{name: (command, launches that it makes, warming up included)}"""
    module = ("simcuda-kernels/bench.so" if options.driver == "simcuda" else "gpu-kernels/bench.fatbin")
    bare = [os.path.join(options.build_dir, "bin", "launch_cost"), "--kernel", "eight_arguments",
            "--launches", str(options.launches // 2), "--rounds", "1",
            os.path.join(options.build_dir, "lib", module)]
    torch = [sys.executable, os.path.join(PROGRAMS, "torch_launches.py"), str(options.launches)]
    hosts = {"bare": (bare, options.launches // 2 * 2)}
    if options.has_torch:
        hosts["PyTorch"] = (torch, options.launches + 1001)
    return hosts


def run(options, command, variant, folder):
    """Return ns a launch, seconds, and lines or None; or the reason why not."""
    culprit = suite.culprit(options, "run", *(VARIANTS[variant] or []), "--")
    start = time.monotonic()
    done = suite.run(([] if VARIANTS[variant] is None else culprit) + command, cwd=folder,
                     env=make_environment(options))
    seconds = time.monotonic() - start
    if done.status or not done.out.split():
        return f"status {done.status}: {done.err[-300:]}"
    lines = None
    if variant == "--print":
        with open(os.path.join(folder, "lines")) as file:
            lines = sum(">>>" in line for line in file)
    return float(done.out.split()[0]), seconds, lines


def measure(options, folder):
    """Return the rows of the table, and true if each program succeeded."""
    table, is_sound = [], True
    for name, (command, n_launches) in hosts_of(options).items():
        results = {variant: [] for variant in VARIANTS}
        for _ in range(options.runs):
            for variant in VARIANTS:
                if not suite.is_late(options):
                    results[variant].append(run(options, command, variant, folder))
        for variant, rows in results.items():
            sound = [row for row in rows if not isinstance(row, str)]
            is_sound = is_sound and len(sound) == len(rows)
            for reason in rows:
                if isinstance(reason, str):
                    print(f"{name}, {variant}: {reason}")
            if sound:
                ns, seconds = (statistics.median(column) for column in list(zip(*sound))[:2])
                missed = [n_launches - row[2] for row in sound if row[2] is not None]
                table.append([name, variant, f"{ns:.0f}", f"{seconds:.2f}", ", ".join(map(str, missed)) or "-"])
    return table, is_sound


def inspect(options, folder):
    """Return what --inspect printed, and true if it has the launch that made the NaN and those that passed it on."""
    program = os.path.join(PROGRAMS, "torch_nan.py")
    command = suite.culprit(options, "run", "--inspect", "at::native::.*elementwise_kernel", "--print-to", "inspected",
                            "--", sys.executable, program)
    done = suite.run(command, cwd=folder, env=make_environment(options))
    with open(os.path.join(folder, "inspected")) as file:
        told = file.read()
    blocks = re.split(r"^\d+  inspected ", told, flags=re.MULTILINE)
    makers = [block for block in blocks if re.search("NaN, made here", block)]
    line = f"torch_nan.py:{suite.marked_line(program, 'nan')}"
    is_told = len(makers) == 1 and line in makers[0].split("\n")[0] and "passed on from" in told and (
        re.search(rf"(from|made by) +#\d+ .* at \S*{line}", told) is not None)
    text = (f"```\n{told}```\nPyTorch printed: {done.out.strip()} {done.err.strip()[-500:]}\n\n"
            f"The NaN, the launch that made it and those that passed it on: {'told' if is_told else 'NOT TOLD'}\n")
    return text, is_told


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as folder:
        rows, is_sound = measure(options, folder)
        parts = [suite.table(["launches", "run", "ns a launch", "s in all", "without a line"], rows)]
        if options.has_torch:
            text, is_told = inspect(options, folder)
            parts.append(text)
            is_sound = is_sound and is_told
        print(suite.write(options, "PRINT.md", "Live printing", *parts), end="")
    return 0 if is_sound else 1
