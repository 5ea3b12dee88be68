/*
 * coredump_bytes.h - reads the needed parts of a GPU core dump, at their offsets in the file. Dumps
 * with the memory of the GPU may be larger than the machine's memory.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_BYTES_H
#define CULPRIT_TOOLS_COREDUMP_BYTES_H

#include <stddef.h>

/*
 * Reads the tables, code and names of the open file. *out_bytes has the size of the file; its other
 * bytes are zero and take no memory. Returns 0; -EBADMSG if it is not an ELF file, or a malformed
 * one; -EFBIG; or -errno.
 */
int coredump_bytes_read(int fd, char **out_bytes, size_t *out_size);
void coredump_bytes_free(char *bytes, size_t size);

#endif
