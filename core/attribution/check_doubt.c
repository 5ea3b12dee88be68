/*
 * check_doubt.c - look for checks in the journal, and for graphs that had some. A graph may have
 * had some without a row, if the table of graphs was full.
 */
#include "attribution/check_doubt.h"

#include "base/cuda_api.h"

static bool has_checked_graph(const struct bundle_view *view)
{
	uint64_t n_rows = view->tables[JOURNAL_GRAPHS].n_rows;
	struct graph_row row;
	for (uint64_t id = 1; id <= n_rows && id <= UINT32_MAX; id++)
		if (view_graph_copy(view, (uint32_t)id, &row) && row.flags & GRAPH_HAS_CHECKS)
			return true;
	return false;
}

bool check_doubt_raises(int32_t code)
{
	return code == CUDA_ERROR_ILLEGAL_ADDRESS || code == CUDA_ERROR_LAUNCH_FAILED;
}

bool check_doubt_applies(const struct bundle_view *view, int32_t code)
{
	return check_doubt_raises(code) &&
	       (view->tables[JOURNAL_CHECKS].first || view->tables[JOURNAL_GRAPH_CHECKS].first ||
		has_checked_graph(view));
}
