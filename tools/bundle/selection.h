/*
 * selection.h - finds the bundles that a command line names: by path, by their folder, or the
 * newest.
 */
#ifndef CULPRIT_TOOLS_SELECTION_H
#define CULPRIT_TOOLS_SELECTION_H

#include <stddef.h>

struct selection {
	char **paths;
	size_t n;
};

/*
 * Each operand is a bundle, a folder of bundles (all of them, the oldest first), or "latest" if no
 * file has this name. "latest", like no operand at all, is the newest bundle of the bundle
 * directory (CULPRIT_DIR, or the current one). A link is followed if it leads to a directory of
 * this user. Any other operand is kept as it is: opening it will report the problem. Returns 0,
 * -ENOENT if there is no bundle (after one line on standard error), or -ENOMEM. On success the
 * caller frees *out.
 */
int selection_make(char **operands, int n_operands, struct selection *out);
void selection_free(struct selection *selection);

/* Returns the bundle directory named by the environment, or ".". Valid until the next call. */
char *selection_default_folder(void);

#endif
