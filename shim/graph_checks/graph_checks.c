/*
 * graph_checks.c - replace the driver's calls that make, launch and destroy executable graphs.
 */
#include "graph_checks/graph_checks.h"

#include <stddef.h>

#include "check/argument_ranges.h"
#include "failure/failure.h"
#include "graph_checks/checked_execs.h"
#include "graph_checks/graph_changes.h"
#include "graph_checks/graph_findings.h"
#include "graph_checks/quiet.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/recording.h"

/* The driver's own entry points, in a mapping of their own; written at the start only. */
static const struct driver *driver;
static struct check_choice choice;

/* Flags that mean the same for a second instance; an upload is done by the first. */
static const unsigned long long same_flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
					     CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

/* The program's instance was made first, so that our nodes do not decide whether it works. */
static void instantiated(CUgraphExec exec, CUgraph graph, unsigned long long flags)
{
	if (!recording_is_on())
		return;
	struct quiet quiet = quiet_begin();
	/* If a context ended with its graphs, their handles are free again. */
	checked_execs_remove(exec);
	if (failure_has_happened()) {
		quiet_end(&quiet);
		return;
	}
	struct checked_graph made = {0};
	const char *reason =
		flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH
			? "the GPU may launch it"
			: checked_graph_make(graph, flags & same_flags, &choice, &made);
	if (!reason || *reason)
		checked_execs_add(exec, &made, reason);
	quiet_end(&quiet);
}

#define INSTANTIATE(name, last_params, pass, flags)                                            \
	static CUresult CUDAAPI checking_##name(CUgraphExec *exec, CUgraph graph, last_params) \
	{                                                                                      \
		CUresult result = driver->name pass;                                           \
		if (result == CUDA_SUCCESS)                                                    \
			instantiated(*exec, graph, flags);                                     \
		return result;                                                                 \
	}
#define COMMA ,
INSTANTIATE(cuGraphInstantiate, CUgraphNode *node COMMA char *log COMMA size_t size,
	    (exec, graph, node, log, size), 0)
INSTANTIATE(cuGraphInstantiate_v2, CUgraphNode *node COMMA char *log COMMA size_t size,
	    (exec, graph, node, log, size), 0)
INSTANTIATE(cuGraphInstantiateWithFlags, unsigned long long flags, (exec, graph, flags), flags)
INSTANTIATE(cuGraphInstantiateWithParams, CUDA_GRAPH_INSTANTIATE_PARAMS *params,
	    (exec, graph, params), params->flags)
INSTANTIATE(cuGraphInstantiateWithParams_ptsz, CUDA_GRAPH_INSTANTIATE_PARAMS *params,
	    (exec, graph, params), params->flags)

static CUgraphExec begin_launch(struct checked_exec *checked, CUgraphExec exec, CUstream stream)
{
	struct quiet quiet = quiet_begin();
	CUgraphExec instance = checked_exec_begin_launch(checked, exec, stream);
	quiet_end(&quiet);
	return instance;
}

static void end_launch(struct checked_exec *checked, CUstream stream)
{
	struct quiet quiet = quiet_begin();
	checked_exec_launched(checked, stream);
	quiet_end(&quiet);
}

static void give_up(struct checked_exec *checked, const char *reason)
{
	struct quiet quiet = quiet_begin();
	checked_exec_give_up(checked, reason);
	quiet_end(&quiet);
}

/* A launch that is captured becomes a child graph of the program's own graph. */
static CUresult launch(CUresult (*start)(CUgraphExec, CUstream), CUgraphExec exec, CUstream handle,
		       CUstream stream)
{
	struct checked_exec *checked = checked_execs_find(exec);
	if (!checked || captures_stream(stream))
		return start(exec, handle);
	/* If the thread were cancelled here, it would never end its use of the ranges. */
	int cancellation = cancellation_hold();
	argument_ranges_begin_use();
	CUgraphExec instance = begin_launch(checked, exec, stream);
	CUresult result = start(instance, handle);
	argument_ranges_end_use();
	cancellation_restore(cancellation);
	if (instance == exec)
		return result;
	if (result == CUDA_ERROR_OUT_OF_MEMORY) {
		give_up(checked, "there is no memory for the copy");
		return start(begin_launch(checked, exec, stream), handle);
	}
	if (result == CUDA_SUCCESS)
		end_launch(checked, stream);
	return result;
}

/* Both instances are uploaded: the program's own is launched if the other is given up. */
static CUresult upload(CUresult (*start)(CUgraphExec, CUstream), CUgraphExec exec, CUstream stream)
{
	struct checked_exec *checked = checked_execs_find(exec);
	CUresult result = start(exec, stream);
	if (checked && checked->graph.instance && result == CUDA_SUCCESS) {
		struct quiet quiet = quiet_begin();
		(void)start(checked->graph.instance, stream);
		quiet_end(&quiet);
	}
	return result;
}

static CUresult CUDAAPI checking_cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
	return launch(driver->cuGraphLaunch, exec, stream, stream);
}

static CUresult CUDAAPI checking_cuGraphLaunch_ptsz(CUgraphExec exec, CUstream stream)
{
	return launch(driver->cuGraphLaunch_ptsz, exec, stream,
		      stream ? stream : CU_STREAM_PER_THREAD);
}

static CUresult CUDAAPI checking_cuGraphUpload(CUgraphExec exec, CUstream stream)
{
	return upload(driver->cuGraphUpload, exec, stream);
}

static CUresult CUDAAPI checking_cuGraphUpload_ptsz(CUgraphExec exec, CUstream stream)
{
	return upload(driver->cuGraphUpload_ptsz, exec, stream);
}

/* The handle is free for another graph as soon as the driver has destroyed this one. */
static CUresult CUDAAPI checking_cuGraphExecDestroy(CUgraphExec exec)
{
	if (checked_execs_find(exec)) {
		struct quiet quiet = quiet_begin();
		checked_execs_remove(exec);
		quiet_end(&quiet);
	}
	return driver->cuGraphExecDestroy(exec);
}

void graph_checks_start(const struct check_choice *wanted, bool has_last)
{
	driver = driver_copy();
	if (!driver)
		return;
	choice = *wanted;
	choice.mode.flags |= has_last ? 0 : CHECK_ODD_ONLY;
	checked_graph_start(driver);
	checked_execs_start(driver);
	graph_changes_start(driver);
	graph_findings_start(has_last);
#define REPLACE(name) __atomic_store_n(&real.name, checking_##name, __ATOMIC_RELAXED)
	REPLACE(cuGraphInstantiate);
	REPLACE(cuGraphInstantiate_v2);
	REPLACE(cuGraphInstantiateWithFlags);
	REPLACE(cuGraphInstantiateWithParams);
	REPLACE(cuGraphInstantiateWithParams_ptsz);
	REPLACE(cuGraphLaunch);
	REPLACE(cuGraphLaunch_ptsz);
	REPLACE(cuGraphUpload);
	REPLACE(cuGraphUpload_ptsz);
	REPLACE(cuGraphExecDestroy);
#undef REPLACE
}

void graph_checks_finish(void)
{
	if (driver)
		checked_execs_finish();
}
