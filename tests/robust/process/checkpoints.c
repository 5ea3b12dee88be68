/*
 * checkpoints.c - a host that checkpoints and restores itself while one of its threads launches.
 * With ROBUST_GATE, a pipe, it prints "ready" when it is locked and continues when the pipe has
 * been opened.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_ROUNDS = 30 };

static CUstream streams[2];

static void work(void)
{
	for (int i = 0; i < N_ROUNDS; i++) {
		NEED(host_fill(streams[0]));
		NEED(host_fill(streams[1]));
		NEED(cuStreamSynchronize(streams[0]));
	}
	NEED(cuCtxSynchronize());
}

static void *launch_while_locked(void *unused)
{
	(void)unused;
	host_use();
	NEED(host_fill(streams[1]));
	return NULL;
}

static void await_gate(void)
{
	const char *gate = getenv("ROBUST_GATE");
	int fd;

	if (!gate)
		return;
	puts("ready");
	fflush(stdout);
	fd = open(gate, O_RDONLY | O_CLOEXEC);
	close(fd);
}

int checkpointed(void)
{
	int pid = getpid();
	pthread_t thread;

	host_open();
	NEED(cuStreamCreate(&streams[0], CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&streams[1], CU_STREAM_NON_BLOCKING));
	work();
	say("cuCheckpointProcessCheckpoint", cuCheckpointProcessCheckpoint(pid, NULL));
	say("cuCheckpointProcessLock", cuCheckpointProcessLock(pid, NULL));
	NEED_TRUE(!pthread_create(&thread, NULL, launch_while_locked, NULL));
	await_gate();
	say("cuCheckpointProcessCheckpoint", cuCheckpointProcessCheckpoint(pid, NULL));
	say("cuCheckpointProcessRestore", cuCheckpointProcessRestore(pid, NULL));
	say("cuCheckpointProcessUnlock", cuCheckpointProcessUnlock(pid, NULL));
	NEED_TRUE(!pthread_join(thread, NULL));
	work();
	return host_fail();
}
