/*
 * test_run_kill.c - a run in which a process asks for its end: others get SIGTERM, and are reported
 * only if there are any.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/run_parts.h"
#include "run/run_slot.h"
#include "support/check.h"

static const char line[] = "culprit: the GPU failed: ended the other processes of this run "
			   "(--on-failure kill)\n";
static char run[128];
static int slot;

/* Start a program of that run, which ends when its input does. Return its ID once it runs. */
static pid_t start(const char *of_run, int *out_input)
{
	int input[2];
	int output[2];
	char variable[160];
	char byte = 'x';
	(void)snprintf(variable, sizeof(variable), "CULPRIT_RUN=%s", of_run);
	CHECK(!pipe2(input, O_CLOEXEC) && !pipe2(output, O_CLOEXEC));
	pid_t child = fork();
	if (child == 0) {
		(void)dup2(input[0], STDIN_FILENO);
		(void)dup2(output[1], STDOUT_FILENO);
		(void)execve("/bin/cat", (char *[]){(char[]){"cat"}, NULL},
			     (char *[]){variable, NULL});
		_exit(1);
	}
	CHECK_EQUAL(write(input[1], &byte, 1), 1);
	CHECK_EQUAL(read(output[0], &byte, 1), 1);
	CHECK(!close(input[0]) && !close(output[0]) && !close(output[1]));
	*out_input = input[1];
	return child;
}

/* Do one step of the run. Return what it printed on standard error. */
static const char *step(struct run_kill *wanted)
{
	static char text[512];
	char path[] = "/tmp/unit_run_kill.XXXXXX";
	int file = mkstemp(path);
	int saved = dup(STDERR_FILENO);
	CHECK(file >= 0 && saved >= 0 && unlink(path) == 0);
	CHECK_EQUAL(dup2(file, STDERR_FILENO), STDERR_FILENO);
	(void)run_kill_step(wanted);
	CHECK_EQUAL(fflush(stderr), 0);
	CHECK_EQUAL(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	ssize_t n = pread(file, text, sizeof(text) - 1, 0);
	CHECK(n >= 0 && !close(file) && !close(saved));
	text[n] = '\0';
	return text;
}

/* A process of the run and one of another run, and what the step printed. */
static void check_step(bool is_fatal, bool is_quiet, bool has_other, const char *wanted)
{
	int status = 0;
	int own_input = -1;
	int input = -1;
	slot = run_slot_open(run, sizeof(run));
	struct run_kill kill = {
		.run_id = run, .outer_run = "", .slot_fd = slot, .is_quiet = is_quiet};
	pid_t other = start("other", &input);
	pid_t own = has_other ? start(run, &own_input) : 0;
	if (is_fatal)
		run_slot_pass_fatal(run);
	CHECK_STRING(step(&kill), wanted);
	CHECK_EQUAL(close(input), 0);
	CHECK_EQUAL(waitpid(other, &status, 0), other);
	CHECK(WIFEXITED(status));
	if (own) {
		CHECK_EQUAL(close(own_input), 0);
		CHECK_EQUAL(waitpid(own, &status, 0), own);
		CHECK_EQUAL(is_fatal ? WTERMSIG(status) : status, is_fatal ? SIGTERM : 0);
	}
	CHECK_EQUAL(close(slot), 0);
}

int main(void)
{
	check_step(true, false, true, line);
	check_step(true, true, true, "");
	check_step(true, false, false, "");
	check_step(false, false, true, "");
	return 0;
}
