/*
 * retired.h - destroyed streams, whose rows are reused once their work is finished.
 */
#ifndef CULPRIT_RECORD_RETIRED_H
#define CULPRIT_RECORD_RETIRED_H

#include <stdbool.h>

struct context;
struct stream;

/* True if all submissions to the stream are known to be finished. Any thread. */
bool retired_is_finished(const struct stream *stream);

/* Add a destroyed stream. Under its context's lock. */
void retired_add(struct context *context, struct stream *stream);

/*
 * Remove and return the context's oldest retired stream whose work is known to be finished, or
 * NULL. Takes the context's lock. Any thread.
 */
struct stream *retired_take(struct context *context);

/*
 * Freeze retired streams: their rows are not reused or changed after the failure, because what they
 * say is worth more. Any thread.
 */
void retired_freeze(void);
bool retired_are_frozen(void);

/*
 * Drop what the stream had from its destroyed context; its work is finished. It joins the list,
 * unless it is a thread's own, which is retired when the thread ends. Under the context's lock.
 */
void retired_lay_down(struct context *context, struct stream *stream);

#endif
