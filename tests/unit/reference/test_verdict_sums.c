/*
 * test_verdict_sums.c - verdicts of random bundles are the ones that were stored. Other tests say
 * what is right; this one notices each change, also where no rule is broken and only the order of
 * suspects, a count or an evidence differs.
 *
 * If a change of verdicts is meant, look at what it changes, and store the new sums:
 *
 *     diff <(BEFORE/unit_verdict_sums 0 60000) <(AFTER/unit_verdict_sums 0 60000)
 *     build/bin/unit_verdict_sums store
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attribution/attribution.h"
#include "attribution/unfinished.h"
#include "model/any_bundle.h"
#include "reference/verdict_sum.h"
#include "support/check.h"

enum { N_PARTS = 12, N_OF_PART = 5000 };

/* The sum of each part's verdicts. */
static const uint64_t stored[N_PARTS] = {
	0x440eb0816523eb7f, 0xa5ddb317caa3a809, 0x8d216dd84570e759, 0xdc00b0d7e9d64490,
	0xe4552af8ecae75d7, 0x92bff969357635ba, 0x4cf452bfbefe69d8, 0x698ab06eb5815439,
	0xc03266323e9e52b7, 0x7f7b8032f26da178, 0x7faebc45752ee8bb, 0x9387050df59e6e76,
};

/* Counts of what occurred. */
static uint64_t n_classes[VERDICT_EXACT + 1];
static uint64_t n_evidence[N_EVIDENCE_KINDS];
static uint64_t n_leads[N_SUSPECT_LEADS];
static uint64_t n_claims[GRAPH_EXACT + 1];

static void judge(const struct any_bundle *any, const struct bundle_view *view,
		  struct verdict *verdict)
{
	size_t size = any->has_failure ? attribution_scratch(view) : unfinished_scratch(view);
	void *scratch = malloc(size);
	CHECK(scratch);
	int error = any->has_failure
			    ? attribute_with_facts(view, &any->facts, scratch, size, verdict)
			    : unfinished_find(view, any->has_hang ? &any->hang : NULL, scratch,
					      size, verdict);
	CHECK_EQUAL(error, 0);
	free(scratch);
}

static void count(const struct verdict *verdict)
{
	n_classes[verdict->class]++;
	n_leads[verdict->lead]++;
	n_claims[verdict->graph.certainty]++;
	for (uint32_t i = 0; i < verdict->n_evidence; i++)
		n_evidence[verdict->evidence[i].kind]++;
}

static const struct verdict *verdict_of(uint64_t number)
{
	static struct any_bundle any;
	static struct bundle_view view;
	static struct verdict verdict;
	any_bundle_make(&any, number);
	builder_view(&any.builder, &view);
	judge(&any, &view, &verdict);
	count(&verdict);
	builder_end(&any.builder);
	return &verdict;
}

static void print_all(uint64_t first, uint64_t n)
{
	for (uint64_t number = first; number < first + n; number++)
		verdict_sum_print(number, verdict_of(number));
}

/* A test in which something never occurs would not notice a change of it. */
static void check_all_occur(void)
{
	for (int i = 0; i <= VERDICT_EXACT; i++)
		CHECK(n_classes[i] > 500);
	for (int i = 0; i <= GRAPH_EXACT; i++)
		CHECK(n_claims[i] > 100);
	for (int i = 0; i < N_EVIDENCE_KINDS; i++)
		CHECK(n_evidence[i] > 0);
	for (int i = 0; i < N_SUSPECT_LEADS; i++)
		CHECK(n_leads[i] > 0);
}

static uint64_t sum_of_part(uint64_t part)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < N_OF_PART; i++)
		sum = sum * 31 + verdict_sum(verdict_of(part * N_OF_PART + i));
	return sum;
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		print_all(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
		return 0;
	}
	for (uint64_t part = 0; part < N_PARTS; part++) {
		uint64_t sum = sum_of_part(part);
		if (argc == 2) /* to be stored */
			printf("0x%016" PRIx64 ",%s", sum, part % 3 == 2 ? "\n" : " ");
		else
			CHECK_EQUAL(sum, stored[part]);
	}
	check_all_occur();
	return 0;
}
