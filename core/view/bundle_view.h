/*
 * bundle_view.h - a read-only, checked view of a bundle's binary files. The files may be live in
 * the failing process, or bytes that a tool has read. Ids, counts and sizes are foreign: they are
 * checked at each use, and a bad one reads as "none".
 */
#ifndef CULPRIT_VIEW_BUNDLE_VIEW_H
#define CULPRIT_VIEW_BUNDLE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/journal_format.h"

enum { VIEW_MAX_RINGS = 4096 };

/* The rows of one file, already checked to be inside its bytes. */
struct view_rows {
	const unsigned char *first; /* NULL: file absent */
	size_t row_size;
	uint64_t n_rows;   /* tables: published rows; rings: slots, written or not */
	uint64_t capacity; /* rows before it wraps; above n_rows if the file was cut short */
	uint64_t lost;
	uint64_t newest; /* turning tables: the newest id; else 0 */
	uint64_t n_reused;
	uint64_t owed; /* rings: see file_header; value when the file was added; else 0 */
};

struct memory_blocks; /* memory/memory_blocks.h */
struct memory_index;  /* memory/memory_index.h */

/*
 * All files of one bundle. The bytes belong to the caller and must outlive the view. A live view
 * holds the tables' counts of one moment; ring rows are checked by their commit words.
 */
struct bundle_view {
	struct view_rows tables[N_JOURNAL_FILES]; /* by enum journal_file; JOURNAL_RING unused */
	struct view_rows rings[VIEW_MAX_RINGS];   /* by slot */
	uint32_t n_rings;                         /* one past the highest slot seen */
	const struct memory_index
		*memory_index; /* of ranges; owned by the caller; NULL: not made */
	const struct memory_blocks
		*memory_blocks; /* from an allocator; owned by the caller, or NULL */
	bool is_redacted;       /* of kernel arguments, only pointers to known memory are kept */
};

/*
 * Add the file whose whole content is `bytes`, which must be aligned to 8 (as from malloc or mmap).
 * A second file of the same kind or slot replaces the first. A file that was cut short is accepted
 * with its whole rows, and *out_cut is set to true (may be NULL).
 *
 * Returns 0; -EBADMSG: not a bundle file, or its header contradicts itself; -EPROTONOSUPPORT:
 * written by an incompatible version; -ENOSPC: slot out of range. On failure the view is unchanged.
 * Any thread, one at a time per view.
 */
int bundle_view_add(struct bundle_view *view, const void *bytes, size_t size, bool *out_cut);

/*
 * Return row `id` of a table, or NULL. A thread is found by its tid; the newest one with that tid
 * counts. In a running process, read members that journal_format.h calls live with view_live. Any
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
const struct rejection_row *view_rejection(const struct bundle_view *view, uint32_t id);
const struct fault_row *view_fault(const struct bundle_view *view, uint32_t id);
const struct code_address_row *view_code_address(const struct bundle_view *view, uint32_t id);
const struct failure_row *view_failure(const struct bundle_view *view);
const struct channel_row *view_channel(const struct bundle_view *view, uint32_t id);
const struct image_row *view_image(const struct bundle_view *view, uint32_t id);
const struct check_row *view_check(const struct bundle_view *view, uint32_t id);
const struct graph_check_row *view_graph_check(const struct bundle_view *view, uint32_t id);
const struct kernel_state_row *view_kernel_state(const struct bundle_view *view, uint32_t id);
const struct stack_check_row *view_stack_check(const struct bundle_view *view);
const struct wait_row *view_wait(const struct bundle_view *view, uint32_t id);

/*
 * Return the summary row of one source of faults: `kind` is FAULT_EVENTS_READ, FAULT_STATES_READ or
 * FAULT_MMU_LIST_READ. NULL: that source said nothing, and its silence proves nothing. Any thread.
 */
const struct fault_row *view_fault_summary(const struct bundle_view *view, enum fault_kind kind);

/* True for the row of a rejected allocation, which is only reported at the end of a run. */
bool view_rejection_is_memory(const struct bundle_view *view, const struct rejection_row *row);

/* Return the newest snapshot, and its readings by number, from 1; NULL if there is none. */
const struct snapshot_row *view_snapshot(const struct bundle_view *view);
const struct reading_row *view_reading(const struct bundle_view *view, uint32_t number);

/*
 * Return the current id of row `place` (1 to n_rows) of a table; 0 if there is none, or the row is
 * being rewritten. Use it to walk all rows. Any thread.
 */
uint32_t view_id_at(const struct bundle_view *view, enum journal_file file, uint32_t place);

/* Load a live 64-bit member with acquire order, to match its writer's release or relaxed store. */
uint64_t view_live(const uint64_t *member);

/*
 * Return how often rows of a live file have been reused; `bytes` is the file. If the number is the
 * same before and after rows are read, none of them was reused meanwhile. Any thread.
 */
uint64_t view_reuses(const void *bytes);

/* Return the string's bytes, NUL-terminated, and its length; "" and 0 for id 0 or a bad id. */
const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length);

/*
 * Copy range `id` into *out as one consistent row, although the process may free it or reuse the
 * row meanwhile. False if there is no such row, or it is being reused. Any thread.
 */
bool view_range_copy(const struct bundle_view *view, uint32_t id, struct range_row *out);

/*
 * Copy a graph or a node of a graph in the same way. False if there is no such row, or it is being
 * written. A reused row has another number than the reference to it. Any thread.
 */
bool view_graph_copy(const struct bundle_view *view, uint32_t id, struct graph_row *out);
bool view_graph_node_copy(const struct bundle_view *view, uint32_t id, struct graph_node_row *out);

/*
 * Write up to `max` ids of a stack's native nodes into out_ids, innermost first. Returns their
 * number. A parent is always older than its child, so its id is smaller. The walk stops at an id
 * that is not, so a cycle cannot trap it. Any thread.
 */
size_t view_stack_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			 size_t max);

/* Return why the stack may be incomplete: enum stack_end bits; 0: it is complete. Any thread. */
uint32_t view_stack_end(const struct bundle_view *view, uint32_t stack_id);

/* The same for a stack's Python frames: ids in python-frames. Returns 0 if it has no Python. */
size_t view_python_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			  size_t max);

/* Return a code's line table of *out_size bytes; NULL and 0 if it is missing or cut. Any thread. */
const uint8_t *view_python_lines(const struct bundle_view *view, const struct python_code_row *code,
				 size_t *out_size);

const struct whole_arguments_row *view_whole_arguments_row(const struct bundle_view *view,
							   uint32_t id);

/*
 * Copy up to `capacity` bytes of the parameters of the launch in *record from whole-arguments into
 * `out`. Returns how many bytes there are; 0: none. Safe against the process writing meanwhile. Any
 * thread.
 */
size_t view_whole_arguments(const struct bundle_view *view, const struct journal_record *record,
			    void *out, size_t capacity);

/* Return an image's bytes, image->size of them; NULL if they were not recorded. Any thread. */
const void *view_image_bytes(const struct bundle_view *view, const struct image_row *image);

/*
 * Copy the committed record at `position` (from 0, below rings[slot].n_rows) of ring `slot` into
 * *out. False if the record is torn, overwritten or was never written, or there is no such
 * position. Safe against the ring's owner writing meanwhile.
 */
bool view_record(const struct bundle_view *view, uint32_t slot, uint64_t position,
		 struct journal_record *out);

/*
 * Return how many positions of ring `slot`, from 0 on, can hold records. A ring that has not
 * wrapped is empty after its newest record. Any thread.
 */
uint64_t view_written(const struct bundle_view *view, uint32_t slot);

/*
 * Return the position of the oldest record of ring `slot`; 0 for an empty ring. Positions from
 * there on, modulo view_written(), are in the order in which the thread wrote them. Any thread.
 */
uint64_t view_oldest(const struct bundle_view *view, uint32_t slot);

/*
 * Copy up to `capacity` argument bytes of the launch in *record, which came from view_record, into
 * `out`. Returns how many there are: all, if whole-arguments still has them, else up to
 * record->launch.argument_bytes.
 */
size_t view_arguments(const struct bundle_view *view, uint32_t slot,
		      const struct journal_record *record, void *out, size_t capacity);

#endif
