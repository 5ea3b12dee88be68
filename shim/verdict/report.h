/*
 * report.h - what a report says, before it is laid out: names, labels, arguments and evidence of a
 * verdict as short texts and plain structures. The text report and the JSON report both use it.
 */
#ifndef CULPRIT_VERDICT_REPORT_H
#define CULPRIT_VERDICT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attribution.h"
#include "bundle_view.h"
#include "text.h"

/* One line of source. Strings are NULL where nothing is known. */
struct source_frame {
	const char *function;
	const char *file;
	uint32_t line; /* 0 unknown */
	uint32_t column;
	bool is_inlined; /* into the next frame of the same answer */
};

/*
 * Where code comes from. The shim answers from the dynamic symbols of its own process, the tool
 * from debug information. Strings stay valid until the next call of the same source. Members may be
 * NULL: nothing is known then, and names stay mangled.
 */
struct symbol_source {
	/*
	 * The code that returns to `offset` of `module` (look up offset - 1): its frames, innermost
	 * inlined one first, up to `max` into out; returns how many, 0 unknown. `module_id` is the
	 * row's id and fit as a key; without a module (id 0, row NULL, path "") `offset` is an
	 * absolute address.
	 */
	size_t (*frames)(void *state, uint32_t module_id, const struct module_row *module,
			 const char *path, uint64_t offset, struct source_frame *out, size_t max);
	/* A readable form of a mangled name, or NULL. */
	const char *(*demangle)(void *state, const char *mangled);
	/*
	 * What the comments in the generated Python file `path` say about the source of its line:
	 * up to `max` phrases into out; returns how many.
	 */
	size_t (*notes)(void *state, const char *path, uint32_t line, const char **out, size_t max);
	void *state;
};

struct report {
	const struct bundle_view *view;
	const struct verdict *verdict;
	const struct symbol_source *symbols; /* NULL: none */
	const char *bundle_path;             /* NULL: no line about it */
	const char *directory; /* the process's, which its files are named from; NULL: not known */
};

/* "exact", "likely", "narrowed", "unknown". */
const char *report_verdict_word(enum verdict_class class);

/* One phrase: why no suspect can be named. */
const char *report_unknown_text(enum unknown_reason reason);

/* What the user can do to learn more; NULL if nothing. */
const char *report_advice(const struct verdict *verdict);

/* "launch", "graph_launch", "copy", "memset", "memop", "host_func"; "work" for an unknown kind. */
const char *report_work_word(uint8_t work);

/* "sync", "marker", ...: enum evidence_kind without its prefix, in lower case. */
const char *report_evidence_word(enum evidence_kind kind);

/*
 * What was submitted: the kernel's name, demangled; "graph 0x..., replay 3"; the name of the call
 * for other work. With `is_short` a C++ name loses its return type, template arguments and
 * parameters.
 */
void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out);

/* "stream 0x7f..", "stream 0x0", "the per-thread stream of thread 12"; "no stream" for id 0. */
void report_stream_label(const struct report *report, uint32_t stream, struct text *out);

/* "device 0 (NVIDIA H200)" of the stream's context; "device ?" if it is not known. */
void report_device_label(const struct report *report, uint32_t stream, struct text *out);

/* "thread 1234 "python3"". */
void report_thread_label(const struct report *report, uint32_t tid, struct text *out);

/* "unknown", "narrowed", "exact"; "unseen", "captured", "added". */
const char *report_graph_certainty(enum graph_certainty certainty);
const char *report_node_origin(const struct graph_node_row *node);

/* What a node of a graph does: the kernel's name as report_work_name has it, or its kind. */
void report_node_name(const struct report *report, const struct graph_node_row *node, bool is_short,
		      struct text *out);

/* The node as if it had been launched by itself, for what reads records; it has no place. */
void report_node_record(const struct graph_node_row *node, struct journal_record *out);

/* The evidence as one plain phrase. */
void report_evidence_text(const struct report *report, const struct evidence *evidence,
			  struct text *out);

/* "train.py:5, block (8,0,0) thread (0,0,0): illegal address": as far as it is known. */
void report_place(const struct report *report, const struct gpu_place *place, struct text *out);

/* How much later than the record (the most likely suspect's) the failure was seen. */
uint64_t report_submissions_later(const struct report *report, const struct journal_record *record);
uint64_t report_ms_later(const struct report *report, const struct journal_record *record);

/*
 * The code that a stack runs through, innermost first: up to `max` frames joined by "  <- ". Of a
 * stack with Python the user's own Python frames; else native ones, without those of culprit,
 * CUDA's own libraries and the C library. "unknown" if nothing is left.
 */
void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out);

/*
 * What a stack leaves open (view_stack_end) as one phrase: "outer frames not known: called by
 * generated code". False, and nothing is added, for a stack that is whole.
 */
bool report_stack_end(uint32_t end, struct text *out);

/* Is a frame of this module, or of this function (NULL unknown), of no interest to the user? */
bool report_is_plumbing(const char *module_path, const char *function);

/* Is the module a part of Python itself, or of how it calls C? */
bool report_is_interpreter(const char *module_path);

/* "3 launches", "1 launch": the noun gets an "s" or "es". */
void report_count(struct text *out, uint64_t n, const char *noun);

/* The code's name, "CUresult 999" if it has none here. */
void report_failure_name(const struct report *report, struct text *out);

enum { REPORT_MAX_ARGUMENT_BYTES = 4096 };

/* The parameters of one launch as its function declares them, and the bytes that were kept. */
struct launch_arguments {
	const struct function_row *function; /* NULL: not a kernel, or its row is gone */
	uint32_t n;                          /* parameters known, see report_argument */
	bool is_layout_known;                /* false: the driver would not tell, n is 0 */
	size_t n_bytes;
	unsigned char bytes[REPORT_MAX_ARGUMENT_BYTES];
};

/* Where a pointer among the arguments points. */
enum place {
	PLACE_NONE,   /* not a pointer, or to nothing known */
	PLACE_INSIDE, /* `distance` bytes into a live range */
	PLACE_FREED,  /* the same, but the range was freed */
	PLACE_PAST,   /* `distance` bytes past the end of a live range, close behind */
};

struct argument {
	uint32_t index;
	uint32_t offset;
	uint32_t size;
	const unsigned char *bytes; /* into launch_arguments.bytes; NULL: they were not kept */
	bool has_value;             /* all bytes there and at most eight */
	uint64_t value;
	enum place place;
	uint64_t distance;
	struct range_row range; /* if place is not PLACE_NONE */
};

/* Reads the arguments of a submission; of one that is no kernel launch n is 0. */
void report_read_arguments(const struct bundle_view *view, const struct submission *submission,
			   struct launch_arguments *out);

/* The same of a node of a graph. */
void report_read_node_arguments(const struct bundle_view *view, const struct graph_node_row *node,
				struct launch_arguments *out);

/* Parameter `index` (0-based). False: no such parameter. */
bool report_argument(const struct bundle_view *view, const struct launch_arguments *arguments,
		     uint32_t index, struct argument *out);

/* Looks an address up among the ranges: live ones first, then the newest freed one. */
enum place report_find_range(const struct bundle_view *view, uint64_t address,
			     struct range_row *out_range, uint64_t *out_distance);

#endif
