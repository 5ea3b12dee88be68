/*
 * counted_locks.c - a library to preload in front of culprit. It counts the mutexes that culprit
 * locks; the host reads the count by dlsym. It ends a host in which culprit unlocks a mutex that
 * nobody has locked.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

extern unsigned counted_locks;
unsigned counted_locks;

typedef int mutex_function(pthread_mutex_t *mutex);

static uintptr_t code_start, code_end; /* culprit's; written at load time */
static mutex_function *real_lock, *real_trylock, *real_unlock;

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
	*(void **)&real_trylock = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
	*(void **)&real_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
	(void)dl_iterate_phdr(find_code, NULL);
}

static int is_culprits(const void *caller)
{
	if (!real_lock)
		start();
	return (uintptr_t)caller >= code_start && (uintptr_t)caller < code_end;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (is_culprits(__builtin_return_address(0)))
		__atomic_fetch_add(&counted_locks, 1, __ATOMIC_RELAXED);
	return real_lock(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	static const char message[] = "culprit unlocks a mutex that is not locked\n";

	if (is_culprits(__builtin_return_address(0)) && real_trylock(mutex) == 0) {
		(void)!write(STDERR_FILENO, message, sizeof(message) - 1);
		_exit(99);
	}
	return real_unlock(mutex);
}
