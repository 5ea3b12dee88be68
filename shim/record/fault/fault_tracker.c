/*
 * fault_tracker.c - open a file of nvidia-uvm-tools, map its queue, and find the address space.
 */
#include "record/fault/fault_tracker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/fault/next_ioctl.h"
#include "record/host/proc_status.h"
#include "record/host/reserve.h"

enum { HIGH_FD = 960 };

static struct uvm_control *control(const struct fault_tracker *tracker)
{
	return (struct uvm_control *)(void *)(tracker->queue + tracker->queue_size);
}

/* Shared memory: the kernel writes to these pages, and a fork must not make copies of them. */
static bool map_queue(struct fault_tracker *tracker)
{
	size_t page = reserve_page_size();
	tracker->queue_size =
		((size_t)FAULT_TRACKER_ENTRIES * UVM_LONG_EVENT_SIZE + page - 1) / page * page;
	tracker->size = tracker->queue_size + page;
	void *memory = mmap(NULL, tracker->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);
	tracker->queue = memory != MAP_FAILED ? memory : NULL;
	return tracker->queue;
}

static void unmap_queue(struct fault_tracker *tracker)
{
	(void)munmap(tracker->queue, tracker->size);
	tracker->queue = NULL;
}

/* Put both words at 1 and see which one becomes 0: see struct uvm_tracker-> */
static bool init_tracker(struct fault_tracker *tracker, int uvm_fd)
{
	struct uvm_tracker parameters = {
		.queue = (uintptr_t)tracker->queue,
		.n_entries = FAULT_TRACKER_ENTRIES,
		.control = (uintptr_t)control(tracker),
		.all_processors = 1,
		.uvm_fd = (uint32_t)uvm_fd,
		.words = {1, 1},
	};
	if (next_ioctl()(tracker->fd, UVM_INIT_EVENT_TRACKER, &parameters) != 0)
		return false;
	tracker->is_wide = parameters.words[0] == 1 && parameters.words[1] == 0;
	return parameters.words[0] == 0 || tracker->is_wide;
}

static bool is_uvm(int folder, const char *name)
{
	char path[sizeof(UVM_PATH)];
	ssize_t n = readlinkat(folder, name, path, sizeof(path));
	return n == (ssize_t)sizeof(UVM_PATH) - 1 && memcmp(path, UVM_PATH, (size_t)n) == 0;
}

/* Try each entry of one block of a directory. */
static bool init_by_block(struct fault_tracker *tracker, int folder, const char *block, long n)
{
	for (long at = 0; at < n;) {
		const struct dirent64 *entry = (const void *)(block + at);
		at += entry->d_reclen;
		if (is_uvm(folder, entry->d_name) &&
		    init_tracker(tracker, (int)strtol(entry->d_name, NULL, 10)))
			return true;
	}
	return false;
}

/* Open the thread's own folder: the process's is empty once its first thread has exited. */
static int open_numbers(void)
{
	enum { FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
	int folder = open("/proc/thread-self/fd", FLAGS);
	return folder >= 0 ? folder : open("/proc/self/fd", FLAGS); /* Linux before 3.17 */
}

/*
 * libcuda has several files of nvidia-uvm open, one of which has the address space. The driver
 * refuses the others. The directory is read by the system call, since the C library allocates.
 */
static bool init_by_any(struct fault_tracker *tracker)
{
	_Alignas(struct dirent64) char block[1024];
	int folder = open_numbers();
	bool is_done = false;
	if (folder < 0)
		return false;
	for (long n = 1; n > 0 && !is_done;) {
		n = syscall(SYS_getdents64, folder, block, sizeof(block));
		is_done = init_by_block(tracker, folder, block, n);
	}
	(void)close(folder);
	return is_done;
}

static bool set_events(const struct fault_tracker *tracker, unsigned long request)
{
	struct uvm_events parameters = {.kinds = 1ull << tracker->kind, .status = 1};
	return next_ioctl()(tracker->fd, request, &parameters) == 0 && parameters.status == 0;
}

/*
 * Return the least number that the host's own files hardly get, so that theirs stay as they are. It
 * is within the process's table of files: to grow that table while other threads use it, Linux
 * waits for all processors (synchronize_rcu() in expand_fdtable()), which takes 10 ms.
 */
static int least_number(void)
{
	struct rlimit limit;
	rlim_t n = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : HIGH_FD;
	long table_size = proc_status_number("FDSize:");
	if (table_size > 0 && (rlim_t)table_size < n)
		n = (rlim_t)table_size;
	return n > HIGH_FD ? HIGH_FD : (int)(n - n / 16);
}

/* True if the descriptor is one of the tracker's, and not a file of the host. */
static bool is_ours(const struct fault_tracker *tracker, int fd)
{
	struct stat now;
	return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == tracker->identity.st_dev &&
	       now.st_ino == tracker->identity.st_ino;
}

void fault_tracker_close(struct fault_tracker *tracker)
{
	if (is_ours(tracker, tracker->fd))
		(void)close(tracker->fd);
	tracker->fd = -1;
	if (tracker->queue)
		unmap_queue(tracker);
}

static void set_opening(struct fault_tracker *tracker, int low, int high)
{
	__atomic_store_n(&tracker->opening[0], low, __ATOMIC_RELAXED);
	__atomic_store_n(&tracker->opening[1], high, __ATOMIC_RELAXED);
}

static bool identify(struct fault_tracker *tracker, int fd)
{
	tracker->has_identity = fstat(fd, &tracker->identity) == 0;
	return tracker->has_identity;
}

/*
 * Move the open file to a high number, which becomes the tracker's. If no high number is free,
 * close it and return false. Another thread may fork at any moment, so both numbers are in
 * `opening` meanwhile.
 */
static bool move_up(struct fault_tracker *tracker, int low)
{
	int high = identify(tracker, low) ? fcntl(low, F_DUPFD_CLOEXEC, least_number()) : -1;
	set_opening(tracker, low, high);
	(void)close(low);
	tracker->fd = high;
	set_opening(tracker, -1, -1);
	return high >= 0;
}

/* Leave no descriptor if it cannot be opened. */
static enum fault_tracker_result open_file(struct fault_tracker *tracker)
{
	tracker->has_identity = false;
	int low = open(UVM_TOOLS_PATH, O_RDWR | O_CLOEXEC);
	set_opening(tracker, low, -1);
	if (low >= 0)
		return move_up(tracker, low) ? TRACKER_OPEN : TRACKER_NO_NUMBER;
	return errno == ENOENT ? TRACKER_ABSENT : TRACKER_FORBIDDEN;
}

enum fault_tracker_result fault_tracker_open(struct fault_tracker *tracker)
{
	enum fault_tracker_result result = open_file(tracker);
	if (result != TRACKER_OPEN)
		return result;
	if (map_queue(tracker) && init_by_any(tracker) && set_events(tracker, UVM_ENABLE_EVENTS))
		return TRACKER_OPEN;
	fault_tracker_close(tracker);
	return TRACKER_REFUSED;
}

void fault_tracker_forget(struct fault_tracker *tracker)
{
	for (int i = 0; i < 2; i++) {
		int fd = __atomic_load_n(&tracker->opening[i], __ATOMIC_RELAXED);
		if (fd >= 0 && (!tracker->has_identity || is_ours(tracker, fd)))
			(void)close(fd);
	}
	set_opening(tracker, -1, -1);
	fault_tracker_close(tracker);
}

uint32_t fault_tracker_count(const struct fault_tracker *tracker)
{
	/* Acquire: the driver stores put_behind after the entries. */
	return __atomic_load_n(&control(tracker)->put_behind, __ATOMIC_ACQUIRE);
}

int fault_tracker_stop(struct fault_tracker *tracker)
{
	if (!is_ours(tracker, tracker->fd) || !set_events(tracker, UVM_DISABLE_EVENTS))
		return -1;
	uint32_t n = fault_tracker_count(tracker);
	return n < FAULT_TRACKER_ENTRIES ? (int)n : -1;
}

uint64_t fault_tracker_dropped(const struct fault_tracker *tracker)
{
	return control(tracker)->dropped[tracker->kind];
}

const void *fault_tracker_entry(const struct fault_tracker *tracker, int index)
{
	size_t size = tracker->is_wide ? UVM_LONG_EVENT_SIZE : UVM_EVENT_SIZE;
	return tracker->queue + (size_t)index * size;
}
