/*
 * run_slot.c - a file in memory, found through /proc. The command's processes wrote its contents,
 * so they are untrusted input.
 */
#include "run/run_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/run_slot_layout.h"
#include "base/text.h"
#include "command/monotonic.h"

/* Texts beyond this total are left out. */
static const size_t max_text_bytes = 16 << 20;

/* Growing the file beyond the limit of file sizes would raise a deadly signal. */
static size_t find_capacity(void)
{
	size_t capacity = RUN_SLOT_MAX_ENTRIES;
	struct rlimit limit;
	if (getrlimit(RLIMIT_FSIZE, &limit))
		return 0;
	while (capacity && limit.rlim_cur != RLIM_INFINITY &&
	       run_slot_size(capacity) > limit.rlim_cur)
		capacity /= 2;
	return capacity;
}

/* Make a file of holes with a header. Return 0 or -errno. */
static int lay_out(int fd)
{
	struct run_slot_header header = {.magic = RUN_SLOT_MAGIC,
					 .capacity = (uint32_t)find_capacity()};
	if (!header.capacity)
		return -EFBIG;
	if (ftruncate(fd, (off_t)run_slot_size(header.capacity)))
		return -errno;
	if (pwrite(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return -EIO;
	/* A process that maps the file must not get a SIGBUS. */
	return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) ? -errno : 0;
}

static int open_named(const char *run)
{
	char name[128];
	snprintf(name, sizeof(name), RUN_SLOT_PREFIX "%s", run);
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	/* Avoid the number of a standard stream that is closed. */
	int high_fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int result = high_fd < 0 ? -errno : lay_out(high_fd);
	if (result && high_fd >= 0)
		close(high_fd);
	close(fd);
	return result ? result : high_fd;
}

int run_slot_open(char *out_run, size_t capacity)
{
	unsigned long long bits = 0;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (getrandom(&bits, sizeof(bits), GRND_NONBLOCK) != sizeof(bits))
		bits = (unsigned long long)now.tv_nsec;
	snprintf(out_run, capacity, RUN_NAME_FORMAT, (long long)now.tv_sec, getpid(), bits);
	int fd = open_named(out_run);
	size_t length = strlen(out_run);
	if (fd >= 0)
		snprintf(out_run + length, capacity - length, ".%d", fd);
	return fd;
}

void run_slot_note_command(int fd)
{
	uint32_t pid = (uint32_t)getpid();
	/* If this fails, the command does the work itself that culprit would do after its exit. */
	(void)!pwrite(fd, &pid, sizeof(pid), offsetof(struct run_slot_header, command));
}

static bool read_at(int fd, void *out, size_t size, size_t at)
{
	return pread(fd, out, size, (off_t)at) == (ssize_t)size;
}

/* Return the number of used entries of a slot, which has room for *out_capacity. */
static size_t read_header(int fd, size_t *out_capacity)
{
	struct run_slot_header header;
	if (fd < 0 || !read_at(fd, &header, sizeof(header), 0) || header.magic != RUN_SLOT_MAGIC ||
	    header.capacity > RUN_SLOT_MAX_ENTRIES)
		return 0;
	*out_capacity = header.capacity;
	return header.n_entries < header.capacity ? header.n_entries : header.capacity;
}

static void add_verdict(struct run_reported *told, const struct run_verdict *verdict)
{
	struct run_verdict *rows =
		realloc(told->verdicts, (told->n_verdicts + 1) * sizeof(told->verdicts[0]));
	if (!rows) {
		free(verdict->text);
		return;
	}
	told->verdicts = rows;
	rows[told->n_verdicts++] = *verdict;
}

void run_reported_add_process(struct run_reported *told, long pid, uint64_t n_submissions)
{
	struct run_process *rows =
		realloc(told->processes, (told->n_processes + 1) * sizeof(told->processes[0]));
	if (!rows)
		return;
	told->processes = rows;
	rows[told->n_processes++] = (struct run_process){pid, n_submissions};
}

/* NULL: out of memory. */
static char *read_text(int fd, size_t capacity, uint32_t index, size_t size)
{
	char *text = malloc(size);
	if (text && !read_at(fd, text, size, run_slot_text_at(capacity, index))) {
		free(text);
		return NULL;
	}
	return text;
}

static void add_entry(struct run_reported *told, int fd, size_t capacity, uint32_t index,
		      const struct run_slot_entry *entry)
{
	size_t size = entry->text_size;
	if (entry->pid && entry->flags & RUN_SLOT_FINISHED)
		run_reported_add_process(told, (long)entry->pid, entry->n_submissions);
	if (!entry->pid || !size || size > RUN_SLOT_TEXT_SIZE)
		return;
	char *text = read_text(fd, capacity, index, size);
	if (text)
		add_verdict(told, &(struct run_verdict){.pid = (long)entry->pid,
							.text = text,
							.size = text_make_harmless(text, size),
							.is_shown = entry->flags & RUN_SLOT_SHOWN,
							.entry = index,
							.published_ns = entry->published_ns});
}

static int compare_times(const void *left, const void *right)
{
	const struct run_verdict *a = left;
	const struct run_verdict *b = right;
	return (a->published_ns > b->published_ns) - (a->published_ns < b->published_ns);
}

/* Return the entries, from malloc, and their number; NULL if it has no entries, or out of memory.
 */
static struct run_slot_entry *read_entries(int fd, size_t *out_capacity, size_t *out_n)
{
	size_t n = read_header(fd, out_capacity);
	struct run_slot_entry *entries = n ? calloc(n, sizeof(*entries)) : NULL;
	*out_n = n;
	if (entries && !read_at(fd, entries, n * sizeof(*entries), run_slot_entry_at(0))) {
		free(entries);
		return NULL;
	}
	return entries;
}

bool run_slot_has_fatal(int fd, long pid)
{
	size_t capacity = 0;
	size_t n = 0;
	struct run_slot_entry *entries = read_entries(fd, &capacity, &n);
	bool is_found = false;
	for (size_t index = 0; entries && index < n; index++)
		is_found |= entries[index].flags & RUN_SLOT_FATAL &&
			    (!pid || (long)entries[index].pid == pid);
	free(entries);
	return is_found;
}

void run_slot_read(int fd, struct run_reported *out)
{
	size_t capacity = 0;
	size_t n = 0;
	struct run_slot_entry *entries = read_entries(fd, &capacity, &n);
	size_t bytes = 0;
	*out = (struct run_reported){0};
	if (entries) {
		for (uint32_t index = 0; index < n && bytes <= max_text_bytes; index++) {
			add_entry(out, fd, capacity, index, &entries[index]);
			bytes += entries[index].text_size;
		}
	}
	free(entries);
	if (out->n_verdicts)
		qsort(out->verdicts, out->n_verdicts, sizeof(out->verdicts[0]), compare_times);
}

void run_reported_free(struct run_reported *told)
{
	for (size_t index = 0; index < told->n_verdicts; index++)
		free(told->verdicts[index].text);
	free(told->verdicts);
	free(told->processes);
	*told = (struct run_reported){0};
}

struct run_verdict *run_reported_find(struct run_reported *told, long pid)
{
	for (size_t index = 0; index < told->n_verdicts; index++)
		if (told->verdicts[index].pid == pid && !told->verdicts[index].is_told)
			return &told->verdicts[index];
	return NULL;
}

const struct run_process *run_reported_process(const struct run_reported *told, long pid)
{
	for (size_t index = 0; index < told->n_processes; index++)
		if (told->processes[index].pid == pid)
			return &told->processes[index];
	return NULL;
}

/* Map the first bytes of another run's slot. Return NULL if it has no slot. */
static struct run_slot_header *map_other(const char *run, int *out_fd, size_t *out_capacity)
{
	void *base = MAP_FAILED;
	char path[64];
	*out_fd = run_slot_path(run, path, sizeof(path)) ? -1 : open(path, O_RDWR | O_CLOEXEC);
	(void)read_header(*out_fd, out_capacity);
	if (*out_capacity)
		base = mmap(NULL, run_slot_text_at(*out_capacity, 0), PROT_READ | PROT_WRITE,
			    MAP_SHARED, *out_fd, 0);
	return base == MAP_FAILED ? NULL : base;
}

/* Take an entry of another run's slot, write it, and ring. */
static void pass_on(const char *run, const struct run_slot_entry *entry, const char *text)
{
	size_t capacity = 0;
	int fd = 0;
	struct run_slot_header *slot = map_other(run, &fd, &capacity);
	uint32_t index = slot ? __atomic_fetch_add(&slot->n_entries, 1, __ATOMIC_RELAXED) : 0;
	size_t at = run_slot_text_at(capacity, index);
	/* Without this, the outer run still finds the failures by itself. */
	if (slot && index < capacity &&
	    pwrite(fd, text, entry->text_size, (off_t)at) == (ssize_t)entry->text_size &&
	    pwrite(fd, entry, sizeof(*entry), (off_t)run_slot_entry_at(index)) ==
		    (ssize_t)sizeof(*entry) &&
	    (entry->text_size || entry->flags & RUN_SLOT_FATAL)) {
		__atomic_fetch_add(&slot->bell, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &slot->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	}
	if (slot)
		munmap(slot, run_slot_text_at(capacity, 0));
	if (fd >= 0)
		close(fd);
}

void run_slot_pass_verdict(const char *run, long pid, const char *text, size_t size, bool is_shown)
{
	struct run_slot_entry entry = {
		.pid = (uint32_t)pid,
		.flags = is_shown ? RUN_SLOT_SHOWN : 0,
		.published_ns = monotonic_ns(),
		.text_size = (uint32_t)(size < RUN_SLOT_TEXT_SIZE ? size : RUN_SLOT_TEXT_SIZE)};
	pass_on(run, &entry, text);
}

void run_slot_pass_end(const char *run, long pid, uint64_t n_submissions)
{
	struct run_slot_entry entry = {
		.pid = (uint32_t)pid, .flags = RUN_SLOT_FINISHED, .n_submissions = n_submissions};
	pass_on(run, &entry, "");
}

void run_slot_pass_fatal(const char *run)
{
	const struct run_slot_entry entry = {.pid = (uint32_t)getpid(), .flags = RUN_SLOT_FATAL};
	pass_on(run, &entry, "");
}
