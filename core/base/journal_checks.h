/*
 * journal_checks.h - the part of journal_format.h for checked memory: what the checking kernels
 * (base/check_format.h) found in the arguments of launches. Include journal_format.h instead of
 * this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_CHECKS_H
#define CULPRIT_BASE_JOURNAL_CHECKS_H

#include <assert.h>
#include <stdint.h>

#include "base/check_format.h"

enum check_row_flags {
	CHECK_ROW_INSPECTED = 1,  /* the launch was chosen for inspection */
	CHECK_ROW_CUT = 2,        /* only the first `bytes` of the argument's memory were checked */
	CHECK_ROW_HAS_AFTER = 4,  /* the launch was accepted, and the check after it has run */
	CHECK_ROW_INFINITIES = 8, /* infinities count as odd, beside NaN */
	CHECK_ROW_ODD_ONLY = 16,  /* launches without odd values are not recorded */
};

/*
 * The memory of one argument of a launch, before and after the launch. The rows of a launch follow
 * each other, in the order of its parameters. Launches of a stream are in its order.
 */
struct check_row {
	uint64_t sequence;    /* of the launch */
	uint64_t address;     /* of the first element */
	uint64_t bytes;       /* that were checked */
	uint64_t number;      /* of the allocation */
	uint64_t start, size; /* of the allocation */
	uint64_t ordinal;     /* of the launch in its stream; 0: not known */
	uint32_t function;    /* id in functions */
	uint32_t stack;       /* id in stacks */
	uint32_t stream;      /* id in streams; 0: not known */
	uint32_t parameter;   /* index */
	uint32_t offset;      /* in the parameter, of a pointer in a structure */
	uint32_t n_rows;      /* of the launch */
	uint32_t index;       /* of this row among those */
	uint32_t flags;       /* enum check_row_flags */
	struct check_result before, after;
};
static_assert(sizeof(struct check_result) == 88, "check_result is part of the format");
static_assert(sizeof(struct check_row) == 264, "check_row is part of the format");

/* With --nan alone, checks stop after so many rows, which are those of launches with odd values. */
enum { CHECK_ROWS_MAX = 128 * 1024, CHECK_ODD_ROWS_MAX = 4096 };

#endif
