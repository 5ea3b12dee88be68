/*
 * input.h - reads a foreign file whole, without trusting that it is one.
 */
#ifndef CULPRIT_TOOLS_INPUT_H
#define CULPRIT_TOOLS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Opens a directory for reading entries, without following a link in its last component. The file
 * descriptor, or -errno: -ELOOP for a link, -ENOTDIR for anything else that is no directory.
 */
int input_open_directory(const char *path);

/*
 * The same of a directory that something is to be written into, or removed from: it must be this
 * user's, and nobody else's to write or read. Else -EPERM: somebody may have put it there.
 */
int input_open_own_directory(const char *path);

/* Is the open directory such a one? */
bool input_is_own_directory(int directory_fd);

/*
 * Opens a regular file for reading; pipes, sockets and devices are never opened. The descriptor, or
 * -errno: -ELOOP for a link, -EINVAL for anything else that is not a regular file.
 */
int input_open_file(int directory_fd, const char *name);

/* The same of a file that may be reached through links, as libraries are. */
int input_open_linked_file(const char *path);

/* Is the open file a regular one? */
bool input_is_regular(int fd);

/*
 * Reads the file into memory from malloc, a NUL added behind. 0, or -errno as above; -EFBIG: longer
 * than max_size.
 */
int input_read_file(int directory_fd, const char *name, uint64_t max_size, char **out_bytes,
		    size_t *out_size);

/* Reads `size` bytes at `at`, or up to where the file ends. How many, or -errno. */
ssize_t input_read_at(int fd, void *bytes, size_t size, uint64_t at);

/* "is a symbolic link" and the like for the errors above, else strerror. */
const char *input_error_text(int error);

#endif
