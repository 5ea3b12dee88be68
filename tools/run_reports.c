/*
 * run_reports.c - the bundles of one run among all that lie in a directory.
 */
#include "run_reports.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "bundle.h"
#include "input.h"
#include "message.h"

struct failed_bundle {
	char *path;
	uint64_t failed_ns;
};

struct failed_bundles {
	struct failed_bundle *rows;
	size_t n;
};

enum { FAILURE_FILE_MAX = 4096 };

/* Does the meta.json in the directory name this run? */
static bool is_of_run(int bundle_fd, const char *run_id)
{
	const char *reason;
	json_t *meta = bundle_read_meta(bundle_fd, &reason);
	const char *run = json_string_value(json_object_get(meta, "run"));
	bool is_ours = run && !strcmp(run, run_id);

	json_decref(meta);
	return is_ours;
}

/* When the bundle's process saw its failure. False: it saw none. */
static bool read_failure_time(int bundle_fd, uint64_t *out_ns)
{
	struct bundle_view *view;
	const struct failure_row *failure = NULL;
	char *bytes;
	size_t size;

	if (input_read_file(bundle_fd, journal_file_names[JOURNAL_FAILURE], FAILURE_FILE_MAX,
			    &bytes, &size))
		return false;
	view = calloc(1, sizeof(*view));
	if (view && !bundle_view_add(view, bytes, size, NULL))
		failure = view_failure(view);
	if (failure)
		*out_ns = failure->time_ns;
	free(view);
	free(bytes);
	return failure != NULL;
}

/* Did it fail? One that ended before it saw that left a core dump alone, and comes last. */
static bool has_failed(int bundle_fd, uint64_t *out_ns)
{
	*out_ns = UINT64_MAX;
	return read_failure_time(bundle_fd, out_ns) ||
	       faccessat(bundle_fd, BUNDLE_COREDUMP_NAME, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int add_failed(struct failed_bundles *bundles, const char *directory, const char *name,
		      uint64_t failed_ns)
{
	struct failed_bundle *rows =
		realloc(bundles->rows, (bundles->n + 1) * sizeof(bundles->rows[0]));

	if (!rows)
		return -ENOMEM;
	bundles->rows = rows;
	if (asprintf(&rows[bundles->n].path, "%s/%s", directory, name) < 0)
		return -ENOMEM;
	rows[bundles->n++].failed_ns = failed_ns;
	return 0;
}

static int look_at(struct failed_bundles *bundles, int directory_fd, const char *directory,
		   const char *name, const char *run_id)
{
	uint64_t failed_ns;
	int result = 0;
	int fd;

	if (strncmp(name, BUNDLE_PREFIX, strlen(BUNDLE_PREFIX)) != 0)
		return 0;
	fd = openat(directory_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0; /* somebody else's, or gone by now */
	if (is_of_run(fd, run_id) && has_failed(fd, &failed_ns))
		result = add_failed(bundles, directory, name, failed_ns);
	close(fd);
	return result;
}

static int compare_times(const void *left, const void *right)
{
	const struct failed_bundle *a = left;
	const struct failed_bundle *b = right;

	return a->failed_ns < b->failed_ns ? -1 : a->failed_ns > b->failed_ns;
}

static int find_failed(const char *path, const char *run_id, struct failed_bundles *out)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int result = 0;

	if (!directory)
		return -errno;
	while (!result && (entry = readdir(directory)))
		result = look_at(out, dirfd(directory), path, entry->d_name, run_id);
	closedir(directory);
	if (out->n)
		qsort(out->rows, out->n, sizeof(out->rows[0]), compare_times);
	return result;
}

static int report_bundle(const char *path, FILE *out)
{
	struct bundle *bundle;
	struct analysis analysis;
	enum exit_status status = bundle_open(path, &bundle);
	int result;

	if (status != EXIT_STATUS_OK && status != EXIT_STATUS_DAMAGED)
		return 0; /* bundle_open has said why */
	result = analysis_open(bundle, &analysis);
	if (!result) {
		if (analysis_has_failure(&analysis))
			result = analysis_print_text(&analysis, out);
		else
			message("%s: the GPU failed, and the core dump does not tell of what",
				path);
		analysis_close(&analysis);
	}
	bundle_close(bundle);
	return result;
}

static void write_reports(const struct failed_bundles *bundles, FILE *out, const char *name)
{
	int result = 0;

	for (size_t index = 0; index < bundles->n && !result; index++) {
		if (index)
			fputc('\n', out);
		result = report_bundle(bundles->rows[index].path, out);
	}
	if (fflush(out) && !result)
		result = -errno;
	if (result)
		message("%s: %s; the bundle is %s", name, strerror(-result), bundles->rows[0].path);
}

/* Where the reports go; NULL: nowhere. */
static FILE *open_output(const char *report_path, bool is_quiet)
{
	FILE *file = report_path ? fopen(report_path, "we") : NULL;

	if (report_path && !file)
		message("%s: %s", report_path, strerror(errno));
	if (file || is_quiet)
		return file;
	return stderr;
}

unsigned run_reports(const char *directory, const char *run_id, const char *report_path,
		     bool is_quiet)
{
	struct failed_bundles bundles = {0};
	int result = find_failed(directory, run_id, &bundles);
	FILE *out = bundles.n ? open_output(report_path, is_quiet) : NULL;

	if (result && !is_quiet)
		message("%s: %s; bundles of this run may lie there unseen", directory,
			strerror(-result));
	if (out)
		write_reports(&bundles, out, out == stderr ? "standard error" : report_path);
	if (out && out != stderr)
		fclose(out);
	for (size_t index = 0; index < bundles.n; index++)
		free(bundles.rows[index].path);
	free(bundles.rows);
	return (unsigned)bundles.n;
}
