/*
 * process_status.c - read a process's journal, then take the snapshot, so that the driver's
 * progress counters are newer than the submissions they are compared with.
 */
#include "status/process_status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/readings.h"
#include "bundle/bundle.h"
#include "command/message.h"
#include "command/monotonic.h"
#include "status/snapshot.h"

/* Return the state letter of /proc/PID/stat; 0 if it cannot be read. */
static char state_of(long pid)
{
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	char line[1024];
	const char *end = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	if (!end || !end[1])
		return 0;
	return end[2];
}

static void take_snapshot(const struct target *target, struct process_status *status)
{
	if (!target->is_alive) {
		status->last_ns = view_failure(&status->bundle->view)
					  ? 0
					  : readings_apply_last(status->bundle);
		return;
	}
	status->now_ns = monotonic_ns();
	char state = state_of(status->pid);
	status->is_stopped = state == 'T' || state == 't';
	struct snapshot snapshot;
	if (status->is_stopped || snapshot_take(target->memory_fd, SNAPSHOT_TIMEOUT_MS, &snapshot))
		return;
	status->has_snapshot = true;
	status->now_ns = snapshot.time_ns;
	status->locked_ns = snapshot_locked_ns(&snapshot);
	readings_apply(snapshot.readings, snapshot.n, status->bundle);
	snapshot_free(&snapshot);
}

static void add_wait(struct process_status *status, const struct waiting_thread *wait)
{
	if (status->n_waits < MAX_WAITS)
		status->waits[status->n_waits++] = *wait;
}

static void read_waits(struct process_status *status)
{
	const struct bundle_view *view = &status->bundle->view;
	uint64_t n_rows = view->tables[JOURNAL_WAITS].n_rows;
	for (uint32_t id = 1; id <= n_rows && id != 0; id++) {
		const struct wait_row *row = view_wait(view, id);
		if (row->since_ns)
			add_wait(status, &(struct waiting_thread){.tid = row->tid,
								  .call = row->call,
								  .stack = row->stack,
								  .stream = row->stream,
								  .ordinal = row->ordinal,
								  .since_ns = row->since_ns});
	}
}

/* Add the newest submission of a thread's ring if its driver call has not returned. */
static void read_pending(struct process_status *status, uint32_t slot)
{
	const struct bundle_view *view = &status->bundle->view;
	uint64_t n_written = view_written(view, slot);
	struct journal_record newest = {0};
	struct journal_record record;
	for (uint64_t i = 0; i < n_written; i++)
		if (view_record(view, slot, i, &record) && record.commit > newest.commit)
			newest = record;
	if (newest.kind != RECORD_SUBMISSION || newest.result != RESULT_PENDING)
		return;
	add_wait(status, &(struct waiting_thread){.tid = newest.tid,
						  .call = newest.call,
						  .stack = newest.stack,
						  .stream = newest.stream,
						  .sequence = newest.sequence,
						  .since_ns = newest.time_ns});
}

/* Find the state of each stream that has unfinished work. */
static int read_stalls(struct process_status *status)
{
	const struct bundle_view *view = &status->bundle->view;
	const struct reading_time read = {status->is_alive ? status->now_ns : status->last_ns,
					  !status->is_alive};
	size_t size = stalls_scratch(view);
	void *scratch = malloc(size);
	int error = scratch ? stalls_find(view, &read, scratch, size, &status->stalls) : -ENOMEM;
	free(scratch);
	return error;
}

int process_status_take(struct process_status *status)
{
	int error = read_stalls(status);
	read_waits(status);
	for (uint32_t slot = 0; slot < status->bundle->view.n_rings; slot++)
		read_pending(status, slot);
	return error;
}

static int read_all(const struct target *target, struct process_status *status)
{
	status->pid = (long)json_integer_value(json_object_get(status->bundle->meta, "pid"));
	status->is_alive = target->is_alive;
	take_snapshot(target, status);
	return process_status_take(status);
}

bool process_status_is_read(enum exit_status status)
{
	return status == EXIT_STATUS_OK || status == EXIT_STATUS_DAMAGED;
}

enum exit_status process_status_read(const struct target *target, struct process_status *out)
{
	memset(out, 0, sizeof(*out));
	enum exit_status result = bundle_open(target->path, &out->bundle);
	if (!process_status_is_read(result))
		return result;
	int error = read_all(target, out);
	if (!error)
		return result;
	message("%s: %s", target->path,
		error == -EBADMSG ? "contradicts itself" : strerror(-error));
	bundle_close(out->bundle);
	return error == -EBADMSG ? EXIT_STATUS_BAD_BUNDLE : EXIT_STATUS_SYSTEM;
}

int process_status_name(struct process_status *status)
{
	int error = status->has_names ? 0
				      : analysis_open(status->bundle, SYMBOLS_WAIT_SECONDS, NULL,
						      &status->analysis);
	status->has_names = !error;
	return error;
}

enum exit_status process_status_open(const struct target *target, struct process_status *out)
{
	enum exit_status result = process_status_read(target, out);
	if (!process_status_is_read(result) || !process_status_name(out))
		return result;
	message("%s: %s", target->path, strerror(ENOMEM));
	process_status_close(out);
	return EXIT_STATUS_SYSTEM;
}

void process_status_close(struct process_status *status)
{
	if (status->has_names)
		analysis_close(&status->analysis);
	bundle_close(status->bundle);
}

static uint64_t since(uint64_t now_ns, int64_t then_ns)
{
	return (int64_t)now_ns > then_ns ? now_ns - (uint64_t)then_ns : 0;
}

/* Return when the work started by the host's clock. Times of a hostile bundle wrap around. */
static int64_t started_at(const struct stall *stall, int64_t offset)
{
	return (int64_t)(stall->started_gpu_ns + (uint64_t)offset);
}

struct status_span process_status_age(const struct process_status *status,
				      const struct stall *stall)
{
	const struct stalls *stalls = &status->stalls;
	struct status_span age = {0, since(status->now_ns, (int64_t)stall->front.time_ns)};
	if (!stall->has_started_ns || !stalls->has_offset)
		return age;
	age.low = since(status->now_ns, started_at(stall, stalls->offset_high));
	uint64_t longest = since(status->now_ns, started_at(stall, stalls->offset_low));
	age.high = longest < age.high ? longest : age.high;
	return age;
}
