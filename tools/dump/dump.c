/*
 * dump.c - `culprit dump`: print the rows of a bundle's files as they are, without a verdict.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bundle/bundle.h"
#include "bundle/selection.h"
#include "command/commands.h"
#include "command/message.h"
#include "command/options.h"
#include "command/output.h"
#include "dump/dump_parts.h"

/* Stands for all kinds of files; no file is of kind 0. */
enum { ALL_FILES = 0 };

/* Read the option --file. Return 0 and *out_kind; otherwise print one line and return -1. */
static int read_kind(const char *name, int *out_kind)
{
	*out_kind = ALL_FILES;
	if (!name)
		return 0;
	*out_kind = JOURNAL_RING;
	if (!strcmp(name, "ring"))
		return 0;
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++) {
		*out_kind = kind;
		if (!strcmp(name, journal_file_names[kind]))
			return 0;
	}
	message("--file '%s': unknown kind of file; see culprit help dump", name);
	return -1;
}

static void dump_bundle(FILE *out, const struct bundle *bundle, int only)
{
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (only == ALL_FILES || only == kind)
			dump_table(out, &bundle->view, (enum journal_file)kind);
	if (only == ALL_FILES || only == JOURNAL_FAULTS)
		dump_instructions(out, &bundle->view);
	if (only != ALL_FILES && only != JOURNAL_RING)
		return;
	for (uint32_t slot = 0; slot < bundle->view.n_rings; slot++)
		dump_ring(out, &bundle->view, slot);
}

/* Dump a file, which must be a GPU core dump: a bundle is a directory. */
static enum exit_status dump_file(const char *path, const char *output)
{
	enum exit_status status = EXIT_STATUS_OK;
	struct coredump *coredump = NULL;
	int result = coredump_read(AT_FDCWD, path, path, &coredump);
	if (result) {
		message("%s: %s", path, coredump_error_text(result));
		return EXIT_STATUS_BAD_BUNDLE;
	}
	if (coredump->is_cut) {
		message("%s: truncated; showing the part that is there", path);
		status = EXIT_STATUS_DAMAGED;
	}
	FILE *out = output_open(output);
	if (out)
		dump_coredump(out, coredump);
	coredump_close(coredump);
	return out && !output_close(out, output) ? status : EXIT_STATUS_SYSTEM;
}

static bool is_file(const char *path)
{
	struct stat status;
	return !lstat(path, &status) && S_ISREG(status.st_mode);
}

/* Open the bundle, or the only bundle in a folder. */
static enum exit_status open_selected(char **operand, struct bundle **out)
{
	enum exit_status status = EXIT_STATUS_USAGE;
	struct selection selection;
	int result = selection_make(operand, 1, &selection);
	if (result)
		return result == -ENOENT ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
	if (selection.n == 1)
		status = bundle_open(selection.paths[0], out);
	else
		message("%s: holds %zu bundles; name one of them", *operand, selection.n);
	selection_free(&selection);
	return status;
}

int dump_main(const struct arguments *arguments)
{
	const char *output = arguments->values[OPTION_dump_output];
	int kind = 0;
	if (read_kind(arguments->values[OPTION_dump_file], &kind))
		return EXIT_STATUS_USAGE;
	if (arguments->n_operands != 1) {
		message("%s bundle given; see culprit help dump",
			arguments->n_operands ? "more than one" : "no");
		return EXIT_STATUS_USAGE;
	}
	if (is_file(arguments->operands[0]))
		return (int)dump_file(arguments->operands[0], output);
	struct bundle *bundle = NULL;
	enum exit_status status = open_selected(arguments->operands, &bundle);
	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return (int)status;
	FILE *out = output_open(output);
	if (out)
		dump_bundle(out, bundle, kind);
	bundle_close(bundle);
	return out && !output_close(out, output) ? (int)status : EXIT_STATUS_SYSTEM;
}
