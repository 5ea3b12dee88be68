/*
 * failing_calls.c - a library to be preloaded in front of culprit: makes system and library calls
 * fail, or a signal come, where culprit makes them; everybody else's calls go through.
 *
 * FAIL_CALL=name:first-last:error   the calls of that name, counted from 1, fail with that errno
 * FAIL_CALL=name:first-last:signal  SIGUSR1 is raised before them, and they go through
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read at load time. */
static char name[32];
static unsigned first, last;
static int error; /* 0: a signal */

static atomic_uint n_calls;

__attribute__((constructor)) static void read_order(void)
{
	const char *order = getenv("FAIL_CALL");
	int n = 0;

	if (!order)
		return;
	if (sscanf(order, "%31[a-z_]:%u-%u:%n", name, &first, &last, &n) != 3 || n == 0) {
		fprintf(stderr, "FAIL_CALL: not name:first-last:error: %s\n", order);
		_exit(2);
	}
	error = strcmp(order + n, "signal") == 0 ? 0 : atoi(order + n);
}

static bool is_culprit(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && strstr(info.dli_fname, "/libculprit.so");
}

/* Is this the call that was ordered to fail? Then errno is set. */
static bool fails(const char *call, const void *caller)
{
	if (strcmp(call, name) != 0 || !is_culprit(caller))
		return false;
	unsigned n = atomic_fetch_add(&n_calls, 1) + 1;
	if (n < first || n > last)
		return false;
	if (error)
		errno = error;
	else
		raise(SIGUSR1);
	return error;
}

/* The definition behind this library. ISO C has no cast from an object to a function pointer. */
#define FIND_REAL(call) memcpy(&real_, &(void *){dlsym(RTLD_NEXT, call)}, sizeof(real_))

#define CALL(type, call, failure, parameters, arguments)            \
	__attribute__((visibility("default"))) type call parameters \
	{                                                           \
		type(*real_) parameters;                            \
		if (fails(#call, __builtin_return_address(0)))      \
			return failure;                             \
		FIND_REAL(#call);                                   \
		return real_ arguments;                             \
	}

CALL(void *, mmap, MAP_FAILED,
     (void *address, size_t length, int protection, int flags, int fd, off_t offset),
     (address, length, protection, flags, fd, offset))
CALL(int, madvise, -1, (void *address, size_t length, int advice), (address, length, advice))
CALL(int, mkdir, -1, (const char *path, mode_t mode), (path, mode))
CALL(int, posix_fallocate, error, (int fd, off_t offset, off_t length), (fd, offset, length))
CALL(char *, realpath, NULL, (const char *restrict path, char *restrict out), (path, out))
CALL(ssize_t, read, -1, (int fd, void *bytes, size_t size), (fd, bytes, size))
CALL(ssize_t, write, -1, (int fd, const void *bytes, size_t size), (fd, bytes, size))
CALL(ssize_t, readlink, -1, (const char *restrict path, char *restrict out, size_t size),
     (path, out, size))
CALL(int, fstat, -1, (int fd, struct stat *out), (fd, out))
CALL(int, getrlimit, -1, (__rlimit_resource_t resource, struct rlimit *out), (resource, out))
CALL(int, unlink, -1, (const char *path), (path))
CALL(int, rmdir, -1, (const char *path), (path))
CALL(int, pthread_key_create, error, (pthread_key_t * key, void (*end)(void *)), (key, end))
CALL(int, pthread_setspecific, error, (pthread_key_t key, const void *value), (key, value))
CALL(void *, dlopen, NULL, (const char *file, int mode), (file, mode))
CALL(int, dl_iterate_phdr, 0, (int (*visit)(struct dl_phdr_info *, size_t, void *), void *data),
     (visit, data))

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	int (*real_)(const char *, int, ...);
	va_list arguments;

	if (fails("open", __builtin_return_address(0)))
		return -1;
	va_start(arguments, flags);
	mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	FIND_REAL("open");
	return real_(path, flags, mode);
}
