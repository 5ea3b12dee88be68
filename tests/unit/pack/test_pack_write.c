/*
 * test_pack_write.c - the members of a pack: no member after a failure, and none unmasked unless
 * that is wished. The test takes the place of the archive, the analysis and what prints a member.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis_text.h"
#include "dump/dump_parts.h"
#include "files/input.h"
#include "pack/pack_parts.h"
#include "redaction/redaction.h"
#include "support/check.h"
#include "json/json_values.h"
#include "json/report_json.h"

static struct bundle bundle;
static char members[256];
static int n_tried;
static int n_added;
static int failing; /* the number of the addition that fails; 0: none */
static bool has_memory;
static bool is_open; /* the redaction */

int archive_add(struct archive *archive, const char *name, const char *bytes, size_t size)
{
	(void)archive;
	CHECK(bytes && size);
	if (++n_tried == failing)
		return -ENOSPC;
	n_added++;
	snprintf(members + strlen(members), sizeof(members) - strlen(members), "%s ", name);
	return 0;
}

struct redaction *redaction_open(const struct bundle *of)
{
	CHECK(of == &bundle && !is_open);
	is_open = has_memory;
	return has_memory ? (struct redaction *)&is_open : NULL;
}

void redaction_close(struct redaction *redaction)
{
	CHECK_EQUAL(redaction != NULL, is_open);
	is_open = false;
}

struct analysis_filter redaction_filter(struct redaction *redaction)
{
	return (struct analysis_filter){.state = redaction};
}

/* The text says whether it is masked. */
int analysis_open(struct bundle *of, unsigned wait_seconds, const struct analysis_filter *wanted,
		  struct analysis *out)
{
	(void)wait_seconds;
	CHECK(!wanted || wanted->state == &is_open);
	*out = (struct analysis){.bundle = of};
	snprintf(members + strlen(members), sizeof(members) - strlen(members), "%s",
		 wanted ? "masked: " : "unmasked: ");
	return 0;
}

void analysis_close(struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
}

bool analysis_has_failure(const struct analysis *analysis)
{
	return analysis->bundle == &bundle;
}

int analysis_text_print(const struct analysis *analysis, enum report_length length, FILE *out)
{
	CHECK(analysis->bundle == &bundle && length == REPORT_FULL);
	return fputs("report\n", out) < 0 ? -ENOMEM : 0;
}

json_t *report_to_json(const struct analysis *analysis)
{
	CHECK(analysis->bundle == &bundle);
	return json_object();
}

bool json_print(const json_t *value, FILE *out)
{
	return value && fputs("{}", out) >= 0;
}

void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind)
{
	CHECK(view == &bundle.view && kind != JOURNAL_IMAGES && kind != JOURNAL_IMAGE_BYTES);
	fputs("table\n", out);
}

void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot)
{
	(void)out;
	CHECK(slot < view->n_rings);
}

void pack_sources_print(const struct analysis *analysis, const struct analysis_filter *filter,
			FILE *out)
{
	CHECK(analysis->bundle == &bundle && (!filter || filter->state == &is_open));
	fputs("line\n", out);
}

int input_read_file(int directory_fd, const char *name, uint64_t max_size, char **out_bytes,
		    size_t *out_size)
{
	CHECK(directory_fd >= 0 && max_size == ARCHIVE_MAX_BYTES);
	*out_bytes = strdup(name);
	*out_size = strlen(name);
	return *out_bytes ? 0 : -ENOMEM;
}

static int write_pack(bool keeps_secrets, bool has_source)
{
	const struct pack_wishes wishes = {.keeps_secrets = keeps_secrets,
					   .has_source = has_source};
	FILE *list = tmpfile();
	CHECK(list);
	members[0] = '\0';
	n_tried = 0;
	n_added = 0;
	int result = pack_write(&bundle, &wishes, NULL, list);
	CHECK(!is_open);
	CHECK_EQUAL(fclose(list), 0);
	return result;
}

#define REPORTS "report.txt report.json records.txt pack.json "

static void test_members(void)
{
	has_memory = true;
	CHECK_EQUAL(write_pack(false, false), 0);
	CHECK_STRING(members, "masked: " REPORTS);
	/* The names of files are masked after the source was read. */
	CHECK_EQUAL(write_pack(false, true), 0);
	CHECK_STRING(members, "unmasked: source.txt masked: " REPORTS);
	CHECK_EQUAL(write_pack(true, true), 0);
	CHECK_STRING(members, "unmasked: source.txt bundle/meta.json unmasked: " REPORTS);
}

/* Without memory to mask anything, nothing is written. */
static void test_no_memory(void)
{
	has_memory = false;
	for (int has_source = 0; has_source < 2; has_source++) {
		CHECK_EQUAL(write_pack(false, has_source), -ENOMEM);
		CHECK_STRING(members, "");
	}
}

/* A disk that is full ends the pack at once. */
static void test_failures(void)
{
	has_memory = true;
	for (int keeps_secrets = 0; keeps_secrets < 2; keeps_secrets++) {
		failing = 0;
		CHECK_EQUAL(write_pack(keeps_secrets, true), 0);
		int n_all = n_added;
		for (failing = 1; failing <= n_all; failing++) {
			CHECK_EQUAL(write_pack(keeps_secrets, true), -ENOSPC);
			CHECK_EQUAL(n_added, failing - 1);
		}
	}
	failing = 0;
}

int main(void)
{
	char folder[] = "/tmp/culprit-unit-XXXXXX";
	char file[sizeof(folder) + sizeof("/meta.json")];
	CHECK(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/meta.json", folder);
	FILE *meta = fopen(file, "w");
	CHECK(meta && fclose(meta) == 0);
	bundle.path = folder;
	bundle.view.n_rings = 2;
	test_members();
	test_no_memory();
	test_failures();
	CHECK_EQUAL(unlink(file), 0);
	CHECK_EQUAL(rmdir(folder), 0);
	return 0;
}
