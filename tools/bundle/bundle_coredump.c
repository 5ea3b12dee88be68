/*
 * bundle_coredump.c - the GPU core dump of a bundle: its own, or one that the user names. An older
 * dump, left by an earlier process, is not used.
 */
#include "bundle/bundle_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "bundle/bundle_meta.h"
#include "command/message.h"

/* When the process started to record, in seconds since 1970; 0: unknown. */
static long long start_time(const struct bundle *bundle)
{
	struct tm broken_down = {.tm_sec = 0};
	const char *text = bundle_meta_text(bundle->meta, "start_time");
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
	return end && !*end ? (long long)timegm(&broken_down) : 0;
}

/* Use the dump, unless it must be an earlier process's. */
static bool take_coredump(struct bundle *bundle, struct coredump *coredump)
{
	if (coredump_is_before(coredump, start_time(bundle))) {
		bundle_note_problem(
			bundle, coredump->path,
			"was written before the bundle's process began; it is not used");
		coredump_close(coredump);
		return false;
	}
	if (coredump->is_cut)
		bundle_note_problem(bundle, coredump->path, "is cut short; what is there is used");
	coredump_close(bundle->coredump);
	bundle->coredump = coredump;
	bundle_assume_failure(bundle);
	return true;
}

void bundle_add_coredump(struct bundle *bundle, int directory_fd)
{
	char path[PATH_MAX];
	(void)snprintf(path, sizeof(path), "%s/%s", bundle->path, BUNDLE_COREDUMP_NAME);
	struct coredump *coredump = NULL;
	int result = coredump_read(directory_fd, BUNDLE_COREDUMP_NAME, path, &coredump);
	if (!result)
		(void)take_coredump(bundle, coredump);
	else if (result != -ENOENT)
		bundle_note_problem(bundle, path, coredump_error_text(result));
}

enum exit_status bundle_use_coredump(struct bundle *bundle, const char *path)
{
	struct coredump *coredump = NULL;
	int result = coredump_read(AT_FDCWD, path, path, &coredump);
	if (result) {
		message("%s: %s", path, coredump_error_text(result));
		return EXIT_STATUS_BAD_BUNDLE;
	}
	return take_coredump(bundle, coredump) && !bundle->coredump->is_cut ? EXIT_STATUS_OK
									    : EXIT_STATUS_DAMAGED;
}
