/*
 * reading_run.c - replaces main() of the command, and what it learns from the machine.
 */
#include "reading/reading_run.h"

#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "reading/any_rejections.h"
#include "reading/any_texts.h"
#include "reading/named_symbols.h"
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

/* Terminals are as wide as COLUMNS says. */
int isatty(int fd)
{
	return fd == STDOUT_FILENO && getenv("COLUMNS");
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	struct winsize *size = va_arg(arguments, struct winsize *);
	va_end(arguments);
	if (request != TIOCGWINSZ || !isatty(fd))
		return -1;
	*size = (struct winsize){.ws_col = (unsigned short)atoi(getenv("COLUMNS"))};
	return 0;
}

/* True for a sign of JSON that is beside a string, where blanks may be. */
static bool is_beside_string(const char *bytes, size_t size, size_t at)
{
	bool is_after = at > 1 && bytes[at - 1] == '"' && bytes[at - 2] != '\\';
	bool is_before = at + 1 < size && bytes[at + 1] == '"';
	return strchr(":,{}[]", bytes[at]) && (is_after || is_before);
}

/* Replace a character at one of the members that `culprit list` reads. */
static void damage_member(char *bytes, size_t size, uint64_t group)
{
	static const char *const members[] = {
		"\"culprit\"", "\"format\"",         "\"meta\"",  "\"time\"",    "\"fingerprint\"",
		"\"verdict\"", "\"finding\"",        "\"error\"", "\"told\"",    "\"suspects\"",
		"\"lines\"",   "\"missed_symbols\"", "\"code\"",  "\"summary\"", "\"pid\""};
	const char *member = members[group % (sizeof(members) / sizeof(*members))];
	char *at = memmem(bytes, size, member, strlen(member));
	if (at && at + 40 < bytes + size)
		at[group * 7 % 23] = "{}[]:,x0\"\\"[group % 10];
}

/* Write a JSON file again: some are damaged, some have blanks where JSON may have them. */
static void edit_file(const char *path, uint64_t group)
{
	static char bytes[1 << 20];
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	CHECK(!file || !fclose(file));
	if (group % 3)
		damage_member(bytes, size, group);
	file = fopen(path, "w");
	CHECK(file);
	for (size_t i = 0; i < size; i++) {
		bool has_blanks = group % 2 && is_beside_string(bytes, size, i);
		CHECK(fprintf(file, has_blanks ? " \n%c\t" : "%c", bytes[i]) > 0);
	}
	CHECK(!fclose(file));
}

/* Set the variables before the command, and return the first word after them. */
static char **set_variables(char **words)
{
	CHECK(!clearenv());
	for (; strchr(words[0], '=') && words[0][0] != '-'; words++)
		CHECK(!putenv(words[0]));
	return words;
}

static int run_words(char **words, uint64_t group, const char *code)
{
	struct arguments arguments;
	words = set_variables(words);
	if (!strcmp(words[0], "rejections"))
		return any_rejections_print(group, code);
	if (!strcmp(words[0], "types"))
		return any_types_print(group);
	if (!strcmp(words[0], "texts"))
		return any_texts_print(words[1]);
	if (!strcmp(words[0], "edit")) {
		edit_file(words[1], group);
		return 0;
	}
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

struct reading_output reading_run(const char *command, uint64_t group, const char *code)
{
	static struct reading_output output;
	char copy[512];
	char *words[MAX_WORDS + 1] = {NULL};
	(void)snprintf(copy, sizeof(copy), "%s", command);
	char *rest = copy;
	for (int n = 0; n < MAX_WORDS && (words[n] = strsep(&rest, " "));)
		n++;
	named_symbols_spoil(group % 5 < 2);
	output.status = run_words(words, group, code);
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
