/*
 * test_attribution_property.c - thousands of random stories: an exact verdict is the truth in every
 * one; a likely one where no marker lags; and the truth is among the suspects of a narrowed one.
 */
#include <stdlib.h>

#include "attribution.h"
#include "check.h"
#include "gpu_model.h"
#include "property.h"

enum { N_STORIES = 50000, N_VARIANTS = 64 };

static void judge(const struct gpu_model *model, struct verdict *verdict)
{
	static struct bundle_view view;
	size_t size;
	void *scratch;

	builder_view(&model->builder, &view);
	size = attribution_scratch(&view);
	scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute(&view, scratch, size, verdict), 0);
	free(scratch);
}

static bool has_lost_records(const struct gpu_model *model)
{
	for (uint32_t slot = 0; slot < model->builder.n_rings; slot++) {
		if (model->builder.ring_rows[slot] > model->builder.ring_capacity)
			return true;
	}
	return false;
}

static bool names_culprit(const struct verdict *verdict, uint64_t culprit)
{
	if (verdict->n_suspects > VERDICT_MAX_SUSPECTS)
		return true; /* more than are listed */
	for (uint64_t i = 0; i < verdict->n_suspects; i++) {
		if (verdict->suspects[i].record.sequence == culprit)
			return true;
	}
	return false;
}

static bool is_right(const struct gpu_model *model, const struct verdict *verdict)
{
	bool is_lagging = model->settings.has_side_markers && model->settings.is_side_lagging;

	switch (verdict->class) {
	case VERDICT_EXACT:
		return verdict->n_suspects == 1 && names_culprit(verdict, model->culprit);
	case VERDICT_LIKELY:
		return is_lagging || names_culprit(verdict, model->culprit);
	case VERDICT_NARROWED:
		return is_lagging || has_lost_records(model) ||
		       names_culprit(verdict, model->culprit);
	case VERDICT_UNKNOWN:
		return has_lost_records(model);
	}
	return false;
}

static struct model_settings settings_of(uint64_t seed)
{
	return (struct model_settings){
		.seed = seed * 0x9e3779b97f4a7c15u + 1,
		.n_operations = 10 + (uint32_t)(seed / N_VARIANTS % 40),
		.ring_capacity = seed & 32 ? 4 : 256,
		.has_inline_markers = seed & 1,
		.has_side_markers = seed & 2,
		.is_side_lagging = seed & 4,
		.has_barriers = seed & 8,
		.has_overlaps = seed & 16,
	};
}

static void run_story(uint64_t seed, struct outcome *outcome)
{
	static struct gpu_model model;
	static struct verdict verdict;
	const struct model_settings settings = settings_of(seed);

	model_run(&model, &settings);
	if (!model.has_faulted) {
		outcome->n_skipped++;
		builder_end(&model.builder);
		return;
	}
	judge(&model, &verdict);
	property_judged(outcome, seed, &verdict, is_right(&model, &verdict), model.culprit);
	builder_end(&model.builder);
}

int main(int argc, char **argv)
{
	struct outcome outcome = {0};
	uint64_t n = property_run(argc, argv, N_STORIES, run_story, &outcome);

	/* A test in which nothing is ever claimed would prove nothing. */
	if (n >= N_STORIES) {
		CHECK(outcome.n[VERDICT_EXACT] > n / 10);
		CHECK(outcome.n[VERDICT_LIKELY] > n / 100);
		CHECK(outcome.n[VERDICT_NARROWED] > n / 10);
		CHECK(outcome.n[VERDICT_UNKNOWN] > 0);
	}
	return 0;
}
