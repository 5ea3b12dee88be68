/*
 * inspection.h - the file that `culprit run --inspect` fills: the first bytes of the memory that a
 * launch's pointers point to, before and after the launch. It is in memory beside the journal, a
 * sequence of records. Readers trust none of it.
 */
#ifndef CULPRIT_BASE_INSPECTION_H
#define CULPRIT_BASE_INSPECTION_H

#include <assert.h>
#include <stdint.h>

#include "base/journal_uses.h"

#define INSPECTIONS_NAME "inspections"
#define INSPECTION_MAGIC 0x31505349434c5543ull /* "CULCISP1" */

enum {
	INSPECTION_MAX_POINTERS = 16,
	INSPECTION_MAX_BYTES = 4096,      /* of one pointer, each before and after */
	INSPECTIONS_MAX_BYTES = 32 << 20, /* of the file; inspection stops when it is full */
};

/*
 * A record: this header, n_pointers of struct inspection_pointer, then for each pointer its bytes
 * before and its bytes after.
 */
struct inspection {
	uint64_t magic;
	uint64_t size; /* of the whole record, in bytes */
	uint64_t sequence;
	uint32_t n_pointers;
	uint32_t function; /* id in functions */
	uint32_t stack;
	int32_t failure; /* CUresult of the wait after the launch; 0: success, bytes after follow */
	uint32_t is_last;
	uint32_t reserved;
};
static_assert(sizeof(struct inspection) == 48, "inspection is a format");

struct inspection_pointer {
	uint64_t address;
	uint64_t number; /* of the allocation that it points into */
	uint64_t start, size;
	uint32_t parameter;
	uint32_t offset; /* in the parameter, of a pointer in a structure */
	uint32_t n_before, n_after;
};
static_assert(sizeof(struct inspection_pointer) == 48, "inspection_pointer is a format");

/*
 * The kernels to inspect: another file there, written by the printing process, which can demangle
 * C++ names. For each row of functions it stores the row's id, with KERNEL_CHOSEN if the kernel is
 * to be inspected. A row without an answer yet has an older id, or 0, in its slot. Kernels to check
 * for NaN are chosen in the same way.
 */
#define KERNEL_CHOICES_NAME "kernel-choices"
#define KERNEL_CHOSEN       0x80000000u

/* The option that chooses kernels: --inspect or --nan. */
enum kernel_choice { KERNEL_CHOICE_INSPECT, KERNEL_CHOICE_NAN, N_KERNEL_CHOICES };

struct kernel_choices {
	uint32_t answers[N_KERNEL_CHOICES][ROW_ID_MAX + 1]; /* by row_id_place(); live */
};
static_assert(ROW_USE_NONE < KERNEL_CHOSEN >> ROW_ID_BITS, "no id has that bit");

#endif
