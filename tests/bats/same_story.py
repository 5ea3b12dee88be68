#!/usr/bin/env -S python3 -S
"""Print what a report says without the names of one machine and one run, so that the reports of the same
program on two machines can be compared. JSON is printed one member a line.

usage: same_story.py FILE

Left out: addresses, ids of processes and builds, times, folders, the bytes of pointers, columns of text,
what the C library's debug information says, how often a counter was verified, and whether states of
kernels were found in time, which a busy machine decides.
"""
import json
import re
import sys

MEMBERS = {"pid", "tid", "parent_pid", "hex", "begin", "end", "realtime_ns", "monotonic_ns", "time_ns", "run",
           "time", "CULPRIT_RUN", "CULPRIT_DIR", "directory", "ms_later"}
PATTERNS = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"\b0x[0-9a-f]+\b", "ADDRESS"),
    (r"\b[0-9a-f]{40}\b", "BUILD"),
    (r"(?<![\w.])(file://)?/[^ \"]*/", ""),  # folders
    (r"(?<![\w.])(\.\./)+", ""),  # of a build folder
    (r"\b(pid|thread|child of|process {9}|culprit-[a-z]+-)( ?)\d+", r"\1\2ID"),
    (r"^\d+( \")", r"ID\1"),
    (r"\b\d+(\.\d+)? m?s\b", "SPAN"),
    (r"verified \d+ times?", "verified"),
    (r", but no states of kernels$", ""),
]


def neutral(text):
    for pattern, word in PATTERNS:
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return text


def members(value, path=""):
    if isinstance(value, dict):
        if (value.get("module") or "").endswith("/libc.so.6"):
            value = {"module": value["module"]}
        if "counter verified" in (value.get("text") or ""):
            value = {"text": value["text"]}
        for key, member in value.items():
            if key not in MEMBERS:
                yield from members(member, f"{path}.{key}")
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from members(member, f"{path}[{number}]")
    else:
        yield f"{path}: {neutral(value) if isinstance(value, str) else value}"


def main():
    with open(sys.argv[1]) as file:
        text = file.read()
    try:
        lines = members(json.loads(text))
    except json.JSONDecodeError:
        lines = neutral(text).splitlines()
    print("\n".join(lines))


if __name__ == "__main__":
    main()
