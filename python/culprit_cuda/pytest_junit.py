"""pytest's JUnit file: one entry for each test, also if culprit gave it a second result.

The entry of a charged test was made when it passed. The entry of a test that runs again was made
when its worker ended. pytest has no hook for entries, so its own view of the file is changed.
"""

try:
    from _pytest.junitxml import bin_xml_escape, mangle_test_address, xml_key
except ImportError:  # an unknown version of pytest: the entries stay
    xml_key = None

# The elements of an entry that pytest counts. A test without one has passed.
COUNTED = {"failure", "error", "skipped"}


def names_of(xml, nodeid):
    """The classname and the name of the test's entries."""
    *classes, name = mangle_test_address(nodeid)
    return ".".join([xml.prefix, *classes] if xml.prefix else classes), bin_xml_escape(name)


def keep_last(config, nodeids):
    """Leave the last entry of each of these tests, before the file is written."""
    xml = config.stash.get(xml_key, None) if xml_key else None
    if xml is None:
        return
    is_seen = {names_of(xml, nodeid): False for nodeid in nodeids}
    kept = []
    for entry in reversed(xml.node_reporters_ordered):
        case = entry.to_xml()
        names = case.get("classname"), case.get("name")
        if is_seen.get(names):
            for what in {part.tag for part in case} & COUNTED or {"passed"}:
                xml.stats[what] -= 1
        else:
            kept.append(entry)
        if names in is_seen:
            is_seen[names] = True
    xml.node_reporters_ordered[:] = reversed(kept)
