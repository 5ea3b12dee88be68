/*
 * unfinished.c - find a process's progress at its end, as attribution.c does at a failure.
 */
#include "attribution/unfinished.h"

#include <string.h>

#include "attribution/evidence.h"
#include "progress/progress_parts.h"
#include "progress/unordered.h"
#include "view/record_walk.h"

static const struct moment at_end = {.sequence = UINT64_MAX, .time_ns = UINT64_MAX};

size_t unfinished_scratch(const struct bundle_view *view)
{
	return progress_read_scratch(view, &at_end);
}

/* Make the submission the only suspect. */
static void accuse(const struct progress *progress, const struct open_work *open,
		   struct verdict *out)
{
	struct submission *suspect = &out->suspects[0];
	out->n_suspects = 1;
	suspect->slot = open->slot;
	/* In a live process the record may be overwritten by now: then only numbers remain. */
	if (!view_record(progress->view, open->slot, open->position, &suspect->record))
		suspect->record =
			(struct journal_record){.sequence = open->sequence, .stream = open->stream};
}

/* Without a hang nothing holds work back. Several that may have started accuse none of them. */
static void find_started(const struct progress *progress, struct verdict *out)
{
	const struct open_work *only = NULL;
	uint32_t n = 0;
	for (uint32_t i = 0; i < progress->n_open; i++) {
		if (!progress_is_open(progress, &progress->open[i]))
			continue;
		only = &progress->open[i];
		n++;
	}
	if (n == 1)
		accuse(progress, only, out);
}

static const struct open_work *find_open(const struct progress *progress, uint64_t sequence)
{
	for (uint32_t i = 0; i < progress->n_open; i++)
		if (progress->open[i].sequence == sequence &&
		    progress_is_open(progress, &progress->open[i]))
			return &progress->open[i];
	return NULL;
}

/* The streams of a hang, whose progress the snapshots showed. */
struct hung_streams {
	uint32_t n;
	uint32_t rows[HANG_CLAIM_MAX];
};

static bool has_stream(const struct hung_streams *streams, uint32_t id)
{
	for (uint32_t i = 0; i < streams->n; i++)
		if (streams->rows[i] == id)
			return true;
	return false;
}

/* Each submission was shown as its stream's earliest: all before it have finished. */
static void raise_done(struct progress *progress, const struct hang_claim *hang,
		       struct hung_streams *out)
{
	for (uint32_t i = 0; i < hang->n; i++) {
		const struct open_work *open = find_open(progress, hang->rows[i].sequence);
		if (!open)
			continue;
		limits_raise_stream(progress, open->stream, open->ordinal - 1);
		out->rows[out->n++] = open->stream;
	}
}

/*
 * The markers of a process that was killed, or still runs, were read long before its newest work
 * was submitted. They hold nothing back, except on streams that made no progress since.
 */
static void find_limits(struct progress *progress, const struct hung_streams *hung)
{
	limits_find(progress, LEVEL_STRICT);
	limits_find(progress, LEVEL_LIKELY);
	for (uint32_t id = 1; id <= progress->n_streams; id++)
		if (!has_stream(hung, id))
			limits_drop(progress, id);
}

static bool is_recorded(const struct bundle_view *view, uint64_t sequence)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		if (walk.record.sequence == sequence)
			return true;
	return false;
}

/*
 * True if the submission has finished, also because another one that it held back is among those
 * that hang. If its record is lost, that is not known.
 */
static bool is_over(const struct progress *progress, const struct hang_claim *hang)
{
	uint64_t sequence = hang->rows[0].sequence;
	return !find_open(progress, sequence) && is_recorded(progress->view, sequence);
}

/* The submission has not finished. If its record is lost, only its number is known. */
static void find_hung(const struct progress *progress, const struct hang_claim *hang,
		      struct verdict *out)
{
	uint64_t sequence = hang->rows[0].sequence;
	const struct open_work *open = find_open(progress, sequence);
	out->hang = hang;
	out->class = hang->class;
	if (hang->is_of_end && hang->n > 1)
		return;
	out->n_suspects = 1;
	out->suspects[0] = (struct submission){.record.sequence = sequence};
	if (open)
		accuse(progress, open, out);
}

/* The streams' suspects are submissions that may have started. Only one of them is accused. */
static void clear_streams(struct verdict *out)
{
	for (uint32_t i = 0; i < out->n_streams; i++)
		if (out->streams[i].stream != out->suspects[0].record.stream)
			out->streams[i].n_suspects = 0;
}

static uint64_t count_unfinished(const struct progress *progress)
{
	uint64_t n = unordered_count(progress);
	for (uint32_t i = 0; i < progress->n_open; i++)
		n += progress_is_open(progress, &progress->open[i]) ? 1 : 0;
	for (uint32_t id = 1; id <= progress->n_streams; id++) {
		uint64_t n_lost = progress->streams[id].n_lost;
		/* Counts of a hostile bundle must not wrap to "nothing". */
		n = n > UINT64_MAX - n_lost ? UINT64_MAX : n + n_lost;
	}
	return n;
}

/* Read the progress, of which the claim is a part. */
static int read_all(const struct bundle_view *view, const struct hang_claim *hang, void *scratch,
		    size_t scratch_size, struct hung_streams *hung, struct progress *out)
{
	int error = progress_read(view, &at_end, false, scratch, scratch_size, out);
	if (error || out->is_contradictory)
		return error;
	if (hang)
		raise_done(out, hang, hung);
	limits_raise_done(out);
	return 0;
}

int unfinished_find(const struct bundle_view *view, const struct hang_claim *hang, void *scratch,
		    size_t scratch_size, struct verdict *out)
{
	const struct tally nothing_told = {0};
	memset(out, 0, sizeof(*out));
	out->unknown_reason = UNKNOWN_NO_FAILURE;
	struct progress progress;
	struct hung_streams hung = {0};
	int error = read_all(view, hang, scratch, scratch_size, &hung, &progress);
	if (!error && hang && is_over(&progress, hang)) {
		hang = NULL;
		hung.n = 0;
		error = read_all(view, NULL, scratch, scratch_size, &hung, &progress);
	}
	if (error || progress.is_contradictory)
		return error;
	find_limits(&progress, &hung);
	out->n_unfinished = count_unfinished(&progress);
	if (hang)
		find_hung(&progress, hang, out);
	else
		find_started(&progress, out);
	evidence_fill(&progress, &nothing_told, LEVEL_LIKELY, out);
	clear_streams(out);
	out->n_evidence = 0;
	return 0;
}
