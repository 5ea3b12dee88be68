/*
 * mapped_file.h - a file of a journal in memory, mapped while its process writes it.
 *
 * Nobody keeps a hostile process from cutting its file short, and touching what is gone raises
 * SIGBUS: only a process that has nothing else to do may read such a file.
 */
#ifndef CULPRIT_TOOLS_MAPPED_FILE_H
#define CULPRIT_TOOLS_MAPPED_FILE_H

#include "verdict/view/bundle_view.h"

struct mapped_file {
	const unsigned char *base; /* NULL: closed */
	size_t mapped;             /* address space, for all that the file may become */
	size_t size;               /* of the file, when it was looked at last */
};

/* Maps the file `name` of a directory. 0, or -errno: -ENOENT where there is none. */
int mapped_file_open(int directory_fd, const char *name, struct mapped_file *out);

/*
 * Puts what the file holds now into the view. 0, or -errno as bundle_view_add has it. One thread at
 * a time.
 */
int mapped_file_view(struct mapped_file *file, int directory_fd, const char *name,
		     struct bundle_view *view);

void mapped_file_close(struct mapped_file *file);

#endif
