/*
 * journal_copy.h - writes what a mapping of the journal holds into a file of the bundle, with plain
 * writes: a disk that is full or broken is an error here, not a signal.
 */
#ifndef CULPRIT_RECORD_JOURNAL_COPY_H
#define CULPRIT_RECORD_JOURNAL_COPY_H

#include <stdint.h>

#include "base/text.h"
#include "record/files/store.h"

enum { JOURNAL_COPY_NAMES = 64 * 1024, JOURNAL_COPY_PIECE = 256 * 1024 };

/* One copy of the whole journal. */
struct journal_copy {
	uint64_t end_ns;   /* no file is begun or gone on with after that */
	struct text files; /* JSON strings: what the bundle is to hold, copied or not */
	char names[JOURNAL_COPY_NAMES];
	uint64_t piece[JOURNAL_COPY_PIECE / sizeof(uint64_t)]; /* what is just being copied */
};

void journal_copy_begin(struct journal_copy *copy);

/*
 * Writes the file `name` of an open directory, sparse where the journal is zero. Rows that were
 * published when it began are in it. 0, or -errno: the file then holds what it could, or what an
 * earlier copy left. Any thread.
 */
int journal_copy_add(struct journal_copy *copy, int directory_fd, const char *name,
		     const struct store *store);

#endif
