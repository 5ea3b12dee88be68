/*
 * bundle_names.h - what a bundle and its files are called: the shim makes them by these names, the
 * tools look for them.
 */
#ifndef CULPRIT_BASE_BUNDLE_NAMES_H
#define CULPRIT_BASE_BUNDLE_NAMES_H

#include "journal_format.h"

/* A bundle is the directory culprit-PROGRAM-PID in CULPRIT_DIR; -2, -3... follow if it is taken. */
#define BUNDLE_PREFIX "culprit-"

/* The process as JSON: a person's way in, and how `culprit run` knows the bundles of its run. */
#define BUNDLE_META_NAME "meta.json"

/* The report as the failing process gave it. */
#define BUNDLE_VERDICT_NAME "verdict.txt"

/* The GPU core dump of the failure, if there is one: written by the driver. */
#define BUNDLE_COREDUMP_NAME "core.nvcudmp"

/* "format" of meta.json. */
enum { BUNDLE_FORMAT = 1 };

/* Rings are called this and their slot in decimal: "ring-0". */
#define BUNDLE_RING_PREFIX "ring-"

/* File names by enum journal_file; JOURNAL_RING: the name without its number. */
static const char *const journal_file_names[N_JOURNAL_FILES] = {
	[JOURNAL_RING] = BUNDLE_RING_PREFIX,
	[JOURNAL_STRINGS] = "strings",
	[JOURNAL_THREADS] = "threads",
	[JOURNAL_CONTEXTS] = "contexts",
	[JOURNAL_STREAMS] = "streams",
	[JOURNAL_FUNCTIONS] = "functions",
	[JOURNAL_PARAMETERS] = "parameters",
	[JOURNAL_STACKS] = "stacks",
	[JOURNAL_MODULES] = "modules",
	[JOURNAL_RANGES] = "ranges",
	[JOURNAL_FAILURE] = "failure",
	[JOURNAL_PYTHON_FRAMES] = "python-frames",
	[JOURNAL_PYTHON_CODES] = "python-codes",
	[JOURNAL_PYTHON_LINES] = "python-lines",
	[JOURNAL_GRAPHS] = "graphs",
	[JOURNAL_GRAPH_NODES] = "graph-nodes",
	[JOURNAL_STACK_CHECKS] = "stack-checks",
};

#endif
