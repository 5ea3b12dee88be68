/*
 * rows_json.c - convert rows of the journal to JSON.
 */
#include "json/json_parts.h"

#include <stdlib.h>

#include "fault/fault_story.h"
#include "memory/memory_fault.h"
#include "report/report_fault.h"
#include "report/report_parts.h"
#include "json/json_values.h"

static json_t *rejection_to_json(const struct analysis *analysis, const struct rejection_row *row)
{
	const struct bundle_view *view = analysis->report.view;
	return json_pack(
		"{s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "what",
		json_view_string(view, row->what), "code", (int)row->result, "call",
		json_view_string(view, row->call), "subject", json_view_string(view, row->subject),
		"why", json_view_string(view, row->why), "rule", json_view_string(view, row->rule),
		"count", json_count(view_live(&row->count)), "time",
		process_moment_to_json(analysis, row->time_ns), "stack",
		stack_to_json(analysis, row->stack), "python_stack",
		python_stack_to_json(analysis, row->stack));
}

json_t *rows_rejections_to_json(const struct analysis *analysis)
{
	const struct bundle_view *view = analysis->report.view;
	uint64_t n = view->tables[JOURNAL_REJECTIONS].n_rows;
	json_t *array = json_array();
	for (uint32_t id = 1; id <= n && id <= REJECTION_ROWS_MAX; id++) {
		const struct rejection_row *row = view_rejection(view, id);
		if (!view_rejection_is_memory(view, row))
			json_array_append_new(array, rejection_to_json(analysis, row));
	}
	return array;
}

static json_t *source_to_json(const struct analysis *analysis, enum fault_kind kind)
{
	const struct fault_row *row = view_fault_summary(analysis->report.view, kind);
	if (!row)
		return json_null();
	return json_pack("{s:o, s:o, s:b, s:b, s:i, s:o}", "count", json_count(row->count), "lost",
			 json_count(row->n_lost), "late", (row->flags & FAULT_LATE) != 0, "mmu",
			 (row->flags & FAULT_MMU_VALID) != 0, "global_esr", (int)row->global_esr,
			 "time", process_moment_to_json(analysis, row->time_ns));
}

static json_t *address_to_json(const struct fault_row *row)
{
	bool has_one = row->flags & (FAULT_ADDRESS_PAGE | FAULT_ADDRESS_BYTE);
	return has_one ? json_handle(row->address) : json_null();
}

static const char *kind_of_fault(const struct fault_row *row)
{
	return row->kind == FAULT_EVENT ? "event" : row->kind == FAULT_MMU ? "mmu" : "exception";
}

static json_t *access_to_json(const struct fault_row *row)
{
	static const char *const accesses[] = {NULL, "read", "write", "atomic", "prefetch"};
	bool is_known = row->access > 0 && row->access < sizeof(accesses) / sizeof(accesses[0]);
	return is_known ? json_string(accesses[row->access]) : json_null();
}

static json_t *fault_to_json(const struct analysis *analysis, const struct fault_row *row)
{
	bool is_exception = row->kind == FAULT_EXCEPTION;
	return json_pack("{s:s, s:o, s:o, s:b, s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "kind",
			 kind_of_fault(row), "access", access_to_json(row), "address",
			 address_to_json(row), "page", (row->flags & FAULT_ADDRESS_PAGE) != 0, "pc",
			 row->flags & FAULT_HAS_PC ? json_handle(row->pc) : json_null(), "esr",
			 is_exception ? json_handle(row->warp_esr) : json_null(), "type",
			 (int)row->type, "reason", (int)row->reason, "context",
			 row->context ? json_count(row->context) : json_null(), "device",
			 row->device != FAULT_DEVICE_UNKNOWN ? json_count(row->device)
							     : json_null(),
			 "time", process_moment_to_json(analysis, row->time_ns));
}

static json_t *faults_to_json(const struct analysis *analysis)
{
	const struct bundle_view *view = analysis->report.view;
	json_t *array = json_array();
	for (uint32_t id = 1; id <= FAULT_ROWS_MAX; id++) {
		const struct fault_row *row = view_fault(view, id);
		if (row && row->kind >= FAULT_EVENT && row->kind <= FAULT_MMU)
			json_array_append_new(array, fault_to_json(analysis, row));
	}
	return array;
}

static json_t *base_to_json(const struct analysis *analysis, const struct memory_fault *fault)
{
	const struct verdict *verdict = analysis->verdict;
	struct launch_arguments *launch = calloc(1, sizeof(*launch));
	struct fault_base base = {.fit = 0};
	if (launch && verdict->n_suspects > 0) {
		report_fault_arguments(&analysis->report, &verdict->suspects[0], launch);
		base = report_fault_base(analysis->report.view, fault, launch);
	}
	free(launch);
	if (!base.fit)
		return json_null();
	json_t *plus = json_null();
	if (base.scale)
		plus = json_pack("{s:i, s:i, s:o, s:I}", "times", (int)base.scale, "index",
				 (int)base.factor_index, "field",
				 base.is_factor_field ? json_count(base.factor_offset)
						      : json_null(),
				 "value", (json_int_t)base.factor);
	return json_pack("{s:i, s:o, s:o, s:o}", "index", (int)base.index, "field",
			 base.is_field ? json_count(base.offset) : json_null(), "value",
			 json_handle(base.value), "plus", plus);
}

/* Add the description of the first fault, as in the report. */
static void add_first(const struct analysis *analysis, json_t *object)
{
	static const char *const relations[] = {
		[MEMORY_NOWHERE] = "nowhere", [MEMORY_INSIDE] = "inside",
		[MEMORY_FREED] = "freed",     [MEMORY_IN_FLIGHT] = "freed_in_flight",
		[MEMORY_AFTER] = "after",     [MEMORY_BEFORE] = "before",
	};
	const struct bundle_view *view = analysis->report.view;
	struct fault_story story;
	struct memory_fault fault;
	char words[256];
	struct text text = text_in(words, sizeof(words));
	fault_story_read(view, &story);
	memory_fault_read(view, analysis->verdict, &story, &fault);
	bool is_near = fault.has_address && fault.answer.relation != MEMORY_NOWHERE;
	if (fault.row) {
		memory_fault_add_access(&fault, &text);
		memory_fault_add_place(view, &fault, NULL, &text);
	}
	json_object_set_new(object, "what",
			    fault.row ? json_string(memory_fault_label(fault.kind)) : json_null());
	json_object_set_new(object, "text", fault.row ? json_string(words) : json_null());
	json_object_set_new(object, "instruction",
			    fault.access.bytes
				    ? json_pack("{s:s, s:i}", "access",
						memory_fault_access_word(fault.access.kind),
						"bytes", (int)fault.access.bytes)
				    : json_null());
	json_object_set_new(object, "relation",
			    fault.has_address ? json_string(relations[fault.answer.relation])
					      : json_null());
	json_object_set_new(object, "distance",
			    is_near ? json_count(fault.answer.distance) : json_null());
	json_object_set_new(object, "allocation",
			    is_near ? json_count(fault.answer.range.number) : json_null());
	json_object_set_new(object, "argument",
			    fault.has_address ? base_to_json(analysis, &fault) : json_null());
}

json_t *rows_fault_to_json(const struct analysis *analysis)
{
	if (!view_fault(analysis->report.view, 1))
		return json_null();
	json_t *object = json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "events", source_to_json(analysis, FAULT_EVENTS_READ),
		"states", source_to_json(analysis, FAULT_STATES_READ), "mmu_list",
		source_to_json(analysis, FAULT_MMU_LIST_READ), "times",
		source_to_json(analysis, FAULT_TIMES_READ), "faults", faults_to_json(analysis));
	add_first(analysis, object);
	return object;
}
