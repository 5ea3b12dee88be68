/*
 * asked_dump.c - the thread that reads the pipe.
 */
#include "run/asked_dump.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coredump/coredump.h"
#include "run/active.h"
#include "sim.h"

static void dump_running(void)
{
	pthread_mutex_lock(&sim_lock);
	for (CUstream stream = active_first(); stream; stream = stream->next_active)
		if (stream->is_running)
			coredump_of_running(stream->head);
	pthread_mutex_unlock(&sim_lock);
}

/* Open the pipe for writing too, so that reading does not end when a writer closes it. */
static void *asked_dump_main(void *pipe)
{
	int fd = open(pipe, O_RDWR | O_CLOEXEC);
	char byte = 0;
	while (fd >= 0 && read(fd, &byte, 1) == 1)
		dump_running();
	return NULL;
}

void asked_dump_start(void)
{
	const char *pipe = coredump_pipe();
	if (!pipe || mkfifo(pipe, 0600))
		return;
	sigset_t all;
	sigfillset(&all);
	sigset_t old;
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_t thread = 0;
	if (pthread_create(&thread, NULL, asked_dump_main, (void *)(uintptr_t)pipe) == 0)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}
