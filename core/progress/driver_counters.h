/*
 * driver_counters.h - what the driver's progress counters say about one submission:
 * whether the GPU had started it, and whether it had finished it. counters_order.c decides whether
 * they are believed, and what follows for the streams.
 */
#ifndef CULPRIT_PROGRESS_DRIVER_COUNTERS_H
#define CULPRIT_PROGRESS_DRIVER_COUNTERS_H

#include <stdbool.h>

#include "progress/moment.h"
#include "progress/trusted_channels.h"
#include "view/bundle_view.h"

/*
 * Ignore a payload that is further ahead of its channel's counter than any queue of the GPU is long
 * (1,024 entries): it is not current.
 */
enum { COUNTERS_QUEUE_LENGTH = 1 << 16 };

enum counters_say {
	COUNTERS_SILENT,
	COUNTERS_WAITING, /* it had not started */
	COUNTERS_STARTED, /* it had started; whether it had finished is not known */
	COUNTERS_RUNNING, /* it had started, but not finished */
	/*
	 * It is over, maybe with an error: a kernel that failed may say so, too. On an H200 (driver
	 * 580.159) that twelve processes shared, one of 620 failed kernels did, with a misaligned
	 * store.
	 */
	COUNTERS_OVER,
	COUNTERS_FINISHED, /* over, and its stream went on after it, or nothing has failed */
	COUNTERS_LIE,      /* the counters contradict each other */
};

/* The facts that the driver's counters contradict. */
enum counters_trouble {
	COUNTERS_NO_TROUBLE,
	COUNTERS_NOT_TRUSTED,      /* something that the recorder knew, while the process ran */
	COUNTERS_AGAINST_DONE,     /* a sync, a marker, or what these prove */
	COUNTERS_AGAINST_ORDER,    /* the order of a stream */
	COUNTERS_AGAINST_COUNTERS, /* each other */
	COUNTERS_AGAINST_WAIT, /* a marker that has not landed, or an event that has not happened */
	COUNTERS_AGAINST_FAILURE, /* that some work has failed: all would be finished or not started
				   */
	N_COUNTERS_TROUBLES
};

/* Whether the counters of this bundle may be used. */
enum counters_state {
	COUNTERS_NONE,    /* there are none, or the moment forbids them */
	COUNTERS_USABLE,  /* of trusted channels only: trusted_channels.h */
	COUNTERS_REFUSED, /* the recorder saw them contradict what is known */
};

enum counters_state driver_counters_state(const struct bundle_view *view,
					  const struct moment *moment);

/*
 * Return what the counters say about a submission at that moment. The driver must have accepted it,
 * and the bundle's counters must be usable. `trust` says which channels are trusted. Any thread.
 */
enum counters_say driver_counters_of(const struct bundle_view *view, const struct moment *moment,
				     const struct trusted_channels *trust,
				     const struct journal_record *record);

/*
 * True if a kernel's own counter says that it has not finished, whether or not its channel is
 * trusted. Then no other proof that it has is right. The same conditions apply.
 */
bool driver_counters_deny_finish(const struct bundle_view *view,
				 const struct journal_record *record);

/* True if it had started, whatever happened then. */
bool driver_counters_show_started(enum counters_say said);

#endif
