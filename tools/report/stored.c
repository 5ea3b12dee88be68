/*
 * stored.c - reports that are stored in their bundle.
 */
#include "report/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "command/message.h"
#include "files/input.h"
#include "report/report_page.h"
#include "report/report_runtime_frames.h"
#include "json/json_values.h"
#include "json/report_json.h"

enum { STORED_MAX = 64 << 20 };

/* NULL: the system refuses it. Does not follow a link or wait for a pipe. */
static FILE *open_file(const struct bundle *bundle, const char *name)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int directory_fd = bundle_open_to_write(bundle);
	int fd = directory_fd < 0 ? -1 : openat(directory_fd, name, flags, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !file)
		close(fd);
	if (directory_fd >= 0)
		close(directory_fd);
	return file;
}

/* A truncated report from a full disk is worse than no report. */
static void close_file(const struct bundle *bundle, const char *name, FILE *file)
{
	bool is_whole = !fflush(file) && !ferror(file);
	is_whole = !fclose(file) && is_whole;
	int directory_fd = is_whole ? -1 : bundle_open_to_write(bundle);
	if (directory_fd >= 0) {
		unlinkat(directory_fd, name, 0);
		close(directory_fd);
	}
}

static void write_text(const struct analysis *analysis)
{
	FILE *file = open_file(analysis->bundle, BUNDLE_REPORT_TEXT_NAME);
	char *buffer = file ? malloc(REPORT_TEXT_SIZE) : NULL;
	struct text text;
	if (buffer) {
		text = text_in(buffer, REPORT_TEXT_SIZE);
		report_text(analysis->page, &text);
		fputs(buffer, file);
	}
	free(buffer);
	if (file)
		close_file(analysis->bundle, BUNDLE_REPORT_TEXT_NAME, file);
}

void stored_write(const struct analysis *analysis)
{
	json_t *report = report_to_json(analysis);
	FILE *file = report ? open_file(analysis->bundle, BUNDLE_REPORT_JSON_NAME) : NULL;
	if (file) {
		json_print(report, file);
		fputc('\n', file);
		close_file(analysis->bundle, BUNDLE_REPORT_JSON_NAME, file);
	}
	json_decref(report);
	write_text(analysis);
}

/* Return the path of a module of the user's that is needed but is not the run's file, or NULL. */
static const char *find_missed(const struct analysis *analysis)
{
	struct symbols *symbols = analysis->symbols;
	struct analysis_module module;
	for (uint32_t place = 0; analysis_next_module(analysis, &place, &module);) {
		if (symbols_module_problem(symbols, module.id) &&
		    !report_is_runtime_frame(module.path, NULL) &&
		    (symbols_module_has_changed(symbols, module.id) || access(module.path, F_OK)))
			return module.path;
	}
	return NULL;
}

/* Return 0 with bytes from malloc(), or -errno. */
static int read_file(const struct bundle *bundle, const char *name, char **out, size_t *out_size)
{
	int directory_fd = input_open_directory(bundle->path);
	int result = directory_fd;
	if (directory_fd < 0)
		return result;
	result = input_read_file(directory_fd, name, STORED_MAX, out, out_size);
	close(directory_fd);
	return result;
}

bool stored_is_better(const struct analysis *analysis)
{
	const char *missed = find_missed(analysis);
	char *bytes = NULL;
	size_t size = 0;
	bool has_report =
		missed && !read_file(analysis->bundle, BUNDLE_REPORT_TEXT_NAME, &bytes, &size);
	free(bytes);
	if (has_report)
		message("%s: is gone or another file now; this is the report that the run's end "
			"made",
			missed);
	return has_report && size;
}

/* Print the lines of a text that is untrusted. Returns 0 or -ENOMEM. */
static int print_lines(const char *bytes, size_t size, FILE *out)
{
	char *line = malloc(3 * size + 1);
	for (size_t at = 0; line && at < size;) {
		const char *end = memchr(bytes + at, '\n', size - at);
		size_t length = end ? (size_t)(end - bytes) - at : size - at;
		struct text text = text_in(line, 3 * size + 1);
		text_add_foreign(&text, bytes + at, length);
		fprintf(out, "%s\n", line);
		at += length + 1;
	}
	free(line);
	return line ? 0 : -ENOMEM;
}

int stored_print_text(const struct bundle *bundle, enum report_length length, FILE *out)
{
	char *bytes = NULL;
	size_t size = 0;
	json_t *report = length == REPORT_SHORT ? stored_read_json(bundle) : NULL;
	const char *summary = json_string_value(json_object_get(report, "summary"));
	int result = summary ? 0 : read_file(bundle, BUNDLE_REPORT_TEXT_NAME, &bytes, &size);
	if (!result)
		result = print_lines(summary ? summary : bytes, summary ? strlen(summary) : size,
				     out);
	json_decref(report);
	free(bytes);
	return result;
}

json_t *stored_read_json(const struct bundle *bundle)
{
	char *bytes = NULL;
	size_t size = 0;
	if (read_file(bundle, BUNDLE_REPORT_JSON_NAME, &bytes, &size))
		return NULL;
	json_t *report = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	if (json_integer_value(json_object_get(report, "format")) != REPORT_JSON_FORMAT) {
		json_decref(report);
		return NULL;
	}
	json_object_set_new(report, "stored", json_true());
	char path[PATH_MAX];
	if (realpath(bundle->path, path)) {
		json_object_set_new(report, "bundle", json_foreign(path));
		json_object_set_new(report, "uri", json_uri(path));
	}
	return report;
}
