/*
 * gpu_reading.c - each question has an answer of its own: GPUs, drivers and containers support
 * different ones.
 */
#include "hardware/gpu_reading.h"

#include <stdio.h>
#include <string.h>

#include "command/monotonic.h"

enum {
	WATCHED_EVENTS = NVML_EVENT_DOUBLE_BIT_ECC | NVML_EVENT_XID | NVML_EVENT_RETIREMENT |
			 NVML_EVENT_RETIREMENT_FAILED | NVML_EVENT_POISON |
			 NVML_EVENT_FATAL_POISON | NVML_EVENT_UNAVAILABLE |
			 NVML_EVENT_RECOVERY_ACTION
};

static enum gpu_answer answer_of(int result)
{
	switch (result) {
	case NVML_OK:
		return ANSWER_KNOWN;
	case NVML_NOT_SUPPORTED:
	case NVML_FUNCTION_NOT_FOUND:
	case NVML_DEPRECATED:
		return ANSWER_NOT_SUPPORTED;
	case NVML_NO_PERMISSION:
		return ANSWER_NO_PERMISSION;
	case NVML_GPU_IS_LOST:
	case NVML_RESET_REQUIRED:
		return ANSWER_LOST;
	default:
		return ANSWER_FAILED;
	}
}

static void store(struct gpu_reading *out, enum gpu_counter counter, int result, uint64_t value)
{
	out->values[counter] = (struct gpu_value){.answer = answer_of(result),
						  .value = result == NVML_OK ? value : 0};
}

/* Copy a string from NVML, whose buffers have a fixed size. */
static void copy(char *out, size_t size, const char *string, size_t capacity)
{
	(void)snprintf(out, size, "%.*s", (int)strnlen(string, capacity), string);
}

/* Copy a UUID without its prefix, "GPU-" or "MIG-". */
static void read_uuid(const struct nvml *nvml, nvml_device device, char out[HARDWARE_UUID_SIZE])
{
	enum { PREFIX = 4 };
	char uuid[96] = "";
	if (!nvml->uuid(device, uuid, sizeof(uuid)) && strnlen(uuid, sizeof(uuid)) > PREFIX)
		copy(out, HARDWARE_UUID_SIZE, uuid + PREFIX, sizeof(uuid) - PREFIX);
}

static void read_parts(const struct nvml *nvml, nvml_device device, struct hardware_gpu *out)
{
	unsigned current = 0;
	unsigned pending = 0;
	unsigned n = 0;
	if (!nvml->mig_mode || nvml->mig_mode(device, &current, &pending) ||
	    current != NVML_MIG_ENABLED)
		return;
	out->is_mig = 1;
	if (!nvml->mig_max || !nvml->mig_by_index || nvml->mig_max(device, &n))
		return;
	for (unsigned i = 0; i < n && out->n_parts < HARDWARE_MAX_PARTS; i++) {
		nvml_device part = NULL;
		unsigned instance = 0;
		if (nvml->mig_by_index(device, i, &part))
			continue;
		struct gpu_part *row = &out->parts[out->n_parts++];
		read_uuid(nvml, part, row->uuid);
		bool is_known = nvml->gpu_instance && !nvml->gpu_instance(part, &instance);
		row->instance = is_known ? (int32_t)instance : NVML_INSTANCE_UNKNOWN;
	}
}

void gpu_describe(const struct nvml *nvml, nvml_device device, unsigned index,
		  struct hardware_gpu *out)
{
	char name[96] = "";
	struct nvml_pci pci = {.bus_id = ""};
	out->index = index;
	read_uuid(nvml, device, out->uuid);
	if (nvml->name && !nvml->name(device, name, sizeof(name)))
		copy(out->name, sizeof(out->name), name, sizeof(name));
	if (nvml->pci && !nvml->pci(device, &pci))
		copy(out->pci, sizeof(out->pci), pci.bus_id, sizeof(pci.bus_id));
	read_parts(nvml, device, out);
}

static void read_ecc(const struct nvml *nvml, nvml_device device, int type,
		     enum gpu_counter counter, struct gpu_reading *out)
{
	unsigned long long n = 0;
	int result = nvml->ecc_total ? nvml->ecc_total(device, type, NVML_VOLATILE, &n)
				     : NVML_NOT_SUPPORTED;
	store(out, counter, result, n);
}

static void read_rows(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	unsigned n_corrected = 0;
	unsigned n_uncorrected = 0;
	unsigned is_pending = 0;
	unsigned has_failed = 0;
	int result = nvml->remapped_rows ? nvml->remapped_rows(device, &n_corrected, &n_uncorrected,
							       &is_pending, &has_failed)
					 : NVML_NOT_SUPPORTED;
	store(out, GPU_ROWS_CORRECTED, result, n_corrected);
	store(out, GPU_ROWS_UNCORRECTED, result, n_uncorrected);
	store(out, GPU_ROWS_PENDING, result, is_pending ? 1 : 0);
	store(out, GPU_ROWS_FAILED, result, has_failed ? 1 : 0);
}

/* Ask only for the number of pages: a buffer for their addresses is too small if there are any. */
static int count_pages(const struct nvml *nvml, nvml_device device, int cause, uint64_t *n)
{
	unsigned n_pages = 0;
	if (!nvml->retired_pages)
		return NVML_NOT_SUPPORTED;
	int result = nvml->retired_pages(device, cause, &n_pages, NULL);
	*n += n_pages;
	return result == NVML_INSUFFICIENT_SIZE ? NVML_OK : result;
}

static void read_pages(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	uint64_t n = 0;
	int is_pending = 0;
	int result = count_pages(nvml, device, NVML_CAUSE_SINGLE_BITS, &n);
	if (!result)
		result = count_pages(nvml, device, NVML_CAUSE_DOUBLE_BIT, &n);
	store(out, GPU_PAGES_RETIRED, result, n);
	result = nvml->retired_pending ? nvml->retired_pending(device, &is_pending)
				       : NVML_NOT_SUPPORTED;
	store(out, GPU_PAGES_PENDING, result, is_pending ? 1 : 0);
}

/* Return a failure for a value that cannot be a count. */
static int value_of(const struct nvml_field *field, uint64_t *out)
{
	switch (field->type) {
	case NVML_VALUE_UINT:
		*out = field->value.u32;
		return field->result;
	case NVML_VALUE_ULONG:
	case NVML_VALUE_ULONG_LONG:
		*out = field->value.u64;
		return field->result;
	case NVML_VALUE_USHORT:
		*out = field->value.u16;
		return field->result;
	default:
		return field->result ? field->result : NVML_NOT_SUPPORTED;
	}
}

static void read_fields(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	static const struct {
		uint32_t id;
		enum gpu_counter counter;
	} fields[] = {
		{NVML_FIELD_CRC_FLIT_TOTAL, GPU_NVLINK_CRC_FLIT},
		{NVML_FIELD_CRC_DATA_TOTAL, GPU_NVLINK_CRC_DATA},
		{NVML_FIELD_REPLAY_TOTAL, GPU_NVLINK_REPLAY},
		{NVML_FIELD_RECOVERY_TOTAL, GPU_NVLINK_RECOVERY},
		{NVML_FIELD_RECOVERY_ACTION, GPU_RECOVERY_ACTION},
	};
	enum { N_FIELDS = sizeof(fields) / sizeof(fields[0]) };
	struct nvml_field asked[N_FIELDS];
	memset(asked, 0, sizeof(asked));
	for (int i = 0; i < N_FIELDS; i++)
		asked[i] = (struct nvml_field){.id = fields[i].id, .result = NVML_NOT_SUPPORTED};
	int result = nvml->field_values ? nvml->field_values(device, N_FIELDS, asked)
					: NVML_NOT_SUPPORTED;
	for (int i = 0; i < N_FIELDS; i++) {
		uint64_t value = 0;
		int answer = value_of(&asked[i], &value);
		store(out, fields[i].counter, result ? result : answer, value);
	}
}

static void read_clocks(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	unsigned long long reasons = 0;
	unsigned mhz = 0;
	int result =
		nvml->clocks_reasons ? nvml->clocks_reasons(device, &reasons) : NVML_NOT_SUPPORTED;
	store(out, GPU_CLOCK_REASONS, result, reasons);
	result = nvml->clock ? nvml->clock(device, NVML_CLOCK_SM, &mhz) : NVML_NOT_SUPPORTED;
	store(out, GPU_CLOCK_SM, result, mhz);
	result = nvml->clock ? nvml->clock(device, NVML_CLOCK_MEMORY, &mhz) : NVML_NOT_SUPPORTED;
	store(out, GPU_CLOCK_MEMORY, result, mhz);
	result =
		nvml->max_clock ? nvml->max_clock(device, NVML_CLOCK_SM, &mhz) : NVML_NOT_SUPPORTED;
	store(out, GPU_CLOCK_SM_MAX, result, mhz);
}

void gpu_read(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	read_ecc(nvml, device, NVML_CORRECTED, GPU_ECC_CORRECTED, out);
	read_ecc(nvml, device, NVML_UNCORRECTED, GPU_ECC_UNCORRECTED, out);
	read_rows(nvml, device, out);
	read_pages(nvml, device, out);
	read_fields(nvml, device, out);
	read_clocks(nvml, device, out);
	out->ns = monotonic_ns();
}

void gpu_watch(const struct nvml *nvml, nvml_device device, nvml_event_set set,
	       struct hardware_gpu *out)
{
	unsigned long long supported = 0;
	int result = nvml->event_types && nvml->events_register
			     ? nvml->event_types(device, &supported)
			     : NVML_NOT_SUPPORTED;
	supported &= WATCHED_EVENTS;
	if (!result)
		result = supported ? nvml->events_register(device, supported, set)
				   : NVML_NOT_SUPPORTED;
	out->watched_types = result ? 0 : supported;
	if (!result && !(supported & NVML_EVENT_XID))
		result = NVML_NOT_SUPPORTED;
	out->events = answer_of(result);
}

bool gpu_watch_operational(const struct nvml *nvml, nvml_event_set set, struct hardware_gpu *out)
{
	struct nvml_operational_config config = {.min_severity = NVML_SEVERITY_RECOVERABLE};
	(void)snprintf(config.uuid, sizeof(config.uuid), "GPU-%s", out->uuid);
	if (!nvml->register_operational || !nvml->wait_for_any ||
	    nvml->register_operational(set, &config))
		return false;
	out->watched_types |= NVML_EVENT_OPERATIONAL;
	return true;
}
