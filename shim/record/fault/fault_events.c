/*
 * fault_events.c - open and close the tracker, and read its queue.
 */
#include "record/fault/fault_events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/time_units.h"
#include "record/fault/fault_abi.h"
#include "record/fault/next_ioctl.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/journal/sequence.h"

/* One entry always stays free: FAULT_EVENTS_MAX events fit. */
enum { N_ENTRIES = FAULT_EVENTS_MAX + 1, MAX_TRIES = 4, HIGH_FD = 960 };

static struct {
	pthread_mutex_t lock; /* guards all but the first two */
	bool is_on;           /* atomic */
	bool is_given_up;     /* atomic: it is not tried again */
	bool is_late;         /* work was submitted in these contexts before */
	bool is_wide;         /* events are of UVM_LONG_EVENT_SIZE */
	bool is_paused;
	bool has_identity;
	int fd;
	int opening[2]; /* atomic: descriptors before one of them is fd, for a forked child */
	int n_tries;
	const char *trouble;  /* atomic: why it is not open */
	struct stat identity; /* of fd, or of those that are being opened */
	uint64_t opened_raw_ns;
	uint64_t n_over; /* submissions before the last context ended */
	unsigned char *queue;
	size_t queue_size; /* the control page follows the queue */
	size_t size;
} tracker = {.lock = PTHREAD_MUTEX_INITIALIZER,
	     .fd = -1,
	     .opening = {-1, -1},
	     .trouble = "no context was prepared"};

static void set_trouble(const char *trouble)
{
	__atomic_store_n(&tracker.trouble, trouble, __ATOMIC_RELAXED);
}

static uint64_t raw_ns(void)
{
	struct timespec now = {0};
	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static struct uvm_control *control(void)
{
	return (struct uvm_control *)(void *)(tracker.queue + tracker.queue_size);
}

/* Shared memory: the kernel writes to these pages, and a fork must not make copies of them. */
static bool map_queue(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	tracker.queue_size = ((size_t)N_ENTRIES * UVM_LONG_EVENT_SIZE + page - 1) / page * page;
	tracker.size = tracker.queue_size + page;
	void *memory =
		mmap(NULL, tracker.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tracker.queue = memory != MAP_FAILED ? memory : NULL;
	return tracker.queue;
}

static void unmap_queue(void)
{
	(void)munmap(tracker.queue, tracker.size);
	tracker.queue = NULL;
}

/* Put both words at 1 and see which one becomes 0: see struct uvm_tracker. */
static bool init_tracker(int uvm_fd)
{
	struct uvm_tracker parameters = {
		.queue = (uintptr_t)tracker.queue,
		.n_entries = N_ENTRIES,
		.control = (uintptr_t)control(),
		.all_processors = 1,
		.uvm_fd = (uint32_t)uvm_fd,
		.words = {1, 1},
	};
	if (next_ioctl()(tracker.fd, UVM_INIT_EVENT_TRACKER, &parameters) != 0)
		return false;
	tracker.is_wide = parameters.words[0] == 1 && parameters.words[1] == 0;
	return parameters.words[0] == 0 || tracker.is_wide;
}

static bool is_uvm(int folder, const char *name)
{
	char path[sizeof(UVM_PATH)];
	ssize_t n = readlinkat(folder, name, path, sizeof(path));
	return n == (ssize_t)sizeof(UVM_PATH) - 1 && memcmp(path, UVM_PATH, (size_t)n) == 0;
}

/* Try each entry of one block of a directory. */
static bool init_by_block(int folder, const char *block, long n)
{
	for (long at = 0; at < n;) {
		const struct dirent64 *entry = (const void *)(block + at);
		at += entry->d_reclen;
		if (is_uvm(folder, entry->d_name) &&
		    init_tracker((int)strtol(entry->d_name, NULL, 10)))
			return true;
	}
	return false;
}

/*
 * libcuda has several files of nvidia-uvm open, one of which has the address space. The driver
 * refuses the others. The directory is read by the system call, since the C library allocates.
 */
static bool init_by_any(void)
{
	_Alignas(struct dirent64) char block[1024];
	int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool is_done = false;
	if (folder < 0)
		return false;
	for (long n = 1; n > 0 && !is_done;) {
		n = syscall(SYS_getdents64, folder, block, sizeof(block));
		is_done = init_by_block(folder, block, n);
	}
	(void)close(folder);
	return is_done;
}

static bool set_events(unsigned long request)
{
	struct uvm_events parameters = {.kinds = 1ull << UVM_FATAL_FAULT, .status = 1};
	return next_ioctl()(tracker.fd, request, &parameters) == 0 && parameters.status == 0;
}

/* Return the least number that the host's own files hardly get, so that theirs stay as they are. */
static int least_number(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > HIGH_FD)
		return HIGH_FD;
	return (int)(limit.rlim_cur - limit.rlim_cur / 16);
}

/* True if the descriptor is one of the tracker's, and not a file of the host. */
static bool is_ours(int fd)
{
	struct stat now;
	return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == tracker.identity.st_dev &&
	       now.st_ino == tracker.identity.st_ino && now.st_rdev == tracker.identity.st_rdev;
}

static void close_tracker(void)
{
	__atomic_store_n(&tracker.is_on, false, __ATOMIC_RELAXED);
	if (is_ours(tracker.fd))
		(void)close(tracker.fd);
	tracker.fd = -1;
	if (tracker.queue)
		unmap_queue();
}

static void set_opening(int low, int high)
{
	__atomic_store_n(&tracker.opening[0], low, __ATOMIC_RELAXED);
	__atomic_store_n(&tracker.opening[1], high, __ATOMIC_RELAXED);
}

static bool identify(int fd)
{
	tracker.has_identity = fstat(fd, &tracker.identity) == 0;
	return tracker.has_identity;
}

/*
 * Move the open file to a high number, which becomes the tracker's. If no high number is free,
 * close it and return false. Another thread may fork at any moment, so both numbers are in
 * `opening` meanwhile.
 */
static bool move_up(int low)
{
	int high = identify(low) ? fcntl(low, F_DUPFD_CLOEXEC, least_number()) : -1;
	set_opening(low, high);
	(void)close(low);
	tracker.fd = high;
	set_opening(-1, -1);
	if (high < 0)
		set_trouble("no high descriptor is free for " UVM_TOOLS_PATH);
	return high >= 0;
}

/* Return false, with no descriptor left, if the file cannot be opened. */
static bool open_file(void)
{
	tracker.has_identity = false;
	int low = open(UVM_TOOLS_PATH, O_RDWR | O_CLOEXEC);
	set_opening(low, -1);
	if (low >= 0)
		return move_up(low);
	set_trouble(errno == ENOENT ? "there is no " UVM_TOOLS_PATH
				    : UVM_TOOLS_PATH " cannot be opened");
	tracker.n_tries = MAX_TRIES;
	return false;
}

static void open_tracker(void)
{
	tracker.n_tries++;
	set_trouble("nvidia-uvm refuses its fault events");
	if (!open_file())
		return;
	if (!map_queue() || !init_by_any() || !set_events(UVM_ENABLE_EVENTS)) {
		close_tracker();
		return;
	}
	set_trouble(NULL);
	tracker.n_tries = 0;
	tracker.opened_raw_ns = raw_ns();
	tracker.is_late = sequence_newest() > tracker.n_over;
	__atomic_store_n(&tracker.is_on, true, __ATOMIC_RELAXED);
}

void fault_events_open(void)
{
	/* Do not take the lock of the whole process if there is no such device. */
	if (__atomic_load_n(&tracker.is_given_up, __ATOMIC_RELAXED))
		return;
	int cancellation = cancellation_hold();
	pthread_mutex_lock(&tracker.lock);
	if (!tracker.is_on && !tracker.is_paused && tracker.n_tries < MAX_TRIES)
		open_tracker();
	if (tracker.n_tries == MAX_TRIES)
		__atomic_store_n(&tracker.is_given_up, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&tracker.lock);
	cancellation_restore(cancellation);
}

static void close_for(bool is_paused)
{
	int cancellation = cancellation_hold();
	pthread_mutex_lock(&tracker.lock);
	if (is_paused)
		tracker.is_paused = true;
	else
		tracker.n_over = sequence_newest();
	if (tracker.is_on)
		close_tracker();
	pthread_mutex_unlock(&tracker.lock);
	cancellation_restore(cancellation);
}

void fault_events_close(void)
{
	close_for(false);
}

void fault_events_pause(void)
{
	close_for(true);
}

void fault_events_resume(void)
{
	pthread_mutex_lock(&tracker.lock);
	tracker.is_paused = false;
	pthread_mutex_unlock(&tracker.lock);
}

/*
 * The lock may be held for ever by a thread that is not in the child, and that was about to open or
 * close the tracker.
 */
void fault_events_forget(void)
{
	for (int i = 0; i < 2; i++) {
		int fd = __atomic_load_n(&tracker.opening[i], __ATOMIC_RELAXED);
		if (fd >= 0 && (!tracker.has_identity || is_ours(fd)))
			(void)close(fd);
	}
	set_opening(-1, -1);
	close_tracker();
}

const char *fault_events_trouble(void)
{
	return __atomic_load_n(&tracker.trouble, __ATOMIC_RELAXED);
}

bool fault_events_are_on(void)
{
	return __atomic_load_n(&tracker.is_on, __ATOMIC_RELAXED);
}

static struct uvm_fatal event_at(uint32_t index)
{
	struct uvm_fatal event;
	size_t size = tracker.is_wide ? UVM_LONG_EVENT_SIZE : UVM_EVENT_SIZE;
	memcpy(&event, tracker.queue + index * size, sizeof(event));
	return event;
}

static unsigned processor_of(const struct uvm_fatal *event)
{
	return tracker.is_wide ? event->wide.processor[0] + 256u * event->wide.processor[1]
			       : event->brief.processor;
}

/* True if the event can be one that this tracker asked for. */
static bool is_plausible(const struct uvm_fatal *event)
{
	return event->kind == UVM_FATAL_FAULT && event->access <= FAULT_PREFETCH;
}

/* Return the time by the journal's clock. 0: the driver's clock is another, as in a namespace. */
static uint64_t time_of(const struct uvm_fatal *event, uint64_t now_raw_ns)
{
	bool is_known = event->raw_ns >= tracker.opened_raw_ns && event->raw_ns <= now_raw_ns;
	return is_known ? clock_kernel_ns() - (now_raw_ns - event->raw_ns) : 0;
}

static struct fault_row row_of(const struct uvm_fatal *event, uint64_t now_raw_ns)
{
	unsigned processor = processor_of(event);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE); /* nvidia-uvm rounds addresses to it */
	return (struct fault_row){
		.kind = FAULT_EVENT,
		.flags = FAULT_ADDRESS_PAGE,
		.page_shift = (uint8_t)__builtin_ctzll(page),
		.device = FAULT_DEVICE_UNKNOWN,
		.access = event->access,
		.type = event->type,
		.reason = tracker.is_wide ? event->wide.reason : event->brief.reason,
		.processor = processor < UINT8_MAX ? (uint8_t)processor : UINT8_MAX,
		.address = event->address & ~(page - 1),
		.raw_ns = event->raw_ns,
		.time_ns = time_of(event, now_raw_ns),
	};
}

/* Rows of the GPUs' faults; those of a CPU are no failure of the GPU. */
static bool read_queue(struct fault_row *summary, struct fault_row *out_rows, size_t *out_n)
{
	uint64_t now = raw_ns();
	/* Acquire: the driver stores put_behind after the entries. */
	uint32_t n = __atomic_load_n(&control()->put_behind, __ATOMIC_ACQUIRE);
	size_t n_rows = 0;
	if (n > FAULT_EVENTS_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct uvm_fatal event = event_at(i);
		if (!is_plausible(&event))
			return false;
		if (processor_of(&event) > 0)
			out_rows[n_rows++] = row_of(&event, now);
	}
	uint64_t lost = control()->dropped[UVM_FATAL_FAULT];
	summary->n_lost = lost < UINT32_MAX / 2 ? (uint32_t)lost : UINT32_MAX / 2;
	summary->count = (uint32_t)n_rows + summary->n_lost;
	*out_n = n_rows;
	return true;
}

/* If the driver stops the events, it was still writing them: none is missing. */
static size_t read_tracker(struct fault_row *out_rows)
{
	size_t n = 0;
	struct fault_row summary = {.kind = FAULT_EVENTS_READ,
				    .device = FAULT_DEVICE_UNKNOWN,
				    .flags = tracker.is_late ? FAULT_LATE : 0,
				    .time_ns = clock_kernel_ns()};
	if (!is_ours(tracker.fd) || !set_events(UVM_DISABLE_EVENTS) ||
	    !read_queue(&summary, out_rows + 1, &n))
		return 0;
	out_rows[0] = summary;
	return n + 1;
}

size_t fault_events_read(struct fault_row *out_rows)
{
	size_t n = 0;
	pthread_mutex_lock(&tracker.lock);
	if (tracker.is_on)
		n = read_tracker(out_rows);
	pthread_mutex_unlock(&tracker.lock);
	return n;
}
