/*
 * event_thread.c - a thread that sleeps until a dump is requested, then wakes up often until it
 * writes it.
 */
#include "coredump/event_thread.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "settings.h"
#include "sim.h"

/* The dump to write. It is set before the thread is woken. */
static struct {
	unsigned char *bytes;
	size_t size;
	void (*write)(unsigned char *bytes, size_t size);
} dump;

static bool is_started; /* guarded by sim_lock */
static sem_t wake_up;

/* Sleep in short steps, because the real thread never sleeps for long while it makes a dump. */
static void be_busy(uint64_t until_ns)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	while (sim_now_ns() < until_ns)
		nanosleep(&millisecond, NULL);
}

static void *event_thread_main(void *unused)
{
	while (sem_wait(&wake_up) != 0)
		continue;
	be_busy(sim_now_ns() + settings.coredump.file_ms * UINT64_C(1000000));
	pthread_mutex_lock(&sim_lock);
	dump.write(dump.bytes, dump.size);
	pthread_mutex_unlock(&sim_lock);
	return unused;
}

void event_thread_start(void)
{
	if (is_started)
		return;
	is_started = true;
	sem_init(&wake_up, 0, 0);
	sigset_t all;
	sigfillset(&all);
	sigset_t old;
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_t thread = 0;
	if (pthread_create(&thread, NULL, event_thread_main, NULL) != 0)
		abort();
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_setname_np(thread, "cuda-EvtHandlr");
	pthread_detach(thread);
}

void event_thread_dump(unsigned char *bytes, size_t size,
		       void (*write)(unsigned char *bytes, size_t size))
{
	event_thread_start();
	dump.bytes = bytes;
	dump.size = size;
	dump.write = write;
	sem_post(&wake_up);
}
