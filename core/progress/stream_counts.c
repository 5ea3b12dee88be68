/*
 * stream_counts.c - read a stream's counts, the current ones or those of the failure.
 */
#include "progress/stream_counts.h"

#include "view/bundle_view.h"

/* Read `submitted` last: it was raised before the work that it counts could finish. */
static struct stream_counts counts_now(const struct stream_row *row)
{
	struct stream_counts counts = {.synced = view_live(&row->synced),
				       .synced_by = (uint32_t)view_live(&row->synced_by)};
	counts.submitted = view_live(&row->submitted);
	return counts;
}

struct stream_counts stream_counts_at(const struct stream_row *row, const struct moment *moment)
{
	/* Pairs with the release in streams_freeze_counts(). */
	uint32_t flags = __atomic_load_n(&row->flags, __ATOMIC_ACQUIRE);
	if (moment->code == 0 || !(flags & STREAM_FROZEN))
		return counts_now(row);
	return (struct stream_counts){.submitted = row->submitted_then,
				      .synced = row->synced_then,
				      .synced_by = (uint32_t)row->synced_by_then};
}
