/*
 * meta.h - meta.json: a description of the bundle for people and for the tools.
 */
#ifndef CULPRIT_RECORD_META_H
#define CULPRIT_RECORD_META_H

#include "base/settings.h"

/* Facts that may become known or change while the process runs; each is "off" until it is set. */
enum meta_fact {
	META_STACK_SOURCE,
	META_PYTHON,
	META_COREDUMPS,
	META_MEMORY, /* where the journal is while the process lives */
	META_PROGRESS,
	META_FAULT,
	N_META_FACTS,
};

/*
 * Record what is known of the process now, and write the file next to the journal in memory. On
 * failure there is no such file. Calls the driver. Any thread, once.
 */
void meta_open(const struct settings *settings);

/*
 * Set one fact to a line of text that stays valid. If the file was written before, it is written
 * again; the other facts stay. Any thread.
 */
void meta_note(enum meta_fact fact, const char *text);

/*
 * Set the journal files that the bundle should hold (JSON strings), and the result of copying them:
 * 0, or the first -errno. meta_save() writes both. Any thread.
 */
void meta_note_files(const char *names, int error);

/*
 * Write the file again, in memory and into the bundle's open directory. Return 0, or -errno of the
 * latter. For aside_do().
 */
int meta_save(int directory_fd);

/*
 * Like meta_save(), but leave a file that the directory already has: `culprit run` has put it there
 * and may have added how the process ended. For aside_do().
 */
int meta_save_first(int directory_fd);

/* Return the process's rank in its job, "" without one. Valid after meta_open(). */
const char *meta_rank(void);

/* Return the process's directory at meta_open(), NULL if unknown. Valid after meta_open(). */
const char *meta_directory(void);

#endif
