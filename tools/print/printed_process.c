/*
 * printed_process.c - open a process's journal in memory, and find its rings.
 */
#include "print/printed_process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle/bundle_meta.h"
#include "bundle/live_memory.h"

/* Rings are created in the order of their slots, but some have no file: look this far ahead. */
enum { SLOTS_AHEAD = 8 };

static int read_meta(const char *name, const char *run, struct printed_process *out,
		     bool *out_is_other)
{
	out->fd = live_memory_open(name, geteuid());
	if (out->fd < 0)
		return out->fd;
	const char *reason = NULL;
	out->meta = bundle_meta_read(out->fd, &reason);
	if (!out->meta)
		return -EAGAIN;
	*out_is_other = strcmp(bundle_meta_text(out->meta, "run"), run) != 0;
	return *out_is_other ? -ENOENT : 0;
}

struct printed_process *printed_process_open(const char *name, const char *run, bool *out_is_other)
{
	struct printed_process *process = calloc(1, sizeof(*process));
	*out_is_other = false;
	if (!process)
		return NULL;
	int result = read_meta(name, run, process, out_is_other);
	if (!result) {
		snprintf(process->name, sizeof(process->name), "%s", name);
		process->pid = (long)json_integer_value(json_object_get(process->meta, "pid"));
		return process;
	}
	if (process->fd >= 0)
		close(process->fd);
	json_decref(process->meta);
	free(process);
	return NULL;
}

static void find_ring(struct printed_process *process, uint32_t slot)
{
	char name[32];
	snprintf(name, sizeof(name), BUNDLE_RING_PREFIX "%u", slot);
	struct mapped_file file;
	if (mapped_file_open(process->fd, name, &file))
		return;
	struct printed_ring *ring = calloc(1, sizeof(*ring));
	/* If the header is not written yet, try again next time. */
	if (!ring || mapped_file_view(&file, process->fd, name, &process->rings_view)) {
		mapped_file_close(&file);
		free(ring);
		return;
	}
	*ring = (struct printed_ring){.process = process, .slot = slot, .file = file};
	process->rings[slot] = ring;
	if (slot >= process->n_rings)
		process->n_rings = slot + 1;
}

void printed_process_find_rings(struct printed_process *process)
{
	uint32_t end = process->n_rings + SLOTS_AHEAD;
	uint32_t begin = process->n_rings > SLOTS_AHEAD ? process->n_rings - SLOTS_AHEAD : 0;
	for (uint32_t slot = begin; slot < end && slot < VIEW_MAX_RINGS; slot++)
		if (!process->rings[slot])
			find_ring(process, slot);
}
