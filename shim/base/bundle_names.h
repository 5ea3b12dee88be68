/*
 * bundle_names.h - what a bundle and its files are called: the shim makes them by these names, the
 * tools look for them.
 */
#ifndef CULPRIT_BASE_BUNDLE_NAMES_H
#define CULPRIT_BASE_BUNDLE_NAMES_H

#include "base/journal_format.h"

/*
 * A bundle is the directory culprit-PROGRAM[-rankN]-PID in CULPRIT_DIR. If that is taken, as in a
 * container where every process has the same number, the time follows, and then -2, -3...
 */
#define BUNDLE_PREFIX "culprit-"

/* The process as JSON: a person's way in, and how `culprit run` knows the bundles of its run. */
#define BUNDLE_META_NAME "meta.json"

/* In it "journal" begins with this where not all of the journal could be copied. */
#define BUNDLE_JOURNAL_LOST "lost: "

/* The report as the failing process gave it. */
#define BUNDLE_VERDICT_NAME "verdict.txt"

/* The reports that the end of `culprit run` adds. */
#define BUNDLE_REPORT_TEXT_NAME "report.txt"
#define BUNDLE_REPORT_JSON_NAME "report.json"

/* What `culprit run` told of work that hung. */
#define BUNDLE_HUNG_NAME "hung.txt"

/* The GPU core dump that it then had made: of no failure, so not by the name below. */
#define BUNDLE_HUNG_DUMP_NAME "hung.nvcudmp"

/* Of a PyTorch program that asked for it: whose blocks the suspects' pointers lead into. Written by
 * the Python package, as tools/blocks reads it. */
#define BUNDLE_BLOCKS_NAME "torch-blocks.json"

/* The GPU core dump of the failure, if there is one: written by the driver. */
#define BUNDLE_COREDUMP_NAME "core.nvcudmp"

/* By this end of CUDA_COREDUMP_PIPE those settings are known that `culprit run` itself has made. */
#define COREDUMP_PIPE_NAME "culprit-pipe-%p"

/*
 * While its process records, a bundle has this symbolic link (which needs no room on a full disk):
 * to the directory in BUNDLE_MEMORY_PARENT that holds the journal meanwhile, whether there is one
 * or not. The journal's files are read from there.
 */
#define BUNDLE_LIVE_NAME "live"

/*
 * A file in memory: its pages can be reserved, so that no store into a mapping of it can fail, and
 * it outlives its process. The name tells whose it is (name space of process numbers, number, time
 * of start in ticks), and ends in what nobody can guess.
 */
#define BUNDLE_MEMORY_PARENT "/dev/shm"
#define BUNDLE_MEMORY_PREFIX "culprit-live-"
#define BUNDLE_MEMORY_FORMAT BUNDLE_MEMORY_PREFIX "%lu-%d-%llu-%016llx"
enum { BUNDLE_MEMORY_NAME_MAX = 128 };

/* A directory gets this behind its name before it is emptied and removed. */
#define BUNDLE_REMOVED_SUFFIX "-removed"

/*
 * CULPRIT_RUN is SECONDS.PID.RANDOM.DESCRIPTOR of the `culprit run`: in that descriptor it has a
 * memfd named for the rest of it, the run's slot (run_slot_layout.h).
 */
#define RUN_NAME_FORMAT "%lld.%d.%016llx"
#define RUN_SLOT_PREFIX "culprit-run-"

/* "format" of meta.json. */
enum { BUNDLE_FORMAT = 1 };

/* Rings are called this and their slot in decimal: "ring-0". */
#define BUNDLE_RING_PREFIX "ring-"

/* File names by enum journal_file; JOURNAL_RING: the name without its number. */
static const char *const journal_file_names[] = {
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
	[JOURNAL_CHANNELS] = "channels",
	[JOURNAL_KERNEL_STATES] = "kernel-states",
	[JOURNAL_IMAGES] = "images",
	[JOURNAL_IMAGE_BYTES] = "image-bytes",
	[JOURNAL_WHOLE_ARGUMENTS] = "whole-arguments",
	[JOURNAL_WAITS] = "waits",
	[JOURNAL_LOOKS] = "looks",
	[JOURNAL_HOST_MAPPINGS] = "host-mappings",
	[JOURNAL_REFUSALS] = "refusals",
};
static_assert(sizeof(journal_file_names) / sizeof(journal_file_names[0]) == N_JOURNAL_FILES,
	      "one for each kind");

#endif
