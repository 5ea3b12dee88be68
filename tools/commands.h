/*
 * commands.h - the subcommands. Each takes its parsed command line and returns an enum exit_status
 * or, `run`, what its command ended with.
 */
#ifndef CULPRIT_TOOLS_COMMANDS_H
#define CULPRIT_TOOLS_COMMANDS_H

struct arguments;

int run_main(const struct arguments *arguments);
int report_main(const struct arguments *arguments);
int dump_main(const struct arguments *arguments);
int doctor_main(const struct arguments *arguments);
int help_main(const struct arguments *arguments);

/* What `culprit doctor` starts as a process of its own, hidden from the help: see probe.c. */
int probe_main(void);

#endif
