/*
 * disassembler.c - run nvdisasm on a file that has one instruction, and take the text from its
 * output, which ends in a semicolon: "  [0000]  EXIT ;" with slashes and stars as brackets.
 */
#include "dump/disassembler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/message.h"
#include "command/monotonic.h"

enum { MAX_MS = 5000, OUTPUT_SIZE = 4096 };

/* File descriptors of nvdisasm. */
enum { CHILD_INPUT = 3 };

/* Return a file with the instruction's bytes; -1: none can be made. */
static int make_file(const struct code_instruction *instruction)
{
	int fd = memfd_create("instruction", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, instruction->words, sizeof(instruction->words)) !=
			       (ssize_t)sizeof(instruction->words)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The child's exit status if posix_spawn() cannot report a missing program, as under qemu-user. */
enum { STATUS_MISSING = 127 };

/* Start nvdisasm. Returns 0 or an error number; ENOENT: it is not in PATH. */
static int start(uint8_t architecture, int input, int output, pid_t *out)
{
	char name[] = "nvdisasm";
	char option[] = "-b";
	char target[8];
	char file[] = "/dev/fd/3";
	char *const words[] = {name, option, target, file, NULL};
	posix_spawn_file_actions_t actions;
	(void)snprintf(target, sizeof(target), "SM%u", architecture);
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
							 O_WRONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, input, CHILD_INPUT);
	if (!error)
		error = posix_spawnp(out, name, &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Read to the end of the output, or as much as fits and comes in time. */
static size_t read_output(int fd, char *out, size_t size)
{
	long long end_ms = monotonic_ms() + MAX_MS;
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	size_t n = 0;
	while (n < size) {
		long long left_ms = end_ms - monotonic_ms();
		if (left_ms <= 0 || poll(&ready, 1, (int)left_ms) <= 0)
			break;
		ssize_t more = read(fd, out + n, size - n);
		if (more <= 0)
			break;
		n += (size_t)more;
	}
	return n;
}

static int run(const struct code_instruction *instruction, char *out, size_t size)
{
	int ends[2];
	pid_t child = 0;
	int input = make_file(instruction);
	if (input < 0)
		return errno;
	int error = pipe2(ends, O_CLOEXEC) ? errno : 0;
	if (!error) {
		error = start(instruction->architecture, input, ends[1], &child);
		close(ends[1]);
		if (!error) {
			int status = 0;
			out[read_output(ends[0], out, size - 1)] = '\0';
			kill(child, SIGKILL);
			if (waitpid(child, &status, 0) == child && WIFEXITED(status) &&
			    WEXITSTATUS(status) == STATUS_MISSING)
				error = ENOENT;
		}
		close(ends[0]);
	}
	close(input);
	return error;
}

/* Find the text between the comment with the address, 0, and the semicolon. */
static bool find_text(const char *output, const char **out, size_t *out_length)
{
	static const char address[] = "/*0000*/";
	const char *begin = strstr(output, address);
	const char *end = begin ? strchr(begin, ';') : NULL;
	if (!end)
		return false;
	begin += strlen(address);
	begin += strspn(begin, " \t");
	while (end > begin && end[-1] == ' ')
		end--;
	*out = begin;
	*out_length = (size_t)(end - begin);
	return end > begin && !memchr(begin, '\n', *out_length);
}

bool disassembler_append(const struct code_instruction *instruction, struct text *out)
{
	static bool has_failed; /* it will fail for other instructions, too */
	char output[OUTPUT_SIZE] = "";
	const char *begin = NULL;
	size_t length = 0;
	if (!instruction->architecture || has_failed)
		return false;
	int error = run(instruction, output, sizeof(output));
	if (!error && find_text(output, &begin, &length)) {
		text_add_foreign(out, begin, length);
		return true;
	}
	has_failed = true;
	if (error && error != ENOENT)
		message("nvdisasm: %s", strerror(error));
	else if (!error)
		message("nvdisasm: no instruction in its output");
	return false;
}
