/*
 * report_output.h - where the reports of a run go. It is opened before the command starts, so that
 * nobody waits for a run to learn that its report cannot be written.
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

/* Is there a place where text would be seen? */
bool report_output_is_seen(const struct report_output *output);

/*
 * Writes it all, or else to standard error after one line that says why. 0, or -errno: it could be
 * written nowhere.
 */
int report_output_write(struct report_output *output, const char *text, size_t size);

/* A file that this run made, and that nothing was written to, is removed. */
void report_output_close(struct report_output *output);

#endif
