/*
 * elastic_error.h - the verdict where torchrun looks for the error of a worker: the file that it
 * names in TORCHELASTIC_ERROR_FILE. It shows the earliest one as the root cause of the job.
 */
#ifndef CULPRIT_FAILURE_ELASTIC_ERROR_H
#define CULPRIT_FAILURE_ELASTIC_ERROR_H

#include <stddef.h>

/* Remembers what the environment says. Start-up only. */
void elastic_error_start(void);

/*
 * Writes the file, if it is wanted and there is none: of the processes of one worker the first that
 * fails is told of. A torch.distributed.elastic `record` of the program's own writes over it. The
 * failing thread only, once.
 */
void elastic_error_write(const char *headline, const char *report);

#endif
