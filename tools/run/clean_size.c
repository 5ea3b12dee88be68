/*
 * clean_size.c - reads a number of megabytes.
 */
#include "run/clean_size.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command/message.h"

enum { MAX_MB = 1 << 30 };

int clean_read_size(const struct arguments *arguments, enum option option, uint64_t *out)
{
	const struct option_facts *facts = &option_facts[option];
	const char *value = arguments->values[option];
	if (!value)
		return 0;
	errno = 0;
	char *end = NULL;
	long megabytes = strtol(value, &end, 10);
	if (errno || end == value || *end || megabytes < 0 || megabytes > MAX_MB) {
		message("--%s '%s': expected 0 to %d; see culprit help %s", facts->flag, value,
			MAX_MB, command_facts[facts->command].name);
		return -EINVAL;
	}
	*out = (uint64_t)megabytes * 1000000;
	return 0;
}
