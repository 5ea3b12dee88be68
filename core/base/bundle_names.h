/*
 * bundle_names.h - the names of a bundle and its files. The shim creates them, the tools look for
 * them.
 */
#ifndef CULPRIT_BASE_BUNDLE_NAMES_H
#define CULPRIT_BASE_BUNDLE_NAMES_H

#include "base/journal_format.h"

/*
 * A bundle is the directory culprit-PROGRAM[-rankN]-PID in CULPRIT_DIR. If that name is taken, the
 * time is appended, and then -2, -3... Names collide in containers, where process IDs repeat.
 */
#define BUNDLE_PREFIX "culprit-"

/* The process as JSON, for people, and for `culprit run` to recognise the bundles of its run. */
#define BUNDLE_META_NAME "meta.json"

/* "journal" of meta.json begins with this if part of the journal could not be copied. */
#define BUNDLE_JOURNAL_LOST "lost: "

/* The report that the failing process wrote. */
#define BUNDLE_VERDICT_NAME "verdict.txt"

/* The reports that `culprit run` adds when it exits. */
#define BUNDLE_REPORT_TEXT_NAME "report.txt"
#define BUNDLE_REPORT_JSON_NAME "report.json"

/* The report of `culprit run` about work that hung. */
#define BUNDLE_HUNG_NAME "hung.txt"

/*
 * The verdict of `culprit run` on a process without a GPU failure, for every reader of the bundle.
 * Written and read by tools/analysis/finding.
 */
#define BUNDLE_FINDING_NAME "finding.json"

/*
 * The state of the GPUs that the process used, before and after the run, and their events. Written
 * by `culprit run`, read by tools/hardware.
 */
#define BUNDLE_HARDWARE_NAME "hardware.json"

/* The GPU core dump that it then requested. It shows no failure, so it has a name of its own. */
#define BUNDLE_HUNG_DUMP_NAME "hung.nvcudmp"

/*
 * The owners of the PyTorch blocks that the suspects' pointers point into, if the program asked for
 * it. Written by the Python package, read by tools/bundle.
 */
#define BUNDLE_BLOCKS_NAME "torch-blocks.json"

/* The GPU core dump of the failure, if there is one. The driver writes it. */
#define BUNDLE_COREDUMP_NAME "core.nvcudmp"

/* CUDA_COREDUMP_PIPE ends in this if `culprit run` itself made the setting. */
#define COREDUMP_PIPE_NAME "culprit-pipe-%p"

/*
 * While its process records, a bundle has this symbolic link, which needs no room on a full disk.
 * It points to the directory in BUNDLE_MEMORY_PARENT that holds the journal meanwhile; that
 * directory may be missing. The journal's files are read from there.
 */
#define BUNDLE_LIVE_NAME "live"

/*
 * Journals are kept in files in memory. Their pages can be reserved, so that a store into a mapping
 * cannot fail, and they outlive their process. The name identifies the process by PID namespace,
 * process ID and start time in ticks. It ends in a random number that cannot be guessed.
 */
#define BUNDLE_MEMORY_PARENT "/dev/shm"
#define BUNDLE_MEMORY_PREFIX "culprit-live-"
#define BUNDLE_MEMORY_FORMAT BUNDLE_MEMORY_PREFIX "%lu-%d-%llu-%016llx"
enum { BUNDLE_MEMORY_NAME_MAX = 128 };

/* A directory gets this suffix before it is emptied and removed. */
#define BUNDLE_REMOVED_SUFFIX "-removed"

/*
 * CULPRIT_RUN is SECONDS.PID.RANDOM.DESCRIPTOR of the `culprit run`. Its file descriptor of that
 * number is the run's slot (run_slot_layout.h), a memfd named after the first three parts.
 */
#define RUN_NAME_FORMAT "%lld.%d.%016llx"
#define RUN_SLOT_PREFIX "culprit-run-"

/* "format" of meta.json. */
enum { BUNDLE_FORMAT = 1 };

/* A ring's name is this and its slot in decimal: "ring-0". */
#define BUNDLE_RING_PREFIX "ring-"

/* File names by enum journal_file; JOURNAL_RING: the prefix. */
static const char *const journal_file_names[N_JOURNAL_FILES] = {
#define JOURNAL_FILE(number, name, file, ...) [number] = (file),
#include "base/journal_files.def"
#undef JOURNAL_FILE
};

#endif
