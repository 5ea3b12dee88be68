/*
 * event_check.h - the extension cuEventCheckError.
 */
#ifndef CULPRIT_FAILURE_EVENT_CHECK_H
#define CULPRIT_FAILURE_EVENT_CHECK_H

#include "base/cuda_api.h"

/* cuEventCheckError, whose contract is in culprit.h. Any thread. */
CUresult event_check_error(CUresult *out_result, CUevent event, unsigned int flags);

#endif
