#!/usr/bin/env -S python3 -S
"""Check an XML file against the structure that readers of JUnit results agree on.

usage: junit_check.py FILE

Checks which elements are nested, which attributes there are, and whether the counts are those of
the cases. Prints "tests failures". Exit status: 0 in order, 1 not (one line each).
"""
import sys
import xml.etree.ElementTree as tree

WITHIN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase", "system-out", "system-err"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
    "failure": set(), "error": set(), "skipped": set(), "system-out": set(), "system-err": set(),
}
MUST = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name", "classname"}}
MAY = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": MUST["testsuite"] | {"time", "timestamp", "hostname", "skipped"},
    "testcase": MUST["testcase"] | {"time"},
    "failure": {"message", "type"},
}


def faults(element):
    for attribute in MUST.get(element.tag, set()) - set(element.attrib):
        yield f"{element.tag} lacks {attribute}"
    for attribute in set(element.attrib) - MAY.get(element.tag, set()):
        yield f"{element.tag} has {attribute}"
    for child in element:
        if child.tag not in WITHIN.get(element.tag, set()):
            yield f"{child.tag} within {element.tag}"
        else:
            yield from faults(child)


def main():
    root = tree.parse(sys.argv[1]).getroot()
    found = list(faults(root)) if root.tag == "testsuites" else [f"begins with {root.tag}"]
    for suite in root.iter("testsuite"):
        counts = len(list(suite.iter("testcase"))), len(list(suite.iter("failure")))
        if counts != (int(suite.get("tests", -1)), int(suite.get("failures", -1))):
            found.append(f"counts are {counts}")
        print(*counts)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
