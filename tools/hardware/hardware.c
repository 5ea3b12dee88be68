/*
 * hardware.c - the words of hardware.json.
 */
#include "hardware/hardware.h"

#include <stddef.h>
#include <string.h>

#include "hardware/nvml.h"

static const struct {
	uint64_t type;
	const char *word;
} events[] = {
	{NVML_EVENT_XID, "xid"},
	{NVML_EVENT_DOUBLE_BIT_ECC, "double_bit_ecc"},
	{NVML_EVENT_RETIREMENT, "retirement"},
	{NVML_EVENT_RETIREMENT_FAILED, "retirement_failed"},
	{NVML_EVENT_POISON, "poison"},
	{NVML_EVENT_FATAL_POISON, "fatal_poison"},
	{NVML_EVENT_UNAVAILABLE, "unavailable"},
	{NVML_EVENT_RECOVERY_ACTION, "recovery_action"},
	{NVML_EVENT_OPERATIONAL, "operational"},
};
enum { N_EVENT_WORDS = sizeof(events) / sizeof(events[0]) };

static bool is_listed(const char *uuid, const char *const *uuids, uint32_t n_uuids)
{
	for (uint32_t i = 0; *uuid && i < n_uuids; i++)
		if (!strcmp(uuid, uuids[i]))
			return true;
	return false;
}

/* Keep the parts that are listed. Return whether the GPU, or a part of it, is. */
static bool keep_parts(struct hardware_gpu *gpu, const char *const *uuids, uint32_t n_uuids)
{
	uint32_t n = 0;
	if (is_listed(gpu->uuid, uuids, n_uuids))
		return true;
	for (uint32_t i = 0; i < gpu->n_parts; i++)
		if (is_listed(gpu->parts[i].uuid, uuids, n_uuids))
			gpu->parts[n++] = gpu->parts[i];
	gpu->n_parts = n;
	return n;
}

/* True for an event of the whole GPU, or of a part that was kept. */
static bool is_of_parts(const struct hardware_gpu *gpu, const struct hardware_event *event)
{
	if (!gpu->is_mig || event->instance == NVML_INSTANCE_UNKNOWN)
		return true;
	for (uint32_t i = 0; i < gpu->n_parts; i++)
		if (gpu->parts[i].instance == event->instance ||
		    gpu->parts[i].instance == NVML_INSTANCE_UNKNOWN)
			return true;
	return false;
}

void hardware_select(const struct hardware *all, const char *const *uuids, uint32_t n_uuids,
		     struct hardware *out)
{
	*out = *all;
	out->n_gpus = 0;
	out->n_events = 0;
	for (uint32_t gpu = 0; gpu < all->n_gpus; gpu++) {
		struct hardware_gpu *kept = &out->gpus[out->n_gpus];
		*kept = all->gpus[gpu];
		if (!keep_parts(kept, uuids, n_uuids))
			continue;
		for (uint32_t i = 0; i < all->n_events; i++) {
			struct hardware_event event = all->events[i];
			if (event.gpu != gpu || !is_of_parts(kept, &event))
				continue;
			event.gpu = out->n_gpus;
			out->events[out->n_events++] = event;
		}
		out->n_gpus++;
	}
}

const char *gpu_counter_label(enum gpu_counter counter)
{
	static const char *const words[N_GPU_COUNTERS] = {
#define GPU_COUNTER(name, word) [GPU_##name] = (word),
#include "hardware/gpu_counters.def"
#undef GPU_COUNTER
	};
	return words[counter];
}

const char *gpu_answer_label(enum gpu_answer answer)
{
	static const char *const words[N_GPU_ANSWERS] = {
		[ANSWER_NONE] = "none",
		[ANSWER_KNOWN] = "known",
		[ANSWER_NOT_SUPPORTED] = "not_supported",
		[ANSWER_NO_PERMISSION] = "no_permission",
		[ANSWER_LOST] = "lost",
		[ANSWER_FAILED] = "failed",
	};
	return words[answer];
}

const char *hardware_event_label(uint64_t type)
{
	for (size_t i = 0; i < N_EVENT_WORDS; i++)
		if (events[i].type == type)
			return events[i].word;
	return NULL;
}

uint64_t hardware_event_type(const char *word)
{
	for (size_t i = 0; i < N_EVENT_WORDS; i++)
		if (!strcmp(events[i].word, word))
			return events[i].type;
	return 0;
}
