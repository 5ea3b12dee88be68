/*
 * exit_status.h - the exit statuses of culprit, from exit_status.def. If several apply, the highest
 * number is used.
 */
#ifndef CULPRIT_TOOLS_EXIT_STATUS_H
#define CULPRIT_TOOLS_EXIT_STATUS_H

enum exit_status {
#define EXIT_STATUS(name, number, text) EXIT_STATUS_##name = (number),
#include "command/exit_status.def"
#undef EXIT_STATUS
};

#endif
