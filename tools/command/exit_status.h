/*
 * exit_status.h - what culprit exits with; a view of exit_status.def. Where several apply, the
 * highest number is the one.
 */
#ifndef CULPRIT_TOOLS_EXIT_STATUS_H
#define CULPRIT_TOOLS_EXIT_STATUS_H

enum exit_status {
#define EXIT_STATUS(name, number, text) EXIT_STATUS_##name = (number),
#include "command/exit_status.def"
#undef EXIT_STATUS
};

#endif
