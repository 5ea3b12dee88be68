/*
 * loader_calls.c - a library to preload in front of culprit. It reports calls that can wait for the
 * loader while their thread has the lock of the loader's list: dlopen() takes the two locks in the
 * other order, so both threads would wait for good.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

typedef int visit_function(struct dl_phdr_info *info, size_t size, void *data);

static int (*real_iterate)(visit_function *visit, void *data);
static void *(*real_dlopen)(const char *name, int mode);
static int (*real_dladdr)(const void *address, Dl_info *info);
static int (*real_dladdr1)(const void *address, Dl_info *info, void **extra, int flags);
static __thread unsigned depth; /* of callbacks */

__attribute__((constructor)) static void start(void)
{
	*(void **)&real_dlopen = dlsym(RTLD_NEXT, "dlopen");
	*(void **)&real_dladdr = dlsym(RTLD_NEXT, "dladdr");
	*(void **)&real_dladdr1 = dlsym(RTLD_NEXT, "dladdr1");
	*(void **)&real_iterate = dlsym(RTLD_NEXT, "dl_iterate_phdr");
}

int dl_iterate_phdr(visit_function *visit, void *data)
{
	if (!real_iterate)
		start();
	depth++;
	int result = real_iterate(visit, data);
	depth--;
	return result;
}

static void note(const char *name)
{
	if (depth)
		fprintf(stderr, "%s in a callback of dl_iterate_phdr\n", name);
}

void *dlopen(const char *name, int mode)
{
	note("dlopen");
	return real_dlopen(name, mode);
}

int dladdr(const void *address, Dl_info *info)
{
	note("dladdr");
	return real_dladdr(address, info);
}

int dladdr1(const void *address, Dl_info *info, void **extra, int flags)
{
	note("dladdr1");
	return real_dladdr1(address, info, extra, flags);
}
