/*
 * gpu_reading.h - ask NVML about one GPU. For the helper process: each call may hang.
 */
#ifndef CULPRIT_TOOLS_GPU_READING_H
#define CULPRIT_TOOLS_GPU_READING_H

#include "hardware/hardware.h"
#include "hardware/nvml.h"

/* Fill the GPU's names and MIG devices. Names that NVML does not have stay empty. One thread. */
void gpu_describe(const struct nvml *nvml, nvml_device device, unsigned index,
		  struct hardware_gpu *out);

/* Ask for each counter. `ns` is set last. One thread. */
void gpu_read(const struct nvml *nvml, nvml_device device, struct gpu_reading *out);

/*
 * Register for the events about errors that the GPU supports, and store which, or why there are
 * none. One thread.
 */
void gpu_watch(const struct nvml *nvml, nvml_device device, nvml_event_set set,
	       struct hardware_gpu *out);

/*
 * Register for GPU operational events that are errors, too, on drivers that have them. Return
 * whether they arrive. One thread.
 */
bool gpu_watch_operational(const struct nvml *nvml, nvml_event_set set, struct hardware_gpu *out);

#endif
