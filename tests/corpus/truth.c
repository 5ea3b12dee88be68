/*
 * truth.c - tells a test, before a fault, which submission will be the culprit. One JSON object
 * per line, appended, closed at once: whatever happens to the process, the line is there.
 */
#include "truth.h"
#include <stdlib.h>

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
	if (launch && launch->node_function)
		fprintf(file, ", \"node\": {\"function\": \"%s\", \"file\": \"%s\", \"line\": %d}",
			launch->node_function, source, launch->node_line);
	fprintf(file, ", \"function\": \"%s\", \"file\": \"%s\", \"line\": %d}\n", function, source,
		line);
}

void truth_other(const struct corpus *corpus, const char *kind, const struct launch *launch,
		 const char *function, const char *file, int line)
{
	FILE *truth;

	if (!corpus->truth_path)
		return;
	truth = fopen(corpus->truth_path, "a");
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
