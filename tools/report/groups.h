/*
 * groups.h - reports of many processes, of which those of one mistake are one, with the others'
 * names below it: a job of a thousand processes has one report to read, and not a thousand.
 */
#ifndef CULPRIT_TOOLS_GROUPS_H
#define CULPRIT_TOOLS_GROUPS_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/analysis.h"

/* What makes reports equal, and how the bundle is named below another's report. */
struct group_label {
	char key[32]; /* "": equal to none */
	char name[1024];
};

void group_label_make(const struct analysis *analysis, struct group_label *out);

struct groups;

/* NULL: out of memory. */
struct groups *groups_open(void);

/* One more report; the text is copied. A NULL `label` is equal to none. 0 or -ENOMEM. */
int groups_add(struct groups *groups, const struct group_label *label, const char *text,
	       size_t size);

/* All of them in their order, an empty line between two; and all is forgotten. */
void groups_print(struct groups *groups, FILE *out);
void groups_close(struct groups *groups);

#endif
