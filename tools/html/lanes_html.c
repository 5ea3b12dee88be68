/*
 * lanes_html.c - draw a row for each lane, a box for each submission or run of submissions, and an
 * arrow for each event wait. The x axis is the order of submission; GPU times are not measured.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_labels.h"
#include "report/report_names.h"

/* Pixels in the picture's own size. page.js has the same numbers. */
enum { LEFT = 220, WIDTH = 860, ROW = 34, BAR = 20, TOP = 26, RIGHT = 40, MIN_GAP = 4 };
enum { MAX_BOXES = 4000, MAX_ARROWS = 200, NS_PER_MICROSECOND = 1000 };

/* A run of submissions in one lane and state that is not drawn yet. If n is 0, there is no run. */
struct run {
	size_t first;
	size_t last;
	size_t n;
};

struct drawing {
	const struct html_report *report;
	const struct timeline *timeline;
	const struct lanes_window *window;
	FILE *out;
	size_t n_columns;
	size_t n_boxes;
	struct run *runs; /* by lane */
};

const char *html_state_class(enum timeline_state state)
{
	static const char *const classes[N_TIMELINE_STATES] = {
		[TIMELINE_UNKNOWN] = "s-unknown",     [TIMELINE_FINISHED] = "s-finished",
		[TIMELINE_RUNNING] = "s-running",     [TIMELINE_STARTED] = "s-begun",
		[TIMELINE_STARTABLE] = "s-startable", [TIMELINE_WAITING] = "s-waiting",
		[TIMELINE_REJECTED] = "s-refused",    [TIMELINE_LATE] = "s-late",
	};
	return classes[state];
}

const char *html_suspect_label(const struct html_report *report)
{
	if (!analysis_has_failure(report->analysis))
		return "may have been running";
	return report->analysis->verdict->class >= VERDICT_LIKELY ? "culprit" : "suspect";
}

static unsigned x_of(const struct drawing *drawing, size_t index)
{
	return LEFT + (unsigned)((index - drawing->window->first) * WIDTH / drawing->n_columns);
}

static unsigned y_of(size_t lane)
{
	return TOP + (unsigned)lane * ROW;
}

/* Print "#77 scatter_add, thread 12, 12 us before the failure". */
static void print_work(const struct drawing *drawing, const struct timeline_work *work)
{
	const struct report *model = &drawing->report->analysis->report;
	char name[HTML_SHORT_SIZE];
	struct text text = text_in(name, sizeof(name));
	uint64_t failed_ns = model->verdict->failure.time_ns;
	html_print(drawing->out, "#%ju ", (uintmax_t)work->sequence);
	struct journal_record record;
	if (timeline_record(drawing->timeline, work, &record)) {
		report_work_name(model, &record, true, &text);
		html_print(drawing->out, "%s", name);
	}
	html_print(drawing->out, ", thread %u", work->tid);
	if (failed_ns >= work->time_ns)
		html_print(drawing->out, ", %ju us before the failure",
			   (uintmax_t)((failed_ns - work->time_ns) / NS_PER_MICROSECOND));
}

static void print_title(const struct drawing *drawing, const struct run *run)
{
	const struct timeline_work *first = &drawing->timeline->works[run->first];
	const struct timeline_work *last = &drawing->timeline->works[run->last];
	html_print(drawing->out, "<title>");
	if (run->n == 1)
		print_work(drawing, first);
	else
		html_print(drawing->out, "#%ju to #%ju: %zu submissions",
			   (uintmax_t)first->sequence, (uintmax_t)last->sequence, run->n);
	html_print(drawing->out, ", %s%s%s</title>",
		   timeline_state_text((enum timeline_state)first->state),
		   first->suspect ? ": " : "",
		   first->suspect ? html_suspect_label(drawing->report) : "");
}

static void draw_run(struct drawing *drawing, const struct run *run)
{
	const struct timeline_work *work = &drawing->timeline->works[run->first];
	unsigned x = x_of(drawing, run->first);
	unsigned width = x_of(drawing, run->last + 1) - x;
	unsigned gap = width > MIN_GAP ? 1 : 0;
	if (drawing->n_boxes++ >= MAX_BOXES && !work->suspect)
		return;
	html_print(
		drawing->out, "<rect class=\"%s%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\">",
		html_state_class((enum timeline_state)work->state), work->suspect ? " suspect" : "",
		x, y_of(work->lane), width > gap ? width - gap : 1, BAR);
	print_title(drawing, run);
	html_print(drawing->out, "</rect>\n");
	if (work->suspect == 1)
		html_print(drawing->out,
			   "<text class=\"mark\" x=\"%u\" y=\"%u\">\xe2\x96\xbc #%ju</text>\n",
			   x + width / 2, y_of(work->lane) - 3, (uintmax_t)work->sequence);
}

static bool continues_run(const struct drawing *drawing, const struct run *run,
			  const struct timeline_work *work)
{
	const struct timeline_work *before = &drawing->timeline->works[run->last];
	return run->n && drawing->window->is_merged && before->state == work->state &&
	       !before->suspect && !work->suspect;
}

static void draw_works(struct drawing *drawing)
{
	for (size_t i = drawing->window->first; i <= drawing->window->last; i++) {
		const struct timeline_work *work = &drawing->timeline->works[i];
		struct run *run = &drawing->runs[work->lane];
		if (work->lane >= HTML_MAX_LANES)
			continue;
		if (continues_run(drawing, run, work)) {
			run->last = i;
			run->n++;
			continue;
		}
		if (run->n)
			draw_run(drawing, run);
		*run = (struct run){.first = i, .last = i, .n = 1};
	}
	for (size_t lane = 0; lane < drawing->timeline->n_lanes; lane++)
		if (drawing->runs[lane].n)
			draw_run(drawing, &drawing->runs[lane]);
}

/* Return a submission's index; window->last + 1 if it is not in the window. */
static size_t find_work(const struct drawing *drawing, uint64_t sequence)
{
	size_t low = drawing->window->first;
	size_t high = drawing->window->last + 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (drawing->timeline->works[middle].sequence < sequence)
			low = middle + 1;
		else
			high = middle;
	}
	return low <= drawing->window->last && drawing->timeline->works[low].sequence == sequence
		       ? low
		       : drawing->window->last + 1;
}

static void draw_arrow(const struct drawing *drawing, const struct timeline_edge *edge)
{
	size_t from = find_work(drawing, edge->from);
	size_t to = find_work(drawing, edge->to);
	unsigned y1 = y_of(edge->from_lane) + (edge->to_lane > edge->from_lane ? BAR : 0);
	unsigned y2 = y_of(edge->to_lane) + (edge->to_lane > edge->from_lane ? 0 : BAR);
	html_print(drawing->out,
		   "<line class=\"wait\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\" "
		   "marker-end=\"url(#arrow)\"><title>#%ju waits for #%ju</title></line>\n",
		   x_of(drawing, from + 1), y1, x_of(drawing, to), y2, (uintmax_t)edge->to,
		   (uintmax_t)edge->from);
}

static bool is_in(const struct drawing *drawing, uint64_t sequence, uint32_t lane)
{
	return lane < HTML_MAX_LANES && find_work(drawing, sequence) <= drawing->window->last;
}

static void draw_arrows(const struct drawing *drawing)
{
	size_t n = 0;
	for (size_t i = 0; i < drawing->timeline->n_edges && n < MAX_ARROWS; i++) {
		const struct timeline_edge *edge = &drawing->timeline->edges[i];
		if (!is_in(drawing, edge->from, edge->from_lane) ||
		    !is_in(drawing, edge->to, edge->to_lane))
			continue;
		draw_arrow(drawing, edge);
		n++;
	}
}

static void draw_labels(const struct drawing *drawing, size_t n_lanes)
{
	for (size_t lane = 0; lane < n_lanes; lane++) {
		char label[HTML_SHORT_SIZE];
		struct text text = text_in(label, sizeof(label));
		report_stream_label(&drawing->report->analysis->report,
				    drawing->timeline->lanes[lane].stream, &text);
		html_print(drawing->out,
			   "<text class=\"lane\" x=\"0\" y=\"%u\">%zu %s<title>%s: %ju "
			   "submissions</title></text>\n",
			   y_of(lane) + BAR - 5, lane + 1, label, label,
			   (uintmax_t)drawing->timeline->lanes[lane].n);
	}
}

static void draw(struct drawing *drawing, const char *id, const char *title)
{
	size_t n_lanes = drawing->timeline->n_lanes < HTML_MAX_LANES ? drawing->timeline->n_lanes
								     : HTML_MAX_LANES;
	html_print(drawing->out,
		   "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><svg "
		   "id=\"r%u-%s\" role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %u\">\n",
		   title, drawing->report->number, id, title, LEFT + WIDTH + RIGHT, y_of(n_lanes));
	draw_labels(drawing, n_lanes);
	html_print(drawing->out, "<g>\n");
	draw_works(drawing);
	if (!drawing->window->is_merged)
		draw_arrows(drawing);
	html_print(drawing->out, "</g></svg></div>\n");
	if (drawing->n_boxes > MAX_BOXES)
		html_print(drawing->out, "<p class=\"note\">There are too many changes of state "
					 "to draw; the end is left out.</p>\n");
}

void html_lanes(const struct html_report *report, const struct lanes_window *window, const char *id,
		const char *title)
{
	struct run *runs = calloc(report->timeline.n_lanes + 1, sizeof(*runs));
	struct drawing drawing = {.report = report,
				  .timeline = &report->timeline,
				  .window = window,
				  .out = report->out,
				  .n_columns = window->last - window->first + 1,
				  .runs = runs};
	if (runs && window->last < report->timeline.n_works)
		draw(&drawing, id, title);
	free(runs);
}
