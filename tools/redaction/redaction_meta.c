/*
 * redaction_meta.c - decide for each member of meta.json whether it is kept. Members that a later
 * version adds are left out.
 */
#include "redaction/redaction_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char left_out[] = "<left out>";

/* Members with numbers, culprit's own words, and descriptions of the GPU and driver. */
static const char *const kept[] = {
	"culprit",      "format",  "program",    "pid",    "parent_pid",     "parent",
	"ranks",        "run",     "start_time", "memory", "monotonic_ns",   "realtime_ns",
	"stack_source", "python",  "coredumps",  "files",  "driver_version", "devices",
	"progress",     "journal", "redacted",   "fault",
};

static bool is_kept(const char *key)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcmp(kept[i], key))
			return true;
	return false;
}

static json_t *masked(const struct analysis_filter *filter, const char *string)
{
	char *copy = strdup(string);
	if (!copy)
		return NULL;
	filter->mask(filter->state, copy, strlen(copy));
	json_t *value = json_string(copy);
	free(copy);
	return value;
}

/* Keep the name of the program and the number of its arguments. */
static json_t *masked_command(const struct analysis_filter *filter, const json_t *words)
{
	json_t *array = json_array();
	size_t index = 0;
	const json_t *word = NULL;
	json_array_foreach(words, index, word)
	{
		const char *string = json_string_value(word);
		const char *slash = string ? strrchr(string, '/') : NULL;
		char placeholder[48];
		snprintf(placeholder, sizeof(placeholder), "<argument %zu>", index);
		if (index || !string)
			json_array_append_new(array, json_string(placeholder));
		else
			json_array_append_new(array, masked(filter, slash ? slash + 1 : string));
	}
	return array;
}

static json_t *masked_settings(const struct analysis_filter *filter, json_t *settings)
{
	json_t *object = json_object();
	json_t *value = NULL;
	const char *key = NULL;
	json_object_foreach(settings, key, value)
	{
		const char *string = json_string_value(value);
		/* Leave out paths and values that are not strings. */
		if (!string || strchr(string, '/'))
			string = left_out;
		json_object_set_new(object, key, masked(filter, string));
	}
	return object;
}

static json_t *member(const struct analysis_filter *filter, const char *key, json_t *value)
{
	if (!strcmp(key, "command"))
		return masked_command(filter, value);
	if (!strcmp(key, "settings"))
		return masked_settings(filter, value);
	/* Mask the directory; paths below it become relative and are kept. */
	if (!strcmp(key, "directory") && json_is_string(value))
		return masked(filter, json_string_value(value));
	if (!is_kept(key))
		return json_string(left_out);
	return json_is_string(value) ? masked(filter, json_string_value(value))
				     : json_deep_copy(value);
}

json_t *redaction_meta(const struct analysis_filter *filter, json_t *meta)
{
	json_t *object = json_object();
	json_t *value = NULL;
	const char *key = NULL;
	json_object_foreach(meta, key, value)
	{
		json_t *new_value = member(filter, key, value);
		if (!new_value || json_object_set_new(object, key, new_value)) {
			json_decref(object);
			return NULL;
		}
	}
	json_object_set_new(object, "redacted", json_true());
	return object;
}
