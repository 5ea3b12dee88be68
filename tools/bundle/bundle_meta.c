/*
 * bundle_meta.c - reads meta.json, which is foreign input as all of a bundle is.
 */
#include "bundle/bundle_meta.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/bundle_names.h"
#include "command/message.h"
#include "files/input.h"

static const uint64_t max_meta_bytes = 1 << 20;

json_t *bundle_meta_read(int directory_fd, const char **out_reason)
{
	char *bytes;
	size_t size;
	int result = input_read_file(directory_fd, BUNDLE_META_NAME, max_meta_bytes, &bytes, &size);
	json_t *meta;

	if (result) {
		*out_reason = result == -ENOENT ? "is missing" : input_error_text(result);
		return NULL;
	}
	meta = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	if (json_is_object(meta) && json_is_string(json_object_get(meta, "culprit")))
		return meta;
	*out_reason = meta ? "is not about a bundle" : "is not valid JSON";
	json_decref(meta);
	return NULL;
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
