/*
 * test_patience.c - the line that a command prints on a terminal while it waits, as whole output.
 * The test sets the clock, and says whether standard error is a terminal.
 */
#include "command/patience.h"

#include <time.h>
#include <unistd.h>

#include "support/check.h"

#define HIDDEN "\r\033[K"

static long long now_ms = 5000;
static bool is_terminal = true;
static FILE *real_error;
static char *printed;
static size_t printed_size;

int __wrap_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
	CHECK_EQUAL(clock, CLOCK_MONOTONIC);
	*out = (struct timespec){.tv_sec = now_ms / 1000, .tv_nsec = now_ms % 1000 * 1000000};
	return 0;
}

int __wrap_isatty(int fd);
int __wrap_isatty(int fd)
{
	CHECK_EQUAL(fd, STDERR_FILENO);
	return is_terminal;
}

static void begin(void)
{
	free(printed);
	printed_size = 0;
	stderr = open_memstream(&printed, &printed_size);
	CHECK(stderr);
}

/* Compare all that was printed since begin(). It reaches the terminal at once. */
static void end(const char *wanted)
{
	bool is_flushed = printed_size == strlen(wanted);
	(void)fclose(stderr);
	stderr = real_error;
	CHECK_STRING(printed, wanted);
	CHECK(is_flushed);
}

/* Print at a time since the first call. */
static void print_at(long long ms, const char *name)
{
	now_ms = 5000 + ms;
	patience_print("reads", name);
}

static void test_time(void)
{
	begin();
	print_at(0, "a");
	print_at(PATIENCE_MS - 1, "b");
	patience_hide();
	end("");
	begin();
	print_at(PATIENCE_MS, "c");
	print_at(PATIENCE_MS + 1, "d");
	end(HIDDEN "culprit: reads c ..." HIDDEN "culprit: reads d ...");
	begin();
	patience_hide();
	end(HIDDEN);
	begin();
	patience_hide();
	end("");
}

static void test_no_terminal(void)
{
	is_terminal = false;
	begin();
	print_at(3000, "a");
	patience_hide();
	end("");
	is_terminal = true;
}

/* A long name loses its beginning, and no byte of it does anything to the terminal. */
static void test_names(void)
{
	begin();
	print_at(3000, "123456789012345678901234567890123456789012345678");
	end(HIDDEN "culprit: reads 123456789012345678901234567890123456789012345678 ...");
	begin();
	print_at(3000, "x12345678901234567890123456789012345678901234567\033");
	end(HIDDEN "culprit: reads \xe2\x80\xa6"
		   "12345678901234567890123456789012345678901234567? ...");
}

int main(void)
{
	real_error = stderr;
	test_time();
	test_no_terminal();
	test_names();
	free(printed);
	return 0;
}
