#!/usr/bin/env -S python3 -S
"""Check a page of `culprit report --format html`.

usage: check_page.py PAGE [TEXT]     TEXT: file with the text report of the same bundles

The page must be well-formed XML, make no requests, and allow only its own style and script. Each id
must be unique, each link needs a target, headings must be in order, and pictures need names. With
TEXT, labels and words must be the same as in the text. Prints a line for each fault; status 1 if
any.
"""
import base64
import hashlib
import re
import sys
import xml.etree.ElementTree as ElementTree

ELEMENTS = set(
    "html head meta title style body svg defs marker path main nav ol li a article h1 h2 section p span"
    " details summary rect text line g table caption thead tbody tr th td figure figcaption code mark ul div pre footer"
    " script".split()
)
# Nothing else can carry a script or an address, and these only what is checked below.
ATTRIBUTES = set(
    "lang charset http-equiv content name class id href data-id aria-label aria-hidden role tabindex"
    " viewBox x y width height x1 y1 x2 y2 rx d refX refY markerWidth markerHeight orient marker-end"
    " hidden open title data-brief data-report data-first data-from data-to data-failed data-word".split()
)


def sha256(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def words(element):
    return "".join(element.itertext())


def check_policy(root):
    policy = root.find("head/meta[@http-equiv='Content-Security-Policy']").get("content")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    yield rules.get("default-src") == "'none'", f"the policy begins with {policy}"
    for name, elements in ("style", root.iter("style")), ("script", root.iter("script")):
        elements = list(elements)
        yield len(elements) == 1, f"{len(elements)} elements {name}"
        hashes = [f"'{sha256(words(element))}'" for element in elements]
        yield [rules.get(f"{name}-src")] == hashes, f"{name}-src is not {hashes}: html_parts.h"


def check_elements(root):
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    yield len(ids) == len(set(ids)), "an id stands twice"
    for element in root.iter():
        yield element.tag in ELEMENTS, f"an element {element.tag}"
        for name, value in element.attrib.items():
            yield name in ATTRIBUTES, f"an attribute {name} of {element.tag}"
            if name == "href":
                yield value[0] == "#" and value[1:] in ids, f"a link leads to {value}"
            if name == "marker-end":
                yield value == "url(#arrow)", f"a marker {value}"
    for style in root.iter("style"):
        yield not re.search(r"url\(|@import|//", words(style)), "the style names an address"


def check_reading(root):
    yield root.get("lang") == "en", "no language"
    yield bool(words(root.find("head/title")).strip()), "no title"
    for picture in root.iter("svg"):
        named = picture.get("aria-hidden") == "true" or picture.get("aria-label")
        yield named, "a picture without a name"
    for region in root.iterfind(".//*[@role='region']"):
        yield region.get("aria-label") and region.get("tabindex") == "0", "a region out of reach"
    for article in root.iter("article"):
        headings = [element.tag for element in article.iter() if re.fullmatch("h[1-6]", element.tag)]
        yield headings[:1] == ["h1"] and headings.count("h1") == 1, f"headings {headings}"


def lines_of(root):
    """Yield the lines as in the text report: label and words."""
    for element in root.iterfind(".//*[@data-id]"):
        text = words(element.find("span[@class='text']"))
        if element.get("data-id") == "headline" or element.get("data-id") == "told":
            yield text
            continue
        label = element.find("span[@class='label']")
        label = words(label) if label is not None else ""
        yield "  " + (text if element.get("data-id") == "work" else f"{label:<16}{text}")


def check_lines(root, path):
    text = [line for line in open(path, encoding="utf-8").read().split("\n") if line]
    page = list(lines_of(root))
    yield len(text) > 1 and len(page) == len(text), f"{len(page)} lines, and {len(text)} in {path}"
    for said, wanted in zip(page, text):
        yield said == wanted, f"says {said!r}, the text {wanted!r}"


def check_names(root):
    """The data of the page's script lists each name of a submission once. Nameless kernels look alike."""
    for names in root.iterfind(".//ol[@class='names']"):
        listed = [name for name in map(words, names) if not name.startswith("an unknown")]
        yield len(listed) == len(set(listed)), f"a name is listed twice: {sorted(listed)}"


def main():
    if not 2 <= len(sys.argv) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    page = open(sys.argv[1], encoding="utf-8").read()
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>"))
    checks = [check_policy(root), check_elements(root), check_reading(root), check_names(root)]
    checks += [check_lines(root, sys.argv[2])] if len(sys.argv) > 2 else []
    checks += [[(len(page.encode()) < 2 << 20, f"{len(page.encode())} bytes")]]
    faults = [what for check in checks for is_right, what in check if not is_right]
    for fault in faults:
        print(f"{sys.argv[1]}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
