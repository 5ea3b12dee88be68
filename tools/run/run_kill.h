/*
 * run_kill.h - end the processes of a run after a GPU failure (--on-failure kill).
 */
#ifndef CULPRIT_TOOLS_RUN_KILL_H
#define CULPRIT_TOOLS_RUN_KILL_H

#include <stdbool.h>

struct run_kill {
	int slot_fd;           /* of run_slot.h; negative: none */
	const char *run_id;    /* as in the environment of the run's processes */
	const char *outer_run; /* the run that this one is within; "": none */
	bool is_quiet;         /* print nothing */
	long long
		kill_from_ms; /* when SIGTERM has had its time, by monotonic_ms(); 0: not started */
};

/*
 * If a process of the run has asked for it, ends those that are in culprit's own process group and
 * that the run has started: their initial environment has the run's ID. The first call sends
 * SIGTERM; later ones send SIGKILL once the time is over. Returns the milliseconds until the next
 * call, 0 if there is nothing to end. Culprit itself, processes that are ending themselves, and
 * those in other groups get no SIGTERM. STATE is a run_kill.
 */
int run_kill_step(void *state);

/*
 * Does the same after the command has exited, until the processes have exited or were killed.
 * Returns true if the run had to end.
 */
bool run_kill_end(struct run_kill *wanted);

#endif
