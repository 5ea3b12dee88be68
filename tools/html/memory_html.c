/*
 * memory_html.c - draw a bar for each pointer: its allocation with the pointer's position in it,
 * and the allocations next to it with their distances.
 */
#include "html/html_parts.h"

#include <inttypes.h>

/* Pixels. The allocation is in the middle, its neighbours are at the sides. */
enum { SIDE = 180, GAP = 90, MIDDLE = 440, BAR = 26, TOP = 22, MAX_FRAMES = 3 };

struct neighbours {
	struct range_row before; /* size 0: no neighbour */
	struct range_row after;
};

static uint64_t end_of(const struct range_row *range)
{
	return range->size > UINT64_MAX - range->start ? UINT64_MAX : range->start + range->size;
}

/* Find the nearest live allocations before and after `of`. */
static void find_neighbours(const struct bundle_view *view, const struct range_row *of,
			    struct neighbours *out)
{
	uint64_t n = view->tables[JOURNAL_RANGES].n_rows;
	*out = (struct neighbours){{0}, {0}};
	struct range_row row;
	for (uint32_t place = 1; place <= n && place < UINT32_MAX; place++) {
		if (!view_range_copy(view, view_id_at(view, JOURNAL_RANGES, place), &row) ||
		    row.state != RANGE_LIVE || row.size == 0)
			continue;
		if (end_of(&row) <= of->start &&
		    (!out->before.size || end_of(&row) > end_of(&out->before)))
			out->before = row;
		if (row.start >= end_of(of) && (!out->after.size || row.start < out->after.start))
			out->after = row;
	}
}

static void print_neighbour(FILE *out, const struct range_row *row, uint64_t gap, unsigned x,
			    unsigned gap_x)
{
	if (!row->size)
		return;
	html_print(out,
		   "<rect class=\"m-other\" x=\"%u\" y=\"%d\" width=\"%d\" height=\"%d\"></rect>"
		   "<text class=\"small\" x=\"%u\" y=\"%d\">#%ju, %ju bytes</text>"
		   "<text class=\"small gap\" x=\"%u\" y=\"%d\">%ju apart</text>\n",
		   x, TOP, SIDE, BAR, x + 6, TOP + 17, (uintmax_t)row->number, (uintmax_t)row->size,
		   gap_x, TOP + 17, (uintmax_t)gap);
}

/* Return the pointer's x coordinate in the picture. */
static unsigned pointer_x(const struct argument *argument)
{
	const unsigned left = SIDE + GAP;
	const struct range_row *range = &argument->range;
	if (argument->place == PLACE_PAST)
		return left + MIDDLE + 12;
	if (!range->size || argument->distance >= range->size)
		return left + MIDDLE;
	return left + (unsigned)((double)argument->distance / (double)range->size * MIDDLE);
}

static void print_picture(const struct html_report *report, const struct argument *argument)
{
	const struct range_row *range = &argument->range;
	FILE *out = report->out;
	unsigned x = pointer_x(argument);
	bool is_freed = argument->place == PLACE_FREED || argument->place == PLACE_IN_FLIGHT;
	struct neighbours neighbours;
	find_neighbours(report->analysis->report.view, range, &neighbours);
	html_print(out,
		   "<svg role=\"img\" aria-label=\"Memory around argument %u\" viewBox=\"0 0 %d "
		   "%d\">\n",
		   argument->index, 2 * SIDE + 2 * GAP + MIDDLE, TOP + BAR + 16);
	print_neighbour(out, &neighbours.before, range->start - end_of(&neighbours.before), 0,
			SIDE + 6);
	print_neighbour(out, &neighbours.after, neighbours.after.start - end_of(range),
			SIDE + 2 * GAP + MIDDLE, SIDE + GAP + MIDDLE + 16);
	html_print(out,
		   "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"></rect>"
		   "<text class=\"small\" x=\"%d\" y=\"%d\">#%ju%s, %ju bytes</text>"
		   "<text class=\"small\" x=\"%d\" y=\"%d\">0x%jx</text>"
		   "<path class=\"pointer\" d=\"M%u %d l-5 -8 h10 z M%u %d v%d\"></path>"
		   "<text class=\"small pointer-text\" x=\"%u\" y=\"%d\">0x%jx</text></svg>\n",
		   is_freed ? "m-freed" : "m-live", SIDE + GAP, TOP, MIDDLE, BAR, SIDE + GAP + 6,
		   TOP + 17, (uintmax_t)range->number, is_freed ? " (freed)" : "",
		   (uintmax_t)range->size, SIDE + GAP, TOP + BAR + 13, (uintmax_t)range->start, x,
		   TOP, x, TOP, BAR, x, 11, (uintmax_t)argument->value);
}

static const char *words_of(const struct page *page, uint64_t index)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		if (page->lines[i].subject == PAGE_OF_ARGUMENT && page->lines[i].number == index)
			return page->lines[i].text;
	return "";
}

static void print_argument(const struct html_report *report, uint32_t index)
{
	html_print(report->out,
		   "<figure id=\"r%u-memory%u\"><figcaption>%s</figcaption>\n<div class=\"scroll\" "
		   "tabindex=\"0\" role=\"region\" aria-label=\"Memory around argument %u\">\n",
		   report->number, index, words_of(report->analysis->page, index),
		   report->analysis->page->arguments[index].index);
	print_picture(report, &report->analysis->page->arguments[index]);
	html_print(report->out, "</div></figure>\n");
}

void html_memory(const struct html_report *report)
{
	const struct page *page = report->analysis->page;
	bool has_section = false;
	for (uint32_t i = 0; i < page->n_arguments; i++) {
		if (page->arguments[i].place == PLACE_NONE)
			continue;
		if (!has_section)
			html_print(
				report->out,
				"<section><h2>Memory</h2>\n<p class=\"note\">The memory around the "
				"pointer arguments. Gaps between allocations are not to "
				"scale.</p>\n");
		has_section = true;
		print_argument(report, i);
	}
	if (has_section)
		html_print(report->out, "</section>\n");
}
