/*
 * test_process_start.c - starts of processes are those outside of all time namespaces.
 */
#include "base/process_start.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"

/* Return the time since boot in clock ticks. */
static uint64_t now_ticks(void)
{
	struct timespec now;
	CHECK_EQUAL(clock_gettime(CLOCK_BOOTTIME, &now), 0);
	uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
	return (uint64_t)now.tv_sec * per_second + (uint64_t)now.tv_nsec * per_second / 1000000000;
}

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

/* A process and its parent agree, however long the parent has run, also in an emulator. */
static void test_agreement(void)
{
	uint64_t parent = 0;
	CHECK_EQUAL(process_start_read(0, &parent), 0);
	uint64_t start = now_ticks();
	while (now_ticks() < start + 4)
		;
	int from_child[2];
	int to_child[2];
	CHECK(!pipe(from_child) && !pipe(to_child));
	pid_t child = fork();
	if (child == 0) {
		close(to_child[1]);
		uint64_t own = 0;
		CHECK_EQUAL(process_start_read(0, &own), 0);
		CHECK_EQUAL(write(from_child[1], &own, sizeof(own)), sizeof(own));
		CHECK_EQUAL(read(to_child[0], &own, 1), 1);
		_exit(0);
	}
	close(from_child[1]);
	uint64_t own = 0;
	uint64_t seen = 0;
	CHECK_EQUAL(read(from_child[0], &own, sizeof(own)), sizeof(own));
	CHECK_EQUAL(process_start_read(child, &seen), 0);
	CHECK(process_start_is_same(own, seen));
	CHECK(!process_start_is_same(own, parent));
	CHECK_EQUAL(write(to_child[1], "", 1), 1);
	int status = 0;
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK_EQUAL(status, 0);
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
	test_agreement();
	test_rounding();
	return 0;
}
