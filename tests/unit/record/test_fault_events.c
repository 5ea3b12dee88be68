/*
 * test_fault_events.c - which descriptors the trackers of memory faults have, at a fork, too, and
 * that none is opened during a checkpoint. The kernel module is this file.
 */
#include "record/fault/fault_events.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time_units.h"
#include "record/fault/fault_abi.h"
#include "record/fault/next_ioctl.h"
#include "record/host/clock.h"
#include "record/host/proc_status.h"
#include "record/journal/sequence.h"
#include "support/check.h"

enum { N_NUMBERS = 1024 };

uint64_t sequence_word;

static const char *fork_at = ""; /* the call in which a child is forked */
static const char *wait_at = ""; /* the call in which the program waits, as in a signal handler */
static int n_children;
static bool has_no_room; /* for another number */
static bool is_untimed;  /* the driver has no times of faults */
static uint64_t raw_now_ns = NS_PER_S;

/* One for each kind of event, of the queue that was opened last. The driver writes how many came.
 */
static struct uvm_control *control[UVM_FATAL_FAULT + 1];
static struct uvm_control *control_opened;

static bool is_tracker(int fd)
{
	char link[64];
	char path[32] = "";
	(void)snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	return readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, "uvm-tools");
}

/* Return the number of the tracker's descriptors, and the lowest one, or -1. */
static int count_trackers(int *out_lowest)
{
	int n = 0;
	*out_lowest = -1;
	for (int fd = N_NUMBERS - 1; fd >= 0; fd--) {
		if (!is_tracker(fd))
			continue;
		*out_lowest = fd;
		n++;
	}
	return n;
}

/* Another thread forks now. In its child, culprit forgets the tracker. */
static void meet(const char *call)
{
	if (strcmp(call, wait_at) == 0) {
		wait_at = "";
		CHECK(!fault_events_watch_served());
	}
	if (strcmp(call, fork_at) != 0)
		return;
	fork_at = "";
	pid_t child = fork();
	int status = -1;
	int lowest;
	if (child == 0) {
		fault_events_forget();
		_exit(count_trackers(&lowest));
	}
	CHECK(waitpid(child, &status, 0) == child);
	CHECK_EQUAL(status, 0);
	n_children++;
}

int open(const char *path, int flags, ...)
{
	if (strcmp(path, UVM_TOOLS_PATH) == 0)
		return memfd_create("uvm-tools", MFD_CLOEXEC);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}

ssize_t readlinkat(int folder, const char *name, char *out, size_t size)
{
	meet("readlinkat");
	CHECK(folder >= 0 && *name && size >= strlen(UVM_PATH));
	if (*name == '.')
		return -1;
	memcpy(out, UVM_PATH, strlen(UVM_PATH));
	return (ssize_t)strlen(UVM_PATH);
}

int fstat(int fd, struct stat *out)
{
	meet("fstat");
	return (int)syscall(SYS_fstat, fd, out);
}

int fcntl(int fd, int command, ...)
{
	va_list arguments;
	va_start(arguments, command);
	int from = va_arg(arguments, int);
	va_end(arguments);
	meet("fcntl");
	CHECK_EQUAL(command, F_DUPFD_CLOEXEC);
	if (has_no_room) {
		errno = EMFILE;
		return -1;
	}
	return (int)syscall(SYS_fcntl, fd, command, from);
}

int close(int fd)
{
	meet("close");
	return (int)syscall(SYS_close, fd);
}

uint64_t clock_raw_ns(void)
{
	return raw_now_ns;
}

uint64_t clock_kernel_ns(void)
{
	return raw_now_ns;
}

static int answer(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	struct uvm_tracker *tracker = va_arg(arguments, struct uvm_tracker *);
	va_end(arguments);
	meet("ioctl");
	CHECK(is_tracker(fd));
	if (request == UVM_INIT_EVENT_TRACKER) {
		tracker->words[0] = 0;
		control_opened = (void *)(uintptr_t)tracker->control;
		return 0;
	}
	struct uvm_events *events = (void *)tracker;
	events->status = is_untimed && events->kinds == 1u << UVM_GPU_FAULT;
	control[__builtin_ctzll(events->kinds)] = control_opened;
	return 0;
}

ioctl_function next_ioctl_found = answer;
ioctl_function next_ioctl_find(void)
{
	return answer;
}

static void set_limit(rlim_t limit)
{
	struct rlimit limits;
	CHECK(getrlimit(RLIMIT_NOFILE, &limits) == 0 && limits.rlim_max >= limit);
	limits.rlim_cur = limit;
	CHECK(setrlimit(RLIMIT_NOFILE, &limits) == 0);
}

static void check_number(rlim_t limit, int least, int n)
{
	int lowest = -1;
	set_limit(limit);
	fault_events_open();
	CHECK(fault_events_are_on());
	CHECK_EQUAL(count_trackers(&lowest), n);
	CHECK(lowest >= least);
	fault_events_close();
	CHECK_EQUAL(count_trackers(&lowest), 0);
}

/* Linux never makes the table smaller, so from small to large. */
static long grow_table(int number)
{
	int fd = (int)syscall(SYS_dup3, STDERR_FILENO, number, 0);
	CHECK_EQUAL(fd, number);
	CHECK(syscall(SYS_close, fd) == 0);
	return proc_status_number("FDSize:");
}

/* The numbers are high, and in the table that the process has, which would take long to grow. */
static void test_numbers(void)
{
	set_limit(N_NUMBERS);
	long size = proc_status_number("FDSize:");
	CHECK(size >= 64 && size < 512);
	check_number(N_NUMBERS, (int)(size - size / 16), 2);
	CHECK_EQUAL(proc_status_number("FDSize:"), size);
	CHECK_EQUAL(grow_table(400), 512);
	check_number(N_NUMBERS, 480, 2);
	CHECK_EQUAL(proc_status_number("FDSize:"), 512);
	CHECK_EQUAL(grow_table(1000), 1024);
	check_number(N_NUMBERS, 960, 2);
	check_number(960, 900, 2);
	check_number(64, 60, 2);
	check_number(16, 15, 1);
	set_limit(N_NUMBERS);
}

/* Faults without times are still reported. */
static void test_no_times(void)
{
	is_untimed = true;
	check_number(N_NUMBERS, 960, 1);
	is_untimed = false;
}

static void check_open(int n)
{
	int lowest = -1;
	fault_events_open();
	CHECK_EQUAL(fault_events_are_on(), n > 0);
	CHECK_EQUAL(count_trackers(&lowest), n);
}

/* A program without managed memory: faults in the queue of times are of a failure. */
static void test_few_served(void)
{
	check_open(2);
	control[UVM_GPU_FAULT]->put_behind = 15;
	fault_events_watch_served();
	raw_now_ns += 10ull * NS_PER_S;
	fault_events_watch_served();
	check_open(2);
	fault_events_close();
}

/* A fatal fault keeps its tracker. */
static void test_fatal_kept(void)
{
	check_open(2);
	control[UVM_FATAL_FAULT]->put_behind = 1;
	fault_events_end_for_managed();
	check_open(2);
	control[UVM_GPU_FAULT]->put_behind = 16;
	fault_events_watch_served();
	check_open(1);
	raw_now_ns += 10ull * NS_PER_S;
	fault_events_watch_served();
	check_open(1);
	CHECK(!fault_events_trouble());
	fault_events_close();
}

/* Many faults are served, and no fatal one comes: first the times end, then all. */
static void test_served(void)
{
	check_open(2);
	control[UVM_GPU_FAULT]->put_behind = 16;
	fault_events_watch_served();
	fault_events_close();
	check_open(1); /* the times stay closed */
	raw_now_ns += NS_PER_S - 1;
	CHECK(!fault_events_watch_served());
	check_open(1);
	raw_now_ns++;
	CHECK(fault_events_watch_served());
	check_open(0);
	CHECK(!fault_events_watch_served());
}

/* While a thread opens or closes the events, a wait does not wait for it. */
static void test_wait_meanwhile(void)
{
	static const char *const calls[] = {"ioctl", "close"};
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		wait_at = calls[i];
		check_open(2);
		fault_events_close();
		CHECK_STRING(wait_at, "");
	}
}

static void *open_alone(void *unused)
{
	(void)unused;
	while (access("/proc/self/fd/2", F_OK) == 0)
		(void)sched_yield(); /* until the first thread has exited */
	fault_events_open();
	_exit(fault_events_are_on() ? 0 : 1);
}

/* The process goes on without its first thread, and its own files of /proc are empty. */
static void test_first_thread_gone(void)
{
	pthread_t other;
	CHECK_EQUAL(pthread_create(&other, NULL, open_alone, NULL), 0);
	pthread_exit(NULL);
}

static void test_managed(void)
{
	check_open(2);
	fault_events_end_for_managed();
	check_open(0);
	CHECK_STRING(fault_events_trouble(), "the program uses managed memory");
	fault_events_watch_served();
	fault_events_close();
	check_open(0); /* for good */
}

static void test_no_number(void)
{
	int lowest;
	has_no_room = true;
	fault_events_open();
	CHECK(!fault_events_are_on() && fault_events_trouble());
	CHECK_EQUAL(count_trackers(&lowest), 0);
	has_no_room = false;
}

static void test_forks(void)
{
	static const char *const calls[] = {"fstat", "fcntl", "close", "ioctl", "readlinkat"};
	int lowest;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		fork_at = calls[i];
		fault_events_open();
		CHECK_EQUAL(n_children, (int)i + 1);
		CHECK(fault_events_are_on() && count_trackers(&lowest) == 2);
		fault_events_close();
	}
}

/* A thread that makes a context during a checkpoint must not open the tracker again. */
static void test_pause(void)
{
	int lowest;
	fault_events_open();
	fault_events_pause();
	fault_events_open();
	CHECK(!fault_events_are_on() && count_trackers(&lowest) == 0);
	fault_events_resume();
	fault_events_open();
	CHECK(fault_events_are_on() && count_trackers(&lowest) == 2);
	fault_events_close();
}

static void test_managed_in_pause(void)
{
	check_open(2);
	fault_events_pause();
	fault_events_end_for_managed();
	fault_events_resume();
	check_open(0);
}

int main(void)
{
	test_numbers();
	test_no_times();
	test_no_number();
	test_forks();
	test_pause();
	test_wait_meanwhile();
	/* Alone, because the events end for the whole process. */
	check_in_child(test_first_thread_gone);
	test_few_served();
	check_in_child(test_managed);
	check_in_child(test_managed_in_pause);
	check_in_child(test_served);
	test_fatal_kept();
	return 0;
}
