/*
 * bundle.c - decides whether a directory is a bundle, and reads its parts.
 */
#include "bundle/bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/bundle_meta.h"
#include "bundle/bundle_parts.h"
#include "command/message.h"
#include "files/input.h"

/* The blocks are an addition: without them the report's claims are the same. */
static void read_blocks(struct bundle *bundle, int directory_fd)
{
	const char *reason = "";
	int result = blocks_read(directory_fd, &bundle->blocks, &bundle->blocks_owner, &reason);
	if (result && result != -ENOENT)
		bundle_note_bad_file(bundle, BUNDLE_BLOCKS_NAME, reason);
	bundle->view.memory_blocks = bundle->blocks;
}

static enum exit_status read_bundle(struct bundle *bundle, int directory_fd)
{
	const char *reason = NULL;
	struct stat status;
	if (!fstat(directory_fd, &status)) {
		bundle->device = status.st_dev;
		bundle->inode = status.st_ino;
	}
	bundle->meta = bundle_meta_read(directory_fd, &reason);
	if (bundle->meta && !bundle_meta_is_readable(bundle->meta, bundle->path))
		return EXIT_STATUS_BAD_BUNDLE;
	bundle_read_files(bundle, directory_fd);
	if (!bundle->n_contents && (!bundle->meta || bundle->n_problems)) {
		message("%s: not a bundle: " BUNDLE_META_NAME " %s, and no journal can be read",
			bundle->path, reason ? reason : "is there");
		return EXIT_STATUS_BAD_BUNDLE;
	}
	if (!bundle->meta)
		bundle_note_bad_file(bundle, BUNDLE_META_NAME, reason);
	bundle_add_coredump(bundle, directory_fd);
	bundle_read_end(bundle, directory_fd);
	read_blocks(bundle, directory_fd);
	return bundle->n_problems ? EXIT_STATUS_DAMAGED : EXIT_STATUS_OK;
}

static struct bundle *make_bundle(const char *path)
{
	struct bundle *bundle = calloc(1, sizeof(*bundle));
	if (bundle)
		bundle->path = strdup(path);
	if (bundle && bundle->path)
		return bundle;
	free(bundle);
	message("%s: %s", path, strerror(ENOMEM));
	return NULL;
}

enum exit_status bundle_open(const char *path, struct bundle **out_bundle)
{
	int directory_fd = input_open_directory(path);
	enum exit_status status = EXIT_STATUS_SYSTEM;
	if (directory_fd < 0) {
		message("%s: %s", path, input_error_text(directory_fd));
		return EXIT_STATUS_BAD_BUNDLE;
	}
	struct bundle *bundle = make_bundle(path);
	if (bundle)
		status = read_bundle(bundle, directory_fd);
	close(directory_fd);
	if (status == EXIT_STATUS_OK || status == EXIT_STATUS_DAMAGED)
		*out_bundle = bundle;
	else
		bundle_close(bundle);
	return status;
}

void bundle_close(struct bundle *bundle)
{
	if (!bundle)
		return;
	for (size_t index = 0; index < bundle->n_contents; index++)
		free(bundle->contents[index]);
	coredump_close(bundle->coredump);
	json_decref(bundle->meta);
	json_decref(bundle->finding);
	free(bundle->hardware);
	free(bundle->told);
	free(bundle->blocks);
	json_decref(bundle->blocks_owner);
	free(bundle->path);
	free(bundle);
}
