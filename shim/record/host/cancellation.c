/*
 * cancellation.c - POSIX's cancellation state. A request that comes meanwhile stays pending.
 */
#include "record/host/cancellation.h"

#include <pthread.h>

int cancellation_hold(void)
{
	int state = PTHREAD_CANCEL_ENABLE;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

void cancellation_restore(int state)
{
	(void)pthread_setcancelstate(state, NULL);
}
