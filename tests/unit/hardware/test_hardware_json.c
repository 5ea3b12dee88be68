/*
 * test_hardware_json.c - which GPUs are selected, and that hardware.json is not trusted.
 */
#include "hardware/hardware_json.h"
#include "hardware/hardware_story.h"
#include "hardware/nvml.h"

#include "support/check.h"

static struct hardware state;
static struct hardware_story story;
static const struct hardware_span span = {.first_ns = 1, .first = "its first work"};

/* Begin with healthy GPUs. */
static void begin(uint32_t n_gpus)
{
	memset(&state, 0, sizeof(state));
	state.watched_ns = 1;
	state.n_gpus = n_gpus;
	for (uint32_t i = 0; i < n_gpus; i++) {
		struct hardware_gpu *gpu = &state.gpus[i];
		gpu->index = i;
		gpu->events = ANSWER_KNOWN;
		gpu->watched_types = NVML_EVENT_XID;
		gpu->after.ns = gpu->before.ns = 1;
		strcpy(gpu->pci, "00000000:1B:00.0");
	}
}

static void set(struct gpu_reading *reading, enum gpu_counter counter, uint64_t value)
{
	reading->values[counter] = (struct gpu_value){ANSWER_KNOWN, value};
}

static void add_event(uint32_t gpu, uint64_t type, uint64_t number)
{
	state.events[state.n_events++] =
		(struct hardware_event){.gpu = gpu, .instance = -1, .type = type, .data = number};
}

static void test_selection(void)
{
	static struct hardware some;
	const char *const uuids[] = {"b", "part"};
	begin(3);
	strcpy(state.gpus[0].uuid, "a");
	strcpy(state.gpus[1].uuid, "b");
	strcpy(state.gpus[2].uuid, "c");
	state.gpus[2].is_mig = 1;
	state.gpus[2].n_parts = 2;
	strcpy(state.gpus[2].parts[0].uuid, "other");
	state.gpus[2].parts[0].instance = 1;
	strcpy(state.gpus[2].parts[1].uuid, "part");
	state.gpus[2].parts[1].instance = 5;
	for (uint32_t gpu = 0; gpu < 3; gpu++)
		add_event(gpu, NVML_EVENT_XID, 31);
	add_event(2, NVML_EVENT_XID, 13);
	add_event(2, NVML_EVENT_XID, 43);
	state.events[3].instance = 1;
	state.events[4].instance = 5;
	hardware_select(&state, uuids, 2, &some);
	CHECK_EQUAL(some.n_gpus, 2);
	CHECK_STRING(some.gpus[0].uuid, "b");
	CHECK_EQUAL(some.gpus[1].n_parts, 1);
	CHECK_STRING(some.gpus[1].parts[0].uuid, "part");
	CHECK_EQUAL(some.n_events, 3); /* 31 on b; 31 of the whole GPU, and 43 of the part */
	CHECK_EQUAL(some.events[0].gpu, 0);
	CHECK_EQUAL(some.events[1].gpu, 1);
	CHECK_EQUAL(some.events[2].data, 43);
	hardware_select(&state, uuids, 0, &some);
	CHECK_EQUAL(some.n_gpus, 0);
}

static void test_written_is_read(void)
{
	static struct hardware read;
	begin(2);
	strcpy(state.driver, "580.65.06");
	strcpy(state.gpus[0].uuid, "0a1b2c3d-0000");
	strcpy(state.gpus[0].name, "NVIDIA H100");
	state.gpus[1].is_mig = 1;
	state.gpus[1].n_parts = 1;
	strcpy(state.gpus[1].parts[0].uuid, "ab");
	state.gpus[1].parts[0].instance = 3;
	state.gpus[1].events = ANSWER_NO_PERMISSION;
	state.gpus[1].watched_types = 0;
	set(&state.gpus[0].after, GPU_CLOCK_SM, 1980);
	state.gpus[0].after.values[GPU_PAGES_RETIRED].answer = ANSWER_NOT_SUPPORTED;
	memset(&state.gpus[1].after, 0, sizeof(state.gpus[1].after));
	add_event(1, NVML_EVENT_XID, 79);
	state.n_events_lost = 5;
	json_t *object = hardware_to_json(&state, false);
	CHECK_EQUAL(hardware_from_json(object, &read), 0);
	json_decref(object);
	CHECK(!memcmp(&read, &state, sizeof(read)));
	object = hardware_to_json(&state, true);
	char *text = json_dumps(object, 0);
	CHECK(text && !strstr(text, "0a1b2c3d") && !strstr(text, "1B:00"));
	free(text);
	json_decref(object);
}

/* Read a text, whatever it is, and tell its story. Return the result. */
static int read_text(const char *text)
{
	json_t *object = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
	CHECK(object);
	int result = hardware_from_json(object, &state);
	json_decref(object);
	hardware_story_find(&state, &span, &story);
	return result;
}

#define WITH(gpus, events) \
	"{\"format\": 1, \"watched_ns\": -1, \"gpus\": " gpus ", \"events\": " events "}"

static void test_hostile(void)
{
	static const char *const refused[] = {"[]", "7", "{}", "{\"format\": 2, \"gpus\": []}",
					      "{\"format\": 1, \"gpus\": {}}"};
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		CHECK(read_text(refused[i]) < 0);
	CHECK_EQUAL(read_text(WITH("[7, {}, {\"index\": -1}, {\"index\": 9999999}]", "7")), 0);
	CHECK_EQUAL(state.n_gpus, 0);
	CHECK_EQUAL(read_text(WITH(
			    "[{\"index\": 2, \"uuid\": \"x\\u001b[2J\", \"pci\": 7, \"name\": "
			    "\"\\u001b\", \"events\": \"known\", \"event_kinds\": [3, \"no\"], "
			    "\"before\": 3, \"after\": {\"ns\": 5, \"ecc_corrected\": -3, "
			    "\"ecc_uncorrected\": \"known\", \"rows_pending\": [], "
			    "\"clock_sm_mhz\": \"lost\"}, \"mig\": [1, 2, 3, 4, 5, 6, 7, 8, 9]}]",
			    "[{\"kind\": \"xid\", \"gpu\": 1}, {\"kind\": 4, \"gpu\": 2}, "
			    "{\"kind\": \"xid\", \"gpu\": 2, \"xid\": \"79\"}, 5]")),
		    0);
	CHECK_EQUAL(state.n_gpus, 1);
	const struct hardware_gpu *gpu = &state.gpus[0];
	CHECK(!*gpu->uuid && !*gpu->pci && !*gpu->name && !gpu->before.ns && !state.watched_ns);
	CHECK_EQUAL(gpu->events, ANSWER_NONE);
	CHECK_EQUAL(gpu->n_parts, HARDWARE_MAX_PARTS);
	CHECK_EQUAL(gpu->after.values[GPU_ECC_CORRECTED].answer, ANSWER_NONE);
	CHECK_EQUAL(gpu->after.values[GPU_ECC_UNCORRECTED].answer, ANSWER_NONE);
	CHECK_EQUAL(gpu->after.values[GPU_CLOCK_SM].answer, ANSWER_LOST);
	CHECK_EQUAL(state.n_events, 1);
	CHECK_EQUAL(state.events[0].data, 0);
}

int main(void)
{
	test_selection();
	test_written_is_read();
	test_hostile();
	return 0;
}
