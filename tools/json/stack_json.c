/*
 * stack_json.c - native and Python stacks as JSON, with the frames that the text report leaves out.
 */
#include "json/json_parts.h"

#include "base/text.h"
#include "report/report_runtime_frames.h"
#include "report/report_stack.h"
#include "view/python_frame.h"
#include "json/json_values.h"

enum { STACK_MAX = 256, FRAMES_MAX = 32, PROBLEM_SIZE = 256, NOTES_MAX = 4 };

static json_t *number_or_null(uint32_t number)
{
	return number ? json_count(number) : json_null();
}

static json_t *build_id_to_json(const struct module_row *module)
{
	uint32_t size = module ? module->build_id_size : 0;
	return size ? json_bytes(module->build_id, size < BUILD_ID_MAX ? size : BUILD_ID_MAX)
		    : json_null();
}

/* Convert a native frame; `path` is NULL if it is in no module. */
static json_t *frame_to_json(const struct source_frame *frame, const struct module_row *module,
			     const char *path, const char *problem, uint64_t offset,
			     bool is_generated)
{
	bool is_runtime_frame = is_generated || report_is_library_header(frame) ||
				report_is_runtime_frame(path ? path : "", frame);
	return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:o, s:o, s:o, s:o}", "function",
			 json_foreign(frame->function), "file", json_foreign(frame->file), "line",
			 number_or_null(frame->line), "column", number_or_null(frame->column),
			 "inlined", frame->is_inlined, "plumbing", is_runtime_frame, "interpreter",
			 report_is_interpreter(path ? path : ""), "module", json_foreign(path),
			 "build_id", build_id_to_json(module), "offset", json_handle(offset),
			 "problem", json_foreign(problem));
}

/* Append the frames of one call tree node, or one frame without names if there are no symbols. */
static void add_node(const struct analysis *analysis, uint32_t node, struct stub_walk *walk,
		     json_t *stack)
{
	const struct bundle_view *view = analysis->report.view;
	const struct stack_row *row = view_stack(view, node);
	const struct module_row *module = row ? view_module(view, row->module) : NULL;
	const char *path = module ? view_string(view, module->path, NULL) : "";
	struct source_frame frames[FRAMES_MAX] = {{0}};
	const char *problem = NULL;
	if (!row)
		return;
	size_t n = symbols_frames(analysis->symbols, row->module, module, path, row->offset, frames,
				  FRAMES_MAX);
	if (!n) {
		problem = module ? symbols_module_problem(analysis->symbols, row->module)
				 : "the address is in no known module";
		n = 1;
	}
	for (size_t index = 0; index < n; index++) {
		bool is_generated =
			report_is_generated(walk, analysis->report.symbols, &frames[index]);
		json_array_append_new(stack,
				      frame_to_json(&frames[index], module, module ? path : NULL,
						    problem, row->offset, is_generated));
	}
}

/* If the stack is incomplete, append a frame without names whose problem says so. */
static void add_stack_end(const struct analysis *analysis, uint32_t stack, json_t *array)
{
	static const struct source_frame nothing;
	char words[PROBLEM_SIZE];
	struct text text = text_in(words, sizeof(words));
	if (report_stack_end(view_stack_end(analysis->report.view, stack), &text))
		json_array_append_new(array, frame_to_json(&nothing, NULL, NULL, words, 0, false));
}

json_t *stack_to_json(const struct analysis *analysis, uint32_t stack)
{
	uint32_t nodes[STACK_MAX];
	size_t n = view_stack_frames(analysis->report.view, stack, nodes, STACK_MAX);
	struct stub_walk walk = {""};
	json_t *array = json_array();
	for (size_t index = 0; index < n; index++)
		add_node(analysis, nodes[index], &walk, array);
	add_stack_end(analysis, stack, array);
	return array;
}

static const char *origin_word(enum python_origin origin)
{
	switch (origin) {
	case PYTHON_USER:
		return "user";
	case PYTHON_GENERATED:
		return "generated";
	default:
		return "library";
	}
}

static json_t *python_text_to_json(struct python_text text)
{
	return text.length > 0 ? json_foreign_bytes(text.bytes, text.length) : json_null();
}

static json_t *notes_to_json(const struct analysis *analysis, const struct python_frame *frame)
{
	json_t *array = json_array();
	size_t n = 0;
	const char *notes[NOTES_MAX];
	if (frame->origin == PYTHON_GENERATED && frame->line > 0)
		n = symbols_notes(analysis->symbols, frame->file.bytes, frame->line, notes,
				  NOTES_MAX);
	for (size_t index = 0; index < n; index++)
		json_array_append_new(array, json_foreign(notes[index]));
	return array;
}

static json_t *python_frame_to_json(const struct analysis *analysis, uint32_t id)
{

	const char *problem = python_frame_is_cut(analysis->report.view, id)
				      ? "outer frames left out: too deep"
				      : NULL;
	struct python_frame frame;
	python_frame_read(analysis->report.view, id, &frame);
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:s?}", "function",
			 python_text_to_json(frame.function), "file",
			 python_text_to_json(frame.file), "line", number_or_null(frame.line),
			 "first_line", number_or_null(frame.first_line), "origin",
			 origin_word(frame.origin), "package", python_text_to_json(frame.package),
			 "notes", notes_to_json(analysis, &frame), "problem", problem);
}

json_t *python_stack_to_json(const struct analysis *analysis, uint32_t stack)
{
	uint32_t frames[STACK_MAX];
	size_t n = view_python_frames(analysis->report.view, stack, frames, STACK_MAX);
	json_t *array = json_array();
	for (size_t index = 0; index < n; index++)
		json_array_append_new(array, python_frame_to_json(analysis, frames[index]));
	return array;
}
