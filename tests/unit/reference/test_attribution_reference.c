/*
 * test_attribution_reference.c - random stories: attribute() gives the class, the suspects and the
 * first suspect that the rules give. So a verdict that is wider than the rules allow is noticed,
 * too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "attribution/attribution.h"
#include "model/dump_model.h"
#include "model/fault_model.h"
#include "model/gpu_model.h"
#include "model/property.h"
#include "reference/reference.h"
#include "reference/reference_dump.h"
#include "support/check.h"

enum { N_STORIES = 40000 };

static struct model_settings settings_of(uint64_t seed)
{
	return (struct model_settings){
		.seed = seed * 0x9e3779b97f4a7c15u + 3,
		.n_operations = 4 + (uint32_t)(seed * 2654435761u >> 16) % 40,
		.ring_capacity = seed & 32 ? 4 : 256,
		.has_inline_markers = seed & 1,
		.has_side_markers = seed & 2,
		.is_side_lagging = seed & 4,
		.has_barriers = seed & 8,
		.has_overlaps = seed & 16,
		.has_unordered = seed & 64,
		.words = (enum words_kind)(seed >> 10 & 3),
		.has_stuck_words = seed & 4096,
		.has_words_ahead = seed & 8192,
		.has_times = seed & 16384,
		.has_waits = seed % 3 == 0,
	};
}

static bool has_fault(uint64_t seed)
{
	return seed & 128;
}

static bool is_lying(uint64_t seed)
{
	return has_fault(seed) && seed & 256;
}

static bool has_dump(uint64_t seed)
{
	return seed & 512 && !has_fault(seed);
}

static void judge(const struct bundle_view *view, const struct attribution_facts *facts,
		  struct verdict *verdict)
{
	size_t size = attribution_scratch(view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_facts(view, facts, scratch, size, verdict), 0);
	free(scratch);
}

static bool is_same(const struct verdict *verdict, const struct reference_verdict *wanted)
{
	CHECK(verdict->n_suspects <= VERDICT_MAX_SUSPECTS);
	if (verdict->class != wanted->class || verdict->n_suspects != wanted->n_suspects)
		return false;
	for (uint64_t i = 0; i < wanted->n_suspects; i++)
		if (!property_names(verdict, wanted->suspects[i]->sequence))
			return false;
	return wanted->n_suspects == 0 ||
	       verdict->suspects[0].record.sequence == wanted->suspects[0]->sequence;
}

static void print_wanted(const struct reference_verdict *wanted)
{
	fprintf(stderr, "the rules give verdict %d with %" PRIu64 " suspects:", (int)wanted->class,
		wanted->n_suspects);
	for (uint64_t i = 0; i < wanted->n_suspects; i++)
		fprintf(stderr, " #%" PRIu64, wanted->suspects[i]->sequence);
	fprintf(stderr, "\n");
}

/* An exact verdict has to be true. So has another one, if no record is lost. */
static bool is_true(const struct gpu_model *model, const struct verdict *verdict)
{
	if (verdict->class == VERDICT_UNKNOWN || !model->has_faulted ||
	    (verdict->class != VERDICT_EXACT && gpu_model_has_lost_records(model)))
		return true;
	return property_names(verdict, model->culprit);
}

static void add_clues(uint64_t seed, struct gpu_model *model, struct fault_model *fault,
		      struct dump_model *dump)
{
	*fault = (struct fault_model){.is_lying = is_lying(seed)};
	if (has_fault(seed))
		fault_model_add(model, is_lying(seed), fault);
	if (has_dump(seed)) {
		dump_model_add(model, dump);
		fault->facts.coredump = &dump->fault;
	}
}

static void run_story(uint64_t seed, struct outcome *outcome)
{
	static struct gpu_model model;
	static struct verdict verdict;
	static struct reference_verdict wanted;
	static struct bundle_view view;
	static struct fault_model fault;
	static struct dump_model dump;
	const struct model_settings settings = settings_of(seed);
	model_run(&model, &settings);
	add_clues(seed, &model, &fault, &dump);
	builder_view(&model.builder, &view);
	judge(&view, &fault.facts, &verdict);
	if (has_dump(seed))
		reference_attribute_dump(&view, &dump.fault, &wanted);
	else
		reference_attribute(&view, &fault.facts, &wanted);
	bool is_right = is_same(&verdict, &wanted);
	if (!is_right)
		print_wanted(&wanted);
	is_right = is_right && (is_lying(seed) || is_true(&model, &verdict));
	property_judged(outcome, seed, &verdict, is_right, model.culprit);
	builder_end(&model.builder);
}

int main(int argc, char **argv)
{
	struct outcome outcome = {0};
	uint64_t n = property_run(argc, argv, N_STORIES, run_story, &outcome);
	if (n >= N_STORIES) {
		CHECK(outcome.n[VERDICT_EXACT] > n / 10);
		CHECK(outcome.n[VERDICT_LIKELY] > n / 400);
		CHECK(outcome.n[VERDICT_NARROWED] > n / 10);
		CHECK(outcome.n[VERDICT_UNKNOWN] > 0);
	}
	return 0;
}
