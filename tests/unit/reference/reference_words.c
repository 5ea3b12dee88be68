/*
 * reference_words.c - see reference_words.h.
 */
#include "reference/reference_words.h"

#include <string.h>

#include "progress/trusted_channels.h"
#include "reference/reference_trust.h"

enum { FARTHEST = 1 << 16 };

bool words_say_started(enum said said)
{
	return said >= SAID_STARTED;
}

/* --- Statements about one submission --- */

static enum said state_says(const struct story *story, const struct journal_record *work,
			    bool *is_wrong)
{
	const struct kernel_state_row *row = trust_state(story, work);
	uint32_t started = 4 * (work->progress.turn - 1) + 1;
	if (!row || work->progress.turn == 0)
		return SAID_NOTHING;
	if (row->value != 0 && row->value % 4 != 1 && row->value % 4 != 2)
		*is_wrong = true;
	if (trust_is_below(row->value, started))
		return SAID_WAITING;
	return row->value == started       ? SAID_RUNNING
	       : row->value == started + 1 ? SAID_OVER
					   : SAID_FINISHED;
}

static enum said channel_says(uint32_t counter, uint32_t number)
{
	if (!trust_is_below(counter, number))
		return SAID_STARTED;
	return number - counter <= FARTHEST ? SAID_WAITING : SAID_NOTHING; /* rule 11f */
}

static enum said read_one(const struct story *story, const struct journal_record *work,
			  bool *is_wrong)
{
	bool is_tried = false;
	uint32_t number = work->progress.payload;
	if (work->result != 0 || number == 0 ||
	    !trust_channel(story, work->progress.channel, &is_tried))
		return SAID_NOTHING;
	uint32_t counter = view_channel(story->view, work->progress.channel)->started;
	enum said state = state_says(story, work, is_wrong);
	enum said channel = channel_says(counter, number);
	if (state == SAID_NOTHING && is_tried && counter - number < SAMPLE_SPAN) /* rule 11i */
		return SAID_NOTHING;
	if (state == SAID_NOTHING || channel == SAID_NOTHING)
		return channel;
	*is_wrong |= words_say_started(state) != words_say_started(channel);
	return state;
}

enum said words_said(const struct story *story, const struct journal_record *work)
{
	return work->flags & RECORD_UNORDERED ? SAID_NOTHING : story->said[work - story->work];
}

static bool is_surely_started(const struct story *story, uint32_t i)
{
	const struct journal_record *work = &story->work[i];
	bool is_tried = false;
	if (story->said[i] != SAID_STARTED)
		return words_say_started(story->said[i]);
	const struct channel_row *row = view_channel(story->view, work->progress.channel);
	(void)trust_channel(story, work->progress.channel, &is_tried);
	return row->started != work->progress.payload || /* rule 11j */
	       row->n_checks + (is_tried ? 1 : 0) >= BELIEF_OF_ONE;
}

bool words_surely_started(const struct story *story, const struct journal_record *work)
{
	return !(work->flags & RECORD_UNORDERED) &&
	       is_surely_started(story, (uint32_t)(work - story->work));
}

/* --- Proofs --- */

static bool is_open(const struct story *story, uint32_t i)
{
	return story->work[i].ordinal > story->proven[story->work[i].stream];
}

/* Rule 11b: the last that started when all work before it had finished, up to `ordinal`. */
static uint64_t head_of(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	uint64_t head = 0;
	for (uint32_t i = 0; i < story->n_work; i++) {
		const struct journal_record *work = &story->work[i];
		if (work->stream == stream && is_open(story, i) && work->ordinal <= ordinal &&
		    work->result == 0 && !(work->flags & RECORD_OVERLAPS) && work->ordinal > head)
			head = work->ordinal;
	}
	return head;
}

static uint64_t last_started(const struct story *story, uint32_t stream,
			     bool (*has_started)(const struct story *, uint32_t))
{
	uint64_t last = 0;
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream && is_open(story, i) && has_started(story, i) &&
		    story->work[i].ordinal > last)
			last = story->work[i].ordinal;
	return last;
}

static bool seems_started(const struct story *story, uint32_t i)
{
	return words_say_started(story->said[i]);
}

static bool is_finished_at(const struct story *story, uint32_t stream, uint64_t ordinal)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream && story->work[i].ordinal == ordinal)
			return story->said[i] == SAID_FINISHED;
	return false;
}

static void raise_done(struct story *story, uint32_t stream)
{
	uint64_t head = head_of(story, stream, last_started(story, stream, is_surely_started));
	story->went_on[stream] = head_of(story, stream, last_started(story, stream, seems_started));
	story->started[stream] = head;
	if (head == 0)
		return;
	if (head - 1 > story->done[stream])
		story->done[stream] = head - 1;
	while (is_finished_at(story, stream, story->done[stream] + 1))
		story->done[stream]++;
	story->has_raised[stream] = story->done[stream] > story->proven[stream];
}

/* Rule 11a: the first kernel that has not started. Is it its stream's next? */
static uint64_t find_next(const struct story *story, uint32_t stream, bool *is_next)
{
	uint64_t first = UINT64_MAX;
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream && is_open(story, i) &&
		    story->work[i].work == WORK_KERNEL && story->said[i] == SAID_WAITING &&
		    story->work[i].ordinal < first)
			first = story->work[i].ordinal;
	*is_next = true;
	for (uint32_t i = 0; i < story->n_work; i++)
		*is_next &= story->work[i].stream != stream || story->work[i].ordinal >= first ||
			    !order_is_unfinished(story, &story->work[i]);
	return first;
}

static void limit(struct story *story, uint32_t stream)
{
	bool is_next = false;
	uint64_t first = find_next(story, stream, &is_next);
	if (first != UINT64_MAX)
		story->next[stream] = first - (is_next && story->are_next_kept ? 0 : 1);
}

/* --- Contradictions: rule 11g --- */

/* Has `after` overtaken `before`, or a lower number? */
static bool is_out_of_order(const struct story *story, uint32_t before, uint32_t after)
{
	const struct journal_record *a = &story->work[before];
	const struct journal_record *b = &story->work[after];
	if (a->stream != b->stream || a->ordinal >= b->ordinal || !is_open(story, before) ||
	    story->said[before] == SAID_NOTHING || story->said[after] == SAID_NOTHING)
		return false;
	bool may_overtake = a->work != WORK_KERNEL && b->flags & RECORD_OVERLAPS;
	return (story->said[before] == SAID_WAITING && words_say_started(story->said[after]) &&
		!may_overtake) ||
	       (a->progress.channel == b->progress.channel &&
		!trust_is_below(a->progress.payload, b->progress.payload));
}

static bool lacks_any(const struct story *story, uint32_t stream)
{
	for (uint64_t ordinal = story->done[stream] + 1;
	     ordinal <= view_stream(story->view, stream)->submitted; ordinal++) {
		bool has_it = false;
		for (uint32_t i = 0; i < story->n_work; i++)
			has_it |= story->work[i].stream == stream &&
				  story->work[i].ordinal == ordinal;
		if (!has_it)
			return true;
	}
	return false;
}

static bool is_wrong_about(const struct story *story, uint32_t i)
{
	const struct journal_record *work = &story->work[i];
	enum said said = story->said[i];
	bool is_done = !order_is_unfinished(story, work);
	bool may_start = order_can_have_started(story, work->stream, work->ordinal) ||
			 (work->flags & RECORD_OVERLAPS && lacks_any(story, work->stream));
	bool is_unmarked = is_open(story, i) && work->flags & RECORD_MARKED_INLINE;
	if (is_done)
		return said == SAID_WAITING || said == SAID_RUNNING ||
		       (is_open(story, i) && story->is_running[i]) ||
		       (is_unmarked && said != SAID_FINISHED);
	return words_say_started(said) && !may_start;
}

static bool are_wrong(const struct story *story)
{
	for (uint32_t i = 0; i < story->n_work; i++) {
		if (is_wrong_about(story, i))
			return true;
		for (uint32_t other = 0; other < story->n_work; other++)
			if (is_out_of_order(story, i, other))
				return true;
	}
	return false;
}

static void read_all(struct story *story)
{
	for (uint32_t i = 0; i < story->n_work; i++) {
		bool is_wrong = false;
		enum said state = state_says(story, &story->work[i], &is_wrong);
		is_wrong = false;
		story->said[i] = read_one(story, &story->work[i], &is_wrong);
		story->are_words_wrong |= is_wrong;
		story->is_running[i] = story->work[i].result == 0 &&
				       story->work[i].progress.channel != 0 &&
				       (state == SAID_WAITING || state == SAID_RUNNING);
	}
}

static void forget(struct story *story)
{
	memcpy(story->done, story->proven, sizeof(story->done));
	memset(story->started, 0, sizeof(story->started));
	memset(story->went_on, 0, sizeof(story->went_on));
	memset(story->next, 0xff, sizeof(story->next));
	memset(story->has_raised, 0, sizeof(story->has_raised));
	memset(story->said, 0, sizeof(story->said));
	story->has_counters = story->are_words_wrong = story->are_next_kept = false;
}

void words_solve(struct story *story, enum words_use use)
{
	forget(story);
	story->has_counters = use != WORDS_LEFT_OUT && trust_any(story);
	story->are_next_kept = use == WORDS_SPARING_NEXT;
	if (story->has_counters) {
		story->are_words_wrong = trust_is_contradicted(story);
		read_all(story);
		for (uint32_t id = 1; id <= story->n_streams; id++)
			raise_done(story, id);
	}
	order_pass_waits(story);
	for (uint32_t id = 1; id <= story->n_streams && story->has_counters; id++)
		limit(story, id);
	order_find_limits(story, RECORD_MARKED_INLINE);
	story->are_words_wrong |= story->has_counters && are_wrong(story);
}

/* Is a wall there by the counters alone? */
static bool is_wall_said(const struct story *story, uint32_t stream)
{
	for (uint32_t i = 0; i < story->n_work; i++)
		if (story->work[i].stream == stream &&
		    story->work[i].ordinal == story->wall[stream])
			return !(story->work[i].flags & RECORD_MARKED_INLINE);
	return false;
}

bool words_say_more(const struct story *story)
{
	for (uint32_t id = 1; id <= story->n_streams; id++)
		if (story->next[id] != UINT64_MAX || is_wall_said(story, id) ||
		    story->has_raised[id])
			return true;
	return false;
}

int words_weight(const struct story *story, const struct journal_record *work)
{
	enum said said = words_said(story, work);
	bool is_graph = work->work == WORK_GRAPH;
	if (!story->has_counters)
		return 0;
	if (said <= SAID_STARTED && work->ordinal < story->went_on[work->stream])
		said = SAID_OVER;
	switch (said) {
	case SAID_RUNNING:
		return 5;
	case SAID_STARTED:
		return is_graph ? 5 : 4;
	case SAID_OVER:
		return 2;
	case SAID_WAITING:
		return work->work == WORK_KERNEL ? 0 : 1;
	default:
		return is_graph ? 5 : 3;
	}
}
