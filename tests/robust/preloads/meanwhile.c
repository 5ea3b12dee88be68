/*
 * meanwhile.c - a library to preload in front of a program: runs the shell command $MEANWHILE right
 * before the program first opens a file named $MEANWHILE_AT with O_PATH: the culprit command does
 * so once it has chosen the place of a journal's file, before it reads it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void run_command(void)
{
	const char *command = getenv("MEANWHILE");
	unsetenv("MEANWHILE_AT");
	unsetenv("LD_PRELOAD");
	if (!command || system(command) != 0)
		abort();
}

__attribute__((visibility("default"))) int openat(int directory_fd, const char *name, int flags,
						  ...)
{
	int (*real)(int, const char *, int, ...) = NULL;
	void *address = dlsym(RTLD_NEXT, "openat");
	memcpy(&real, &address, sizeof(real));
	va_list rest;
	va_start(rest, flags);
	mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	const char *wanted = getenv("MEANWHILE_AT");
	if (wanted && flags & O_PATH && !strcmp(name, wanted))
		run_command();
	return real(directory_fd, name, flags, mode);
}
