/*
 * reading_run.c - replaces main() of the command, and what it learns from the machine.
 */
#include "reading/reading_run.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "support/check.h"

enum { MAX_WORDS = 16, N_STREAMS = 2 };

static const struct {
	enum command command;
	int (*main)(const struct arguments *arguments);
} mains[] = {{COMMAND_report, report_main}, {COMMAND_list, list_main},
	     {COMMAND_pack, pack_main},     {COMMAND_diff, diff_main},
	     {COMMAND_dump, dump_main},     {COMMAND_memory, memory_main},
	     {COMMAND_trace, trace_main},   {COMMAND_explain, explain_main}};

static int stream_fds[N_STREAMS]; /* files in memory that are the standard streams */
static char directory[PATH_MAX];

/* In place of the C library's: the machine has one name and one user everywhere. */
int gethostname(char *name, size_t size)
{
	(void)snprintf(name, size, "node7");
	return 0;
}

struct passwd *getpwuid(uid_t uid)
{
	static char name[] = "ann";
	static char home[] = "/home/ann";
	static struct passwd user = {.pw_name = name, .pw_dir = home};
	(void)uid;
	return &user;
}

void reading_open(void)
{
	CHECK(!clearenv());
	for (int i = 0; i < N_STREAMS; i++) {
		stream_fds[i] = memfd_create("stream", MFD_CLOEXEC);
		CHECK(stream_fds[i] >= 0);
	}
}

void reading_begin(void)
{
	CHECK(getcwd(directory, sizeof(directory)));
	for (int i = 0; i < N_STREAMS; i++)
		CHECK(dup2(stream_fds[i], i + 1) == i + 1);
}

void reading_print_rest(void)
{
	char bytes[1 << 16];
	ssize_t n = pread(stream_fds[1], bytes, sizeof(bytes), 0);
	CHECK(n >= 0 && fwrite(bytes, 1, (size_t)n, stderr) == (size_t)n);
}

static int run_words(char **words)
{
	struct arguments arguments;
	enum command command = command_find(words[0]);
	message_set_command(words[0]);
	if (options_parse(command, words + 1, &arguments))
		return -1;
	for (size_t i = 0; i < sizeof(mains) / sizeof(*mains); i++)
		if (mains[i].command == command)
			return mains[i].main(&arguments);
	return -1;
}

/* Replace each `word`, which is at least as long as `by`. */
static void replace(struct reading_output *output, const char *word, const char *by)
{
	size_t length = strlen(word);
	char *to = output->bytes;
	const char *from = output->bytes;
	const char *end = output->bytes + output->size;
	for (const char *at = NULL; (at = memmem(from, (size_t)(end - from), word, length));
	     from = at + length) {
		memmove(to, from, (size_t)(at - from));
		to = stpcpy(to + (at - from), by);
	}
	memmove(to, from, (size_t)(end - from));
	output->size = (size_t)(to - output->bytes) + (size_t)(end - from);
}

/* Append a stream, and empty it. */
static void take(FILE *stream, int fd, FILE *out)
{
	char bytes[1 << 16];
	ssize_t n = 0;
	CHECK(!fflush(stream));
	CHECK(!lseek(fd, 0, SEEK_SET));
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		CHECK(fwrite(bytes, 1, (size_t)n, out) == (size_t)n);
	CHECK(!n && !ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET));
}

/* The sizes of a pack's members depend on the length of the version. */
static void hide_digits(struct reading_output *output)
{
	for (size_t i = 0; i < output->size; i++)
		if (output->bytes[i] >= '0' && output->bytes[i] <= '9')
			output->bytes[i] = '0';
}

struct reading_output reading_run(const char *command)
{
	static struct reading_output output;
	char copy[512];
	char *words[MAX_WORDS + 1] = {NULL};
	(void)snprintf(copy, sizeof(copy), "%s", command);
	char *rest = copy;
	for (int n = 0; n < MAX_WORDS && (words[n] = strsep(&rest, " "));)
		n++;
	output.status = run_words(words);
	free(output.bytes);
	FILE *out = open_memstream(&output.bytes, &output.size);
	CHECK(out);
	take(stdout, stream_fds[0], out);
	CHECK(fputs("-- standard error:\n", out) >= 0);
	take(stderr, stream_fds[1], out);
	CHECK(!fclose(out));
	replace(&output, directory, "/d");
	replace(&output, CULPRIT_VERSION, "V");
	if (!strcmp(words[0], "pack"))
		hide_digits(&output);
	return output;
}
