/*
 * dump_rows.c - the tables of a bundle, one line for each row.
 */
#include "dump_rows.h"

#include <inttypes.h>

#include "bundle_names.h"
#include "text.h"

typedef void (*row_dumper)(FILE *out, const struct bundle_view *view, uint32_t id);

void dump_string(FILE *out, const struct bundle_view *view, uint32_t id)
{
	char piece[512];
	size_t length;
	const char *bytes = view_string(view, id, &length);
	struct text text = text_in(piece, sizeof(piece));

	if (!id) {
		fputc('-', out);
		return;
	}
	text_add_foreign(&text, bytes, length);
	fprintf(out, "\"%s%s\"", piece, text.cut ? "..." : "");
}

/* A time of CLOCK_MONOTONIC, or - for 0. */
static void dump_time(FILE *out, const char *name, uint64_t ns)
{
	if (ns)
		fprintf(out, " %s=%" PRIu64 ".%09" PRIu64, name, ns / 1000000000, ns % 1000000000);
	else
		fprintf(out, " %s=-", name);
}

static void dump_strings(FILE *out, const struct bundle_view *view)
{
	uint64_t n_rows = view->tables[JOURNAL_STRINGS].n_rows;

	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX;) {
		size_t length;

		view_string(view, (uint32_t)id, &length);
		fprintf(out, "string %" PRIu64 ": ", id);
		dump_string(out, view, (uint32_t)id);
		fputc('\n', out);
		/* Its length word, its bytes, its NUL. */
		id += (sizeof(uint32_t) + length + 1 + STRING_UNIT - 1) / STRING_UNIT;
	}
}

static void dump_thread(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct view_rows *rows = &view->tables[JOURNAL_THREADS];
	/* The view finds threads by tid; every row is wanted here, reused tids included. */
	const struct thread_row *row =
		(const void *)(rows->first + (size_t)(id - 1) * rows->row_size);

	fprintf(out, "tid=%" PRIu32 " name=", row->tid);
	dump_string(out, view, row->name);
	dump_time(out, "start", row->start_ns);
}

static void dump_context(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const markers[] = {"none", "ready", "refused"};
	const struct context_row *row = view_context(view, id);

	fprintf(out, "handle=0x%" PRIx64 " id=%" PRIu64 " device=%" PRIu32 " name=", row->handle,
		row->id, row->device);
	dump_string(out, view, row->device_name);
	fprintf(out, " markers=%s",
		row->markers <= CONTEXT_MARKERS_REFUSED ? markers[row->markers] : "?");
	if (row->markers == CONTEXT_MARKERS_REFUSED)
		fprintf(out, "(%" PRId32 ")", row->marker_result);
	dump_time(out, "destroyed", row->destroyed_ns);
}

static void dump_stream(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const kinds[] = {"legacy", "per-thread", "explicit"};
	const struct stream_row *row = view_stream(view, id);

	fprintf(out, "handle=0x%" PRIx64 " kind=%s context=%" PRIu32 " flags=%s priority=%" PRId32,
		row->handle, row->kind <= STREAM_EXPLICIT ? kinds[row->kind] : "?", row->context,
		row->flags & STREAM_NON_BLOCKING ? "non-blocking" : "-", row->priority);
	fprintf(out,
		" tid=%" PRIu32 " submitted=%" PRIu64 " synced=%" PRIu64 " marked=%" PRIu64
		" synced_by=",
		row->tid, row->submitted, row->synced, row->marked);
	dump_string(out, view, row->synced_by <= UINT32_MAX ? (uint32_t)row->synced_by : 0);
	dump_time(out, "destroyed", row->destroyed_ns);
}

static void dump_function(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct function_row *row = view_function(view, id);

	fprintf(out, "handle=0x%" PRIx64 " module=0x%" PRIx64 " name=", row->handle, row->module);
	dump_string(out, view, row->name);
	if (row->n_parameters == UINT32_MAX)
		fputs(" parameters=?", out);
	else
		fprintf(out, " parameters=%" PRIu32 "+%" PRIu32, row->first_parameter,
			row->n_parameters);
}

static void dump_parameter(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct parameter_row *row = view_parameter(view, id);

	fprintf(out, "offset=%" PRIu32 " size=%" PRIu32, row->offset, row->size);
}

static void dump_stack(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct stack_row *row = view_stack(view, id);

	fprintf(out, "parent=%" PRIu32 " module=%" PRIu32 " offset=0x%" PRIx64, row->parent,
		row->module, row->offset);
}

static void dump_module(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct module_row *row = view_module(view, id);
	uint32_t size = row->build_id_size < BUILD_ID_MAX ? row->build_id_size : BUILD_ID_MAX;

	fprintf(out, "start=0x%" PRIx64 " end=0x%" PRIx64 " bias=0x%" PRIx64 " build_id=%s",
		row->start, row->end, row->bias, size ? "" : "-");
	for (uint32_t index = 0; index < size; index++)
		fprintf(out, "%02x", row->build_id[index]);
	fputs(" path=", out);
	dump_string(out, view, row->path);
}

static void dump_range(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const states[] = {"reused", "live", "freed"};
	struct range_row row;

	if (!view_range_copy(view, id, &row)) {
		fputs("state=reused", out);
		return;
	}
	fprintf(out, "start=0x%" PRIx64 " size=%" PRIu64 " number=%" PRIu64 " call=", row.start,
		row.size, row.number);
	dump_string(out, view, row.call);
	fprintf(out, " stack=%" PRIu32 " context=%" PRIu32 " state=%s", row.stack, row.context,
		row.state <= RANGE_FREED ? states[row.state] : "?");
	if (row.state != RANGE_FREED)
		return;
	fputs(" freed_call=", out);
	dump_string(out, view, row.freed_call);
	fprintf(out, " freed_stack=%" PRIu32 " freed_after=#%" PRIu64, row.freed_stack,
		row.freed_after);
}

static void dump_failure(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct failure_row *row = view_failure(view);

	(void)id; /* there is one */
	fprintf(out, "code=%" PRId32 " call=", row->code);
	dump_string(out, view, row->call);
	fprintf(out,
		" tid=%" PRIu32 " stack=%" PRIu32 " stream=%" PRIu32 " flags=0x%" PRIx32
		" sequence=#%" PRIu64 " cleanups=%" PRIu64 " sticky=%" PRIu64,
		row->tid, row->stack, row->stream, row->flags, row->sequence, row->n_cleanups,
		row->n_sticky);
	dump_time(out, "time", row->time_ns);
}

static const struct {
	const char *word;
	row_dumper dump;
} tables[N_JOURNAL_FILES] = {
	[JOURNAL_THREADS] = {"thread", dump_thread},
	[JOURNAL_CONTEXTS] = {"context", dump_context},
	[JOURNAL_STREAMS] = {"stream", dump_stream},
	[JOURNAL_FUNCTIONS] = {"function", dump_function},
	[JOURNAL_PARAMETERS] = {"parameter", dump_parameter},
	[JOURNAL_STACKS] = {"stack", dump_stack},
	[JOURNAL_MODULES] = {"module", dump_module},
	[JOURNAL_RANGES] = {"range", dump_range},
	[JOURNAL_FAILURE] = {"failure", dump_failure},
};

void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind)
{
	const struct view_rows *rows = &view->tables[kind];

	if (!rows->first)
		return;
	fprintf(out, "# %s: %" PRIu64 " rows, %" PRIu64 " lost\n", journal_file_names[kind],
		rows->n_rows, rows->lost);
	if (kind == JOURNAL_STRINGS) {
		dump_strings(out, view);
		return;
	}
	for (uint64_t id = 1; id <= rows->n_rows && id <= UINT32_MAX; id++) {
		fprintf(out, "%s %" PRIu64 ": ", tables[kind].word, id);
		tables[kind].dump(out, view, (uint32_t)id);
		fputc('\n', out);
	}
}
