#!/usr/bin/env python3
"""Check JSON against a JSON Schema, as far as the schemas of this repository use the language.

usage: json_schema.py SCHEMA FILE...

FILE has a value in each line, or one value. Where the package jsonschema is installed it must come
to the same answer. Exit status: 0 valid, 1 not (one line each: where, what), 2 a schema with words
that are not known here.
"""
import json
import re
import sys

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}
PROSE = {"$schema", "$defs", "$id", "title", "description"}
KNOWN = PROSE | {
    "$ref", "type", "enum", "const", "anyOf", "required", "properties", "items", "pattern",
    "minimum", "minItems", "additionalProperties",
}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def faults(value, schema, root, where):
    """Yield the faults of VALUE, as (where, what)."""
    if set(schema) - KNOWN:
        sys.exit(f"words that are not known: {set(schema) - KNOWN}") or 2
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, where)
    types = schema.get("type", list(TYPES))
    types = types if isinstance(types, list) else [types]
    if not any(is_of(value, name) for name in types):
        yield where, f"is no {' or '.join(types)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield where, f"is {value!r}, none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield where, f"is {value!r}, not {schema['const']!r}"
    if "anyOf" in schema and all(any(faults(value, one, root, where)) for one in schema["anyOf"]):
        yield where, "is none of what it may be"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield where, f"is {value!r}, not as {schema['pattern']}"
    if isinstance(value, int) and value < schema.get("minimum", value):
        yield where, f"is less than {schema['minimum']}"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield where, f"lacks {key}"
        for key, inner in value.items():
            if key in properties:
                yield from faults(inner, properties[key], root, f"{where}.{key}")
            elif schema.get("additionalProperties") is False:
                yield where, f"has {key}, of which nothing is known"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield where, "has too few"
        for index, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{where}[{index}]")


def values_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    found = []
    try:
        from jsonschema import Draft202012Validator as validator
    except ImportError:
        validator = None
    for path in sys.argv[2:]:
        for value in values_of(path):
            ours = list(faults(value, schema, schema, path))
            found += ours
            if validator and validator(schema).is_valid(value) == bool(ours):
                found.append((path, "jsonschema comes to another answer"))
    for where, what in found:
        print(f"{where} {what}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
