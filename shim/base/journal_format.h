/*
 * journal_format.h - every byte of a bundle's binary files. The shim writes them, the verdict and
 * the tools read them; nothing else describes them.
 *
 * A bundle is a directory (mode 0700) with meta.json and the files of enum journal_file. Each file
 * is a struct file_header and then rows of header.row_size bytes. All integers are little-endian
 * and naturally aligned. A reader steps by header.row_size, ignores members past the row it knows,
 * refuses unknown incompatible_flags and reads on past unknown compatible_flags.
 *
 * Ids: a row's id is its index + 1, so that 0 means "none"; where rows are used again, see
 * journal_uses.h. A string's id is the offset of its row in the strings file, in units of
 * STRING_UNIT, + 1.
 *
 * Concurrency while the process lives: rows of tables are written once, then published by raising
 * header.n_rows with release order; members marked "live" change later, each with one atomic
 * store. Rows of a ring (JOURNAL_RING) are published one by one through their commit word.
 */
#ifndef CULPRIT_BASE_JOURNAL_FORMAT_H
#define CULPRIT_BASE_JOURNAL_FORMAT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_arguments.h"
#include "base/journal_failure.h"
#include "base/journal_graphs.h"
#include "base/journal_images.h"
#include "base/journal_live.h"
#include "base/journal_progress.h"
#include "base/journal_ranges.h"
#include "base/journal_refusals.h"
#include "base/journal_uses.h"
#include "base/nvtx_record.h"

#define JOURNAL_MAGIC 0x314c4e524a4c5543ull /* "CULJRNL1" */

/* Incompatible: a reader that does not know the bit must refuse the file. */
enum journal_incompatible {
	JOURNAL_REUSED = 1, /* live: rows were used again in a way of journal_uses.h */
	JOURNAL_INCOMPATIBLE_KNOWN = 1,
};

/* What a file holds; also its kind in the header. Names: journal_file_names of bundle_names.h. */
enum journal_file {
	JOURNAL_RING = 1,      /* ring-N: struct journal_record; one for each thread at a time */
	JOURNAL_STRINGS,       /* strings: struct string_row units */
	JOURNAL_THREADS,       /* threads: struct thread_row */
	JOURNAL_CONTEXTS,      /* contexts: struct context_row */
	JOURNAL_STREAMS,       /* streams: struct stream_row */
	JOURNAL_FUNCTIONS,     /* functions: struct function_row */
	JOURNAL_PARAMETERS,    /* parameters: struct parameter_row */
	JOURNAL_STACKS,        /* stacks: struct stack_row, the nodes of the call tree */
	JOURNAL_MODULES,       /* modules: struct module_row */
	JOURNAL_RANGES,        /* ranges: struct range_row */
	JOURNAL_FAILURE,       /* failure: one struct failure_row, written once */
	JOURNAL_PYTHON_FRAMES, /* python-frames: struct python_frame_row, another call tree */
	JOURNAL_PYTHON_CODES,  /* python-codes: struct python_code_row */
	JOURNAL_PYTHON_LINES,  /* python-lines: line tables of codes, in units of bytes */
	JOURNAL_GRAPHS,        /* graphs: struct graph_row */
	JOURNAL_GRAPH_NODES,   /* graph-nodes: struct graph_node_row */
	JOURNAL_STACK_CHECKS,  /* stack-checks: one struct stack_check_row, if stacks are checked */
	JOURNAL_CHANNELS,      /* channels: struct channel_row */
	JOURNAL_KERNEL_STATES, /* kernel-states: struct kernel_state_row */
	JOURNAL_IMAGES,        /* images: struct image_row */
	JOURNAL_IMAGE_BYTES, /* image-bytes: images that were made at run time, in units of bytes */
	JOURNAL_WHOLE_ARGUMENTS, /* whole-arguments: struct whole_arguments_row */
	JOURNAL_WAITS,           /* waits: struct wait_row */
	JOURNAL_LOOKS,           /* looks: struct look_row, then struct reading_row */
	JOURNAL_HOST_MAPPINGS, /* host-mappings: struct host_mapping_row, written at the failure */
	JOURNAL_REFUSALS,      /* refusals: struct refusal_row */
	N_JOURNAL_FILES
};

struct file_header {
	uint64_t magic;
	uint32_t kind;        /* enum journal_file */
	uint32_t header_size; /* offset of the first row */
	uint32_t compatible_flags;
	uint32_t incompatible_flags;
	uint32_t row_size;
	uint32_t slot;     /* rings: which one; else 0 */
	uint64_t capacity; /* rows; a ring of records wraps there (live: it grows, then wraps) */
	union {
		uint64_t n_rows; /* live: rows published */
		uint64_t owed;   /* rings: live: late numbers owed; commit words tell their rows */
	};
	uint64_t lost;     /* live: rows that found no room */
	uint64_t n_reused; /* live: how often one was used again, raised before it is */
};
static_assert(sizeof(struct file_header) == 64, "file_header is part of the format");

/* Strings: a row is a unit of STRING_UNIT bytes; a string takes as many as it needs. */
#define STRING_UNIT 8
struct string_row {
	char bytes[STRING_UNIT]; /* u32 length, then the bytes, then a NUL, across as many rows */
};

/* The row of a thread that has ended is used again, the longest ended first. */
struct thread_row {
	uint32_t tid;
	uint32_t name;     /* string, as the kernel knew it at the thread's first record */
	uint64_t start_ns; /* CLOCK_MONOTONIC of that record */
};

/* The row of a destroyed context whose work is all finished is used again. */
struct context_row {
	uint64_t handle;       /* CUcontext */
	uint64_t id;           /* cuCtxGetId, 0 on drivers without it */
	uint32_t device;       /* ordinal */
	uint32_t device_name;  /* string */
	uint64_t destroyed_ns; /* live: 0 while it lives */
	uint32_t markers;      /* live: enum context_markers */
	int32_t marker_result; /* live: CUresult with which the driver refused them */
	uint32_t primary;      /* of a green context: the row of the one that it is a part of */
	uint32_t flags;        /* enum context_flags */
};
static_assert(sizeof(struct context_row) == 48, "context_row is part of the format");

enum context_flags {
	CONTEXT_LACKS_HOST_MEMORY = 1, /* its device cannot access it, but for what CUDA knows of */
	CONTEXT_IS_SHARED = 2,         /* its GPU is, with other processes, by MPS */
};

enum context_markers {
	CONTEXT_MARKERS_NONE, /* not wanted, or the context was not seen outside launches */
	CONTEXT_MARKERS_READY,
	CONTEXT_MARKERS_REFUSED, /* by the driver: marker_result */
};

enum stream_kind { STREAM_LEGACY, STREAM_PER_THREAD, STREAM_EXPLICIT };
enum stream_flags {
	STREAM_NON_BLOCKING = 1, /* no implicit order with the legacy stream */
	STREAM_UNORDERED = 2,    /* live: some of its work has RECORD_UNORDERED */
	STREAM_KEPT = 4,         /* live: the members that end in _then are written */
};

/*
 * One stream of the application. Submissions of a stream are numbered without gaps, in the driver's
 * order. The row of a destroyed stream whose work is all finished is used again: the new stream's
 * numbers go on where the old one's ended, at `before`, so that an old record never looks like
 * unfinished work of the new stream. A person is shown ordinal - before.
 * Invariant: before <= synced, marked <= submitted.
 */
struct stream_row {
	uint64_t handle;  /* CUstream as the application names it; 0 legacy or per-thread */
	uint32_t context; /* id in contexts */
	uint32_t kind;    /* enum stream_kind */
	uint32_t flags;   /* live: enum stream_flags */
	int32_t priority;
	uint32_t tid;       /* owner of a per-thread stream, else 0 */
	uint32_t side;      /* live: which side stream carries its markers, from 1; 0 none */
	uint64_t submitted; /* live: ordinal of the newest submission that the driver accepted */
	uint64_t synced; /* live: newest ordinal proven finished by a call that returned success */
	uint64_t synced_by;    /* live: string: the call that proved it */
	uint64_t marked;       /* newest ordinal that its marker word showed (copied when read) */
	uint64_t destroyed_ns; /* live: 0 while it lives */
	uint64_t before;       /* ordinal before this stream's first; see above */
	uint64_t followed;     /* live: its last marker, without a record, is behind this; 0 none */
	/* With STREAM_KEPT, as they were at the failure: other devices go on, and calls return. */
	uint64_t submitted_then, synced_then, synced_by_then;
	uint64_t reserved2[2];
};
static_assert(sizeof(struct stream_row) == 128, "stream_row is part of the format");

struct function_row {
	uint64_t handle;          /* CUfunction or CUkernel as launched */
	uint64_t module;          /* CUmodule or CUlibrary, 0 unknown */
	uint32_t name;            /* string, mangled; 0: the driver would not tell */
	uint32_t n_parameters;    /* UINT32_MAX: the driver would not tell */
	uint32_t first_parameter; /* id in parameters */
	uint16_t use;             /* live: see journal_uses.h */
	uint16_t image;           /* id in images; 0 unknown; IMAGE_UNSEEN */
};

struct parameter_row {
	uint32_t offset; /* in the parameter buffer */
	uint32_t size;
};

/*
 * A node of the call tree: `parent` called the code at `offset` in `module`. A stack id is the id
 * of its innermost node; walking parents gives the callers. Offsets of native frames are return
 * addresses: symbolise offset - 1.
 */
struct stack_row {
	uint32_t parent; /* 0: outermost */
	uint32_t module; /* id in modules; STACK_NO_MODULE: offset is an absolute address */
	uint64_t offset; /* address - module.bias */
};
enum { STACK_NO_MODULE = 0 };

/*
 * A stack of a thread that also ran Python is a node of its own, never the parent of another:
 * `module` is STACK_PYTHON, `offset` the id of its innermost Python frame, `parent` the native
 * stack (0 none).
 */
#define STACK_PYTHON UINT32_MAX

/*
 * Where a native stack is not sure to be whole, a node that is no frame stands outside its
 * outermost one: `module` is STACK_END, `offset` enum stack_end bits, `parent` 0.
 */
#define STACK_END (UINT32_MAX - 1)
enum stack_end {
	STACK_END_LIMIT = 1,     /* it is deeper than what is kept */
	STACK_END_NO_MODULE = 2, /* called by generated code, which no module holds */
	STACK_END_NO_RULES = 4,  /* called by code whose module does not say how it was entered */
	STACK_END_NO_FRAME = 8,  /* the next frame would be huge, or lie where no frame can be */
	STACK_END_BORROWED = 16, /* older bundles: by the C library's unwinder */
	N_STACK_ENDS = 32,       /* one more than all bits that a row has, together */
	STACK_END_FULL = 32,     /* in no row: nodes found no room, it may lack its inner frames */
	STACK_END_GONE = 64,     /* in no row: the row of an outer node was used again */
};

/*
 * A node of the call tree of Python frames, as stack_row. Where callers further out were left out,
 * a node without a code stands for them, outside the outermost one that is kept.
 */
struct python_frame_row {
	uint32_t parent;   /* 0: outermost */
	uint32_t code;     /* id in python-codes, or 0 */
	uint32_t position; /* of the instruction, in bytes from the code's first */
	uint32_t reserved;
};

/* A Python function, class body or module: never the same row for two code objects. */
struct python_code_row {
	uint32_t file; /* string: co_filename */
	uint32_t name; /* string: co_qualname, co_name before Python 3.11 */
	uint32_t first_line;
	uint16_t version; /* of Python, major << 8 | minor: it says how lines are encoded */
	uint16_t is_lines_cut : 1; /* the line table found no room, or not all of it */
	uint16_t use : 15;         /* live: see journal_uses.h */
	uint32_t lines;            /* id of the first unit in python-lines, 0 none */
	uint32_t lines_size;       /* bytes of co_linetable, co_lnotab before 3.10 */
};
static_assert(sizeof(struct python_code_row) == 24, "python_code_row is part of the format");
enum { PYTHON_CODE_USE_OFFSET = 14, PYTHON_CODE_USE_SHIFT = 1 };

/* A line table takes as many units as it needs, the last one filled up with zeroes. */
#define PYTHON_LINES_UNIT 8
struct python_lines_row {
	uint8_t bytes[PYTHON_LINES_UNIT];
};

/* What the self-check of stacks found (CULPRIT_STACK_CHECK). */
struct stack_check_row {
	uint64_t n_checks;       /* live: stacks that were taken once more, in other ways */
	uint64_t n_unlike_full;  /* live: of those, how many a walk from nothing found otherwise */
	uint64_t n_unlike_other; /* live: and how many the C library's unwinder */
	uint64_t first_stack;    /* live: the first one that differed, 0 none */
};

enum module_flags {
	MODULE_BYPASSES = 1, /* at the failure it held addresses of the driver's own functions */
	MODULE_HAS_FILE = 2, /* without a build-id: `file` is known */
};

#define BUILD_ID_MAX 20
/* The file of a module when it was first seen, in halves because of its place in the row. */
struct module_file {
	uint32_t inode[2];    /* low, high */
	uint32_t mtime_ns[2]; /* since 1970, low, high */
	uint32_t size;        /* low half */
};
struct module_row {
	uint64_t start; /* lowest mapped address */
	uint64_t end;   /* one past the highest */
	uint64_t bias;  /* load address - the file's own addresses */
	uint32_t path;  /* string */
	uint32_t build_id_size;
	union {
		uint8_t build_id[BUILD_ID_MAX];
		struct module_file file; /* with MODULE_HAS_FILE */
	};
	uint16_t use;   /* live: see journal_uses.h */
	uint16_t flags; /* live: enum module_flags */
};
static_assert(sizeof(struct module_row) == 56, "module_row is part of the format");

enum record_kind {
	RECORD_SUBMISSION = 1, /* numbered work on a stream; `work` says which */
	RECORD_ARGUMENTS,    /* kernel argument bytes of the next RECORD_SUBMISSION of this ring */
	RECORD_EVENT_RECORD, /* event now stands for stream up to ordinal */
	RECORD_EVENT_WAIT, /* stream, after ordinal, waits for source_stream up to source_ordinal */
	RECORD_SYNC,       /* a call returned success after all up to ordinal on stream (0: all of
			      the context's streams) */
	RECORD_CAPTURED,   /* work that went into a graph under capture, not to the GPU */
	RECORD_REJECTION,  /* the submission of the same number again, which the driver refused with
			      an error that is not sticky; its argument rows are not repeated */
	RECORD_CLEANUP,    /* a call's error after the failure was made CUDA_SUCCESS */
	RECORD_NVTX,       /* a range that is open at the thread's next submissions */
};

enum work_kind { WORK_KERNEL = 1, WORK_GRAPH, WORK_COPY, WORK_MEMSET, WORK_MEMOP, WORK_HOST_FUNC };

enum record_flags {
	RECORD_MARKED_SIDE = 1,   /* live: a side marker follows this submission */
	RECORD_MARKED_INLINE = 2, /* live: an inline marker follows this submission */
	RECORD_SYNCHRONOUS = 4,   /* the call returns only when its work is finished */
	RECORD_OVERLAPS = 8,      /* may start before its predecessor ends (programmatic launch) */
	RECORD_COOPERATIVE = 16,
	RECORD_ARGUMENTS_CUT = 32, /* more argument bytes than are kept */
	/* live: its order on its stream is not known. Its ordinal is 0, or that of a place that
	   the stream had given to nobody else when the call was over. */
	RECORD_UNORDERED = 64,
	RECORD_IN_RANGES = 128, /* NVTX ranges were open: see struct record_nvtx */
};

/* result while the call has not returned. No CUresult is negative. */
#define RESULT_PENDING (-1)

struct record_launch {
	uint32_t function; /* id in functions */
	uint32_t grid[3];
	uint32_t block[3];
	uint16_t cluster[3];      /* 0: none given */
	uint16_t n_argument_rows; /* RECORD_ARGUMENTS rows just before this one in the ring */
	uint32_t shared_bytes;
	uint32_t argument_bytes; /* in those rows */
};

struct record_memory { /* WORK_COPY, WORK_MEMSET, WORK_MEMOP */
	uint64_t destination;
	uint64_t source; /* memset: the value */
	uint64_t bytes;  /* 0: a shape of its own (2D, 3D, batch) */
};

struct record_graph {
	uint64_t handle;  /* CUgraphExec */
	uint64_t replay;  /* nth launch of it */
	uint64_t number;  /* of its row, see struct graph_row */
	uint32_t row;     /* id in graphs, 0: its nodes are not known */
	uint32_t version; /* changes of nodes before this launch, see struct graph_node_row */
};

struct record_event { /* RECORD_EVENT_RECORD, RECORD_EVENT_WAIT */
	uint64_t event;
	uint64_t source_ordinal;
	uint32_t source_stream; /* 0: unknown event: no edge */
	uint32_t reserved;
};

#define RECORD_PAYLOAD         72
#define RECORD_PROGRESS_OFFSET (RECORD_PAYLOAD - sizeof(struct record_progress))

/*
 * One row of a ring. `commit` is 0 while the row is being written and 1 + its number in the ring
 * (0-based, never wrapping) afterwards; it is stored last, with release order. A row whose commit
 * differs from what its place calls for is torn or overwritten: ignore it.
 */
struct journal_record {
	uint64_t commit;
	uint64_t sequence; /* submissions: number in the process, from 1. Others: newest number so
			      far */
	uint64_t time_ns;  /* CLOCK_MONOTONIC when the call was entered */
	uint64_t ordinal;  /* on `stream`; of captured work and of rejections 0; live where the
			      order is not known: see RECORD_UNORDERED */
	uint32_t tid;
	uint32_t stream; /* id in streams, 0 none */
	uint32_t stack;  /* id in stacks, 0 none */
	int32_t result;  /* live: CUresult or RESULT_PENDING */
	uint32_t call;   /* string: name of the entry point */
	uint8_t kind;    /* enum record_kind */
	uint8_t work;    /* enum work_kind of submissions and captured work */
	uint16_t flags;  /* live: enum record_flags */
	union {
		struct record_launch launch;
		struct record_memory memory;
		struct record_graph graph;
		struct record_event event;
		struct record_nvtx nvtx;
		uint8_t argument_bytes[RECORD_PAYLOAD];
		struct {
			uint8_t described[RECORD_PROGRESS_OFFSET]; /* by one of the first four */
			struct record_progress progress;           /* of RECORD_SUBMISSION */
		};
	};
};
static_assert(sizeof(struct journal_record) == 128, "two cache lines, and part of the format");
static_assert(offsetof(struct journal_record, launch) == 56, "part of the format");
static_assert(offsetof(struct journal_record, progress) == 112, "part of the format");
static_assert(sizeof(struct record_launch) <= RECORD_PROGRESS_OFFSET, "beside its progress");
static_assert(sizeof(struct record_memory) <= RECORD_PROGRESS_OFFSET, "beside its progress");
static_assert(sizeof(struct record_graph) <= RECORD_PROGRESS_OFFSET, "beside its progress");
static_assert(sizeof(struct record_nvtx) == RECORD_PAYLOAD, "payload, and part of the format");

#endif
