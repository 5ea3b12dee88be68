/*
 * nvml.c - look up NVML's functions by their versioned names.
 */
#include "hardware/nvml.h"

#include <dlfcn.h>

/* `function` points to a function pointer: ISO C does not allow a cast from dlsym's result. */
static void look_up(const struct nvml *nvml, const char *name, void *function)
{
	*(void **)function = dlsym(nvml->library, name);
}

static void look_up_identity(struct nvml *nvml)
{
	look_up(nvml, "nvmlInit_v2", &nvml->init);
	look_up(nvml, "nvmlSystemGetDriverVersion", &nvml->driver_version);
	look_up(nvml, "nvmlDeviceGetCount_v2", &nvml->count);
	look_up(nvml, "nvmlDeviceGetHandleByIndex_v2", &nvml->by_index);
	look_up(nvml, "nvmlDeviceGetUUID", &nvml->uuid);
	look_up(nvml, "nvmlDeviceGetName", &nvml->name);
	look_up(nvml, "nvmlDeviceGetPciInfo_v3", &nvml->pci);
	look_up(nvml, "nvmlDeviceGetMigMode", &nvml->mig_mode);
	look_up(nvml, "nvmlDeviceGetMaxMigDeviceCount", &nvml->mig_max);
	look_up(nvml, "nvmlDeviceGetMigDeviceHandleByIndex", &nvml->mig_by_index);
	look_up(nvml, "nvmlDeviceGetGpuInstanceId", &nvml->gpu_instance);
}

static void look_up_state(struct nvml *nvml)
{
	look_up(nvml, "nvmlDeviceGetTotalEccErrors", &nvml->ecc_total);
	look_up(nvml, "nvmlDeviceGetRemappedRows", &nvml->remapped_rows);
	look_up(nvml, "nvmlDeviceGetRetiredPages", &nvml->retired_pages);
	look_up(nvml, "nvmlDeviceGetRetiredPagesPendingStatus", &nvml->retired_pending);
	look_up(nvml, "nvmlDeviceGetFieldValues", &nvml->field_values);
	look_up(nvml, "nvmlDeviceGetCurrentClocksEventReasons", &nvml->clocks_reasons);
	if (!nvml->clocks_reasons) /* its name before driver 535 */
		look_up(nvml, "nvmlDeviceGetCurrentClocksThrottleReasons", &nvml->clocks_reasons);
	look_up(nvml, "nvmlDeviceGetClockInfo", &nvml->clock);
	look_up(nvml, "nvmlDeviceGetMaxClockInfo", &nvml->max_clock);
	look_up(nvml, "nvmlDeviceGetSupportedEventTypes", &nvml->event_types);
	look_up(nvml, "nvmlEventSetCreate", &nvml->events_create);
	look_up(nvml, "nvmlDeviceRegisterEvents", &nvml->events_register);
	look_up(nvml, "nvmlEventSetWait_v2", &nvml->events_wait);
	look_up(nvml, "nvmlEventSetRegisterGpuOperationalEvents_v1", &nvml->register_operational);
	look_up(nvml, "nvmlEventSetWait_v3", &nvml->wait_for_any);
}

bool nvml_load(struct nvml *out)
{
	*out = (struct nvml){.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)};
	if (!out->library)
		return false;
	look_up_identity(out);
	look_up_state(out);
	return out->init && out->count && out->by_index && out->uuid;
}
