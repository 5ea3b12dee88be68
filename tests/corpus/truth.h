/* truth.h - what a scenario records about its bad submission, before it makes it. */
#ifndef CULPRIT_CORPUS_TRUTH_H
#define CULPRIT_CORPUS_TRUTH_H

#include "corpus.h"
#include "launch.h"

/* Append the line about a bad submission to the truth file, before the submission is made. */
void truth_kernel(const struct corpus *corpus, const struct launch *launch, const char *function,
		  const char *file, int line);
void truth_other(const struct corpus *corpus, const char *kind, const struct launch *launch,
		 const char *function, const char *file, int line);

/* Make the bad launch after the truth about it is written. Use this on one line. */
#define LAUNCH_BAD(corpus, launch) \
	(truth_kernel(corpus, launch, __func__, __FILE__, __LINE__), LAUNCH(launch))

/* The same for another launching call, which must start on the next line. */
#define TRUTH_NEXT(corpus, launch) truth_kernel(corpus, launch, __func__, __FILE__, __LINE__ + 1)

#endif
