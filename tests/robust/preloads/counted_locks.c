/*
 * counted_locks.c - a library to preload in front of culprit. It counts the mutexes that culprit
 * locks; the host reads the count by dlsym.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

extern unsigned counted_locks;
unsigned counted_locks;

typedef int lock_function(pthread_mutex_t *mutex);

static uintptr_t code_start, code_end; /* culprit's; written at load time */
static lock_function *real_lock;

static int find_code(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!strstr(info->dlpi_name, "libculprit.so"))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		code_start = info->dlpi_addr + segment->p_vaddr;
		code_end = code_start + segment->p_memsz;
	}
	return 1;
}

__attribute__((constructor)) static void start(void)
{
	*(void **)&real_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	(void)dl_iterate_phdr(find_code, NULL);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	uintptr_t caller = (uintptr_t)__builtin_return_address(0);
	if (!real_lock)
		start();
	if (caller >= code_start && caller < code_end)
		__atomic_fetch_add(&counted_locks, 1, __ATOMIC_RELAXED);
	return real_lock(mutex);
}
