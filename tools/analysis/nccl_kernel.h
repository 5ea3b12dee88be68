/*
 * nccl_kernel.h - recognise NCCL's kernels by their names.
 */
#ifndef CULPRIT_TOOLS_NCCL_KERNEL_H
#define CULPRIT_TOOLS_NCCL_KERNEL_H

#include <stdbool.h>

#include "view/bundle_view.h"

enum { NCCL_KERNEL_SIZE = 64 };

/*
 * Read the collective from the name of a record's kernel: "AllReduce_Sum_f32_RING_LL" from
 * "ncclDevKernel_AllReduce_Sum_f32_RING_LL(...)", or from "ncclKernel_..." before NCCL 2.18. The
 * name may be mangled. A longer one is cut. Return false if the record is not of a kernel of NCCL;
 * *out is unchanged then. Any thread.
 */
bool nccl_kernel_read(const struct bundle_view *view, const struct journal_record *record,
		      char out[NCCL_KERNEL_SIZE]);

#endif
