/*
 * list_metrics.c - group rows by what is the same in all runs of a mistake.
 */
#include "report/list_metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files/input.h"
#include "hardware/hardware_json.h"
#include "hardware/hardware_story.h"

struct group {
	struct list_row row; /* of the first bundle */
	const char *points_to;
	uint64_t n;
	int64_t newest; /* seconds since 1970; 0: not known */
};

struct list_metrics {
	struct group *groups;
	size_t n;
	uint64_t n_unreadable;
};

/* The labels, with the cells that they are made of. */
static const struct {
	const char *name;
	enum list_column column;
} labels[] = {
	{"program", LIST_PROGRAM},
	{"error", LIST_ERROR},
	{"verdict", LIST_VERDICT},
	{"fingerprint", LIST_FINGERPRINT},
};
enum { N_LABELS = sizeof(labels) / sizeof(labels[0]) };

struct list_metrics *list_metrics_open(void)
{
	return calloc(1, sizeof(struct list_metrics));
}

void list_metrics_close(struct list_metrics *metrics)
{
	if (metrics)
		free(metrics->groups);
	free(metrics);
}

/* Return what the bundle's GPUs point to, "" if nothing is known. */
static const char *find_cause(const char *path)
{
	const struct hardware_span span = {.is_moment = true};
	struct hardware_story story = {.cause = CAUSE_NONE};
	int directory_fd = input_open_directory(path);
	if (directory_fd < 0)
		return "";
	struct hardware *hardware = hardware_read(directory_fd);
	close(directory_fd);
	if (hardware)
		hardware_story_find(hardware, &span, &story);
	free(hardware);
	const char *word = hardware_cause_label(story.cause);
	return word ? word : "";
}

/* Read "2026-11-22T15:09:36.123456Z". */
static int64_t seconds_of(const char *when)
{
	struct tm broken_down = {.tm_sec = 0};
	const char *end = strptime(when, "%Y-%m-%dT%H:%M:%S", &broken_down);
	return end ? (int64_t)timegm(&broken_down) : 0;
}

static bool is_alike(const struct group *group, const struct list_row *row, const char *points_to)
{
	for (size_t i = 0; i < N_LABELS; i++)
		if (strcmp(group->row.cells[labels[i].column], row->cells[labels[i].column]) != 0)
			return false;
	return !strcmp(group->points_to, points_to);
}

static struct group *find_group(struct list_metrics *metrics, const struct list_row *row,
				const char *points_to)
{
	for (size_t i = 0; i < metrics->n; i++)
		if (is_alike(&metrics->groups[i], row, points_to))
			return &metrics->groups[i];
	struct group *groups =
		reallocarray(metrics->groups, metrics->n + 1, sizeof(*metrics->groups));
	if (!groups)
		return NULL;
	metrics->groups = groups;
	struct group *group = &groups[metrics->n++];
	*group = (struct group){.row = *row, .points_to = points_to};
	return group;
}

int list_metrics_add(struct list_metrics *metrics, const struct list_row *row)
{
	struct group *group = find_group(metrics, row, find_cause(row->cells[LIST_BUNDLE]));
	if (!group)
		return -ENOMEM;
	int64_t when = seconds_of(row->cells[LIST_WHEN]);
	group->n++;
	if (when > group->newest)
		group->newest = when;
	return 0;
}

void list_metrics_add_unreadable(struct list_metrics *metrics)
{
	metrics->n_unreadable++;
}

static void print_label(const char *name, const char *value, FILE *out)
{
	fprintf(out, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			fputc('\\', out);
		fputc(*value, out);
	}
	fputc('"', out);
}

static void print_labels(const struct group *group, FILE *out)
{
	for (size_t i = 0; i < N_LABELS; i++) {
		fputc(i ? ',' : '{', out);
		print_label(labels[i].name, group->row.cells[labels[i].column], out);
	}
	fputc(',', out);
	print_label("points_to", group->points_to, out);
	fputc('}', out);
}

void list_metrics_print(const struct list_metrics *metrics, FILE *out)
{
	fputs("# HELP culprit_bundles Bundles of culprit that are there now, by mistake.\n"
	      "# TYPE culprit_bundles gauge\n",
	      out);
	for (size_t i = 0; i < metrics->n; i++) {
		fputs("culprit_bundles", out);
		print_labels(&metrics->groups[i], out);
		fprintf(out, " %" PRIu64 "\n", metrics->groups[i].n);
	}
	fprintf(out,
		"# HELP culprit_unreadable_bundles Bundles that could not be read.\n"
		"# TYPE culprit_unreadable_bundles gauge\n"
		"culprit_unreadable_bundles %" PRIu64 "\n",
		metrics->n_unreadable);
	fputs("# HELP culprit_newest_failure_timestamp_seconds Time of the newest of these "
	      "failures.\n"
	      "# TYPE culprit_newest_failure_timestamp_seconds gauge\n",
	      out);
	for (size_t i = 0; i < metrics->n; i++) {
		if (!metrics->groups[i].newest)
			continue;
		fputs("culprit_newest_failure_timestamp_seconds", out);
		print_labels(&metrics->groups[i], out);
		fprintf(out, " %" PRId64 "\n", metrics->groups[i].newest);
	}
}
