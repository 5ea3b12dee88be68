/* fuzz_files.c - cut an input into files. */
#include "fuzz_files.h"

#include <stdlib.h>
#include <string.h>

static void add_file(struct fuzz_files *files, const uint8_t *bytes, size_t size)
{
	char *copy = malloc(size);

	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	files->sizes[files->n] = size;
	files->bytes[files->n++] = copy;
}

void fuzz_files_read(const uint8_t *data, size_t size, struct fuzz_files *out)
{
	out->n = 0;
	while (size > sizeof(uint32_t) && out->n < FUZZ_MAX_FILES) {
		uint32_t length;

		memcpy(&length, data, sizeof(length));
		data += sizeof(length);
		size -= sizeof(length);
		if (length == 0 || length > size)
			length = (uint32_t)size;
		add_file(out, data, length);
		data += length;
		size -= length;
	}
}

void fuzz_files_free(struct fuzz_files *files)
{
	while (files->n)
		free(files->bytes[--files->n]);
}
