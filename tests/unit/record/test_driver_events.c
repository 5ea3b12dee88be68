/*
 * test_driver_events.c - threads under the name of the driver's: asleep, at work, replaced.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "record/driver/driver_events.h"
#include "support/check.h"

static _Atomic int n_asked;
static _Atomic bool has_dump;
static _Atomic bool is_over;
static _Atomic(sem_t *) woken_by_asking; /* the second time */

struct event_thread {
	pthread_t thread;
	sem_t wake_up;
	sem_t has_started;
};

static bool ask(void)
{
	if (++n_asked == 2 && woken_by_asking)
		sem_post(woken_by_asking);
	return has_dump;
}

/* Like the driver's thread: naps while it makes a dump. */
static void *event_thread_main(void *argument)
{
	struct event_thread *self = argument;
	pthread_setname_np(pthread_self(), "cuda-EvtHandlr");
	sem_post(&self->has_started);
	sem_wait(&self->wake_up);
	for (int i = 0; !is_over && i < 10; i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	has_dump = !is_over;
	return NULL;
}

static void begin(struct event_thread *self)
{
	sem_init(&self->wake_up, 0, 0);
	sem_init(&self->has_started, 0, 0);
	CHECK(pthread_create(&self->thread, NULL, event_thread_main, self) == 0);
	sem_wait(&self->has_started);
}

static void end(struct event_thread *self)
{
	is_over = true;
	sem_post(&self->wake_up);
	pthread_join(self->thread, NULL);
	is_over = false;
}

static void settle_quietly(void)
{
	CHECK(!driver_events_settle(ask));
	CHECK(!driver_events_settle(ask));
}

static void wait_for_dump(struct event_thread *thread)
{
	sem_post(&thread->wake_up);
	CHECK(driver_events_settle(ask));
	pthread_join(thread->thread, NULL);
	has_dump = false;
}

/* It sleeps at the first look, and wakes a moment later. */
static void wait_for_late_dump(struct event_thread *thread)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); /* else no fault can hide yet */
	n_asked = 0;
	woken_by_asking = &thread->wake_up;
	CHECK(driver_events_settle(ask));
	woken_by_asking = NULL;
	pthread_join(thread->thread, NULL);
	has_dump = false;
}

int main(void)
{
	settle_quietly(); /* no such thread */
	struct event_thread first;
	begin(&first);
	settle_quietly();
	/* One thread exits, another starts: as many threads as before. */
	end(&first);
	struct event_thread second;
	begin(&second);
	settle_quietly();
	wait_for_dump(&second);
	settle_quietly();
	struct event_thread third;
	begin(&third);
	settle_quietly();
	wait_for_late_dump(&third);
	return 0;
}
