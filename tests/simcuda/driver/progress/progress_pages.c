/*
 * progress_pages.c - map the pages from a descriptor with the driver's name. Write counters at once
 * or, with SIMCUDA_PROGRESS=lag=NS, from a separate thread.
 */
#include "progress/progress_pages.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "random.h"
#include "settings.h"
#include "sim.h"

/* A channel's counter in memory. */
struct channel_word {
	uint32_t payload, zero;
	uint64_t gpu_ns;
};

struct write {
	struct write *next;
	struct progress_pages *pages;
	unsigned offset;
	bool is_state;
	uint32_t value;
	uint64_t gpu_ns;
	uint64_t due_ns;
};

/* Delayed writes, oldest first; they keep their order. */
static struct write *first_late, *last_late;
static pthread_cond_t has_late; /* signalled when the list is no longer empty */

static unsigned char *map_at(void *place, int flags)
{
	unsigned char *start = MAP_FAILED;
	int fd = memfd_create("nvidiactl", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (ftruncate(fd, PAGES_BYTES) == 0)
		start = mmap(place, PAGES_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);
	close(fd);
	if (start == MAP_FAILED)
		return NULL;
	madvise(start, PAGES_BYTES, MADV_DONTFORK);
	return start;
}

void progress_pages_map(struct progress_pages *pages)
{
	*pages = (struct progress_pages){.start = map_at(NULL, 0)};
}

static void drop_late(const struct progress_pages *pages)
{
	struct write **link = &first_late;
	last_late = NULL;
	while (*link) {
		struct write *write = *link;
		if (write->pages == pages) {
			*link = write->next;
			free(write);
		} else {
			last_late = write;
			link = &write->next;
		}
	}
}

void progress_pages_unmap(struct progress_pages *pages)
{
	drop_late(pages);
	if (pages->start)
		munmap(pages->start, PAGES_BYTES);
	pages->start = NULL;
}

void progress_pages_blank(struct progress_pages *pages)
{
	drop_late(pages);
	pages->is_left = true;
	if (pages->start)
		(void)map_at(pages->start, MAP_FIXED);
}

static void put(const struct write *write)
{
	unsigned char *place = write->pages->start + write->offset;
	if (write->is_state) {
		__atomic_store_n((uint32_t *)place, write->value, __ATOMIC_RELEASE);
	} else {
		struct channel_word *word = (struct channel_word *)place;
		__atomic_store_n(&word->gpu_ns, write->gpu_ns, __ATOMIC_RELAXED);
		__atomic_store_n(&word->payload, write->value, __ATOMIC_RELEASE);
	}
}

static void put_until(uint64_t end_ns)
{
	while (first_late && first_late->due_ns <= end_ns) {
		struct write *write = first_late;
		put(write);
		first_late = write->next;
		last_late = first_late ? last_late : NULL;
		free(write);
	}
}

void progress_pages_put_all(void)
{
	put_until(UINT64_MAX);
}

static void *late_main(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&sim_lock);
	for (;;) {
		put_until(sim_now_ns());
		if (first_late)
			sim_wait_until(&sim_progress, first_late->due_ns);
		else
			pthread_cond_wait(&has_late, &sim_lock);
	}
	return NULL;
}

/* Start the thread with all signals blocked: they are meant for the application's threads. */
static void start_late_thread(void)
{
	static bool is_started; /* guarded by sim_lock */
	sigset_t all;
	sigset_t old;
	if (is_started)
		return;
	is_started = true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_cond_init(&has_late, NULL);
	pthread_t thread = 0;
	if (pthread_create(&thread, NULL, late_main, NULL) != 0)
		abort();
	pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void put_late(struct write write)
{
	struct write *late = sim_alloc(sizeof(*late));
	start_late_thread();
	write.due_ns = sim_now_ns() + random_below(settings.progress.lag_ns) + 1;
	*late = write;
	if (last_late)
		last_late->next = late;
	else
		first_late = late;
	last_late = late;
	pthread_cond_signal(&has_late);
}

static void write_word(struct write write)
{
	if (!write.pages->start || write.pages->is_left)
		return;
	if (settings.progress.lag_ns)
		put_late(write);
	else
		put(&write);
}

void progress_pages_write_channel(struct progress_pages *pages, unsigned offset, uint32_t payload)
{
	write_word((struct write){
		.pages = pages, .offset = offset, .value = payload, .gpu_ns = sim_now_ns()});
}

void progress_pages_write_state(struct progress_pages *pages, unsigned offset, uint32_t value)
{
	write_word(
		(struct write){.pages = pages, .offset = offset, .is_state = true, .value = value});
}
