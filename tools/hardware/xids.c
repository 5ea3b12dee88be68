/*
 * xids.c - the table of Xids.
 */
#include "hardware/xids.h"

#include <stddef.h>

static const struct xid xids[] = {
#define XID(number_, cause_, advice_, text_) \
	{.number = (number_), .cause = CAUSE_##cause_, .advice = ADVICE_##advice_, .text = (text_)},
#include "hardware/xids.def"
#undef XID
};

const struct xid *xid_find(uint64_t number)
{
	for (size_t i = 0; i < sizeof(xids) / sizeof(xids[0]); i++)
		if (xids[i].number == number)
			return &xids[i];
	return NULL;
}

const char *hardware_cause_label(enum hardware_cause cause)
{
	static const char *const words[N_HARDWARE_CAUSES] = {
		[CAUSE_NONE] = NULL,
		[CAUSE_PROGRAM] = "program",
		[CAUSE_DRIVER] = "driver",
		[CAUSE_HARDWARE] = "hardware",
	};
	return words[cause];
}

const char *hardware_advice_text(enum hardware_advice advice)
{
	static const char *const texts[N_HARDWARE_ADVICES] = {
		[ADVICE_NOTHING] = NULL,
		[ADVICE_LOOK] = "see `nvidia-smi -q` and the kernel's log (dmesg)",
		[ADVICE_RESTART] = "start the program again; reset the GPU when it is idle",
		[ADVICE_LINK] = "check the links (nvidia-smi nvlink --errorcounters), and reset "
				"the GPUs that they join",
		[ADVICE_RESET] = "drain the GPU and reset it (nvidia-smi --gpu-reset); have it "
				 "checked if this returns",
		[ADVICE_REBOOT] = "drain the node and reboot it; check the GPU's seat, power and "
				  "cooling if this returns",
		[ADVICE_REPLACE] = "take the GPU out of service and have it checked: it may have "
				   "to be replaced",
	};
	return texts[advice];
}
