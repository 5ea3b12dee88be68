/*
 * order.h - rules 1 to 8 of attribution.h, for the reference: what has finished, and what cannot
 * have started. Each rule looks at all work.
 */
#ifndef CULPRIT_TESTS_ORDER_H
#define CULPRIT_TESTS_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "reference/reference_fault.h"

enum { ORDER_MAX_WORK = 1024, MAX_STREAMS = 64, MAX_EDGES = 16384 };

/* The counters' statement about a submission: rule 11. */
enum said { SAID_NOTHING, SAID_WAITING, SAID_STARTED, SAID_RUNNING, SAID_OVER, SAID_FINISHED };

/* Work of `waiter` after `above` waits until `source` has finished `upto`. */
struct wait {
	uint32_t waiter, source;
	uint64_t above, upto;
};

struct story {
	const struct bundle_view *view;
	const struct failure_row *failure;
	uint32_t n_streams;
	uint64_t proven[MAX_STREAMS];  /* by stream id: finished by rule 1 alone */
	uint64_t done[MAX_STREAMS];    /* proven finished up to here */
	uint64_t wall[MAX_STREAMS];    /* work after this ordinal comes after a missing marker */
	uint64_t blocked[MAX_STREAMS]; /* work after this ordinal comes after a wait not passed */
	uint64_t started[MAX_STREAMS]; /* it, and so its waits are passed: rule 11b; 0 unknown */
	uint64_t went_on[MAX_STREAMS]; /* as `started`, by counters that may be ahead: rule 11j */
	uint64_t next[MAX_STREAMS];    /* work after this ordinal has not started: rule 11a */
	bool has_raised[MAX_STREAMS];  /* by counters, `done` is more than `proven` */
	uint32_t n_work;
	struct journal_record work[ORDER_MAX_WORK];
	enum said said[ORDER_MAX_WORK];
	bool is_running[ORDER_MAX_WORK]; /* by its own counter, whether or not it is believed */
	bool has_counters;               /* rule 11 is used */
	bool are_words_wrong;
	bool are_next_kept;
	bool is_late[ORDER_MAX_WORK]; /* it comes after a missing side marker: rule 6 */
	uint32_t n_unordered;
	struct journal_record unordered[ORDER_MAX_WORK];
	bool has_unplaced; /* rule 8: work without a stream, or without a record */
	bool has_waited;   /* copies without a stream, whose calls waited for them */
	uint32_t n_waits;
	struct wait waits[MAX_EDGES];
	struct reference_clues clues;
	bool is_all_cleared;   /* rule 14 */
	bool is_fault_dropped; /* rule 15f */
};

/* Read the view into a zeroed story. */
void order_read(struct story *story, const struct bundle_view *view);

/* Rule 2: what has finished, by rule 1 and `started`. */
void order_pass_waits(struct story *story);

/* Find what holds streams back, with markers that have one of the flags: rules 5 and 7. */
void order_find_limits(struct story *story, uint32_t markers);

/* Find the work after missing side markers, which may be late: rule 6. This changes the limits. */
void order_find_late(struct story *story);
bool order_is_late(const struct story *story, const struct journal_record *work);

bool order_is_unfinished(const struct story *story, const struct journal_record *work);

/* True if its call has not waited for it, and it can raise the code: rules 4 and 8. */
bool order_may_have_led(const struct story *story, const struct journal_record *work);

/* order_can_have_started(), order_is_held_back() and order_lacks_work() use the limits found last.
 */
bool order_can_have_started(const struct story *story, uint32_t stream, uint64_t ordinal);

/* Work of unknown order: rule 8, its third case. */
bool order_is_held_back(const struct story *story, const struct journal_record *work);

/* True if the journal has the record that got this ordinal. */
bool order_has_work(const struct story *story, uint32_t stream, uint64_t ordinal);

/* Rule 9: is unfinished work missing in the journal? With `can_start`, only what can have started.
 */
bool order_lacks_work(const struct story *story, bool can_start);

#endif
