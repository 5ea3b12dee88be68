/*
 * evidence.c - write down what cleared or convicted work, and what each stream was doing. It counts
 * again, stream by stream, what attribution.c has decided.
 */
#include "attribution/evidence.h"

#include "attribution/check_doubt.h"
#include "progress/unordered.h"

/* Counts of one stream's open work that has not started, by reason. */
struct blocked_counts {
	uint64_t by_stream;
	uint64_t by_edge;
	uint64_t by_counters;
	uint64_t beside_wall; /* programmatic launches that may have started */
};

static void add_evidence(struct verdict *verdict, struct evidence evidence)
{
	if (verdict->n_evidence < VERDICT_MAX_EVIDENCE)
		verdict->evidence[verdict->n_evidence++] = evidence;
}

static void add_counted(struct verdict *verdict, enum evidence_kind kind, uint32_t stream,
			uint64_t count)
{
	if (count > 0)
		add_evidence(verdict,
			     (struct evidence){.kind = kind, .stream = stream, .count = count});
}

static void extend_span(struct submission_span *span, uint64_t sequence)
{
	if (span->n == 0 || sequence < span->first)
		span->first = sequence;
	if (sequence > span->last)
		span->last = sequence;
	span->n++;
}

/* Count unordered work that waits, because it comes after work that cannot be over. */
static uint64_t count_unordered(const struct progress *progress, uint32_t id,
				enum order_level level, struct submission_span *span)
{
	const struct unordered_work *work = unordered_first(progress, &progress->streams[id]);
	uint64_t n = 0;
	for (; work; work = unordered_next(progress, work)) {
		if (unordered_is_over(progress, work) ||
		    !unordered_is_blocked(progress, work, level))
			continue;
		extend_span(span, work->open.sequence);
		n++;
	}
	return n;
}

static struct stream_state state_of(const struct progress *progress, uint32_t id,
				    enum order_level level)
{
	const struct stream_progress *stream = &progress->streams[id];
	struct stream_state state = {.stream = id,
				     .done = stream->done,
				     .submitted = stream->submitted,
				     .done_sequence = stream->done_sequence,
				     .n_lost = stream->n_lost,
				     .startable = progress_last_startable(stream, level),
				     .has_counters = stream->has_counters,
				     .is_blocked =
					     stream->limits[level].blocked_above <= stream->done};
	for (uint32_t i = 0; i < stream->n_open; i++) {
		const struct open_work *open = &progress->open[stream->first_open + i];
		if (!progress_is_open(progress, open))
			continue;
		if (progress_is_blocked(progress, open, level)) {
			extend_span(&state.waiting, open->sequence);
		} else {
			extend_span(&state.started, open->sequence);
			state.n_suspects += progress_is_able(progress, open) ? 1 : 0;
		}
	}
	(void)count_unordered(progress, id, level, &state.waiting);
	return state;
}

static bool has_unfinished(const struct stream_state *state)
{
	return state->started.n > 0 || state->waiting.n > 0 || state->n_lost > 0;
}

/* The list's order: the first suspect's stream, other suspects' streams, the rest. */
enum stream_rank { RANK_FIRST, RANK_SUSPECT, RANK_OTHER, N_RANKS };

static enum stream_rank rank_of(const struct stream_state *state, const struct verdict *verdict)
{
	/* Without suspects, the first one's stream is 0, which no stream has. */
	if (state->stream == verdict->suspects[0].record.stream)
		return RANK_FIRST;
	return state->n_suspects > 0 ? RANK_SUSPECT : RANK_OTHER;
}

static void list_streams(const struct progress *progress, enum order_level level,
			 struct verdict *verdict)
{
	for (enum stream_rank rank = RANK_FIRST; rank < N_RANKS; rank++) {
		for (uint32_t id = 1; id <= progress->n_streams; id++) {
			struct stream_state state = state_of(progress, id, level);
			if (!has_unfinished(&state) || rank_of(&state, verdict) != rank)
				continue;
			if (verdict->n_streams < VERDICT_MAX_STREAMS)
				verdict->streams[verdict->n_streams++] = state;
			else
				verdict->n_streams_unlisted++;
		}
	}
}

static struct blocked_counts count_blocked(const struct progress *progress, uint32_t id,
					   enum order_level level)
{
	const struct stream_progress *stream = &progress->streams[id];
	const struct stream_limit *limit = &stream->limits[level];
	struct submission_span ignored = {0};
	struct blocked_counts counts = {.by_stream =
						count_unordered(progress, id, level, &ignored)};
	for (uint32_t i = 0; i < stream->n_open; i++) {
		const struct open_work *open = &progress->open[stream->first_open + i];
		if (!progress_is_open(progress, open))
			continue;
		if (open->ordinal > limit->unstarted_above)
			counts.by_counters++;
		else if (open->ordinal > limit->overlap_end)
			counts.by_stream++;
		else if (open->ordinal > limit->blocked_above)
			counts.by_edge++;
		else if (open->ordinal > limit->wall)
			counts.beside_wall++;
	}
	return counts;
}

/* Add how the stream's progress is known. */
static void add_done(const struct progress *progress, uint32_t id, struct verdict *verdict)
{
	const struct stream_progress *stream = &progress->streams[id];
	struct evidence evidence = {.kind = EVIDENCE_PASSED_WAIT,
				    .stream = id,
				    .ordinal = stream->done,
				    .sequence = stream->done_sequence};
	/* Omit earlier streams of the row, and progress by counters, which add_words() reports. */
	if (stream->done <= stream->before || stream->done == stream->raised_by_counters)
		return;
	if (stream->done == stream->synced) {
		evidence.kind = EVIDENCE_SYNC;
		evidence.call = stream->synced_by;
	} else if (stream->done == stream->marked) {
		evidence.kind = stream->is_marked_inline ? EVIDENCE_MARKER_INLINE : EVIDENCE_MARKER;
	}
	add_evidence(verdict, evidence);
}

/* True if all work after the last that had started is known not to have started. */
static bool is_stopped(const struct progress *progress, const struct stream_progress *stream)
{
	uint64_t last = stream->last_started > stream->done ? stream->last_started : stream->done;
	if (stream->unstarted_above != NO_ORDINAL)
		return stream->unstarted_above <= last;
	for (uint32_t i = 0; i < stream->n_open; i++) {
		if (progress->open[stream->first_open + i].ordinal > last)
			return false;
	}
	return true;
}

static void add_words(const struct progress *progress, uint32_t id, struct verdict *verdict)
{
	const struct stream_progress *stream = &progress->streams[id];
	if (!stream->has_counters)
		return;
	add_evidence(
		verdict,
		(struct evidence){.kind = is_stopped(progress, stream) ? EVIDENCE_DRIVER_STOPPED
								       : EVIDENCE_DRIVER_STARTED,
				  .stream = id,
				  .ordinal = stream->last_started,
				  .sequence = stream->last_started_sequence,
				  .count = trusted_channels_checks(progress->view, &progress->trust,
								   stream->counters_channel)});
	if (stream->over_sequence != 0 && stream->over_sequence == stream->last_started_sequence &&
	    stream->last_started > stream->done)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_DRIVER_OVER,
							.stream = id,
							.sequence = stream->over_sequence});
}

static void add_stream(const struct progress *progress, uint32_t id, enum order_level level,
		       struct verdict *verdict)
{
	const struct stream_limit *limit = &progress->streams[id].limits[level];
	struct blocked_counts counts = count_blocked(progress, id, level);
	add_done(progress, id, verdict);
	add_words(progress, id, verdict);
	add_counted(verdict,
		    limit->is_wall_of_counters ? EVIDENCE_DRIVER_ORDER : EVIDENCE_STREAM_ORDER, id,
		    counts.by_stream);
	add_counted(verdict,
		    limit->is_blocked_by_legacy ? EVIDENCE_LEGACY_ORDER : EVIDENCE_EVENT_ORDER, id,
		    counts.by_edge);
	add_counted(verdict, EVIDENCE_OVERLAP, id, counts.beside_wall);
}

/* Add that the driver refused markers in the first suspect's context, if it did. */
static void add_rejection(const struct progress *progress, struct verdict *verdict)
{
	uint32_t id = verdict->streams[0].stream;
	const struct context_row *context =
		view_context(progress->view, progress->streams[id].context);
	if (context &&
	    __atomic_load_n(&context->markers, __ATOMIC_RELAXED) == CONTEXT_MARKERS_REFUSED)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_MARKERS_REFUSED,
							.stream = id,
							.count = (uint32_t)context->marker_result});
}

/* Add what the failure's flags say, unless an exact verdict overcomes it. */
static void add_flags(struct verdict *verdict)
{
	static const struct {
		uint32_t flag;
		enum evidence_kind kind;
		bool is_overcome; /* by an exact verdict */
	} rows[] = {
		{FAILURE_COREDUMPS, EVIDENCE_COREDUMPS, true},
		{FAILURE_COREDUMP_MISSING, EVIDENCE_COREDUMP_MISSING, true},
		{FAILURE_CHECKPOINTED, EVIDENCE_CHECKPOINT, false},
		{FAILURE_UNKNOWN_LAUNCH, EVIDENCE_UNSEEN_LAUNCH, false},
		{FAILURE_UNSEEN_BETWEEN, EVIDENCE_UNSEEN_WORK, false},
		{FAILURE_UNSEEN_NEWEST, EVIDENCE_UNSEEN_WORK, false},
		{FAILURE_UNSEEN_STREAM, EVIDENCE_UNSEEN_WORK, false},
		{FAILURE_SHARED, EVIDENCE_SHARED, false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool is_overcome = rows[i].is_overcome && verdict->class == VERDICT_EXACT;
		if ((verdict->failure.flags & rows[i].flag) && !is_overcome)
			add_evidence(verdict, (struct evidence){.kind = rows[i].kind,
								.count = rows[i].flag});
	}
}

/* Name the modules that call the driver past culprit. No module: the heap has its functions. */
static void add_bypassing(const struct bundle_view *view, struct verdict *verdict)
{
	uint64_t n_rows = view->tables[JOURNAL_MODULES].n_rows;
	bool is_named = false;
	for (uint32_t place = 1; place <= n_rows && place != 0; place++) {
		const struct module_row *row =
			view_module(view, view_id_at(view, JOURNAL_MODULES, place));
		if (!row || !(__atomic_load_n(&row->flags, __ATOMIC_RELAXED) & MODULE_BYPASSES))
			continue;
		add_evidence(verdict,
			     (struct evidence){.kind = EVIDENCE_BYPASSED, .call = row->path});
		is_named = true;
	}
	if (!is_named)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_BYPASSED});
}

/* Add what makes the verdict weaker than it could be. */
static void add_weaknesses(const struct progress *progress, const struct tally *tally,
			   struct verdict *verdict)
{
	const struct stream_state *first = &verdict->streams[0];
	add_flags(verdict);
	if (verdict->class != VERDICT_EXACT &&
	    check_doubt_applies(progress->view, verdict->failure.code))
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_CHECKS});
	if (verdict->failure.flags & FAILURE_BYPASSED)
		add_bypassing(progress->view, verdict);
	if (progress->is_all_cleared)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_ALL_CLEARED});
	add_counted(verdict, EVIDENCE_RECORDS_LOST, 0, tally->n_lost);
	if ((verdict->failure.flags & FAILURE_STREAMS_LOST) || tally->n_unplaced > 0)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_UNPLACED,
							.count = tally->n_unplaced});
	add_counted(verdict, EVIDENCE_REJECTED, 0, tally->n_doubtful);
	if (tally->is_silent)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_DRIVER_SILENT});
	if (progress->trouble != COUNTERS_NO_TROUBLE)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_DRIVER_REFUSED,
							.count = progress->trouble});
	if (verdict->class == VERDICT_NARROWED && first->n_suspects > 1 &&
	    !progress->streams[first->stream].has_counters)
		add_counted(verdict, EVIDENCE_MARKERS_SPARSE, first->stream, first->started.n);
	if (verdict->class != VERDICT_EXACT && verdict->n_streams > 0 &&
	    !progress->streams[first->stream].has_counters)
		add_rejection(progress, verdict);
	add_counted(verdict, EVIDENCE_FAULT_ADDRESS, 0, tally->n_unlikely);
	add_counted(verdict, EVIDENCE_FAULT_LATE, 0, tally->n_late);
	if (verdict->class == VERDICT_NARROWED && tally->n_lagging < tally->n_suspects)
		add_counted(verdict, EVIDENCE_MARKERS_LAG, 0, tally->n_lagging);
}

/* True if all program counters are in one kernel's code. */
static bool is_one_start(const struct code_extents *extents)
{
	for (uint32_t i = 1; i < extents->n; i++) {
		if (extents->locations[i].start != extents->locations[0].start)
			return false;
	}
	return true;
}

static void add_fault_code(const struct fault_clues *fault, const struct function_row *row,
			   uint64_t n_cleared, struct verdict *verdict)
{
	const struct code_location *place = &fault->extents.locations[0];
	struct evidence evidence = {.kind = fault->clears ? EVIDENCE_FAULT_CODE
							  : EVIDENCE_FAULT_NEAREST,
				    .count = n_cleared};

	if (is_one_start(&fault->extents)) {
		evidence.call = row->name;
		evidence.ordinal = place->pc - place->start;
	} else if (!fault->clears) {
		return;
	}
	add_evidence(verdict, evidence);
}

/* Add where the fault's program counters are, if that is known. */
static void add_fault(const struct progress *progress, const struct tally *tally,
		      struct verdict *verdict)
{
	const struct fault_clues *fault = tally->fault;
	const struct function_row *row =
		fault ? view_function(progress->view, fault->extents.locations[0].function) : NULL;

	if (tally->is_fault_refused)
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_FAULT_REFUSED});
	else if (!row)
		add_counted(verdict, EVIDENCE_FAULT_PAGE, 0, tally->n_cleared_by_fault);
	else
		add_fault_code(fault, row, tally->n_cleared_by_fault, verdict);
	add_counted(verdict, EVIDENCE_FAULT_TIME, 0, tally->n_cleared_by_time);
}

/*
 * True if no other work was unfinished, and the journal lacks none that may have been. A core dump
 * may name work that seems to have finished, beside other work that has not.
 */
static bool is_only_unfinished(const struct progress *progress, const struct tally *tally,
			       const struct verdict *verdict)
{
	const uint32_t doubts = FAILURE_STREAMS_LOST | FAILURE_UNKNOWN_LAUNCH;
	return tally->n_open == 1 && verdict->n_suspects == 1 &&
	       verdict->streams[0].started.first == verdict->suspects[0].record.sequence &&
	       !tally->has_unseen && tally->n_lost == 0 && unordered_count(progress) == 0 &&
	       progress->view->tables[JOURNAL_STREAMS].lost == 0 &&
	       !(verdict->failure.flags & doubts);
}

void evidence_fill(const struct progress *progress, const struct tally *tally,
		   enum order_level level, struct verdict *verdict)
{
	list_streams(progress, level, verdict);
	if (verdict->n_streams > 0)
		add_stream(progress, verdict->streams[0].stream, level, verdict);
	if (is_only_unfinished(progress, tally, verdict))
		add_evidence(verdict, (struct evidence){.kind = EVIDENCE_ONLY_SUSPECT});
	add_counted(verdict, EVIDENCE_CLASS, 0, tally->n_cleared_by_class);
	add_counted(verdict, EVIDENCE_CODE, 0, tally->n_cleared_by_code);
	add_counted(verdict, EVIDENCE_MEMORY, 0, tally->n_cleared_by_memory);
	add_fault(progress, tally, verdict);
	add_weaknesses(progress, tally, verdict);
	for (uint32_t i = 1; i < verdict->n_streams; i++)
		add_stream(progress, verdict->streams[i].stream, level, verdict);
}

void evidence_add_coredump(const struct coredump_join *join, struct verdict *verdict)
{
	const struct coredump_candidate *first = &join->kept[0];
	struct evidence evidence = {.kind = EVIDENCE_COREDUMP_UNMATCHED, .count = join->n};
	if (join->n_sure > 0) {
		evidence.kind = EVIDENCE_COREDUMP_GRID;
		evidence.count = join->n_sure;
		evidence.sequence = join->n_sure == 1 ? first->sequence : 0;
	} else if (join->n > 0) {
		evidence.kind = EVIDENCE_COREDUMP_KERNEL;
	}
	add_evidence(verdict, evidence);
	if (first->is_passed)
		add_evidence(verdict,
			     (struct evidence){.kind = EVIDENCE_COREDUMP_PASSED,
					       .stream = verdict->suspects[0].record.stream,
					       .sequence = first->sequence});
}

void evidence_add_foreign_coredump(struct verdict *verdict)
{
	add_evidence(verdict, (struct evidence){.kind = EVIDENCE_COREDUMP_OTHER});
}
