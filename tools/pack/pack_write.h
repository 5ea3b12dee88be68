/*
 * pack_write.h - what goes into a pack.
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
	bool is_damaged; /* not all of the bundle could be read */
};

/*
 * Adds all members, and writes a line about each to `list`. The bundle is redacted afterwards,
 * unless secrets are kept. 0, or -errno.
 */
int pack_write(struct bundle *bundle, const struct pack_wishes *wishes, struct archive *archive,
	       FILE *list);

#endif
