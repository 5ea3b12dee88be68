/*
 * constructor.c - a library whose constructor, under the loader's lock, looks up the driver's
 * functions while a thread of its own makes the first call of the process.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>

#include "base/cuda_api.h"

void constructor_finish(void);

static pthread_t thread;
static sem_t is_calling;

/* The shim's function, by its own name: this library is not linked with libcuda. */
#pragma weak cuDriverGetVersion

static void *call_first(void *data)
{
	int version = 0;

	(void)data;
	sem_post(&is_calling);
	if (cuDriverGetVersion)
		printf("first call: %d\n", (int)cuDriverGetVersion(&version));
	return NULL;
}

__attribute__((constructor)) static void begin(void)
{
	void *driver;

	sem_init(&is_calling, 0, 0);
	pthread_create(&thread, NULL, call_first, NULL);
	sem_wait(&is_calling);
	driver = dlopen("libcuda.so.1", RTLD_NOW);
	printf("look-up: %s\n", driver && dlsym(driver, "cuLaunchKernel") ? "found" : "none");
}

void constructor_finish(void)
{
	pthread_join(thread, NULL);
}
