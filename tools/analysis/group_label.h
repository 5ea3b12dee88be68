/*
 * group_label.h - show which reports are of the same mistake, so that one is shown for all.
 */
#ifndef CULPRIT_TOOLS_GROUP_LABEL_H
#define CULPRIT_TOOLS_GROUP_LABEL_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"

enum { GROUP_KEY_SIZE = 32 };

/* The label of a report: reports with the same key are equal. */
struct group_label {
	char key[GROUP_KEY_SIZE]; /* "": equal to no other report */
	char name[1024];          /* of the bundle, shown below another report */
	uint64_t failed_ns; /* since 1970, 0: not known; a group's first failure stands for it */
};

void group_label_make(const struct analysis *analysis, struct group_label *out);

/* Numbers the groups of reports. A zeroed one is empty. */
struct group_index {
	struct group_of_key *rows;
	size_t n;
	size_t *slots; /* a hash table of numbers plus 1 */
	size_t n_slots;
};

/*
 * Return the number of the key's group, from 0. *out_is_new: it is the next number, since no report
 * had this key before. Return SIZE_MAX if out of memory.
 */
size_t group_index_find(struct group_index *index, const char *key, bool *out_is_new);
void group_index_free(struct group_index *index);

#endif
