#!/usr/bin/env -S python3 -S
"""Check JSON reports against their documented schema, the first comment of report_json.h.

usage: cli_json.py HEADER REPORT...

Every object must have the members that the schema gives it, no more and no less; a member whose
words are listed has one of these; and every object of the schema must occur in some report. Exit
status: 0 in order, 1 not (one line each: what).
"""
import json
import re
import sys


class Shape:
    """An object of the schema: for each member the words it may have and the objects in it."""

    def __init__(self, name):
        self.name = name
        self.members = {}
        self.is_met = False


class Reader:
    """Reads objects out of the comment: a key follows a brace or a comma; prose may follow it."""

    def __init__(self, text):
        self.text = text
        self.shapes = {}

    def read(self):
        for start in re.finditer(r"^(?:([A-Z_]+): [^{]*)?\{", self.text, re.MULTILINE):
            if start.group(1) or "report" not in self.shapes:
                self.object(start.end() - 1, start.group(1) or "report")
        return self.shapes

    def object(self, at, name):
        """Return the object whose brace is at AT, and where it ends."""
        shape = self.shapes[name] = Shape(name)
        key, wants_key, depth, at = None, True, 0, at + 1
        while not (self.text[at] == "}" and depth == 0):
            token = re.compile(r'"([^"]*)"|[A-Z_]{3,}|\s+|.', re.DOTALL).match(self.text, at)
            at = token.end()
            if token.group().isspace():
                continue
            if token.group() in "([":
                depth += 1
            elif token.group() in ")]":
                depth -= 1
            elif token.group() == "{":
                member = f"{name}.{key}"
                at = self.object(token.start(), member)
                shape.members[key][1].append(member)
            elif token.group(1) and wants_key and depth == 0:
                key = token.group(1)
                shape.members[key] = ([], [])
            elif token.group(1) and depth == 0:
                shape.members[key][0].append(token.group(1))
            elif key and re.fullmatch("[A-Z_]{3,}", token.group()):
                shape.members[key][1].append(token.group())
            wants_key = token.group() == "," and depth == 0
        return at + 1


def faults_in(value, names, shapes, where):
    """Yield the faults of VALUE, which must have one of the shapes NAMES if it is an object."""
    if isinstance(value, list):
        for item in value:
            yield from faults_in(item, names, shapes, where)
    if not isinstance(value, dict):
        return
    shape = next((shapes[name] for name in names if name in shapes), None)
    if not shape:
        yield f"{where} is an object, of which nothing is said"
        return
    shape.is_met = True
    if not shape.members:  # of any names
        return
    for key in sorted(set(value) ^ set(shape.members)):
        yield f"{where}.{key} is " + ("not documented" if key in value else "missing")
    for key in sorted(set(value) & set(shape.members)):
        words, inner = shape.members[key]
        if len(words) > 1 and isinstance(value[key], str) and value[key] not in words:
            yield f"{where}.{key} is {value[key]}, not one of {', '.join(words)}"
        if key not in ("meta", "variables"):  # of others' making
            yield from faults_in(value[key], inner, shapes, f"{where}.{key}")


# A runtime is a file of NVIDIA's with its build-id: unit/runtime_version looks at such.
UNMET = ("report.versions.runtimes",)


def main():
    with open(sys.argv[1], encoding="utf-8") as header:
        comment = header.read().split("*/")[0]
    shapes = Reader(re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)).read()
    faults = []
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as report:
            faults += faults_in(json.load(report), ["report"], shapes, path)
    faults += [f"no report has {shape.name}" for shape in shapes.values()
               if not shape.is_met and shape.name not in UNMET]
    print("\n".join(sorted(set(faults))))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
