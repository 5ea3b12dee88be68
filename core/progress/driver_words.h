/*
 * driver_words.h - what the driver's progress counters ("words") say about one submission: whether
 * the GPU had started it, and whether it had finished it. words_order.c decides whether they are
 * believed, and what follows for the streams.
 */
#ifndef CULPRIT_PROGRESS_DRIVER_WORDS_H
#define CULPRIT_PROGRESS_DRIVER_WORDS_H

#include <stdbool.h>

#include "progress/moment.h"
#include "progress/trusted_channels.h"
#include "view/bundle_view.h"

/*
 * Ignore a payload that is further ahead of its channel's counter than any queue of the GPU is long
 * (1,024 entries): it is not current.
 */
enum { WORDS_QUEUE_LENGTH = 1 << 16 };

enum words_say {
	WORDS_SILENT,
	WORDS_WAITING, /* it had not started */
	WORDS_BEGUN,   /* it had started; whether it had finished is not known */
	WORDS_RUNNING, /* it had started, but not finished */
	/*
	 * It is over, maybe with an error: a kernel that failed may say so, too. On an H200 (driver
	 * 580.159) that twelve processes shared, one of 620 failed kernels did, with a misaligned
	 * store.
	 */
	WORDS_ENDED,
	WORDS_FINISHED, /* over, and its stream went on after it, or nothing has failed */
	WORDS_LIE,      /* the counters contradict each other */
};

/* The facts that the driver's counters contradict. */
enum words_trouble {
	WORDS_NO_TROUBLE,
	WORDS_NOT_TRUSTED,     /* something that the recorder knew, while the process ran */
	WORDS_AGAINST_DONE,    /* a sync, a marker, or what these prove */
	WORDS_AGAINST_ORDER,   /* the order of a stream */
	WORDS_AGAINST_WORDS,   /* each other */
	WORDS_AGAINST_WAIT,    /* a marker that has not landed, or an event that has not happened */
	WORDS_AGAINST_FAILURE, /* that some work has failed: all would be finished or not started */
	N_WORDS_TROUBLES
};

/* Whether the counters of this bundle may be used. */
enum words_state {
	WORDS_NONE,    /* there are none, or the moment forbids them */
	WORDS_USABLE,  /* of trusted channels only: trusted_channels.h */
	WORDS_REFUSED, /* the recorder saw them contradict what is known */
};

enum words_state driver_words_state(const struct bundle_view *view, const struct moment *moment);

/*
 * Return what the counters say about a submission at that moment. The driver must have accepted it,
 * and the bundle's counters must be usable. `trust` says which channels are trusted. Any thread.
 */
enum words_say driver_words_of(const struct bundle_view *view, const struct moment *moment,
			       const struct trusted_channels *trust,
			       const struct journal_record *record);

/*
 * True if a kernel's own counter says that it has not finished, whether or not its channel is
 * trusted. Then no other proof that it has is right. The same conditions apply.
 */
bool driver_words_deny_end(const struct bundle_view *view, const struct journal_record *record);

/* True if it had started, whatever happened then. */
bool driver_words_tell_begun(enum words_say said);

#endif
