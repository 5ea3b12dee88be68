/*
 * demo.c - `culprit demo`: run a program with one wrong launch under `culprit run`, on the
 * simulated driver that is installed beside the library.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "command/preload.h"

/* Paths of the demonstration. */
struct demo {
	char folder[PATH_MAX]; /* with the simulated libcuda.so.1 */
	char program[PATH_MAX];
	char kernels[PATH_MAX];
};

static int set_path(char *out, const char *folder, const char *name)
{
	if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return -ENAMETOOLONG;
	return access(out, R_OK) ? -errno : 0;
}

/* Find the files beside the library. Return 0, or -errno after one line. */
static int find_files(struct demo *demo)
{
	char library[PATH_MAX];
	int result = preload_find_library(library, sizeof(library));
	if (result)
		return result;
	*strrchr(library, '/') = '\0';
	result = set_path(demo->folder, library, "culprit-demo");
	if (!result)
		result = set_path(demo->program, demo->folder, "demo");
	if (!result)
		result = set_path(demo->kernels, demo->folder, "training.so");
	if (result)
		message("%s/culprit-demo: %s; this culprit was installed without its demonstration",
			library, strerror(-result));
	return result;
}

/* Put the simulated driver before any other. */
static int set_driver(const char *folder)
{
	const char *before = getenv("LD_LIBRARY_PATH");
	char *list = NULL;
	if (asprintf(&list, "%s%s%s", folder, before && *before ? ":" : "", before ? before : "") <
	    0)
		return -ENOMEM;
	int result = setenv("LD_LIBRARY_PATH", list, 1) ? -errno : 0;
	free(list);
	return result;
}

/*
 * Become `culprit run`, which exits with 0 if it recorded the failure. There are few launches, so
 * each one may have its marker: the verdict is then exact. Return -errno.
 */
static int run(const struct demo *demo, const char *directory)
{
	const char *words[12] = {"culprit", "run", "--fail-code", "0", "--markers", "inline"};
	size_t n = 6;
	if (directory) {
		words[n++] = "--dir";
		words[n++] = directory;
	}
	words[n++] = "--";
	words[n++] = demo->program;
	words[n] = demo->kernels;
	printf("A program with one wrong launch, on a simulated driver: no GPU is used.\n"
	       "$ culprit run --markers inline -- %s %s\n",
	       demo->program, demo->kernels);
	if (fflush(stdout))
		return -errno;
	/* exec takes char *, although it does not change the words. */
	execv(preload_own_path(), (char *const *)(uintptr_t)words);
	return -errno;
}

int demo_main(const struct arguments *arguments)
{
	const char *directory = arguments->values[OPTION_demo_dir];
	if (options_no_operands(arguments, COMMAND_demo))
		return EXIT_STATUS_USAGE;
	struct demo demo;
	if (find_files(&demo))
		return EXIT_STATUS_NOT_WORKING;
	int result = set_driver(demo.folder);
	if (!result)
		result = run(&demo, directory);
	message("%s", strerror(-result));
	return EXIT_STATUS_SYSTEM;
}
