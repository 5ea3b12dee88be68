/*
 * own_stream.c - a list of streams for each thread, destroyed when the thread ends.
 */
#include "streams/own_stream.h"

#include "graphs/capture.h"
#include "handles.h"
#include "run/active.h"
#include "sim.h"

static pthread_key_t key;

/* End the stream; queued work still runs. */
static void end(CUstream stream)
{
	own_stream_forget(stream);
	capture_abandon_stream(stream);
	handle_remove(stream);
	stream_release(stream);
}

static void end_thread(void *thread)
{
	struct sim_thread *ending = thread;
	pthread_mutex_lock(&sim_lock);
	while (ending->own)
		end(ending->own);
	pthread_mutex_unlock(&sim_lock);
}

static void create_key(void)
{
	pthread_key_create(&key, end_thread);
}

void own_stream_add(CUstream stream)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, create_key);
	pthread_setspecific(key, &sim_thread);
	stream->next_own = sim_thread.own;
	stream->own_link = &sim_thread.own;
	if (sim_thread.own)
		sim_thread.own->own_link = &stream->next_own;
	sim_thread.own = stream;
}

CUstream own_stream_find(CUcontext context)
{
	CUstream stream = sim_thread.own;
	while (stream && stream->context != context)
		stream = stream->next_own;
	return stream;
}

void own_stream_forget(CUstream stream)
{
	if (!stream->own_link)
		return;
	*stream->own_link = stream->next_own;
	if (stream->next_own)
		stream->next_own->own_link = stream->own_link;
	stream->own_link = NULL;
}
