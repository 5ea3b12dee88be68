/*
 * journal_copy.h - write a mapping of the journal to a file of the bundle with plain writes. A full
 * or broken disk is then an error, not a signal.
 */
#ifndef CULPRIT_RECORD_JOURNAL_COPY_H
#define CULPRIT_RECORD_JOURNAL_COPY_H

#include <stdint.h>

#include "base/text.h"
#include "record/files/store.h"

enum { JOURNAL_COPY_NAMES = 64 * 1024, JOURNAL_COPY_PIECE = 256 * 1024 };

/* One copy of the whole journal. */
struct journal_copy {
	uint64_t end_ns;   /* copying stops after this time */
	struct text files; /* JSON strings: the files that the bundle should hold, copied or not */
	char names[JOURNAL_COPY_NAMES];
	uint64_t piece[JOURNAL_COPY_PIECE / sizeof(uint64_t)]; /* the piece being copied now */
};

void journal_copy_begin(struct journal_copy *copy);

/*
 * Write the file `name` of an open directory, sparse where the journal is zero. It includes all
 * rows that were published before the call. Return 0 or -errno: the file then holds as much as
 * could be written, or an earlier copy. Any thread.
 */
int journal_copy_add(struct journal_copy *copy, int directory_fd, const char *name,
		     const struct store *store);

#endif
