/*
 * coredump_bytes.h - as much of a GPU core dump as its reader looks at, at the places of the file:
 * dumps with the memory of the GPU are larger than that of the machine.
 */
#ifndef CULPRIT_TOOLS_COREDUMP_BYTES_H
#define CULPRIT_TOOLS_COREDUMP_BYTES_H

#include <stddef.h>

/*
 * Reads the tables, code and names of the open file; the rest of *out_bytes, which are as many as
 * the file has, is zero and takes no memory. 0; -EBADMSG: no ELF file, or one of absurd shape;
 * -EFBIG; or -errno.
 */
int coredump_bytes_read(int fd, char **out_bytes, size_t *out_size);
void coredump_bytes_free(char *bytes, size_t size);

#endif
