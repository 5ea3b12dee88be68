/*
 * error_string.c - the failed code's text names the culprit, so that every framework's own message
 * carries it.
 */
#include <pthread.h>
#include <stdio.h>

#include "bundle.h"
#include "call.h"
#include "failure.h"
#include "recording.h"

/* Callers keep the pointer: the text is written once and never changes. */
static char annotated[512];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards annotated until it is written */

void call_error_string(CUresult error, const char **text)
{
	const char *headline = failure_headline(error);
	if (!headline || !*text || !recording_is_on() || !bundle_settings()->annotate)
		return;
	pthread_mutex_lock(&lock);
	if (!annotated[0])
		(void)snprintf(annotated, sizeof(annotated), "%s\n%s", *text, headline);
	pthread_mutex_unlock(&lock);
	*text = annotated;
}
