/*
 * stack_view.c - reads the native and Python frames of a stack from the nodes of the call trees.
 */
#include "view/bundle_view.h"

/* Return the innermost native node: the stack itself, or the native part of one with Python. */
static uint32_t native_stack(const struct bundle_view *view, uint32_t stack_id)
{
	const struct stack_row *row = view_stack(view, stack_id);
	if (!row || row->module != STACK_PYTHON)
		return stack_id;
	return row->parent < stack_id ? row->parent : 0;
}

/* True if the id's row was reused. */
static bool is_gone(const struct bundle_view *view, uint32_t id)
{
	const struct view_rows *rows = &view->tables[JOURNAL_STACKS];
	bool has_turned = rows->newest > rows->capacity || rows->n_reused > 0;
	return id != 0 && id <= rows->newest && has_turned && !view_stack(view, id);
}

size_t view_stack_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			 size_t max)
{
	uint32_t id = native_stack(view, stack_id);
	const struct stack_row *row = view_stack(view, id);
	size_t n_frames = 0;
	while (row && row->module != STACK_END && n_frames < max) {
		out_ids[n_frames++] = id;
		if (row->parent >= id)
			break;
		id = row->parent;
		row = view_stack(view, id);
	}
	return n_frames;
}

uint32_t view_stack_end(const struct bundle_view *view, uint32_t stack_id)
{
	uint32_t id = native_stack(view, stack_id);
	const struct stack_row *row = view_stack(view, id);
	while (row && row->module != STACK_END && row->parent < id) {
		id = row->parent;
		row = view_stack(view, id);
	}
	uint32_t end = view->tables[JOURNAL_STACKS].lost > 0 ? STACK_END_FULL : 0;
	if (row && row->module == STACK_END)
		end |= (uint32_t)row->offset & (N_STACK_ENDS - 1);
	if (is_gone(view, id))
		end |= STACK_END_GONE;
	return end;
}

size_t view_python_frames(const struct bundle_view *view, uint32_t stack_id, uint32_t *out_ids,
			  size_t max)
{
	const struct stack_row *stack = view_stack(view, stack_id);
	bool is_python = stack && stack->module == STACK_PYTHON && stack->offset <= UINT32_MAX;
	uint32_t id = is_python ? (uint32_t)stack->offset : 0;
	const struct python_frame_row *row = view_python_frame(view, id);
	size_t n_frames = 0;
	while (row && n_frames < max) {
		out_ids[n_frames++] = id;
		if (row->parent >= id)
			break;
		id = row->parent;
		row = view_python_frame(view, id);
	}
	return n_frames;
}
