/*
 * suspect_order.h - which of several suspects is named first. The order makes no verdict more
 * certain. Without other traits, kernels and graphs come before other work. After that, the
 * suspects that follow finished work of their streams most closely come first, in the order of
 * submission. Work of unknown order comes after the others. Private to this folder.
 */
#ifndef CULPRIT_ATTRIBUTION_SUSPECT_ORDER_H
#define CULPRIT_ATTRIBUTION_SUSPECT_ORDER_H

#include "attribution/verdict.h"
#include "progress/anomaly.h"
#include "progress/progress.h"

/* The identity of a suspect: its kernel or other work, and the stack that submitted it. */
struct suspect_key {
	uint64_t what;
	uint32_t stack;
	uint32_t work;
};

struct suspect_key suspect_key_of(const struct bundle_view *view,
				  const struct journal_record *record);
bool suspect_keys_are_same(const struct suspect_key *a, const struct suspect_key *b);

/* True for work other than kernels and graphs, which fault most. */
bool suspect_is_rarely_guilty(const struct open_work *open);

/*
 * Return how suspect the progress counters make it. Work that is known to run is most suspect, work
 * that seems to wait or to be over is least. A graph is many kernels, and no counter says whether
 * it runs, so a missing counter clears no graph. A counter by which a graph waits belongs to one of
 * its pieces.
 */
uint32_t suspect_weight_of_counters(enum work_kind work, enum counters_say said);

/*
 * A kernel that has finished many times with this shape, or a graph with these nodes, is less
 * suspect than one that never has. Return 2 for never, 1 for sometimes, 0 for often or unknown.
 */
uint32_t suspect_novelty(uint64_t n_finished);

/* Channels were seen to go on for about 20 microseconds after a fault. */
enum { SUSPECT_HALT_NS = 20000 };

/*
 * Return how far a start is from the time at which a culprit is expected to start; less is more
 * suspect. `age_ns` is its time before the newest start of its context. Channels go on for a moment
 * after a fault, so the newest starts are probably later than the fault, and the culprit's is
 * before that moment. A much older start is probably that of a long kernel, which runs beside
 * anything; a kernel that faults mostly does so soon.
 */
uint64_t suspect_begin_distance(uint64_t age_ns);

/*
 * Put a suspect into `ranked`, which has `n` so far, most suspect first, and keeps the first
 * VERDICT_MAX_SUSPECTS. Returns the new length.
 */
uint32_t suspect_insert(const struct progress *progress, const struct open_work *suspect,
			const struct open_work **ranked, uint32_t n);

/* True if `a` is more suspect than `b`, by the order that suspect_insert() keeps. */
bool suspect_is_before(const struct progress *progress, const struct open_work *a,
		       const struct open_work *b);

/*
 * Order the suspects that were kept by traits that need a pass over all records: novelty, start
 * times, and its anomaly, for which `table` is used. Returns why the first suspect ranks before
 * the first one of another group.
 */
enum suspect_lead suspect_refine(const struct progress *progress, const struct open_work **ranked,
				 uint32_t n, struct anomaly_table *table);

#endif
