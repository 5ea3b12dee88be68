/*
 * bundle_builder.h - builds synthetic bundles in memory, for tests of everything that reads them.
 * It keeps the shim's promises (ordinals, sequence numbers, commit words) so that a test says only
 * what happened; a test that wants a broken bundle changes rows or bytes afterwards.
 *
 * Ends the program when memory is short: it is for tests.
 */
#ifndef CULPRIT_TESTS_BUNDLE_BUILDER_H
#define CULPRIT_TESTS_BUNDLE_BUILDER_H

#include "base/journal_format.h"
#include "view/bundle_view.h"

enum { BUILDER_MAX_RINGS = 64 };

struct builder_file {
	unsigned char *bytes; /* header and rows; NULL: not started */
	size_t size;
};

struct bundle_builder {
	struct builder_file tables[N_JOURNAL_FILES];
	struct builder_file rings[BUILDER_MAX_RINGS];
	uint32_t ring_tids[BUILDER_MAX_RINGS];
	uint64_t ring_rows[BUILDER_MAX_RINGS]; /* written so far, wrapped ones included */
	uint32_t n_rings;
	uint64_t ring_capacity;
	uint64_t sequence; /* newest submission */
	uint64_t time_ns;  /* one microsecond for each row */
};

/* Builders are plain values: begin, fill, view or write, end. */
void builder_begin(struct bundle_builder *builder, uint64_t ring_capacity);
void builder_end(struct bundle_builder *builder);

/*
 * Adds `n` zeroed rows to a table. Returns the first one and its id; valid until the next of its
 * kind.
 */
void *builder_rows(struct bundle_builder *builder, enum journal_file kind, uint64_t n,
		   uint32_t *out_id);

/* Rows; each returns its id. */
uint32_t builder_string(struct bundle_builder *builder, const char *string);
uint32_t builder_thread(struct bundle_builder *builder, uint32_t tid, const char *name);
uint32_t builder_context(struct bundle_builder *builder, uint32_t device, const char *device_name);
uint32_t builder_stream(struct bundle_builder *builder, uint32_t context, enum stream_kind kind,
			uint32_t flags, uint64_t handle);
uint32_t builder_function(struct bundle_builder *builder, const char *name, uint32_t n_parameters,
			  const uint32_t *sizes);
uint32_t builder_module(struct bundle_builder *builder, const char *path, uint64_t start,
			uint64_t end);
uint32_t builder_stack(struct bundle_builder *builder, uint32_t parent, uint32_t module,
		       uint64_t offset);
uint32_t builder_range(struct bundle_builder *builder, uint64_t start, uint64_t size,
		       uint32_t stack);

/* A row, to change it; valid until the next one of its kind is added. */
struct stream_row *builder_stream_row(struct bundle_builder *builder, uint32_t id);
struct function_row *builder_function_row(struct bundle_builder *builder, uint32_t id);
struct range_row *builder_range_row(struct bundle_builder *builder, uint32_t id);
struct context_row *builder_context_row(struct bundle_builder *builder, uint32_t id);
struct fault_row *builder_fault_row(struct bundle_builder *builder, uint32_t id);
struct failure_row *builder_failure_row(struct bundle_builder *builder);

/*
 * A record in the ring of thread `tid`, to be filled further; valid until the ring wraps over it.
 * Submissions get the next sequence number and the next ordinal of their stream, and result 0;
 * kernels the grid and block (1,1,1).
 */
struct journal_record *builder_submit(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				      enum work_kind work);
struct journal_record *builder_record(struct bundle_builder *builder, uint32_t tid,
				      enum record_kind kind);

/* A kernel launch with argument bytes. */
struct journal_record *builder_launch(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				      uint32_t function, const void *arguments, uint32_t size);

/* `stream`, after what it has so far, waits for `source` up to `ordinal`. */
struct journal_record *builder_wait(struct bundle_builder *builder, uint32_t tid, uint32_t stream,
				    uint32_t source, uint64_t ordinal);

/* The call never queued its work: its stream's newest ordinal is released. */
void builder_reject(struct bundle_builder *builder, struct journal_record *record, int32_t result);

/* The call has not returned: the stream has not counted its work yet. */
void builder_pend(struct bundle_builder *builder, struct journal_record *record);

/*
 * The thread's oldest submission that gets its ordinal later. It is in the thread's ring, or was.
 */
void builder_owe(struct bundle_builder *builder, uint32_t tid, uint64_t sequence);

/* Lets milliseconds pass. */
void builder_time(struct bundle_builder *builder, uint64_t ms);

void builder_sync(struct bundle_builder *builder, uint32_t stream, uint64_t ordinal,
		  const char *call);
void builder_mark(struct bundle_builder *builder, uint32_t stream, uint64_t ordinal);
struct failure_row *builder_fail(struct bundle_builder *builder, int32_t code, uint32_t tid,
				 const char *call);

/* Fills the view with all files. The bytes stay the builder's. */
void builder_view(const struct bundle_builder *builder, struct bundle_view *view);

#endif
