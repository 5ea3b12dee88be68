/*
 * retired.h - streams that are gone, whose rows may be used again once their work is finished.
 */
#ifndef CULPRIT_RECORD_RETIRED_H
#define CULPRIT_RECORD_RETIRED_H

#include <stdbool.h>

struct context;
struct stream;

/* Is all that was submitted to the stream known to be finished? Any thread. */
bool retired_is_finished(const struct stream *stream);

/* The stream is gone. Under its context's lock. */
void retired_add(struct context *context, struct stream *stream);

/*
 * The oldest retired stream of the context whose work is known to be finished, or NULL. Takes the
 * context's lock. Any thread.
 */
struct stream *retired_take(struct context *context);

/*
 * From now on no row of such a stream is used or changed again: after the failure what is known of
 * it is worth more. Any thread.
 */
void retired_keep(void);
bool retired_are_kept(void);

/*
 * What the stream had from its context is gone with that, and its work is done: it joins the list,
 * unless it is a thread's own, which is retired when that ends. Under the context's lock.
 */
void retired_lay_down(struct context *context, struct stream *stream);

#endif
