/*
 * findings.c - copies the data that the views need out of analyses, which are closed earlier.
 */
#include "ci/ci.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis_text.h"
#include "analysis/fingerprint.h"
#include "brief/brief_page.h"
#include "report/report_page.h"

enum { NAME_SIZE = 256, HEADLINE_SIZE = 4096 };

static const char speaker[] = "culprit: ";

/* Return the checkout, as named by the build server, or "". */
static const char *checkout(void)
{
	static const char *const variables[] = {"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE"};
	for (size_t index = 0; index < sizeof(variables) / sizeof(variables[0]); index++) {
		const char *value = getenv(variables[index]);
		if (value && *value == '/')
			return value;
	}
	return "";
}

/* Return the part of `path` below the directory, or `path` itself. */
static const char *below(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	while (length && directory[length - 1] == '/')
		length--;
	if (!length || strncmp(path, directory, length) != 0 || path[length] != '/')
		return path;
	return path + length + strspn(path + length, "/");
}

static char *copy_file(struct page_string file, const char *directory)
{
	char *path = strndup(file.length ? file.bytes : "", file.length);
	const char *shown = path ? below(path, checkout()) : "";
	if (path && shown == path)
		shown = below(path, directory ? directory : "");
	char *copy = path ? strdup(shown) : NULL;
	free(path);
	return copy;
}

/* Return the innermost location in the user's code that has a line. */
static const struct page_location *find_place(const struct page *page, enum page_id id)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		const struct page_line *line = &page->lines[index];
		for (uint32_t i = 0; line->id == id && i < line->n_locations; i++)
			if (page->locations[line->first_place + i].line)
				return &page->locations[line->first_place + i];
	}
	return NULL;
}

static char *copy_string(struct page_string string)
{
	return strndup(string.length ? string.bytes : "", string.length);
}

static void set_place(struct ci_finding *finding, const struct analysis *analysis)
{
	static const struct page_location nowhere;
	const struct page_location *location =
		find_place(analysis->page, analysis_location_line(analysis));
	if (!location)
		location = &nowhere;
	finding->file = copy_file(location->file, analysis->report.directory);
	finding->function = copy_string(location->function);
	finding->line = location->line;
}

/* Add the first place that the line names, if its file is known. False if out of memory. */
static bool add_place(struct ci_finding *finding, const struct analysis *analysis,
		      const struct page *page, const struct page_line *line)
{
	const struct page_location *location = &page->locations[line->first_place];
	if (!line->n_locations || !location->line || !location->file.length ||
	    finding->n_locations == CI_MAX_LOCATIONS)
		return true;
	struct ci_location *out = &finding->locations[finding->n_locations++];
	*out = (struct ci_location){.what = page_label(line->id),
				    .file = copy_file(location->file, analysis->report.directory),
				    .function = copy_string(location->function),
				    .line = location->line};
	return out->file && out->function;
}

/* Copy the lines of the report that name other code. False if out of memory. */
static bool set_places(struct ci_finding *finding, const struct analysis *analysis)
{
	const struct page *brief = analysis->brief;
	const struct page_line *nan = page_find_line(analysis->page, PAGE_FIRST_NAN);
	for (uint32_t i = 0; i < brief->n_lines; i++) {
		const struct page_line *line = &brief->lines[i];
		bool is_wanted = line->id == PAGE_CAPTURED || line->id == PAGE_FREED ||
				 line->id == PAGE_ALLOCATED || line->id == PAGE_SEEN;
		if (is_wanted && !add_place(finding, analysis, brief, line))
			return false;
	}
	return !nan || add_place(finding, analysis, analysis->page, nan);
}

static char *report_of(const struct analysis *analysis, enum report_length length)
{
	char *buffer = malloc(REPORT_TEXT_SIZE);
	if (!buffer)
		return NULL;
	struct text text = text_in(buffer, REPORT_TEXT_SIZE);
	if (length == REPORT_FULL)
		report_text(analysis->page, &text);
	else
		analysis_text_short(analysis, &text);
	return buffer;
}

static char *headline_of(const struct analysis *analysis)
{
	char line[HEADLINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	brief_headline(analysis->brief, &text);
	const struct page_line *nan = page_find_line(analysis->page, PAGE_FIRST_NAN);
	if (nan) {
		text_add(&text, "; first NaN: ");
		text_add(&text, nan->text);
	}
	return strdup(line);
}

static char *copy_program(const struct analysis *analysis)
{
	const char *program = json_string_value(json_object_get(analysis->bundle->meta, "program"));
	return strdup(program ? program : "");
}

static void finding_free(struct ci_finding *finding)
{
	free(finding->fingerprint);
	free(finding->rule);
	free(finding->name);
	free(finding->message);
	free(finding->text);
	free(finding->full);
	free(finding->program);
	free(finding->file);
	free(finding->function);
	for (size_t i = 0; i < finding->n_locations; i++) {
		free(finding->locations[i].file);
		free(finding->locations[i].function);
	}
}

static bool is_whole(const struct ci_finding *finding)
{
	return finding->fingerprint && finding->rule && finding->name && finding->message &&
	       finding->text && finding->full && finding->program && finding->file &&
	       finding->function;
}

static struct ci_finding *find_equal(struct ci_findings *findings, const char *fingerprint)
{
	for (size_t index = 0; *fingerprint && index < findings->n; index++)
		if (!strcmp(findings->rows[index].fingerprint, fingerprint))
			return &findings->rows[index];
	return NULL;
}

/* Takes ownership of the members of `finding`. Returns 0 or -ENOMEM. */
static int add(struct ci_findings *findings, struct ci_finding *finding)
{
	struct ci_finding *equal =
		is_whole(finding) ? find_equal(findings, finding->fingerprint) : NULL;
	struct ci_finding *rows = NULL;
	if (equal) {
		equal->n_others++;
		finding_free(finding);
		return 0;
	}
	if (is_whole(finding))
		rows = realloc(findings->rows, (findings->n + 1) * sizeof(rows[0]));
	if (!rows) {
		finding_free(finding);
		return -ENOMEM;
	}
	findings->rows = rows;
	rows[findings->n++] = *finding;
	return 0;
}

/* Copy the first line, which names the whole report. */
static char *copy_message(const char *text, size_t size)
{
	size_t prefix = sizeof(speaker) - 1;
	const char *end = memchr(text, '\n', size);
	size_t length = end ? (size_t)(end - text) : size;
	if (length < prefix || memcmp(text, speaker, prefix) != 0)
		prefix = 0;
	return strndup(text + prefix, length - prefix);
}

static char *copy_name(const struct analysis *analysis)
{
	char name[NAME_SIZE];
	struct text text = text_in(name, sizeof(name));
	analysis_add_name(analysis, &text);
	return strdup(name);
}

static char *copy_rule(const struct analysis *analysis)
{
	char *rule = NULL;
	if (analysis->finding == FINDING_HANG)
		return strdup("HANG");
	if (analysis->finding == FINDING_UNFINISHED)
		return strdup("UNFINISHED");
	return asprintf(&rule, "CUDA%" PRId32, analysis_code(analysis)) < 0 ? NULL : rule;
}

int ci_findings_add(struct ci_findings *findings, const struct analysis *analysis)
{
	struct ci_finding finding = {.name = copy_name(analysis),
				     .message = headline_of(analysis),
				     .text = report_of(analysis, REPORT_SHORT),
				     .full = report_of(analysis, REPORT_FULL)};
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	finding.fingerprint = strdup(fingerprint.id);
	finding.rule = copy_rule(analysis);
	finding.program = copy_program(analysis);
	set_place(&finding, analysis);
	if (!set_places(&finding, analysis)) {
		finding_free(&finding);
		return -ENOMEM;
	}
	return add(findings, &finding);
}

/* Copy a headline without the process's number, which is another one in each run. */
static char *copy_identity(const char *message)
{
	char *copy = message ? strdup(message) : NULL;
	char *number = copy ? strstr(copy, "pid ") : NULL;
	if (number) {
		number += strlen("pid ");
		memmove(number, number + strspn(number, "0123456789"),
			strlen(number + strspn(number, "0123456789")) + 1);
	}
	return copy;
}

int ci_findings_add_text(struct ci_findings *findings, const char *text, size_t size)
{
	char *message = copy_message(text, size);
	struct ci_finding finding = {.fingerprint = copy_identity(message),
				     .rule = strdup("CUDA"),
				     .name = strdup("CUDA error"),
				     .message = message,
				     .text = strndup(text, size),
				     .full = strndup(text, size),
				     .program = strdup(""),
				     .file = strdup(""),
				     .function = strdup("")};
	return add(findings, &finding);
}

void ci_findings_free(struct ci_findings *findings)
{
	for (size_t index = 0; index < findings->n; index++)
		finding_free(&findings->rows[index]);
	free(findings->rows);
	*findings = (struct ci_findings){NULL, 0};
}
