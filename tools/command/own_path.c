/*
 * own_path.c - read the link in /proc.
 */
#include "command/own_path.h"

#include <limits.h>
#include <unistd.h>

const char *own_path(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length <= 0)
		return "/proc/self/exe";
	path[length] = '\0';
	return path;
}
