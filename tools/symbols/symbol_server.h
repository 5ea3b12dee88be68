/*
 * symbol_server.h - the process that symbol_process.c asks.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_SERVER_H
#define CULPRIT_TOOLS_SYMBOL_SERVER_H

/* Answers questions until the socket `fd` ends. Never returns. */
_Noreturn void symbol_server(int fd);

#endif
