/*
 * test_elastic_error.c - the file for torchrun: whole JSON in which nothing is lost, the first one
 * only, or no file.
 */
#include "failure/elastic_error.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "record/files/store.h"
#include "record/host/aside.h"
#include "report/report_page.h"
#include "support/check.h"

static char folder[] = "/tmp/test_elastic_error.XXXXXX";
static char path[64];
static bool is_over_limit;

int aside_do(void (*work)(void), uint64_t wait_ns)
{
	CHECK(wait_ns > 0);
	work();
	return 0;
}

bool store_is_over_limit(size_t size)
{
	CHECK(size > 0);
	return is_over_limit;
}

/* Return the file's text, "" if there is none. */
static const char *read_file(void)
{
	static char text[1024];
	FILE *file = fopen(path, "r");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	if (file)
		(void)fclose(file);
	text[n] = '\0';
	return text;
}

/* Each byte that is escaped takes two. */
static void test_too_long(void)
{
	static char report[2 * REPORT_TEXT_SIZE + 4096];
	memset(report, '"', sizeof(report) - 1);
	elastic_error_write("headline", report);
	CHECK(access(path, F_OK) < 0);
}

/* Disks may be full, and the bundle may have reached its limit. */
static void test_no_room(void)
{
	struct rlimit before;
	is_over_limit = true;
	elastic_error_write("headline", "report");
	CHECK(access(path, F_OK) < 0);
	is_over_limit = false;
	CHECK_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
	const struct rlimit small = {.rlim_cur = 16, .rlim_max = before.rlim_max};
	CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
	elastic_error_write("headline", "report");
	CHECK_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
	CHECK(access(path, F_OK) < 0);
}

/* A path counts only if it is absolute: the program may have another folder by now. */
static void test_not_wanted(void)
{
	CHECK_EQUAL(unsetenv("TORCHELASTIC_ERROR_FILE"), 0);
	elastic_error_start();
	elastic_error_write("not wanted", "");
	CHECK_EQUAL(chdir(folder), 0);
	CHECK_EQUAL(setenv("TORCHELASTIC_ERROR_FILE", "error.json", 1), 0);
	elastic_error_start();
	elastic_error_write("not wanted", "");
	CHECK(access(path, F_OK) < 0);
}

/* In a program without standard input, the file's descriptor is 0. */
static void test_text(void)
{
	static const char wanted[] =
		"{\"message\": {\"message\": \"a \\\"b\\\" c\\\\d!\", \"extraInfo\": "
		"{\"py_callstack\": \"one\\ntwo  three\", \"timestamp\": \"";
	struct timespec before, after;
	CHECK_EQUAL(close(STDIN_FILENO), 0);
	CHECK_EQUAL(clock_gettime(CLOCK_REALTIME, &before), 0);
	elastic_error_write("a \"b\" c\\d!", "one\ntwo\t three");
	CHECK_EQUAL(clock_gettime(CLOCK_REALTIME, &after), 0);
	const char *text = read_file();
	CHECK_EQUAL(strncmp(text, wanted, strlen(wanted)), 0);
	char *end = NULL;
	long long written = strtoll(text + strlen(wanted), &end, 10);
	CHECK(written >= before.tv_sec && written <= after.tv_sec);
	CHECK_STRING(end, "\"}}}\n");
	elastic_error_write("later", "later");
	CHECK(!strstr(read_file(), "later"));
	CHECK_EQUAL(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO); /* all are closed */
}

int main(void)
{
	CHECK(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/error.json", folder);
	test_not_wanted();
	CHECK_EQUAL(setenv("TORCHELASTIC_ERROR_FILE", path, 1), 0);
	elastic_error_start();
	test_too_long();
	test_no_room();
	test_text();
	CHECK_EQUAL(unlink(path), 0);
	CHECK_EQUAL(rmdir(folder), 0); /* no temporary file is left */
	return 0;
}
