/*
 * selection.h - which bundles a command line means: by path, by a folder of them, or the newest.
 */
#ifndef CULPRIT_TOOLS_SELECTION_H
#define CULPRIT_TOOLS_SELECTION_H

#include <stddef.h>

struct selection {
	char **paths;
	size_t n;
};

/*
 * Each operand is a bundle, a folder of bundles (all of them, the oldest first), or "latest" where
 * nothing is called so: the newest of the bundle directory (CULPRIT_DIR, or the current one), as is
 * meant by no operand at all. A link is followed if it leads to a directory of this user. What is
 * none of it is taken as it is: opening it will say what is wrong. 0, -ENOENT: no bundle is there,
 * told in a line, or -ENOMEM; *out is the caller's to free on success.
 */
int selection_make(char **operands, int n_operands, struct selection *out);
void selection_free(struct selection *selection);

/* The bundle directory that the environment names, or ".". Lasts until the next call. */
char *selection_default_folder(void);

#endif
