/*
 * moment.c - read durations and dates.
 */
#include "command/moment.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNITS = 1000000000 };

static bool read_ago(const char *text, time_t now, time_t *out)
{
	static const struct {
		char letter;
		time_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	char *end = NULL;
	unsigned long n = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!end || n > MAX_UNITS || *end != units[i].letter || end[1])
			continue;
		*out = now - (time_t)n * units[i].seconds;
		return true;
	}
	return false;
}

static bool read_date(const char *text, time_t *out)
{
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct tm broken_down = {.tm_isdst = 0};
		const char *rest = strptime(text, formats[i], &broken_down);
		if (!rest || (*rest && strcmp(rest, "Z") != 0))
			continue;
		*out = timegm(&broken_down);
		return true;
	}
	return false;
}

bool moment_read(const char *text, time_t now, time_t *out)
{
	return read_ago(text, now, out) || read_date(text, out);
}
