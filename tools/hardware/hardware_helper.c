/*
 * hardware_helper.c - one thread waits for events of the GPUs, the other for questions of culprit.
 */
#include "hardware/hardware_helper.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "command/monotonic.h"
#include "hardware/gpu_reading.h"
#include "hardware/nvml.h"

enum { EVENT_WAIT_MS = 10000 };

struct helper {
	struct hardware_shared *shared;
	struct nvml nvml;
	nvml_device devices[HARDWARE_MAX_GPUS];
	nvml_event_set set;
	bool has_operational; /* GPU operational events arrive */
};

static void raise_stage(struct hardware_shared *shared, enum hardware_stage stage)
{
	/* Pairs with the load in hardware_watch.c. */
	__atomic_store_n(&shared->stage, (uint32_t)stage, __ATOMIC_RELEASE);
}

static void add_event(struct hardware *state, const struct hardware_event *event)
{
	if (event->gpu >= state->n_gpus)
		return;
	if (state->n_events == HARDWARE_MAX_EVENTS) {
		__atomic_fetch_add(&state->n_events_lost, 1, __ATOMIC_RELAXED);
		return;
	}
	struct hardware_event *row = &state->events[state->n_events];
	*row = *event;
	row->ns = monotonic_ns();
	if (!state->gpus[event->gpu].is_mig)
		row->instance = NVML_INSTANCE_UNKNOWN;
	/* Pairs with the load in hardware_watch.c. */
	__atomic_store_n(&state->n_events, state->n_events + 1, __ATOMIC_RELEASE);
}

/* NVML says 0xffffffff if the event is not of one instance. */
static int wait_for_event(const struct helper *helper, struct hardware_event *out)
{
	const struct hardware *state = &helper->shared->state;
	struct nvml_event event = {.device = NULL};
	int result = helper->nvml.events_wait(helper->set, &event, EVENT_WAIT_MS);
	*out = (struct hardware_event){
		.type = event.type, .data = event.data, .instance = (int32_t)event.gpu_instance};
	while (out->gpu < state->n_gpus && helper->devices[out->gpu] != event.device)
		out->gpu++;
	return result;
}

/* The same on a driver with GPU operational events, which have no device but a UUID. */
static int wait_for_any(const struct helper *helper, struct hardware_event *out)
{
	enum { PREFIX = 4 }; /* "GPU-" */
	const struct hardware *state = &helper->shared->state;
	struct nvml_wait wait = {.timeout_ms = EVENT_WAIT_MS};
	int result = helper->nvml.wait_for_any(helper->set, &wait);
	bool is_operational = wait.data_type == NVML_DATA_OPERATIONAL;
	*out = (struct hardware_event){
		.type = is_operational ? NVML_EVENT_OPERATIONAL : wait.type,
		.data = is_operational ? 0 : wait.data,
		.instance = (int32_t)wait.gpu_instance,
		.severity = wait.severity,
		.category = wait.category,
		.code = wait.code,
	};
	memcpy(out->module, wait.module, sizeof(wait.module));
	while (out->gpu < state->n_gpus &&
	       (strnlen(wait.uuid, sizeof(wait.uuid)) < PREFIX ||
		strncmp(wait.uuid + PREFIX, state->gpus[out->gpu].uuid, HARDWARE_UUID_SIZE) != 0))
		out->gpu++;
	return result;
}

/* Wait for events until a wait fails. Later events are missed. */
static void *wait_for_events(void *data)
{
	struct helper *helper = data;
	struct hardware *state = &helper->shared->state;
	for (;;) {
		struct hardware_event event;
		int result = helper->has_operational ? wait_for_any(helper, &event)
						     : wait_for_event(helper, &event);
		if (!result)
			add_event(state, &event);
		else if (result != NVML_TIMEOUT)
			break;
	}
	__atomic_store_n(&state->watch_finished_ns, monotonic_ns(), __ATOMIC_RELEASE);
	return NULL;
}

/* Start the thread. Without it no event arrives, and none is claimed to be missing. */
static void watch_events(struct helper *helper)
{
	struct hardware *state = &helper->shared->state;
	const struct nvml *nvml = &helper->nvml;
	bool can_watch = nvml->events_create && nvml->events_wait;
	if (!can_watch || nvml->events_create(&helper->set))
		return;
	uint64_t watched = 0;
	for (uint32_t gpu = 0; gpu < state->n_gpus; gpu++) {
		gpu_watch(nvml, helper->devices[gpu], helper->set, &state->gpus[gpu]);
		if (gpu_watch_operational(nvml, helper->set, &state->gpus[gpu]))
			helper->has_operational = true;
		watched |= state->gpus[gpu].watched_types;
	}
	uint64_t now = monotonic_ns();
	pthread_t thread = 0;
	if (watched && !pthread_create(&thread, NULL, wait_for_events, helper))
		state->watched_ns = now;
}

/* The events come first: a program may fail soon. */
static void describe(struct helper *helper)
{
	struct hardware *state = &helper->shared->state;
	const struct nvml *nvml = &helper->nvml;
	unsigned n = 0;
	if (nvml->count(&n))
		n = 0;
	if (!nvml->driver_version ||
	    nvml->driver_version(state->driver, (unsigned)sizeof(state->driver)))
		state->driver[0] = '\0';
	for (unsigned index = 0; index < n; index++) {
		nvml_device device = NULL;
		if (state->n_gpus == HARDWARE_MAX_GPUS || nvml->by_index(index, &device)) {
			state->n_gpus_left_out++;
			continue;
		}
		helper->devices[state->n_gpus] = device;
		gpu_describe(nvml, device, index, &state->gpus[state->n_gpus++]);
	}
	watch_events(helper);
	for (uint32_t gpu = 0; gpu < state->n_gpus; gpu++)
		gpu_read(nvml, helper->devices[gpu], &state->gpus[gpu].before);
}

static void answer(int fd)
{
	while (write(fd, "", 1) < 0 && errno == EINTR)
		;
}

static void start(struct helper *helper)
{
	struct hardware_shared *shared = helper->shared;
	if (!nvml_load(&helper->nvml)) {
		raise_stage(shared, HARDWARE_NO_LIBRARY);
		_exit(0);
	}
	shared->result = helper->nvml.init();
	if (shared->result) {
		raise_stage(shared, HARDWARE_NO_NVML);
		_exit(0);
	}
	describe(helper);
	raise_stage(shared, HARDWARE_READY);
}

void hardware_helper(struct hardware_shared *shared, int ask_fd, int answer_fd)
{
	static struct helper helper;
	struct hardware *state = &shared->state;
	helper.shared = shared;
	start(&helper);
	answer(answer_fd);
	for (;;) {
		char byte = 0;
		ssize_t n = read(ask_fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(0);
		for (uint32_t gpu = 0; gpu < state->n_gpus; gpu++)
			gpu_read(&helper.nvml, helper.devices[gpu], &state->gpus[gpu].after);
		answer(answer_fd);
	}
}
