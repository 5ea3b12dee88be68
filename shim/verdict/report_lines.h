/*
 * report_lines.h - the text report's lines. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_REPORT_LINES_H
#define CULPRIT_VERDICT_REPORT_LINES_H

#include "report.h"
#include "text.h"

/* Two spaces and the label, padded; "" goes on below the label of the line before. */
void begin_line(struct text *out, const char *label);
void end_line(struct text *out);

/* The most likely suspect in full. */
void add_suspect(const struct report *report, const struct submission *submission,
		 struct text *out);

/* One line for each of the next ones. */
void add_suspect_list(const struct report *report, struct text *out);

#endif
