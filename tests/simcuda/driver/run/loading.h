/*
 * loading.h - code that comes and goes (SIMCUDA_LOADING=1): the thread whose call it is waits until
 * the GPU has done what it was given, and until then no other thread gets anything to the GPU, as
 * was seen of NVIDIA's driver (580.159).
 */
#ifndef SIMCUDA_LOADING_H
#define SIMCUDA_LOADING_H

#include "objects.h"

/*
 * Around a call that loads or unloads code. First, without the lock: who comes is let in before
 * others. Then, with it: NULL where nothing is loaded after all. The end is for any thread.
 */
void loading_come(void);
void loading_begin(CUcontext context);
void loading_end(void);

/* Before a submission, lock held: waits for the loading of others, and for those that come. */
void loading_await(void);

#endif
