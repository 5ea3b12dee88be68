/*
 * settings.h - the SIMCUDA_* environment variables, read once when the library is loaded and
 * constant afterwards.
 */
#ifndef SIMCUDA_SETTINGS_H
#define SIMCUDA_SETTINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Instead of a number of milliseconds: until a thread waits for the GPU or queries it. */
#define LATE_UNTIL_WAIT UINT_MAX

/* SIMCUDA_COREDUMP, a list of words, and related variables. */
struct coredump_settings {
	bool is_absent;   /* "absent": the driver lacks the calls */
	bool is_refused;  /* "refused": the driver rejects the settings */
	bool is_told;     /* "told": errors are reported as without dumps */
	bool is_gone;     /* "gone": the dump lacks a warp with an illegal address */
	bool is_cut;      /* "cut": the dump is never complete */
	bool is_lost;     /* "lost": the error is hidden, and there is no dump */
	unsigned late_ms; /* SIMCUDA_COREDUMP_LATE_MS: how long an error is hidden */
	unsigned grow_ms; /* SIMCUDA_COREDUMP_GROW_MS: how long a dump is incomplete */
	unsigned file_ms; /* SIMCUDA_COREDUMP_FILE_MS: from such a warp's fault to the dump */
};

/* SIMCUDA_PROGRESS, a list of words: the driver's progress counters. */
struct progress_settings {
	bool is_absent;  /* "none": no counters */
	bool is_other;   /* "other": counters at other offsets */
	bool ends;       /* "ends": a failed kernel counts as finished */
	uint64_t lag_ns; /* "lag=": longest delay of a counter */
	uint64_t still;  /* "still=": the channel, from 1, whose counter never moves */
	/* After this number of submissions of a context; 0: never */
	uint64_t lie_after;    /* "lie-after=": channel counters are ahead by one */
	uint64_t stuck_after;  /* "stuck-after=": counters stop */
	uint64_t blank_after;  /* "blank-after=": the pages contain zeros */
	uint64_t vanish_after; /* "vanish-after=": the pages are unmapped */
};

/* SIMCUDA_CODE, a list of words: where a function's object has the address of its code. */
struct code_settings {
	bool is_absent; /* "none": nowhere */
	bool is_other;  /* "other": at another offset */
	bool lies;      /* "lie": it has the end of the code instead */
};

struct settings {
	int driver_version;      /* SIMCUDA_DRIVER: newer entry points are missing */
	const char *lacked_path; /* SIMCUDA_LACKED: they exist, and calls are logged here */
	int n_devices;           /* SIMCUDA_DEVICES */
	size_t memory_bytes;     /* SIMCUDA_MEMORY_MB, per device */
	unsigned lazy;           /* SIMCUDA_LAZY: image checked at 0: load, 1: look-up, 2: launch */
	bool has_no_compiler;    /* SIMCUDA_JIT=0: the driver's PTX compiler is missing */
	bool reads_pageable;     /* SIMCUDA_PAGEABLE=1: kernels may access all host memory */
	bool uses_host_tables;   /* SIMCUDA_PAGEABLE=2: the same, by the process's page tables */
	bool loads_alone;        /* SIMCUDA_LOADING=1: loading code waits until the GPU is idle */
	bool is_separate;        /* SIMCUDA_UNIFIED=0: host memory is mapped only on request */
	unsigned n_queues;       /* SIMCUDA_QUEUES: operations that can run at once */
	unsigned queue_depth;    /* SIMCUDA_QUEUE_DEPTH: submissions that a stream holds */
	bool is_shared;          /* SIMCUDA_MPS=1: as a client of an MPS server */
	bool is_in_bounds;       /* SIMCUDA_CONTAINED=1: a failure affects only its context */
	unsigned timeout_ms;     /* SIMCUDA_TIMEOUT_MS: longest run of a kernel; 0: no limit */
	unsigned late_ms;        /* SIMCUDA_LATE_MS: from a fault to the first failing call */
	uint64_t seed;           /* SIMCUDA_SEED: 0 keeps the order of submission */
	unsigned delay_us;       /* SIMCUDA_DELAY_US: longest delay before an operation */
	unsigned ask_us;         /* SIMCUDA_ASK_US: how long a query about a function takes */
	bool tells_shutdown;     /* SIMCUDA_SHUTDOWN "told": a system call shows the shutdown */
	bool shuts_down_late;    /* SIMCUDA_SHUTDOWN "late": in a destructor, not an exit handler */
	unsigned marker_delay_us; /* SIMCUDA_MARKER_DELAY_US: delay before memory operations */
	const char *truth_path;   /* SIMCUDA_TRUTH, or NULL */
	const char *checks_path;  /* SIMCUDA_CHECKS, or NULL */
	const char *injections;   /* SIMCUDA_INJECT, or NULL */
	struct coredump_settings coredump;
	struct progress_settings progress;
	struct code_settings code;
	unsigned n_connections; /* CUDA_DEVICE_MAX_CONNECTIONS: channels that streams share */
	bool has_other_states;  /* SIMKERNEL "layout": the states of SMs have another size */
	bool stubs_succeed;     /* SIMCUDA_STUBS=1: calls that are not simulated succeed */
	bool is_null;           /* SIMCUDA_NULL=1: GPU work is accepted and dropped */
	bool forgets_kernels;   /* SIMCUDA_NULL=2: only kernels are, and count as finished */
};

extern struct settings settings;

#endif
