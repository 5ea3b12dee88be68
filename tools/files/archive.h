/*
 * archive.h - a compressed tar file of flat members: made to be sent to somebody, and read as what
 * anybody may have sent.
 */
#ifndef CULPRIT_TOOLS_ARCHIVE_H
#define CULPRIT_TOOLS_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/* Of all members together, uncompressed: what is larger is neither made nor read. */
#define ARCHIVE_MAX_BYTES (1ull << 30)

struct archive;

/* Takes over `fd`, open for writing. NULL: out of memory. */
struct archive *archive_create(int fd);

/*
 * A member of this name: letters, digits, ".", "-" and "_", perhaps behind a folder's. 0, -EFBIG,
 * or -errno.
 */
int archive_add(struct archive *archive, const char *name, const char *bytes, size_t size);

/* Ends and closes the file. 0, or -errno: it is not whole. */
int archive_close(struct archive *archive);

/* What is wanted of a file. Zeroed but for the name, which has no folder. */
struct archive_member {
	const char *name;
	char *bytes; /* from malloc, a NUL behind; NULL: it is not there */
	size_t size;
};

/*
 * Reads the members that are wanted, and looks at all. 0; -EBADMSG: no such archive, or damaged;
 * -EFBIG: it unpacks to too much; -EPERM: a name leads out of it; -ELOOP: a member is no file; or
 * -errno. The bytes are the caller's to free, after a failure too.
 */
int archive_read(int fd, struct archive_member *members, size_t n_members);

#endif
