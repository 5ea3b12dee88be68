/*
 * perfetto_fields.h - numbers of fields and values in Perfetto's trace format, as defined in
 * protos/perfetto/trace/ of github.com/google/perfetto. The files are named below. A test reads our
 * output with the classes of Perfetto's Python package.
 */
#ifndef CULPRIT_TOOLS_PERFETTO_FIELDS_H
#define CULPRIT_TOOLS_PERFETTO_FIELDS_H

/* trace.proto: Trace */
enum { TRACE_FIELD_PACKET = 1 };

/* trace_packet.proto: TracePacket; TracePacket.SequenceFlags */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
};
enum { SEQUENCE_STATE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2 };

/* trace_packet_defaults.proto: TracePacketDefaults */
enum { DEFAULTS_CLOCK_ID = 58 };

/* clock_snapshot.proto: ClockSnapshot, its Clock; common/builtin_clock.proto: BuiltinClock */
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2, CLOCK_FIELD_ID = 1, CLOCK_FIELD_TIMESTAMP = 2 };
enum { BUILTIN_REALTIME = 1, BUILTIN_MONOTONIC = 3 };

/* track_event/track_descriptor.proto, process_, thread_, counter_descriptor.proto */
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	COUNTER_UNIT = 3,
};
enum { UNIT_COUNT = 2, UNIT_BYTES = 3 };

/* track_event/track_event.proto: TrackEvent, its Type */
enum {
	EVENT_CATEGORY_IIDS = 3,
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER_VALUE = 30,
	EVENT_FLOWS = 47,
	EVENT_CALLSTACK_IID = 56,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

/* track_event/debug_annotation.proto: DebugAnnotation */
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_UINT = 3, ANNOTATION_STRING_IID = 17 };

/* interned_data/interned_data.proto: InternedData */
enum {
	INTERNED_CATEGORIES = 1,
	INTERNED_EVENT_NAMES = 2,
	INTERNED_ANNOTATION_NAMES = 3,
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_SOURCE_PATHS = 18,
	INTERNED_ANNOTATION_STRINGS = 29,
};

/*
 * EventCategory, EventName, DebugAnnotationName; profiling/profile_common.proto: InternedString,
 * Frame, Callstack. Field 1 is the id in all of them.
 */
enum {
	INTERNED_ID = 1,
	INTERNED_TEXT = 2,
	FRAME_FUNCTION = 2,
	FRAME_SOURCE_PATH = 5,
	FRAME_LINE = 6,
	CALLSTACK_FRAMES = 2,
};

#endif
