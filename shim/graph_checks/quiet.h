/*
 * quiet.h - bracket calls of our own within a call of the host's: its errno, its thread's
 * cancellation and its captures stay as they are.
 */
#ifndef CULPRIT_GRAPH_CHECKS_QUIET_H
#define CULPRIT_GRAPH_CHECKS_QUIET_H

#include <errno.h>

#include "record/driver/captures.h"
#include "record/host/cancellation.h"

struct quiet {
	int host_errno, cancellation;
	CUstreamCaptureMode mode;
};

static inline struct quiet quiet_begin(void)
{
	struct quiet quiet = {.host_errno = errno};
	quiet.cancellation = cancellation_hold();
	quiet.mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	return quiet;
}

static inline void quiet_end(const struct quiet *quiet)
{
	(void)captures_exchange_mode(quiet->mode);
	cancellation_restore(quiet->cancellation);
	errno = quiet->host_errno;
}

#endif
