/*
 * driver_events.c - watches the driver's threads by what the kernel counts of them: each wake-up
 * ends in one more switch of context. The list of threads is one for the process, under a lock; it
 * is made anew when any thread of the process has come or gone.
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

#include "record/host/cancellation.h"
#include "record/host/clock.h"

static const char thread_name[] = "cuda-EvtHandlr";
#define TASKS "/proc/self/task"

/* Of a process with more contexts the first ones. A thread's status has some 1.5 KB. */
enum { MAX_THREADS = 32, STATUS_SIZE = 4096 };

/* The pauses of a thread that works on a dump, on a busy machine, were below 10 ms. */
static const uint64_t QUIET_NS = 20000000;
/* From the false success to the dump it took 162 ms at most, where one process failed at a time. */
static const uint64_t LONGEST_NS = 500000000;

/* Of those that woke later than the false success came, a third did so within 3 ms. */
static const uint64_t LATE_NS = 3000000;

/* Between two looks. */
enum { PAUSE_NS = 500000 };

/* A false success came 5.5 ms after the launch at least. */
static const uint64_t STALL_NS = 4000000;

/* A thread has its name a moment after it has come. */
static const uint64_t FRESH_NS = 1000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next five */
static uint32_t threads[MAX_THREADS];
static uint32_t n_threads;
static uint64_t tasks; /* all threads when the list was made, as one number */
static uint64_t seen;  /* the same, of now */
static uint64_t fresh_until_ns;

/* Atomic: all switches of the listed threads when they were last found asleep. */
static uint64_t quiet_switches;
static uint64_t settled_ns; /* atomic: when that was, of waiting for it */

struct sight {
	uint64_t n_switches;
	bool is_awake; /* one of them */
};

/* The text of a small file, cut to fit; "" if it cannot be read. */
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
 * Visits all threads, in the kernel's order, that of their start. By the system call itself: the C
 * library's directory stream would take memory of the host's.
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

/* Of a thread that has ended nothing is added, which shows as a change. */
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
 * Until they have slept for so long, or for QUIET_NS once they have not. Not by the clock: where a
 * virtual machine stands still nobody sleeps.
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

/* So lately that no fault since can have been passed over yet. */
static bool has_just_settled(void)
{
	return clock_kernel_ns() - __atomic_load_n(&settled_ns, __ATOMIC_RELAXED) < STALL_NS;
}

/*
 * A thread that is about to sleep looks asleep some microseconds before the kernel counts that: two
 * looks see no such thing as one that never woke.
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
