/*
 * test_explain.c - every word that a report can show is a topic of `culprit explain`.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "attribution/verdict.h"
#include "explain/topics.h"
#include "memory/memory_fault.h"
#include "report/page.h"
#include "report/report_evidence.h"
#include "report/report_labels.h"
#include "support/check.h"

static const struct topic *topic_of(enum topic_kind kind, const char *word)
{
	for (size_t i = 0; i < n_topics; i++)
		if (topics[i].kind == kind && topic_is(&topics[i], word))
			return &topics[i];
	return NULL;
}

static void explains(enum topic_kind kind, const char *word)
{
	const struct topic *topic = topic_of(kind, word);
	if (!topic)
		printf("%s is not explained\n", word);
	CHECK(topic);
}

/* Each sticky code, by its number and by its name. */
static void test_codes(void)
{
	static const struct {
		const char *number;
		const char *name;
	} codes[] = {
#define FAILURE(code, name, ...) {#code, #name},
#include "base/failures.def"
#undef FAILURE
	};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		explains(TOPIC_CODE, codes[i].number);
		CHECK(topic_of(TOPIC_CODE, codes[i].name) == topic_of(TOPIC_CODE, codes[i].number));
	}
}

static void test_verdicts(void)
{
	for (enum verdict_class class = VERDICT_UNKNOWN; class <= VERDICT_EXACT; class ++)
		explains(TOPIC_VERDICT, report_verdict_label(class));
	explains(TOPIC_VERDICT, "hung");
}

static void test_evidence(void)
{
	for (enum evidence_kind kind = 0; kind < N_EVIDENCE_KINDS; kind++)
		explains(TOPIC_EVIDENCE, report_evidence_label(kind));
}

static void test_xids(void)
{
	static const char *const numbers[] = {
#define XID(number, ...) "xid " #number,
#include "hardware/xids.def"
#undef XID
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		explains(TOPIC_HARDWARE, numbers[i]);
}

static void test_lines(void)
{
	for (enum page_id id = 0; id < N_PAGE_IDS; id++)
		if (page_label(id))
			explains(TOPIC_LINE, page_label(id));
}

static void test_memory(void)
{
	static const char *const relations[] = {
		[MEMORY_NOWHERE] = "nowhere", [MEMORY_INSIDE] = "inside",
		[MEMORY_FREED] = "freed",     [MEMORY_IN_FLIGHT] = "freed_in_flight",
		[MEMORY_AFTER] = "after",     [MEMORY_BEFORE] = "before",
	};
	static_assert(MEMORY_BEFORE == 5, "a new relation needs a topic");
	for (size_t i = 0; i < sizeof(relations) / sizeof(relations[0]); i++)
		explains(TOPIC_MEMORY, relations[i]);
	for (enum memory_fault_kind kind = MEMORY_FAULT_MEMORY; kind < N_MEMORY_FAULT_KINDS; kind++)
		explains(TOPIC_MEMORY, memory_fault_label(kind));
}

static bool has_steps(enum topic_kind kind)
{
	return kind == TOPIC_CODE || kind == TOPIC_RULE || kind == TOPIC_VERDICT ||
	       kind == TOPIC_MEMORY;
}

/* A word means one thing of its kind, and its topic says what to do. */
static void test_topics(void)
{
	for (size_t i = 0; i < n_topics; i++) {
		CHECK(*topics[i].text);
		CHECK(!has_steps(topics[i].kind) || topics[i].next);
		for (size_t j = 0; j < n_topics; j++)
			CHECK(i == j || topics[i].kind != topics[j].kind ||
			      !topic_is(&topics[j], topics[i].word));
	}
}

static void test_words(void)
{
	CHECK(topic_of(TOPIC_MEMORY, "Use_After-Free") == topic_of(TOPIC_MEMORY, "freed"));
	CHECK(topic_of(TOPIC_CODE, "cuda error assert") == topic_of(TOPIC_CODE, "710"));
	CHECK(topic_of(TOPIC_CODE, "no kernel image") == NULL);
	CHECK(!topic_of(TOPIC_CODE, "71"));
	CHECK(!topic_of(TOPIC_CODE, "7100"));
	CHECK(!topic_of(TOPIC_VERDICT, ""));
}

static void test_suggestions(void)
{
	const char *near[3];
	CHECK_EQUAL(topics_suggest("narowed", near, 3), 1);
	CHECK_STRING(near[0], "narrowed");
	CHECK_EQUAL(topics_suggest("grid_is", near, 3), 1);
	CHECK_STRING(near[0], "launch.grid_is_zero");
	CHECK_EQUAL(topics_suggest("launch.", near, 3), 3);
	CHECK_EQUAL(topics_suggest("frobnicate", near, 3), 0);
	CHECK_EQUAL(topics_suggest("", near, 3), 0);
}

int main(void)
{
	test_codes();
	test_verdicts();
	test_evidence();
	test_xids();
	test_lines();
	test_memory();
	test_topics();
	test_words();
	test_suggestions();
	return 0;
}
