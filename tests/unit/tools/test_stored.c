/*
 * test_stored.c - a stored report is printed as it is, without what a terminal would obey. Its
 * summary is used only if it is whole, of this version and of this process.
 */
#include "report/stored.h"
#include "report/stored_summary.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "support/check.h"

static char directory[] = "/tmp/culprit-stored-XXXXXX";

static void store(const char *name, const char *bytes, size_t size)
{
	int folder = open(directory, O_RDONLY | O_DIRECTORY);
	int file = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	CHECK(file >= 0);
	CHECK_EQUAL(write(file, bytes, size), size);
	close(file);
	close(folder);
}

static void check_printed(const char *stored, size_t size, enum report_length length,
			  const char *printed)
{
	const struct bundle bundle = {.path = directory};
	char *out = NULL;
	size_t out_size = 0;
	FILE *file = open_memstream(&out, &out_size);
	store(BUNDLE_REPORT_TEXT_NAME, stored, size);
	CHECK_EQUAL(stored_print_text(&bundle, length, file), 0);
	fclose(file);
	CHECK_STRING(out, printed);
	free(out);
}

#define CHECK_PRINTED(stored, printed) \
	check_printed((stored), sizeof(stored) - 1, REPORT_FULL, (printed))

static void remove_file(const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	CHECK_EQUAL(unlink(path), 0);
}

/* The short report is in the JSON; a report of an earlier version has none. */
static void test_short(void)
{
	static const char json[] = "{\"format\": 2, \"summary\": \"short\\u001b\\n\"}";
	static const char old[] = "{\"format\": 2}";
	store(BUNDLE_REPORT_JSON_NAME, json, sizeof(json) - 1);
	check_printed("full\n", 5, REPORT_SHORT, "short?\n");
	check_printed("full\n", 5, REPORT_FULL, "full\n");
	store(BUNDLE_REPORT_JSON_NAME, old, sizeof(old) - 1);
	check_printed("full\n", 5, REPORT_SHORT, "full\n");
	remove_file(BUNDLE_REPORT_JSON_NAME);
}

#define STORED(culprit, verdict, fingerprint, missed, begin, last)                             \
	"{\"culprit\": \"" culprit                                                             \
	"\", \"format\": 2, \"meta\": {\"pid\": 7, \"files\": [\"}\"]}, "                      \
	"\"time\": \"2026-11-22T15:09:36.123456Z\", \"fingerprint\": \"" fingerprint "\", "    \
	"\"verdict\": \"" verdict "\", \"finding\": \"failure\", \"error\": {\"code\": 700}, " \
	"\"told\": null, \"suspects\": [{\"name\": \"x\", \"kernel\": \"void "                 \
	"a::k<int>(int*)\"}], "                                                                \
	"\"lines\": [{\"id\": \"work\", \"text\": \"k\", \"places\": []}, {\"id\": "           \
	"\"launched_from\", "                                                                  \
	"\"text\": \"from a.c:3 \\\"f\\\"\", \"places\": [{\"begin\": " begin                  \
	", \"length\": 5}]}], "                                                                \
	"\"missed_symbols\": [" missed "]" last "}\n"

#define WHOLE STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "5", "")

static bool read_summary(const char *stored, size_t size, struct stored_summary *out)
{
	json_t *meta = json_pack("{s:i, s:{s:i}}", "pid", 7, "end", "status", 1);
	int folder = open(directory, O_RDONLY | O_DIRECTORY);
	store(BUNDLE_REPORT_JSON_NAME, stored, size);
	bool is_read = stored_read_summary(folder, meta, out);
	close(folder);
	json_decref(meta);
	return is_read;
}

static void test_summary(void)
{
	struct stored_summary summary;
	CHECK(read_summary(WHOLE, strlen(WHOLE), &summary));
	CHECK_EQUAL(summary.class, VERDICT_LIKELY);
	CHECK_STRING(summary.fingerprint, "0123456789abcdef");
	CHECK_STRING(summary.when, "2026-11-22T15:09:36.123456Z");
	CHECK_STRING(summary.error, "700");
	CHECK_STRING(summary.work, "a::k<int>");
	CHECK_STRING(summary.place, "a.c:3");
}

static void test_summary_refused(void)
{
	static const char *const bad[] = {
		STORED("0.0.9", "likely", "0123456789abcdef", "", "5", ""),
		STORED(CULPRIT_VERSION, "sure", "0123456789abcdef", "", "5", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcde", "", "5", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789ABCDEF", "", "5", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "{}", "5", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "-1", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "10", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "9223372036854775807",
		       ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "\"5\"", ""),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "5", ", \"meta\": {}"),
		STORED(CULPRIT_VERSION, "likely", "0123456789abcdef", "", "5", "}, {"),
		"",
		"[]",
		"{",
		"{}",
		"null",
		"{\"culprit\": ",
	};
	struct stored_summary summary;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!read_summary(bad[i], strlen(bad[i]), &summary));
	/* The last byte is a newline. */
	for (size_t size = 0; size < strlen(WHOLE) - 1; size++)
		CHECK(!read_summary(WHOLE, size, &summary));
}

/* The code is a positive number of 32 bits. */
static void test_summary_code(void)
{
	static const char *const codes[] = {"700", "1",    "2147483647", "2147483648",
					    "0",   "-700", "4294967996"};
	struct stored_summary summary;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		char stored[sizeof(WHOLE) + 16] = WHOLE;
		char *at = strstr(stored, "700");
		(void)snprintf(at, sizeof(stored) - (size_t)(at - stored), "%s%s", codes[i],
			       strstr(WHOLE, "700") + 3);
		CHECK_EQUAL(read_summary(stored, strlen(stored), &summary), i < 3);
		if (i < 3)
			CHECK_STRING(summary.error, codes[i]);
	}
}

/* Whatever is in the file, what is read is in bounds; a sanitizer looks. */
static void test_summary_damaged(void)
{
	static const char bytes[] = "\"{}[],:\\ 0\0\377";
	char stored[] = WHOLE;
	for (size_t at = 0; at < sizeof(stored) - 1; at++) {
		char before = stored[at];
		stored[at] = bytes[at * 7 % (sizeof(bytes) - 1)];
		struct stored_summary summary;
		if (read_summary(stored, sizeof(stored) - 1, &summary))
			CHECK(summary.class <= VERDICT_EXACT && strlen(summary.fingerprint) == 16);
		stored[at] = before;
	}
}

int main(void)
{
	CHECK(mkdtemp(directory));
	CHECK_PRINTED("one\n\ntwo\n", "one\n\ntwo\n");
	CHECK_PRINTED("one\ntwo", "one\ntwo\n");
	CHECK_PRINTED("\n", "\n");
	CHECK_PRINTED("", "");
	CHECK_PRINTED("a\0b\n\033[2J\n", "a?b\n?[2J\n");
	test_short();
	store(BUNDLE_REPORT_TEXT_NAME, "", 0);
	test_summary();
	test_summary_refused();
	test_summary_code();
	test_summary_damaged();
	remove_file(BUNDLE_REPORT_TEXT_NAME);
	remove_file(BUNDLE_REPORT_JSON_NAME);
	CHECK_EQUAL(rmdir(directory), 0);
	return 0;
}
