/*
 * launcher.c - a library for host.py: a thread launches until the process has exited, and does not
 * return to Python. A daemon thread that returns may crash in CPython, 3.10 for one, whatever it
 * calls: it takes the global lock of an interpreter that is over, while the process still exits.
 */
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>

typedef int launch_function(void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
			    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
			    void *stream, void **parameters, void **extra);

extern void launcher_run(launch_function *launch, void *kernel, uint64_t memory);
extern void launcher_wait(void);

static sem_t launched;

__attribute__((constructor)) static void start(void)
{
	(void)sem_init(&launched, 0, 0);
}

/* Launch stray_store with an index that is in its memory. */
void launcher_run(launch_function *launch, void *kernel, uint64_t memory)
{
	unsigned tag = 7;
	uint64_t index = 1;
	void *parameters[] = {&tag, &memory, &index};
	(void)launch(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL);
	(void)sem_post(&launched);
	for (;;)
		(void)launch(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL);
}

/* Wait until one more thread has launched, and so will not return to Python. */
void launcher_wait(void)
{
	while (sem_wait(&launched) != 0)
		continue;
}
