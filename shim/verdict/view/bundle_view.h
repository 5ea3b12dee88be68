/*
 * bundle_view.h - a read-only, checked view of a bundle's binary files: live in the failing
 * process, or as bytes that a tool has read. Nothing read here is trusted: ids, counts and sizes
 * are checked at each use, and a bad one reads as "none".
 */
#ifndef CULPRIT_VERDICT_BUNDLE_VIEW_H
#define CULPRIT_VERDICT_BUNDLE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"

enum { VIEW_MAX_RINGS = 4096 };

/* The rows of one file, already checked to lie inside its bytes. */
struct view_rows {
	const unsigned char *first; /* NULL: file absent */
	size_t row_size;
	uint64_t n_rows;   /* tables: published rows; rings: places, written or not */
	uint64_t capacity; /* where it wraps; above n_rows if the file was cut short */
	uint64_t lost;
	uint64_t newest; /* turning tables: the newest id; else 0 */
	uint64_t n_reused;
	uint64_t owed; /* rings: see file_header, as it was when the file was added; else 0 */
};

struct memory_blocks; /* memory/memory_blocks.h */
struct memory_index;  /* memory/memory_index.h */

/*
 * All files of one bundle. The bytes belong to the caller and must outlive the view. A live view is
 * a snapshot of the tables' counts; ring rows are read through their commit words.
 */
struct bundle_view {
	struct view_rows tables[N_JOURNAL_FILES]; /* by enum journal_file; JOURNAL_RING unused */
	struct view_rows rings[VIEW_MAX_RINGS];   /* by slot */
	uint32_t n_rings;                         /* one past the highest slot seen */
	const struct memory_index *memory_index;  /* of ranges, the caller's; NULL: none was made */
	const struct memory_blocks *memory_blocks; /* a pool told of; the caller's, or NULL */
	bool is_redacted; /* of kernels' arguments only the pointers to known memory are there */
};

/*
 * Adds the file whose whole content is `bytes`, which must be aligned to 8 (as from malloc or
 * mmap). 0, or -EBADMSG: not a bundle file, or its header contradicts itself; -EPROTONOSUPPORT:
 * written by an incompatible version; -ENOSPC: slot out of range. A file added twice: the later one
 * counts. A file cut short is accepted with the rows that are whole (*out_cut is then true; may be
 * NULL). On failure the view is unchanged. Any thread, one at a time per view.
 */
int bundle_view_add(struct bundle_view *view, const void *bytes, size_t size, bool *out_cut);

/*
 * Row `id` (1-based) of a table, or NULL; a thread by its tid, the newest of that number. Members
 * that journal_format.h calls live are to be read with view_live in a process that still runs. Any
 * thread.
 */
const struct thread_row *view_thread(const struct bundle_view *view, uint32_t tid);
const struct context_row *view_context(const struct bundle_view *view, uint32_t id);
const struct stream_row *view_stream(const struct bundle_view *view, uint32_t id);
const struct function_row *view_function(const struct bundle_view *view, uint32_t id);
const struct parameter_row *view_parameter(const struct bundle_view *view, uint32_t id);
const struct stack_row *view_stack(const struct bundle_view *view, uint32_t id);
const struct python_frame_row *view_python_frame(const struct bundle_view *view, uint32_t id);
const struct python_code_row *view_python_code(const struct bundle_view *view, uint32_t id);
const struct module_row *view_module(const struct bundle_view *view, uint32_t id);
const struct range_row *view_range(const struct bundle_view *view, uint32_t id);
const struct host_mapping_row *view_host_mapping(const struct bundle_view *view, uint32_t id);
const struct refusal_row *view_refusal(const struct bundle_view *view, uint32_t id);
const struct failure_row *view_failure(const struct bundle_view *view);
const struct channel_row *view_channel(const struct bundle_view *view, uint32_t id);
const struct image_row *view_image(const struct bundle_view *view, uint32_t id);
const struct kernel_state_row *view_kernel_state(const struct bundle_view *view, uint32_t id);
const struct stack_check_row *view_stack_check(const struct bundle_view *view);
const struct wait_row *view_wait(const struct bundle_view *view, uint32_t id);

/* True for the row of a refused allocation, which only the end of a run tells of. */
bool view_refusal_is_memory(const struct bundle_view *view, const struct refusal_row *row);

/* The newest look, and its readings by number, from 1. */
const struct look_row *view_look(const struct bundle_view *view);
const struct reading_row *view_reading(const struct bundle_view *view, uint32_t number);

/*
 * The id of the row that is the place-th of its table now, from 1 to its n_rows; 0: there is none,
 * or it is being rewritten. For those who look at all rows. Any thread.
 */
uint32_t view_id_at(const struct bundle_view *view, enum journal_file file, uint32_t place);

/* A live 64-bit member, now: acquire, matching the release or relaxed store of its writer. */
uint64_t view_live(const uint64_t *member);

/* The string's bytes, NUL-terminated, and its length; "" and 0 for none or a bad id. */
const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length);

/*
 * Copies range `id` into *out as one consistent row, although the process may free it or reuse the
 * row meanwhile. False: no such row, or it is being reused. Any thread.
 */
bool view_range_copy(const struct bundle_view *view, uint32_t id, struct range_row *out);

/*
 * The same of a graph and of a node of one. False: no such row, or it is being written. A row that
 * was used again has another number than the one that led to it. Any thread.
 */
bool view_graph_copy(const struct bundle_view *view, uint32_t id, struct graph_row *out);
bool view_graph_node_copy(const struct bundle_view *view, uint32_t id, struct graph_node_row *out);

/*
 * The native nodes of a stack, innermost first: up to `max` of their ids into out_ids; returns how
 * many. A parent is always older than its child, so its id is smaller: the walk ends where that is
 * not so, and a cycle cannot trap it. Any thread.
 */
size_t view_stack_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			 size_t max);

/* What the stack leaves open: enum stack_end bits, 0 where its outermost node is sure. Any thread.
 */
uint32_t view_stack_end(const struct bundle_view *view, uint32_t stack_id);

/* The Python frames of a stack in the same way: ids in python-frames. 0 where it ran no Python. */
size_t view_python_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			  size_t max);

/* The line table of a code, *out_size bytes; NULL and 0: none, or not all of it. Any thread. */
const uint8_t *view_python_lines(const struct bundle_view *view, const struct python_code_row *code,
				 size_t *out_size);

const struct whole_arguments_row *view_whole_arguments_row(const struct bundle_view *view,
							   uint32_t id);

/*
 * The parameters of the launch in *record from whole-arguments: copies up to `capacity` bytes into
 * `out` and returns how many of them are there, 0: none. Safe against the process writing
 * meanwhile. Any thread.
 */
size_t view_whole_arguments(const struct bundle_view *view, const struct journal_record *record,
			    void *out, size_t capacity);

/* The bytes of an image, as many as its size says; NULL: they were not kept. Any thread. */
const void *view_image_bytes(const struct bundle_view *view, const struct image_row *image);

/*
 * Copies the committed record at `position` (0-based place, below rings[slot].n_rows) of ring
 * `slot` into *out. False: torn, overwritten, never written, or no such place. Safe against the
 * ring's owner writing meanwhile.
 */
bool view_record(const struct bundle_view *view, uint32_t slot, uint64_t position,
		 struct journal_record *out);

/*
 * How many places of ring `slot`, from 0 on, can hold records: a ring that has not wrapped is empty
 * behind its newest one. Any thread.
 */
uint64_t view_written(const struct bundle_view *view, uint32_t slot);

/*
 * The position of the oldest record of ring `slot`: positions from there on, modulo view_written(),
 * are in the order in which its thread wrote them. 0 of an empty ring. Any thread.
 */
uint64_t view_oldest(const struct bundle_view *view, uint32_t slot);

/*
 * The argument bytes of the launch in *record (as view_record gave it): copies up to `capacity`
 * bytes into `out` and returns how many there are: of record->launch.argument_bytes, or of all,
 * where these are still kept.
 */
size_t view_arguments(const struct bundle_view *view, uint32_t slot,
		      const struct journal_record *record, void *out, size_t capacity);

#endif
