/*
 * rejected_host.c - one function for each rule, which says what it found or nothing. The rules go
 * by CUDA's documents of the calls; where two could be the reason, the call's result decides.
 */
#include "rejection/rejected_line.h"

#include <inttypes.h>

#include "memory/memory_find.h"
#include "memory/memory_labels.h"
#include "record/driver/driver.h"
#include "report/report_stack.h"

struct host_question {
	struct text *out;
	const struct report *report;
	uint64_t address, size;
	uint8_t kind; /* that the call is for; RANGE_UNKNOWN: both */
	unsigned flags;
	struct memory_answer found;
};

static bool is_host(const struct range_row *range)
{
	return range->kind == RANGE_HOST || range->kind == RANGE_REGISTERED;
}

/* Does the driver itself say that it knows no memory there? It gives no error where it does. */
static bool is_unknown_to_driver(uint64_t address)
{
	unsigned type = UINT32_MAX;
	CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
	void *data = &type;
	return real.cuPointerGetAttributes(1, &attribute, &data, address) == CUDA_SUCCESS &&
	       type == 0;
}

/* "allocation #3 (pinned host memory, 4.0 KiB, from a.c:12 f)" */
static void add_range(const struct host_question *question, const struct range_row *range)
{
	char size[MEMORY_SIZE_TEXT];
	text_addf(question->out, "allocation #%" PRIu64 " (%s, %s, from ", range->number,
		  memory_kind_label(range->kind), memory_size_text(range->size, size));
	report_stack(question->report, range->stack, 1, question->out);
	text_add(question->out, ")");
}

static const char *find_flags(struct host_question *question)
{
	if (question->flags == 0)
		return NULL;
	text_addf(question->out, "its flags are 0x%x, and have to be 0", question->flags);
	return "host.flags_not_zero";
}

static const char *find_freed(struct host_question *question)
{
	const struct range_row *range = &question->found.range;
	if (question->found.relation != MEMORY_FREED || !is_host(range))
		return NULL;
	add_range(question, range);
	text_add(question->out, " was there, until ");
	if (range->flags & RANGE_OF_CONTEXT_END) {
		text_add(question->out, "its context ended");
		return "host.freed";
	}
	size_t length = 0;
	const char *call = view_string(question->report->view, range->freed_call, &length);
	text_add_foreign(question->out, call, length);
	text_add(question->out, " from ");
	report_stack(question->report, range->freed_stack, 1, question->out);
	return "host.freed";
}

static const char *find_not_registered(struct host_question *question)
{
	const struct memory_answer *found = &question->found;
	if (found->relation == MEMORY_INSIDE || !is_unknown_to_driver(question->address))
		return NULL;
	text_add(question->out, "CUDA knows no memory there");
	if (found->relation == MEMORY_AFTER && found->distance < MEMORY_CLOSE) {
		text_addf(question->out, ", %" PRIu64 " bytes after the end of ", found->distance);
		add_range(question, &found->range);
	}
	return "host.not_registered";
}

static const char *find_device_memory(struct host_question *question)
{
	if (question->found.relation != MEMORY_INSIDE || is_host(&question->found.range))
		return NULL;
	add_range(question, &question->found.range);
	text_add(question->out, " is there, which is no pinned host memory");
	return "host.is_device_memory";
}

static const char *find_unable_device(struct host_question *question)
{
	if (driver_device_attribute(CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY) != 0)
		return NULL;
	text_add(question->out, "the device cannot map host memory: copy it");
	return "host.device_cannot_map";
}

static const char *find_unable_context(struct host_question *question)
{
	unsigned flags = 0;
	if (driver_device_attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) != 0 ||
	    real.cuCtxGetFlags(&flags) != CUDA_SUCCESS || flags & CU_CTX_MAP_HOST)
		return NULL;
	text_add(question->out, "the context was made without CU_CTX_MAP_HOST: give it that flag");
	return "host.context_without_map";
}

/* With unified addressing memory that CUDA itself allocated is mapped without the flag. */
static const char *find_no_device_map(struct host_question *question)
{
	const struct range_row *range = &question->found.range;
	if (question->found.relation != MEMORY_INSIDE || range->flags & RANGE_DEVICE_MAP ||
	    (range->kind == RANGE_HOST &&
	     driver_device_attribute(CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) != 0))
		return NULL;
	add_range(question, range);
	text_addf(question->out, " was made without CU_MEMHOST%s_DEVICEMAP: give it that flag",
		  range->kind == RANGE_HOST ? "ALLOC" : "REGISTER");
	return "host.no_device_map";
}

static bool is_overlapped(const struct memory_answer *found, uint64_t address, uint64_t size)
{
	const struct range_row *range = &found->range;
	return (found->relation == MEMORY_INSIDE || found->relation == MEMORY_BEFORE) &&
	       is_host(range) && range->start < address + size &&
	       address < range->start + range->size;
}

static const char *find_overlap(struct host_question *question)
{
	if (!is_overlapped(&question->found, question->address, question->size))
		memory_find(question->report->view, question->address + question->size - 1, NULL,
			    &question->found);
	if (!is_overlapped(&question->found, question->address, question->size))
		return NULL;
	add_range(question, &question->found.range);
	text_add(question->out, " is there already");
	return "host.already_pinned";
}

static const char *find_not_its_start(struct host_question *question)
{
	if (question->found.relation != MEMORY_INSIDE || question->found.distance == 0 ||
	    question->found.range.kind != question->kind)
		return NULL;
	text_addf(question->out, "it is %" PRIu64 " bytes into ", question->found.distance);
	add_range(question, &question->found.range);
	text_add(question->out, ": give the address where that begins");
	return "host.not_its_start";
}

static const char *find_other_kind(struct host_question *question)
{
	const struct range_row *range = &question->found.range;
	if (question->found.relation != MEMORY_INSIDE || !is_host(range) ||
	    range->kind == question->kind)
		return NULL;
	add_range(question, range);
	text_addf(question->out, " is there, which %s gives back",
		  range->kind == RANGE_HOST ? "cuMemFreeHost" : "cuMemHostUnregister");
	return "host.is_of_other_kind";
}

typedef const char *host_rule(struct host_question *question);

/* The first rule that finds something decides. */
static void explain(const struct rejected_call *call, const struct host_question *asked,
		    host_rule *const rules[], size_t n_rules)
{
	struct host_question question = *asked;
	const char *rule = NULL;
	if (!rejected_line_is_new(call))
		return;
	struct rejected_line *line = rejected_line_begin(REJECTED_HOST_MEMORY, call);
	if (!line)
		return;
	question.out = &line->text;
	question.report = &line->report;
	text_addf(&line->text, "%s of 0x%" PRIx64, driver_calls[call->id].name, question.address);
	rejected_line_add_location(line);
	memory_find(&line->view, question.address, NULL, &question.found);
	for (size_t i = 0; i < n_rules && !rule; i++)
		rule = rules[i](&question);
	rejected_line_end(line, rule);
}

#define EXPLAIN(call, question, rules) \
	explain(call, question, rules, sizeof(rules) / sizeof(*(rules)))

void rejected_host_pointer(const struct rejected_call *call, uint64_t address, unsigned flags)
{
	static host_rule *const rules[] = {
		find_flags,          find_freed,         find_not_registered, find_device_memory,
		find_unable_context, find_unable_device, find_no_device_map,
	};
	const struct host_question question = {.address = address, .flags = flags};
	if (address && call->result == CUDA_ERROR_INVALID_VALUE)
		EXPLAIN(call, &question, rules);
}

void rejected_host_register(const struct rejected_call *call, uint64_t address, uint64_t size)
{
	static host_rule *const rules[] = {find_overlap};
	const struct host_question question = {.address = address, .size = size};
	if (address && size > 0 && call->result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
		EXPLAIN(call, &question, rules);
}

void rejected_host_release(const struct rejected_call *call, uint64_t address, uint8_t kind)
{
	static host_rule *const rules[] = {find_freed, find_not_its_start, find_other_kind,
					   find_device_memory, find_not_registered};
	const struct host_question question = {.address = address, .kind = kind};
	if (address && (call->result == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED ||
			call->result == CUDA_ERROR_INVALID_VALUE))
		EXPLAIN(call, &question, rules);
}
