/*
 * fuzz_files.h - the input of the targets that read bundles: files one after another, each preceded
 * by its length as a u32.
 */
#ifndef CULPRIT_TESTS_FUZZ_FILES_H
#define CULPRIT_TESTS_FUZZ_FILES_H

#include <stddef.h>
#include <stdint.h>

enum { FUZZ_MAX_FILES = 64 };

/* Each file has a block of its own, so that a read past its end is detected. */
struct fuzz_files {
	char *bytes[FUZZ_MAX_FILES];
	size_t sizes[FUZZ_MAX_FILES]; /* none is empty */
	size_t n;
};

void fuzz_files_read(const uint8_t *data, size_t size, struct fuzz_files *out);
void fuzz_files_free(struct fuzz_files *files);

#endif
