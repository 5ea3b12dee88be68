/*
 * suspect_order.c - compare suspects by what they are, and by earlier launches.
 */
#include "attribution/suspect_order.h"

#include <string.h>

#include "view/record_walk.h"

/* Traits of a suspect that was kept, which need a pass over all records. */
struct trait {
	const struct open_work *work;
	struct record_launch launch; /* of a known kernel; else its function is 0 */
	struct record_graph graph;   /* of a known graph; else its handle is 0 */
	uint64_t n_finished;         /* launches of the same kernel and shape, or graph */
	uint64_t begin_distance;
	uint32_t novelty;
	bool is_start_known;
	enum anomaly_kind anomaly;
};

/* Return what the record ran. A kernel has several handles, each with a row, so its name counts. */
static uint64_t what_is(const struct bundle_view *view, const struct journal_record *record)
{
	if (record->work == WORK_GRAPH)
		return record->graph.handle;
	if (record->work != WORK_KERNEL)
		return record->call;
	const struct function_row *function = view_function(view, record->launch.function);
	/* A function without a name is identified by its row. */
	return function && function->name ? function->name
					  : (uint64_t)record->launch.function << 32;
}

struct suspect_key suspect_key_of(const struct bundle_view *view,
				  const struct journal_record *record)
{
	return (struct suspect_key){
		.what = what_is(view, record), .stack = record->stack, .work = record->work};
}

bool suspect_keys_are_same(const struct suspect_key *a, const struct suspect_key *b)
{
	return a->what == b->what && a->stack == b->stack && a->work == b->work;
}

bool suspect_is_rarely_guilty(const struct open_work *open)
{
	return open->work != WORK_KERNEL && open->work != WORK_GRAPH;
}

uint32_t suspect_weight_of_counters(enum work_kind work, enum counters_say said)
{
	switch (said) {
	case COUNTERS_RUNNING:
		return 5;
	case COUNTERS_STARTED:
		return work == WORK_GRAPH ? 5 : 4;
	case COUNTERS_OVER:
		return 2;
	case COUNTERS_WAITING:
		return work == WORK_KERNEL ? 0 : 1;
	default:
		return work == WORK_GRAPH ? 5 : 3;
	}
}

/* Return its weight by counters, as if it were work of that kind. */
static uint32_t weight_as(const struct progress *progress, const struct open_work *open,
			  enum work_kind work)
{
	const struct stream_progress *stream = &progress->streams[open->stream];
	if (!progress->has_counters) /* they say nothing about any work */
		return 0;
	/* A counter that is too unsure to clear it shows that its stream went on. */
	if (open->said <= COUNTERS_STARTED && open->ordinal < stream->passed)
		return suspect_weight_of_counters(work, COUNTERS_OVER);
	return suspect_weight_of_counters(work, (enum counters_say)open->said);
}

static uint32_t weight_of(const struct progress *progress, const struct open_work *open)
{
	return weight_as(progress, open, (enum work_kind)open->work);
}

uint32_t suspect_novelty(uint64_t n_finished)
{
	enum { OFTEN = 4 };
	if (n_finished == 0)
		return 2;
	return n_finished < OFTEN ? 1 : 0;
}

uint64_t suspect_begin_distance(uint64_t age_ns)
{
	return age_ns < SUSPECT_HALT_NS ? SUSPECT_HALT_NS - age_ns : age_ns - SUSPECT_HALT_NS;
}

static uint64_t distance_from_done(const struct progress *progress, const struct open_work *open)
{
	uint64_t done = progress->streams[open->stream].done;
	return open->ordinal > done ? open->ordinal - done : 0;
}

/*
 * An address that follows from the arguments, far from any memory, says most. Otherwise it matters
 * first whether the work was at the fault.
 */
static int address_weight(const struct open_work *open)
{
	if (open->address_fit == ADDRESS_FOLLOWS_FAR)
		return 4;
	return 2 * open->is_at_fault + (open->address_fit == ADDRESS_FOLLOWS);
}

/* Compare what two suspects are. Returns above 0 if `a` is more suspect, 0 if they are alike. */
static int compare_kinds(const struct progress *progress, const struct open_work *a,
			 const struct open_work *b)
{
	int by_counters = (int)weight_of(progress, a) - (int)weight_of(progress, b);
	int by_address = address_weight(a) - address_weight(b);
	if (by_address != 0)
		return by_address;
	if (progress_is_lagging(progress, a) != progress_is_lagging(progress, b))
		return progress_is_lagging(progress, b) ? 1 : -1;
	/* Suspects that the counters would have cleared come last, whatever they are. */
	if (progress->are_next_kept && by_counters != 0)
		return by_counters;
	if (suspect_is_rarely_guilty(a) != suspect_is_rarely_guilty(b))
		return suspect_is_rarely_guilty(b) ? 1 : -1;
	if (a->can_trap != b->can_trap)
		return a->can_trap ? 1 : -1;
	return by_counters;
}

/* True if `a` comes first on its stream, where that has an order, or was submitted first. */
static bool is_earlier(const struct progress *progress, const struct open_work *a,
		       const struct open_work *b)
{
	bool is_late_a = a->flags & RECORD_UNORDERED;
	bool is_late_b = b->flags & RECORD_UNORDERED;
	uint64_t distance_a = distance_from_done(progress, a);
	uint64_t distance_b = distance_from_done(progress, b);
	if (is_late_a != is_late_b)
		return is_late_b;
	return distance_a != distance_b ? distance_a < distance_b : a->sequence < b->sequence;
}

bool suspect_is_before(const struct progress *progress, const struct open_work *a,
		       const struct open_work *b)
{
	int kinds = compare_kinds(progress, a, b);
	return kinds != 0 ? kinds > 0 : is_earlier(progress, a, b);
}

uint32_t suspect_insert(const struct progress *progress, const struct open_work *suspect,
			const struct open_work **ranked, uint32_t n)
{
	uint32_t i = n < VERDICT_MAX_SUSPECTS ? n : n - 1;
	if (n == VERDICT_MAX_SUSPECTS && !suspect_is_before(progress, suspect, ranked[n - 1]))
		return n;
	for (; i > 0 && suspect_is_before(progress, suspect, ranked[i - 1]); i--)
		ranked[i] = ranked[i - 1];
	ranked[i] = suspect;
	return n < VERDICT_MAX_SUSPECTS ? n + 1 : n;
}

static bool is_same_launch(const struct record_launch *a, const struct record_launch *b)
{
	return a->function == b->function && a->shared_bytes == b->shared_bytes &&
	       memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
	       memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
	       memcmp(a->cluster, b->cluster, sizeof(a->cluster)) == 0;
}

/* An update of a graph's nodes makes it another graph. */
static bool is_same_graph(const struct record_graph *a, const struct record_graph *b)
{
	return a->handle == b->handle && a->number == b->number && a->version == b->version;
}

/* True for a known kernel or graph. */
static bool is_comparable(const struct journal_record *record)
{
	return record->kind == RECORD_SUBMISSION &&
	       ((record->work == WORK_GRAPH && record->graph.handle != 0) ||
		(record->work == WORK_KERNEL && record->launch.function != 0));
}

static bool is_same_work(const struct trait *trait, const struct journal_record *record)
{
	return record->work == WORK_GRAPH ? is_same_graph(&trait->graph, &record->graph)
					  : is_same_launch(&trait->launch, &record->launch);
}

static void count_record(const struct progress *progress, const struct journal_record *record,
			 struct trait *traits, uint32_t n)
{
	const struct stream_progress *stream = progress_stream(progress, record->stream);
	if (!is_comparable(record) || record->result != 0 || !stream || record->ordinal == 0 ||
	    record->ordinal > stream->done)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (is_same_work(&traits[i], record))
			traits[i].n_finished++;
	}
}

/* The ring may have lost most launches. An unchanged graph has a count of its own. */
static void count_replays(struct trait *trait)
{
	const struct record_graph *graph = &trait->graph;
	if (graph->handle != 0 && graph->version == 0 && graph->replay > trait->n_finished + 1)
		trait->n_finished = graph->replay - 1;
}

static void count_finished(const struct progress *progress, struct trait *traits, uint32_t n)
{
	struct record_walk walk = {.view = progress->view};
	while (record_walk_next(&walk))
		count_record(progress, &walk.record, traits, n);
	for (uint32_t i = 0; i < n; i++)
		count_replays(&traits[i]);
}

/* Return the newest start of work in the context, by the GPU's clock. */
static uint64_t newest_begin(const struct bundle_view *view, uint32_t context)
{
	uint64_t n_rows = view->tables[JOURNAL_CHANNELS].n_rows;
	uint64_t newest = 0;
	for (uint32_t place = 1; place != 0 && place <= n_rows; place++) {
		uint32_t id = view_id_at(view, JOURNAL_CHANNELS, place);
		const struct channel_row *row = view_channel(view, id);
		if (row && row->context == context && row->started_gpu_ns > newest)
			newest = row->started_gpu_ns;
	}
	return newest;
}

/* The start is known only for the newest work of a channel. */
static bool is_start_known(const struct open_work *work, const struct channel_row *row)
{
	return driver_counters_show_started(work->said) && row && row->started == work->payload &&
	       row->started_gpu_ns != 0;
}

/* A start of unknown time counts as the newest. */
static uint64_t begin_distance(const struct bundle_view *view, const struct open_work *work,
			       bool *out_known)
{
	const struct channel_row *row = view_channel(view, work->channel);
	*out_known = is_start_known(work, row);
	if (!*out_known)
		return suspect_begin_distance(0);
	return suspect_begin_distance(newest_begin(view, row->context) - row->started_gpu_ns);
}

static struct trait trait_of(const struct progress *progress, const struct open_work *work)
{
	struct trait trait = {.work = work};
	trait.begin_distance = begin_distance(progress->view, work, &trait.is_start_known);
	struct journal_record record;
	progress_record(progress, work, &record);
	if (is_comparable(&record) && record.work == WORK_GRAPH)
		trait.graph = record.graph;
	else if (is_comparable(&record))
		trait.launch = record.launch;
	return trait;
}

static bool is_refined_before(const struct progress *progress, const struct trait *a,
			      const struct trait *b)
{
	int kinds = compare_kinds(progress, a->work, b->work);
	if (kinds != 0)
		return kinds > 0;
	if (a->novelty != b->novelty)
		return a->novelty > b->novelty;
	if (a->begin_distance != b->begin_distance)
		return a->begin_distance < b->begin_distance;
	if (a->anomaly != b->anomaly)
		return a->anomaly > b->anomaly;
	return is_earlier(progress, a->work, b->work);
}

static bool is_same_group(const struct progress *progress, const struct open_work *a,
			  const struct open_work *b)
{
	struct journal_record records[2];
	progress_record(progress, a, &records[0]);
	progress_record(progress, b, &records[1]);
	struct suspect_key keys[2];
	for (int i = 0; i < 2; i++)
		keys[i] = suspect_key_of(progress->view, &records[i]);
	return suspect_keys_are_same(&keys[0], &keys[1]);
}

/* Counters say no more about a graph than about a kernel, whatever its weight is. */
static enum suspect_lead lead_by_counters(const struct progress *progress,
					  const struct open_work *a, const struct open_work *b)
{
	bool is_more = weight_as(progress, a, WORK_KERNEL) > weight_as(progress, b, WORK_KERNEL);
	return is_more ? LEAD_COUNTERS : LEAD_NONE;
}

/* Return why `a` is before `b`, in the order of is_refined_before(). */
static enum suspect_lead lead_over(const struct progress *progress, const struct trait *a,
				   const struct trait *b)
{
	bool is_by_counters = weight_of(progress, a->work) != weight_of(progress, b->work);
	if (address_weight(a->work) != address_weight(b->work))
		return LEAD_FAULT;
	if (progress_is_lagging(progress, a->work) != progress_is_lagging(progress, b->work))
		return LEAD_MARKERS;
	if (progress->are_next_kept && is_by_counters)
		return lead_by_counters(progress, a->work, b->work);
	if (suspect_is_rarely_guilty(a->work) != suspect_is_rarely_guilty(b->work))
		return LEAD_KIND;
	if (a->work->can_trap != b->work->can_trap)
		return LEAD_TRAP;
	if (is_by_counters)
		return lead_by_counters(progress, a->work, b->work);
	if (a->novelty != b->novelty)
		return LEAD_NOVEL;
	if (a->begin_distance != b->begin_distance)
		return a->is_start_known ? LEAD_BEGIN : LEAD_NONE;
	return a->anomaly != b->anomaly ? LEAD_ANOMALY : LEAD_NONE;
}

static enum suspect_lead find_lead(const struct progress *progress, const struct trait *traits,
				   uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (!is_same_group(progress, traits[0].work, traits[i].work))
			return lead_over(progress, &traits[0], &traits[i]);
	return LEAD_NONE;
}

/* Set the anomaly in each trait. The table has the traits' order. */
static void find_anomaly(const struct progress *progress, struct anomaly_table *table,
			 struct trait *traits, uint32_t n)
{
	table->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct journal_record record;
		progress_record(progress, traits[i].work, &record);
		anomaly_add(table, progress->view, traits[i].work->slot, &record);
	}
	anomaly_compare(table, progress->view);
	for (uint32_t i = 0; i < n; i++)
		traits[i].anomaly = anomaly_of(table, i).kind;
}

enum suspect_lead suspect_refine(const struct progress *progress, const struct open_work **ranked,
				 uint32_t n, struct anomaly_table *table)
{
	if (n < 2)
		return LEAD_NONE;
	struct trait traits[VERDICT_MAX_SUSPECTS];
	for (uint32_t i = 0; i < n; i++)
		traits[i] = trait_of(progress, ranked[i]);
	count_finished(progress, traits, n);
	find_anomaly(progress, table, traits, n);
	for (uint32_t i = 0; i < n; i++) {
		struct trait trait = traits[i];
		uint32_t place = i;
		trait.novelty = trait.launch.function || trait.graph.handle
					? suspect_novelty(trait.n_finished)
					: 0;
		for (; place > 0 && is_refined_before(progress, &trait, &traits[place - 1]);
		     place--)
			traits[place] = traits[place - 1];
		traits[place] = trait;
	}
	for (uint32_t i = 0; i < n; i++)
		ranked[i] = traits[i].work;
	return find_lead(progress, traits, n);
}
