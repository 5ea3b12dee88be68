/*
 * log.c - append to the file that CUDA_LOG_FILE names; "stdout" and "stderr" are not simulated.
 */
#include "log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Write each line at once, because other threads and processes append too. */
void log_refusal(enum driver_call call, CUresult result)
{
	const char *path = getenv("CUDA_LOG_FILE");
	int fd = path && *path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	dprintf(fd, "[CUDA][E] %s: %d\n", driver_calls[call].name, (int)result);
	close(fd);
}
