/*
 * nan_story.c - go through the kernels in their order. An argument counts as read if its bytes are
 * the same before and after the kernel, else as written.
 */
#include "checks/nan_story.h"

#include <string.h>

enum { MAX_TAINTED = 256 };

/* Memory to which a kernel of the story wrote. */
struct tainted {
	uint64_t start, end;
};

struct search {
	const struct verdict *verdict;
	struct nan_story *story;
	uint32_t reached; /* 1 + index of the suspect that was reached */
	struct nan_location derived[NAN_MAX_DERIVED]; /* a ring; see struct nan_story */
	uint32_t n_derived;
	struct tainted tainted[MAX_TAINTED]; /* a ring */
	uint32_t n_tainted;
};

/* The effect of one kernel: arguments of it, or NULL. */
struct effect {
	const struct nan_argument *read; /* the first with odd values before that was only read */
	const struct nan_argument *written; /* the first such one that was written, too */
	const struct nan_argument *gained;  /* the first one with odd values that it wrote */
	bool is_linked;                     /* the story knows one of `read` or `written` */
};

static bool is_tainted(const struct search *search, const struct nan_argument *argument)
{
	uint32_t n = search->n_tainted < MAX_TAINTED ? search->n_tainted : MAX_TAINTED;
	for (uint32_t i = 0; i < n; i++)
		if (argument->address < search->tainted[i].end &&
		    search->tainted[i].start < argument->address + argument->bytes)
			return true;
	return false;
}

static void taint(struct search *search, const struct nan_argument *argument)
{
	if (is_tainted(search, argument))
		return;
	search->tainted[search->n_tainted++ % MAX_TAINTED] =
		(struct tainted){argument->address, argument->address + argument->bytes};
}

/* The memory has no NaN any more: the kernel wrote all of it anew. */
static void untaint(struct search *search, const struct nan_argument *argument)
{
	for (uint32_t i = 0; i < MAX_TAINTED; i++)
		if (argument->address <= search->tainted[i].start &&
		    search->tainted[i].end <= argument->address + argument->bytes)
			search->tainted[i] = (struct tainted){0};
}

static void look_at(const struct search *search, const struct nan_argument *argument,
		    struct effect *effect)
{
	if (argument->was_odd && is_tainted(search, argument))
		effect->is_linked = true;
	if (argument->was_odd && argument->is_written && !effect->written)
		effect->written = argument;
	if (argument->was_odd && !argument->is_written && !effect->read)
		effect->read = argument;
	if (argument->is_written && argument->is_odd && !effect->gained)
		effect->gained = argument;
}

static void begin_story(struct search *search, enum nan_origin origin,
			const struct nan_argument *first, const struct nan_argument *other)
{
	struct nan_location reached = search->story->reached;
	*search->story =
		(struct nan_story){.origin = origin, .first = first->location, .reached = reached};
	if (other)
		search->story->other = other->location;
	search->n_tainted = 0;
	search->n_derived = 0;
	taint(search, first);
}

static void add_link(struct search *search, const struct effect *effect)
{
	struct nan_story *story = search->story;
	if (story->n_links < NAN_MAX_LINKS)
		story->links[story->n_links] = effect->gained->location;
	story->n_links++;
}

/* Begin the story at this kernel, if it is a better beginning than what was found before. */
static bool begins_here(struct search *search, const struct nan_step *step,
			const struct effect *effect)
{
	enum nan_origin known = search->story->origin;
	bool had_some = effect->read || effect->written;
	if (effect->gained && !had_some && known < NAN_MADE)
		begin_story(search, NAN_MADE, effect->gained, NULL);
	else if (effect->gained && !effect->read && effect->written && known < NAN_PERHAPS &&
		 !effect->is_linked)
		begin_story(search, NAN_PERHAPS, effect->gained, effect->written);
	else if (effect->read && known == NAN_NONE)
		begin_story(search, NAN_BROUGHT, effect->read, NULL);
	else
		return false;
	search->story->has_company = step->may_have_company;
	search->story->is_sampled = step->is_sampled;
	return true;
}

static void untaint_outputs(struct search *search, const struct nan_step *step)
{
	for (uint32_t i = 0; i < step->n; i++) {
		const struct nan_argument *argument = &step->arguments[i];
		if (argument->is_written && !argument->is_odd && argument->is_whole)
			untaint(search, argument);
	}
}

/* Everything odd that the kernel wrote belongs to the story from now on. */
static void taint_outputs(struct search *search, const struct nan_step *step)
{
	for (uint32_t i = 0; i < step->n; i++)
		if (step->arguments[i].is_written && step->arguments[i].is_odd)
			taint(search, &step->arguments[i]);
}

/* Memory that a launch wrote may depend on odd values that it was given. */
static void note_derived(struct search *search, const struct nan_step *step)
{
	for (uint32_t i = 0; i < step->n; i++)
		if (step->arguments[i].is_written && !step->arguments[i].is_odd)
			search->derived[search->n_derived++ % NAN_MAX_DERIVED] =
				step->arguments[i].location;
}

/* True if the kernel can be what the suspect stands for: of a graph, one of the candidates. */
static bool is_suspected(const struct search *search, const struct bundle_view *view,
			 uint32_t suspect, struct nan_location location)
{
	const struct graph_claim *graph = &search->verdict->graph;
	if (!location.sequence ||
	    search->verdict->suspects[suspect].record.sequence != location.sequence)
		return false;
	if (!location.is_node || suspect || !graph->n_candidates)
		return true;
	for (uint64_t i = 0; i < graph->n_candidates && i < GRAPH_MAX_CANDIDATES; i++)
		if (graph->candidates[i].index == view_graph_check(view, location.row)->node)
			return true;
	return graph->n_candidates > GRAPH_MAX_CANDIDATES;
}

/* Note the argument, if the kernel that was given it is a suspect, and the most suspect so far. */
static void reach(struct search *search, const struct bundle_view *view,
		  struct nan_location location)
{
	uint64_t n = search->verdict ? search->verdict->n_suspects : 0;
	for (uint32_t i = 0; i < n && i < VERDICT_MAX_SUSPECTS; i++) {
		if (search->reached && search->reached <= i + 1)
			return;
		if (!is_suspected(search, view, i, location))
			continue;
		search->reached = i + 1;
		search->story->reached = location;
	}
}

static void follow(struct search *search, const struct nan_step *step)
{
	struct effect effect = {0};
	for (uint32_t i = 0; i < step->n; i++)
		look_at(search, &step->arguments[i], &effect);
	bool is_beginning = begins_here(search, step, &effect);
	if (effect.gained && effect.is_linked && !is_beginning)
		add_link(search, &effect);
	untaint_outputs(search, step);
	if (is_beginning || effect.is_linked)
		taint_outputs(search, step);
	if ((effect.read || effect.written) && (is_beginning || effect.is_linked))
		note_derived(search, step);
}

/* True if the launch was given a pointer into the memory, also in a structure. */
static bool is_given(const struct bundle_view *view, const struct submission *launch,
		     const struct check_row *memory)
{
	unsigned char bytes[1024];
	size_t size = 0;
	if (launch->record.work == WORK_KERNEL)
		size = view_arguments(view, launch->slot, &launch->record, bytes, sizeof(bytes));
	for (size_t at = 0; at + sizeof(uint64_t) <= size && at < sizeof(bytes); at += 8) {
		uint64_t value = 0;
		memcpy(&value, bytes + at, sizeof(value));
		if (value - memory->address < memory->bytes)
			return true;
	}
	return false;
}

/* Find the first suspect that was given memory that depends on odd values, the newest first. */
static void find_derived(const struct search *search, const struct bundle_view *view)
{
	uint64_t n = search->verdict ? search->verdict->n_suspects : 0;
	uint32_t n_derived =
		search->n_derived < NAN_MAX_DERIVED ? search->n_derived : NAN_MAX_DERIVED;
	for (uint32_t i = 0; i < n && i < VERDICT_MAX_SUSPECTS; i++)
		for (uint32_t j = 1; j <= n_derived; j++) {
			const struct submission *suspect = &search->verdict->suspects[i];
			struct nan_location location =
				search->derived[(search->n_derived - j) % NAN_MAX_DERIVED];
			if (location.sequence >= suspect->record.sequence ||
			    !is_given(view, suspect, view_check(view, location.row)))
				continue;
			search->story->derived = location;
			search->story->derived_suspect = i;
			return;
		}
}

void nan_story_find(const struct bundle_view *view, const struct verdict *verdict,
		    struct nan_story *out)
{
	struct search search = {.verdict = verdict, .story = out};
	struct nan_steps steps;
	struct nan_step step;
	*out = (struct nan_story){0};
	nan_steps_begin(view, &steps);
	while (nan_steps_next(&steps, &step)) {
		follow(&search, &step);
		for (uint32_t i = 0; step.is_unfinished && i < step.n; i++)
			if (step.arguments[i].was_odd)
				reach(&search, view, step.arguments[i].location);
	}
	if (!search.reached)
		find_derived(&search, view);
}
