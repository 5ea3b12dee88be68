/*
 * modules.c - libsimkernel.so: the device files of NVIDIA's kernel modules, for programs on
 * simcuda. It is preloaded after libculprit.so, which then opens, asks and reads as on a GPU.
 * It has its own copy of the layouts, so that a mistake in the shim's shows.
 *
 * SIMKERNEL is a list of words: see README.md.
 */
#include "modules.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device_files.h"
#include "simkernel.h"

enum { N_SMS = 132, SMS_PER_CALL = 100, FAULTY_SM = 7, NEIGHBOURS_SM = 3, GLOBAL_ESR = 0x20 };
enum { INIT_TRACKER = 56, ENABLE = 58, DISABLE = 59, GPU_FAULT = 3, FATAL = 6 };
enum { N_TRACKERS = 8, REPLAY_NS = 60000 };
static const uint64_t EARLY_NS = UINT64_C(5000000000);
enum { STATUS_INVALID = 0x1f, STATUS_NOT_COMPATIBLE = 0x16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all below */
static struct simkernel_fault fault;                     /* the last one, after `lie` */
static uint64_t true_address;                            /* for the list of MMU faults */
static bool is_unread;                                   /* its row is not cleared yet */

/* The newest trackers. */
static struct tracker {
	ino_t file; /* 0: none */
	uint64_t queue, n_entries, control;
	uint64_t kinds; /* of events that are enabled */
	uint32_t put;
} trackers[N_TRACKERS];
static unsigned n_trackers;

static uint64_t u64_at(const void *bytes, size_t offset)
{
	uint64_t value = 0;
	memcpy(&value, (const char *)bytes + offset, sizeof(value));
	return value;
}

static uint32_t u32_at(const void *bytes, size_t offset)
{
	uint32_t value = 0;
	memcpy(&value, (const char *)bytes + offset, sizeof(value));
	return value;
}

static void put_u32(void *bytes, size_t offset, uint32_t value)
{
	memcpy((char *)bytes + offset, &value, sizeof(value));
}

static void put_u64(void *bytes, size_t offset, uint64_t value)
{
	memcpy((char *)bytes + offset, &value, sizeof(value));
}

/* Memory that is not mapped is left alone, as by the kernel: read() checks it. */
static void write_user(uint64_t address, const void *bytes, size_t size)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return;
	if (write(ends[1], bytes, size) == (ssize_t)size)
		(void)!read(ends[0], (void *)(uintptr_t)address, size);
	close(ends[0]);
	close(ends[1]);
}

/* 515 to 545 and 565 on: status at 48. 550: and version at 52. 555 and 560: the contrary. */
static void answer_init(void *parameters, uint32_t status)
{
	if (device_has_word("555")) {
		put_u32(parameters, 52, u32_at(parameters, 48) == 1 ? status : STATUS_INVALID);
		return;
	}
	if (device_has_word("550") && u32_at(parameters, 52) != 1)
		status = STATUS_INVALID;
	put_u32(parameters, 48, status);
}

static void init_tracker(ino_t file, void *parameters)
{
	uint64_t n = u64_at(parameters, 8);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool is_good = u64_at(parameters, 0) % page == 0 && u64_at(parameters, 16) % page == 0 &&
		       n >= 2 && (n & (n - 1)) == 0 && !device_has_word("refused");
	if (!is_good) {
		answer_init(parameters, STATUS_INVALID);
		return;
	}
	if (!device_has_va_space((int)u32_at(parameters, 44))) {
		answer_init(parameters, STATUS_NOT_COMPATIBLE);
		return;
	}
	trackers[n_trackers++ % N_TRACKERS] = (struct tracker){.file = file,
							       .queue = u64_at(parameters, 0),
							       .n_entries = n,
							       .control = u64_at(parameters, 16)};
	answer_init(parameters, 0);
}

static struct tracker *tracker_of(ino_t file)
{
	for (int i = 0; file && i < N_TRACKERS; i++)
		if (trackers[i].file == file)
			return &trackers[i];
	return NULL;
}

static void set_events(struct tracker *tracker, bool is_enabled, void *parameters)
{
	uint64_t kinds = u64_at(parameters, 0);
	if (kinds & 1 << GPU_FAULT && device_has_word("untimed")) {
		put_u32(parameters, 8, STATUS_INVALID);
		return;
	}
	tracker->kinds = is_enabled ? tracker->kinds | kinds : tracker->kinds & ~kinds;
	put_u32(parameters, 8, 0);
}

int modules_tools(ino_t file, unsigned long request, void *parameters)
{
	pthread_mutex_lock(&lock);
	struct tracker *tracker = tracker_of(file);
	if (request == INIT_TRACKER) {
		init_tracker(file, parameters);
	} else if ((request == ENABLE || request == DISABLE) && tracker) {
		set_events(tracker, request == ENABLE, parameters);
	} else {
		put_u32(parameters, 8, STATUS_INVALID);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

static uint64_t raw_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void count_dropped(const struct tracker *tracker, int kind, uint64_t n)
{
	write_user(tracker->control + 16 + 8 * (uint64_t)kind, &n, sizeof(n));
}

/* Put the event into the queue of each tracker that wants its kind, if there is room. */
static void put_event(int kind, const unsigned char *event)
{
	size_t size = device_has_word("555") ? 72 : 64;
	for (struct tracker *tracker = trackers; tracker < trackers + N_TRACKERS; tracker++) {
		if (!tracker->file || !(tracker->kinds & 1u << kind) ||
		    !device_is_open(tracker->file))
			continue;
		if (tracker->put + 1 == tracker->n_entries) {
			count_dropped(tracker, kind, 1);
			continue;
		}
		write_user(tracker->queue + (uint64_t)tracker->put * size, event, size);
		tracker->put++;
		write_user(tracker->control + 8, &tracker->put, sizeof(tracker->put));
		write_user(tracker->control + 12, &tracker->put, sizeof(tracker->put));
	}
}

static void put_fatal(void)
{
	unsigned char event[72] = {device_has_word("garbage") ? 9 : FATAL, 2, fault.access};
	bool is_wide = device_has_word("555");
	event[is_wide ? 4 : 3] = 1; /* processor */
	event[is_wide ? 3 : 4] = 1; /* reason: invalid address */
	put_u64(event, 8, fault.address & -(uint64_t)sysconf(_SC_PAGESIZE));
	put_u64(event, 16, raw_ns());
	put_event(FATAL, event);
}

static void put_timed(uint64_t gpu_ns)
{
	unsigned char event[72] = {GPU_FAULT, 2, fault.access};
	put_u64(event, 8, fault.address & -(uint64_t)sysconf(_SC_PAGESIZE));
	put_u64(event, 16, raw_ns());
	put_u64(event, 24, gpu_ns);
	put_event(GPU_FAULT, event);
}

/* The GPU tries an access again before it gives up. */
static void put_page(void)
{
	uint64_t gpu_ns = fault.gpu_ns - (device_has_word("early") ? EARLY_NS : 0);
	put_timed(gpu_ns);
	put_timed(gpu_ns + REPLAY_NS);
	put_fatal();
}

static void distort(void)
{
	if (device_has_word("lie")) {
		fault.address += UINT64_C(1) << 30;
		fault.pc += UINT64_C(1) << 30;
	}
}

__attribute__((visibility("default"))) void simkernel_raise(const struct simkernel_fault *raised)
{
	pthread_mutex_lock(&lock);
	fault = *raised;
	true_address = raised->address;
	is_unread = true;
	distort();
	if (fault.kind == SIMKERNEL_MEMORY && !device_has_word("lost")) {
		put_page();
		for (int i = 0; i < 62 && device_has_word("many"); i++) {
			fault.address += (uint64_t)sysconf(_SC_PAGESIZE);
			put_page();
		}
		for (int i = 0; i < N_TRACKERS && device_has_word("many"); i++)
			if (trackers[i].file && trackers[i].kinds & 1 << FATAL)
				count_dropped(&trackers[i], FATAL, 95);
	}
	pthread_mutex_unlock(&lock);
}

static void put_state(void *answer, unsigned at, uint32_t esr, uint64_t address, uint64_t pc)
{
	char *row = (char *)answer + 8 + (size_t)at * 48;
	put_u32(row, 0, GLOBAL_ESR);
	put_u32(row, 4, esr);
	put_u32(row, 8, (uint32_t)pc);
	put_u64(row, 24, address);
	put_u64(row, 32, pc);
}

/* The state of the SMs from `first` on. Their rows are cleared as they are read. */
static void read_states(void *answer)
{
	uint32_t first = u32_at(answer, 4820);
	uint32_t n = first < N_SMS ? N_SMS - first : 0;
	n = n < SMS_PER_CALL ? n : SMS_PER_CALL;
	memset(answer, 0, 4820);
	put_u32(answer, 4, n);
	if (!is_unread)
		return;
	if (fault.kind == SIMKERNEL_EXCEPTION && first == 0)
		put_state(answer, FAULTY_SM, fault.warp_esr, fault.address, fault.pc);
	if (fault.kind == SIMKERNEL_NONE && first == 0)
		put_state(answer, FAULTY_SM, 0, 0, 0);
	if (device_has_word("foreign") && first == 0)
		put_state(answer, NEIGHBOURS_SM, 0x102000e, 0x1234567000, 0x7ffe12340030);
	if (fault.kind == SIMKERNEL_MEMORY) {
		((char *)answer)[4812] = 1;
		put_u32(answer, 4816, 0x81012100);
	}
	is_unread = first + n < N_SMS;
}

static void read_mmu_faults(void *answer)
{
	memset(answer, 0, 72);
	if (fault.kind != SIMKERNEL_MEMORY)
		return;
	put_u64(answer, 0, true_address);
	put_u32(answer, 8, 2);
	put_u32(answer, 12, fault.access - 1u);
	put_u32(answer, 64, 1);
}

int modules_control(void *request)
{
	uint32_t command = u32_at(request, 8);
	uint32_t size = u32_at(request, 24);
	void *answer = (void *)(uintptr_t)u64_at(request, 16);
	uint32_t status = 0;
	pthread_mutex_lock(&lock);
	if (command == 0x83de030c && size >= 4824)
		read_states(answer);
	else if (command == 0x83de0328 && size == 72 && !device_has_word("gvisor"))
		read_mmu_faults(answer);
	else
		status = STATUS_INVALID;
	put_u32(request, 28, status);
	pthread_mutex_unlock(&lock);
	return 0;
}
