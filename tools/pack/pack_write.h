/*
 * pack_write.h - write the members of a pack.
 */
#ifndef CULPRIT_TOOLS_PACK_WRITE_H
#define CULPRIT_TOOLS_PACK_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "bundle/bundle.h"
#include "files/archive.h"

struct pack_wishes {
	bool keeps_secrets;
	bool has_source;
	bool is_damaged; /* parts of the bundle could not be read */
};

/*
 * Add all members to the archive and print a line about each to `list`. Unless secrets are kept,
 * this redacts `bundle` in memory. Return 0 or -errno.
 */
int pack_write(struct bundle *bundle, const struct pack_wishes *wishes, struct archive *archive,
	       FILE *list);

#endif
