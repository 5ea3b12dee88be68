"""Read a whole trace of `culprit trace` and check its tracks, slices and arrows for consistency.

usage: trace_check.py perfetto|chrome FILE [EXPRESSION]...

Each EXPRESSION is Python that must be true. It may use `events`, which are all events except ends,
and `tracks`, their names by number. An event has: track (name), time, phase (begin, instant,
counter), name, category, notes, stack (function, file, line; outermost first), flows, end (time, or
None), value.
"""
import json
import sys
import types

CLOSED = ("gpu.bounded", "gpu.unknown", "host.", "nvtx")


def perfetto(path):
    """Read with Perfetto's own classes. Interned data must be defined before it is used."""
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema

    trace = schema.Trace()
    with open(path, "rb") as file:
        data = file.read()
    assert trace.ParseFromString(data) == len(data)
    assert trace.packet[0].trace_packet_defaults.timestamp_clock_id == schema.BUILTIN_CLOCK_MONOTONIC
    assert trace.packet[1].clock_snapshot.primary_trace_clock == schema.BUILTIN_CLOCK_MONOTONIC
    known = {name: {} for name in (
        "event_names", "event_categories", "debug_annotation_names",
        "debug_annotation_string_values", "function_names", "source_paths", "frames", "callstacks")}
    for packet in trace.packet:
        check_known(packet)
        for table, rows in known.items():
            for row in getattr(packet.interned_data, table):
                assert row.iid not in rows
                rows[row.iid] = row
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            yield "track", track.uuid, (track.name or track.thread.thread_name
                                        or track.process.process_name)
        if packet.HasField("track_event"):
            yield "event", packet.timestamp, read_event(packet.track_event, known)


def check_known(message):
    """Check that the schema has every field, at any depth."""
    from google.protobuf import unknown_fields

    assert len(unknown_fields.UnknownFieldSet(message)) == 0, message
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for part in value if field.is_repeated else [value]:
                check_known(part)


def read_event(event, known):
    def frame(iid):
        row = known["frames"][iid]
        return (known["function_names"][row.function_name_id].str.decode(),
                known["source_paths"][row.source_path_iid].str.decode(), row.line_number)

    stack = known["callstacks"][event.callstack_iid].frame_ids if event.callstack_iid else ()
    return types.SimpleNamespace(
        phase={1: "begin", 2: "end", 3: "instant", 4: "counter"}[event.type],
        track=event.track_uuid, value=event.counter_value,
        name=known["event_names"][event.name_iid].name if event.name_iid else None,
        category="".join(known["event_categories"][iid].name for iid in event.category_iids),
        notes={known["debug_annotation_names"][note.name_iid].name:
               known["debug_annotation_string_values"][note.string_value_iid].str.decode()
               if note.string_value_iid else note.uint_value for note in event.debug_annotations},
        stack=[frame(iid) for iid in stack], flows=list(event.flow_ids))


def chrome(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)["traceEvents"]
    arrows = {}
    for row in rows:
        if row["ph"] in "sf":
            arrows.setdefault((row["tid"], row["ts"]), []).append(row["id"])
    for row in rows:
        if row["ph"] == "M":
            yield "track", row["tid"], row["args"]["name"]
        elif row["ph"] == "C":
            yield "track", row["name"], row["name"]
        if row["ph"] in "BEiC":
            notes = row.get("args", {})
            yield "event", row["ts"], types.SimpleNamespace(
                phase={"B": "begin", "E": "end", "i": "instant", "C": "counter"}[row["ph"]],
                track=row["name"] if row["ph"] == "C" else row["tid"], name=row.get("name"),
                category=row.get("cat"), notes=notes, stack=notes.get("stack", ""),
                flows=arrows.get((row["tid"], row["ts"]), []) if row["ph"] in "Bi" else [],
                value=notes.get("value"))


def read(kind, path):
    tracks, events, open_slices, newest = {}, [], {}, {}
    for what, key, value in {"perfetto": perfetto, "chrome": chrome}[kind](path):
        if what == "track":
            tracks[key] = value
            continue
        assert value.track in tracks, f"{value} is on no track"
        assert key >= newest.get(value.track, 0) or value.phase == "instant", f"{value} is too early"
        newest[value.track] = max(key, newest.get(value.track, 0))
        if value.phase == "end":
            open_slices[value.track].pop().end = key
            continue
        value.time, value.end = key, None
        events.append(value)
        if value.phase == "begin":
            open_slices.setdefault(value.track, []).append(value)
    for event in events:
        event.track = tracks[event.track]
    return tracks, events


def check(events):
    """Check what is true of every trace."""
    for event in events:
        if event.phase == "begin" and event.category.startswith(CLOSED):
            assert event.end is not None or "result" in event.notes or event.category[:4] == "host"
        if event.category in ("gpu.culprit", "gpu.suspect", "gpu.open"):
            assert event.end is None, event
        if event.category == "gpu.bounded":
            assert event.time <= event.end
    sources = {flow for event in events if event.category == "host.submission"
               for flow in event.flows}
    for event in events:
        if event.category and event.category.startswith("gpu."):
            assert set(event.flows) & sources, f"{event} was submitted by nobody"


def main():
    tracks, events = read(sys.argv[1], sys.argv[2])
    check(events)
    for expression in sys.argv[3:]:
        if not eval(expression, {"tracks": tracks, "events": events}):
            sys.exit(f"it does not hold: {expression}\n" + "\n".join(map(str, events[:5])))


main()
