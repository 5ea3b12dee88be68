/*
 * coredump.h - a GPU core dump read from disk. It is untrusted input, like a bundle.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_H
#define CULPRIT_TOOLS_COREDUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "coredump/gpu_coredump.h"
#include "coredump/gpu_fault.h"

/* Owner of the bytes that `dump` and `fault` point into, so do not move it. */
struct coredump {
	char *path;
	char *bytes; /* as long as the file; all except tables and code is zero */
	size_t size;
	struct gpu_coredump dump;
	struct gpu_fault fault;
	bool is_cut;
};

/*
 * Reads the file `name` of a directory (AT_FDCWD for a path of its own). Returns 0, and the caller
 * owns *out; -EBADMSG if it is not a GPU core dump; -EFBIG if it is too large; or -errno. `path` is
 * the name for the user. Prints nothing.
 */
int coredump_read(int directory_fd, const char *name, const char *path, struct coredump **out);
void coredump_close(struct coredump *coredump);

/* Returns one phrase for the result of coredump_read(). */
const char *coredump_error_text(int error);

/*
 * True if the dump was written before this time, in seconds since 1970. False if either is unknown.
 */
bool coredump_is_before(const struct coredump *coredump, long long start_time);

#endif
