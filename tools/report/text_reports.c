/*
 * text_reports.c - collects reports, and prints them when all are known.
 */
#include "report/text_reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "job/job_survey.h"
#include "report/groups.h"
#include "report/stored.h"

struct entry {
	char *text;
	size_t size;
	struct group_label label; /* key "" without an analysis */
};

struct text_reports {
	struct entry **rows;
	size_t n;
	struct job_survey survey; /* of as many */
};

struct text_reports *text_reports_open(void)
{
	return calloc(1, sizeof(struct text_reports));
}

static void free_entry(struct entry *entry)
{
	if (entry)
		free(entry->text);
	free(entry);
}

/* Takes ownership of the entry. On failure it is freed. */
static int add_entry(struct text_reports *reports, struct entry *entry,
		     const struct analysis *analysis)
{
	struct entry **rows = reallocarray(reports->rows, reports->n + 1, sizeof(*rows));
	int result = rows ? job_survey_add(&reports->survey, analysis) : -ENOMEM;
	if (rows)
		reports->rows = rows;
	if (result)
		free_entry(entry);
	else
		rows[reports->n++] = entry;
	return result;
}

static int write_text(const struct analysis *analysis, bool is_stored, struct entry *entry)
{
	FILE *out = open_memstream(&entry->text, &entry->size);
	if (!out)
		return -ENOMEM;
	int result = is_stored ? stored_print_text(analysis->bundle, out)
			       : analysis_print_text(analysis, out);
	return fclose(out) && !result ? -errno : result;
}

int text_reports_add(struct text_reports *reports, const struct analysis *analysis, bool is_stored)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	int result = entry ? write_text(analysis, is_stored, entry) : -ENOMEM;
	if (result) {
		free_entry(entry);
		return result;
	}
	group_label_make(analysis, &entry->label);
	return add_entry(reports, entry, analysis);
}

int text_reports_add_text(struct text_reports *reports, const char *text, size_t size)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	if (entry)
		entry->text = strndup(text, size);
	if (!entry || !entry->text) {
		free_entry(entry);
		return -ENOMEM;
	}
	entry->size = size;
	return add_entry(reports, entry, NULL);
}

/* Print the headings of jobs, and below them the reports of the ranks that did not only follow. */
static int print_arranged(const struct text_reports *reports, size_t *order, struct groups *groups,
			  FILE *out)
{
	char *heads = NULL;
	size_t size = 0;
	size_t n_told = 0;
	FILE *to = open_memstream(&heads, &size);
	int result = to ? job_survey_arrange(&reports->survey, order, &n_told, to) : -ENOMEM;
	if (to && fclose(to) && !result)
		result = -ENOMEM;
	if (!result && size) {
		fwrite(heads, 1, size, out);
		fputc('\n', out);
	}
	free(heads);
	for (size_t index = 0; index < n_told && !result; index++) {
		const struct entry *entry = reports->rows[order[index]];
		result = groups_add(groups, *entry->label.key ? &entry->label : NULL, entry->text,
				    entry->size);
	}
	return result;
}

int text_reports_print(struct text_reports *reports, FILE *out)
{
	size_t *order = calloc(reports->n + 1, sizeof(*order));
	struct groups *groups = groups_open();
	int result = order && groups ? print_arranged(reports, order, groups, out) : -ENOMEM;
	if (groups)
		groups_print(groups, out);
	groups_close(groups);
	free(order);
	return result;
}

void text_reports_close(struct text_reports *reports)
{
	if (!reports)
		return;
	for (size_t row = 0; row < reports->n; row++)
		free_entry(reports->rows[row]);
	free(reports->rows);
	job_survey_free(&reports->survey);
	free(reports);
}
