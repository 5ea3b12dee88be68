/*
 * test_own_line.c - whether a line may be unfinished, for files of each kind and content.
 */
#include "base/own_line.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static char path[] = "/tmp/unit_own_line.XXXXXX";

/* Write the text to a file, go to the offset, and ask. errno stays, and nothing is left open. */
static bool is_needed(const char *text, off_t place, int flags)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | flags);
	CHECK(fd >= 0);
	CHECK_EQUAL(write(fd, text, strlen(text)), strlen(text));
	CHECK_EQUAL(lseek(fd, place, SEEK_SET), place);
	errno = EDOM;
	bool result = own_line_is_needed(fd);
	CHECK_EQUAL(errno, EDOM);
	CHECK_EQUAL(lseek(fd, 0, SEEK_CUR), place);
	int next = dup(fd);
	CHECK_EQUAL(next, fd + 1);
	CHECK_EQUAL(close(next), 0);
	CHECK_EQUAL(close(fd), 0);
	return result;
}

static void test_files(void)
{
	CHECK(!is_needed("", 0, 0));
	CHECK(!is_needed("one\n", 4, 0));
	CHECK(is_needed("one\ntwo", 7, 0));
	/* The byte before the offset decides: the next write follows it. */
	CHECK(!is_needed("one\ntwo", 4, 0));
	CHECK(is_needed("one\ntwo\n", 2, 0));
	CHECK(!is_needed("one", 0, 0));
	/* With O_APPEND, it follows the last byte. */
	CHECK(!is_needed("one\ntwo\n", 2, O_APPEND));
	CHECK(is_needed("one\ntwo", 4, O_APPEND));
	CHECK(is_needed("one\ntwo", 0, O_APPEND));
}

/* Files that cannot be read back. */
static void test_others(void)
{
	int ends[2];
	CHECK_EQUAL(pipe(ends), 0);
	CHECK(own_line_is_needed(ends[1]));
	CHECK_EQUAL(close(ends[0]), 0);
	CHECK_EQUAL(close(ends[1]), 0);
	CHECK(own_line_is_needed(ends[1]));
	int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	CHECK(own_line_is_needed(null_fd));
	CHECK_EQUAL(close(null_fd), 0);
}

int main(void)
{
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	CHECK_EQUAL(close(fd), 0);
	test_files();
	test_others();
	CHECK_EQUAL(unlink(path), 0);
	return 0;
}
