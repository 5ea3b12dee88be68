/*
 * json_reports.c - keeps the reports as text, which takes less memory than objects, and adds the
 * job after their last members.
 */
#include "report/json_reports.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "job/job.h"
#include "job/job_survey.h"
#include "json/json_values.h"

struct json_line {
	char *text;
	bool is_whole; /* complete as it was read; otherwise the last brace is missing */
};

struct json_reports {
	FILE *out;
	struct json_line *lines;
	size_t n;
	struct job_survey survey; /* of as many */
};

struct json_reports *json_reports_open(FILE *out)
{
	struct json_reports *reports = calloc(1, sizeof(*reports));
	if (reports)
		reports->out = out;
	return reports;
}

void json_reports_close(struct json_reports *reports)
{
	if (!reports)
		return;
	for (size_t row = 0; row < reports->n; row++)
		free(reports->lines[row].text);
	free(reports->lines);
	job_survey_free(&reports->survey);
	free(reports);
}

/* Return the report as text without its last brace. NULL: out of memory. */
static char *line_of(json_t *report)
{
	char *line = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&line, &size);
	if (!out)
		return NULL;
	json_object_del(report, "job");
	bool is_printed = json_print(report, out);
	if (fclose(out) || !is_printed || !size) {
		free(line);
		return NULL;
	}
	line[size - 1] = '\0';
	return line;
}

static void print_line(const struct json_line *line, const json_t *job, FILE *out)
{
	fputs(line->text, out);
	if (line->is_whole)
		return;
	fputs(", \"job\": ", out);
	if (!job || !json_print(job, out))
		fputs("null", out);
	fputs("}\n", out);
}

/* Takes ownership of the text. A report that belongs to no job is printed if none is kept. */
static int add_line(struct json_reports *reports, struct json_line line,
		    const struct analysis *analysis)
{
	bool is_rank = analysis && process_rank(analysis->bundle->meta).rank;
	if (line.text && !reports->n && !is_rank) {
		print_line(&line, NULL, reports->out);
		free(line.text);
		return 0;
	}
	struct json_line *lines = reallocarray(reports->lines, reports->n + 1, sizeof(*lines));
	int result = line.text && lines ? job_survey_add(&reports->survey, analysis) : -ENOMEM;
	if (lines)
		reports->lines = lines;
	if (result)
		free(line.text);
	else
		lines[reports->n++] = line;
	return result;
}

int json_reports_add(struct json_reports *reports, json_t *report, const struct analysis *analysis)
{
	return add_line(reports, (struct json_line){report ? line_of(report) : NULL, false},
			analysis);
}

int json_reports_add_text(struct json_reports *reports, const char *text, size_t size)
{
	return add_line(reports, (struct json_line){strndup(text, size), true}, NULL);
}

struct jobs {
	const struct job_survey *survey;
	json_t **objects; /* in the order of the survey's ranks; NULL: no job */
	int result;
};

static void take_job(const struct job *job, void *data)
{
	struct jobs *jobs = data;
	for (size_t index = 0; index < job->n; index++) {
		const struct job_rank *rank = job->ranks[index];
		jobs->objects[rank->number] = job_to_json(job, rank);
		if (!jobs->objects[rank->number])
			jobs->result = -ENOMEM;
	}
}

int json_reports_print(struct json_reports *reports)
{
	struct jobs jobs = {&reports->survey, calloc(reports->n + 1, sizeof(*jobs.objects)), 0};
	int result = jobs.objects ? job_survey_visit(&reports->survey, take_job, &jobs) : -ENOMEM;
	if (!result)
		result = jobs.result;
	for (size_t row = 0; row < reports->n && !result; row++)
		print_line(&reports->lines[row], jobs.objects[row], reports->out);
	for (size_t row = 0; row < reports->n && jobs.objects; row++)
		json_decref(jobs.objects[row]);
	free(jobs.objects);
	return result;
}
