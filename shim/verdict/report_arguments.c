/*
 * report_arguments.c - the parameters of a launch: how its function declares them, what bytes were
 * kept, and what memory the pointers among them point to.
 */
#include "report.h"

#include <string.h>

/* A pointer this close behind a range was probably meant to be inside it. */
enum { CLOSE_BEHIND = 4096 };

static void set_layout(const struct bundle_view *view, uint32_t function,
		       struct launch_arguments *out)
{
	out->function = view_function(view, function);
	out->n = 0;
	out->is_layout_known = out->function && out->function->n_parameters != UINT32_MAX;
	if (out->is_layout_known)
		out->n = out->function->n_parameters;
}

void report_read_arguments(const struct bundle_view *view, const struct submission *submission,
			   struct launch_arguments *out)
{
	const struct journal_record *record = &submission->record;
	bool is_kernel = record->work == WORK_KERNEL;

	set_layout(view, is_kernel ? record->launch.function : 0, out);
	out->n_bytes = is_kernel ? view_arguments(view, submission->slot, record, out->bytes,
						  sizeof(out->bytes))
				 : 0;
}

void report_read_node_arguments(const struct bundle_view *view, const struct graph_node_row *node,
				struct launch_arguments *out)
{
	bool is_kernel = node->work == WORK_KERNEL;
	size_t n_bytes = node->argument_bytes < sizeof(node->arguments) ? node->argument_bytes
									: sizeof(node->arguments);

	set_layout(view, is_kernel ? node->function : 0, out);
	out->n_bytes = is_kernel ? n_bytes : 0;
	memcpy(out->bytes, node->arguments, out->n_bytes);
}

/* The members of a value that the journal kept whole; integers are little-endian, as on the GPU. */
static void read_value(const struct launch_arguments *arguments, struct argument *argument)
{
	if (argument->offset > arguments->n_bytes ||
	    argument->size > arguments->n_bytes - argument->offset)
		return;
	argument->bytes = arguments->bytes + argument->offset;
	if (argument->size == 0 || argument->size > sizeof(argument->value))
		return;
	memcpy(&argument->value, argument->bytes, argument->size);
	argument->has_value = true;
}

bool report_argument(const struct bundle_view *view, const struct launch_arguments *arguments,
		     uint32_t index, struct argument *out)
{
	const struct parameter_row *parameter;

	if (index >= arguments->n || arguments->function->first_parameter > UINT32_MAX - index)
		return false;
	parameter = view_parameter(view, arguments->function->first_parameter + index);
	if (!parameter)
		return false;
	*out = (struct argument){
		.index = index, .offset = parameter->offset, .size = parameter->size};
	read_value(arguments, out);
	if (out->has_value && out->size == sizeof(out->value))
		out->place = report_find_range(view, out->value, &out->range, &out->distance);
	return true;
}

static enum place place_of(const struct range_row *range, uint64_t address, uint64_t *out_distance)
{
	uint64_t distance = address - range->start;

	if (address < range->start)
		return PLACE_NONE;
	*out_distance = distance;
	if (distance < range->size)
		return range->state == RANGE_LIVE ? PLACE_INSIDE : PLACE_FREED;
	*out_distance = distance - range->size;
	return range->state == RANGE_LIVE && *out_distance < CLOSE_BEHIND ? PLACE_PAST : PLACE_NONE;
}

/* Inside a live range beats inside a freed one beats behind one; then the newer range wins. */
static bool is_better(enum place place, const struct range_row *range, enum place best,
		      const struct range_row *best_range)
{
	if (place == PLACE_NONE || best == PLACE_NONE)
		return place != PLACE_NONE;
	return place != best ? place < best : range->number > best_range->number;
}

enum place report_find_range(const struct bundle_view *view, uint64_t address,
			     struct range_row *out_range, uint64_t *out_distance)
{
	uint64_t n_ranges = view->tables[JOURNAL_RANGES].n_rows;
	enum place best = PLACE_NONE;

	static_assert(PLACE_INSIDE < PLACE_FREED && PLACE_FREED < PLACE_PAST, "best first");
	for (uint64_t id = 1; id <= n_ranges && id <= UINT32_MAX && address != 0; id++) {
		struct range_row range;
		uint64_t distance;
		enum place place;

		if (!view_range_copy(view, (uint32_t)id, &range))
			continue;
		place = place_of(&range, address, &distance);
		if (is_better(place, &range, best, out_range)) {
			best = place;
			*out_range = range;
			*out_distance = distance;
		}
	}
	return best;
}
