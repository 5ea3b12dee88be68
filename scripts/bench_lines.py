"""bench_lines - the part of scripts/bench that counts the cache lines and pages that a launch touches,
by the shim's functions, for code and for data. A launch has to fetch these if the caches are cold.
bench_counts.py explains the method.

One or two pages depend on where the linker and the arena place the data that launches read.

With --hold no figure may be above MOST, which is a little more than the figures with gcc 12. A change
that costs more has to raise the figure here.
"""

import sys

from bench_counts import CACHES, COLD, WORKLOADS, Counter

MOST = {
    "empty kernel":
        {"lines of code": 33, "lines of data": 29, "pages": 12, "instructions": 445},
    "eight arguments, stack of 33":
        {"lines of code": 40, "lines of data": 41, "pages": 13, "instructions": 825},
    "empty kernel, the context's own stream":
        {"lines of code": 38, "lines of data": 30, "pages": 13, "instructions": 485},
    "3.6 KB of arguments":
        {"lines of code": 51, "lines of data": 44, "pages": 16, "instructions": 1060},
}


def figures(counter, arguments):
    """(rows by function: [name, code, data, instructions], totals: {what: n})"""
    warm = {unit: counter.warm(arguments, unit) for unit in CACHES}
    spent = counter.instructions(arguments, (COLD, warm["lines"]))
    code, data = counter.touched(arguments, "lines", spent, warm["lines"])
    pages = counter.touched(arguments, "pages", spent, warm["pages"])
    columns = [counter.by_function(values) for values in (code, data, spent)]
    rows = [[name, *(f"{column.get(name, 0):.0f}" for column in columns)]
            for name, _ in sorted(columns[2].items(), key=lambda item: -item[1])]
    totals = {"lines of code": sum(columns[0].values()), "lines of data": sum(columns[1].values()),
              "pages": sum(sum(counter.by_function(unit).values()) for unit in pages),
              "instructions": round(sum(columns[2].values()))}
    return rows, totals


def bench_lines(run, shim, table, tell):
    """{workload: totals}"""
    counter = Counter(run, shim)
    told = {}
    tell("# Cache lines of a launch, by callgrind\n")
    tell("Default settings, nothing of libc and the driver; each line where it is touched first.\n")
    for title, arguments in WORKLOADS:
        rows, totals = figures(counter, arguments)
        rows = [row for row in rows if any(word != "0" for word in row[1:])]
        rows.append(["all of culprit", *(str(totals[what]) for what in
                                         ("lines of code", "lines of data", "instructions"))])
        tell(table(f"{title}: {totals['pages']} pages",
                   ["function", "code", "data", "instructions"], rows))
        told[title] = totals
    return told


def hold(told):
    above = [f"{title}: {n} {what}, at most {MOST[title][what]}" for title, totals in told.items()
             for what, n in totals.items() if n > MOST[title][what]]
    if above:
        sys.exit("bench: a launch costs more than it may\n" + "\n".join(above))
