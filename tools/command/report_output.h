/*
 * report_output.h - the output of a run's reports. It is opened before the command starts, so that
 * a report that cannot be written is an error at once and not after a long run.
 */
#ifndef CULPRIT_TOOLS_REPORT_OUTPUT_H
#define CULPRIT_TOOLS_REPORT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct report_output {
	const char *path; /* NULL: standard error */
	int fd;
	bool is_quiet; /* nothing goes to standard error */
	bool is_made;  /* the file was not there before */
	bool has_text;
};

/*
 * Opens FILE, "-" for standard output or NULL for standard error. Truncates the file unless
 * `appends`. Returns 0, or -errno after one line.
 */
int report_output_open(const char *path, bool appends, bool is_quiet, struct report_output *out);

/* True if the user would see a text. */
bool report_output_is_seen(const struct report_output *output);

/*
 * Writes the whole text. If that fails, prints one line with the reason and writes it to standard
 * error. Returns 0, or -errno if that fails, too.
 */
int report_output_write(struct report_output *output, const char *text, size_t size);

/* Removes the file if this run made it and wrote nothing to it. */
void report_output_close(struct report_output *output);

#endif
