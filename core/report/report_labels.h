/*
 * report_labels.h - labels for the parts of a verdict: classes, reasons, kinds of work, streams,
 * devices and threads.
 */
#ifndef CULPRIT_REPORT_REPORT_LABELS_H
#define CULPRIT_REPORT_REPORT_LABELS_H

#include "base/text.h"
#include "report/report_model.h"

/* Return "exact", "likely", "narrowed" or "unknown". */
const char *report_verdict_label(enum verdict_class class);

/* Return one phrase: why no suspect can be named. */
const char *report_unknown_text(enum unknown_reason reason);

/* Return "launch", "graph_launch", "copy", "memset", "memop", "host_func"; "work" if unknown. */
const char *report_work_label(uint8_t work);

/* Return the same for people: "launch", "graph launch", ...; "submission" if unknown. */
const char *report_work_noun(uint8_t work);

/* Append a string of the bundle; nothing for id 0 or a bad id. */
void report_add_string(const struct report *report, uint32_t id, struct text *out);

/* Append the code's name, or "CUresult 999" if its name is not known. */
void report_failure_name(const struct report *report, struct text *out);

/* Append "stream 0x7f..", "stream 0x0", "the per-thread stream of thread 12"; "no stream" for 0. */
void report_stream_label(const struct report *report, uint32_t stream, struct text *out);

/* Append "device 0 (NVIDIA H200)" of the stream's context; "device ?" if it is not known. */
void report_device_label(const struct report *report, uint32_t stream, struct text *out);

/* Append "thread 1234 "python3"". */
void report_thread_label(const struct report *report, uint32_t tid, struct text *out);

/* Return why the first suspect is the most likely one, as a phrase; NULL for LEAD_NONE. */
const char *report_lead_text(enum suspect_lead lead);

/* Return the same in one word. */
const char *report_lead_label(enum suspect_lead lead);

/* Return the text of evidence that weakens the verdict and has no numbers or names. */
const char *report_weak_condition(enum evidence_kind kind);

/* Return the singular noun for a row of the table. */
const char *report_row_noun(enum journal_file file);

/* Return how long after the record (of the most likely suspect) the failure was seen. */
uint64_t report_submissions_later(const struct report *report, const struct journal_record *record);
uint64_t report_ms_later(const struct report *report, const struct journal_record *record);

#endif
