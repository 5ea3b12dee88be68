/*
 * xids.h - what an Xid points to, and what operators do about it.
 */
#ifndef CULPRIT_TOOLS_XIDS_H
#define CULPRIT_TOOLS_XIDS_H

#include <stdint.h>

/* From the weakest to the strongest. */
enum hardware_cause {
	CAUSE_NONE,    /* nothing is known to be wrong */
	CAUSE_PROGRAM, /* a program's mistake */
	CAUSE_DRIVER,  /* the driver, the GPU's firmware or the hardware */
	CAUSE_HARDWARE,
	N_HARDWARE_CAUSES
};

/* From the mildest to the most drastic. */
enum hardware_advice {
	ADVICE_NOTHING,
	ADVICE_LOOK,    /* at what the driver says */
	ADVICE_RESTART, /* the program; reset the GPU later */
	ADVICE_LINK,    /* the NVLinks */
	ADVICE_RESET,   /* the GPU */
	ADVICE_REBOOT,  /* the machine */
	ADVICE_REPLACE, /* the GPU */
	N_HARDWARE_ADVICES
};

struct xid {
	uint64_t number;
	enum hardware_cause cause;
	enum hardware_advice advice;
	const char *text;
};

/* Return the row of an Xid, or NULL if culprit does not know it. */
const struct xid *xid_find(uint64_t number);

/* Return "program", "driver" or "hardware"; NULL for CAUSE_NONE. */
const char *hardware_cause_label(enum hardware_cause cause);

/* Return what operators do, as an imperative; NULL for ADVICE_NOTHING. */
const char *hardware_advice_text(enum hardware_advice advice);

#endif
