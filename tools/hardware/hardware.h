/*
 * hardware.h - the state of GPUs before and after a run, and the events during it. Plain data
 * without pointers: a helper process writes it into memory that it shares with culprit.
 */
#ifndef CULPRIT_TOOLS_HARDWARE_H
#define CULPRIT_TOOLS_HARDWARE_H

#include <stdint.h>

enum gpu_counter {
#define GPU_COUNTER(name, word) GPU_##name,
#include "hardware/gpu_counters.def"
#undef GPU_COUNTER
	N_GPU_COUNTERS
};

/* The kind of an answer of NVML. */
enum gpu_answer {
	ANSWER_NONE, /* it was not asked, or has not answered */
	ANSWER_KNOWN,
	ANSWER_NOT_SUPPORTED,
	ANSWER_NO_PERMISSION,
	ANSWER_LOST, /* the GPU cannot be reached, or needs a reset */
	ANSWER_FAILED,
	N_GPU_ANSWERS
};

struct gpu_value {
	uint32_t answer; /* enum gpu_answer */
	uint64_t value;  /* if it is known, else 0 */
};

struct gpu_reading {
	uint64_t ns; /* CLOCK_MONOTONIC when it was complete; 0: no reading */
	struct gpu_value values[N_GPU_COUNTERS];
};

enum {
	HARDWARE_MAX_GPUS = 64,
	HARDWARE_MAX_EVENTS = 128,
	HARDWARE_MAX_PARTS = 8, /* MIG devices of a GPU; at most 7 today */
	HARDWARE_UUID_SIZE = 40,
	HARDWARE_TEXT_SIZE = 96,
	HARDWARE_MODULE_SIZE = 20,
};

/* A MIG device. */
struct gpu_part {
	char uuid[HARDWARE_UUID_SIZE]; /* without the prefix "MIG-" */
	int32_t instance;              /* of the GPU; -1: not known */
};

struct hardware_gpu {
	uint32_t index;                /* as in nvidia-smi */
	char uuid[HARDWARE_UUID_SIZE]; /* without the prefix "GPU-" */
	char pci[HARDWARE_UUID_SIZE];  /* "00000000:1B:00.0"; "": not known */
	char name[HARDWARE_TEXT_SIZE];
	uint32_t is_mig;  /* 1: it is divided: programs use its parts */
	uint32_t n_parts; /* that are listed */
	struct gpu_part parts[HARDWARE_MAX_PARTS];
	uint32_t events;        /* enum gpu_answer: ANSWER_KNOWN: Xids are watched */
	uint64_t watched_types; /* NVML_EVENT_*: which kinds of events are watched */
	struct gpu_reading before, after;
};

struct hardware_event {
	uint32_t gpu;     /* index in the list of GPUs */
	int32_t instance; /* GPU instance of a MIG device; -1: the whole GPU, or not known */
	uint64_t type;    /* NVML_EVENT_* */
	uint64_t data;    /* the number of an Xid */
	/* Only GPU operational events have these: */
	uint32_t severity;
	uint32_t category;
	uint32_t code;
	char module[HARDWARE_MODULE_SIZE];
	uint64_t ns; /* CLOCK_MONOTONIC when it arrived */
};

struct hardware {
	char driver[HARDWARE_TEXT_SIZE]; /* version; "": not known */
	uint64_t watched_ns;             /* CLOCK_MONOTONIC since which events arrive; 0: none do */
	uint64_t watch_finished_ns;      /* live: when they stopped to arrive; 0: they still do */
	uint32_t n_gpus;
	uint32_t n_gpus_left_out;
	uint32_t n_events;      /* live: raised after the event is complete */
	uint32_t n_events_lost; /* live: events that did not fit */
	struct hardware_event events[HARDWARE_MAX_EVENTS];
	struct hardware_gpu gpus[HARDWARE_MAX_GPUS];
};

/*
 * Copy what concerns the devices with these UUIDs: GPUs as a whole, and of divided ones only the
 * parts that are named. The events of other parts are left out. Any thread.
 */
void hardware_select(const struct hardware *all, const char *const *uuids, uint32_t n_uuids,
		     struct hardware *out);

/* Return "ecc_corrected", ... */
const char *gpu_counter_label(enum gpu_counter counter);

/* Return "not_supported", ...; "known" for a known value, "none" for a missing one. */
const char *gpu_answer_label(enum gpu_answer answer);

/* Return the kind of one NVML_EVENT_* as a word, "xid", "poison", ...; NULL: not known. */
const char *hardware_event_label(uint64_t type);

/* Return the NVML_EVENT_* of a word; 0: not known. */
uint64_t hardware_event_type(const char *word);

#endif
