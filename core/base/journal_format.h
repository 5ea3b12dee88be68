/*
 * journal_format.h - every byte of a bundle's binary files. The shim writes them; the verdict and
 * the tools read them. This file and the journal_*.h headers that it includes are the only
 * description.
 *
 * A bundle is a directory (mode 0700) with meta.json and the files of enum journal_file. Each file
 * is a struct file_header and then rows of header.row_size bytes. All integers are little-endian
 * and naturally aligned. A reader steps by header.row_size and ignores members past the row that it
 * knows. It refuses unknown incompatible_flags and ignores unknown compatible_flags.
 *
 * Ids: a row's id is its index + 1, so that 0 means "none". If the table's rows are reused, the id
 * also says which use of the row is meant: see journal_uses.h. A string's id is the offset of its
 * row in the strings file, in units of STRING_UNIT, + 1.
 *
 * Concurrency while the process lives: a row of a table is written once, then published by raising
 * header.n_rows with release order. A member marked "live" may change later, each time by one
 * atomic store. A row of a ring (JOURNAL_RING) is published by its own commit word.
 */
#ifndef CULPRIT_BASE_JOURNAL_FORMAT_H
#define CULPRIT_BASE_JOURNAL_FORMAT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_arguments.h"
#include "base/journal_checks.h"
#include "base/journal_code.h"
#include "base/journal_failure.h"
#include "base/journal_faults.h"
#include "base/journal_graph_checks.h"
#include "base/journal_graphs.h"
#include "base/journal_images.h"
#include "base/journal_live.h"
#include "base/journal_progress.h"
#include "base/journal_ranges.h"
#include "base/journal_rejections.h"
#include "base/journal_uses.h"
#include "base/nvtx_record.h"

#define JOURNAL_MAGIC 0x314c4e524a4c5543ull /* "CULJRNL1" */

/* Bits of incompatible_flags: a reader that does not know one must refuse the file. */
enum journal_incompatible {
	JOURNAL_REUSED = 1, /* live: rows were reused as described in journal_uses.h */
	JOURNAL_INCOMPATIBLE_KNOWN = 1,
};

/* Bits of compatible_flags. */
enum journal_compatible {
	/*
	 * Failure, live: the process ended without a failure, and left it to `culprit run` to
	 * remove its journal.
	 */
	JOURNAL_REMOVABLE = 1,
};

/* The files of a bundle: journal_files.def. Also `kind` of a header. */
enum journal_file {
#define JOURNAL_FILE(number, name, ...) JOURNAL_##name = (number),
#include "base/journal_files.def"
#undef JOURNAL_FILE
	N_JOURNAL_FILES
};

struct file_header {
	uint64_t magic;
	uint32_t kind;        /* enum journal_file */
	uint32_t header_size; /* offset of the first row */
	uint32_t compatible_flags;
	uint32_t incompatible_flags;
	uint32_t row_size;
	uint32_t slot;     /* N of ring-N; other files: 0 */
	uint64_t capacity; /* in rows; live in a ring, which grows and then wraps here */
	union {
		uint64_t n_rows; /* live: rows published */
		uint64_t owed;   /* rings, live: oldest submission without its ordinal; 0: none */
	};
	uint64_t lost;     /* live: rows that did not fit */
	uint64_t n_reused; /* live: number of row reuses, raised before each reuse */
};
static_assert(sizeof(struct file_header) == 64, "file_header is part of the format");

/* Strings: a row is a unit of STRING_UNIT bytes. A string takes as many rows as it needs. */
#define STRING_UNIT 8
struct string_row {
	char bytes[STRING_UNIT]; /* u32 length, the bytes and a NUL, across consecutive rows */
};

/* The row of a thread that has exited is reused. The row of the first exited thread goes first. */
struct thread_row {
	uint32_t tid;
	uint32_t name;     /* string: the kernel's name of the thread at its first record */
	uint64_t start_ns; /* CLOCK_MONOTONIC of that record */
};

/* The row of a destroyed context is reused once all of its work is finished. */
struct context_row {
	uint64_t handle;       /* CUcontext */
	uint64_t id;           /* cuCtxGetId, 0 on drivers without it */
	uint32_t device;       /* ordinal */
	uint32_t device_name;  /* string */
	uint64_t destroyed_ns; /* live: 0 while the context lives */
	uint32_t markers;      /* live: enum context_markers */
	int32_t marker_result; /* live: CUresult with which the driver refused markers */
	uint32_t primary;      /* of a green context: the row of the context it is part of */
	uint32_t flags;        /* enum context_flags */
};
static_assert(sizeof(struct context_row) == 48, "context_row is part of the format");

enum context_flags {
	CONTEXT_LACKS_HOST_MEMORY = 1, /* the device can access only host memory that CUDA knows */
	CONTEXT_IS_SHARED = 2,         /* the GPU is shared with other processes by MPS */
	CONTEXT_USES_HOST_TABLES = 4, /* the device finds pages by the process's own tables (ATS) */
	/* The bits from here on are the device's compute capability, 90 for 9.0. 0: not known, or
	   the driver compiles PTX even if it has machine code (CUDA_FORCE_PTX_JIT). */
	CONTEXT_CAPABILITY_SHIFT = 16,
};

enum context_markers {
	CONTEXT_MARKERS_NONE, /* not requested, or the context was only seen in launches */
	CONTEXT_MARKERS_READY,
	CONTEXT_MARKERS_REFUSED, /* the driver refused them with marker_result */
};

enum stream_kind { STREAM_LEGACY, STREAM_PER_THREAD, STREAM_EXPLICIT };
enum stream_flags {
	STREAM_NON_BLOCKING = 1, /* no implicit order with the legacy stream */
	STREAM_UNORDERED = 2,    /* live: some of its work has RECORD_UNORDERED */
	STREAM_FROZEN = 4,       /* live: the members whose names end in _then are valid */
};

/*
 * One stream of the application. Its submissions are numbered without gaps, in the driver's order.
 *
 * The row of a destroyed stream is reused once all of its work is finished. The new stream's
 * numbers continue after the old stream's last number, `before`. So an old record never looks like
 * unfinished work of the new stream. Reports show ordinal - before.
 * Invariant: before <= synced, marked <= submitted.
 */
struct stream_row {
	uint64_t handle;  /* CUstream that the application passes; 0: legacy or per-thread */
	uint32_t context; /* id in contexts */
	uint32_t kind;    /* enum stream_kind */
	uint32_t flags;   /* live: enum stream_flags */
	int32_t priority;
	uint32_t tid;       /* owner of a per-thread stream, else 0 */
	uint32_t side;      /* live: side stream that carries its markers, from 1; 0: none */
	uint64_t submitted; /* live: ordinal of the newest submission that the driver accepted */
	uint64_t synced; /* live: newest ordinal proven finished by a call that returned success */
	uint64_t synced_by;    /* live: string: the call that proved it */
	uint64_t marked;       /* newest ordinal shown by its markers (copied when read) */
	uint64_t destroyed_ns; /* live: 0 while the stream lives */
	uint64_t before;       /* ordinal before this stream's first; see above */
	uint64_t followed; /* live: its last, unrecorded marker is after this ordinal; 0: none */
	/*
	 * With STREAM_FROZEN: the values at the failure. The live ones still change, because other
	 * devices keep working and calls return.
	 */
	uint64_t submitted_then, synced_then, synced_by_then;
	uint64_t reserved2[2];
};
static_assert(sizeof(struct stream_row) == 128, "stream_row is part of the format");

struct function_row {
	uint64_t handle;          /* CUfunction or CUkernel as launched */
	uint64_t module;          /* CUmodule or CUlibrary, 0 unknown */
	uint32_t name;            /* string, mangled; 0: the driver did not say */
	uint32_t n_parameters;    /* UINT32_MAX: the driver did not say */
	uint32_t first_parameter; /* id in parameters */
	uint16_t use;             /* live: see journal_uses.h */
	uint16_t image;           /* id in images; 0: unknown; or IMAGE_UNSEEN */
};

struct parameter_row {
	uint32_t offset; /* in bytes, in the parameter buffer */
	uint32_t size;
};

/*
 * A node of the call tree: `parent` called the code at `offset` in `module`. A stack id is the id
 * of its innermost node, and its parents are the callers. Offsets of native frames are return
 * addresses: symbolise offset - 1.
 */
struct stack_row {
	uint32_t parent; /* 0: outermost */
	uint32_t module; /* id in modules; STACK_NO_MODULE: offset is an absolute address */
	uint64_t offset; /* address - module.bias */
};
enum { STACK_NO_MODULE = 0 };

/*
 * `module` of a node that stands for the whole stack of a thread that also ran Python. `offset` is
 * the id of its innermost Python frame, `parent` the native stack (0: none). Such a node is never
 * the parent of another node.
 */
#define STACK_PYTHON UINT32_MAX

/*
 * `module` of a node that says why a native stack may be incomplete. It is the parent of the
 * outermost frame. `offset` holds enum stack_end bits, `parent` is 0.
 */
#define STACK_END (UINT32_MAX - 1)
enum stack_end {
	STACK_END_LIMIT = 1,     /* the stack is deeper than what is recorded */
	STACK_END_NO_MODULE = 2, /* called by generated code, which is in no module */
	STACK_END_NO_RULES = 4,  /* called by code whose module has no unwind rules for it */
	STACK_END_NO_FRAME = 8,  /* the next frame would be huge, or where no frame can be */
	STACK_END_BORROWED = 16, /* older bundles: taken by the C library's unwinder */
	N_STACK_ENDS = 32,       /* one more than all bits of a row together */
	STACK_END_FULL = 32,     /* in no row: nodes did not fit; inner frames may be missing */
	STACK_END_GONE = 64,     /* in no row: the row of an outer node was reused */
};

/*
 * A node of the call tree of Python frames, as stack_row. If outer callers were omitted, a node
 * without a code stands for them; it is the parent of the outermost recorded frame.
 */
struct python_frame_row {
	uint32_t parent;   /* 0: outermost */
	uint32_t code;     /* id in python-codes, or 0 */
	uint32_t position; /* of the instruction, in bytes from the code's start */
	uint32_t reserved;
};

/* A Python function, class body or module. Two code objects never share a row. */
struct python_code_row {
	uint32_t file; /* string: co_filename */
	uint32_t name; /* string: co_qualname, co_name before Python 3.11 */
	uint32_t first_line;
	uint16_t version;          /* of Python, major << 8 | minor; selects the line encoding */
	uint16_t is_lines_cut : 1; /* all or part of the line table did not fit */
	uint16_t use : 15;         /* live: see journal_uses.h */
	uint32_t lines;            /* id of the first unit in python-lines; 0: none */
	uint32_t lines_size;       /* bytes of co_linetable, co_lnotab before 3.10 */
};
static_assert(sizeof(struct python_code_row) == 24, "python_code_row is part of the format");
enum { PYTHON_CODE_USE_OFFSET = 14, PYTHON_CODE_USE_SHIFT = 1 };

/* A line table takes as many units as it needs; the last one is padded with zeros. */
#define PYTHON_LINES_UNIT 8
struct python_lines_row {
	uint8_t bytes[PYTHON_LINES_UNIT];
};

/* Result of the self-check of stacks (CULPRIT_STACK_CHECK). */
struct stack_check_row {
	uint64_t n_checks;       /* live: stacks that were taken again in other ways */
	uint64_t n_unlike_full;  /* live: stacks that differed from a walk without caches */
	uint64_t n_unlike_other; /* live: stacks that differed from the C library's unwinder */
	uint64_t first_stack;    /* live: the first stack that differed; 0: none */
};

enum module_flags {
	MODULE_BYPASSES = 1, /* at the failure it held addresses of driver functions */
	MODULE_HAS_FILE = 2, /* without a build-id: `file` is known */
};

#define BUILD_ID_MAX 20
/* The file of a module when it was first seen; in halves, because of its alignment in the row. */
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
	RECORD_EVENT_RECORD, /* the event now stands for the stream's work up to ordinal */
	RECORD_EVENT_WAIT, /* stream, after ordinal, waits for source_stream up to source_ordinal */
	RECORD_SYNC,       /* a call returned success after all work up to ordinal on stream (0: on
			      all streams of the context) was finished */
	RECORD_CAPTURED,   /* work that went into a graph under capture, not to the GPU */
	RECORD_REJECTION,  /* repeats the submission of the same number, which the driver rejected
			      with an error that is not sticky; without its argument rows */
	RECORD_CLEANUP,    /* a call's error after the failure was changed to CUDA_SUCCESS */
	RECORD_NVTX,       /* a range that is open at the thread's next submissions */
};

enum work_kind { WORK_KERNEL = 1, WORK_GRAPH, WORK_COPY, WORK_MEMSET, WORK_MEMOP, WORK_HOST_FUNC };

enum record_flags {
	RECORD_MARKED_SIDE = 1,   /* live: a side marker follows this submission */
	RECORD_MARKED_INLINE = 2, /* live: an inline marker follows this submission */
	RECORD_SYNCHRONOUS = 4,   /* the call returns only when its work is finished */
	RECORD_OVERLAPS = 8, /* may start before its predecessor finishes (programmatic launch) */
	RECORD_COOPERATIVE = 16,
	RECORD_ARGUMENTS_CUT = 32, /* there were more argument bytes than are recorded */
	/* live: its order on its stream is not known. Its ordinal is 0, or an ordinal that no
	   other submission of the stream had when the call returned. */
	RECORD_UNORDERED = 64,
	RECORD_IN_RANGES = 128, /* NVTX ranges were open: see struct record_nvtx */
};

/* Value of `result` until the call returns. A CUresult is never negative. */
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
	uint64_t bytes;  /* 0: another shape (2D, 3D, batch) */
};

struct record_graph {
	uint64_t handle;  /* CUgraphExec */
	uint64_t replay;  /* which launch of this graph, from 1 */
	uint64_t number;  /* of its row, see struct graph_row */
	uint32_t row;     /* id in graphs; 0: its nodes are not known */
	uint32_t version; /* node changes before this launch, see struct graph_node_row */
};

struct record_event { /* RECORD_EVENT_RECORD, RECORD_EVENT_WAIT */
	uint64_t event;
	uint64_t source_ordinal;
	uint32_t source_stream; /* 0: the event is unknown, so there is no edge */
	uint32_t reserved;
};

#define RECORD_PAYLOAD         72
#define RECORD_PROGRESS_OFFSET (RECORD_PAYLOAD - sizeof(struct record_progress))

/*
 * One row of a ring. `commit` is 0 while the row is being written. Afterwards it is 1 + the row's
 * number in the ring, which counts from 0 and never wraps. It is stored last, with release order.
 * Ignore a row whose commit does not fit its index in the ring: it is torn or overwritten.
 */
struct journal_record {
	uint64_t commit;
	uint64_t sequence; /* submission: its number in the process, from 1. Other rows: the newest
			      number so far */
	uint64_t time_ns;  /* CLOCK_MONOTONIC when the call was entered */
	uint64_t ordinal;  /* on `stream`; 0 for captured work and rejections; live if the order
			      is not known: see RECORD_UNORDERED */
	uint32_t tid;
	uint32_t stream; /* id in streams; 0: none */
	uint32_t stack;  /* id in stacks; 0: none */
	int32_t result;  /* live: CUresult or RESULT_PENDING */
	uint32_t call;   /* string: name of the entry point */
	uint8_t kind;    /* enum record_kind */
	uint8_t work;    /* enum work_kind, of submissions and captured work */
	uint16_t flags;  /* live: enum record_flags */
	union {
		struct record_launch launch;
		struct record_memory memory;
		struct record_graph graph;
		struct record_event event;
		struct record_nvtx nvtx;
		uint8_t argument_bytes[RECORD_PAYLOAD];
		struct {
			uint8_t described[RECORD_PROGRESS_OFFSET]; /* launch, memory, graph or event
								    */
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
