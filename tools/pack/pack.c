/*
 * pack.c - `culprit pack`: make a single file from a bundle, to be read on another machine.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/selection.h"
#include "command/commands.h"
#include "command/exit_status.h"
#include "command/message.h"
#include "command/options.h"
#include "pack/pack_parts.h"

static const char left_out[] = "left out: the bundle's files, command line arguments, NVTX texts, "
			       "kernel arguments that are\n"
			       "  not pointers; the names of the host, of users and of the "
			       "working directory are masked\n"
			       "  (use --keep-secrets to include all of this)\n";

/* Make the default name in the current directory, "culprit-train-1234.tar.gz". */
static void make_name(const char *bundle, char *out, size_t size)
{
	size_t length = strlen(bundle);
	while (length > 1 && bundle[length - 1] == '/')
		length--;
	size_t start = 0;
	for (start = length; start && bundle[start - 1] != '/';)
		start--;
	snprintf(out, size, "%.*s" PACK_SUFFIX, (int)(length - start), bundle + start);
}

/* Overwrite an existing file only if the user named it. Return the descriptor, or -errno. */
static int open_output(const char *path, bool is_wanted)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (is_wanted ? O_TRUNC : O_EXCL);
	int fd = open(path, flags, 0600);
	return fd < 0 ? -errno : fd;
}

static int write_file(struct bundle *bundle, const struct pack_wishes *wishes, int fd,
		      const char *path)
{
	struct archive *archive = archive_create(fd);
	char *list = NULL;
	size_t size = 0;
	FILE *out = archive ? open_memstream(&list, &size) : NULL;
	int result = out ? pack_write(bundle, wishes, archive, out) : -ENOMEM;
	int end = archive ? archive_close(archive) : 0;
	if (out && fclose(out) && !result)
		result = -ENOMEM;
	result = result ? result : end;
	if (!result)
		printf("%s:\n%s%s", path, list, wishes->keeps_secrets ? "" : left_out);
	free(list);
	return result;
}

/* Remove an incomplete pack, unless it is a device. */
static void remove_rest(const char *path)
{
	struct stat status;
	if (!lstat(path, &status) && S_ISREG(status.st_mode))
		unlink(path);
}

static enum exit_status pack_bundle(const char *path, const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_pack_output];
	struct pack_wishes wishes = {.keeps_secrets = arguments->values[OPTION_pack_keep_secrets],
				     .has_source = !arguments->values[OPTION_pack_no_source]};
	struct bundle *bundle = NULL;
	enum exit_status status = bundle_open(path, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return status;
	wishes.is_damaged = status == EXIT_STATUS_DAMAGED;
	char name[PATH_MAX];
	make_name(path, name, sizeof(name));
	int result = open_output(output ? output : name, output);
	if (result < 0) {
		message("%s: %s", output ? output : name, strerror(-result));
		bundle_close(bundle);
		return EXIT_STATUS_SYSTEM;
	}
	result = write_file(bundle, &wishes, result, output ? output : name);
	bundle_close(bundle);
	if (!result)
		return status;
	message("%s: %s", output ? output : name,
		result == -EFBIG ? "the pack would exceed the size limit" : strerror(-result));
	remove_rest(output ? output : name);
	return EXIT_STATUS_SYSTEM;
}

int pack_main(const struct arguments *arguments)
{
	enum exit_status status = EXIT_STATUS_USAGE;
	if (arguments->n_operands > 1) {
		message("more than one bundle given; see culprit help pack");
		return EXIT_STATUS_USAGE;
	}
	struct selection selection;
	int result = selection_make(arguments->operands, arguments->n_operands, &selection);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	if (selection.n == 1)
		status = pack_bundle(selection.paths[0], arguments);
	else
		message("%s: holds %zu bundles; name one of them", arguments->operands[0],
			selection.n);
	selection_free(&selection);
	return (int)status;
}
