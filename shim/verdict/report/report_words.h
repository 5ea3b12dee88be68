/*
 * report_words.h - the words for what a verdict is about: classes, reasons, kinds of work; labels
 * of streams, devices and threads.
 */
#ifndef CULPRIT_VERDICT_REPORT_WORDS_H
#define CULPRIT_VERDICT_REPORT_WORDS_H

#include "base/text.h"
#include "verdict/report/report_model.h"

/* "exact", "likely", "narrowed", "unknown". */
const char *report_verdict_word(enum verdict_class class);

/* One phrase: why no suspect can be named. */
const char *report_unknown_text(enum unknown_reason reason);

/* "launch", "graph_launch", "copy", "memset", "memop", "host_func"; "work" for an unknown kind. */
const char *report_work_word(uint8_t work);

/* The code's name, "CUresult 999" if it has none here. */
void report_failure_name(const struct report *report, struct text *out);

/* "stream 0x7f..", "stream 0x0", "the per-thread stream of thread 12"; "no stream" for id 0. */
void report_stream_label(const struct report *report, uint32_t stream, struct text *out);

/* "device 0 (NVIDIA H200)" of the stream's context; "device ?" if it is not known. */
void report_device_label(const struct report *report, uint32_t stream, struct text *out);

/* "thread 1234 "python3"". */
void report_thread_label(const struct report *report, uint32_t tid, struct text *out);

/* Why the first suspect is the most likely one, as a phrase; NULL for LEAD_NONE. */
const char *report_lead_text(enum suspect_lead lead);

/* The same in one word. */
const char *report_lead_word(enum suspect_lead lead);

/* What a row of the table is to a person, one of them. */
const char *report_row_noun(enum journal_file file);

/* How much later than the record (the most likely suspect's) the failure was seen. */
uint64_t report_submissions_later(const struct report *report, const struct journal_record *record);
uint64_t report_ms_later(const struct report *report, const struct journal_record *record);

#endif
