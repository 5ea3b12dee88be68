/*
 * groups.h - reports of many processes. Reports of the same mistake are shown once, with the names
 * of the others below. A job of a thousand processes then has one report to read.
 */
#ifndef CULPRIT_TOOLS_GROUPS_H
#define CULPRIT_TOOLS_GROUPS_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/group_label.h"

struct groups;

/* Returns NULL if out of memory. */
struct groups *groups_open(void);

/* Adds a report and copies its text. A NULL `label` equals no other. Returns 0 or -ENOMEM. */
int groups_add(struct groups *groups, const struct group_label *label, const char *text,
	       size_t size);

/* Prints all reports in their order, separated by empty lines, and forgets them. */
void groups_print(struct groups *groups, FILE *out);
void groups_close(struct groups *groups);

#endif
