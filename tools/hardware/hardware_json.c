/*
 * hardware_json.c - a value is a number, or the word of the answer that NVML gave instead.
 */
#include "hardware/hardware_json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bundle_names.h"
#include "files/input.h"
#include "hardware/nvml.h"

enum { HARDWARE_FORMAT = 1, MAX_INDEX = 1 << 16, MAX_BYTES = 1 << 20 };

static json_t *number(uint64_t value)
{
	return json_integer(value <= LLONG_MAX ? (json_int_t)value : LLONG_MAX);
}

static json_t *number_or_null(uint64_t value)
{
	return value ? number(value) : json_null();
}

/* NVML's strings are ASCII; json_string() refuses what is not UTF-8. */
static json_t *text_or_null(const char *text)
{
	json_t *string = *text ? json_string(text) : NULL;
	return string ? string : json_null();
}

static json_t *value_to_json(const struct gpu_value *value)
{
	return value->answer == ANSWER_KNOWN
		       ? number(value->value)
		       : json_string(gpu_answer_label((enum gpu_answer)value->answer));
}

static json_t *reading_to_json(const struct gpu_reading *reading)
{
	if (!reading->ns)
		return json_null();
	json_t *object = json_pack("{s:o}", "ns", number(reading->ns));
	for (enum gpu_counter counter = 0; counter < N_GPU_COUNTERS; counter++)
		json_object_set_new(object, gpu_counter_label(counter),
				    value_to_json(&reading->values[counter]));
	return object;
}

static json_t *instance_to_json(int32_t instance)
{
	return instance < 0 ? json_null() : json_integer(instance);
}

static json_t *parts_to_json(const struct hardware_gpu *gpu, bool is_redacted)
{
	if (!gpu->is_mig)
		return json_null();
	json_t *array = json_array();
	for (uint32_t i = 0; i < gpu->n_parts; i++)
		json_array_append_new(
			array,
			json_pack("{s:o, s:o}", "uuid",
				  is_redacted ? json_null() : text_or_null(gpu->parts[i].uuid),
				  "instance", instance_to_json(gpu->parts[i].instance)));
	return array;
}

static json_t *types_to_json(uint64_t mask)
{
	json_t *array = json_array();
	for (uint64_t bit = 1; bit && bit <= mask; bit <<= 1)
		if ((mask & bit) && hardware_event_label(bit))
			json_array_append_new(array, json_string(hardware_event_label(bit)));
	return array;
}

static json_t *gpu_to_json(const struct hardware_gpu *gpu, bool is_redacted)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "index",
			 number(gpu->index), "uuid",
			 is_redacted ? json_null() : text_or_null(gpu->uuid), "pci",
			 is_redacted ? json_null() : text_or_null(gpu->pci), "name",
			 text_or_null(gpu->name), "mig", parts_to_json(gpu, is_redacted), "events",
			 gpu_answer_label((enum gpu_answer)gpu->events), "event_kinds",
			 types_to_json(gpu->watched_types), "before", reading_to_json(&gpu->before),
			 "after", reading_to_json(&gpu->after));
}

static json_t *event_to_json(const struct hardware *hardware, const struct hardware_event *event)
{
	const char *word = hardware_event_label(event->type);
	bool has_module = event->type == NVML_EVENT_OPERATIONAL;
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "module",
		text_or_null(event->module), "code", has_module ? number(event->code) : json_null(),
		"category", has_module ? number(event->category) : json_null(), "severity",
		has_module ? number(event->severity) : json_null(), "kind", word ? word : "other",
		"xid", event->type == NVML_EVENT_XID ? number(event->data) : json_null(), "gpu",
		number(hardware->gpus[event->gpu].index), "instance",
		instance_to_json(event->instance), "ns", number(event->ns));
}

json_t *hardware_to_json(const struct hardware *hardware, bool is_redacted)
{
	json_t *gpus = json_array();
	json_t *events = json_array();
	for (uint32_t i = 0; i < hardware->n_gpus; i++)
		json_array_append_new(gpus, gpu_to_json(&hardware->gpus[i], is_redacted));
	for (uint32_t i = 0; i < hardware->n_events; i++)
		json_array_append_new(events, event_to_json(hardware, &hardware->events[i]));
	return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "format", HARDWARE_FORMAT, "driver",
			 text_or_null(hardware->driver), "watched_ns",
			 number_or_null(hardware->watched_ns), "watch_ended_ns",
			 number_or_null(hardware->watch_finished_ns), "gpus", gpus, "events",
			 events, "events_lost", number(hardware->n_events_lost));
}

static uint64_t read_number(const json_t *value)
{
	json_int_t n = json_integer_value(value);
	return n > 0 ? (uint64_t)n : 0;
}

/* Read a string of allowed characters (NULL: printable ASCII) that fits; else "". */
static void read_text(const json_t *value, const char *allowed, char *out, size_t size)
{
	const char *text = json_string_value(value);
	size_t length = text ? strlen(text) : 0;
	bool is_allowed = text && length < size;
	for (size_t i = 0; is_allowed && i < length; i++)
		is_allowed = allowed ? strchr(allowed, text[i]) != NULL
				     : text[i] >= ' ' && text[i] <= '~';
	(void)snprintf(out, size, "%s", is_allowed ? text : "");
}

static enum gpu_answer read_answer(const json_t *value)
{
	const char *word = json_string_value(value);
	for (enum gpu_answer answer = ANSWER_NONE; word && answer < N_GPU_ANSWERS; answer++)
		if (!strcmp(word, gpu_answer_label(answer)))
			return answer;
	return ANSWER_NONE;
}

static struct gpu_value read_value(const json_t *value)
{
	if (json_is_integer(value) && json_integer_value(value) >= 0)
		return (struct gpu_value){ANSWER_KNOWN, read_number(value)};
	enum gpu_answer answer = read_answer(value);
	return (struct gpu_value){answer == ANSWER_KNOWN ? ANSWER_NONE : answer, 0};
}

static void read_reading(const json_t *object, struct gpu_reading *out)
{
	out->ns = read_number(json_object_get(object, "ns"));
	for (enum gpu_counter counter = 0; out->ns && counter < N_GPU_COUNTERS; counter++)
		out->values[counter] =
			read_value(json_object_get(object, gpu_counter_label(counter)));
}

static int32_t read_instance(const json_t *value)
{
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;
	return n >= 0 && n < MAX_INDEX ? (int32_t)n : NVML_INSTANCE_UNKNOWN;
}

static const char uuid_characters[] = "0123456789abcdef-";
static const char pci_characters[] = "0123456789abcdefABCDEF:.";

static void read_parts(const json_t *parts, struct hardware_gpu *out)
{
	size_t index = 0;
	const json_t *part = NULL;
	out->is_mig = json_is_array(parts) ? 1 : 0;
	json_array_foreach(parts, index, part)
	{
		if (out->n_parts == HARDWARE_MAX_PARTS)
			return;
		struct gpu_part *row = &out->parts[out->n_parts++];
		read_text(json_object_get(part, "uuid"), uuid_characters, row->uuid,
			  sizeof(row->uuid));
		row->instance = read_instance(json_object_get(part, "instance"));
	}
}

static bool read_gpu(const json_t *object, struct hardware_gpu *out)
{
	const json_t *index = json_object_get(object, "index");
	memset(out, 0, sizeof(*out));
	if (!json_is_integer(index) || json_integer_value(index) < 0 ||
	    json_integer_value(index) >= MAX_INDEX)
		return false;
	out->index = (uint32_t)json_integer_value(index);
	read_text(json_object_get(object, "uuid"), uuid_characters, out->uuid, sizeof(out->uuid));
	read_text(json_object_get(object, "pci"), pci_characters, out->pci, sizeof(out->pci));
	read_text(json_object_get(object, "name"), NULL, out->name, sizeof(out->name));
	read_parts(json_object_get(object, "mig"), out);
	out->events = read_answer(json_object_get(object, "events"));
	const json_t *kinds = json_object_get(object, "event_kinds");
	size_t i = 0;
	const json_t *kind = NULL;
	json_array_foreach(kinds, i, kind)
	{
		const char *word = json_string_value(kind);
		out->watched_types |= word ? hardware_event_type(word) : 0;
	}
	if (!(out->watched_types & NVML_EVENT_XID) && out->events == ANSWER_KNOWN)
		out->events = ANSWER_NONE;
	read_reading(json_object_get(object, "before"), &out->before);
	read_reading(json_object_get(object, "after"), &out->after);
	return true;
}

static bool find_gpu(const struct hardware *hardware, const json_t *index, uint32_t *out)
{
	for (uint32_t i = 0; json_is_integer(index) && i < hardware->n_gpus; i++) {
		if (json_integer_value(index) != (json_int_t)hardware->gpus[i].index)
			continue;
		*out = i;
		return true;
	}
	return false;
}

static uint32_t read_small(const json_t *value)
{
	uint64_t n = read_number(value);
	return n <= UINT32_MAX ? (uint32_t)n : 0;
}

static bool read_event(const struct hardware *hardware, const json_t *object,
		       struct hardware_event *out)
{
	const char *kind = json_string_value(json_object_get(object, "kind"));
	*out = (struct hardware_event){
		.instance = read_instance(json_object_get(object, "instance")),
		.type = kind ? hardware_event_type(kind) : 0,
		.data = read_number(json_object_get(object, "xid")),
		.ns = read_number(json_object_get(object, "ns")),
		.code = read_small(json_object_get(object, "code")),
		.category = read_small(json_object_get(object, "category")),
		.severity = read_small(json_object_get(object, "severity")),
	};
	read_text(json_object_get(object, "module"), NULL, out->module, sizeof(out->module));
	return out->type && find_gpu(hardware, json_object_get(object, "gpu"), &out->gpu);
}

static void read_gpus(const json_t *gpus, struct hardware *out)
{
	size_t index = 0;
	const json_t *row = NULL;
	json_array_foreach(gpus, index, row)
	{
		if (out->n_gpus == HARDWARE_MAX_GPUS)
			return;
		out->n_gpus += read_gpu(row, &out->gpus[out->n_gpus]) ? 1 : 0;
	}
}

/* Events that do not fit add to those that were lost before. */
static void read_events(const json_t *events, uint64_t n_lost, struct hardware *out)
{
	size_t index = 0;
	const json_t *row = NULL;
	json_array_foreach(events, index, row)
	{
		if (out->n_events == HARDWARE_MAX_EVENTS)
			n_lost += n_lost < UINT32_MAX ? 1 : 0;
		else
			out->n_events += read_event(out, row, &out->events[out->n_events]) ? 1 : 0;
	}
	out->n_events_lost = n_lost < UINT32_MAX ? (uint32_t)n_lost : UINT32_MAX;
}

struct hardware *hardware_read(int directory_fd)
{
	char *bytes = NULL;
	size_t size = 0;
	if (input_read_file(directory_fd, BUNDLE_HARDWARE_NAME, MAX_BYTES, &bytes, &size))
		return NULL;
	json_t *object = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, NULL);
	free(bytes);
	struct hardware *hardware = object ? malloc(sizeof(*hardware)) : NULL;
	if (hardware && hardware_from_json(object, hardware)) {
		free(hardware);
		hardware = NULL;
	}
	json_decref(object);
	return hardware;
}

int hardware_from_json(const json_t *object, struct hardware *out)
{
	const json_t *gpus = json_object_get(object, "gpus");
	memset(out, 0, sizeof(*out));
	if (json_integer_value(json_object_get(object, "format")) != HARDWARE_FORMAT ||
	    !json_is_array(gpus))
		return -EINVAL;
	read_text(json_object_get(object, "driver"), NULL, out->driver, sizeof(out->driver));
	out->watched_ns = read_number(json_object_get(object, "watched_ns"));
	out->watch_finished_ns = read_number(json_object_get(object, "watch_ended_ns"));
	read_gpus(gpus, out);
	read_events(json_object_get(object, "events"),
		    read_number(json_object_get(object, "events_lost")), out);
	return 0;
}
