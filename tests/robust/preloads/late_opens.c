/*
 * late_opens.c - a library to preload in front of culprit. It delays some threads' opening of their
 * journals until the bundle is being removed, one before each rmdir().
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* These are late: after them come enough others for the host to begin. */
enum { FIRST_LATE = 10, END_LATE = 30 };

static atomic_int n_waiting;
static sem_t may_open, has_opened;

/*
 * Find the next definition after this library's. ISO C has no cast from an object to a function
 * pointer.
 */
#define FIND_REAL(call) memcpy(&real_, &(void *){dlsym(RTLD_NEXT, call)}, sizeof(real_))

__attribute__((constructor)) static void start(void)
{
	(void)sem_init(&may_open, 0, 0);
	(void)sem_init(&has_opened, 0, 0);
}

static bool is_late(const char *path)
{
	const char *name = strrchr(path, '/');
	int slot = name && strncmp(name, "/ring-", 6) == 0 ? atoi(name + 6) : -1;

	return slot >= FIRST_LATE && slot < END_LATE;
}

int open(const char *path, int flags, ...)
{
	int (*real_)(const char *, int, ...);
	va_list arguments;
	mode_t mode = 0;

	FIND_REAL("open");
	if (flags & O_CREAT) {
		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	if (!is_late(path))
		return real_(path, flags, mode);
	atomic_fetch_add(&n_waiting, 1);
	while (sem_wait(&may_open))
		;
	int fd = real_(path, flags, mode);
	(void)sem_post(&has_opened);
	return fd;
}

int rmdir(const char *path)
{
	int (*real_)(const char *);

	FIND_REAL("rmdir");
	if (atomic_load(&n_waiting) > 0) {
		atomic_fetch_sub(&n_waiting, 1);
		(void)sem_post(&may_open);
		while (sem_wait(&has_opened))
			;
	}
	return real_(path);
}
