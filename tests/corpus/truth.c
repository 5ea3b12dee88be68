/*
 * truth.c - record for a test, before a fault, which submission will be the culprit. Each line is
 * one JSON object. The file is appended to and closed at once, so that the line is there whatever
 * happens to the process.
 */
#include "truth.h"
#include <stdlib.h>

/* Write which allocation begins at the kernel's first pointer. */
static void write_memory(const struct corpus *corpus, FILE *file, const struct launch *launch)
{
	const char *state = launch->freed_bytes ? "freed" : "inside";
	size_t size = launch->freed_bytes;
	for (size_t i = 0; i < corpus->n_buffers && size == 0; i++) {
		if (corpus->buffers[i] == launch->values[0])
			size = corpus->buffer_bytes[i];
	}
	if (size > 0)
		fprintf(file,
			", \"memory\": {\"pointer\": \"0x%llx\", \"state\": \"%s\", \"size\": %zu}",
			(unsigned long long)launch->values[0], state, size);
}

static void write_line(const struct corpus *corpus, FILE *file, const char *kind,
		       const struct launch *launch, const char *function, const char *source,
		       int line)
{
	fprintf(file, "{\"scenario\": \"%s\", \"kind\": \"%s\"", corpus->scenario, kind);
	if (launch)
		fprintf(file,
			", \"kernel\": \"%s\", \"tag\": %u, \"grid\": [%u, %u, %u], "
			"\"block\": [%u, %u, %u]",
			launch->kernel, launch->tag, launch->grid[0], launch->grid[1],
			launch->grid[2], launch->block[0], launch->block[1], launch->block[2]);
	if (launch)
		write_memory(corpus, file, launch);
	if (launch && launch->node_function)
		fprintf(file, ", \"node\": {\"function\": \"%s\", \"file\": \"%s\", \"line\": %d}",
			launch->node_function, source, launch->node_line);
	fprintf(file, ", \"function\": \"%s\", \"file\": \"%s\", \"line\": %d}\n", function, source,
		line);
}

void truth_other(const struct corpus *corpus, const char *kind, const struct launch *launch,
		 const char *function, const char *file, int line)
{
	if (!corpus->truth_path)
		return;
	FILE *truth = fopen(corpus->truth_path, "a");
	if (!truth) {
		perror(corpus->truth_path);
		exit(2);
	}
	write_line(corpus, truth, kind, launch, function, file, line);
	if (fclose(truth)) {
		perror(corpus->truth_path);
		exit(2);
	}
}

void truth_kernel(const struct corpus *corpus, const struct launch *launch, const char *function,
		  const char *file, int line)
{
	truth_other(corpus, "kernel", launch, function, file, line);
}
