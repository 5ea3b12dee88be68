/*
 * fault_states.h - what libcuda itself asks the driver when a context fails: the state of each SM,
 * with the address and the program counter of a warp that raised an exception. culprit looks at the
 * answers as they pass through ioctl().
 *
 * libcuda asks in two calls (100 SMs each at most), and again at each later check. The driver
 * clears what was read, so all answers are kept together: the first state of each SM.
 */
#ifndef CULPRIT_RECORD_FAULT_STATES_H
#define CULPRIT_RECORD_FAULT_STATES_H

#include <stddef.h>

#include "base/journal_format.h"
#include "record/fault/fault_abi.h"

/* The rows of fault_states_read(), at most: two summaries are among them. */
enum { FAULT_STATES_MAX = FAULT_EXCEPTIONS_MAX + FAULT_MMU_MAX + 2 };

/*
 * Look at a control that the driver has answered. If it holds states with a fault of the MMU, ask
 * for the faults with one further control of the same object: nvidia-uvm's events have to agree
 * with it. Any thread, inside any call of the driver. Keeps errno. Signal-safe. `is_one_context`:
 * contexts_are_one().
 */
void fault_states_seen(int fd, const struct rm_control *control, bool is_one_context);

/*
 * Write the fault rows of all answers, and return their number, at most FAULT_STATES_MAX. 0: no
 * answer was seen, or one was missed. Later answers are ignored. Any thread.
 */
size_t fault_states_read(struct fault_row *out_rows);

#endif
