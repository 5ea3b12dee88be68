/*
 * timeline_html.c - choose what the lanes show, and print the legend and the lanes as a table.
 */
#include "html/html_parts.h"

#include "report/report_labels.h"

/* The close-up shows this many submissions before and after the culprit. */
enum { BEFORE = 40, AFTER = 80 };

size_t html_lane_of(const struct html_report *report, uint32_t stream)
{
	size_t n = report->timeline.n_works ? report->timeline.n_lanes : 0;
	for (size_t lane = 0; lane < n && lane < HTML_MAX_LANES; lane++)
		if (stream && report->timeline.lanes[lane].stream == stream)
			return lane;
	return HTML_MAX_LANES;
}

static void print_legend(const struct html_report *report)
{
	bool is_there[N_TIMELINE_STATES] = {false};
	for (size_t i = 0; i < report->timeline.n_works; i++)
		is_there[report->timeline.works[i].state] = true;
	html_print(report->out, "<ul class=\"legend\">\n");
	for (int state = 0; state < N_TIMELINE_STATES; state++)
		if (is_there[state])
			html_print(report->out,
				   "<li><svg width=\"22\" height=\"14\" aria-hidden=\"true\"><rect "
				   "class=\"%s\" x=\"1\" y=\"1\" width=\"20\" height=\"12\"></rect>"
				   "</svg>%s</li>\n",
				   html_state_class((enum timeline_state)state),
				   timeline_state_text((enum timeline_state)state));
	if (report->analysis->verdict->n_suspects)
		html_print(report->out,
			   "<li><svg width=\"22\" height=\"14\" aria-hidden=\"true\"><rect "
			   "class=\"s-startable suspect\" x=\"1\" y=\"1\" width=\"20\" "
			   "height=\"12\"></rect></svg>%s</li>\n",
			   html_suspect_label(report));
	html_print(report->out, "</ul>\n");
}

static size_t find_first_suspect(const struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->n_works; i++)
		if (timeline->works[i].suspect == 1)
			return i;
	return timeline->n_works - 1;
}

static struct lanes_window closer_window(const struct timeline *timeline)
{
	size_t middle = find_first_suspect(timeline);
	size_t last = timeline->n_works - 1;
	return (struct lanes_window){.first = middle > BEFORE ? middle - BEFORE : 0,
				     .last = last - middle > AFTER ? middle + AFTER : last};
}

/* Print the lanes as a table: the stream, and its first and last submission. */
static void print_lanes(const struct html_report *report)
{
	html_print(report->out, "<table><caption>Lanes</caption><thead><tr><th>lane</th><th>stream"
				"</th><th>submissions</th><th>from</th><th>to</th></tr></thead>"
				"<tbody>\n");
	for (size_t lane = 0; lane < report->timeline.n_lanes && lane < HTML_MAX_LANES; lane++) {
		const struct timeline_lane *row = &report->timeline.lanes[lane];
		char label[HTML_SHORT_SIZE];
		struct text text = text_in(label, sizeof(label));
		report_stream_label(&report->analysis->report, row->stream, &text);
		html_print(report->out,
			   "<tr id=\"r%u-lane%zu\"><td>%zu</td><td>%s</td><td>%ju</td><td>#%ju</td>"
			   "<td>#%ju</td></tr>\n",
			   report->number, lane, lane + 1, label, (uintmax_t)row->n,
			   (uintmax_t)row->first, (uintmax_t)row->last);
	}
	html_print(report->out, "</tbody></table>\n");
	if (report->timeline.n_lanes > HTML_MAX_LANES)
		html_print(report->out, "<p class=\"note\">%zu more not drawn.</p>\n",
			   report->timeline.n_lanes - HTML_MAX_LANES);
}

void html_timeline(const struct html_report *report)
{
	const struct timeline *timeline = &report->timeline;
	struct lanes_window all = {.last = timeline->n_works - 1, .is_merged = true};
	if (!timeline->n_works)
		return;
	struct lanes_window closer = closer_window(timeline);
	html_print(report->out,
		   "<section class=\"timeline\" id=\"r%u-timeline\"><h2>Streams</h2>\n<p "
		   "class=\"note\">Submissions from left to right in the order in which they were "
		   "made; GPU times are not measured.%s</p>\n",
		   report->number,
		   timeline->is_doubted ? " GPU core dumps were on, so work reported as finished "
					  "may not have finished."
					: "");
	print_legend(report);
	html_lanes(report, &all, "all", "All submissions in the journal, by stream");
	if (closer.first > 0 || closer.last < all.last || timeline->n_works > 1)
		html_lanes(report, &closer, "closer",
			   report->analysis->finding != FINDING_NONE &&
					   report->analysis->verdict->n_suspects
				   ? "Around the first suspect"
				   : "The newest submissions");
	if (report->analysis->verdict->n_suspects > VERDICT_MAX_SUSPECTS)
		html_print(report->out,
			   "<p class=\"note\">The first %d of %ju suspects are marked.</p>\n",
			   VERDICT_MAX_SUSPECTS, (uintmax_t)report->analysis->verdict->n_suspects);
	html_works(report, &closer);
	print_lanes(report);
	html_print(report->out, "</section>\n");
}
