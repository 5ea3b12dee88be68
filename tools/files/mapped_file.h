/*
 * mapped_file.h - map a journal file in shared memory while its process writes it.
 *
 * A hostile process can truncate its file, and reading the missing part raises SIGBUS. So only a
 * process that may die of it should read such a file.
 */
#ifndef CULPRIT_TOOLS_MAPPED_FILE_H
#define CULPRIT_TOOLS_MAPPED_FILE_H

#include "view/bundle_view.h"

struct mapped_file {
	const unsigned char *base; /* NULL: closed */
	size_t mapped;             /* address space for the largest size of the file */
	size_t size;               /* size of the file when last checked */
};

/* Map the file `name` of a directory. Return 0, or -errno: -ENOENT if there is no such file. */
int mapped_file_open(int directory_fd, const char *name, struct mapped_file *out);

/*
 * Add the current contents of the file to the view. Return 0, or -errno of bundle_view_add(). Not
 * thread-safe.
 */
int mapped_file_view(struct mapped_file *file, int directory_fd, const char *name,
		     struct bundle_view *view);

/* Unmap the file and zero *file. */
void mapped_file_close(struct mapped_file *file);

#endif
