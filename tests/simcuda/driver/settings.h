/*
 * settings.h - the SIMCUDA_* environment variables, read once when the library is loaded and never
 * changed afterwards.
 */
#ifndef SIMCUDA_SETTINGS_H
#define SIMCUDA_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SIMCUDA_COREDUMP, a list of words, and its companions. */
struct coredump_settings {
	bool is_absent;   /* "absent": a driver that does not have the calls */
	bool is_refused;  /* "refused": it does not take the settings */
	bool is_told;     /* "told": errors are told as without dumps */
	bool is_gone;     /* "gone": a warp that strayed is not in the dump */
	bool is_cut;      /* "cut": the dump is never complete */
	bool is_lost;     /* "lost": the error is hidden, and no dump comes */
	unsigned late_ms; /* SIMCUDA_COREDUMP_LATE_MS: how long an error is hidden */
	unsigned grow_ms; /* SIMCUDA_COREDUMP_GROW_MS: how long a dump is not complete */
	unsigned file_ms; /* SIMCUDA_COREDUMP_FILE_MS: from such a warp's fault to the dump */
};

struct settings {
	int driver_version;       /* SIMCUDA_DRIVER_VERSION: newer entry points are not found */
	int n_devices;            /* SIMCUDA_DEVICES */
	size_t memory_bytes;      /* SIMCUDA_MEMORY_MB, per device */
	unsigned n_queues;        /* SIMCUDA_QUEUES: operations that can run at once */
	unsigned queue_depth;     /* SIMCUDA_QUEUE_DEPTH: submissions a stream holds */
	unsigned late_ms;         /* SIMCUDA_LATE_MS: from a fault to the first call that tells */
	uint64_t seed;            /* SIMCUDA_SEED: 0 keeps the order of submission */
	unsigned delay_us;        /* SIMCUDA_DELAY_US: longest delay before an operation */
	unsigned marker_delay_us; /* SIMCUDA_MARKER_DELAY_US: the same before a memory write */
	const char *truth_path;   /* SIMCUDA_TRUTH, or NULL */
	const char *injections;   /* SIMCUDA_INJECT, or NULL */
	struct coredump_settings coredump;
	bool is_null; /* SIMCUDA_NULL: GPU work is accepted and forgotten */
};

extern struct settings settings;

#endif
