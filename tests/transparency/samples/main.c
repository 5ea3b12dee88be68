/*
 * main.c - the command line of the samples: runs one of them, or lists them. Exit status: what the
 * sample returns, 0 when all is well; 2 when it could not be run.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "samples.h"

static const struct {
	const char *name;
	int (*run)(struct corpus *corpus);
	const char *description;
} samples[] = {
#define ROW(name, description) {#name, name, description},
	SAMPLES(ROW)
#undef ROW
};

enum { N_SAMPLES = sizeof(samples) / sizeof(samples[0]) };

void sample_fill(struct corpus *corpus, CUdeviceptr data, CUstream stream)
{
	struct launch fill;

	launch_init(&fill, corpus, "fill", stream, VALUES(data, 128));
	NEED(LAUNCH(&fill));
}

void sample_add(struct corpus *corpus, CUdeviceptr out, CUdeviceptr left, CUdeviceptr right,
		CUstream stream)
{
	struct launch add;

	launch_init(&add, corpus, "add", stream, VALUES(out, left, right, 128));
	NEED(LAUNCH(&add));
}

unsigned sample_word(CUdeviceptr data)
{
	unsigned word = 0;

	NEED(cuCtxSynchronize());
	NEED(cuMemcpyDtoH_v2(&word, data, sizeof(word)));
	return word;
}

static int list(void)
{
	for (size_t i = 0; i < N_SAMPLES; i++)
		printf("%-20s %s\n", samples[i].name, samples[i].description);
	return 0;
}

static void find_program(struct corpus *corpus)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length < 0 ? 0 : length] = '\0';
	corpus->program = path;
}

int main(int argc, char **argv)
{
	static struct corpus corpus; /* exit handlers may outlive main's frame */

	setvbuf(stdout, NULL, _IOLBF, 0);
	find_program(&corpus);
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list();
	for (size_t i = 0; argc == 2 && i < N_SAMPLES; i++)
		if (strcmp(argv[1], samples[i].name) == 0)
			return samples[i].run(&corpus);
	fputs("usage: samples SAMPLE | --list\n", stderr);
	return 2;
}
