/*
 * Unit tests of copying a journal into a bundle: what the file then contains, how much disk space
 * it takes, and what happens if space or time runs out.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/files/journal_copy.h"
#include "record/journal/ring.h"
#include "record/journal/table.h"
#include "support/check.h"
#include "view/bundle_view.h"

enum { N_ROWS = 100000 };

static char directory[] = "/tmp/culprit-unit-XXXXXX";
static struct journal_copy copy;
static int directory_fd;
static unsigned char bytes[4 << 20];

static const char *path_of(const char *name)
{
	static char path[128];
	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static struct stat status_of(const char *name)
{
	struct stat status;
	CHECK_EQUAL(stat(path_of(name), &status), 0);
	return status;
}

static size_t read_file(const char *name)
{
	int fd = open(path_of(name), O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	ssize_t size = read(fd, bytes, sizeof(bytes));
	(void)close(fd);
	CHECK(size >= 0);
	return (size_t)size;
}

static void fill(struct table *table)
{
	CHECK_EQUAL(
		table_open(table, NULL, JOURNAL_PARAMETERS, sizeof(struct parameter_row), N_ROWS),
		0);
	for (uint32_t i = 0; i < N_ROWS; i++) {
		/* Zero in the middle, for far more than a page. */
		bool is_hole = i > N_ROWS / 4 && i < N_ROWS / 2;
		struct parameter_row row = {.offset = is_hole ? 0 : i + 1};
		CHECK_EQUAL(table_append(table, &row, 1), i + 1);
	}
}

static void test_table_is_whole_and_sparse(const struct table *table)
{
	static struct bundle_view view;
	bool is_cut = true;
	journal_copy_begin(&copy);
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "parameters", &table->store), 0);
	CHECK_STRING(copy.names, "\"parameters\"");
	size_t size = read_file("parameters");
	CHECK_EQUAL(size, sizeof(struct file_header) + N_ROWS * sizeof(struct parameter_row));
	CHECK_EQUAL(memcmp(bytes, table->store.base, size), 0);
	CHECK_EQUAL(bundle_view_add(&view, bytes, size, &is_cut), 0);
	CHECK(!is_cut);
	struct stat status = status_of("parameters");
	CHECK_EQUAL(status.st_mode & 0777, 0600);
	CHECK(status.st_blocks * 512 < (off_t)(size - size / 8));
}

static void test_ring_is_as_long_as_it_says(void)
{
	static struct bundle_view view;
	struct ring ring = {0};
	struct journal_record record = {.kind = RECORD_SUBMISSION, .sequence = 7};
	bool is_cut = true;
	CHECK_EQUAL(ring_open(&ring, NULL, 3, 1024), 0);
	CHECK(ring_append(&ring, &record));
	journal_copy_begin(&copy);
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "strings", &ring.store), 0);
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "ring-3", &ring.store), 0);
	CHECK_STRING(copy.names, "\"strings\", \"ring-3\"");
	CHECK_EQUAL(bundle_view_add(&view, bytes, read_file("ring-3"), &is_cut), 0);
	CHECK(!is_cut && view.rings[3].n_rows >= 1024);
	CHECK(status_of("ring-3").st_blocks * 512 <= 8192);
	store_close(&ring.store);
}

/* Every row that is in the file is whole, no signal is raised, and the earlier copy is not lost. */
static void test_limit_on_size(const struct table *table)
{
	struct rlimit old;
	CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &old), 0);
	struct rlimit limit = old;
	limit.rlim_cur = 100000;
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
	journal_copy_begin(&copy);
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "small", &table->store), -EFBIG);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &old), 0);
	size_t size = read_file("small");
	CHECK(size > 90000 && size <= 100000);
	CHECK_EQUAL(memcmp(bytes, table->store.base, size), 0);
}

static void test_time_is_up(const struct table *table)
{
	journal_copy_begin(&copy);
	copy.end_ns = 1;
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "late", &table->store), -ETIMEDOUT);
	CHECK_STRING(copy.names, "\"late\"");
	CHECK_EQUAL(access(path_of("late"), F_OK), -1);
}

static void test_follows_no_link(const struct table *table)
{
	char target[128];
	(void)snprintf(target, sizeof(target), "%s", path_of("elsewhere"));
	CHECK_EQUAL(symlink(target, path_of("link")), 0);
	journal_copy_begin(&copy);
	CHECK_EQUAL(journal_copy_add(&copy, directory_fd, "link", &table->store), -ELOOP);
	CHECK_EQUAL(access(target, F_OK), -1);
}

int main(void)
{
	static const char *const names[] = {"parameters", "strings", "ring-3", "small", "link"};
	struct table table = {0};
	CHECK(mkdtemp(directory) != NULL);
	directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(directory_fd >= 0);
	fill(&table);
	test_table_is_whole_and_sparse(&table);
	test_ring_is_as_long_as_it_says();
	test_limit_on_size(&table);
	test_time_is_up(&table);
	test_follows_no_link(&table);
	store_close(&table.store);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlink(path_of(names[i]));
	CHECK_EQUAL(rmdir(directory), 0);
	return 0;
}
