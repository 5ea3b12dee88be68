/*
 * report_nan.h - lines about the kernel in which a NaN began.
 */
#ifndef CULPRIT_REPORT_REPORT_NAN_H
#define CULPRIT_REPORT_REPORT_NAN_H

#include "checks/nan_story.h"
#include "report/page.h"

/*
 * Append ", but only 3 of 33 MiB were read", of what the node's kernel was given: see
 * graph_finding_is_sampled().
 */
void report_nan_sample(const struct graph_check_row *row, struct text *out);

/* Append "made by #4 layers::divide<float> at network.py:31 normalize". Not for NAN_NONE. */
void report_nan_origin(const struct report *report, const struct nan_story *story,
		       struct text *out);

/* Append "argument 0: 1 NaN among 256 f32, the first at [0]; ..." about the same kernel. */
void report_nan_values(const struct report *report, const struct nan_story *story,
		       struct text *out);

/* Append "passed on by #5 layers::add<float> at network.py:35 forward, ...". Only if there are
 * links.
 */
void report_nan_links(const struct report *report, const struct nan_story *story, struct text *out);

/* Append "#4 layers::divide<float> at network.py:31 normalize". */
void report_nan_launch(const struct report *report, const struct check_row *row, struct text *out);

/* Append "argument 1", or "argument 1 + 8" for a pointer inside a structure. */
void report_nan_argument(uint32_t parameter, uint32_t offset, struct text *out);

/* Return "f32" for CHECK_F32, and so on. */
const char *report_nan_type(uint32_t type);

/* Return "made", "probably_made" or "already_there"; NULL for NAN_NONE. */
const char *report_nan_label(const struct nan_story *story);

/* Add these as lines of the page, if checks found odd values. */
void report_add_nan(struct page *page);

#endif
