/*
 * child.h - starts a command and waits for it, as if it had been started in place of culprit: same
 * terminal, same descriptors, same signals.
 */
#ifndef CULPRIT_TOOLS_CHILD_H
#define CULPRIT_TOOLS_CHILD_H

/* Callbacks for child_run(). */
struct child_watch {
	void (*starting)(const void *state); /* in the child, before the command starts; or NULL */
	const void *starting_state;
	int fd; /* an event there triggers `act`; negative: nothing to watch */
	/* Called two seconds later, if the command still runs. Takes the events. */
	void (*act)(void *state);
	void *state;
	/*
	 * Called with signal 0 when it is due, and with each SIGTERM and SIGINT that was sent to
	 * the command. The child has not been waited for. Returns the milliseconds until the next
	 * call, or 0 for none. NULL: never called.
	 */
	int (*tick)(void *state, long child, int signal_number);
	void *tick_state;
	int tick_ms; /* until the first call of tick; 0: none */
	/*
	 * Called at each event, and again after as many milliseconds as it returned (0: not again).
	 * NULL: never called.
	 */
	int (*end)(void *state);
	void *end_state;
};

struct child_end {
	long pid;
	int status; /* as from waitpid() */
};

/*
 * Runs argv[0], found on PATH, and waits until it exits. Returns 0, or -errno if fork or exec
 * failed.
 *
 * Meanwhile only the command reacts to the terminal's SIGINT and SIGQUIT. Signals that a process
 * sends to culprit but means for the command (SIGTERM, SIGINT, SIGUSR1...) are passed on. The
 * process-wide signal state is restored afterwards. Single-threaded.
 */
int child_run(char **argv, const struct child_watch *watch, struct child_end *out_end);

/* Exits this process with the wait status: the same exit status, or the same signal. */
int child_exit_status(int status);

#endif
