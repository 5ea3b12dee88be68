/*
 * child.h - starts a command and waits for it as if it had been started in culprit's place: same
 * terminal, same descriptors, same signals.
 */
#ifndef CULPRIT_TOOLS_CHILD_H
#define CULPRIT_TOOLS_CHILD_H

/*
 * Runs argv[0], found on PATH, and waits until it has ended; *out_status is then as of waitpid. 0,
 * or -errno: it could not be started, *out_was_exec says whether by execvp.
 *
 * Meanwhile the terminal's SIGINT and SIGQUIT are the command's business alone, and signals sent
 * to culprit that are meant for the work (SIGTERM, SIGHUP, SIGUSR1...) are passed on. Process-wide
 * signal state is restored afterwards. One thread.
 */
int child_run(char **argv, int *out_status);

/* Ends this process as the wait status says: by its exit status, or by its signal. */
int child_exit_status(int status);

#endif
