/*
 * hardware_events.c - sort events by their cause, and say for which time none is missing.
 */
#include "hardware/hardware_judge.h"

#include <inttypes.h>
#include <string.h>

#include "base/time_units.h"
#include "hardware/nvml.h"

static bool is_xid(const struct hardware_event *event)
{
	return event->type == NVML_EVENT_XID;
}

static bool is_of_program(const struct hardware_event *event)
{
	const struct xid *xid = is_xid(event) ? xid_find(event->data) : NULL;
	return xid && xid->cause == CAUSE_PROGRAM;
}

static bool are_same(const struct hardware_event *a, const struct hardware_event *b)
{
	return a->gpu == b->gpu && a->type == b->type && a->data == b->data && a->code == b->code &&
	       a->category == b->category && !strcmp(a->module, b->module);
}

/* True if an earlier event is of the same kind on the same GPU. */
static bool is_repeated(const struct hardware *hardware, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (are_same(&hardware->events[i], &hardware->events[index]))
			return true;
	return false;
}

static void judge_xid(const struct hardware_gpu *gpu, uint64_t number, struct hardware_facts *facts)
{
	const struct xid *xid = xid_find(number);
	enum hardware_cause cause = xid ? xid->cause : CAUSE_NONE;
	bool is_strongest = cause > facts->cause;
	struct text *out = xid ? facts_suspect(facts, cause, xid->advice) : facts_note(facts);
	if (is_strongest || !facts->xid)
		facts->xid = number;
	text_addf(out, "Xid %" PRIu64 " on ", number);
	facts_add_gpu(facts, gpu, out);
	if (xid)
		text_addf(out, ": %s", xid->text);
	else
		text_add(out, ", which culprit does not know");
}

static const struct {
	uint64_t type;
	enum hardware_advice advice;
	const char *text;
} signs[] = {
	{NVML_EVENT_DOUBLE_BIT_ECC, ADVICE_RESET, "an uncorrected ECC error"},
	{NVML_EVENT_RETIREMENT, ADVICE_RESET, "bad memory was taken out of use"},
	{NVML_EVENT_RETIREMENT_FAILED, ADVICE_REPLACE, "bad memory could not be taken out of use"},
	{NVML_EVENT_POISON, ADVICE_RESTART, "an uncorrected memory error reached a program"},
	{NVML_EVENT_FATAL_POISON, ADVICE_RESET, "an uncorrected memory error reached programs"},
	{NVML_EVENT_UNAVAILABLE, ADVICE_REBOOT, "the driver calls the GPU unavailable"},
};

static const struct {
	uint32_t category;
	enum hardware_cause cause;
	enum hardware_advice advice;
	const char *text;
} categories[] = {
	{NVML_CATEGORY_MEMORY_INTEGRITY, CAUSE_HARDWARE, ADVICE_RESET, "damaged memory"},
	{NVML_CATEGORY_INTERCONNECT, CAUSE_HARDWARE, ADVICE_LINK, "a failing link"},
	{NVML_CATEGORY_CORRUPTION, CAUSE_DRIVER, ADVICE_RESET, "a corrupt state"},
};

static bool has_hardware_xid(const struct hardware *hardware, uint32_t gpu)
{
	for (uint32_t i = 0; i < hardware->n_events; i++) {
		const struct hardware_event *event = &hardware->events[i];
		if (event->gpu == gpu && is_xid(event) && xid_find(event->data) &&
		    !is_of_program(event))
			return true;
	}
	return false;
}

/* An event that has an Xid, too, needs no second line. Other categories may be a program's. */
static void judge_operational(const struct hardware *hardware, const struct hardware_event *event,
			      struct hardware_facts *facts)
{
	for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++) {
		if (categories[i].category != event->category ||
		    has_hardware_xid(hardware, event->gpu))
			continue;
		struct text *out = facts_suspect(facts, categories[i].cause, categories[i].advice);
		text_addf(out, "an operational event about %s (", categories[i].text);
		text_add_foreign(out, event->module, strlen(event->module));
		text_addf(out, " 0x%" PRIx32 ") on ", event->code);
		facts_add_gpu(facts, &hardware->gpus[event->gpu], out);
	}
}

/* The driver's new advice itself is among the counters. */
static void judge_other(const struct hardware_gpu *gpu, uint64_t type, struct hardware_facts *facts)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (signs[i].type != type)
			continue;
		struct text *out = facts_suspect(facts, CAUSE_HARDWARE, signs[i].advice);
		text_addf(out, "%s: ", signs[i].text);
		facts_add_gpu(facts, gpu, out);
	}
}

void hardware_events_judge(const struct hardware *hardware, struct hardware_facts *facts)
{
	for (uint32_t i = 0; i < hardware->n_events; i++) {
		const struct hardware_event *event = &hardware->events[i];
		const struct hardware_gpu *gpu = &hardware->gpus[event->gpu];
		if (is_repeated(hardware, i))
			continue;
		if (is_of_program(event))
			facts->cause = facts->cause ? facts->cause : CAUSE_PROGRAM;
		else if (is_xid(event))
			judge_xid(gpu, event->data, facts);
		else if (event->type == NVML_EVENT_OPERATIONAL)
			judge_operational(hardware, event, facts);
		else
			judge_other(gpu, event->type, facts);
	}
}

/* True if all Xids of the GPUs arrive. NVML shows Xids of MIG devices to root only. */
static bool are_all_watched(const struct hardware *hardware)
{
	for (uint32_t i = 0; i < hardware->n_gpus; i++)
		if (hardware->gpus[i].events != ANSWER_KNOWN || hardware->gpus[i].is_mig)
			return false;
	return hardware->watched_ns && !hardware->watch_finished_ns && !hardware->n_events_lost;
}

/* A short program may fail before NVML is ready. */
static bool is_in_time(const struct hardware *hardware, const struct hardware_span *span)
{
	return span->first_ns && (!span->last_ns || hardware->watched_ns < span->last_ns);
}

/* Append the numbers of the Xids that programs cause on this GPU: "31", "13 and 43". */
static uint32_t add_numbers(const struct hardware *hardware, uint32_t gpu, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < hardware->n_events; i++) {
		const struct hardware_event *event = &hardware->events[i];
		if (event->gpu != gpu || !is_of_program(event) || is_repeated(hardware, i))
			continue;
		text_addf(out, "%s%" PRIu64, n++ ? " and " : "", event->data);
	}
	return n;
}

static bool has_numbers(const struct hardware *hardware, uint32_t gpu)
{
	for (uint32_t i = 0; i < hardware->n_events; i++)
		if (hardware->events[i].gpu == gpu && is_of_program(&hardware->events[i]))
			return true;
	return false;
}

/* Append "31 on GPU 0 and 43 on GPU 1". Return the number of GPUs. */
static uint32_t add_seen(const struct hardware *hardware, struct text *out)
{
	uint32_t n = 0;
	for (uint32_t gpu = 0; gpu < hardware->n_gpus; gpu++) {
		if (!has_numbers(hardware, gpu))
			continue;
		text_add(out, n++ ? ", " : "");
		(void)add_numbers(hardware, gpu, out);
		text_addf(out, " on GPU %" PRIu32, hardware->gpus[gpu].index);
	}
	return n;
}

static void add_gpus(const struct hardware *hardware, struct text *out)
{
	for (uint32_t gpu = 0; gpu < hardware->n_gpus; gpu++)
		text_addf(out, "%s%" PRIu32,
			  gpu                    ? ", "
			  : hardware->n_gpus > 1 ? " on GPUs "
						 : " on GPU ",
			  hardware->gpus[gpu].index);
}

static bool is_judged(const struct hardware *hardware)
{
	for (uint32_t i = 0; i < hardware->n_events; i++)
		if (is_xid(&hardware->events[i]) && !is_of_program(&hardware->events[i]))
			return true;
	return false;
}

bool hardware_events_claim(const struct hardware *hardware, const struct hardware_span *span,
			   struct text *out, bool *out_is_partial)
{
	bool has_seen = false;
	for (uint32_t gpu = 0; gpu < hardware->n_gpus; gpu++)
		has_seen = has_seen || has_numbers(hardware, gpu);
	bool is_whole = are_all_watched(hardware) && is_in_time(hardware, span);
	*out_is_partial = !is_whole && !span->is_moment;
	if (!has_seen && !is_whole)
		return false;
	text_add(out, !is_whole ? "Xid " : is_judged(hardware) ? "no other Xid" : "no Xid");
	if (is_whole && has_seen)
		text_add(out, " except ");
	if (has_seen)
		(void)add_seen(hardware, out);
	else
		add_gpus(hardware, out);
	if (is_whole && hardware->watched_ns > span->first_ns)
		text_addf(out, " from %" PRIu64 " ms after %s on",
			  (hardware->watched_ns - span->first_ns) / NS_PER_MS + 1, span->first);
	return true;
}
