/*
 * driver_events.c - watch the driver's threads by the kernel's counters: after each wake-up a
 * thread switches context once more. The process has one list of these threads, under a lock. It is
 * made anew when any thread of the process has started or finished.
 */
#include "record/driver/driver_events.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/time_units.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"

static const char thread_name[] = "cuda-EvtHandlr";
#define TASKS "/proc/self/task"

/* In a process with more contexts, watch the first ones. A thread's status has some 1.5 KB. */
enum { MAX_THREADS = 32, STATUS_SIZE = 4096 };

/* On a busy machine, a thread that works on a dump paused for less than 10 ms. */
static const uint64_t QUIET_NS = 20000000;
/* From the false success to the dump it took at most 162 ms, with one failing process at a time. */
static const uint64_t LONGEST_NS = 500000000;

/* A third of the threads that woke after the false success did so within 3 ms. */
static const uint64_t LATE_NS = 3000000;

/* The pause between two looks. */
enum { PAUSE_NS = 500000 };

/* A false success came at least 5.5 ms after the launch. */
static const uint64_t STALL_NS = 4000000;

/* A thread gets its name a moment after its start. */
static const uint64_t FRESH_NS = NS_PER_S;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next five */
static uint32_t threads[MAX_THREADS];
static uint32_t n_threads;
static uint64_t tasks; /* a hash of all threads when the list was made */
static uint64_t seen;  /* the same hash of all threads now */
static uint64_t fresh_until_ns;

/* Atomic: the sum of the listed threads' switches when they were last found asleep. */
static uint64_t quiet_switches;
static uint64_t settled_ns; /* atomic: when the last wait for this finished */

struct sight {
	uint64_t n_switches;
	bool is_awake; /* true if one of the threads is */
};

/* Read a small file's text, cut to fit; "" if it cannot be read. */
static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		(void)close(fd);
}

static void read_of_thread(uint32_t tid, const char *name, char *text, size_t size)
{
	char path[64];
	(void)snprintf(path, sizeof(path), TASKS "/%u/%s", tid, name);
	read_text(path, text, size);
}

static bool is_drivers(uint32_t tid)
{
	char name[32];
	read_of_thread(tid, "comm", name, sizeof(name));
	return strncmp(name, thread_name, sizeof(thread_name) - 1) == 0;
}

static void add_if_drivers(uint32_t tid)
{
	if (n_threads < MAX_THREADS && is_drivers(tid))
		threads[n_threads++] = tid;
}

/* FNV-1a, by whole numbers. */
static void add_to_seen(uint32_t tid)
{
	seen = (seen ^ tid) * 0x100000001b3;
}

/*
 * Call `visit` for all threads in the kernel's order, that of their start. This uses the system
 * call itself, since the C library's directory stream would allocate from the host's memory.
 */
static void visit_threads(void (*visit)(uint32_t tid))
{
	_Alignas(struct dirent64) char block[1024];
	int folder = open(TASKS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n = folder < 0 ? 0 : syscall(SYS_getdents64, folder, block, sizeof(block));
	for (; n > 0; n = syscall(SYS_getdents64, folder, block, sizeof(block))) {
		for (long at = 0; at < n;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(const void *)(block + at);
			uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
			if (tid)
				visit(tid);
			at += entry->d_reclen;
		}
	}
	if (folder >= 0)
		(void)close(folder);
}

static void update_list(void)
{
	uint64_t now = clock_kernel_ns();
	seen = 0;
	visit_threads(add_to_seen);
	if (seen != tasks)
		fresh_until_ns = now + FRESH_NS;
	if (now >= fresh_until_ns)
		return;
	n_threads = 0;
	visit_threads(add_if_drivers);
	tasks = seen;
}

static const char *value_of(const char *status, const char *name)
{
	const char *line = strstr(status, name);
	return line ? line + strlen(name) : "";
}

/* A thread that has finished adds nothing, which shows as a change. */
static void add_thread(uint32_t tid, struct sight *sight)
{
	char status[STATUS_SIZE];
	read_of_thread(tid, "status", status, sizeof(status));
	const char *state = value_of(status, "\nState:\t");
	sight->is_awake |= *state == 'R' || *state == 'D';
	sight->n_switches += strtoull(value_of(status, "\nvoluntary_ctxt_switches:"), NULL, 10) +
			     strtoull(value_of(status, "\nnonvoluntary_ctxt_switches:"), NULL, 10);
}

static struct sight look(void)
{
	struct sight sight = {0};
	pthread_mutex_lock(&lock);
	update_list();
	for (uint32_t i = 0; i < n_threads; i++)
		add_thread(threads[i], &sight);
	pthread_mutex_unlock(&lock);
	return sight;
}

static bool has_slept(const struct sight *sight, uint64_t n_switches)
{
	return !sight->is_awake && sight->n_switches == n_switches;
}

static void pause_a_moment(void)
{
	const struct timespec time = {.tv_nsec = PAUSE_NS};
	(void)nanosleep(&time, NULL);
}

/*
 * Wait until the threads have slept for quiet_ns, or for QUIET_NS once one has not. Do not count by
 * the clock: while a virtual machine is stopped, no thread sleeps.
 */
static bool wait_until_quiet(struct sight sight, uint64_t quiet_ns, bool (*has_come)(void))
{
	uint64_t began = clock_kernel_ns();
	uint64_t slept_ns = 0;
	for (uint64_t now = began; now - began < LONGEST_NS; now = clock_kernel_ns()) {
		struct sight last = sight;
		if (has_come())
			return true;
		pause_a_moment();
		sight = look();
		if (!has_slept(&sight, last.n_switches)) {
			slept_ns = 0;
			quiet_ns = QUIET_NS;
		} else if ((slept_ns += PAUSE_NS) >= quiet_ns) {
			break;
		}
	}
	__atomic_store_n(&quiet_switches, sight.n_switches, __ATOMIC_RELAXED);
	__atomic_store_n(&settled_ns, clock_kernel_ns(), __ATOMIC_RELAXED);
	return has_come();
}

/* True if the last wait is so recent that no later fault can have been hidden yet. */
static bool has_just_settled(void)
{
	return clock_kernel_ns() - __atomic_load_n(&settled_ns, __ATOMIC_RELAXED) < STALL_NS;
}

/*
 * A thread that is about to sleep looks asleep some microseconds before the kernel counts the
 * switch. Two looks do not mistake it for a thread that never woke.
 */
static bool has_slept_on(struct sight *sight)
{
	uint64_t n_switches = __atomic_load_n(&quiet_switches, __ATOMIC_RELAXED);
	*sight = look();
	if (has_slept(sight, n_switches))
		*sight = look();
	return has_slept(sight, n_switches);
}

bool driver_events_settle(bool (*has_come)(void))
{
	int cancellation = cancellation_hold();
	struct sight sight;
	bool is_quiet = has_slept_on(&sight);
	bool answer = is_quiet && has_just_settled()
			      ? has_come()
			      : wait_until_quiet(sight, is_quiet ? LATE_NS : QUIET_NS, has_come);
	cancellation_restore(cancellation);
	return answer;
}
