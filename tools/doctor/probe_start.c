/*
 * probe_start.c - start the probe process, or another program, and read its output.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor/probe.h"

/* A driver that has not answered after a minute counts as hung. */
enum { PROBE_SECONDS = 60 };

/* Execute the probe in the child; does not return. */
static void exec_probe(const char *const *command, const struct probe_variable *environment,
		       int output_fd)
{
	static const char *const probe[] = {"/proc/self/exe", PROBE_COMMAND, NULL};
	if (!command)
		command = probe;

	for (; environment->name; environment++)
		(void)setenv(environment->name, environment->value, 1);
	if (dup2(output_fd, STDOUT_FILENO) < 0)
		_exit(127);
	alarm(PROBE_SECONDS); /* survives exec */
	/* execvp does not change the strings. */
	execvp(command[0], (char *const *)(uintptr_t)command);
	_exit(127);
}

json_t *probe_start(const char *const *command, const struct probe_variable *environment,
		    int *out_status)
{
	*out_status = -1;
	int pipe_fds[2];
	if (pipe2(pipe_fds, O_CLOEXEC))
		return NULL;
	pid_t child = fork();
	if (child == 0)
		exec_probe(command, environment, pipe_fds[1]);
	close(pipe_fds[1]);
	json_t *findings =
		child < 0 ? NULL : json_loadfd(pipe_fds[0], JSON_DISABLE_EOF_CHECK, NULL);
	close(pipe_fds[0]);
	while (child > 0 && waitpid(child, out_status, 0) < 0 && errno == EINTR)
		continue;
	return findings;
}
