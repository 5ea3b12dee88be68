/*
 * sanitizer.c - make compute-sanitizer's command line and extract the first error of its report.
 */
#include "triage/sanitizer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "files/input.h"
#include "view/record_walk.h"

static const char program[] = "compute-sanitizer";
static const char log_name[] = "compute-sanitizer.txt";
static const char prefix[] = "========= ";

enum { SLACK = 8, LOG_MAX = 64 << 20, MOST_LINES = 4 };

bool sanitizer_is_here(void)
{
	const char *path = getenv("PATH");
	char name[4096];
	for (; path && *path; path += strspn(path, ":")) {
		size_t length = strcspn(path, ":");
		if (snprintf(name, sizeof(name), "%.*s/%s", (int)length, path, program) <
			    (int)sizeof(name) &&
		    !access(name, X_OK))
			return true;
		path += length;
	}
	return false;
}

static bool is_whole(const struct bundle_view *view)
{
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		if (view_oldest(view, slot) || view->rings[slot].lost)
			return false;
	return true;
}

/* Count the launches of the kernel with submission numbers from `first` to `last`. */
static uint64_t count_launches(const struct bundle_view *view, uint32_t function, uint64_t first,
			       uint64_t last)
{
	uint64_t n = 0;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk)) {
		const struct journal_record *record = &walk.record;
		if (record->kind == RECORD_SUBMISSION && record->work == WORK_KERNEL &&
		    record->launch.function == function && record->sequence >= first &&
		    record->sequence <= last)
			n++;
	}
	return n;
}

void sanitizer_target_of(const struct analysis *analysis, struct sanitizer_target *out)
{
	const struct bundle_view *view = analysis->report.view;
	const struct verdict *verdict = analysis->verdict;
	const struct suspect_group *group = &verdict->groups[0];
	const struct journal_record *record = &group->first.record;
	*out = (struct sanitizer_target){.kernel = ""};
	if (!verdict->n_groups || record->work != WORK_KERNEL)
		return;
	const struct function_row *function = view_function(view, record->launch.function);
	snprintf(out->kernel, sizeof(out->kernel), "%s",
		 view_string(view, function ? function->name : 0, NULL));
	if (!is_whole(view))
		return;
	uint64_t n_before = count_launches(view, record->launch.function, 1, group->earliest - 1);
	out->n_skipped = n_before > SLACK ? n_before - SLACK : 0;
	out->n_checked =
		n_before - out->n_skipped + SLACK +
		count_launches(view, record->launch.function, group->earliest, group->latest);
}

static void add(struct sanitizer_command *command, const char *flag, const char *value)
{
	command->words[command->n++] = flag;
	command->words[command->n++] = value;
}

void sanitizer_command_make(const struct sanitizer_target *target, const char *directory,
			    struct sanitizer_command *out)
{
	out->n = 0;
	snprintf(out->log, sizeof(out->log), "%s/%s", directory, log_name);
	snprintf(out->kernel, sizeof(out->kernel), "kne=%s", target->kernel);
	snprintf(out->skipped, sizeof(out->skipped), "%" PRIu64, target->n_skipped);
	snprintf(out->checked, sizeof(out->checked), "%" PRIu64, target->n_checked);
	out->words[out->n++] = program;
	add(out, "--log-file", out->log);
	add(out, "--target-processes", "all");
	add(out, "--kernel-name", out->kernel);
	if (target->n_skipped)
		add(out, "--launch-skip", out->skipped);
	if (target->n_checked)
		add(out, "--launch-count", out->checked);
}

/* The header and the summary are not errors. */
static bool is_error(const char *line)
{
	return !strncmp(line, prefix, strlen(prefix)) && line[strlen(prefix)] != ' ' &&
	       strncmp(line + strlen(prefix), "COMPUTE-SANITIZER", 17) != 0 &&
	       strncmp(line + strlen(prefix), "ERROR SUMMARY", 13) != 0;
}

/* True if the line contains something like "FILE.cu:12". */
static bool names_line(const char *line, size_t length)
{
	for (size_t i = 1; i + 1 < length; i++)
		if (line[i] == ':' && line[i + 1] >= '0' && line[i + 1] <= '9' &&
		    ((line[i - 1] | 0x20) >= 'a' && (line[i - 1] | 0x20) <= 'z'))
			return true;
	return false;
}

/* Append the error's first line and its indented lines: location, thread, distance. */
static void take_error(const char *line, struct text *out, bool *out_has_line)
{
	for (unsigned n = 0; n < MOST_LINES && !strncmp(line, prefix, strlen(prefix)); n++) {
		size_t length = strcspn(line, "\n");
		if (n && (line[strlen(prefix)] != ' ' || strstr(line, "backtrace") == line + 14))
			return;
		*out_has_line = *out_has_line || names_line(line, length);
		text_add(out, "  ");
		text_add_foreign(out, line + strlen(prefix), length - strlen(prefix));
		text_add(out, "\n");
		line += length + (line[length] == '\n');
	}
}

void sanitizer_read(const char *directory, char out[SANITIZER_TEXT_SIZE], bool *out_has_line)
{
	struct text text = text_in(out, SANITIZER_TEXT_SIZE);
	int fd = input_open_directory(directory);
	char *bytes = NULL;
	*out_has_line = false;
	if (fd < 0)
		return;
	size_t size = 0;
	if (!input_read_file(fd, log_name, LOG_MAX, &bytes, &size)) {
		const char *line = bytes;
		while (line && !is_error(line)) {
			line = strchr(line, '\n');
			line = line ? line + 1 : NULL;
		}
		if (line)
			take_error(line, &text, out_has_line);
	}
	free(bytes);
	close(fd);
}
