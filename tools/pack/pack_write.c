/*
 * pack_write.c - make the members of a pack in memory, one at a time. The source lines come first,
 * because the names of their files are masked afterwards.
 */
#include "pack/pack_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "analysis/analysis_text.h"
#include "dump/dump_parts.h"
#include "files/input.h"
#include "redaction/redaction.h"
#include "json/json_values.h"
#include "json/report_json.h"

/* A pack that is being written. */
struct writing {
	struct bundle *bundle;
	const struct pack_wishes *wishes;
	struct archive *archive;
	FILE *list;
	const struct analysis_filter *filter; /* NULL: secrets are kept */
	struct analysis *analysis;
};

static int add(const struct writing *writing, const char *name, const char *what, const char *bytes,
	       size_t size)
{
	int result = archive_add(writing->archive, name, bytes, size);
	if (!result)
		fprintf(writing->list, "  %-24s %9zu  %s\n", name, size, what);
	return result;
}

/* Add a member that `print` writes, unless it is empty. */
static int add_printed(const struct writing *writing, const char *name, const char *what,
		       int (*print)(const struct writing *writing, FILE *out))
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&bytes, &size);
	int result = out ? print(writing, out) : -ENOMEM;
	if (out && fclose(out) && !result)
		result = -ENOMEM;
	if (!result && size)
		result = add(writing, name, what, bytes, size);
	free(bytes);
	return result;
}

static int print_text(const struct writing *writing, FILE *out)
{
	return analysis_text_print(writing->analysis, REPORT_FULL, out);
}

static int print_json(const struct writing *writing, FILE *out)
{
	json_t *report = report_to_json(writing->analysis);
	bool is_printed = report && json_print(report, out);
	json_decref(report);
	fputc('\n', out);
	return is_printed ? 0 : -ENOMEM;
}

static int print_records(const struct writing *writing, FILE *out)
{
	const struct bundle_view *view = &writing->bundle->view;
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (kind != JOURNAL_IMAGES && kind != JOURNAL_IMAGE_BYTES)
			dump_table(out, view, (enum journal_file)kind);
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		dump_ring(out, view, slot);
	return 0;
}

static int print_source(const struct writing *writing, FILE *out)
{
	pack_sources_print(writing->analysis, writing->filter, out);
	return 0;
}

static int print_meta(const struct writing *writing, FILE *out)
{
	json_t *meta = json_pack("{s:s, s:i, s:b, s:b, s:b}", "culprit", CULPRIT_VERSION, "pack",
				 PACK_FORMAT, "redacted", !writing->wishes->keeps_secrets,
				 "failure", analysis_has_failure(writing->analysis), "damaged",
				 writing->wishes->is_damaged);
	bool is_printed = meta && json_print(meta, out);
	json_decref(meta);
	fputc('\n', out);
	return is_printed ? 0 : -ENOMEM;
}

/* Add a file of the bundle; skip links and other special files. */
static int add_bundle_file(const struct writing *writing, int directory_fd, const char *name)
{
	size_t size = 0;
	char *bytes = NULL;
	int result = input_read_file(directory_fd, name, ARCHIVE_MAX_BYTES, &bytes, &size);
	if (result == -ELOOP || result == -EINVAL || result == -ENOENT)
		return 0;
	if (result)
		return result;
	char member[sizeof(PACK_BUNDLE_FOLDER) + NAME_MAX];
	snprintf(member, sizeof(member), "%s%s", PACK_BUNDLE_FOLDER, name);
	result = add(writing, member, "file of the bundle, unchanged", bytes, size);
	free(bytes);
	return result;
}

static int is_member(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* In the order of their names: that of the directory depends on the file system. */
static int add_bundle(const struct writing *writing)
{
	struct dirent **entries = NULL;
	int directory_fd = open(writing->bundle->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int n = directory_fd < 0 ? -1
				 : scandirat(directory_fd, ".", &entries, is_member, compare_names);
	int result = n < 0 ? -errno : 0;
	for (int i = 0; i < n; i++) {
		if (!result)
			result = add_bundle_file(writing, directory_fd, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (directory_fd >= 0)
		close(directory_fd);
	return result;
}

/* Run `step` with an analysis of the bundle. */
static int with_analysis(struct writing *writing, const struct analysis_filter *filter,
			 int (*step)(const struct writing *writing))
{
	struct analysis analysis;
	int result = analysis_open(writing->bundle, SYMBOLS_WAIT_SECONDS, filter, &analysis);
	if (result)
		return result;
	writing->analysis = &analysis;
	result = step(writing);
	writing->analysis = NULL;
	analysis_close(&analysis);
	return result;
}

static int add_source(const struct writing *writing)
{
	return add_printed(writing, PACK_SOURCE_NAME, "source lines that the report names",
			   print_source);
}

static int add_reports(const struct writing *writing)
{
	int result = add_printed(writing, PACK_TEXT_NAME, "the report", print_text);
	if (!result)
		result = add_printed(writing, PACK_JSON_NAME, "the report as JSON", print_json);
	if (!result)
		result = add_printed(writing, PACK_RECORDS_NAME, "all records, as in culprit dump",
				     print_records);
	if (!result)
		result = add_printed(writing, PACK_META_NAME, "description of this pack",
				     print_meta);
	return result;
}

int pack_write(struct bundle *bundle, const struct pack_wishes *wishes, struct archive *archive,
	       FILE *list)
{
	struct redaction *redaction = wishes->keeps_secrets ? NULL : redaction_open(bundle);
	struct analysis_filter filter = redaction_filter(redaction);
	struct writing writing = {.bundle = bundle,
				  .wishes = wishes,
				  .archive = archive,
				  .list = list,
				  .filter = redaction ? &filter : NULL};
	int result = wishes->keeps_secrets || redaction ? 0 : -ENOMEM;
	if (!result && wishes->has_source)
		result = with_analysis(&writing, NULL, add_source);
	if (!result && wishes->keeps_secrets)
		result = add_bundle(&writing);
	if (!result)
		result = with_analysis(&writing, writing.filter, add_reports);
	redaction_close(redaction);
	return result;
}
