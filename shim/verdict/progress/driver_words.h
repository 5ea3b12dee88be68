/*
 * driver_words.h - what the driver's own words of its progress say of one submission: had the GPU
 * begun it, had it finished it? Whether they are believed, and what follows from them for the
 * streams, words_order.c decides.
 */
#ifndef CULPRIT_VERDICT_DRIVER_WORDS_H
#define CULPRIT_VERDICT_DRIVER_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/progress/moment.h"
#include "verdict/progress/trusted_channels.h"
#include "verdict/view/bundle_view.h"

/*
 * A payload further ahead of its channel's word than any queue of the GPU is long (1,024 entries)
 * is not one of now, and tells nothing.
 */
enum { WORDS_QUEUE_LENGTH = 1 << 16 };

enum words_say {
	WORDS_SILENT,
	WORDS_WAITING, /* it had not begun */
	WORDS_BEGUN,   /* whether it had finished is not known */
	WORDS_RUNNING, /* begun, and not finished */
	/*
	 * It is over, and nothing tells that it went well: a kernel that failed may say so, too
	 * (H200, driver 580.159: one misaligned store among 620 failures of kernels, on a GPU that
	 * twelve processes shared).
	 */
	WORDS_ENDED,
	WORDS_FINISHED, /* over, and its stream went on behind it; or nothing has failed */
	WORDS_LIE,      /* they contradict each other */
};

/* What the driver's words were found to contradict. */
enum words_trouble {
	WORDS_NO_TROUBLE,
	WORDS_NOT_TRUSTED,     /* something that the recorder knew, while the process ran */
	WORDS_AGAINST_DONE,    /* a sync, a marker, or what these prove */
	WORDS_AGAINST_ORDER,   /* the order of a stream */
	WORDS_AGAINST_WORDS,   /* each other */
	WORDS_AGAINST_WAIT,    /* a marker that has not landed, or an event that has not happened */
	WORDS_AGAINST_FAILURE, /* that some work has failed: all would be finished, or not begun */
	N_WORDS_TROUBLES
};

/* May the words of this bundle be used? */
enum words_state {
	WORDS_NONE,    /* there are none, or the moment forbids them */
	WORDS_USABLE,  /* those of channels that are trusted: trusted_channels.h */
	WORDS_REFUSED, /* the recorder saw them contradict what is known */
};

enum words_state driver_words_state(const struct bundle_view *view, const struct moment *moment);

/*
 * Of a submission that the driver has accepted, in a bundle with usable words, whose channels are
 * trusted as `trust` says, at that moment. Any thread.
 */
enum words_say driver_words_of(const struct bundle_view *view, const struct moment *moment,
			       const struct trusted_channels *trust,
			       const struct journal_record *record);

/*
 * Does the word of a kernel itself say that it has not finished, whatever is believed of its
 * channel? Then nothing else has shown that it has. Of the same.
 */
bool driver_words_deny_end(const struct bundle_view *view, const struct journal_record *record);

/* Had it begun, whatever came then? */
bool driver_words_tell_begun(enum words_say said);

#endif
