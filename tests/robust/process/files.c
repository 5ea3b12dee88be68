/*
 * files.c - hosts whose disk, directories and descriptors are not what one would expect.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_LAUNCHES = 5000, N_FILES = 32 };

int fault(void)
{
	host_open();
	host_launch_some(N_LAUNCHES);
	return host_fail();
}

/* Only a marker after each of the last launches can tell which of them failed. */
int fault_among_others(void)
{
	host_open();
	host_launch_some(N_LAUNCHES);
	NEED(host_fill(NULL));
	NEED(host_fill(NULL));
	say("cuLaunchKernel", host_stray(NULL));
	say("cuLaunchKernel", host_fill(NULL));
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* Frames that are aligned at run time are unwound in a different way. */
static void launch_body(unsigned index)
{
	(void)index;
	NEED(host_fill_aligned(NULL));
	host_launch_some(N_LAUNCHES);
}

int clean(void)
{
	host_open();
	host_threads(4, 0, launch_body);
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* On a busy machine, culprit makes the bundle later than at the first use of the GPU. */
static void await_bundle(void)
{
	const char *directory = getenv("CULPRIT_DIR");
	const char *preload = getenv("LD_PRELOAD");
	char pattern[4096];
	glob_t found;

	if (!directory || !preload || !strstr(preload, "libculprit"))
		return;
	snprintf(pattern, sizeof(pattern), "%s/culprit-*-%d*/meta.json", directory, (int)getpid());
	while (glob(pattern, 0, NULL, &found) != 0)
		sched_yield();
	globfree(&found);
}

/* Run a command on all bundles while they are being written; their paths end the command. */
static int fail_after(const char *what)
{
	const char *directory = getenv("CULPRIT_DIR");
	char command[4096];

	host_open();
	host_launch_some(10);
	await_bundle();
	snprintf(command, sizeof(command), "%s '%s'/culprit-*", what, directory ? directory : ".");
	NEED_TRUE(system(command) == 0);
	host_launch_some(N_LAUNCHES);
	host_threads(4, 0, launch_body);
	return host_fail();
}

/* Remove the bundles, as a cleaning job would. */
int directory_gone(void)
{
	return fail_after("rm -rf");
}

int files_truncated(void)
{
	return fail_after("f() { find -H \"$@\" -type f -exec truncate -s 0 {} + ; :; }; f");
}

static atomic_bool is_over;

static void launch_until_over(unsigned index)
{
	(void)index;
	while (!atomic_load(&is_over))
		host_launch_some(100);
}

static void *wait_for_end(void *command)
{
	(void)pclose(command);
	atomic_store(&is_over, true);
	return NULL;
}

/* The command's parent is this process. */
int disturbed(void)
{
	const char *command = getenv("ROBUST_DISTURBANCE");
	pthread_t waiter;
	FILE *running;

	host_open();
	host_launch_some(10);
	running = popen(command ? command : "true", "re");
	NEED_TRUE(running);
	NEED_TRUE(pthread_create(&waiter, NULL, wait_for_end, running) == 0);
	host_threads(4, 0, launch_until_over);
	NEED_TRUE(pthread_join(waiter, NULL) == 0);
	return host_fail();
}

/* Exit by the signal ROBUST_SIGNAL, or by _exit if that is 0. */
int killed_at_work(void)
{
	const char *number = getenv("ROBUST_SIGNAL");

	host_open();
	host_launch_some(100);
	await_bundle();
	NEED_TRUE(raise(number ? atoi(number) : SIGKILL) == 0);
	_exit(0);
}

/*
 * "return", "_exit" (status 5), or by a signal; a bad launch, or with ROBUST_SOUND a good one, is
 * in flight.
 */
int ends_unfinished(void)
{
	const char *end = getenv("ROBUST_END");

	NEED_TRUE(end);
	host_open();
	host_launch_some(10);
	await_bundle();
	NEED(getenv("ROBUST_SOUND") ? host_spin(NULL, 200000) : host_stray(NULL));
	if (!strcmp(end, "return"))
		return 0;
	if (!strcmp(end, "_exit"))
		_exit(5);
	if (!strcmp(end, "wait"))
		(void)getchar();
	NEED_TRUE(raise(atoi(end)) == 0);
	return 2;
}

int killed_after_failure(void)
{
	host_open();
	host_launch_some(N_LAUNCHES);
	(void)host_fail();
	return raise(SIGKILL);
}

static int open_own_file(unsigned i)
{
	char name[32];

	snprintf(name, sizeof(name), "own-%u", i);
	return open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

/* After all is over, every file must hold what its writer wrote. */
static void check_own_files(const int *files)
{
	char byte[2];

	for (unsigned i = 0; i < N_FILES; i++) {
		NEED_TRUE(pread(files[i], byte, 2, 0) == 1);
		NEED_TRUE(byte[0] == (char)('a' + i % 26));
	}
}

int close_all(void)
{
	int files[N_FILES];

	NEED(cuInit(0));
	NEED_TRUE(syscall(SYS_close_range, 3, ~0u, 0) == 0);
	for (unsigned i = 0; i < N_FILES; i++) {
		files[i] = open_own_file(i);
		NEED_TRUE(write(files[i], &(char){(char)('a' + i % 26)}, 1) == 1);
	}
	host_open();
	host_launch_some(N_LAUNCHES);
	NEED_TRUE(syscall(SYS_close_range, (unsigned)files[N_FILES - 1] + 1, ~0u, 0) == 0);
	host_threads(4, 0, launch_body);
	host_fail();
	check_own_files(files);
	return 1;
}

static void say_next_descriptor(const char *when)
{
	int file = open("/dev/null", O_RDONLY);

	printf("%s: %d\n", when, file);
	close(file);
}

int descriptor_numbers(void)
{
	say_next_descriptor("at first");
	host_open();
	say_next_descriptor("with a context");
	host_launch_some(N_LAUNCHES);
	say_next_descriptor("after launches");
	host_threads(4, 0, launch_body);
	say_next_descriptor("after threads");
	host_fail();
	say_next_descriptor("after the failure");
	return 1;
}

int stderr_reused(void)
{
	char bytes[8];
	int file;

	host_open();
	host_launch_some(10);
	close(STDERR_FILENO);
	file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	printf("descriptor %d\n", file);
	NEED_TRUE(write(file, "data", 4) == 4);
	host_fail();
	printf("bytes in the file: %zd\n", pread(file, bytes, sizeof(bytes), 0));
	return 1;
}

/* The reader exists but does not read: it waits for the end of this very process. */
int stderr_pipe_full(void)
{
	static char zeros[65536];
	int ends[2];

	host_open();
	NEED_TRUE(pipe(ends) == 0);
	NEED_TRUE(fcntl(ends[1], F_SETPIPE_SZ, (int)sizeof(zeros)) == (int)sizeof(zeros));
	NEED_TRUE(write(ends[1], zeros, sizeof(zeros)) == (ssize_t)sizeof(zeros));
	NEED_TRUE(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
	return host_fail();
}

int stderr_pipe_closed(void)
{
	int ends[2];

	host_open();
	NEED_TRUE(pipe(ends) == 0);
	NEED_TRUE(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
	close(ends[0]);
	close(ends[1]);
	return host_fail();
}
