"""oracle_width - how wide the verdicts on random programs are, compared with a stored baseline.

A verdict that is right and wide is no failure for scripts/oracle's judge. So the shares of programs with
an exact verdict and with one suspect, and the mean number of suspects, are compared by group of programs
with tests/oracle/width.tsv. The programs are those of the seeds 1 to 500, of which only the mixing of
threads and streams differs between runs.

Tolerance: three standard deviations of the difference between two runs, taken as if each program were
drawn anew: 9 points for all programs. The programs are the same ones, so real runs differ by less. Two
runs on a machine with 20 runnable processes for 2 processors differed by 4 points. The baseline is the
wider one of these. The deterministic stories of tests/unit/reference notice a single verdict.
Groups with fewer than LEAST programs are not compared: their tolerance would allow anything.
"""

import math
import statistics

from oracle_judge import GRAPHS, STREAMS

LEAST = 20
COLUMNS = ["group", "programs", "exact", "one named", "suspects"]
GROUPS = STREAMS + GRAPHS + ["all"]


def chosen_of(results, group):
    """Return the programs of a group that failed and have suspects, or an unknown verdict."""
    return [r for r in results if group in (r["group"], "all") and r["result"] not in ("clean", "no fault", "BROKEN")]


def figures_of(results):
    """Return {group: (programs, share exact, share with one suspect, mean number of suspects, its deviation)}."""
    figures = {}
    for group in GROUPS:
        chosen = chosen_of(results, group)
        if len(chosen) < LEAST:
            continue
        n_exact = sum(r["result"] == "exact" for r in chosen)
        n_named = sum(r["result"] in ("exact", "likely") for r in chosen)
        widths = [r["width"] for r in chosen if r["width"]] or [0]
        figures[group] = (len(chosen), n_exact / len(chosen), n_named / len(chosen), statistics.mean(widths),
                          statistics.pstdev(widths) / math.sqrt(len(widths)))
    return figures


def write_baseline(path, results):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")
        for group, (n, exact, named, width, _) in figures_of(results).items():
            file.write(f"{group}\t{n}\t{exact:.3f}\t{named:.3f}\t{width:.2f}\n")


def read_baseline(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return {row[0]: tuple(map(float, row[2:])) for row in rows}


def slack_of_share(share, n):
    return 3 * math.sqrt(2 * max(share * (1 - share), 1 / n) / n)


def wider(path, results):
    """Yield a line for each figure of `results` that is wider than the baseline allows."""
    figures = figures_of(results)
    for group, (exact, named, width) in read_baseline(path).items():
        if group not in figures:
            continue
        n, exact_now, named_now, width_now, deviation = figures[group]
        for word, was, now in ("exact", exact, exact_now), ("one named", named, named_now):
            if now < was - slack_of_share(was, n):
                yield f"WIDER: {group}: {100 * now:.1f} % {word}, {100 * was:.1f} % in {path}"
        if width_now > width + 3 * math.sqrt(2) * deviation:
            yield f"WIDER: {group}: {width_now:.2f} suspects, {width:.2f} in {path}"
