/*
 * dump_rows.c - print the tables of a bundle, one row on each line.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

#include "base/bundle_names.h"
#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "view/python_frame.h"

typedef void (*row_dumper)(FILE *out, const struct bundle_view *view, uint32_t id);

static void dump_strings(FILE *out, const struct bundle_view *view)
{
	uint64_t n_rows = view->tables[JOURNAL_STRINGS].n_rows;
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX;) {
		size_t length = 0;
		view_string(view, (uint32_t)id, &length);
		fprintf(out, "string %" PRIu64 ": ", id);
		dump_string(out, view, (uint32_t)id);
		fputc('\n', out);
		/* Skip the length word, the bytes and the NUL. */
		id += (sizeof(uint32_t) + length + 1 + STRING_UNIT - 1) / STRING_UNIT;
	}
}

static void dump_thread(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct view_rows *rows = &view->tables[JOURNAL_THREADS];
	/* Read the row directly: the view finds only the newest thread of a reused tid. */
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
	if (row->primary)
		fprintf(out, " primary=%" PRIu32, row->primary);
	if (row->flags & CONTEXT_LACKS_HOST_MEMORY)
		fputs(" lacks=host-memory", out);
	if (row->flags & CONTEXT_USES_HOST_TABLES)
		fputs(" tables=host", out);
	if (row->flags & CONTEXT_IS_SHARED)
		fputs(" shared=mps", out);
	if (row->flags >> CONTEXT_CAPABILITY_SHIFT)
		fprintf(out, " sm=%" PRIu32, row->flags >> CONTEXT_CAPABILITY_SHIFT);
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
	if (row->flags & STREAM_FROZEN)
		fprintf(out, " submitted_then=%" PRIu64 " synced_then=%" PRIu64,
			row->submitted_then, row->synced_then);
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
	if (row->image == IMAGE_UNSEEN)
		fputs(" image=unseen", out);
	else if (row->image)
		fprintf(out, " image=%d", row->image);
}

static void dump_parameter(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct parameter_row *row = view_parameter(view, id);
	fprintf(out, "offset=%" PRIu32 " size=%" PRIu32, row->offset, row->size);
}

static void dump_stack_end(FILE *out, uint64_t end)
{
	static const char *const words[] = {"limit", "no-module", "no-rules", "no-frame",
					    "borrowed"};
	const char *before = "end=";
	for (unsigned bit = 0; bit < sizeof(words) / sizeof(words[0]); bit++) {
		if (end >> bit & 1) {
			fprintf(out, "%s%s", before, words[bit]);
			before = "|";
		}
	}
}

static void dump_stack(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct stack_row *row = view_stack(view, id);
	if (row->module == STACK_PYTHON) {
		fprintf(out, "native=%" PRIu32 " python=%" PRIu64, row->parent, row->offset);
		return;
	}
	if (row->module == STACK_END) {
		dump_stack_end(out, row->offset);
		return;
	}
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

static void dump_failure(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct failure_row *row = view_failure(view);
	(void)id; /* the table has one row */
	fprintf(out, "code=%" PRId32 " call=", row->code);
	dump_string(out, view, row->call);
	fprintf(out,
		" tid=%" PRIu32 " stack=%" PRIu32 " stream=%" PRIu32 " flags=0x%" PRIx32
		" sequence=#%" PRIu64 " cleanups=%" PRIu64 " sticky=%" PRIu64,
		row->tid, row->stack, row->stream, row->flags, row->sequence, row->n_cleanups,
		row->n_sticky);
	dump_time(out, "time", row->time_ns);
}

static void dump_stack_check(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct stack_check_row *row = view_stack_check(view);
	(void)id; /* the table has one row */
	fprintf(out,
		"checks=%" PRIu64 " unlike_full=%" PRIu64 " unlike_other=%" PRIu64
		" first=%" PRIu64,
		row->n_checks, row->n_unlike_full, row->n_unlike_other, row->first_stack);
}

static void dump_python_frame(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct python_frame_row *row = view_python_frame(view, id);
	struct python_frame frame;
	python_frame_read(view, id, &frame);
	fprintf(out, "parent=%" PRIu32 " code=%" PRIu32 " position=%" PRIu32 " line=", row->parent,
		row->code, row->position);
	if (frame.line > 0)
		fprintf(out, "%" PRIu32, frame.line);
	else
		fputc('?', out);
}

static void dump_python_code(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct python_code_row *row = view_python_code(view, id);
	fputs("name=", out);
	dump_string(out, view, row->name);
	fputs(" file=", out);
	dump_string(out, view, row->file);
	fprintf(out, " line=%" PRIu32 " python=%d.%d lines=%" PRIu32 "+%" PRIu32 "%s",
		row->first_line, row->version >> 8, row->version & 0xff, row->lines,
		row->lines_size, row->is_lines_cut ? " cut" : "");
}

static void dump_graph(FILE *out, const struct bundle_view *view, uint32_t id)
{
	struct graph_row row;
	if (!view_graph_copy(view, id, &row)) {
		fputs("number=-", out);
		return;
	}
	fprintf(out,
		"number=%" PRIu64 " handle=0x%" PRIx64 " first=%" PRIu32 " nodes=%" PRIu32
		" flags=0x%" PRIx32 " stack=%" PRIu32,
		row.number, row.handle, row.first, row.n_nodes, row.flags, row.stack);
	if (row.n_markers)
		fprintf(out, " marked=%" PRIu32 "/%" PRIu32 " interval=%" PRIu32 "%s", row.marked,
			row.n_markers, row.marker_interval, row.is_linear ? " linear" : "");
}

static void dump_node_kernel(FILE *out, const struct graph_node_row *row)
{
	fprintf(out,
		" function=%" PRIu32 " grid=(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") block=(%" PRIu32
		",%" PRIu32 ",%" PRIu32 ") shared=%" PRIu32 " arguments=",
		row->function, row->grid[0], row->grid[1], row->grid[2], row->block[0],
		row->block[1], row->block[2], row->shared_bytes);
	for (uint32_t i = 0; i < row->argument_bytes && i < sizeof(row->arguments); i++)
		fprintf(out, "%02x", row->arguments[i]);
}

static void dump_graph_node(FILE *out, const struct bundle_view *view, uint32_t id)
{
	struct graph_node_row row;
	if (!view_graph_node_copy(view, id, &row)) {
		fputs("number=-", out);
		return;
	}
	fprintf(out,
		"number=%" PRIu64 " index=%" PRIu32 " version=%" PRIu32 " handle=0x%" PRIx64
		" next=%" PRIu32 " older=%" PRIu32 " holder=%" PRIu32
		" work=%s source=%s flags=0x%x stack=%" PRIu32,
		row.number, row.index, row.version, row.handle, row.next, row.older, row.holder,
		row.work == NODE_WORK_NONE ? "none" : report_work_label(row.work),
		report_node_origin(&row), row.flags, row.stack);
	if (row.work == WORK_KERNEL)
		dump_node_kernel(out, &row);
}

static void dump_channel(FILE *out, const struct bundle_view *view, uint32_t id)
{
	static const char *const trust[] = {"unchecked", "trusted", "refused"};
	const struct channel_row *row = view_channel(view, id);
	uint32_t known = row->trust < sizeof(trust) / sizeof(*trust);
	fprintf(out,
		"object=0x%" PRIx64 " context=%" PRIu32 " index=%" PRIu32
		" trust=%s checks=%" PRIu32,
		row->object, row->context, row->index, known ? trust[row->trust] : "?",
		row->n_checks);
	if (row->checked)
		fprintf(out, " checked=%" PRIu32, row->checked);
	if (row->compared_ns) {
		fprintf(out, " apart_ns=%" PRId64, row->apart_ns);
		dump_time(out, "compared", row->compared_ns);
	}
	if (row->is_read)
		fprintf(out, " begun=%" PRIu32 " gpu_ns=%" PRIu64, row->started,
			row->started_gpu_ns);
}

/* Print the size of the arguments; a report decodes their bytes. */
static void dump_whole_arguments(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct whole_arguments_row *row = view_whole_arguments_row(view, id);
	fprintf(out, "tid=%" PRIu32 " size=%" PRIu32, row->tid, row->size);
	dump_time(out, "time", row->time_ns);
}

static void dump_image(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct image_row *row = view_image(view, id);
	fprintf(out, "size=%" PRIu64, row->size);
	if (row->module)
		fprintf(out, " module=%" PRIu32 " offset=0x%" PRIx64, row->module, row->offset);
	if (row->path) {
		fputs(" path=", out);
		dump_string(out, view, row->path);
		fprintf(out, " changed=%" PRIu64, row->changed_ns);
	}
	if (row->bytes)
		fprintf(out, " bytes=%" PRIu32, row->bytes);
}

static void dump_kernel_state(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct kernel_state_row *row = view_kernel_state(view, id);
	fprintf(out, "stream=%" PRIu32, row->stream);
	if (row->is_read)
		fprintf(out, " value=%" PRIu32, row->value);
}

static void dump_host_mapping(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct host_mapping_row *row = view_host_mapping(view, id);
	fprintf(out, "start=0x%" PRIx64 " end=0x%" PRIx64 " name=", row->start, row->end);
	dump_string(out, view, row->name);
}

static void dump_rejection(FILE *out, const struct bundle_view *view, uint32_t id)
{
	const struct rejection_row *row = view_rejection(view, id);
	fprintf(out, "stack=%" PRIu32 " result=%" PRId32 " n=%" PRIu64 " call=", row->stack,
		row->result, view_live(&row->count));
	dump_string(out, view, row->call);
	fputs(" subject=", out);
	dump_string(out, view, row->subject);
	fputs(" rule=", out);
	dump_string(out, view, row->rule);
}

static const struct {
	const char *word;
	row_dumper dump;
} tables[] = {
	[JOURNAL_THREADS] = {"thread", dump_thread},
	[JOURNAL_CONTEXTS] = {"context", dump_context},
	[JOURNAL_STREAMS] = {"stream", dump_stream},
	[JOURNAL_FUNCTIONS] = {"function", dump_function},
	[JOURNAL_PARAMETERS] = {"parameter", dump_parameter},
	[JOURNAL_STACKS] = {"stack", dump_stack},
	[JOURNAL_MODULES] = {"module", dump_module},
	[JOURNAL_RANGES] = {"range", dump_range},
	[JOURNAL_FAILURE] = {"failure", dump_failure},
	[JOURNAL_STACK_CHECKS] = {"stack-check", dump_stack_check},
	[JOURNAL_CHANNELS] = {"channel", dump_channel},
	[JOURNAL_IMAGES] = {"image", dump_image},
	[JOURNAL_IMAGE_BYTES] = {NULL, NULL},
	[JOURNAL_WHOLE_ARGUMENTS] = {"arguments", dump_whole_arguments},
	[JOURNAL_KERNEL_STATES] = {"kernel-state", dump_kernel_state},
	[JOURNAL_WAITS] = {"wait", dump_wait},
	[JOURNAL_SNAPSHOTS] = {"look", dump_snapshot},
	[JOURNAL_HOST_MAPPINGS] = {"host-mapping", dump_host_mapping},
	[JOURNAL_REJECTIONS] = {"refusal", dump_rejection},
	[JOURNAL_FAULTS] = {"fault", dump_fault},
	[JOURNAL_CODE_ADDRESSES] = {"code-address", dump_code_address},
	[JOURNAL_CHECKS] = {"check", dump_check},
	[JOURNAL_GRAPH_CHECKS] = {"graph-check", dump_graph_check},
	[JOURNAL_PYTHON_FRAMES] = {"python-frame", dump_python_frame},
	[JOURNAL_PYTHON_CODES] = {"python-code", dump_python_code},
	[JOURNAL_GRAPHS] = {"graph", dump_graph},
	[JOURNAL_GRAPH_NODES] = {"graph-node", dump_graph_node},
};
static_assert(sizeof(tables) / sizeof(tables[0]) == N_JOURNAL_FILES, "one for each kind");

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
	/* Tables of raw bytes have no rows to print; rows of other tables refer to the bytes. */
	if (!tables[kind].dump)
		return;
	for (uint64_t place = 1; place <= rows->n_rows && place <= UINT32_MAX; place++) {
		uint32_t id = view_id_at(view, kind, (uint32_t)place);
		/* Skip a row that is being rewritten. */
		if (!id)
			continue;
		fprintf(out, "%s %" PRIu32 ": ", tables[kind].word, id);
		tables[kind].dump(out, view, id);
		fputc('\n', out);
	}
}
