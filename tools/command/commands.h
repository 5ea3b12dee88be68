/*
 * commands.h - the subcommands. Each takes its parsed command line. It returns an enum exit_status;
 * `run` returns the exit status of its command.
 */
#ifndef CULPRIT_TOOLS_COMMANDS_H
#define CULPRIT_TOOLS_COMMANDS_H

struct arguments;

int demo_main(const struct arguments *arguments);
int run_main(const struct arguments *arguments);
int report_main(const struct arguments *arguments);
int list_main(const struct arguments *arguments);
int status_main(const struct arguments *arguments);
int explain_main(const struct arguments *arguments);
int pack_main(const struct arguments *arguments);
int diff_main(const struct arguments *arguments);
int dump_main(const struct arguments *arguments);
int memory_main(const struct arguments *arguments);
int trace_main(const struct arguments *arguments);
int doctor_main(const struct arguments *arguments);
int clean_main(const struct arguments *arguments);
int triage_main(const struct arguments *arguments);
int env_main(const struct arguments *arguments);
int completion_main(const struct arguments *arguments);
int version_main(const struct arguments *arguments);
int help_main(const struct arguments *arguments);

#endif
