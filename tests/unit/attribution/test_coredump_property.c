/*
 * test_coredump_property.c - thousands of random stories with a core dump. The driver lets work run
 * after the fault and says that it has finished. An exact or likely verdict must be true in every
 * story. Another one must have the culprit among its suspects, unless records are lost.
 */
#include <stdlib.h>

#include "attribution/attribution.h"
#include "model/dump_model.h"
#include "model/gpu_model.h"
#include "model/property.h"
#include "support/check.h"

enum { N_STORIES = 30000, N_VARIANTS = 32 };

static bool is_right(const struct gpu_model *model, const struct verdict *verdict)
{
	if (verdict->class <= VERDICT_NARROWED && gpu_model_has_lost_records(model))
		return true;
	return verdict->class != VERDICT_UNKNOWN && property_names(verdict, model->culprit);
}

static void judge(struct gpu_model *model, struct verdict *verdict)
{
	static struct bundle_view view;
	static struct dump_model dump;
	dump_model_add(model, &dump);
	builder_view(&model->builder, &view);
	size_t size = attribution_scratch(&view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_coredump(&view, &dump.fault, scratch, size, verdict), 0);
	free(scratch);
}

static void run_story(uint64_t seed, struct outcome *outcome)
{
	static struct gpu_model model;
	static struct verdict verdict;
	const struct model_settings settings = {
		.seed = seed * 0x9e3779b97f4a7c15u + 1,
		.n_operations = 10 + (uint32_t)(seed / N_VARIANTS % 40),
		.ring_capacity = (seed & 24) == 24 ? 3 : 256,
		.has_inline_markers = seed & 1,
		.has_side_markers = seed & 2,
		.is_side_lagging = seed & 4,
		.has_barriers = seed & 8,
	};
	model_run(&model, &settings);
	if (model.has_faulted) {
		judge(&model, &verdict);
		property_judged(outcome, seed, &verdict, is_right(&model, &verdict), model.culprit);
	} else {
		outcome->n_skipped++;
	}
	builder_end(&model.builder);
}

static const struct outcome stored = {
	.n = {3, 22893, 2533, 2159}, .n_suspects = 99516, .n_first = 18232};

int main(int argc, char **argv)
{
	struct outcome outcome = {0};
	uint64_t n = property_run(argc, argv, N_STORIES, run_story, &outcome);
	if (argc == 1)
		property_expect(&outcome, &stored);
	/* A test in which nothing is ever claimed would prove nothing. */
	if (n >= N_STORIES) {
		CHECK(outcome.n[VERDICT_EXACT] > n / 20);
		CHECK(outcome.n[VERDICT_LIKELY] > n / 50);
		CHECK(outcome.n[VERDICT_NARROWED] > n / 10);
	}
	return 0;
}
