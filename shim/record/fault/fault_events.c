/*
 * fault_events.c - the two trackers, and rows of what their queues hold.
 */
#include "record/fault/fault_events.h"

#include <pthread.h>
#include <string.h>

#include "base/time_units.h"
#include "record/fault/fault_tracker.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/host/reserve.h"
#include "record/journal/sequence.h"

enum { MAX_TRIES = 4, MANY_SERVED = 16 };
#define SURELY_SERVED_NS NS_PER_S
static_assert(FAULT_EVENTS_MAX == FAULT_TRACKER_ENTRIES - 1, "all that fit have a row");
static_assert(FAULT_TIMES_MAX == FAULT_TRACKER_ENTRIES - 1, "all that fit have a row");

static struct {
	pthread_mutex_t lock; /* guards all but the first two */
	bool is_on;           /* atomic: `fatal` is open */
	bool is_given_up;     /* atomic: it is not tried again */
	bool is_late;         /* work was submitted in these contexts before */
	bool is_paused;
	int n_tries;
	const char *trouble; /* atomic: why it is not open */
	uint64_t opened_raw_ns;
	uint64_t served_raw_ns; /* when many faults without a fatal one were seen; 0: not yet */
	uint64_t n_over;        /* submissions before the last context ended */
	struct fault_tracker fatal;
	struct fault_tracker
		timed; /* of its own, since faults that are served may fill its queue */
} events = {.lock = PTHREAD_MUTEX_INITIALIZER,
	    .trouble = "no context was prepared",
	    .fatal = {.kind = UVM_FATAL_FAULT, .fd = -1, .opening = {-1, -1}},
	    .timed = {.kind = UVM_GPU_FAULT, .fd = -1, .opening = {-1, -1}}};

static void close_trackers(void)
{
	__atomic_store_n(&events.is_on, false, __ATOMIC_RELAXED);
	fault_tracker_close(&events.fatal);
	fault_tracker_close(&events.timed);
}

/* A driver without the second kind of events still has the first. */
static void open_trackers(void)
{
	static const char *const troubles[] = {
		[TRACKER_OPEN] = NULL,
		[TRACKER_ABSENT] = "there is no " UVM_TOOLS_PATH,
		[TRACKER_FORBIDDEN] = UVM_TOOLS_PATH " cannot be opened",
		[TRACKER_NO_NUMBER] = "no high descriptor is free for " UVM_TOOLS_PATH,
		[TRACKER_REFUSED] = "nvidia-uvm refuses its fault events",
	};
	enum fault_tracker_result result = fault_tracker_open(&events.fatal);
	__atomic_store_n(&events.trouble, troubles[result], __ATOMIC_RELAXED);
	events.n_tries++;
	if (result == TRACKER_ABSENT || result == TRACKER_FORBIDDEN)
		events.n_tries = MAX_TRIES;
	if (result != TRACKER_OPEN)
		return;
	if (!events.served_raw_ns)
		(void)fault_tracker_open(&events.timed);
	events.n_tries = 0;
	events.opened_raw_ns = clock_raw_ns();
	events.is_late = sequence_newest() > events.n_over;
	__atomic_store_n(&events.is_on, true, __ATOMIC_RELAXED);
}

void fault_events_open(void)
{
	/* Do not take the lock of the whole process if there is no such device. */
	if (__atomic_load_n(&events.is_given_up, __ATOMIC_RELAXED))
		return;
	int cancellation = cancellation_hold();
	pthread_mutex_lock(&events.lock);
	if (!events.is_on && !events.is_paused && events.n_tries < MAX_TRIES)
		open_trackers();
	if (events.n_tries == MAX_TRIES)
		__atomic_store_n(&events.is_given_up, true, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&events.lock);
	cancellation_restore(cancellation);
}

/* Return false to keep what tells of a failure that no call has reported yet. */
static bool end_for_managed(void)
{
	if (events.is_on && fault_tracker_count(&events.fatal) > 0)
		return false;
	close_trackers();
	__atomic_store_n(&events.trouble, "the program uses managed memory", __ATOMIC_RELAXED);
	__atomic_store_n(&events.is_given_up, true, __ATOMIC_RELAXED);
	return true;
}

void fault_events_end_for_managed(void)
{
	if (__atomic_load_n(&events.is_given_up, __ATOMIC_RELAXED))
		return;
	int cancellation = cancellation_hold();
	pthread_mutex_lock(&events.lock);
	(void)end_for_managed();
	pthread_mutex_unlock(&events.lock);
	cancellation_restore(cancellation);
}

/* A fatal fault is reported as one that is served, too, and its own event comes later. */
static bool watch_served(void)
{
	if (events.served_raw_ns)
		return clock_raw_ns() - events.served_raw_ns >= SURELY_SERVED_NS &&
		       end_for_managed();
	if (events.timed.fd >= 0 && fault_tracker_count(&events.timed) >= MANY_SERVED) {
		events.served_raw_ns = clock_raw_ns();
		fault_tracker_close(&events.timed);
	}
	return false;
}

/* Every wait of the program comes here. If another thread has the lock, a later wait looks. */
bool fault_events_watch_served(void)
{
	if (__atomic_load_n(&events.is_given_up, __ATOMIC_RELAXED))
		return false;
	int cancellation = cancellation_hold();
	bool has_ended = false;
	if (pthread_mutex_trylock(&events.lock) == 0) {
		has_ended = watch_served();
		pthread_mutex_unlock(&events.lock);
	}
	cancellation_restore(cancellation);
	return has_ended;
}

static void close_for(bool is_paused)
{
	int cancellation = cancellation_hold();
	pthread_mutex_lock(&events.lock);
	if (is_paused)
		events.is_paused = true;
	else
		events.n_over = sequence_newest();
	if (events.is_on)
		close_trackers();
	pthread_mutex_unlock(&events.lock);
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
	pthread_mutex_lock(&events.lock);
	events.is_paused = false;
	pthread_mutex_unlock(&events.lock);
}

/*
 * The lock may be held for ever by a thread that is not in the child, and that was about to open or
 * close a tracker.
 */
void fault_events_forget(void)
{
	__atomic_store_n(&events.is_on, false, __ATOMIC_RELAXED);
	fault_tracker_forget(&events.fatal);
	fault_tracker_forget(&events.timed);
}

const char *fault_events_trouble(void)
{
	return __atomic_load_n(&events.trouble, __ATOMIC_RELAXED);
}

bool fault_events_are_on(void)
{
	return __atomic_load_n(&events.is_on, __ATOMIC_RELAXED);
}

static unsigned processor_of(const struct uvm_fatal *event)
{
	return events.fatal.is_wide ? event->wide.processor[0] + 256u * event->wide.processor[1]
				    : event->brief.processor;
}

/* Return the time by the journal's clock. 0: the driver's clock is another, as in a namespace. */
static uint64_t time_of(uint64_t event_raw_ns, uint64_t now_raw_ns)
{
	bool is_known = event_raw_ns >= events.opened_raw_ns && event_raw_ns <= now_raw_ns;
	return is_known ? clock_kernel_ns() - (now_raw_ns - event_raw_ns) : 0;
}

static struct fault_row fatal_row(const struct uvm_fatal *event, uint64_t now_raw_ns)
{
	unsigned processor = processor_of(event);
	uint64_t page = reserve_page_size(); /* nvidia-uvm rounds addresses to it */
	return (struct fault_row){
		.kind = FAULT_EVENT,
		.flags = FAULT_ADDRESS_PAGE,
		.page_shift = (uint8_t)__builtin_ctzll(page),
		.device = FAULT_DEVICE_UNKNOWN,
		.access = event->access,
		.type = event->type,
		.reason = events.fatal.is_wide ? event->wide.reason : event->brief.reason,
		.processor = processor < UINT8_MAX ? (uint8_t)processor : UINT8_MAX,
		.address = event->address & ~(page - 1),
		.raw_ns = event->raw_ns,
		.time_ns = time_of(event->raw_ns, now_raw_ns),
	};
}

static struct fault_row timed_row(const struct uvm_gpu_fault *event, uint64_t now_raw_ns)
{
	uint64_t page = reserve_page_size();
	return (struct fault_row){
		.kind = FAULT_TIMED,
		.flags = FAULT_ADDRESS_PAGE,
		.page_shift = (uint8_t)__builtin_ctzll(page),
		.device = FAULT_DEVICE_UNKNOWN,
		.access = event->access,
		.type = event->type,
		.address = event->address & ~(page - 1),
		.raw_ns = event->raw_ns,
		.time_ns = time_of(event->raw_ns, now_raw_ns),
		.gpu_ns = event->gpu_ns,
	};
}

/* Return the summary of a tracker with n rows. */
static struct fault_row summary_of(const struct fault_tracker *tracker, uint8_t kind, size_t n)
{
	uint64_t lost = fault_tracker_dropped(tracker);
	uint32_t n_lost = lost < UINT32_MAX / 2 ? (uint32_t)lost : UINT32_MAX / 2;
	return (struct fault_row){.kind = kind,
				  .device = FAULT_DEVICE_UNKNOWN,
				  .flags = events.is_late ? FAULT_LATE : 0,
				  .time_ns = clock_kernel_ns(),
				  .n_lost = n_lost,
				  .count = (uint32_t)n + n_lost};
}

/*
 * Write rows of the GPUs' fatal faults; those of a CPU are no failure of the GPU. Return 0 if the
 * queue holds what this tracker did not ask for. If the driver stops the events, it was still
 * writing them: none is missing.
 */
static size_t read_fatal(struct fault_row *out_rows)
{
	uint64_t now = clock_raw_ns();
	int n_entries = fault_tracker_stop(&events.fatal);
	size_t n = 0;
	for (int i = 0; i < n_entries; i++) {
		struct uvm_fatal event;
		memcpy(&event, fault_tracker_entry(&events.fatal, i), sizeof(event));
		if (event.kind != UVM_FATAL_FAULT || event.access > FAULT_PREFETCH)
			return 0;
		if (processor_of(&event) > 0)
			out_rows[1 + n++] = fatal_row(&event, now);
	}
	if (n_entries < 0)
		return 0;
	out_rows[0] = summary_of(&events.fatal, FAULT_EVENTS_READ, n);
	return n + 1;
}

/* Do the same for the faults' times. */
static size_t read_timed(struct fault_row *out_rows)
{
	uint64_t now = clock_raw_ns();
	int n = fault_tracker_stop(&events.timed);
	for (int i = 0; i < n; i++) {
		struct uvm_gpu_fault event;
		memcpy(&event, fault_tracker_entry(&events.timed, i), sizeof(event));
		if (event.kind != UVM_GPU_FAULT || event.access > FAULT_PREFETCH)
			return 0;
		out_rows[1 + i] = timed_row(&event, now);
	}
	if (n < 0)
		return 0;
	out_rows[0] = summary_of(&events.timed, FAULT_TIMES_READ, (size_t)n);
	return (size_t)n + 1;
}

size_t fault_events_read(struct fault_row *out_rows)
{
	size_t n = 0;
	pthread_mutex_lock(&events.lock);
	if (events.is_on) {
		n = read_fatal(out_rows);
		n += read_timed(out_rows + n);
	}
	pthread_mutex_unlock(&events.lock);
	return n;
}
