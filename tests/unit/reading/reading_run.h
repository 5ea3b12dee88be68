/*
 * reading_run.h - commands of culprit in this process, and what they print.
 */
#ifndef CULPRIT_TESTS_READING_RUN_H
#define CULPRIT_TESTS_READING_RUN_H

#include <stddef.h>
#include <stdint.h>

struct reading_output {
	int status;
	char *bytes; /* of both streams, without what is of this machine or version */
	size_t size;
};

/* Make the files in memory that replace the standard streams, and clear the environment. */
void reading_open(void);

/* Redirect the standard streams to these files. */
void reading_begin(void);

/* Print what a process that redirected them, and ended, wrote to its standard error. */
void reading_print_rest(void);

/*
 * Run "report -f json BUNDLE", "COLUMNS=80 report BUNDLE", "edit FILE", "texts BUNDLE", "types" or
 * "rejections". `code` is
 * the folder of samples of code. The bytes are valid until the next call.
 */
struct reading_output reading_run(const char *command, uint64_t group, const char *code);

#endif
