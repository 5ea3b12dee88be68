/*
 * graph_changes.h - checked instances follow the program's changes of its executable graphs.
 */
#ifndef CULPRIT_GRAPH_CHECKS_GRAPH_CHANGES_H
#define CULPRIT_GRAPH_CHECKS_GRAPH_CHANGES_H

struct driver;

/* Replace the calls that change executable graphs; `driver` has the driver's own. Start-up only. */
void graph_changes_start(const struct driver *driver);

#endif
