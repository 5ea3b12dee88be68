/*
 * nvml.h - NVIDIA's management library, loaded at run time. Only what culprit asks for is declared,
 * by the documented interface (docs.nvidia.com/deploy/nvml-api). NVML may hang when a GPU does, so
 * only a helper process calls it: see hardware_watch.h.
 */
#ifndef CULPRIT_TOOLS_NVML_H
#define CULPRIT_TOOLS_NVML_H

#include <stdbool.h>
#include <stdint.h>

/* Results; all other numbers are failures that culprit does not distinguish. */
enum nvml_result {
	NVML_OK = 0,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_PERMISSION = 4,
	NVML_INSUFFICIENT_SIZE = 7,
	NVML_TIMEOUT = 10,
	NVML_FUNCTION_NOT_FOUND = 13,
	NVML_GPU_IS_LOST = 15,
	NVML_RESET_REQUIRED = 16,
	NVML_DEPRECATED = 26,
};

enum { NVML_CORRECTED, NVML_UNCORRECTED };              /* types of ECC errors */
enum { NVML_VOLATILE };                                 /* counted since the driver was loaded */
enum { NVML_CAUSE_SINGLE_BITS, NVML_CAUSE_DOUBLE_BIT }; /* why a page was retired */
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };
enum { NVML_MIG_ENABLED = 1, NVML_INSTANCE_UNKNOWN = -1 };

/* Bits of clocks_reasons(): those that lower the clocks because of heat or power. */
enum {
	NVML_SLOW_HARDWARE = 0x8, /* heat or power; the bits below say which, on newer GPUs */
	NVML_SLOW_SOFTWARE_HEAT = 0x20,
	NVML_SLOW_HARDWARE_HEAT = 0x40,
	NVML_SLOW_POWER_BRAKE = 0x80,
};

/* Types of events, as bits. */
enum {
	NVML_EVENT_DOUBLE_BIT_ECC = 0x2,
	NVML_EVENT_XID = 0x8,
	NVML_EVENT_RETIREMENT = 0x400, /* of memory: a page or a row */
	NVML_EVENT_RETIREMENT_FAILED = 0x800,
	NVML_EVENT_POISON = 0x1000, /* an uncorrected error reached a program */
	NVML_EVENT_FATAL_POISON = 0x2000,
	NVML_EVENT_UNAVAILABLE = 0x4000,
	NVML_EVENT_RECOVERY_ACTION = 0x8000,
	NVML_EVENT_OPERATIONAL = 0x40000000, /* culprit's own: a GPU operational event */
};

/* GPU operational events, a preview since driver 615: severities, and categories that say a cause.
 */
enum { NVML_SEVERITY_RECOVERABLE = 30, NVML_SEVERITY_FATAL = 40 };
enum {
	NVML_CATEGORY_MEMORY_INTEGRITY = 2,
	NVML_CATEGORY_INTERCONNECT = 3,
	NVML_CATEGORY_CORRUPTION = 4,
};
enum { NVML_DATA_OPERATIONAL = 1 }; /* nvml_wait.data_type; 0: an event with a type */

/* Fields of field_values(). */
enum {
	NVML_FIELD_CRC_FLIT_TOTAL = 38,
	NVML_FIELD_CRC_DATA_TOTAL = 45,
	NVML_FIELD_REPLAY_TOTAL = 52,
	NVML_FIELD_RECOVERY_TOTAL = 59,
	NVML_FIELD_RECOVERY_ACTION = 230,
};

/* How a field's value is stored. */
enum {
	NVML_VALUE_DOUBLE,
	NVML_VALUE_UINT,
	NVML_VALUE_ULONG,
	NVML_VALUE_ULONG_LONG,
	NVML_VALUE_LONG_LONG,
	NVML_VALUE_INT,
	NVML_VALUE_USHORT,
};

typedef struct nvml_device *nvml_device;
typedef struct nvml_event_set *nvml_event_set;

struct nvml_pci {
	char old_bus_id[16];
	uint32_t domain, bus, device, device_id, subsystem_id;
	char bus_id[32]; /* "00000000:1B:00.0" */
};
_Static_assert(sizeof(struct nvml_pci) == 68, "the layout is NVML's");

struct nvml_event {
	nvml_device device;
	uint64_t type; /* one bit */
	uint64_t data; /* of NVML_EVENT_XID: its number */
	uint32_t gpu_instance;
	uint32_t compute_instance;
};
_Static_assert(sizeof(struct nvml_event) == 32, "the layout is NVML's");

struct nvml_operational_config {
	char uuid[96]; /* "GPU-..." */
	uint32_t min_log_level;
	uint32_t min_severity;
};
_Static_assert(sizeof(struct nvml_operational_config) == 104, "the layout is NVML's");

struct nvml_wait {
	uint32_t timeout_ms; /* in; the other members are out */
	uint32_t data_type;
	char uuid[96];
	char module[16]; /* without a final NUL if it is long */
	uint64_t type, data, group_cursor, instance, timestamp_us, trace;
	uint32_t gpu_instance, compute_instance, severity, category, code, scope, originator;
	uint32_t module_instance, chiplet, log_level, attributes, cper_size, group_attributes;
	uint8_t group_size, group_index;
};
_Static_assert(sizeof(struct nvml_wait) == 224, "the layout is NVML's");

struct nvml_field {
	uint32_t id;
	uint32_t scope;
	int64_t timestamp;
	int64_t latency_us;
	uint32_t type; /* NVML_VALUE_* */
	int result;    /* of this field alone */
	union {
		double number;
		uint32_t u32;
		int32_t i32;
		uint16_t u16;
		uint64_t u64;
	} value;
};
_Static_assert(sizeof(struct nvml_field) == 40, "the layout is NVML's");

/*
 * NVML's functions under names of our own; they return an nvml_result. A function that the library
 * lacks is NULL, except for those that nvml_load() requires.
 */
struct nvml {
	void *library;
	int (*init)(void);
	int (*driver_version)(char *out, unsigned size);
	int (*count)(unsigned *out);
	int (*by_index)(unsigned index, nvml_device *out);
	int (*uuid)(nvml_device device, char *out, unsigned size);
	int (*name)(nvml_device device, char *out, unsigned size);
	int (*pci)(nvml_device device, struct nvml_pci *out);
	int (*mig_mode)(nvml_device device, unsigned *out_current, unsigned *out_pending);
	int (*mig_max)(nvml_device device, unsigned *out);
	int (*mig_by_index)(nvml_device device, unsigned index, nvml_device *out);
	int (*gpu_instance)(nvml_device device, unsigned *out);
	int (*ecc_total)(nvml_device device, int type, int counter, unsigned long long *out);
	int (*remapped_rows)(nvml_device device, unsigned *out_corrected, unsigned *out_uncorrected,
			     unsigned *out_pending, unsigned *out_failed);
	int (*retired_pages)(nvml_device device, int cause, unsigned *n,
			     unsigned long long *addresses);
	int (*retired_pending)(nvml_device device, int *out);
	int (*field_values)(nvml_device device, int n, struct nvml_field *fields);
	int (*clocks_reasons)(nvml_device device, unsigned long long *out);
	int (*clock)(nvml_device device, int clock, unsigned *out_mhz);
	int (*max_clock)(nvml_device device, int clock, unsigned *out_mhz);
	int (*event_types)(nvml_device device, unsigned long long *out);
	int (*events_create)(nvml_event_set *out);
	int (*events_register)(nvml_device device, unsigned long long types, nvml_event_set set);
	int (*events_wait)(nvml_event_set set, struct nvml_event *out, unsigned timeout_ms);
	int (*register_operational)(nvml_event_set set, struct nvml_operational_config *config);
	int (*wait_for_any)(nvml_event_set set, struct nvml_wait *wait);
};

/*
 * Load libnvidia-ml.so.1 as the loader finds it. Return true if it has what is needed to name GPUs.
 * Nothing is initialised yet. One thread.
 */
bool nvml_load(struct nvml *out);

#endif
