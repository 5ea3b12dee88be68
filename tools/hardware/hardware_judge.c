/*
 * hardware_judge.c - compare the readings of a GPU before and after the run.
 */
#include "hardware/hardware_judge.h"

#include <inttypes.h>

#include "hardware/nvml.h"

struct text *facts_suspect(struct hardware_facts *facts, enum hardware_cause cause,
			   enum hardware_advice advice)
{
	text_add(&facts->suspicions, facts->suspicions.at > facts->suspicions.start ? "; " : "");
	if (cause > facts->cause)
		facts->cause = cause;
	if (advice > facts->advice)
		facts->advice = advice;
	return &facts->suspicions;
}

struct text *facts_note(struct hardware_facts *facts)
{
	text_add(&facts->notes, facts->notes.at > facts->notes.start ? ", " : "");
	return &facts->notes;
}

void facts_add_gpu(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
		   struct text *out)
{
	text_addf(out, "GPU %" PRIu32, gpu->index);
	if (*gpu->pci && !facts->is_redacted)
		text_addf(out, " (%s)", gpu->pci);
}

static const struct gpu_value *before(const struct hardware_gpu *gpu, enum gpu_counter counter)
{
	return &gpu->before.values[counter];
}

static const struct gpu_value *after(const struct hardware_gpu *gpu, enum gpu_counter counter)
{
	return &gpu->after.values[counter];
}

static bool is_known(const struct gpu_value *value)
{
	return value->answer == ANSWER_KNOWN;
}

/* The newest value that is known, or 0. */
static uint64_t now(const struct hardware_gpu *gpu, enum gpu_counter counter)
{
	return is_known(after(gpu, counter)) ? after(gpu, counter)->value
					     : before(gpu, counter)->value;
}

/*
 * True if it is known by how much a counter grew: the first reading was before the first work. A
 * reset of the GPU clears some counters.
 */
static bool has_growth(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
		       enum gpu_counter counter)
{
	return is_known(before(gpu, counter)) && is_known(after(gpu, counter)) &&
	       gpu->before.ns <= facts->first_ns &&
	       after(gpu, counter)->value >= before(gpu, counter)->value;
}

/* Return by how much a counter grew, or all that it counts if that is not known. */
static uint64_t growth(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
		       enum gpu_counter counter)
{
	if (!is_known(after(gpu, counter)))
		return 0;
	return after(gpu, counter)->value -
	       (has_growth(facts, gpu, counter) ? before(gpu, counter)->value : 0);
}

/* Only what NVML answered after the run says that there was no error. */
static enum area_state state_of(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
				enum gpu_counter counter)
{
	const struct gpu_value *value = after(gpu, counter);
	if (value->answer == ANSWER_NOT_SUPPORTED)
		return AREA_UNSUPPORTED;
	if (!is_known(value))
		return AREA_UNKNOWN;
	if (!value->value)
		return AREA_CLEAN;
	return growth(facts, gpu, counter) ? AREA_DIRTY : AREA_NOT_NEW;
}

static enum area_state join(enum area_state a, enum area_state b)
{
	return a > b ? a : b;
}

/* Append "3 uncorrected ECC errors on GPU 0 during the run". */
static void add_errors(const struct hardware_facts *facts, const struct hardware_gpu *gpu,
		       enum gpu_counter counter, const char *noun, struct text *out)
{
	bool is_for_life = counter >= GPU_ROWS_CORRECTED && counter <= GPU_PAGES_PENDING;
	text_add_count(out, growth(facts, gpu, counter), noun);
	text_add(out, " on ");
	facts_add_gpu(facts, gpu, out);
	if (has_growth(facts, gpu, counter))
		text_add(out, " during the run");
	else
		text_add(out, is_for_life ? " in its life" : " since the driver was loaded");
}

static enum area_state judge_ecc(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	enum area_state uncorrected = state_of(facts, gpu, GPU_ECC_UNCORRECTED);
	enum area_state corrected = state_of(facts, gpu, GPU_ECC_CORRECTED);
	if (uncorrected == AREA_DIRTY)
		add_errors(facts, gpu, GPU_ECC_UNCORRECTED, "uncorrected ECC error",
			   facts_suspect(facts, CAUSE_HARDWARE, ADVICE_RESET));
	if (corrected == AREA_DIRTY)
		add_errors(facts, gpu, GPU_ECC_CORRECTED, "corrected ECC error", facts_note(facts));
	return join(uncorrected, corrected);
}

/* Append a sentence about memory, "a row of memory could not be replaced on GPU 0". */
static void suspect_memory(const struct hardware_gpu *gpu, enum gpu_counter counter,
			   enum hardware_advice advice, const char *sentence,
			   struct hardware_facts *facts)
{
	if (!now(gpu, counter))
		return;
	struct text *out = facts_suspect(facts, CAUSE_HARDWARE, advice);
	text_addf(out, "%s on ", sentence);
	facts_add_gpu(facts, gpu, out);
}

/* Rows since Ampere, pages before. */
static enum area_state judge_memory(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	static const struct {
		enum gpu_counter counter;
		const char *noun;
	} counts[] = {
		{GPU_ROWS_UNCORRECTED, "remapped row"},
		{GPU_ROWS_CORRECTED, "remapped row"},
		{GPU_PAGES_RETIRED, "retired page"},
	};
	suspect_memory(gpu, GPU_ROWS_FAILED, ADVICE_REPLACE,
		       "a bad row of memory could not be remapped", facts);
	suspect_memory(gpu, GPU_ROWS_PENDING, ADVICE_RESET, "a row remapping is pending", facts);
	suspect_memory(gpu, GPU_PAGES_PENDING, ADVICE_RESET, "a page retirement is pending", facts);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (growth(facts, gpu, counts[i].counter))
			add_errors(facts, gpu, counts[i].counter, counts[i].noun,
				   has_growth(facts, gpu, counts[i].counter)
					   ? facts_suspect(facts, CAUSE_HARDWARE, ADVICE_RESET)
					   : facts_note(facts));
	enum area_state rows = join(state_of(facts, gpu, GPU_ROWS_UNCORRECTED),
				    state_of(facts, gpu, GPU_ROWS_CORRECTED));
	enum area_state state =
		rows == AREA_UNSUPPORTED ? state_of(facts, gpu, GPU_PAGES_RETIRED) : rows;
	return now(gpu, GPU_ROWS_PENDING) || now(gpu, GPU_ROWS_FAILED) ||
			       now(gpu, GPU_PAGES_PENDING)
		       ? AREA_DIRTY
		       : state;
}

/* A link repeats what arrives damaged. Only if it has to recover did it fail. */
static enum area_state judge_nvlink(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	static const struct {
		enum gpu_counter counter;
		const char *noun;
	} counts[] = {
		{GPU_NVLINK_RECOVERY, "NVLink recovery error"},
		{GPU_NVLINK_REPLAY, "NVLink replay error"},
		{GPU_NVLINK_CRC_FLIT, "NVLink flow-control CRC error"},
		{GPU_NVLINK_CRC_DATA, "NVLink data CRC error"},
	};
	enum area_state state = AREA_CLEAN;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		enum gpu_counter counter = counts[i].counter;
		bool is_failure = counter == GPU_NVLINK_RECOVERY;
		state = join(state, state_of(facts, gpu, counter));
		if (growth(facts, gpu, counter))
			add_errors(facts, gpu, counter, counts[i].noun,
				   is_failure ? facts_suspect(facts, CAUSE_HARDWARE, ADVICE_LINK)
					      : facts_note(facts));
	}
	return state;
}

static const char *slowness(uint64_t reasons)
{
	if (reasons & (NVML_SLOW_HARDWARE_HEAT | NVML_SLOW_SOFTWARE_HEAT))
		return "heat";
	return reasons & NVML_SLOW_POWER_BRAKE ? "the power supply"
					       : "its hardware (heat or power)";
}

static void judge_clocks(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	uint64_t reasons =
		now(gpu, GPU_CLOCK_REASONS) & (NVML_SLOW_HARDWARE | NVML_SLOW_SOFTWARE_HEAT |
					       NVML_SLOW_HARDWARE_HEAT | NVML_SLOW_POWER_BRAKE);
	if (!reasons)
		return;
	struct text *out = facts_note(facts);
	facts_add_gpu(facts, gpu, out);
	text_addf(out, " is slowed down by %s", slowness(reasons));
	if (now(gpu, GPU_CLOCK_SM) && now(gpu, GPU_CLOCK_SM_MAX))
		text_addf(out, ", to %" PRIu64 " of %" PRIu64 " MHz", now(gpu, GPU_CLOCK_SM),
			  now(gpu, GPU_CLOCK_SM_MAX));
}

/* The driver's own advice, by NVML's numbers. */
static void judge_recovery(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	static const struct {
		enum hardware_advice advice;
		const char *text;
	} actions[] = {
		[1] = {ADVICE_RESET, "a reset"},
		[2] = {ADVICE_REBOOT, "a reboot of the node"},
		[3] = {ADVICE_RESET, "the end of all peer-to-peer traffic"},
		[4] = {ADVICE_RESET, "the end of all work and a reset"},
		[5] = {ADVICE_LOOK, "a recovery of the IMEX domain"},
		[6] = {ADVICE_REBOOT, "a reset of the bus"},
		[7] = {ADVICE_REBOOT, "a reboot of the system"},
	};
	uint64_t action = now(gpu, GPU_RECOVERY_ACTION);
	if (!action)
		return;
	bool is_known_action = action < sizeof(actions) / sizeof(actions[0]);
	struct text *out = facts_suspect(facts, CAUSE_HARDWARE,
					 is_known_action ? actions[action].advice : ADVICE_LOOK);
	text_add(out, "the driver asks for ");
	text_add(out, is_known_action ? actions[action].text : "a recovery");
	text_add(out, " of ");
	facts_add_gpu(facts, gpu, out);
}

static void judge_presence(const struct hardware_gpu *gpu, struct hardware_facts *facts)
{
	for (enum gpu_counter counter = 0; counter < N_GPU_COUNTERS; counter++) {
		if (after(gpu, counter)->answer != ANSWER_LOST)
			continue;
		struct text *out = facts_suspect(facts, CAUSE_HARDWARE, ADVICE_REBOOT);
		text_add(out, "the driver has lost ");
		facts_add_gpu(facts, gpu, out);
		return;
	}
}

void hardware_judge(const struct hardware_gpu *gpu, struct hardware_facts *facts,
		    enum area_state out[N_HARDWARE_AREAS])
{
	judge_presence(gpu, facts);
	judge_recovery(gpu, facts);
	out[AREA_ECC] = judge_ecc(gpu, facts);
	out[AREA_MEMORY] = judge_memory(gpu, facts);
	out[AREA_NVLINK] = judge_nvlink(gpu, facts);
	judge_clocks(gpu, facts);
}
