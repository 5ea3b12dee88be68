/*
 * report_output.c - the output file of reports. The command must not inherit it, and a full disk
 * must not lose the reports.
 */
#include "command/report_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own_line.h"
#include "command/message.h"

static const char *name_of(const struct report_output *output)
{
	if (!output->path)
		return "standard error";
	return strcmp(output->path, "-") != 0 ? output->path : "standard output";
}

/* Avoid the number of a standard stream that is closed: the command would inherit it as such. */
static int move_up(int fd)
{
	int high_fd = fd <= STDERR_FILENO ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : fd;
	if (high_fd < 0)
		high_fd = -errno;
	if (fd <= STDERR_FILENO)
		close(fd);
	return high_fd;
}

static int open_file(struct report_output *output, bool appends)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (appends ? O_APPEND : O_TRUNC);
	output->is_made = faccessat(AT_FDCWD, output->path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
	int fd = open(output->path, flags, 0666);
	return fd < 0 ? -errno : move_up(fd);
}

int report_output_open(const char *path, bool appends, bool is_quiet, struct report_output *out)
{
	*out = (struct report_output){.path = path, .fd = STDERR_FILENO, .is_quiet = is_quiet};
	if (path && strcmp(path, "-") != 0)
		out->fd = open_file(out, appends);
	else if (path)
		out->fd = fcntl(STDOUT_FILENO, F_GETFD) < 0 ? -errno : STDOUT_FILENO;
	if (out->fd >= 0)
		return 0;
	message("%s: %s", name_of(out), strerror(-out->fd));
	return out->fd;
}

bool report_output_is_seen(const struct report_output *output)
{
	return output->path || !output->is_quiet;
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

int report_output_write(struct report_output *output, const char *text, size_t size)
{
	bool is_shared = output->fd <= STDERR_FILENO && !output->has_text;
	int result = 0;
	if (size && is_shared && own_line_is_needed(output->fd))
		result = write_all(output->fd, "\n", 1);
	if (!result)
		result = write_all(output->fd, text, size);
	output->has_text = output->has_text || size;
	if (!result || !output->path)
		return result;
	message("%s: %s", name_of(output), strerror(-result));
	return output->is_quiet ? result : write_all(STDERR_FILENO, text, size);
}

/* The path may name another file by now. */
static bool is_still_there(const struct report_output *output)
{
	struct stat named;
	struct stat opened;
	return !fstat(output->fd, &opened) && !lstat(output->path, &named) &&
	       S_ISREG(named.st_mode) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino && !named.st_size;
}

void report_output_close(struct report_output *output)
{
	if (output->fd <= STDERR_FILENO)
		return;
	if (output->is_made && !output->has_text && is_still_there(output))
		unlink(output->path);
	close(output->fd);
}
