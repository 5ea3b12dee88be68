/*
 * truth.c - write a line of JSON about the first fault of the process.
 */
#include "coredump/truth.h"

#include <stdio.h>
#include <unistd.h>

#include "objects.h"
#include "settings.h"
#include "work/operation.h"
#include "work/work.h"

static const char *const kind_names[] = {
	[WORK_EMPTY] = "empty",
	[WORK_KERNEL] = "kernel",
	[WORK_COPY] = "copy",
	[WORK_MEMSET] = "memset",
	[WORK_HOST] = "host",
	[WORK_EVENT_RECORD] = "event_record",
	[WORK_EVENT_WAIT] = "event_wait",
	[WORK_MEMOPS] = "memop",
	[WORK_FREE] = "free",
	[WORK_GRAPH] = "graph",
};

static void write_dim(FILE *file, const char *name, const struct simcuda_dim *dim)
{
	fprintf(file, ", \"%s\": [%u, %u, %u]", name, dim->x, dim->y, dim->z);
}

static void write_kernel(FILE *file, const struct kernel_work *work)
{
	fprintf(file, ", \"kernel\": \"%s\"", work->function->kernel->name);
	write_dim(file, "grid", &work->grid);
	write_dim(file, "block", &work->block);
	fprintf(file, ", \"params\": \"");
	for (size_t i = 0; i < work->params_size; i++)
		fprintf(file, "%02x", work->params[i]);
	fprintf(file, "\"");
}

static void write_work(FILE *file, const struct work *work)
{
	if (work->kind == WORK_GRAPH) {
		const struct compound *graph = work->graph;
		fprintf(file, ", \"node\": %zu, \"replay\": %llu, \"node_kind\": \"%s\"",
			graph->index, (unsigned long long)graph->replay,
			kind_names[graph->current->kind]);
		write_work(file, graph->current);
	} else if (work->kind == WORK_KERNEL) {
		write_kernel(file, &work->kernel);
	}
}

static void write_line(FILE *file, const struct operation *operation, CUresult code)
{
	const struct submission *submission = &operation->submission;
	fprintf(file, "{\"pid\": %d, \"code\": %d, \"kind\": \"%s\"", (int)getpid(), (int)code,
		kind_names[operation->work.kind]);
	fprintf(file, ", \"launch\": %llu, \"submission\": %llu, \"ordinal\": %llu",
		(unsigned long long)submission->launch, (unsigned long long)submission->number,
		(unsigned long long)submission->ordinal);
	fprintf(file, ", \"tid\": %d, \"stream\": \"0x%llx\"", (int)submission->tid,
		(unsigned long long)(uintptr_t)operation->stream);
	write_work(file, &operation->work);
	fprintf(file, "}\n");
}

void truth_write(const struct operation *operation, CUresult code)
{
	FILE *file = settings.truth_path ? fopen(settings.truth_path, "ae") : NULL;
	if (!file)
		return;
	write_line(file, operation, code);
	fclose(file);
}
