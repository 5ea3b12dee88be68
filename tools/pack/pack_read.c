/*
 * pack_read.c - print the contents of a pack. A pack is not trusted: it is unpacked in memory only,
 * and terminal controls in its text are masked.
 */
#include "pack/pack_parts.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "command/message.h"
#include "files/archive.h"
#include "files/input.h"
#include "json/json_values.h"

enum { META, TEXT, JSON, SOURCE, N_MEMBERS };

bool pack_is_file(const char *path)
{
	struct stat status;
	return !stat(path, &status) && !S_ISDIR(status.st_mode);
}

static const char *error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "is neither a bundle nor a complete pack";
	case -EFBIG:
		return "is refused: it unpacks to more than the size limit";
	case -EPERM:
		return "is refused: it has a member whose path leads out of the pack";
	case -ELOOP:
		return "is refused: it has a member that is not a regular file";
	default:
		return input_error_text(error);
	}
}

static int read_members(const char *path, struct archive_member *members)
{
	int fd = input_open_linked_file(path);
	if (fd < 0)
		return fd;
	int result = archive_read(fd, members, N_MEMBERS);
	close(fd);
	return result;
}

static void print_lines(const char *bytes, size_t size, FILE *out)
{
	char *shown = malloc(size + 1);
	for (const char *at = bytes; shown && at < bytes + size;) {
		size_t left = (size_t)(bytes + size - at);
		const char *newline = memchr(at, '\n', left);
		size_t length = newline ? (size_t)(newline - at) : left;
		struct text text = text_in(shown, size + 1);
		text_add_foreign(&text, at, length);
		fprintf(out, "%s\n", shown);
		at += length + (newline != NULL);
	}
	free(shown);
}

static bool print_object(const struct archive_member *member, FILE *out)
{
	json_t *report = json_loadb(member->bytes, member->size, 0, NULL);
	bool is_printed = json_is_object(report) && json_print(report, out);
	json_decref(report);
	if (is_printed)
		fputc('\n', out);
	return is_printed;
}

/* Print the short report. Packs of earlier versions have none. */
static bool print_summary(const struct archive_member *member, FILE *out)
{
	json_t *report = json_loadb(member->bytes, member->size, 0, NULL);
	const char *summary = json_string_value(json_object_get(report, "summary"));
	if (summary)
		print_lines(summary, strlen(summary), out);
	json_decref(report);
	return summary;
}

static enum exit_status print_members(const char *path, const struct archive_member *members,
				      enum pack_view view, FILE *out)
{
	json_t *meta = json_loadb(members[META].bytes, members[META].size, 0, NULL);
	json_int_t format = json_integer_value(json_object_get(meta, "pack"));
	bool has_failed = json_is_true(json_object_get(meta, "failure"));
	bool is_damaged = json_is_true(json_object_get(meta, "damaged"));
	json_decref(meta);
	if (format != PACK_FORMAT) {
		message("%s: a pack of format %lld; culprit %s reads format %d", path,
			(long long)format, CULPRIT_VERSION, PACK_FORMAT);
		return EXIT_STATUS_BAD_BUNDLE;
	}
	if (view == PACK_AS_JSON && !print_object(&members[JSON], out)) {
		message("%s: " PACK_JSON_NAME " is not valid JSON", path);
		return EXIT_STATUS_BAD_BUNDLE;
	}
	bool is_short = view == PACK_AS_SHORT_TEXT && print_summary(&members[JSON], out);
	if (view != PACK_AS_JSON && !is_short)
		print_lines(members[TEXT].bytes, members[TEXT].size, out);
	if (view == PACK_AS_TEXT && members[SOURCE].size) {
		fputc('\n', out);
		print_lines(members[SOURCE].bytes, members[SOURCE].size, out);
	}
	if (is_damaged)
		return EXIT_STATUS_DAMAGED;
	return has_failed ? EXIT_STATUS_OK : EXIT_STATUS_NO_FAILURE;
}

enum exit_status pack_print(const char *path, enum pack_view view, FILE *out)
{
	struct archive_member members[N_MEMBERS] = {[META] = {.name = PACK_META_NAME},
						    [TEXT] = {.name = PACK_TEXT_NAME},
						    [JSON] = {.name = PACK_JSON_NAME},
						    [SOURCE] = {.name = PACK_SOURCE_NAME}};
	enum exit_status status = EXIT_STATUS_BAD_BUNDLE;
	int result = read_members(path, members);
	if (!result && (!members[META].bytes || !members[TEXT].bytes || !members[JSON].bytes))
		result = -EBADMSG;
	if (result)
		message("%s: %s", path, error_text(result));
	else
		status = print_members(path, members, view, out);
	for (size_t i = 0; i < N_MEMBERS; i++)
		free(members[i].bytes);
	return status;
}
