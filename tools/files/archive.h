/*
 * archive.h - write and read a compressed tar file of plain files. Files that are read are not
 * trusted, because anyone may have made them.
 */
#ifndef CULPRIT_TOOLS_ARCHIVE_H
#define CULPRIT_TOOLS_ARCHIVE_H

#include <stddef.h>

/* Limit for the uncompressed size of all members together, for writing and reading. */
#define ARCHIVE_MAX_BYTES (1ull << 30)

struct archive;

/* Start an archive. Takes ownership of `fd`, which is open for writing. NULL: out of memory. */
struct archive *archive_create(int fd);

/*
 * Add a member. Its name consists of letters, digits, ".", "-" and "_", and may be preceded by one
 * directory. Return 0, -EFBIG if the limit is exceeded, or -errno.
 */
int archive_add(struct archive *archive, const char *name, const char *bytes, size_t size);

/* Finish and close the file, and free `archive`. Return 0, or -errno if the file is incomplete. */
int archive_close(struct archive *archive);

/* A member to read. The caller sets the name, which has no directory, and zeroes the rest. */
struct archive_member {
	const char *name;
	char *bytes; /* from malloc, NUL-terminated; NULL: no such member */
	size_t size;
};

/*
 * Read the given members and check all others. Return 0 or -errno: -EBADMSG if the file is not an
 * archive or is damaged, -EFBIG if it exceeds the limit, -EPERM if a name leads out of the archive,
 * -ELOOP if a member is not a regular file. The caller frees the bytes, also after an error.
 */
int archive_read(int fd, struct archive_member *members, size_t n_members);

#endif
