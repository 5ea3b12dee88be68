/*
 * input.h - open and read files that are not trusted.
 */
#ifndef CULPRIT_TOOLS_INPUT_H
#define CULPRIT_TOOLS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Open a directory for reading its entries, without following a link in the last component. Return
 * the descriptor, or -errno: -ELOOP for a link, -ENOTDIR for anything else but a directory.
 */
int input_open_directory(const char *path);

/*
 * Open a directory in which the caller creates or removes files. Like input_open_directory(), but
 * also return -EPERM unless this user owns it and no other user can read or write it.
 */
int input_open_own_directory(const char *path);

/* True if an open directory meets these conditions. */
bool input_is_own_directory(int directory_fd);

/*
 * Open a regular file for reading; pipes, sockets and devices are never opened. Return the
 * descriptor, or -errno: -ELOOP for a link, -EINVAL for anything else but a regular file.
 */
int input_open_file(int directory_fd, const char *name);

/* Like input_open_file(), but follow links, which is usual for libraries. */
int input_open_linked_file(const char *path);

/*
 * Read a whole file into memory from malloc and append a NUL. Return 0, or -errno as for
 * input_open_file(); -EFBIG if the file is longer than max_size.
 */
int input_read_file(int directory_fd, const char *name, uint64_t max_size, char **out_bytes,
		    size_t *out_size);

/* Read up to `size` bytes at offset `at`, fewer at the end. Return their number, or -errno. */
ssize_t input_read_at(int fd, void *bytes, size_t size, uint64_t at);

/* Return a text for an error of these functions, such as "is not a directory". */
const char *input_error_text(int error);

#endif
