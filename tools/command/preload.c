/*
 * preload.c - finds libculprit.so and sets LD_PRELOAD.
 */
#include "command/preload.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/message.h"

const char *preload_own_path(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return "/proc/self/exe";
	path[length] = '\0';
	return path;
}

/* Finds the executable's path without its last two components: /x/bin/culprit -> /x. */
static int find_prefix(char *out, size_t capacity)
{
	if ((size_t)snprintf(out, capacity, "%s", preload_own_path()) >= capacity)
		return -ENAMETOOLONG;
	for (int component = 0; component < 2; component++) {
		char *slash = strrchr(out, '/');
		if (!slash)
			return -ENOENT;
		*slash = '\0';
	}
	return 0;
}

#ifdef __aarch64__
#define DEBIAN_FOLDER "lib/aarch64-linux-gnu"
#else
#define DEBIAN_FOLDER "lib/x86_64-linux-gnu"
#endif

/*
 * Look next to the folder of the executable, and where Debian puts private libraries of a package.
 */
static int find_beside(char *out, size_t capacity)
{
	static const char *const places[] = {"lib/libculprit.so",
					     DEBIAN_FOLDER "/culprit/libculprit.so"};
	char prefix[PATH_MAX];
	int result = find_prefix(prefix, sizeof(prefix));
	/* If the library is in neither place, the message names the first. */
	for (size_t i = sizeof(places) / sizeof(places[0]); !result && i-- > 0;) {
		if ((size_t)snprintf(out, capacity, "%s/%s", prefix, places[i]) >= capacity)
			return -ENAMETOOLONG;
		if (i && !access(out, R_OK))
			break;
	}
	return result;
}

static int find_candidate(char *out, size_t capacity)
{
	const char *given = getenv("CULPRIT_LIBRARY");
	if (!given || !*given)
		return find_beside(out, capacity);
	return (size_t)snprintf(out, capacity, "%s", given) < capacity ? 0 : -ENAMETOOLONG;
}

int preload_find_library(char *out_path, size_t capacity)
{
	char candidate[PATH_MAX] = "libculprit.so";
	int result = find_candidate(candidate, sizeof(candidate));
	char resolved[PATH_MAX];
	if (!result && !realpath(candidate, resolved))
		result = -errno;
	if (!result && access(resolved, R_OK))
		result = -errno;
	if (result) {
		message("%s: %s; set CULPRIT_LIBRARY to where libculprit.so is", candidate,
			strerror(-result));
		return result;
	}
	if (strpbrk(resolved, " :$") || strlen(resolved) >= capacity) {
		message("'%s': LD_PRELOAD cannot hold ' ', ':' or '$' in a path; "
			"set CULPRIT_LIBRARY to another copy",
			resolved);
		return -EINVAL;
	}
	memcpy(out_path, resolved, strlen(resolved) + 1);
	return 0;
}

/* True if `library` is in `list` already, as in a run within a run. */
static bool is_entry(const char *list, const char *library)
{
	size_t length = strlen(library);
	for (const char *at = list; (at = strstr(at, library)); at += length) {
		bool starts = at == list || strchr(" :", at[-1]);
		if (starts && (!at[length] || strchr(" :", at[length])))
			return true;
	}
	return false;
}

/*
 * Append it: libraries before it still see every call and pass it on to us. A sanitizer's runtime
 * must be first of all. Another tool's wrapper of a driver call looks for the next one.
 */
int preload_set_environment(const char *library)
{
	const char *before = getenv("LD_PRELOAD");
	if (!before || !*before)
		return setenv("LD_PRELOAD", library, 1) ? -errno : 0;
	if (is_entry(before, library))
		return 0;
	char *list = NULL;
	if (asprintf(&list, "%s:%s", before, library) < 0)
		return -ENOMEM;
	int result = setenv("LD_PRELOAD", list, 1) ? -errno : 0;
	free(list);
	return result;
}

int preload_offer_nvtx(const char *library)
{
	return setenv("NVTX_INJECTION64_PATH", library, 0) ? -errno : 0;
}
