/*
 * processes.c - trees of processes, most of which never touch the GPU.
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "samples.h"

extern char **environ;

enum { DEPTH = 5, N_CHILDREN = 2 };

static int use_gpu(struct corpus *corpus)
{
	CUdeviceptr data;

	corpus_open(corpus);
	data = corpus_buffer(corpus, SAMPLE_BYTES);
	sample_fill(corpus, data, NULL);
	say("cuCtxSynchronize", cuCtxSynchronize());
	corpus_close(corpus);
	return 0;
}

static int wait_for(pid_t child)
{
	int status = 0;

	if (child < 0 || waitpid(child, &status, 0) != child)
		exit(2);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The second child of each level continues by exec, without the GPU. */
static void grow(struct corpus *corpus, int level)
{
	for (int i = 0; i < N_CHILDREN; i++) {
		pid_t child;

		fflush(stdout);
		child = fork();
		if (child == 0 && i == 1)
			execl("/bin/sh", "sh", "-c", "exit $(/bin/echo 3)", (char *)NULL);
		if (child == 0 && level + 1 == DEPTH)
			exit(use_gpu(corpus));
		if (child == 0) {
			grow(corpus, level + 1);
			exit(0);
		}
		printf("level %d, child %d: %d\n", level, i, wait_for(child));
	}
}

int process_tree(struct corpus *corpus)
{
	grow(corpus, 0);
	return 0;
}

static int spawn(const char *path, char *const arguments[])
{
	pid_t child = -1;

	fflush(stdout);
	if (posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0)
		return 2;
	return wait_for(child);
}

int spawned(struct corpus *corpus)
{
	char program[PATH_MAX], name[] = "samples", sample[] = "vector_add";
	char text[16] = "";
	FILE *pipe;

	snprintf(program, sizeof(program), "%s", corpus->program);
	printf("system: %d\n", WEXITSTATUS(system("exit 7")));
	pipe = popen("echo through a pipe", "r");
	if (!pipe || !fgets(text, sizeof(text), pipe))
		return 2;
	printf("popen: %s, %d\n", strtok(text, "\n"), pclose(pipe));
	printf("spawn: %d\n", spawn(program, (char *const[]){name, sample, NULL}));
	return use_gpu(corpus);
}
