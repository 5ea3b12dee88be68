/*
 * elastic_error.h - write the verdict where torchrun looks for a worker's error: the file named in
 * TORCHELASTIC_ERROR_FILE. torchrun shows the earliest one as the root cause of the job.
 */
#ifndef CULPRIT_FAILURE_ELASTIC_ERROR_H
#define CULPRIT_FAILURE_ELASTIC_ERROR_H

/* Remember the variable's value. Start-up only. */
void elastic_error_start(void);

/*
 * Write the file, if it is wanted and does not exist: the first process of a worker to fail wins.
 * The program's own torch.distributed.elastic `record` overwrites it. The failing thread only,
 * once.
 */
void elastic_error_write(const char *headline, const char *report);

#endif
