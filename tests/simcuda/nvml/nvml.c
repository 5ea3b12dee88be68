/*
 * nvml.c - libnvidia-ml.so.1 for the GPUs of simcuda. Errors that SIMNVML plants appear after the
 * first reading of a GPU, unless they are "old". README.md lists the words.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nvml/settings.h"

/* No header declares what follows: NVIDIA's is not needed. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define EXPORTED __attribute__((visibility("default")))

enum {
	OK,
	INVALID_ARGUMENT = 2,
	NOT_SUPPORTED,
	NO_PERMISSION,
	NOT_FOUND = 6,
	INSUFFICIENT_SIZE,
	DRIVER_NOT_LOADED = 9,
	TIMEOUT,
	GPU_IS_LOST = 15,
};
enum { UUID_SIZE = 41, MIG_INSTANCE = 2 };
enum { EVENT_XID = 8, EVENT_FATAL_POISON = 0x2000 };

struct gpu {
	int number;  /* as in nvidia-smi */
	int ordinal; /* of simcuda's device; a part has that of its GPU */
	int is_part; /* a MIG device */
	int n_asked; /* questions about ECC errors: each reading begins with two */
};

struct pci {
	char old_bus_id[16];
	uint32_t domain, bus, device, device_id, subsystem_id;
	char bus_id[32];
};

struct event {
	struct gpu *device;
	unsigned long long type, data;
	unsigned gpu_instance, compute_instance;
};

struct field {
	uint32_t id, scope;
	int64_t timestamp, latency_us;
	uint32_t type;
	int result;
	uint64_t value;
};

struct config {
	char uuid[96];
	uint32_t min_log_level, min_severity;
};

struct wait {
	uint32_t timeout_ms, data_type;
	char uuid[96];
	char module[16];
	uint64_t type, data, unused[4];
	uint32_t gpu_instance, compute_instance, severity, category, code, more[8];
	uint8_t group_size, group_index;
};

static struct gpu gpus[SIMNVML_MAX_GPUS];
static struct gpu parts[SIMNVML_MAX_GPUS];
static unsigned n_gpus;

EXPORTED int nvmlInit_v2(void)
{
	while (settings_has("hang"))
		pause();
	if (settings_has("refused"))
		return DRIVER_NOT_LOADED;
	usleep((useconds_t)settings_number("late", 0) * 1000);
	n_gpus = (unsigned)settings_number("gpus", 1);
	for (unsigned i = 0; i < n_gpus && i < SIMNVML_MAX_GPUS; i++) {
		int ordinal = (int)(settings_has("reversed") ? n_gpus - 1 - i : i);
		gpus[i] = (struct gpu){.number = (int)i, .ordinal = ordinal};
		parts[i] = (struct gpu){.number = (int)i, .ordinal = ordinal, .is_part = 1};
	}
	return OK;
}

EXPORTED int nvmlSystemGetDriverVersion(char *out, unsigned size)
{
	snprintf(out, size, "999.7");
	return OK;
}

EXPORTED int nvmlDeviceGetCount_v2(unsigned *out)
{
	*out = n_gpus;
	return OK;
}

EXPORTED int nvmlDeviceGetHandleByIndex_v2(unsigned index, struct gpu **out)
{
	if (index >= n_gpus)
		return INVALID_ARGUMENT;
	*out = &gpus[index];
	return OK;
}

/* A program that uses a part sees the part's UUID: that of simcuda's device. */
EXPORTED int nvmlDeviceGetUUID(const struct gpu *gpu, char *out, unsigned size)
{
	unsigned char bytes[16] = "simcuda-device-";
	bool is_whole = !settings_has("mig") || gpu->is_part;
	if (size < UUID_SIZE)
		return INSUFFICIENT_SIZE;
	bytes[0] = is_whole ? bytes[0] : 'X';
	bytes[15] = (unsigned char)gpu->ordinal;
	char *at = out + sprintf(out, gpu->is_part ? "MIG-" : "GPU-");
	for (int i = 0; i < 16; i++)
		at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			      bytes[i]);
	return OK;
}

EXPORTED int nvmlDeviceGetName(const struct gpu *gpu, char *out, unsigned size)
{
	(void)gpu;
	snprintf(out, size, "simcuda device");
	return OK;
}

EXPORTED int nvmlDeviceGetPciInfo_v3(const struct gpu *gpu, struct pci *out)
{
	*out = (struct pci){.bus = (uint32_t)gpu->ordinal + 1};
	snprintf(out->bus_id, sizeof(out->bus_id), "00000000:%02X:00.0", out->bus);
	return OK;
}

EXPORTED int nvmlDeviceGetMigMode(const struct gpu *gpu, unsigned *out_current,
				  unsigned *out_pending)
{
	(void)gpu;
	*out_current = *out_pending = settings_has("mig") ? 1 : 0;
	return OK;
}

EXPORTED int nvmlDeviceGetMaxMigDeviceCount(const struct gpu *gpu, unsigned *out)
{
	(void)gpu;
	*out = 7;
	return OK;
}

EXPORTED int nvmlDeviceGetMigDeviceHandleByIndex(const struct gpu *gpu, unsigned index,
						 struct gpu **out)
{
	if (index != 1)
		return NOT_FOUND;
	*out = &parts[gpu->number];
	return OK;
}

EXPORTED int nvmlDeviceGetGpuInstanceId(const struct gpu *gpu, unsigned *out)
{
	*out = MIG_INSTANCE;
	return gpu->is_part ? OK : INVALID_ARGUMENT;
}

static bool is_after(const struct gpu *gpu)
{
	return gpu->n_asked > 2;
}

/* Return how a question about the GPU is answered. */
static int answer(const struct gpu *gpu)
{
	if (settings_has("lost") && is_after(gpu))
		return GPU_IS_LOST;
	return settings_has("unsupported") ? NOT_SUPPORTED : OK;
}

/* The planted number, which counts from the first reading on if it is old. */
static long planted(const struct gpu *gpu, const char *word)
{
	return is_after(gpu) || settings_has("old") ? settings_number(word, 0) : 0;
}

EXPORTED int nvmlDeviceGetTotalEccErrors(struct gpu *gpu, int type, int counter,
					 unsigned long long *out)
{
	gpu->n_asked++;
	while (settings_has("stuck") && is_after(gpu))
		pause();
	if (counter)
		return INVALID_ARGUMENT;
	*out = (unsigned long long)planted(gpu, type ? "uncorrected" : "corrected");
	return answer(gpu);
}

EXPORTED int nvmlDeviceGetRemappedRows(const struct gpu *gpu, unsigned *out_corrected,
				       unsigned *out_uncorrected, unsigned *out_pending,
				       unsigned *out_failed)
{
	*out_corrected = 0;
	*out_uncorrected = (unsigned)planted(gpu, "rows");
	*out_pending = settings_has("pending");
	*out_failed = settings_has("failed");
	return settings_has("pages") ? NOT_SUPPORTED : answer(gpu);
}

EXPORTED int nvmlDeviceGetRetiredPages(const struct gpu *gpu, int cause, unsigned *n,
				       unsigned long long *addresses)
{
	(void)addresses;
	if (!settings_has("pages"))
		return NOT_SUPPORTED;
	*n = cause ? (unsigned)planted(gpu, "pages") : 0;
	return *n ? INSUFFICIENT_SIZE : answer(gpu);
}

EXPORTED int nvmlDeviceGetRetiredPagesPendingStatus(const struct gpu *gpu, int *out)
{
	*out = 0;
	return settings_has("pages") ? answer(gpu) : NOT_SUPPORTED;
}

EXPORTED int nvmlDeviceGetFieldValues(const struct gpu *gpu, int n, struct field *fields)
{
	static const struct {
		uint32_t id;
		const char *word;
	} known[] = {{38, "crc"}, {45, "none"}, {52, "none"}, {59, "recovery"}, {230, "action"}};
	for (int i = 0; i < n; i++) {
		fields[i].result = NOT_SUPPORTED;
		for (unsigned k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
			if (known[k].id != fields[i].id)
				continue;
			fields[i].type = 3;
			fields[i].value = (uint64_t)planted(gpu, known[k].word);
			fields[i].result = answer(gpu);
		}
	}
	return OK;
}

EXPORTED int nvmlDeviceGetCurrentClocksEventReasons(const struct gpu *gpu, unsigned long long *out)
{
	*out = settings_has("hot") ? 0x48 : 1;
	return answer(gpu);
}

EXPORTED int nvmlDeviceGetClockInfo(const struct gpu *gpu, int clock, unsigned *out)
{
	*out = clock == 1 && settings_has("hot") ? 300 : 1500;
	return answer(gpu);
}

/* Let a program go on that reads from the pipe $SIMNVML_READY: the first reading is over. */
static void tell_ready(void)
{
	const char *pipe = getenv("SIMNVML_READY");
	int fd = pipe ? open(pipe, O_WRONLY | O_CLOEXEC) : -1;
	if (fd >= 0)
		close(fd);
	unsetenv("SIMNVML_READY");
}

/* The last question of a reading. */
EXPORTED int nvmlDeviceGetMaxClockInfo(const struct gpu *gpu, int clock, unsigned *out)
{
	(void)clock;
	*out = 2000;
	if (gpu->number == (int)n_gpus - 1)
		tell_ready();
	return answer(gpu);
}

EXPORTED int nvmlDeviceGetSupportedEventTypes(const struct gpu *gpu, unsigned long long *out)
{
	(void)gpu;
	*out = settings_has("unsupported") ? 0 : EVENT_XID | EVENT_FATAL_POISON | 1;
	return OK;
}

EXPORTED int nvmlEventSetCreate(void **out)
{
	*out = gpus;
	return OK;
}

EXPORTED int nvmlDeviceRegisterEvents(const struct gpu *gpu, unsigned long long types, void *set)
{
	(void)set;
	(void)gpu;
	if (settings_has("forbidden"))
		return NO_PERMISSION;
	return types & ~(unsigned long long)(EVENT_XID | EVENT_FATAL_POISON) ? NOT_SUPPORTED : OK;
}

/* The GPU of a planted event, and what it is. */
static int next_event(struct event *out, unsigned timeout_ms)
{
	static unsigned n_xids;
	static unsigned n_poisons;
	long numbers[3] = {0, 0, 0xffffffff};
	bool is_xid = settings_numbers("xid", n_xids, numbers);
	if (is_xid)
		n_xids++;
	else if (settings_numbers("poison", n_poisons, numbers))
		n_poisons++;
	else if (settings_has("deaf"))
		return GPU_IS_LOST;
	else
		return usleep(timeout_ms * 1000), TIMEOUT;
	*out = (struct event){.device = &gpus[numbers[1] % SIMNVML_MAX_GPUS],
			      .type = is_xid ? EVENT_XID : EVENT_FATAL_POISON,
			      .data = is_xid ? (unsigned long long)numbers[0] : 0,
			      .gpu_instance = (unsigned)numbers[2],
			      .compute_instance = 0xffffffff};
	return OK;
}

/* Deliver the planted events at once: xid=NUMBER/GPU/INSTANCE, poison=0/GPU. */
EXPORTED int nvmlEventSetWait_v2(void *set, struct event *out, unsigned timeout_ms)
{
	(void)set;
	return next_event(out, timeout_ms);
}

EXPORTED int nvmlEventSetRegisterGpuOperationalEvents_v1(void *set, const struct config *config)
{
	(void)set;
	if (!settings_has("operational"))
		return NOT_SUPPORTED;
	return strncmp(config->uuid, "GPU-", 4) ? INVALID_ARGUMENT : OK;
}

/* Deliver operational=CATEGORY/CODE of GPU 0 first. */
EXPORTED int nvmlEventSetWait_v3(void *set, struct wait *out)
{
	static unsigned n_operational;
	long numbers[3] = {0, 0, 0};
	struct event event = {.device = gpus};
	unsigned timeout_ms = out->timeout_ms;
	bool is_operational = settings_numbers("operational", n_operational, numbers);
	(void)set;
	if (is_operational)
		n_operational++;
	int result = is_operational ? OK : next_event(&event, timeout_ms);
	*out = (struct wait){.timeout_ms = timeout_ms,
			     .data_type = is_operational,
			     .type = event.type,
			     .data = event.data,
			     .gpu_instance = is_operational ? 0xffffffff : event.gpu_instance,
			     .severity = 40,
			     .category = (uint32_t)numbers[0],
			     .code = (uint32_t)numbers[1]};
	memcpy(out->module, "GPU-SIMULATED-16", sizeof(out->module));
	(void)nvmlDeviceGetUUID(event.device, out->uuid, sizeof(out->uuid));
	return result;
}
