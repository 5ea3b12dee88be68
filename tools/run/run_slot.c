/*
 * run_slot.c - a file in memory, found by /proc. What is in it was written by the command's
 * processes, so it is foreign input.
 */
#include "run/run_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/run_slot_path.h"

/* More verdicts than that nobody reads. */
enum { MAX_BYTES = 16 << 20, WORD_SIZE = 16 };

static int open_named(const char *run)
{
	char name[128];
	int fd;
	int high_fd;

	snprintf(name, sizeof(name), RUN_SLOT_PREFIX "%s", run);
	fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* Not the number of a standard stream that is closed. */
	high_fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high_fd < 0)
		high_fd = -errno;
	close(fd);
	return high_fd;
}

int run_slot_open(char *out_run, size_t capacity)
{
	struct timespec now;
	unsigned long long bits = 0;
	size_t length;
	int fd;

	clock_gettime(CLOCK_REALTIME, &now);
	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = (unsigned long long)now.tv_nsec;
	snprintf(out_run, capacity, RUN_NAME_FORMAT, (long long)now.tv_sec, getpid(), bits);
	fd = open_named(out_run);
	length = strlen(out_run);
	if (fd >= 0)
		snprintf(out_run + length, capacity - length, ".%d", fd);
	return fd;
}

static int read_all(int fd, char **out_bytes, size_t *out_size)
{
	char *bytes = malloc(MAX_BYTES + 1);
	size_t size = 0;
	ssize_t n = 1;

	if (!bytes)
		return -ENOMEM;
	while (size < MAX_BYTES && n > 0) {
		n = pread(fd, bytes + size, MAX_BYTES - size, (off_t)size);
		if (n > 0)
			size += (size_t)n;
	}
	bytes[size] = '\0';
	*out_bytes = bytes;
	*out_size = size;
	return 0;
}

static void add_verdict(struct run_told *told, const struct run_verdict *verdict)
{
	struct run_verdict *rows =
		realloc(told->verdicts, (told->n_verdicts + 1) * sizeof(told->verdicts[0]));

	if (!rows)
		return;
	told->verdicts = rows;
	rows[told->n_verdicts++] = *verdict;
}

void run_told_add_process(struct run_told *told, long pid, uint64_t n_submissions)
{
	struct run_process *rows =
		realloc(told->processes, (told->n_processes + 1) * sizeof(told->processes[0]));

	if (!rows)
		return;
	told->processes = rows;
	rows[told->n_processes++] = (struct run_process){pid, n_submissions};
}

/* "WORD PID SIZE": where its text begins, or NULL. */
static const char *read_header(const char *line, char out_word[WORD_SIZE], long *out_pid,
			       size_t *out_size)
{
	size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");
	char *at;

	if (!length || length >= WORD_SIZE || line[length] != ' ')
		return NULL;
	memcpy(out_word, line, length);
	out_word[length] = '\0';
	*out_pid = strtol(line + length, &at, 10);
	if (*at != ' ')
		return NULL;
	*out_size = strtoul(at, &at, 10);
	return *at == '\n' ? at + 1 : NULL;
}

static void add(struct run_told *told, const char *word, long pid, const char *text, size_t size)
{
	bool is_shown = !strcmp(word, RUN_SLOT_SHOWN);

	if (is_shown || !strcmp(word, RUN_SLOT_VERDICT))
		add_verdict(told, &(struct run_verdict){pid, text, size, is_shown, false});
	else if (!strcmp(word, RUN_SLOT_END))
		run_told_add_process(told, pid, strtoull(text, NULL, 10));
}

void run_slot_read(int fd, struct run_told *out)
{
	size_t size = 0;
	size_t at = 0;

	*out = (struct run_told){0};
	if (fd < 0 || read_all(fd, &out->bytes, &size))
		return;
	while (at < size) {
		char word[WORD_SIZE];
		size_t length;
		long pid;
		const char *text = read_header(out->bytes + at, word, &pid, &length);

		if (!text)
			return;
		at = (size_t)(text - out->bytes);
		if (length > size - at)
			return;
		add(out, word, pid, text, length);
		at += length;
	}
}

void run_told_free(struct run_told *told)
{
	free(told->verdicts);
	free(told->processes);
	free(told->bytes);
	*told = (struct run_told){0};
}

struct run_verdict *run_told_find(struct run_told *told, long pid)
{
	for (size_t index = 0; index < told->n_verdicts; index++)
		if (told->verdicts[index].pid == pid && !told->verdicts[index].is_told)
			return &told->verdicts[index];
	return NULL;
}

const struct run_process *run_told_process(const struct run_told *told, long pid)
{
	for (size_t index = 0; index < told->n_processes; index++)
		if (told->processes[index].pid == pid)
			return &told->processes[index];
	return NULL;
}

void run_slot_pass_on(const char *run, const char *word, long pid, const char *text, size_t size)
{
	char path[64];
	char header[64];
	struct iovec parts[] = {{.iov_base = header}, {.iov_base = (void *)(uintptr_t)text}};
	int fd = run_slot_path(run, path, sizeof(path))
			 ? -1
			 : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	if (fd < 0)
		return;
	parts[0].iov_len =
		(size_t)snprintf(header, sizeof(header), RUN_SLOT_HEADER, word, (int)pid, size);
	parts[1].iov_len = size;
	/* One call, so that what several tell does not mix. A run that cannot hear says so itself.
	 */
	if (writev(fd, parts, 2) < 0)
		errno = 0;
	close(fd);
}
