/*
 * trace_frames.c - join a stack's Python and native frames in one list.
 */
#include "trace/trace_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/report_runtime_frames.h"
#include "view/python_frame.h"

enum { MAX_INLINED = 16 };

struct frame_list {
	struct trace_frame *rows;
	size_t n;
};

static void copy_text(char *out, const char *bytes, size_t size)
{
	struct text text = text_in(out, TRACE_FRAME_TEXT);
	text_add_foreign(&text, bytes, size);
}

static void add_native(struct frame_list *list, const struct source_frame *source, const char *path,
		       uint64_t offset)
{
	if (list->n == TRACE_MAX_FRAMES)
		return;
	struct trace_frame *frame = &list->rows[list->n++];
	memset(frame, 0, sizeof(*frame));
	struct text text = text_in(frame->function, sizeof(frame->function));
	if (source->function)
		text_add_foreign(&text, source->function, strlen(source->function));
	else
		text_addf(&text, "0x%" PRIx64, offset);
	copy_text(frame->file, source->file ? source->file : path,
		  strlen(source->file ? source->file : path));
	frame->line = source->line;
}

/* Add one node's frames. Return false if it is the Python interpreter, where native frames stop. */
static bool add_node(const struct analysis *analysis, uint32_t node, bool is_within_python,
		     struct frame_list *list)
{
	const struct bundle_view *view = analysis->report.view;
	const struct stack_row *row = view_stack(view, node);
	const struct module_row *module = row ? view_module(view, row->module) : NULL;
	const char *path = module ? view_string(view, module->path, NULL) : "";
	struct source_frame frames[MAX_INLINED] = {{0}};
	if (!row || (is_within_python && report_is_interpreter(path)))
		return false;
	size_t n = symbols_frames(analysis->symbols, row->module, module, path, row->offset, frames,
				  MAX_INLINED);
	for (size_t index = 0; index < (n ? n : 1); index++)
		if (!report_is_runtime_frame(path, &frames[index]))
			add_native(list, &frames[index], path, row->offset);
	return true;
}

static void add_python(const struct analysis *analysis, uint32_t id, struct frame_list *list)
{
	if (list->n == TRACE_MAX_FRAMES || python_frame_is_cut(analysis->report.view, id))
		return;
	struct python_frame frame;
	python_frame_read(analysis->report.view, id, &frame);
	struct trace_frame *out = &list->rows[list->n++];
	memset(out, 0, sizeof(*out));
	copy_text(out->function, frame.function.bytes, frame.function.length);
	copy_text(out->file, frame.file.bytes, frame.file.length);
	out->line = frame.line;
}

size_t trace_frames(const struct analysis *analysis, uint32_t stack, struct trace_frame *out)
{
	const struct bundle_view *view = analysis->report.view;
	uint32_t python[TRACE_MAX_FRAMES];
	size_t n_python = view_python_frames(view, stack, python, TRACE_MAX_FRAMES);
	uint32_t native[TRACE_MAX_FRAMES];
	size_t n_native = view_stack_frames(view, stack, native, TRACE_MAX_FRAMES);
	struct frame_list list = {out, 0};
	for (size_t index = 0; index < n_native; index++)
		if (!add_node(analysis, native[index], n_python > 0, &list))
			break;
	for (size_t index = 0; index < n_python; index++)
		add_python(analysis, python[index], &list);
	return list.n;
}
