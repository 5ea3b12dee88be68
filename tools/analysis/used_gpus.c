/*
 * used_gpus.c - meta.json has the UUIDs of the devices by ordinal, the journal has the contexts.
 */
#include "analysis/used_gpus.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bundle_names.h"
#include "hardware/hardware_json.h"
#include "view/record_walk.h"

struct uuids {
	uint32_t n;
	const char *of[HARDWARE_MAX_GPUS];
};

static void add_device(const struct bundle *bundle, uint32_t ordinal, struct uuids *out)
{
	const json_t *list = json_object_get(bundle->meta, "device_uuids");
	const char *uuid = json_string_value(json_array_get(list, ordinal));
	if (!uuid || !*uuid || out->n == HARDWARE_MAX_GPUS)
		return;
	for (uint32_t i = 0; i < out->n; i++)
		if (!strcmp(out->of[i], uuid))
			return;
	out->of[out->n++] = uuid;
}

static void find_devices(const struct bundle *bundle, struct uuids *out)
{
	const struct bundle_view *view = &bundle->view;
	for (uint32_t index = 1; index <= view->tables[JOURNAL_CONTEXTS].n_rows; index++) {
		const struct context_row *row =
			view_context(view, view_id_at(view, JOURNAL_CONTEXTS, index));
		if (row)
			add_device(bundle, row->device, out);
	}
}

/* A record that a full disk has cut is removed. */
void used_gpus_store(const struct bundle *bundle)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	json_t *object = bundle->hardware ? hardware_to_json(bundle->hardware, false) : NULL;
	int directory_fd = object ? bundle_open_to_write(bundle) : -1;
	int fd = directory_fd < 0 ? -1 : openat(directory_fd, BUNDLE_HARDWARE_NAME, flags, 0600);
	bool is_stored = fd >= 0 && !json_dumpfd(object, fd, JSON_INDENT(1));
	if (fd >= 0 && close(fd))
		is_stored = false;
	if (fd >= 0 && !is_stored)
		(void)unlinkat(directory_fd, BUNDLE_HARDWARE_NAME, 0);
	if (directory_fd >= 0)
		close(directory_fd);
	json_decref(object);
}

void used_gpus_note(struct bundle *bundle, const struct hardware *all)
{
	struct uuids uuids = {0};
	struct hardware *selected = all ? malloc(sizeof(*selected)) : NULL;
	if (!selected)
		return;
	find_devices(bundle, &uuids);
	hardware_select(all, uuids.of, uuids.n, selected);
	if (!selected->n_gpus) {
		free(selected);
		return;
	}
	free(bundle->hardware);
	bundle->hardware = selected;
}

/* Return the time of the first submission, or an earlier one if its record was overwritten. */
static uint64_t find_first(const struct bundle *bundle)
{
	uint64_t first_ns = UINT64_MAX;
	const struct bundle_view *view = &bundle->view;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		if (walk.record.kind == RECORD_SUBMISSION && walk.record.time_ns < first_ns)
			first_ns = walk.record.time_ns;
	bool is_whole = first_ns != UINT64_MAX;
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		is_whole = is_whole && !view_oldest(view, slot) && !view->rings[slot].lost;
	json_int_t start_ns = json_integer_value(json_object_get(bundle->meta, "monotonic_ns"));
	return is_whole ? first_ns : start_ns > 0 ? (uint64_t)start_ns : 0;
}

struct hardware_span used_gpus_span(const struct bundle *bundle)
{
	const struct failure_row *failure = view_failure(&bundle->view);
	return (struct hardware_span){.first_ns = find_first(bundle),
				      .first = "its first work",
				      .last_ns = failure ? failure->time_ns : 0,
				      .is_redacted = bundle->view.is_redacted};
}
