/*
 * test_hardware.c - what the report says about the hardware: only what NVML answered.
 */
#include "hardware/hardware_story.h"
#include "hardware/nvml.h"

#include "support/check.h"

enum { SOON = 1000, LATE = 5000 }; /* times in ns */

static struct hardware state;
static struct hardware_story story;
static struct hardware_span span;

static void set(struct gpu_reading *reading, enum gpu_counter counter, uint64_t value)
{
	reading->values[counter] = (struct gpu_value){ANSWER_KNOWN, value};
}

static void answer_all(struct gpu_reading *reading, enum gpu_answer answer)
{
	reading->ns = SOON;
	for (enum gpu_counter counter = 0; counter < N_GPU_COUNTERS; counter++)
		reading->values[counter] = (struct gpu_value){answer, 0};
}

/* Begin with a healthy GPU 0, watched before its first work. */
static void begin(uint32_t n_gpus)
{
	memset(&state, 0, sizeof(state));
	state.watched_ns = SOON;
	state.n_gpus = n_gpus;
	for (uint32_t i = 0; i < n_gpus; i++) {
		struct hardware_gpu *gpu = &state.gpus[i];
		gpu->index = i;
		gpu->events = ANSWER_KNOWN;
		gpu->watched_types = NVML_EVENT_XID;
		strcpy(gpu->pci, "00000000:1B:00.0");
		answer_all(&gpu->before, ANSWER_KNOWN);
		answer_all(&gpu->after, ANSWER_KNOWN);
	}
	span = (struct hardware_span){.first_ns = SOON, .first = "its first work", .last_ns = LATE};
}

static void add_event(uint32_t gpu, uint64_t type, uint64_t number)
{
	state.events[state.n_events++] =
		(struct hardware_event){.gpu = gpu, .instance = -1, .type = type, .data = number};
}

static void tells(enum hardware_cause cause, const char *first, const char *last)
{
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, cause);
	CHECK_STRING(story.lines[0], first);
	if (last)
		CHECK_STRING(story.lines[story.n_lines - 1], last);
}

static void test_healthy(void)
{
	begin(1);
	tells(CAUSE_NONE, "no ECC errors, no remapped rows, no NVLink errors, no Xid on GPU 0",
	      NULL);
	CHECK_EQUAL(story.n_lines, 1);
	begin(2);
	add_event(1, NVML_EVENT_XID, 31);
	add_event(1, NVML_EVENT_XID, 31);
	add_event(1, NVML_EVENT_XID, 43);
	tells(CAUSE_PROGRAM,
	      "no ECC errors, no remapped rows, no NVLink errors, no Xid except 31 and 43 on GPU 1",
	      NULL);
}

static void test_nothing_known(void)
{
	begin(0);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.n_lines, 0);
	static const enum gpu_answer answers[] = {ANSWER_NONE, ANSWER_NOT_SUPPORTED,
						  ANSWER_NO_PERMISSION, ANSWER_FAILED};
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		begin(1);
		answer_all(&state.gpus[0].before, answers[i]);
		answer_all(&state.gpus[0].after, answers[i]);
		state.gpus[0].events = answers[i];
		hardware_story_find(&state, &span, &story);
		CHECK_EQUAL(story.n_lines, 0);
	}
}

/* A reading before the run alone is no answer about the run. */
static void test_no_answer_afterwards(void)
{
	begin(1);
	memset(&state.gpus[0].after, 0, sizeof(state.gpus[0].after));
	tells(CAUSE_NONE, "no Xid on GPU 0; not known: ECC errors, NVLink errors", NULL);
}

/* A claim is about all GPUs. */
static void test_one_of_two_known(void)
{
	begin(2);
	state.gpus[1].after.values[GPU_ECC_CORRECTED].answer = ANSWER_NOT_SUPPORTED;
	state.gpus[1].events = ANSWER_NO_PERMISSION;
	add_event(0, NVML_EVENT_XID, 31);
	tells(CAUSE_PROGRAM,
	      "no remapped rows, no NVLink errors, Xid 31 on GPU 0; not known: ECC errors, whether "
	      "there were other Xids",
	      NULL);
}

static void test_watch_was_late(void)
{
	begin(1);
	span.first_ns = SOON - 500;
	tells(CAUSE_NONE,
	      "no ECC errors, no remapped rows, no NVLink errors, no Xid on GPU 0 from 1 ms after "
	      "its "
	      "first work on",
	      NULL);
	static const char gap[] = "no ECC errors, no remapped rows, no NVLink errors; not known: "
				  "whether there were other Xids";
	state.watched_ns = LATE + 1;
	tells(CAUSE_NONE, gap, NULL);
	begin(1);
	span.first_ns = 0;
	tells(CAUSE_NONE, gap, NULL);
	begin(1);
	state.watch_finished_ns = LATE;
	tells(CAUSE_NONE, gap, NULL);
	begin(1);
	state.n_events_lost = 1;
	tells(CAUSE_NONE, gap, NULL);
	begin(1);
	state.gpus[0].is_mig = 1; /* without a privilege, NVML keeps Xids of MIG devices back */
	tells(CAUSE_NONE, gap, NULL);
	begin(1);
	state.watched_ns = 0;
	tells(CAUSE_NONE, gap, NULL);
}

static void test_ecc(void)
{
	begin(1);
	set(&state.gpus[0].before, GPU_ECC_UNCORRECTED, 1);
	set(&state.gpus[0].after, GPU_ECC_UNCORRECTED, 3);
	tells(CAUSE_HARDWARE,
	      "points to the hardware: 2 uncorrected ECC errors on GPU 0 (00000000:1B:00.0) during "
	      "the run",
	      "otherwise no remapped rows, no NVLink errors, no Xid on GPU 0");
	set(&state.gpus[0].before, GPU_ECC_UNCORRECTED, 3);
	tells(CAUSE_NONE, "no new ECC errors, no remapped rows, no NVLink errors, no Xid on GPU 0",
	      NULL);
	state.gpus[0].before.values[GPU_ECC_UNCORRECTED].answer = ANSWER_FAILED;
	tells(CAUSE_HARDWARE,
	      "points to the hardware: 3 uncorrected ECC errors on GPU 0 (00000000:1B:00.0) since "
	      "the driver was loaded",
	      NULL);
	/* The errors before may be of this run, too, if NVML was asked late. */
	set(&state.gpus[0].before, GPU_ECC_UNCORRECTED, 3);
	span.first_ns = SOON - 1;
	tells(CAUSE_HARDWARE,
	      "points to the hardware: 3 uncorrected ECC errors on GPU 0 (00000000:1B:00.0) since "
	      "the driver was loaded",
	      NULL);
	begin(1);
	set(&state.gpus[0].after, GPU_ECC_CORRECTED, 1);
	span.is_redacted = true;
	tells(CAUSE_NONE,
	      "no remapped rows, no NVLink errors, no Xid on GPU 0, 1 corrected ECC error on GPU 0 "
	      "during the run",
	      NULL);
}

static void test_memory(void)
{
	begin(1);
	set(&state.gpus[0].before, GPU_ROWS_UNCORRECTED, 2);
	set(&state.gpus[0].after, GPU_ROWS_UNCORRECTED, 2);
	tells(CAUSE_NONE, "no ECC errors, no new remapped rows, no NVLink errors, no Xid on GPU 0",
	      NULL);
	span.first_ns = SOON - 1;
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_NONE);
	CHECK(strstr(story.lines[0], "2 remapped rows on GPU 0 (00000000:1B:00.0) in its life"));
	span.first_ns = SOON;
	set(&state.gpus[0].after, GPU_ROWS_PENDING, 1);
	tells(CAUSE_HARDWARE,
	      "points to the hardware: a row remapping is pending on GPU 0 (00000000:1B:00.0)",
	      "otherwise no ECC errors, no NVLink errors, no Xid on GPU 0");
	CHECK(strstr(story.lines[1], "operators: drain the GPU and reset it"));
	set(&state.gpus[0].after, GPU_ROWS_FAILED, 1);
	hardware_story_find(&state, &span, &story);
	CHECK(strstr(story.lines[1], "operators: take the GPU out of service"));
	begin(1);
	for (enum gpu_counter i = GPU_ROWS_CORRECTED; i <= GPU_ROWS_FAILED; i++)
		state.gpus[0].after.values[i].answer = ANSWER_NOT_SUPPORTED;
	tells(CAUSE_NONE, "no ECC errors, no retired pages, no NVLink errors, no Xid on GPU 0",
	      NULL);
}

static void test_nvlink(void)
{
	begin(1);
	for (enum gpu_counter i = GPU_NVLINK_CRC_FLIT; i <= GPU_NVLINK_RECOVERY; i++)
		state.gpus[0].after.values[i].answer = ANSWER_NOT_SUPPORTED;
	tells(CAUSE_NONE, "no ECC errors, no remapped rows, no Xid on GPU 0", NULL);
	begin(1);
	set(&state.gpus[0].after, GPU_NVLINK_REPLAY, 7);
	tells(CAUSE_NONE,
	      "no ECC errors, no remapped rows, no Xid on GPU 0, 7 NVLink replay errors on GPU 0 "
	      "(00000000:1B:00.0) during the run",
	      NULL);
	set(&state.gpus[0].after, GPU_NVLINK_RECOVERY, 1);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_HARDWARE);
	CHECK(strstr(story.lines[1], "operators: check the links"));
}

static void test_xids(void)
{
	begin(1);
	add_event(0, NVML_EVENT_XID, 45);
	add_event(0, NVML_EVENT_XID, 79);
	answer_all(&state.gpus[0].after, ANSWER_LOST);
	tells(CAUSE_HARDWARE,
	      "points to the hardware: Xid 79 on GPU 0 (00000000:1B:00.0): the GPU has fallen off "
	      "the "
	      "bus; the driver has lost GPU 0 (00000000:1B:00.0)",
	      "otherwise no other Xid except 45 on GPU 0; not known: ECC errors, NVLink errors");
	CHECK(strstr(story.lines[1], "reboot it") && strstr(story.lines[1], "explain 'xid 79'"));
	begin(1);
	add_event(0, NVML_EVENT_XID, 119);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_DRIVER);
	CHECK(strstr(story.lines[0], "points to the driver or the hardware: Xid 119"));
	begin(1);
	add_event(0, NVML_EVENT_XID, 4711);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_NONE);
	CHECK(strstr(story.lines[0],
		     "Xid 4711 on GPU 0 (00000000:1B:00.0), which culprit does not"));
	CHECK(strstr(story.lines[1], "NVIDIA's list of Xids"));
}

static void test_other_signs(void)
{
	begin(1);
	add_event(0, NVML_EVENT_FATAL_POISON, 0);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_HARDWARE);
	for (uint64_t action = 1; action < 10; action++) {
		begin(1);
		set(&state.gpus[0].after, GPU_RECOVERY_ACTION, action);
		hardware_story_find(&state, &span, &story);
		CHECK(strstr(story.lines[0], "the driver asks for "));
	}
	begin(1);
	set(&state.gpus[0].after, GPU_CLOCK_REASONS, NVML_SLOW_POWER_BRAKE);
	set(&state.gpus[0].after, GPU_CLOCK_SM, 345);
	set(&state.gpus[0].after, GPU_CLOCK_SM_MAX, 1980);
	hardware_story_find(&state, &span, &story);
	CHECK_EQUAL(story.cause, CAUSE_NONE);
	CHECK(strstr(story.lines[0], "slowed down by the power supply, to 345 of 1980 MHz"));
}

/* An event is repeated if all of it is the same. All others are named. */
static void test_repeated(void)
{
	begin(2);
	for (int i = 0; i < 2; i++) {
		add_event(0, NVML_EVENT_DOUBLE_BIT_ECC, 31);
		add_event(0, NVML_EVENT_RETIREMENT, 31);
		add_event(1, NVML_EVENT_RETIREMENT, 31);
		add_event(0, NVML_EVENT_XID, 31);
		add_event(0, NVML_EVENT_XID, 79);
		add_event(0, NVML_EVENT_XID, 48);
	}
	tells(CAUSE_HARDWARE,
	      "points to the hardware: an uncorrected ECC error: GPU 0 (00000000:1B:00.0); bad "
	      "memory was taken out of use: GPU 0 (00000000:1B:00.0); bad memory was taken out of "
	      "use: GPU 1 (00000000:1B:00.0); Xid 79 on GPU 0 (00000000:1B:00.0): the GPU has "
	      "fallen off the bus; Xid 48 on GPU 0 (00000000:1B:00.0): memory had an error that "
	      "ECC could not correct",
	      "otherwise no ECC errors, no remapped rows, no NVLink errors, no other Xid except 31 "
	      "on GPU 0");
}

/* Everything at once fits, and is cut where it does not. */
static void test_too_much(void)
{
	begin(HARDWARE_MAX_GPUS);
	for (uint32_t i = 0; i < HARDWARE_MAX_GPUS; i++) {
		answer_all(&state.gpus[i].after, ANSWER_LOST);
		set(&state.gpus[i].before, GPU_ROWS_PENDING, 1);
		state.gpus[i].index = UINT32_MAX;
	}
	while (state.n_events < HARDWARE_MAX_EVENTS)
		add_event(state.n_events % HARDWARE_MAX_GPUS, NVML_EVENT_XID, UINT64_MAX);
	hardware_story_find(&state, &span, &story);
	CHECK(story.n_lines && story.n_lines <= HARDWARE_MAX_LINES);
}

int main(void)
{
	test_healthy();
	test_nothing_known();
	test_no_answer_afterwards();
	test_one_of_two_known();
	test_watch_was_late();
	test_ecc();
	test_memory();
	test_nvlink();
	test_xids();
	test_other_signs();
	test_repeated();
	test_too_much();
	return 0;
}
