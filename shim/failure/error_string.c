/*
 * error_string.c - the failed code's text names the culprit, so that every framework's own message
 * carries it.
 */
#include "failure/error_string.h"

#include <pthread.h>
#include <string.h>

#include "base/error_text.h"
#include "failure/failure.h"
#include "record/host/recording.h"

static bool is_annotated; /* written at start only */

/* The driver has a text of its own, and so has each libcudart; most say the same. */
enum { MAX_TEXTS = 4 };

/* Callers keep the pointers: a text is written once and never changes. */
static char annotated[MAX_TEXTS][ERROR_TEXT_MAX + 1];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards annotated until it is written */

void error_string_start(bool is_wanted)
{
	is_annotated = is_wanted;
}

/* With no room left the plain text has to do. Under the lock. */
static const char *find_or_add(const char *text, const char *culprit, const char *verdict)
{
	char wanted[sizeof(annotated[0])] = "";
	if (!error_text_make(text, culprit, verdict, wanted))
		return text;
	for (size_t i = 0; i < MAX_TEXTS; i++) {
		if (!annotated[i][0])
			memcpy(annotated[i], wanted, sizeof(wanted));
		if (!strcmp(annotated[i], wanted))
			return annotated[i];
	}
	return text;
}

void error_string_annotate(CUresult error, const char **text)
{
	const char *verdict = NULL;
	const char *culprit = is_annotated ? failure_culprit(error, &verdict) : NULL;
	if (!culprit || !*text || !recording_is_on())
		return;
	pthread_mutex_lock(&lock);
	*text = find_or_add(*text, culprit, verdict);
	pthread_mutex_unlock(&lock);
}
