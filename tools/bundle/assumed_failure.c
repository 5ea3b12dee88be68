/*
 * assumed_failure.c - the failure that a process never saw. By default the driver kills a process
 * after it has written a core dump, before any call returns the error. The dump shows which error
 * it would have been.
 */
#include "bundle/bundle_parts.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/coredump_flags.h"
#include "base/failure_class.h"
#include "command/message.h"
#include "coredump/gpu_exceptions.h"
#include "view/record_walk.h"

struct failure_file {
	struct file_header header;
	struct failure_row row;
};

/* True if the dump has one of the bundle's contexts. Otherwise it is another process's. */
static bool is_of_bundle(const struct bundle *bundle)
{
	uint64_t n_contexts = bundle->view.tables[JOURNAL_CONTEXTS].n_rows;
	struct gpu_cursor cursor = {0, 0};
	struct gpu_row row;
	struct gpu_context context;
	while (gpu_next(&bundle->coredump->dump, GPU_TABLE_CONTEXT, &cursor, &row)) {
		gpu_read_context(&row, &context);
		for (uint32_t id = 1; id <= n_contexts && id < UINT32_MAX; id++) {
			if (view_context(&bundle->view, id)->handle == context.handle)
				return true;
		}
	}
	return false;
}

/* The failure happened at the end of the journal. */
static void read_end(const struct bundle_view *view, struct failure_row *row)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk)) {
		if (walk.record.sequence > row->sequence)
			row->sequence = walk.record.sequence;
		if (walk.record.time_ns > row->time_ns)
			row->time_ns = walk.record.time_ns;
	}
}

/*
 * Assume the worst: it is not recorded whether syncs were watched, or whether work passed unseen.
 */
static uint32_t assumed_flags(const struct bundle *bundle, int32_t code)
{
	const struct coredump_use use = {.are_on = true};
	return coredump_flags_for(use, &bundle->coredump->fault, code) | FAILURE_STREAMS_LOST;
}

void bundle_assume_failure(struct bundle *bundle)
{
	int32_t code = gpu_fault_result(&bundle->coredump->fault);
	if (view_failure(&bundle->view) || bundle->n_contents == BUNDLE_MAX_FILES ||
	    !gpu_fault_is_any(&bundle->coredump->fault) || !is_of_bundle(bundle))
		return;
	struct failure_file *file = calloc(1, sizeof(*file));
	if (!file)
		return;
	file->header = (struct file_header){.magic = JOURNAL_MAGIC,
					    .kind = JOURNAL_FAILURE,
					    .header_size = sizeof(file->header),
					    .row_size = sizeof(file->row),
					    .capacity = 1,
					    .n_rows = 1};
	file->row = (struct failure_row){.code = code, .flags = assumed_flags(bundle, code)};
	read_end(&bundle->view, &file->row);
	if (bundle_view_add(&bundle->view, file, sizeof(*file), NULL) != 0) {
		free(file);
		return;
	}
	bundle->contents[bundle->n_contents++] = file;
	message("%s: the process ended before it saw an error; the core dump tells of %s",
		bundle->path, failure_name(code));
}
