/*
 * settings.c - read the SIMCUDA_* environment variables when the library is loaded, before any
 * call.
 */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void read_shutdown(void)
{
	const char *words = read_text("SIMCUDA_SHUTDOWN");
	settings.tells_shutdown = has_word(words, "told");
	settings.shuts_down_late = has_word(words, "late");
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

/* Return the number after a word that ends in '=', or 0 if the word is missing. */
static uint64_t number_after(const char *list, const char *word)
{
	const char *found = list ? strstr(list, word) : NULL;
	return found ? strtoull(found + strlen(word), NULL, 10) : 0;
}

static void read_progress(struct progress_settings *out)
{
	const char *words = read_text("SIMCUDA_PROGRESS");
	out->is_absent = has_word(words, "none") || settings.is_null;
	out->is_other = has_word(words, "other");
	out->ends = has_word(words, "ends");
	out->lag_ns = number_after(words, "lag=");
	out->still = number_after(words, "still=");
	out->lie_after = number_after(words, "lie-after=");
	out->stuck_after = number_after(words, "stuck-after=");
	out->blank_after = number_after(words, "blank-after=");
	out->vanish_after = number_after(words, "vanish-after=");
}

static void read_code(struct code_settings *out)
{
	const char *words = read_text("SIMCUDA_CODE");

	out->is_absent = has_word(words, "none");
	out->is_other = has_word(words, "other");
	out->lies = has_word(words, "lie");
}

/* Ignore invalid values, as the driver does. */
static unsigned read_connections(void)
{
	unsigned long long n = read_number("CUDA_DEVICE_MAX_CONNECTIONS", 8);
	return n >= 1 && n <= 32 ? (unsigned)n : 8;
}

/* Convert "12.2" to 12020, the form of cuDriverGetVersion(). */
static int read_version(const char *name, int fallback)
{
	const char *text = read_text(name);
	int major = 0;
	int minor = 0;
	if (!text || sscanf(text, "%d.%d", &major, &minor) != 2)
		return fallback;
	return major * 1000 + minor * 10;
}

/* Runs before the constructors that use the settings. */
__attribute__((constructor(101))) static void read_settings(void)
{
	settings.driver_version = read_version("SIMCUDA_DRIVER", 13000);
	settings.lacked_path = read_text("SIMCUDA_LACKED");
	settings.lazy = (unsigned)read_number("SIMCUDA_LAZY", 0);
	settings.has_no_compiler = read_number("SIMCUDA_JIT", 1) == 0;
	settings.uses_host_tables = read_number("SIMCUDA_PAGEABLE", 0) == 2;
	settings.reads_pageable =
		read_number("SIMCUDA_PAGEABLE", 0) == 1 || settings.uses_host_tables;
	settings.is_separate = read_number("SIMCUDA_UNIFIED", 1) == 0;
	settings.is_shared = read_number("SIMCUDA_MPS", 0) == 1;
	settings.is_in_bounds = read_number("SIMCUDA_CONTAINED", 0) == 1;
	settings.loads_alone = read_number("SIMCUDA_LOADING", 0) == 1;
	settings.n_devices = (int)read_number("SIMCUDA_DEVICES", 1);
	settings.memory_bytes = (size_t)read_number("SIMCUDA_MEMORY_MB", 143771) << 20;
	settings.n_queues = (unsigned)read_number("SIMCUDA_QUEUES", 8);
	settings.queue_depth = (unsigned)read_number("SIMCUDA_QUEUE_DEPTH", 1022);
	settings.late_ms = (unsigned)read_number("SIMCUDA_LATE_MS", LATE_UNTIL_WAIT);
	settings.timeout_ms = (unsigned)read_number("SIMCUDA_TIMEOUT_MS", 0);
	settings.seed = read_number("SIMCUDA_SEED", 0);
	settings.delay_us = (unsigned)read_number("SIMCUDA_DELAY_US", 0);
	settings.ask_us = (unsigned)read_number("SIMCUDA_ASK_US", 0);
	settings.marker_delay_us = (unsigned)read_number("SIMCUDA_MARKER_DELAY_US", 0);
	settings.truth_path = read_text("SIMCUDA_TRUTH");
	settings.checks_path = read_text("SIMCUDA_CHECKS");
	settings.injections = read_text("SIMCUDA_INJECT");
	read_shutdown();
	read_coredump(&settings.coredump);
	settings.stubs_succeed = read_number("SIMCUDA_STUBS", 0) == 1;
	settings.is_null = read_number("SIMCUDA_NULL", 0) == 1;
	settings.forgets_kernels = read_number("SIMCUDA_NULL", 0) == 2;
	read_progress(&settings.progress);
	read_code(&settings.code);
	settings.has_other_states = has_word(read_text("SIMKERNEL"), "layout");
	settings.n_connections = read_connections();
}
