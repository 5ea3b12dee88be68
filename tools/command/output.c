/*
 * output.c - opens and closes the output of a command. A truncated output is always reported.
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
		clearerr(out); /* reported below, so not again at exit */
	if (result)
		message("%s: %s", path ? path : "standard output", strerror(-result));
	return result;
}
