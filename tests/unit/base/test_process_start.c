/*
 * test_process_start.c - starts of processes are those outside of all time namespaces.
 */
#include "base/process_start.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

static void test_offsets(void)
{
	int64_t ticks = 7;
	CHECK_EQUAL(process_start_parse_offset("monotonic  0  0\nboottime  0  0\n", 100, &ticks),
		    0);
	CHECK_EQUAL(ticks, 0);
	CHECK_EQUAL(process_start_parse_offset("monotonic 1 0\nboottime 100000 20000000\n", 100,
					       &ticks),
		    0);
	CHECK_EQUAL(ticks, 10000002);
	CHECK_EQUAL(process_start_parse_offset("boottime -5 0\n", 100, &ticks), 0);
	CHECK_EQUAL(ticks, -500);
	CHECK_EQUAL(process_start_parse_offset("monotonic 1 0\n", 100, &ticks), -EINVAL);
	CHECK_EQUAL(process_start_parse_offset("boottime x y\n", 100, &ticks), -EINVAL);
}

static void test_processes(void)
{
	uint64_t own = 0;
	uint64_t same = 0;
	CHECK_EQUAL(process_start_read(0, &own), 0);
	CHECK_EQUAL(process_start_read(getpid(), &same), 0);
	CHECK(own && own == same);
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	/* A process that exited and was not waited for. */
	CHECK_EQUAL(waitid(P_PID, (id_t)child, NULL, WEXITED | WNOWAIT), 0);
	CHECK_EQUAL(process_start_read(child, &same), -ENOENT);
	int status = 0;
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK_EQUAL(process_start_read(child, &same), -ENOENT);
}

static void test_rounding(void)
{
	CHECK(process_start_is_same(100, 100));
	CHECK(process_start_is_same(100, 101));
	CHECK(process_start_is_same(101, 100));
	CHECK(!process_start_is_same(100, 102));
	CHECK(!process_start_is_same(102, 100));
}

int main(void)
{
	test_offsets();
	test_processes();
	test_rounding();
	return 0;
}
