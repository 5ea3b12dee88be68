/*
 * findings.c - copies the data that the views need out of analyses, which are closed earlier.
 */
#include "ci/findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/fingerprint.h"
#include "report/report_text.h"

enum { NAME_SIZE = 256 };

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
static const struct page_place *find_place(const struct page *page, enum page_id id)
{
	for (uint32_t index = 0; index < page->n_lines; index++) {
		const struct page_line *line = &page->lines[index];
		for (uint32_t i = 0; line->id == id && i < line->n_places; i++)
			if (page->places[line->first_place + i].line)
				return &page->places[line->first_place + i];
	}
	return NULL;
}

static void set_place(struct ci_finding *finding, const struct analysis *analysis)
{
	static const struct page_place nowhere;
	const struct page_place *place = find_place(analysis->page, analysis_place_line(analysis));
	if (!place)
		place = &nowhere;
	finding->file = copy_file(place->file, analysis->report.directory);
	finding->function = strndup(place->function.length ? place->function.bytes : "",
				    place->function.length);
	finding->line = place->line;
}

static char *report_of(const struct page *page)
{
	char *buffer = malloc(REPORT_TEXT_SIZE);
	if (!buffer)
		return NULL;
	struct text text = text_in(buffer, REPORT_TEXT_SIZE);
	report_text(page, &text);
	return buffer;
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
	free(finding->program);
	free(finding->file);
	free(finding->function);
}

static bool is_whole(const struct ci_finding *finding)
{
	return finding->fingerprint && finding->rule && finding->name && finding->message &&
	       finding->text && finding->program && finding->file && finding->function;
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
	return asprintf(&rule, "CUDA%" PRId32, analysis_code(analysis)) < 0 ? NULL : rule;
}

int ci_findings_add(struct ci_findings *findings, const struct analysis *analysis)
{
	const char *headline = report_headline(analysis->page);
	struct ci_finding finding = {.name = copy_name(analysis),
				     .message = copy_message(headline, strlen(headline)),
				     .text = report_of(analysis->page)};
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	finding.fingerprint = strdup(fingerprint.id);
	finding.rule = copy_rule(analysis);
	finding.program = copy_program(analysis);
	set_place(&finding, analysis);
	return add(findings, &finding);
}

/* Copy a headline without " [pid 415]", its end, which is another one in each run. */
static char *copy_identity(const char *message)
{
	const char *end = message ? strrchr(message, '[') : NULL;
	bool has_pid = end && end > message && end[-1] == ' ' && !strncmp(end, "[pid ", 5);
	return message ? strndup(message, has_pid ? (size_t)(end - message) - 1 : strlen(message))
		       : NULL;
}

int ci_findings_add_text(struct ci_findings *findings, const char *text, size_t size)
{
	char *message = copy_message(text, size);
	struct ci_finding finding = {.fingerprint = copy_identity(message),
				     .rule = strdup("CUDA"),
				     .name = strdup("CUDA error"),
				     .message = message,
				     .text = strndup(text, size),
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
