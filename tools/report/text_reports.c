/*
 * text_reports.c - collects reports, and prints them when all are known. Equal reports share one
 * text, which is that of the first failure.
 */
#include "report/text_reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis_text.h"
#include "job/job_survey.h"
#include "report/groups.h"
#include "report/stored.h"

/* One report: its group and its bundle's name. */
struct entry {
	size_t group;
	char *name;
};

/* The text of a group's first failure stands for all of the group. */
struct group_text {
	char *bytes;
	size_t size;
	char key[GROUP_KEY_SIZE];
	uint64_t failed_ns;
};

struct text_reports {
	struct entry *rows;
	size_t n;
	struct group_index index;
	struct group_text *texts; /* by group */
	struct job_survey survey; /* of as many as rows */
};

struct text_reports *text_reports_open(void)
{
	return calloc(1, sizeof(struct text_reports));
}

static int write_text(const struct analysis *analysis, enum report_length length, bool is_stored,
		      struct group_text *text)
{
	FILE *out = open_memstream(&text->bytes, &text->size);
	if (!out)
		return -ENOMEM;
	int result = is_stored ? stored_print_text(analysis->bundle, length, out)
			       : analysis_text_print(analysis, length, out);
	return fclose(out) && !result ? -errno : result;
}

/* Return the number of the key's group, whose text has room, or SIZE_MAX. */
static size_t find_group(struct text_reports *reports, const char *key, bool *out_is_new)
{
	struct group_text *texts =
		reallocarray(reports->texts, reports->index.n + 1, sizeof(*texts));
	if (!texts)
		return SIZE_MAX;
	reports->texts = texts;
	size_t group = group_index_find(&reports->index, key, out_is_new);
	if (group != SIZE_MAX && *out_is_new) {
		texts[group] = (struct group_text){.failed_ns = UINT64_MAX};
		(void)snprintf(texts[group].key, sizeof(texts[group].key), "%s", key);
	}
	return group;
}

static int add_entry(struct text_reports *reports, size_t group, const char *name,
		     const struct analysis *analysis)
{
	struct entry *rows = reallocarray(reports->rows, reports->n + 1, sizeof(*rows));
	char *copy = strdup(name);
	if (rows)
		reports->rows = rows;
	int result = rows && copy ? job_survey_add(&reports->survey, analysis) : -ENOMEM;
	if (result)
		free(copy);
	else
		rows[reports->n++] = (struct entry){group, copy};
	return result;
}

int text_reports_add(struct text_reports *reports, const struct analysis *analysis,
		     enum report_length length, bool is_stored)
{
	bool is_new = false;
	struct group_label label;
	group_label_make(analysis, &label);
	size_t group = find_group(reports, label.key, &is_new);
	if (group == SIZE_MAX)
		return -ENOMEM;
	struct group_text *text = &reports->texts[group];
	if (is_new || (label.failed_ns && label.failed_ns < text->failed_ns)) {
		struct group_text own = {.bytes = NULL};
		int result = write_text(analysis, length, is_stored, &own);
		if (result) {
			free(own.bytes);
			return result;
		}
		free(text->bytes);
		text->bytes = own.bytes;
		text->size = own.size;
		text->failed_ns = label.failed_ns;
	}
	return add_entry(reports, group, label.name, analysis);
}

int text_reports_add_text(struct text_reports *reports, const char *text, size_t size)
{
	bool is_new = false;
	size_t group = find_group(reports, "", &is_new);
	if (group == SIZE_MAX)
		return -ENOMEM;
	reports->texts[group].bytes = strndup(text, size);
	reports->texts[group].size = size;
	return reports->texts[group].bytes ? add_entry(reports, group, "", NULL) : -ENOMEM;
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
		const struct entry *entry = &reports->rows[order[index]];
		const struct group_text *text = &reports->texts[entry->group];
		struct group_label label = {.failed_ns = 0};
		memcpy(label.key, text->key, sizeof(label.key));
		(void)snprintf(label.name, sizeof(label.name), "%s", entry->name);
		result = groups_add(groups, &label, text->bytes, text->size);
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
		free(reports->rows[row].name);
	for (size_t group = 0; group < reports->index.n; group++)
		free(reports->texts[group].bytes);
	free(reports->rows);
	free(reports->texts);
	group_index_free(&reports->index);
	job_survey_free(&reports->survey);
	free(reports);
}
