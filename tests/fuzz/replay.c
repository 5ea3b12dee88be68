/*
 * replay.c - runs a fuzz target on stored inputs, without libFuzzer: each file of each directory
 * named. A directory without inputs is an error, so that the test cannot pass by testing nothing.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz_target.h"

enum { MAX_BYTES = 1 << 20 };

static int replay_file(const char *path)
{
	static uint8_t bytes[MAX_BYTES];
	FILE *file = fopen(path, "rb");
	size_t size;

	if (!file) {
		perror(path);
		return 1;
	}
	size = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	(void)LLVMFuzzerTestOneInput(bytes, size);
	return 0;
}

static int replay_directory(const char *directory)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	char path[4096];
	unsigned int n_inputs = 0;
	int status = 0;

	while (entries && (entry = readdir(entries))) {
		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		status |= replay_file(path);
		n_inputs++;
	}
	if (entries)
		(void)closedir(entries);
	(void)printf("%s: %u inputs\n", directory, n_inputs);
	return n_inputs > 0 ? status : 1;
}

int main(int argc, char **argv)
{
	int status = argc > 1 ? 0 : 1;

	for (int i = 1; i < argc; i++)
		status |= replay_directory(argv[i]);
	return status;
}
