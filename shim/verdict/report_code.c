/*
 * report_code.c - names of kernels and lines of stacks. Where code comes from is asked of the
 * report's symbol source; here it is filtered and shortened for people.
 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

enum { MAX_STACK_NODES = 256, MAX_INLINED = 8 };

static const char anonymous[] = "(anonymous namespace)";

static bool has_prefix(const char *string, const char *prefix)
{
	return strncmp(string, prefix, strlen(prefix)) == 0;
}

/*
 * The part of a C++ name between return type and parameters: ends at the first '(' outside <>,
 * starts behind the last space before it outside <>.
 */
static void find_bare_name(const char *name, const char **out_start, const char **out_end)
{
	int depth = 0;

	*out_start = name;
	for (*out_end = name; **out_end != '\0'; ++*out_end) {
		char c = **out_end;

		if (depth == 0 && has_prefix(*out_end, anonymous))
			*out_end += sizeof(anonymous) - 2;
		else if (c == '<')
			depth++;
		else if (c == '>' && depth > 0)
			depth--;
		else if (depth == 0 && c == ' ')
			*out_start = *out_end + 1;
		else if (depth == 0 && c == '(')
			return;
	}
}

static void add_outside_brackets(const char *at, const char *end, struct text *out)
{
	int depth = 0;

	while (at < end) {
		const char *run = at;

		while (at < end && *at != '<' && *at != '>')
			at++;
		if (depth == 0)
			text_add_foreign(out, run, (size_t)(at - run));
		if (at < end && *at++ == '<')
			depth++;
		else if (depth > 0)
			depth--;
	}
}

/* Without template arguments. Operators' names have brackets of their own: left as they are. */
static void add_short_name(const char *name, struct text *out)
{
	const char *start;
	const char *end;

	find_bare_name(name, &start, &end);
	if (strstr(name, "operator") || start == end)
		text_add_foreign(out, name, strlen(name));
	else
		add_outside_brackets(start, end, out);
}

static void add_kernel_name(const struct report *report, const struct journal_record *record,
			    bool is_short, struct text *out)
{
	const struct function_row *function = view_function(report->view, record->launch.function);
	const struct symbol_source *symbols = report->symbols;
	size_t length = 0;
	const char *name = function ? view_string(report->view, function->name, &length) : "";
	const char *readable = length > 0 && symbols && symbols->demangle
				       ? symbols->demangle(symbols->state, name)
				       : NULL;

	if (length == 0)
		text_addf(out, "the kernel 0x%" PRIx64, function ? function->handle : 0);
	else if (!readable)
		text_add_foreign(out, name, length);
	else if (is_short)
		add_short_name(readable, out);
	else
		text_add_foreign(out, readable, strlen(readable));
}

void report_work_name(const struct report *report, const struct journal_record *record,
		      bool is_short, struct text *out)
{
	size_t length;
	const char *call = view_string(report->view, record->call, &length);

	if (record->work == WORK_KERNEL)
		add_kernel_name(report, record, is_short, out);
	else if (record->work == WORK_GRAPH)
		text_addf(out, "graph 0x%" PRIx64 ", replay %" PRIu64, record->graph.handle,
			  record->graph.replay);
	else if (length > 0)
		text_add_foreign(out, call, length);
	else
		text_add(out, "an unknown call");
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool report_is_plumbing(const char *module_path, const char *function)
{
	static const char *const modules[] = {"libculprit.so", "libcuda.so", "libcudart.so",
					      "libc.so", "libpthread.so"};
	static const char *const functions[] = {"cudart::", "__cudart", "__device_stub_",
						"cudaLaunch"};

	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++) {
		if (has_prefix(base_name(module_path), modules[i]))
			return true;
	}
	for (size_t i = 0; function && i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (has_prefix(function, functions[i]))
			return true;
	}
	return function && strcmp(function, "_start") == 0;
}

struct frame_place {
	const char *module_path; /* "" if none */
	uint64_t offset;
};

/* "launcher.c:88 launch", "launch (libx.so)", "libx.so+0x12ab" or "0x12ab": what is known. */
static void add_frame(const struct source_frame *frame, const struct frame_place *place,
		      struct text *out)
{
	const char *module = base_name(place->module_path);

	if (frame && frame->file) {
		const char *file = base_name(frame->file);

		text_add_foreign(out, file, strlen(file));
		text_addf(out, ":%" PRIu32 " ", frame->line);
	}
	if (frame && frame->function) {
		add_short_name(frame->function, out);
		if (!frame->file && *module) {
			text_add(out, " (");
			text_add_foreign(out, module, strlen(module));
			text_add(out, ")");
		}
	} else if (!frame || !frame->file) {
		text_add_foreign(out, module, strlen(module));
		text_addf(out, "%s0x%" PRIx64, *module ? "+" : "", place->offset);
	}
}

/* Adds the frames of one node; returns how many. */
static size_t add_node(const struct report *report, uint32_t id, size_t n_before, size_t max,
		       struct text *out)
{
	const struct symbol_source *symbols = report->symbols;
	const struct stack_row *row = view_stack(report->view, id);
	const struct module_row *module = view_module(report->view, row->module);
	struct frame_place place = {view_string(report->view, module ? module->path : 0, NULL),
				    row->offset};
	struct source_frame frames[MAX_INLINED];
	size_t n_frames = 0;
	size_t n_added = 0;

	if (symbols && symbols->frames)
		n_frames = symbols->frames(symbols->state, row->module, module, place.module_path,
					   row->offset, frames, MAX_INLINED);
	for (size_t i = 0; i == 0 || i < n_frames; i++) {
		const struct source_frame *frame = n_frames > 0 ? &frames[i] : NULL;

		if (n_before + n_added == max ||
		    report_is_plumbing(place.module_path, frame ? frame->function : NULL))
			continue;
		text_add(out, n_before + n_added > 0 ? "  <- " : "");
		add_frame(frame, &place, out);
		n_added++;
	}
	return n_added;
}

void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out)
{
	uint32_t ids[MAX_STACK_NODES];
	size_t n_ids = view_stack_frames(report->view, stack, ids, MAX_STACK_NODES);
	size_t n_added = 0;

	for (size_t i = 0; i < n_ids && n_added < max; i++)
		n_added += add_node(report, ids[i], n_added, max, out);
	if (n_added == 0)
		text_add(out, "unknown");
}
