/*
 * settings.c - reads the SIMCUDA_* environment variables when the library is loaded, so that no
 * later call needs to ask whether they are known.
 */
#include "settings.h"

#include <stdlib.h>
#include <string.h>

#include "failure.h"

struct settings settings;

static unsigned long long read_number(const char *name, unsigned long long fallback)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : fallback;
}

static const char *read_text(const char *name)
{
	const char *text = getenv(name);

	return text && *text ? text : NULL;
}

static bool has_word(const char *list, const char *word)
{
	return list && strstr(list, word);
}

static void read_coredump(struct coredump_settings *out)
{
	const char *words = read_text("SIMCUDA_COREDUMP");

	out->is_absent = has_word(words, "absent");
	out->is_refused = has_word(words, "refused");
	out->is_told = has_word(words, "told");
	out->is_gone = has_word(words, "gone");
	out->is_cut = has_word(words, "cut");
	out->is_lost = has_word(words, "lost");
	out->late_ms = (unsigned)read_number("SIMCUDA_COREDUMP_LATE_MS", 300);
	out->file_ms = (unsigned)read_number("SIMCUDA_COREDUMP_FILE_MS", 45);
	out->grow_ms = (unsigned)read_number("SIMCUDA_COREDUMP_GROW_MS", 0);
}

__attribute__((constructor)) static void read_settings(void)
{
	settings.driver_version = (int)read_number("SIMCUDA_DRIVER_VERSION", 13000);
	settings.n_devices = (int)read_number("SIMCUDA_DEVICES", 1);
	settings.memory_bytes = (size_t)read_number("SIMCUDA_MEMORY_MB", 143771) << 20;
	settings.n_queues = (unsigned)read_number("SIMCUDA_QUEUES", 8);
	settings.queue_depth = (unsigned)read_number("SIMCUDA_QUEUE_DEPTH", 1022);
	settings.late_ms = (unsigned)read_number("SIMCUDA_LATE_MS", LATE_UNTIL_WAIT);
	settings.seed = read_number("SIMCUDA_SEED", 0);
	settings.delay_us = (unsigned)read_number("SIMCUDA_DELAY_US", 0);
	settings.marker_delay_us = (unsigned)read_number("SIMCUDA_MARKER_DELAY_US", 0);
	settings.truth_path = read_text("SIMCUDA_TRUTH");
	settings.injections = read_text("SIMCUDA_INJECT");
	read_coredump(&settings.coredump);
	settings.is_null = read_number("SIMCUDA_NULL", 0) != 0;
}
