/*
 * any_checks.c - results of checks: NaN that launches and nodes of graphs make and pass on.
 */
#include "reading/any_rows.h"

#include "support/graph_builder.h"

enum { MAX_ROWS = 3, N_AREAS = 4 };

static void fill_result(struct any_bundle *any, uint32_t percent, struct check_result *out)
{
	out->n = 16 + 16 * (uint64_t)any_pick(any, 3);
	out->type = 1 + any_pick(any, N_CHECK_TYPES - 1);
	out->flags = any_chance(any, 20) ? CHECK_TYPE_WAS_GUESSED : 0;
	out->run = any_chance(any, 90);
	out->version = 1;
	out->min = any_chance(any, 50) ? -1.5 : 0;
	out->max = 0.25 * any_pick(any, 9);
	out->sum = out->max * 3;
	out->checksum = any_pick(any, 3);
	out->first_nan = UINT64_MAX;
	out->first_infinite = UINT64_MAX;
	if (any_chance(any, percent)) {
		out->n_nan = 1 + any_pick(any, 16);
		out->first_nan = any_pick(any, 16);
	}
	if (any_chance(any, percent / 2)) {
		out->n_infinite = 1 + any_pick(any, 3);
		out->first_infinite = any_pick(any, 16);
	}
}

static void add_launch(struct any_bundle *any, uint64_t sequence)
{
	uint32_t id = 0;
	uint32_t n = 1 + any_pick(any, MAX_ROWS);
	uint32_t function = 1 + any_pick(any, ANY_FUNCTIONS);
	uint32_t stream = any_pick(any, any->n_streams + 1);
	uint32_t flags = any_pick(any, 32) | CHECK_ROW_HAS_AFTER;
	struct check_row *rows = builder_rows(&any->builder, JOURNAL_CHECKS, n, &id);
	for (uint32_t i = 0; i < n; i++) {
		struct check_row *row = &rows[i];
		uint64_t area = any_pick(any, N_AREAS);
		row->sequence = sequence;
		row->start = ANY_MEMORY + area * ANY_AREA;
		row->size = ANY_SPAN;
		row->number = area + 1;
		row->address = row->start + 64 * (uint64_t)any_pick(any, 3);
		row->bytes = 64;
		row->ordinal = sequence;
		row->function = function;
		row->stack = any_pick(any, 45);
		row->stream = stream;
		row->parameter = i;
		row->offset = any_chance(any, 20) ? 8 : 0;
		row->n_rows = n;
		row->index = i;
		row->flags = any_chance(any, 95) ? flags : 0;
		fill_result(any, 20, &row->before);
		fill_result(any, 50, &row->after);
	}
}

static void add_finding(struct any_bundle *any)
{
	uint32_t id = 0;
	uint32_t reason = builder_string(&any->builder, "a node cannot be checked");
	uint32_t kind = any_pick(any, N_GRAPH_CHECK_KINDS);
	uint32_t n = kind == GRAPH_CHECK_NONE ? 1 : 1 + any_pick(any, 4);
	uint32_t graph = 1 + any_pick(any, any->n_graphs);
	uint32_t flags = any_pick(any, 32);
	uint32_t replay = 1 + any_pick(any, 4);
	struct graph_check_row *rows = builder_rows(&any->builder, JOURNAL_GRAPH_CHECKS, n, &id);
	for (uint32_t i = 0; i < n; i++) {
		struct graph_check_row *row = &rows[i];
		row->graph = builder_graph_row(&any->builder, graph)->number;
		row->handle = builder_graph_row(&any->builder, graph)->handle;
		row->kind = kind;
		row->flags = flags;
		row->n_rows = n;
		row->index = i;
		row->reason = kind == GRAPH_CHECK_NONE ? reason : 0;
		row->replay = replay;
		row->n_replays = replay + 1;
		row->graph_stack = any_pick(any, 45);
		row->n_checked = 3;
		row->node = i / 2;
		row->number = 1 + any_pick(any, N_AREAS);
		row->start = ANY_MEMORY + (row->number - 1) * ANY_AREA;
		row->size = ANY_SPAN;
		row->address = row->start + 64 * (uint64_t)any_pick(any, 3);
		row->bytes = 64;
		row->function = 1 + any_pick(any, ANY_FUNCTIONS);
		row->stack = any_pick(any, 45);
		row->parameter = i;
		row->kib_read = any_pick(any, 3000);
		row->kib_given = row->kib_read + any_pick(any, 2) * 5000;
		fill_result(any, 30, &row->before);
		fill_result(any, 60, &row->after);
	}
}

/* Change what another run may read or write otherwise. */
static void differ(struct any_bundle *any)
{
	struct builder_file *file = &any->builder.tables[JOURNAL_CHECKS];
	struct check_row *rows = (void *)(file->bytes + sizeof(struct file_header));
	size_t n = (file->size - sizeof(struct file_header)) / sizeof(*rows);
	struct check_row *row = &rows[any_pick(any, (uint32_t)n)];
	uint32_t what = any_pick(any, 6);
	if (what < 2)
		row->before.checksum++;
	else if (what < 5)
		row->after.checksum++;
	else
		row->function++;
	if (what == 1 || what == 3)
		row->after.n_nan++;
}

void any_checks_add(struct any_bundle *any, bool is_other_run)
{
	uint32_t n_launches = any_pick(any, 6);
	uint64_t sequence = 1;
	for (uint32_t i = 0; i < n_launches; i++) {
		add_launch(any, sequence);
		sequence += any_pick(any, 3);
	}
	uint32_t n_findings = any_pick(any, 4);
	for (uint32_t i = 0; i < n_findings; i++)
		add_finding(any);
	if (n_launches && is_other_run && any_chance(any, 80))
		differ(any);
}
