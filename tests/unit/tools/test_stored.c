/*
 * test_stored.c - a stored report is printed as it is, without what a terminal would obey.
 */
#include "report/stored.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "support/check.h"

static char directory[] = "/tmp/culprit-stored-XXXXXX";

static void store(const char *bytes, size_t size)
{
	int folder = open(directory, O_RDONLY | O_DIRECTORY);
	int file = openat(folder, BUNDLE_REPORT_TEXT_NAME, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(file >= 0);
	CHECK_EQUAL(write(file, bytes, size), size);
	close(file);
	close(folder);
}

static void check_printed(const char *stored, size_t size, const char *printed)
{
	const struct bundle bundle = {.path = directory};
	char *out = NULL;
	size_t out_size = 0;
	FILE *file = open_memstream(&out, &out_size);
	store(stored, size);
	CHECK_EQUAL(stored_print_text(&bundle, file), 0);
	fclose(file);
	CHECK_STRING(out, printed);
	free(out);
}

#define CHECK_PRINTED(stored, printed) check_printed((stored), sizeof(stored) - 1, (printed))

int main(void)
{
	CHECK(mkdtemp(directory));
	CHECK_PRINTED("one\n\ntwo\n", "one\n\ntwo\n");
	CHECK_PRINTED("one\ntwo", "one\ntwo\n");
	CHECK_PRINTED("\n", "\n");
	CHECK_PRINTED("", "");
	CHECK_PRINTED("a\0b\n\033[2J\n", "a?b\n?[2J\n");
	store("", 0);
	char path[sizeof(directory) + sizeof(BUNDLE_REPORT_TEXT_NAME) + 1];
	snprintf(path, sizeof(path), "%s/%s", directory, BUNDLE_REPORT_TEXT_NAME);
	CHECK_EQUAL(unlink(path), 0);
	CHECK_EQUAL(rmdir(directory), 0);
	return 0;
}
