/*
 * graph_findings.h - read the answers of a graph's checks, and write what is new to the journal
 * (base/journal_graph_checks.h).
 *
 * One thread at a time: the caller holds the lock of checked_execs.c. The driver is not called.
 */
#ifndef CULPRIT_GRAPH_CHECKS_GRAPH_FINDINGS_H
#define CULPRIT_GRAPH_CHECKS_GRAPH_FINDINGS_H

#include <stdbool.h>

struct checked_exec;

/* `wanted`: write the newest answers of each graph when it ends. Start-up only. */
void graph_findings_start(bool wanted);

/* Open the table, before a graph is checked. False: it failed. Any thread, without that lock. */
bool graph_findings_prepare(void);

/* Write what complete replays found that was not written yet. */
void graph_findings_write_new(struct checked_exec *checked);

/* The same for the last time: the newest replay may be incomplete, as after a failure. */
void graph_findings_write_last(struct checked_exec *checked);

/* Write why the graph has no checks. */
void graph_findings_write_reason(const struct checked_exec *checked);

#endif
