/*
 * journal_faults.h - the part of journal_format.h for what the driver said of a fault on the GPU:
 * addresses, kinds of access, program counters. Include journal_format.h instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_FAULTS_H
#define CULPRIT_BASE_JOURNAL_FAULTS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
	FAULT_EVENT = 1,     /* nvidia-uvm reported a fatal memory fault of this process */
	FAULT_EXCEPTION,     /* an SM holds the state of a warp that raised an exception */
	FAULT_MMU,           /* an entry of the driver's list of MMU faults of this context */
	FAULT_EVENTS_READ,   /* summary: culprit read nvidia-uvm's events; `count` says how many */
	FAULT_STATES_READ,   /* summary: culprit saw the driver read SM states; see `count` */
	FAULT_MMU_LIST_READ, /* summary: the driver answered with a list of `count` MMU faults */
	FAULT_TIMES_READ,    /* summary: culprit read nvidia-uvm's faults with the GPU's time */
	FAULT_TIMED          /* one of these: fatal, or of managed memory and served */
};

/* The numbers of nvidia-uvm. */
enum fault_access {
	FAULT_ACCESS_UNKNOWN,
	FAULT_READ,
	FAULT_WRITE,
	FAULT_ATOMIC,
	FAULT_PREFETCH,
};

enum fault_flags {
	FAULT_ADDRESS_PAGE = 1, /* `address` is the start of the page that was accessed */
	FAULT_ADDRESS_BYTE = 2, /* `address` is exact; an offset for some values of warp_esr */
	FAULT_HAS_PC = 4,
	FAULT_MMU_VALID = 8, /* FAULT_STATES_READ: the driver's answer says that the MMU faulted */
	FAULT_LATE = 16, /* FAULT_EVENTS_READ: enabled after work of these contexts was submitted */
	FAULT_ONE_CONTEXT = 32, /* FAULT_STATES_READ: the process had one context, besides green
				   ones, from then on until the failure was written */
};

#define FAULT_DEVICE_UNKNOWN UINT32_MAX
#define FAULT_PAGE_SIZE      4096 /* the GPU's; nvidia-uvm rounds to the kernel's page */

/* The low byte of warp_esr is the exception, as in the headers of NVIDIA's open kernel modules. */
enum { FAULT_ESR_EXCEPTION_MASK = 0xff };

/*
 * One fault, or one summary of a source. A summary with count 0 is evidence as well: the source was
 * in use and held no fault. A source without a summary was missing, off or contradicted itself.
 * Rows are written once, at the failure and before its verdict.
 */
struct fault_row {
	uint64_t time_ns;  /* CLOCK_MONOTONIC, as in records: of the fault (FAULT_EVENT,
			      FAULT_TIMED), else of the reading; may be wrong by some 50 us; 0:
			      unknown */
	uint64_t raw_ns;   /* the same two: the driver's own time, CLOCK_MONOTONIC_RAW; else 0 */
	uint64_t gpu_ns;   /* FAULT_TIMED: GPU time, as in channel_row; else 0 */
	uint64_t address;  /* with FAULT_ADDRESS_PAGE or FAULT_ADDRESS_BYTE */
	uint64_t pc;       /* with FAULT_HAS_PC: a GPU code address */
	uint32_t context;  /* id in contexts; 0: unknown */
	uint32_t device;   /* ordinal, or FAULT_DEVICE_UNKNOWN */
	uint8_t kind;      /* enum fault_kind */
	uint8_t access;    /* enum fault_access */
	uint16_t flags;    /* enum fault_flags */
	uint8_t type;      /* raw fault type of FAULT_EVENT: 1 no PDE, 2 no PTE, 3 read only, ... */
	uint8_t reason;    /* raw reason of FAULT_EVENT: 1 invalid address, 2 permissions, ... */
	uint8_t processor; /* raw number of the GPU in nvidia-uvm, of FAULT_EVENT */
	uint8_t page_shift; /* with FAULT_ADDRESS_PAGE: the page has 1 << page_shift bytes; 0: 4 KiB
			     */
	uint32_t warp_esr;  /* FAULT_EXCEPTION; see FAULT_ESR_EXCEPTION_MASK */
	uint32_t global_esr; /* the same; FAULT_STATES_READ: all SMs' without a warp_esr, or-ed */
	uint32_t sm;         /* FAULT_EXCEPTION: index of the SM in the driver's answers */
	uint32_t mmu_info;   /* FAULT_STATES_READ: raw faultInfo; FAULT_MMU: raw fault type */
	uint32_t source;     /* the driver's handle of the object that was asked; 0: nvidia-uvm */
	uint32_t count;      /* summaries: all faults, events or SMs with an exception */
	uint32_t n_lost;     /* summaries: how many of these have no row */
	uint32_t reserved2[3];
};
static_assert(sizeof(struct fault_row) == 96, "fault_row is part of the format");

/* Return the size of the page that a fault's address is the start of. Any thread. */
static inline uint64_t fault_page_size(const struct fault_row *row)
{
	bool is_known = row->page_shift > 0 && row->page_shift < 32;
	return is_known ? (uint64_t)1 << row->page_shift : FAULT_PAGE_SIZE;
}

/* Limits per source. Further faults are only counted, in the summary's n_lost. */
enum { FAULT_EVENTS_MAX = 63, FAULT_TIMES_MAX = 63, FAULT_EXCEPTIONS_MAX = 192, FAULT_MMU_MAX = 4 };

/* All sources of one context's failure, with their summaries. */
enum {
	FAULT_ROWS_MAX =
		FAULT_EVENTS_MAX + FAULT_TIMES_MAX + FAULT_EXCEPTIONS_MAX + FAULT_MMU_MAX + 4
};

#endif
