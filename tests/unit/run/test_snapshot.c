/*
 * test_snapshot.c - what a snapshot of a process reads from each state of its file, without a
 * thread that answers: the request is served beforehand, or never.
 */
#include "status/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "base/journal_live.h"
#include "support/check.h"

enum { ASKED = 41, TID = 7, N_READINGS = 2 };

/* The file "looks" as the process writes it. */
struct live_file {
	struct file_header header;
	struct snapshot_row snapshot;
	struct reading_row readings[N_READINGS];
};

static char folder[] = "/tmp/unit_snapshot.XXXXXX";
static int folder_fd;
static const char *name;

/* A file in which the next request is served. */
static struct live_file served_file(void)
{
	return (struct live_file){
		.header = {.magic = JOURNAL_MAGIC,
			   .kind = JOURNAL_SNAPSHOTS,
			   .header_size = sizeof(struct file_header),
			   .row_size = sizeof(struct snapshot_row)},
		.snapshot = {.asked = ASKED,
			     .served = ASKED + 1,
			     .n_started = 3,
			     .n_finished = 3,
			     .n_readings = N_READINGS,
			     .tid = TID,
			     .time_ns = 5000},
		.readings = {{.kind = READING_CHANNEL, .id = 1, .value = 11, .gpu_ns = 12},
			     {.kind = READING_LOCKED, .value = 13}},
	};
}

static unsigned count_lines(const char *path, const char *word)
{
	unsigned n = 0;
	char line[512];
	FILE *file = fopen(path, "re");
	CHECK(file);
	while (fgets(line, sizeof(line), file))
		n += strstr(line, word) != NULL;
	CHECK_EQUAL(fclose(file), 0);
	return n;
}

static int next_descriptor(void)
{
	int fd = dup(0);
	CHECK_EQUAL(close(fd), 0);
	return fd;
}

/* Take a snapshot of what has the file's name. It leaves no descriptor and no mapping. */
static int take_named(struct snapshot *out)
{
	int fd = next_descriptor();
	int result = snapshot_take(folder_fd, 0, out);
	CHECK_EQUAL(next_descriptor(), fd);
	CHECK_EQUAL(count_lines("/proc/self/maps", folder), 0);
	return result;
}

/* The same of a file of this size, which is asked `n_asked` times. */
static int take(const struct live_file *file, size_t size, uint32_t n_asked, struct snapshot *out)
{
	struct live_file after;
	int fd = openat(folder_fd, name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, file, size) == (ssize_t)size);
	int result = take_named(out);
	CHECK_EQUAL(pread(fd, &after, sizeof(after), 0), size);
	CHECK_EQUAL(after.snapshot.asked, ASKED + n_asked);
	CHECK_EQUAL(close(fd), 0);
	return result;
}

/* The same of a file from which no snapshot is taken. */
static int refuse(const struct live_file *file, size_t size, uint32_t n_asked)
{
	struct snapshot snapshot;
	return take(file, size, n_asked, &snapshot);
}

static void test_served(void)
{
	struct live_file file = served_file();
	struct snapshot snapshot;
	CHECK_EQUAL(take(&file, sizeof(file), 1, &snapshot), 0);
	CHECK_EQUAL(snapshot.time_ns, 5000);
	CHECK_EQUAL(snapshot.n, N_READINGS);
	CHECK(!memcmp(snapshot.readings, file.readings, sizeof(file.readings)));
	CHECK_EQUAL(snapshot_locked_ns(&snapshot), 13);
	snapshot.n = 1;
	CHECK_EQUAL(snapshot_locked_ns(&snapshot), 0);
	snapshot_free(&snapshot);
	CHECK(!snapshot.readings && !snapshot.n);
}

/* A later request was served, the numbers have wrapped, or there are no readings. */
static void test_also_served(void)
{
	struct live_file file = served_file();
	struct snapshot snapshot;
	file.snapshot.served += 5;
	file.snapshot.n_readings = 0;
	CHECK_EQUAL(take(&file, offsetof(struct live_file, readings), 1, &snapshot), 0);
	CHECK(snapshot.readings && snapshot.n == 0);
	snapshot_free(&snapshot);
}

/* No request was served, or another snapshot is being written. */
static void test_not_served(void)
{
	struct live_file file = served_file();
	file.snapshot.served = ASKED;
	CHECK_EQUAL(refuse(&file, sizeof(file), 1), -ETIMEDOUT);
	file.snapshot.tid = 0;
	CHECK_EQUAL(refuse(&file, sizeof(file), 1), -ENOENT);
	file = served_file();
	file.snapshot.n_started++;
	CHECK_EQUAL(refuse(&file, sizeof(file), 1), -ETIMEDOUT);
}

/* The file has less rows than it says. */
static void test_rows_are_missing(void)
{
	struct live_file file = served_file();
	file.snapshot.n_readings = N_READINGS + 1;
	CHECK_EQUAL(refuse(&file, sizeof(file), 1), -ETIMEDOUT);
}

/* Each member of the header that is wrong, and a file without its first row. */
static void test_unsound(void)
{
	for (int i = 0; i < 4; i++) {
		struct live_file file = served_file();
		struct file_header *header = &file.header;
		header->magic += i == 0;
		header->kind += i == 1;
		header->header_size += i == 2;
		header->row_size += i == 3;
		CHECK_EQUAL(refuse(&file, sizeof(file), 0), -ENOENT);
	}
	struct live_file file = served_file();
	CHECK_EQUAL(refuse(&file, offsetof(struct live_file, readings) - 1, 0), -ENOENT);
}

/* The name belongs to no file, or to a file that is not a regular one of the folder. */
static void test_no_file(void)
{
	struct snapshot snapshot;
	CHECK_EQUAL(unlinkat(folder_fd, name, 0), 0);
	CHECK_EQUAL(take_named(&snapshot), -ENOENT);
	CHECK_EQUAL(symlinkat("other", folder_fd, name), 0);
	CHECK_EQUAL(take_named(&snapshot), -ELOOP);
	CHECK_EQUAL(unlinkat(folder_fd, name, 0), 0);
	CHECK_EQUAL(mkfifoat(folder_fd, name, 0600), 0);
	CHECK_EQUAL(take_named(&snapshot), -ENOENT);
	CHECK_EQUAL(unlinkat(folder_fd, name, 0), 0);
}

int main(void)
{
	CHECK(mkdtemp(folder));
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(folder_fd >= 0);
	name = journal_file_names[JOURNAL_SNAPSHOTS];
	test_served();
	test_also_served();
	test_not_served();
	test_rows_are_missing();
	test_unsound();
	test_no_file();
	CHECK_EQUAL(rmdir(folder), 0);
	return 0;
}
