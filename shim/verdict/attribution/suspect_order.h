/*
 * suspect_order.h - who of several suspects is named first. It makes no verdict more certain.
 * Private to this folder.
 */
#ifndef CULPRIT_VERDICT_SUSPECT_ORDER_H
#define CULPRIT_VERDICT_SUSPECT_ORDER_H

#include "verdict/attribution/verdict.h"
#include "verdict/progress/progress.h"
#include "verdict/progress/unusual.h"

/* What a suspect is: kernel or other work, and the stack that submitted it. */
struct suspect_key {
	uint64_t what;
	uint32_t stack;
	uint32_t work;
};

struct suspect_key suspect_key_of(const struct bundle_view *view,
				  const struct journal_record *record);
bool suspect_keys_are_same(const struct suspect_key *a, const struct suspect_key *b);

/* Of all kinds of work, kernels and graphs fault most. */
bool suspect_is_rarely_guilty(const struct open_work *open);

/*
 * How suspect the driver's words make it: what is known to run most, what seems to wait, or to have
 * ended, least. A graph is many kernels, and has no word that tells whether it runs: that there is
 * none speaks for nobody; one that says it waits is that of one of its pieces.
 */
uint32_t suspect_weight_of_words(enum work_kind work, enum words_say said);

/*
 * A kernel that has finished many times with this shape, or a graph with these nodes, is less
 * suspect than one that never has: 2 never, 1 sometimes, 0 often, and of one of which nothing is
 * known.
 */
uint32_t suspect_novelty(uint64_t n_finished);

/* How long channels go on after a fault, as seen: some 20 microseconds. */
enum { SUSPECT_HALT_NS = 20000 };

/*
 * How far from where a culprit is to be expected it began, `age_ns` before the newest begin of its
 * context; less is more suspect. Channels go on for a moment after a fault, so the very newest are
 * rather those that began behind it, the culprit before that moment. The older a begin is beyond
 * it, the more rather is it that of a long kernel, which runs beside anything; one that faults
 * mostly does so soon.
 */
uint64_t suspect_begin_distance(uint64_t age_ns);

/*
 * Puts a suspect into `ranked`, most suspect first, of which there are `n` so far: the first
 * VERDICT_MAX_SUSPECTS of all are kept. Returns how many there are then.
 */
uint32_t suspect_insert(const struct progress *progress, const struct open_work *suspect,
			const struct open_work **ranked, uint32_t n);

/* Is `a` more suspect than `b`, by the order that suspect_insert() keeps? */
bool suspect_is_before(const struct progress *progress, const struct open_work *a,
		       const struct open_work *b);

/*
 * Orders those that were kept by what takes a look at all records: novelty, begins, and what is
 * unusual, for which `table` is used. Returns what puts the first before the first of another
 * group.
 */
enum suspect_lead suspect_refine(const struct progress *progress, const struct open_work **ranked,
				 uint32_t n, struct unusual_table *table);

#endif
