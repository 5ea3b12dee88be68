/*
 * fault.h - record what the driver says of a fault: addresses, accesses and program counters, from
 * nvidia-uvm's events and from the SM states that libcuda reads. Both are passive, need no
 * privilege, and cost nothing until a fault.
 */
#ifndef CULPRIT_RECORD_FAULT_H
#define CULPRIT_RECORD_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Start-up only. With `wanted` false, nothing of this happens: CULPRIT_FAULT=off. */
void fault_start(bool wanted);

/*
 * A context was prepared: open the events if they are not open, and the table of faults. Any
 * thread, outside all locks.
 */
void fault_contexts_begin(void);

/* The program has managed memory: events would slow down its faults. Any thread. */
void fault_managed_memory(void);

/* Work has finished without a failure: look whether faults were served. Any thread. */
void fault_work_finished(void);

/* The last context was destroyed: close the events. Any thread. */
void fault_contexts_end(void);

/*
 * A checkpoint begins: the same, but the contexts may live on. Until it has returned, no thread
 * opens the events again. Any thread.
 */
void fault_pause(void);
void fault_resume(void);

/* In the child of a fork: close its copies. */
void fault_forget(void);

/* True if fault_states_seen() is to have the driver's answers. Any thread. Signal-safe. */
bool fault_is_watching(void);

/*
 * At the failure, before its verdict: write the table. `context` and `device` are those of the one
 * context that has failed, else 0 and FAULT_DEVICE_UNKNOWN. `is_one_context`: contexts_are_one(),
 * after the code addresses were written. One thread, once.
 */
void fault_write(uint32_t context, uint32_t device, bool is_one_context);

#endif
