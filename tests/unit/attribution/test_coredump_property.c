/*
 * test_coredump_property.c - thousands of random stories with a core dump. The driver lets work run
 * after the fault and says that it has finished. An exact or likely verdict must be true in every
 * story, and a narrowed one must have the culprit among its suspects.
 */
#include <stdlib.h>

#include "attribution/attribution.h"
#include "coredump/gpu_fault.h"
#include "model/gpu_model.h"
#include "model/property.h"
#include "support/check.h"

enum { N_STORIES = 30000, N_VARIANTS = 128, N_FUNCTIONS = 3 };

static const char *const names[N_FUNCTIONS] = {"scatter", "gather", "scale"};

struct story {
	struct gpu_model model;
	uint64_t random;
	uint32_t functions[N_FUNCTIONS];
	uint32_t n_shapes;
	struct gpu_fault fault;
	bool is_lying;   /* markers and, unless watched, syncs continue after the fault */
	bool is_watched; /* syncs are true */
};

static uint32_t pick(struct story *story, uint32_t n)
{
	story->random = story->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((story->random >> 33) % n);
}

static struct journal_record *records_of(const struct story *story, uint32_t slot)
{
	return (struct journal_record *)(void *)(story->model.builder.rings[slot].bytes +
						 sizeof(struct file_header));
}

/* The kernel and the shape of each launch: few of each, so that many launches are alike. */
static struct record_launch launch_of(const struct story *story, uint64_t sequence)
{
	uint64_t hash = (sequence + 1) * (story->model.settings.seed | 1) >> 20;
	return (struct record_launch){.function = story->functions[hash % N_FUNCTIONS],
				      .grid = {1 + (uint32_t)(hash >> 8) % story->n_shapes, 1, 1},
				      .block = {32, 1, 1}};
}

static void shape_launches(struct story *story)
{
	for (uint32_t slot = 0; slot < story->model.builder.n_rings; slot++) {
		for (uint64_t i = 0; i < story->model.builder.ring_capacity; i++) {
			struct journal_record *record = &records_of(story, slot)[i];
			if (record->commit && record->kind == RECORD_SUBMISSION &&
			    record->work == WORK_KERNEL)
				record->launch = launch_of(story, record->sequence);
		}
	}
}

static const struct journal_record *find_culprit(const struct story *story)
{
	for (uint32_t slot = 0; slot < story->model.builder.n_rings; slot++) {
		for (uint64_t i = 0; i < story->model.builder.ring_capacity; i++) {
			const struct journal_record *record = &records_of(story, slot)[i];
			if (record->commit && record->kind == RECORD_SUBMISSION &&
			    record->sequence == story->model.culprit)
				return record;
		}
	}
	return NULL;
}

static uint32_t exception_of(int32_t code)
{
	return code == 710 ? GPU_EXCEPTION_WARP_ASSERT : GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS;
}

/* A kernel of a graph may also be launched on its own. */
static void dump_kernel(struct story *story, bool is_launch)
{
	struct gpu_fault *fault = &story->fault;
	struct record_launch launch =
		launch_of(story, is_launch ? story->model.culprit : pick(story, 100));
	uint32_t index = launch.function - story->functions[0];
	uint32_t exception = exception_of(story->model.code);
	*fault = (struct gpu_fault){.exceptions = 1u << exception};
	if (pick(story, 4) == 0) {
		fault->n_places = 1;
		fault->places[0].code = (struct gpu_code){.function = names[index],
							  .is_kernel = true,
							  .line = {.directory = "", .file = ""}};
		return;
	}
	fault->n_grids = 1;
	fault->grids[0].kernel = names[index];
	fault->grids[0].grid = (struct gpu_grid){.context = 0x1001,
						 .function = 0x2000 + story->functions[index],
						 .grid = {launch.grid[0], 1, 1},
						 .block = {32, 1, 1}};
}

/* Let streams continue: their markers, and the syncs that wait for them, show more than is true. */
static void lie(struct story *story)
{
	struct bundle_builder *builder = &story->model.builder;
	for (uint32_t s = 0; s < story->model.n_streams; s++) {
		uint32_t id = story->model.streams[s].id;
		const struct stream_row *row = builder_stream_row(builder, id);
		uint64_t left = row->submitted - row->marked;
		if (row->submitted > row->marked)
			builder_mark(builder, id, row->marked + pick(story, (uint32_t)left + 1));
		row = builder_stream_row(builder, id);
		if (!story->is_watched && row->submitted > row->synced && pick(story, 2))
			builder_sync(builder, id,
				     row->synced + 1 +
					     pick(story, (uint32_t)(row->submitted - row->synced)),
				     "cuStreamSynchronize");
	}
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

static bool has_lost_records(const struct story *story)
{
	for (uint32_t slot = 0; slot < story->model.builder.n_rings; slot++) {
		if (story->model.builder.ring_rows[slot] > story->model.builder.ring_capacity)
			return true;
	}
	return false;
}

static bool is_right(const struct story *story, const struct verdict *verdict)
{
	switch (verdict->class) {
	case VERDICT_EXACT:
	case VERDICT_LIKELY:
		return names_culprit(verdict, story->model.culprit);
	case VERDICT_NARROWED:
		return has_lost_records(story) || names_culprit(verdict, story->model.culprit);
	case VERDICT_UNKNOWN:
		break;
	}
	return has_lost_records(story);
}

static void judge(struct story *story, struct verdict *verdict)
{
	static struct bundle_view view;
	builder_failure_row(&story->model.builder)->flags =
		story->is_watched ? FAILURE_SYNCS_WATCHED : FAILURE_COREDUMPS;
	builder_view(&story->model.builder, &view);
	size_t size = attribution_scratch(&view);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(attribute_with_coredump(&view, &story->fault, scratch, size, verdict), 0);
	free(scratch);
}

static void begin_story(struct story *story, uint64_t seed)
{
	const struct model_settings settings = {
		.seed = seed * 0x9e3779b97f4a7c15u + 1,
		.n_operations = 10 + (uint32_t)(seed / N_VARIANTS % 40),
		.ring_capacity = (seed & 96) == 96 ? 3 : 256,
		.has_inline_markers = seed & 1,
		.has_side_markers = seed & 2,
		.is_side_lagging = seed & 4,
		.has_barriers = seed & 8,
	};
	story->random = seed;
	story->is_lying = seed & 16;
	story->is_watched = seed & 32;
	model_run(&story->model, &settings);
	for (int i = 0; i < N_FUNCTIONS; i++)
		story->functions[i] = builder_function(&story->model.builder, names[i], 0, NULL);
	story->n_shapes = 1 + pick(story, 12);
	shape_launches(story);
}

static void run_story(uint64_t seed, struct outcome *outcome)
{
	static struct story story;
	static struct verdict verdict;
	begin_story(&story, seed);
	const struct journal_record *culprit = find_culprit(&story);
	/* Skip failed copies: their dumps name no kernel of the application's. */
	if (!story.model.has_faulted ||
	    (culprit && culprit->work != WORK_KERNEL && culprit->work != WORK_GRAPH)) {
		outcome->n_skipped++;
		builder_end(&story.model.builder);
		return;
	}
	/* A culprit that is no longer in the journal is taken for a launch. */
	dump_kernel(&story, !culprit || culprit->work == WORK_KERNEL);
	if (story.is_lying)
		lie(&story);
	judge(&story, &verdict);
	property_judged(outcome, seed, &verdict, is_right(&story, &verdict), story.model.culprit);
	builder_end(&story.model.builder);
}

static const struct outcome stored = {
	.n = {0, 18006, 1641, 3286}, .n_suspects = 66334, .n_first = 16994};

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
