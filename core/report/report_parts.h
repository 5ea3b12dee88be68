/*
 * report_parts.h - functions that each add one part of a page. report_page() calls them, and they
 * call each other.
 */
#ifndef CULPRIT_REPORT_REPORT_PARTS_H
#define CULPRIT_REPORT_REPORT_PARTS_H

#include "memory/memory_find.h"
#include "report/page.h"
#include "report/report_model.h"

/* report_suspects.c: lines about the suspects. */

/* Add lines about the first suspect: what was launched, from where, with what. */
void report_add_suspect(struct page *page);

/* Add a line for each other suspect, or for each group of them if a group has several. */
void report_add_suspect_list(struct page *page);

/*
 * Append to the headline the most likely of suspects from several places, and why. Without a
 * reason, append the places with their numbers.
 */
void report_add_groups(struct page *page);

/*
 * Whether all suspects come from one line of the user's Python code. EXACT: that line caused the
 * failure, because all other work is cleared by proof. LIKELY: only as certain as the verdict.
 */
enum line_certainty { LINE_NONE, LINE_LIKELY, LINE_EXACT };

/* True if every suspect is known to be a launch of a kernel. Any thread. */
bool report_are_all_kernels(const struct verdict *verdict);

/* Return whether they do; *out_is_kernel: all launch the same kernel. Any thread. */
enum line_certainty report_suspects_line(const struct report *report, bool *out_is_kernel);

/* Return "exact" or "likely"; NULL for LINE_NONE. */
const char *report_line_label(enum line_certainty certainty);

/* report_origin.c: lines about the code that submitted work, or tried to. */

/* Add the line "launched from" and the lines below it. */
void report_add_origin(struct page *page, uint32_t stack);

/*
 * If the driver stopped the first suspect's kernel because it took too long, add how long it ran,
 * and how long earlier launches of the kernel took.
 */
void report_add_run_time(struct page *page);

/* Add a line with the differences of the first suspect from earlier launches, if any. */
void report_add_anomaly(struct page *page);

/* Add "refused": calls that the driver rejected, and why. The program may have ignored this. */
void report_add_rejections(struct page *page);

/*
 * Add lines with earlier submissions that had the memory passed to the launch, newest first; none
 * if `page` has no arguments. Call it after report_add_arguments().
 */
void report_add_producers(struct page *page, const struct submission *submission);

/* Add lines with the ranges in which it was submitted, if any. */
void report_add_nvtx(struct page *page, const struct submission *submission);

/* report_graph.c: lines about the nodes of a graph that is the first suspect. */

/* Add lines about the nodes that caused the failure, or may have. */
void report_add_graph(struct page *page);

/* Append the headline's part about the nodes to the current line. */
void report_add_graph_headline(struct page *page);

/* report_host.c: where the host's code was when a process without a failure ended. */

struct host_position {
	uint32_t stack;
	uint32_t call;     /* string: the driver call; 0: the thread was in no call that waits */
	uint32_t stream;   /* that the call waits for; 0: not known, or several */
	uint64_t sequence; /* without a call: the newest submission; 0: none */
	struct journal_record newest; /* that submission */
};

/*
 * Find the driver call that had waited longest. Without one, find the newest submission. Returns
 * false if the journal has neither.
 */
bool report_find_host(const struct bundle_view *view, struct host_position *out);

/* Append "was in cuCtxSynchronize", or "had last submitted #238, fill". */
void report_add_host_deed(const struct report *report, const struct host_position *host,
			  struct text *out);

/* Add the line about the host: what it did, and from which line. */
void report_add_host(struct page *page);

/*
 * report_no_failure.c: lines about a bundle without a failure: work that hung, or how the process
 * ended.
 */

/*
 * Append the claim of a bundle without a failure to the headline. It never claims that the GPU did
 * not fail, because calls may have bypassed culprit.
 */
void report_add_no_failure(struct page *page);

/*
 * Append how the process ended: "killed by signal 9 while spin ran", or, if it is not known what
 * had started, "killed by signal 9 with 2 submissions unfinished".
 */
void report_add_process_end(struct page *page);

/*
 * Append the report's rejection to the headline: "out of memory: cuMemAlloc_v2 of 30.0 GiB at
 * train.c:48 load".
 */
void report_add_rejection(struct page *page);

/* Add lines about the report's rejection: the call and its stack, and of memory who holds it. */
void report_add_rejection_lines(struct page *page);

/*
 * Append "#233 spin", and get the submission's record. If the record is lost, append its number
 * alone, and get a record with nothing else.
 */
void report_add_submission(struct page *page, uint64_t sequence, struct journal_record *out);

/* Append the verdict's hang to the headline: "hung - exact: launch #233, spin at train.c:48". */
void report_add_hang(struct page *page);

/* Add a line for each stream of the verdict's claim: what kept it, and for how long. */
void report_add_hang_evidence(struct page *page);

/* report_device.c: the code on the GPU that faulted. */

/* Add a line with the place at which the first suspect's kernel faulted, if it is known. */
void report_add_device(struct page *page);

/*
 * Append "train.py:5, block (8,0,0) thread (0,0,0): illegal address", as far as it is known. A line
 * of an inlined function is followed by those that call it: "a.cu:3 inner  <- a.cu:13".
 */
void report_add_location(const struct report *report, const struct gpu_location *location,
			 struct text *out);

/* Append the short name of a function by its mangled one; "an unknown function" for "". */
void report_gpu_function(const struct report *report, const char *mangled, struct text *out);

/* report_coredump.c: evidence from a GPU core dump. */

/* Append the phrase for evidence of an EVIDENCE_COREDUMP_* kind about a dump's contents. */
void report_coredump_evidence(const struct report *report, const struct evidence *evidence,
			      struct text *out);

/* report_step.c: the last line of a report: one command to run next. */

/* The facts that choose the step. */
struct step_facts {
	const struct verdict *verdict;
	bool is_rejection; /* the process failed of a call that the driver refused */
	bool has_ended;    /* the process */
	bool has_address;  /* the driver said which address the fault was about */
	bool is_null;      /* it is near 0 */
	enum memory_relation relation;
	bool lacks_line;       /* it is known where in the kernel, but not on which source line */
	uint64_t more_records; /* a larger value for the setting; 0: no larger one is allowed */
};

/* Return the id of the rule that applies, "triage"; NULL if there is nothing to do. Any thread. */
const char *report_step_rule(const struct step_facts *facts);

/* Add the line. Call it last, since it looks at the page. */
void report_add_step(struct page *page);

#endif
