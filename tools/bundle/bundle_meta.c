/*
 * bundle_meta.c - reads meta.json, which is untrusted input like all of a bundle.
 */
#include "bundle/bundle_meta.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "bundle/live_memory.h"
#include "command/message.h"
#include "files/input.h"

static const uint64_t max_meta_bytes = 1 << 20;

json_t *bundle_meta_read_saved(int directory_fd, const char **out_reason)
{
	size_t size = 0;
	char *bytes = NULL;
	int result = input_read_file(directory_fd, BUNDLE_META_NAME, max_meta_bytes, &bytes, &size);
	if (result) {
		*out_reason = result == -ENOENT ? "is missing" : input_error_text(result);
		return NULL;
	}
	json_t *meta = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	if (json_is_object(meta) && json_is_string(json_object_get(meta, "culprit")))
		return meta;
	*out_reason = meta ? "is not about a bundle" : "is not valid JSON";
	json_decref(meta);
	return NULL;
}

/* While a process records, its newest meta.json is in memory. */
static json_t *read_memory_meta(int directory_fd)
{
	char name[BUNDLE_MEMORY_NAME_MAX];
	struct stat status;
	if (live_memory_name(directory_fd, name) || fstat(directory_fd, &status))
		return NULL;
	int fd = live_memory_open(name, status.st_uid);
	const char *reason = NULL;
	json_t *meta = fd < 0 ? NULL : bundle_meta_read_saved(fd, &reason);
	if (fd >= 0)
		close(fd);
	return meta;
}

json_t *bundle_meta_read(int directory_fd, const char **out_reason)
{
	json_t *in_memory = read_memory_meta(directory_fd);
	return in_memory ? in_memory : bundle_meta_read_saved(directory_fd, out_reason);
}

const char *bundle_meta_text(const json_t *meta, const char *key)
{
	const char *value = json_string_value(json_object_get(meta, key));
	return value ? value : "";
}

bool bundle_meta_is_readable(const json_t *meta, const char *path)
{
	json_t *format = json_object_get(meta, "format");
	if (json_is_integer(format) && json_integer_value(format) == BUNDLE_FORMAT)
		return true;
	message("%s: a bundle of format %lld, made by culprit %s; culprit %s reads format %d", path,
		(long long)json_integer_value(format), bundle_meta_text(meta, "culprit"),
		CULPRIT_VERSION, BUNDLE_FORMAT);
	return false;
}
