/*
 * memory_since.c - read seconds and times. Digits are read by hand: strtod() depends on the locale.
 */
#include "memory/memory_parts.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/time_units.h"
#include "command/message.h"

/* Read digits, and up to nine more after a point, as nanoseconds. *out_rest is what follows. */
static bool read_seconds(const char *text, uint64_t *out_ns, const char **out_rest)
{
	uint64_t seconds = 0;
	uint64_t fraction = 0;
	uint64_t unit = NS_PER_S;
	if (!isdigit((unsigned char)*text))
		return false;
	for (; isdigit((unsigned char)*text) && seconds < UINT32_MAX; text++)
		seconds = seconds * 10 + (uint64_t)(*text - '0');
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text) && unit > 1; text++) {
			unit /= 10;
			fraction += (uint64_t)(*text - '0') * unit;
		}
	}
	*out_ns = seconds * NS_PER_S + fraction;
	*out_rest = text;
	return true;
}

/* Read "2026-11-22T15:09:36.123456Z" as nanoseconds since 1970. */
static bool read_time(const char *text, uint64_t *out_ns)
{
	struct tm broken_down = {.tm_isdst = 0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:", &broken_down);
	uint64_t seconds = 0;
	if (!rest || !read_seconds(rest, &seconds, &rest) || (*rest && strcmp(rest, "Z") != 0))
		return false;
	time_t minutes = timegm(&broken_down);
	*out_ns = (uint64_t)minutes * NS_PER_S + seconds;
	return minutes > 0;
}

bool memory_since_is_good(const char *text)
{
	uint64_t ns = 0;
	const char *rest = NULL;
	return (read_seconds(text, &ns, &rest) && !*rest) || read_time(text, &ns);
}

/* Convert a wall-clock time to the bundle's CLOCK_MONOTONIC; 0 if not known. */
static uint64_t monotonic_of(const struct analysis *analysis, uint64_t wall_ns)
{
	uint64_t base = process_wall_ns(analysis->bundle->meta, 1);
	return base && wall_ns > base ? wall_ns - base + 1 : 0;
}

static int complain(const struct analysis *analysis, const char *why, uint64_t known)
{
	char when[PROCESS_TIME_SIZE];
	process_time_text(process_wall_ns(analysis->bundle->meta, known), when);
	message("--since: %s: %s%s", analysis->bundle->path, why, known ? when : "");
	return -1;
}

int memory_since_read(const struct analysis *analysis, const struct memory *memory,
		      const char *text, uint64_t *out_ns)
{
	uint64_t newest = memory_newest_ns(memory);
	uint64_t known = memory_known_since(memory);
	uint64_t ns = 0;
	const char *rest = NULL;
	if (read_seconds(text, &ns, &rest) && !*rest)
		ns = ns < newest ? newest - ns : 0;
	else if (read_time(text, &ns))
		ns = monotonic_of(analysis, ns);
	else
		return complain(analysis, "invalid time", 0);
	if (known > 0 && ns < known)
		return complain(analysis, "frees are on record only since ", known);
	*out_ns = ns;
	return 0;
}
