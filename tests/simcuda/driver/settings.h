/*
 * settings.h - the SIMCUDA_* environment variables, read once when the library is loaded and never
 * changed afterwards.
 */
#ifndef SIMCUDA_SETTINGS_H
#define SIMCUDA_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of a number of milliseconds: until somebody waits for the GPU, or asks it. */
#define LATE_UNTIL_WAIT UINT_MAX

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

/* SIMCUDA_PROGRESS, a list of words: what the driver keeps of its own progress. */
struct progress_settings {
	bool is_absent;  /* "none": nothing */
	bool is_other;   /* "other": at other offsets */
	bool ends;       /* "ends": a kernel that fails leaves the word of one that has finished */
	uint64_t lag_ns; /* "lag=": longest time from what happens to its word */
	uint64_t still;  /* "still=": which channel of each has a word that never moves, from 1 */
	/* After so many submissions of a context, 0 never: */
	uint64_t lie_after;    /* "lie-after=": channels' words are ahead by one */
	uint64_t stuck_after;  /* "stuck-after=": they stay */
	uint64_t blank_after;  /* "blank-after=": the pages are all zeros */
	uint64_t vanish_after; /* "vanish-after=": they are gone */
};

struct settings {
	int driver_version;      /* SIMCUDA_DRIVER: newer entry points are not there */
	const char *lacked_path; /* SIMCUDA_LACKED: they are, and who calls one is told here */
	int n_devices;           /* SIMCUDA_DEVICES */
	size_t memory_bytes;     /* SIMCUDA_MEMORY_MB, per device */
	unsigned lazy; /* SIMCUDA_LAZY: a library is looked into by its 1: look-up, 2: launch */
	bool has_no_compiler; /* SIMCUDA_JIT=0: the driver's compiler of PTX is not there */
	bool reads_pageable;  /* SIMCUDA_PAGEABLE=1: kernels may access all host memory */
	bool loads_alone;     /* SIMCUDA_LOADING=1: code comes and goes while the GPU is idle */
	bool is_separate;     /* SIMCUDA_UNIFIED=0: host memory is mapped where it is asked for */
	unsigned n_queues;    /* SIMCUDA_QUEUES: operations that can run at once */
	unsigned queue_depth; /* SIMCUDA_QUEUE_DEPTH: submissions a stream holds */
	bool is_shared;       /* SIMCUDA_MPS=1: as a client of an MPS server */
	bool is_contained;    /* SIMCUDA_CONTAINED=1: a failure is of its context alone */
	unsigned timeout_ms;  /* SIMCUDA_TIMEOUT_MS: longest time of a kernel, 0: any */
	unsigned late_ms;     /* SIMCUDA_LATE_MS: from a fault to the first call that tells */
	uint64_t seed;        /* SIMCUDA_SEED: 0 keeps the order of submission */
	unsigned delay_us;    /* SIMCUDA_DELAY_US: longest delay before an operation */
	unsigned ask_us;      /* SIMCUDA_ASK_US: how long a question about a function takes */
	bool tells_shutdown;  /* SIMCUDA_SHUTDOWN, "told": by a system call */
	bool shuts_down_late; /* "late": in a destructor, not in an exit handler */
	unsigned marker_delay_us; /* SIMCUDA_MARKER_DELAY_US: the same before a memory write */
	const char *truth_path;   /* SIMCUDA_TRUTH, or NULL */
	const char *injections;   /* SIMCUDA_INJECT, or NULL */
	struct coredump_settings coredump;
	struct progress_settings progress;
	unsigned n_connections; /* CUDA_DEVICE_MAX_CONNECTIONS: channels that streams share */
	bool is_null;           /* SIMCUDA_NULL=1: GPU work is accepted and forgotten */
	bool forgets_kernels;   /* SIMCUDA_NULL=2: only kernels are; words of progress tell */
};

extern struct settings settings;

#endif
