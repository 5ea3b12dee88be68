/*
 * output.c - open and close the output of a command, and report it if it is incomplete.
 */
#include "command/output.h"

#include <errno.h>
#include <string.h>

#include "command/message.h"

FILE *output_open(const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;
	if (!out)
		message("%s: %s", path, strerror(errno));
	return out;
}

int output_close(FILE *out, const char *path)
{
	int result = 0;
	if (fflush(out) || ferror(out))
		result = errno ? -errno : -EIO;
	if (path && fclose(out) && !result)
		result = -errno;
	if (!path)
		clearerr(out); /* Reported below: main() must not report it again at exit. */
	if (result)
		message("%s: %s", path ? path : "standard output", strerror(-result));
	return result;
}
