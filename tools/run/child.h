/*
 * child.h - starts a command and waits for it as if it had been started in culprit's place: same
 * terminal, same descriptors, same signals.
 */
#ifndef CULPRIT_TOOLS_CHILD_H
#define CULPRIT_TOOLS_CHILD_H

/* What is to be done while the command runs. */
struct child_watch {
	int fd;                   /* an event there asks for it; negative: nothing to watch */
	void (*act)(void *state); /* two seconds later, if the command runs on; takes the events */
	void *state;
	/*
	 * Called when it is due, with signal 0, and with each SIGTERM and SIGINT that was sent to
	 * the command; the child has not been waited for. Returns in how many milliseconds it wants
	 * to be called again, 0: not. NULL: nobody wants to.
	 */
	int (*tick)(void *state, long child, int signal_number);
	void *tick_state;
	int tick_ms; /* until it is due for the first time, 0: not */
};

struct child_end {
	long pid;
	int status; /* as of waitpid */
};

/*
 * Runs argv[0], found on PATH, and waits until it has ended. 0,
 * or -errno: it could not be started, whether by fork or by exec.
 *
 * Meanwhile the terminal's SIGINT and SIGQUIT are the command's business alone, and signals that a
 * process sends to culprit but means for the work (SIGTERM, SIGINT, SIGUSR1...) are passed on.
 * Process-wide
 * signal state is restored afterwards. One thread.
 */
int child_run(char **argv, const struct child_watch *watch, struct child_end *out_end);

/* Ends this process as the wait status says: by its exit status, or by its signal. */
int child_exit_status(int status);

#endif
