/*
 * trace_parts.h - what the functions that each write one part of a trace share, and the two
 * formats. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_TRACE_PARTS_H
#define CULPRIT_TOOLS_TRACE_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "timeline/thread_index.h"
#include "timeline/timeline_times.h"
#include "trace/protobuf.h"
#include "trace/trace_event.h"

struct trace_job {
	const struct analysis *analysis;
	const struct timeline *timeline;
	const struct timeline_times *times;
	const struct thread_index *threads;
	struct trace_sink sink;
};

enum { TRACE_TEXT_SIZE = 1024 };

/* A call or work whose end is not known is drawn this long. */
enum { TRACE_DRAWN_NS = 1000 };

/* The numbers of arrows: from a submission's call to its GPU work, and of the waits of streams. */
static inline uint64_t trace_flow_of_submission(uint64_t sequence)
{
	return sequence << 1;
}

static inline uint64_t trace_flow_of_edge(uint64_t index)
{
	return index << 1 | 1;
}

/* trace_write.c: write a bundle's newest submissions as a trace. */

enum trace_format { TRACE_PERFETTO, TRACE_CHROME }; /* in the order of commands.def */

/* Write the trace. Return 0 or -ENOMEM; check `out` with ferror(). */
int trace_write(const struct analysis *analysis, enum trace_format format, FILE *out);

/*
 * Add the threads' tracks: a slice for each recorded call, with its stack. The time at which a
 * submission was called is measured. The time at which its call returned is not.
 */
void trace_host(const struct trace_job *job);

/*
 * trace_nvtx.c: add NVTX ranges as slices. A journal knows which ranges were open at a submission.
 * A range is drawn from the first submission inside it to the last; it lasted at least that long.
 */

/* The ranges that a thread has open during a walk along its ring. A zeroed struct has none. */
struct trace_nvtx {
	/* The open ranges by the rows read so far; they hold at the next submission. */
	struct record_nvtx rows[N_NVTX_SCOPES][NVTX_MAX_OPEN];
	uint32_t n_rows[N_NVTX_SCOPES];
	/* The number of these ranges, from the outermost on, that have an open slice. */
	uint32_t n_started[N_NVTX_SCOPES];
	uint64_t newest_ns; /* the thread's newest submission */
	bool is_named[N_NVTX_SCOPES];
};

/*
 * Call these in the order of the ring: for a RECORD_NVTX, for a submission of the thread, and once
 * after the thread's last record.
 */
void trace_nvtx_row(const struct trace_job *job, const struct record_nvtx *row, uint32_t tid,
		    struct trace_nvtx *nvtx);
void trace_nvtx_submission(const struct trace_job *job, const struct journal_record *record,
			   struct trace_nvtx *nvtx);
void trace_nvtx_end(const struct trace_job *job, uint32_t tid, struct trace_nvtx *nvtx);

/*
 * trace_gpu.c: add the streams' tracks: a slice for each submission. It is drawn from the earliest
 * time at which the work can have started, and no longer than it can have lasted. It has no end if
 * the work is not known to have finished.
 */

/* Return 0 or -ENOMEM. */
int trace_gpu(const struct trace_job *job);

/* Add a counter for each stream: its submissions not known to be finished. */
void trace_counters(const struct trace_job *job);

/* trace_memory.c: add counters of the bytes that the process held, one for each kind of memory. */

/*
 * Add a counter for each kind of memory that was allocated. A journal keeps only the newest freed
 * allocations, so the counters start where all live memory is known. Return 0 or -ENOMEM.
 */
int trace_memory(const struct trace_job *job);

/*
 * trace_frames.c: a submission's call stack as trace viewers show it: Python's frames, and the
 * native frames inside the innermost of them.
 */

enum { TRACE_MAX_FRAMES = 128, TRACE_FRAME_TEXT = 512 };

/* Texts are printable UTF-8; "" if not known. */
struct trace_frame {
	char function[TRACE_FRAME_TEXT];
	char file[TRACE_FRAME_TEXT]; /* the module if native code has no line numbers */
	uint32_t line;
};

/* Write up to TRACE_MAX_FRAMES frames to `out`, innermost first. Return their number. */
size_t trace_frames(const struct analysis *analysis, uint32_t stack, struct trace_frame *out);

/*
 * chrome.c: a trace sink that writes the JSON format of chrome://tracing, which Perfetto also
 * reads.
 */

struct chrome;

/*
 * Write the head of the trace. Return NULL if out of memory; the caller releases the result with
 * chrome_close(). `analysis` and `out` must outlive it.
 */
struct chrome *chrome_open(const struct analysis *analysis, FILE *out);
struct trace_sink chrome_sink(struct chrome *chrome);

/* Write the end. Return 0, or -ENOMEM if something was left out; check `out` with ferror(). */
int chrome_close(struct chrome *chrome);

/*
 * perfetto.c: a trace sink that writes Perfetto's protobuf format. Each name, text and stack is
 * written once and then referred to by number.
 */

struct perfetto;

/*
 * Write the head of the trace. Return NULL if out of memory; the caller releases the result with
 * perfetto_close(). `analysis` and `out` must outlive it.
 */
struct perfetto *perfetto_open(const struct analysis *analysis, FILE *out);
struct trace_sink perfetto_sink(struct perfetto *perfetto);

/* Return 0, or -ENOMEM if something was left out; check `out` with ferror(). */
int perfetto_close(struct perfetto *perfetto);

/* interned.c: a table that gives each distinct text a number, from 1. */

/* A zeroed table is empty. */
struct interned {
	json_t *ids; /* number by text */
	uint64_t n;
};

/* Return the text's number, added if new (*out_is_new is true then); 0 if out of memory. */
uint64_t interned_id(struct interned *table, const char *text, bool *out_is_new);
void interned_free(struct interned *table);

/* perfetto_stacks.c: write call stacks in Perfetto's format, each of them once. */

/* Initialise with `analysis` set and the rest zeroed. */
struct perfetto_stacks {
	const struct analysis *analysis;
	struct interned stacks, frames, functions, paths;
	bool is_out_of_memory;
};

/*
 * Return the number of a stack of the bundle; 0 if `stack` is 0. If it is new, append its frames,
 * functions and files to `interned`, a message InternedData. Errors set is_out_of_memory.
 */
uint64_t perfetto_stack(struct perfetto_stacks *stacks, uint32_t stack, struct protobuf *interned);
void perfetto_stacks_free(struct perfetto_stacks *stacks);

#endif
