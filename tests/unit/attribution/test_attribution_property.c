/*
 * test_attribution_property.c - thousands of random stories: an exact verdict is the truth in every
 * one; a likely one where no marker lags; and the truth is among the suspects of a narrowed one.
 */
#include <stdlib.h>

#include "attribution/attribution.h"
#include "model/gpu_model.h"
#include "model/property.h"
#include "support/check.h"

enum { N_STORIES = 50000, N_VARIANTS = 2048 };

static void judge(const struct gpu_model *model, struct verdict *verdict)
{
	static struct bundle_view view;
	builder_view(&model->builder, &view);
	size_t size = attribution_scratch(&view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute(&view, scratch, size, verdict), 0);
	free(scratch);
}

static bool is_right(const struct gpu_model *model, const struct verdict *verdict)
{
	if (verdict->is_complete && !property_names(verdict, model->culprit))
		return false;
	switch (verdict->class) {
	case VERDICT_EXACT:
		return verdict->n_suspects == 1 && property_names(verdict, model->culprit);
	case VERDICT_LIKELY:
		return property_names(verdict, model->culprit);
	case VERDICT_NARROWED:
		return gpu_model_has_lost_records(model) || property_names(verdict, model->culprit);
	case VERDICT_UNKNOWN:
		return gpu_model_has_lost_records(model) || model->settings.has_unordered;
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
		.words = (enum words_kind)(seed / 64 % 4),
		.has_unordered = seed & 256,
		.has_stuck_words = seed & 512,
		.has_words_ahead = seed & 1024,
	};
}

/* By enum words_kind, of words that are not ahead: how much they helped, and were believed. */
static uint64_t n_exact[N_WORDS_KINDS];
static uint64_t n_complete;
static uint64_t n_refused[N_WORDS_KINDS]; /* without words that stick */
static uint64_t n_found_stuck;

static void count(const struct model_settings *settings, const struct verdict *verdict)
{
	n_complete += verdict->is_complete ? 1 : 0;
	if (settings->has_words_ahead)
		return;
	n_exact[settings->words] += verdict->class == VERDICT_EXACT ? 1 : 0;
	for (uint32_t i = 0; i < verdict->n_evidence; i++) {
		if (verdict->evidence[i].kind != EVIDENCE_DRIVER_REFUSED)
			continue;
		n_refused[settings->words] += settings->has_stuck_words ? 0 : 1;
		n_found_stuck += settings->has_stuck_words ? 1 : 0;
	}
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
	count(&settings, &verdict);
	property_judged(outcome, seed, &verdict, is_right(&model, &verdict), model.culprit);
	builder_end(&model.builder);
}

static const struct outcome stored = {
	.n = {91, 37761, 448, 8350}, .n_suspects = 155470, .n_first = 23080};

int main(int argc, char **argv)
{
	struct outcome outcome = {0};
	uint64_t n = property_run(argc, argv, N_STORIES, run_story, &outcome);
	if (argc == 1)
		property_expect(&outcome, &stored);
	/* A test in which nothing is ever claimed would prove nothing. */
	if (n >= N_STORIES) {
		CHECK(outcome.n[VERDICT_EXACT] > n / 10);
		CHECK(outcome.n[VERDICT_LIKELY] > n / 200);
		CHECK(outcome.n[VERDICT_NARROWED] > n / 10);
		CHECK(outcome.n[VERDICT_UNKNOWN] > 0);
		CHECK(n_complete > n / 10);
		CHECK(n_exact[WORDS_MODEL_TRUE] > 7 * n_exact[WORDS_MODEL_NONE] / 5);
		CHECK(n_exact[WORDS_MODEL_SHARED] > 13 * n_exact[WORDS_MODEL_NONE] / 10);
		CHECK_EQUAL(n_refused[WORDS_MODEL_TRUE] + n_refused[WORDS_MODEL_SHARED], 0);
		CHECK(n_refused[WORDS_MODEL_LYING] > n / 20);
		CHECK(n_found_stuck > n / 50);
	}
	return 0;
}
