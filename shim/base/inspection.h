/*
 * inspection.h - what `culprit run --inspect` learns of a launch: the first bytes of what its
 * pointers point to, before and after. A file beside the journal in memory, one record behind the
 * other; readers trust none of it.
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
	INSPECTION_MAX_BYTES = 4096,      /* of one pointer, before and after each */
	INSPECTIONS_MAX_BYTES = 32 << 20, /* of the file: then no launch is inspected any more */
};

/* Behind it n_pointers of the next, and then of each in turn its bytes before and after. */
struct inspection {
	uint64_t magic;
	uint64_t size; /* of all of it */
	uint64_t sequence;
	uint32_t n_pointers;
	uint32_t function; /* id in functions */
	uint32_t stack;
	int32_t failure; /* CUresult of the wait behind it; 0: none, and there is an after */
	uint32_t is_last;
	uint32_t reserved;
};
static_assert(sizeof(struct inspection) == 48, "inspection is a format");

struct inspection_pointer {
	uint64_t address;
	uint64_t number; /* of the allocation */
	uint64_t start, size;
	uint32_t parameter;
	uint32_t offset; /* in it: of a pointer in a structure */
	uint32_t n_before, n_after;
};
static_assert(sizeof(struct inspection_pointer) == 48, "inspection_pointer is a format");

/*
 * Which kernels are looked at, another file there: the process that prints, which can read C++
 * names as people write them, answers for each row of functions with the row's id, and
 * KERNEL_CHOSEN where it is. The place of a row that has had no answer yet has an older id, or 0.
 */
#define KERNEL_CHOICES_NAME "kernel-choices"
#define KERNEL_CHOSEN       0x80000000u

struct kernel_choices {
	uint32_t answers[ROW_ID_MAX + 1]; /* by row_id_place(); live */
};
static_assert(ROW_USE_NONE < KERNEL_CHOSEN >> ROW_ID_BITS, "no id has that bit");

#endif
