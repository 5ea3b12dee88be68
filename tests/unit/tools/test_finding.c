/*
 * test_finding.c - the record of a hang: what is written is read, and nothing else is.
 */
#include "analysis/finding.h"

#include "support/check.h"

static bool read_text(const char *text, struct hang_claim *out)
{
	json_t *record = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	CHECK(record);
	bool is_read = finding_read_hang(record, out);
	json_decref(record);
	return is_read;
}

static void test_written_is_read(void)
{
	const struct hang_claim written = {.class = VERDICT_LIKELY,
					   .ns = 5000000000,
					   .n = 2,
					   .rows = {{.sequence = 233, .kind = STALL_MAY_RUN},
						    {.sequence = 239,
						     .source_sequence = 238,
						     .kind = STALL_EVENT,
						     .is_proven = true}}};
	struct hang_claim out;
	json_t *record = finding_of_hang(&written, "0123456789abcdef");
	CHECK(finding_read_hang(record, &out));
	json_decref(record);
	CHECK_EQUAL(out.class, VERDICT_LIKELY);
	CHECK_EQUAL(out.ns, 5000000000);
	CHECK_EQUAL(out.n, 2);
	CHECK_EQUAL(out.rows[0].sequence, 233);
	CHECK_EQUAL(out.rows[0].kind, STALL_MAY_RUN);
	CHECK(!out.rows[0].is_proven && out.rows[1].is_proven);
	CHECK_EQUAL(out.rows[1].source_sequence, 238);
}

#define RECORD(format, kind, verdict, streams)                               \
	"{\"format\": " format ", \"kind\": " kind ", \"verdict\": " verdict \
	", \"streams\": " streams "}"
#define STREAM "[{\"submission\": 3, \"state\": \"runs\", \"proven\": true}]"

static void test_others_are_refused(void)
{
	static const char *const rejected[] = {
		"[]",
		"{}",
		RECORD("2", "\"hang\"", "\"exact\"", STREAM),
		RECORD("1", "\"crash\"", "\"exact\"", STREAM),
		RECORD("1", "7", "\"exact\"", STREAM),
		RECORD("1", "\"hang\"", "\"narrowed\"", STREAM),
		RECORD("1", "\"hang\"", "null", STREAM),
		RECORD("1", "\"hang\"", "\"exact\"", "[]"),
		RECORD("1", "\"hang\"", "\"exact\"", "{\"0\": 1}"),
		RECORD("1", "\"hang\"", "\"exact\"", "[3]"),
		RECORD("1", "\"hang\"", "\"exact\"", "[{\"submission\": 0, \"state\": \"runs\"}]"),
		RECORD("1", "\"hang\"", "\"exact\"", "[{\"submission\": -3, \"state\": \"runs\"}]"),
		RECORD("1", "\"hang\"", "\"exact\"",
		       "[{\"submission\": 3, \"state\": \"sleeps\"}]"),
		RECORD("1", "\"hang\"", "\"exact\"",
		       "[{\"submission\": 3.5, \"state\": \"runs\"}]"),
	};
	struct hang_claim out;
	CHECK(read_text(RECORD("1", "\"hang\"", "\"exact\"", STREAM), &out));
	CHECK(!finding_read_hang(NULL, &out));
	for (size_t i = 0; i < sizeof(rejected) / sizeof(rejected[0]); i++)
		CHECK(!read_text(rejected[i], &out));
}

static void test_refusal(void)
{
	struct hang_claim out;
	json_t *record = finding_of_rejection("");
	CHECK(finding_is_rejection(record) && !finding_read_hang(record, &out));
	json_decref(record);
	CHECK(!finding_is_rejection(NULL));
	record = json_loads("{\"format\": 2, \"kind\": \"refusal\"}", 0, NULL);
	CHECK(record && !finding_is_rejection(record));
	json_decref(record);
}

static void test_too_many_streams_are_refused(void)
{
	struct hang_claim hang = {.class = VERDICT_EXACT, .n = HANG_CLAIM_MAX};
	for (uint32_t i = 0; i < hang.n; i++)
		hang.rows[i].sequence = i + 1;
	json_t *record = finding_of_hang(&hang, "");
	struct hang_claim out;
	CHECK(finding_read_hang(record, &out));
	json_t *streams = json_object_get(record, "streams");
	json_array_append(streams, json_array_get(streams, 0));
	CHECK(!finding_read_hang(record, &out));
	json_decref(record);
}

int main(void)
{
	test_written_is_read();
	test_others_are_refused();
	test_refusal();
	test_too_many_streams_are_refused();
	return 0;
}
