/*
 * symbol_server.h - the helper process of symbol_process.c.
 */
#ifndef CULPRIT_TOOLS_SYMBOL_SERVER_H
#define CULPRIT_TOOLS_SYMBOL_SERVER_H

/* Answers questions until the socket `fd` is closed. Never returns. */
_Noreturn void symbol_server(int fd);

#endif
