/*
 * meta.h - meta.json: what a bundle is about, for people and for the tools.
 */
#ifndef CULPRIT_RECORD_META_H
#define CULPRIT_RECORD_META_H

#include "base/settings.h"

/* What may become known, or another, while the process runs; each is "off" until it is told. */
enum meta_fact {
	META_STACK_SOURCE,
	META_PYTHON,
	META_COREDUMPS,
	META_MEMORY, /* of the journal while the process lives */
	META_PROGRESS,
	N_META_FACTS,
};

/*
 * Takes down what the process is now, and writes the file beside the journal in memory; trouble
 * leaves that without it. Calls the driver. Any thread, once.
 */
void meta_open(const struct settings *settings);

/*
 * One fact, as a line for a person that stays valid. Where the file is written already it is
 * written again, and says of all others what it said. Any thread.
 */
void meta_tell(enum meta_fact fact, const char *text);

/*
 * The files of the journal that the bundle is to hold (JSON strings), and whether all of it was
 * copied: 0, or -errno of what kept it from that. meta_save() writes it. Any thread.
 */
void meta_tell_files(const char *names, int error);

/*
 * Writes the file anew, in memory and into the open directory of the bundle. 0, or -errno of the
 * latter. For aside_do().
 */
int meta_save(int directory_fd);

/* The rank that the process has in its job, "" without one. Valid from meta_open on. */
const char *meta_rank(void);

/*
 * The process's current directory when it was opened, NULL: none is known. Valid from then on.
 */
const char *meta_directory(void);

#endif
