/*
 * fault_abi.h - what two kernel modules of the driver offer to every process: the tool events of
 * nvidia-uvm, and the debugger controls of nvidia that libcuda itself makes when a context fails.
 * Source: NVIDIA's open kernel modules, 515 to 595; the layouts of the SM states are those of 525
 * to 595. Seen on an H100, driver 580.159.04, as root and as nobody.
 */
#ifndef CULPRIT_RECORD_FAULT_ABI_H
#define CULPRIT_RECORD_FAULT_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define UVM_TOOLS_PATH "/dev/nvidia-uvm-tools"
#define UVM_PATH       "/dev/nvidia-uvm"

/* Plain numbers of ioctl on UVM_TOOLS_PATH. */
enum { UVM_INIT_EVENT_TRACKER = 56, UVM_ENABLE_EVENTS = 58, UVM_DISABLE_EVENTS = 59 };

/*
 * Parameters of UVM_INIT_EVENT_TRACKER. Most drivers have the status at offset 48. 550 adds the
 * requested version at 52; 555 and 560 have the version at 48 and the status at 52. On success the
 * status is 0, and the other word stays as it was.
 */
struct uvm_tracker {
	uint64_t queue, n_entries, control; /* both page-aligned; n_entries: a power of 2 */
	uint8_t processor[16];
	uint32_t all_processors;
	uint32_t uvm_fd; /* an open UVM_PATH that has the process's address space */
	uint32_t words[2];
	uint32_t spare[2];
};
static_assert(offsetof(struct uvm_tracker, words) == 48, "the driver's");

/* Parameters of UVM_ENABLE_EVENTS and UVM_DISABLE_EVENTS. */
struct uvm_events {
	uint64_t kinds; /* 1 << kind */
	uint32_t status;
	uint32_t padding;
};

/* The driver writes entry put_behind - 1 last. Entries are never overwritten, but dropped. */
struct uvm_control {
	uint32_t get_ahead, get_behind, put_ahead, put_behind;
	uint64_t dropped[64]; /* by kind */
};
static_assert(sizeof(struct uvm_control) == 528, "the driver's");

/* An event of kind UVM_FATAL_FAULT: a memory access that the GPU gave up. */
enum { UVM_FATAL_FAULT = 6, UVM_EVENT_SIZE = 64, UVM_LONG_EVENT_SIZE = 72 };
struct uvm_fatal {
	uint8_t kind;
	uint8_t type;
	uint8_t access;
	union {
		struct {
			uint8_t processor; /* 0: a CPU */
			uint8_t reason;
			uint8_t padding[3];
		} brief; /* events of 64 bytes */
		struct {
			uint8_t reason;
			uint8_t processor[2]; /* low, high */
			uint8_t padding[2];
		} wide; /* events of 72 bytes, of 555 and 560 */
	};
	uint64_t address;
	uint64_t raw_ns; /* CLOCK_MONOTONIC_RAW */
};
static_assert(offsetof(struct uvm_fatal, address) == 8, "the driver's");

/* The start of an event of kind UVM_GPU_FAULT: an access that faulted, served later or not. */
enum { UVM_GPU_FAULT = 3 };
struct uvm_gpu_fault {
	uint8_t kind;
	uint8_t type;
	uint8_t access;
	uint8_t unit[5]; /* GPU and unit, in another order in events of 72 bytes */
	uint64_t address;
	uint64_t raw_ns; /* CLOCK_MONOTONIC_RAW, when nvidia-uvm read it */
	uint64_t gpu_ns; /* when the GPU noticed it, by the clock of the progress counters */
};
static_assert(offsetof(struct uvm_gpu_fault, gpu_ns) == 24, "the driver's");

/* The request by which libcuda makes controls: _IOWR('F', 0x2a, 32). */
#define RM_CONTROL 0xc020462au
struct rm_control {
	uint32_t client, object, command, flags;
	uint64_t parameters;
	uint32_t size, status;
};
static_assert(sizeof(struct rm_control) == 32, "the driver's");

/* Commands: the states of the SMs, from `first` on; and the faults of the MMU. */
enum { RM_READ_SM_STATES = (int)0x83de030c, RM_READ_MMU_FAULTS = (int)0x83de0328 };

enum { RM_SM_STATES = 100, RM_MMU_FAULTS = 4 };
struct rm_sm_state {
	uint32_t global_esr, warp_esr, warp_pc, masks[2], padding;
	uint64_t address;
	uint64_t pc;
	uint32_t cluster[2];
};
struct rm_sm_states {
	uint32_t channel, n;
	struct rm_sm_state sms[RM_SM_STATES];
	uint32_t old_mmu_info;
	uint8_t is_mmu_valid, padding[3];
	uint32_t mmu_info;
	uint32_t first;
};
static_assert(sizeof(struct rm_sm_states) == 4824, "the driver's");

struct rm_mmu_faults {
	struct {
		uint64_t address;
		uint32_t type, access;
	} faults[RM_MMU_FAULTS];
	uint32_t n, padding;
};
static_assert(sizeof(struct rm_mmu_faults) == 72, "the driver's");

/* Values of `access` of struct rm_mmu_faults; above them: the same, by physical address. */
enum { RM_ACCESS_READ, RM_ACCESS_WRITE, RM_ACCESS_ATOMIC, RM_ACCESS_PREFETCH, RM_ACCESS_WEAK };

#endif
