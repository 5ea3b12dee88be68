/*
 * loading.h - loading and unloading of code with SIMCUDA_LOADING=1. The calling thread waits until
 * the GPU is idle, and other threads cannot submit work meanwhile. NVIDIA's driver 580.159 was seen
 * to do this.
 */
#ifndef SIMCUDA_LOADING_H
#define SIMCUDA_LOADING_H

#include "objects.h"

/*
 * Bracket a call that loads or unloads code. Call loading_come() before taking the lock: the thread
 * then goes before submitters. Call loading_begin() with the lock held; NULL means that no code is
 * loaded after all. Any thread may call loading_end().
 */
void loading_come(void);
void loading_begin(CUcontext context);
void loading_end(void);

/* Before a submission, lock held: wait for other threads that load code or are about to. */
void loading_await(void);

#endif
