/*
 * coredump.h - a GPU core dump read from disk. It is foreign input, as a bundle is.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_H
#define CULPRIT_TOOLS_COREDUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "coredump/gpu_coredump.h"
#include "coredump/gpu_fault.h"

/* Owner of the bytes that `dump` and `fault` point into: it must not move. */
struct coredump {
	char *path;
	char *bytes; /* as long as the file; what is no table or code is left out, zero */
	size_t size;
	struct gpu_coredump dump;
	struct gpu_fault fault;
	bool is_cut;
};

/*
 * Reads the file `name` of a directory (AT_FDCWD for a path of its own). 0 and *out belongs to the
 * caller; -EBADMSG: no GPU core dump; -EFBIG: too large to read; else -errno. `path` is how the
 * user knows the file. Says nothing.
 */
int coredump_read(int directory_fd, const char *name, const char *path, struct coredump **out);
void coredump_close(struct coredump *coredump);

/* One phrase for what coredump_read returned. */
const char *coredump_error_text(int error);

/* Was the dump written before this time, in seconds since 1970? False where either is unknown. */
bool coredump_is_before(const struct coredump *coredump, long long start_time);

#endif
