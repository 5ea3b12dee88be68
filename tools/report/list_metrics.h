/*
 * list_metrics.h - bundles as metrics for Prometheus, in the text format that node-exporter reads
 * from a folder. One metric counts the bundles that are alike, another has the time of the newest.
 */
#ifndef CULPRIT_TOOLS_LIST_METRICS_H
#define CULPRIT_TOOLS_LIST_METRICS_H

#include <stdio.h>

#include "report/list_row.h"

struct list_metrics;

/* Return an empty set, or NULL if out of memory. */
struct list_metrics *list_metrics_open(void);

/* Count a bundle. Return 0 or -ENOMEM. */
int list_metrics_add(struct list_metrics *metrics, const struct list_row *row);

/* Count a bundle that could not be read. */
void list_metrics_add_unreadable(struct list_metrics *metrics);

/* Print the metrics, in the order of their first bundles. */
void list_metrics_print(const struct list_metrics *metrics, FILE *out);

void list_metrics_close(struct list_metrics *metrics);

#endif
