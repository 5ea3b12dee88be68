/*
 * hooks.c - open(), readlinkat() and ioctl(). Calls about other files go on to the C library.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device_files.h"
#include "modules.h"
#include "simkernel.h"

#define EXPORT __attribute__((visibility("default")))

static uintptr_t next(const char *name)
{
	return (uintptr_t)dlsym(RTLD_NEXT, name);
}

static int open_next(const char *name, const char *path, int flags, mode_t mode)
{
	int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))next(name);
	return real(path, flags, mode);
}

#define OPEN(name)                                                                     \
	EXPORT int name(const char *path, int flags, ...)                              \
	{                                                                              \
		enum device_kind kind = device_kind_of_path(path);                     \
		mode_t mode = 0;                                                       \
		if (flags & (O_CREAT | O_TMPFILE)) {                                   \
			va_list arguments;                                             \
			va_start(arguments, flags);                                    \
			mode = va_arg(arguments, mode_t);                              \
			va_end(arguments);                                             \
		}                                                                      \
		return kind ? device_open(kind) : open_next(#name, path, flags, mode); \
	}
OPEN(open)
OPEN(open64)

/* Return the name of a file in /proc/self/fd. */
EXPORT ssize_t readlinkat(int folder, const char *restrict name, char *restrict out, size_t size)
{
	ssize_t (*real)(int, const char *, char *, size_t) =
		(ssize_t(*)(int, const char *, char *, size_t))next("readlinkat");
	char *end = NULL;
	long fd = strtol(name, &end, 10);
	enum device_kind kind = *name && !*end ? device_kind_of((int)fd) : DEVICE_NONE;
	if (!kind)
		return real(folder, name, out, size);
	size_t length = strlen(device_path(kind));
	length = length < size ? length : size;
	memcpy(out, device_path(kind), length);
	return (ssize_t)length;
}

static int do_request(enum device_kind kind, int fd, unsigned long request, void *argument)
{
	if (kind == DEVICE_TOOLS)
		return modules_tools(device_file_of(fd), request, argument);
	if (kind == DEVICE_UVM && request == SIMKERNEL_REGISTER_VA_SPACE)
		return device_register_va_space(fd);
	if (kind == DEVICE_CONTROL && (request & 0xffffffff) == 0xc020462a)
		return modules_control(argument);
	errno = EINVAL;
	return -1;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))next("ioctl");
	enum device_kind kind = device_kind_of(fd);
	va_list arguments;
	va_start(arguments, request);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	return kind ? do_request(kind, fd, request, argument) : real(fd, request, argument);
}
