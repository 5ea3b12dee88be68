/*
 * dump_records.c - print the records of a ring, one on each line.
 */
#include "dump/dump_parts.h"

#include <inttypes.h>

#include "base/bundle_names.h"
#include "base/text.h"
#include "base/time_units.h"

static const char *kind_word(uint8_t kind)
{
	static const char *const words[] = {
		[RECORD_SUBMISSION] = "submission",
		[RECORD_ARGUMENTS] = "arguments",
		[RECORD_EVENT_RECORD] = "event-record",
		[RECORD_EVENT_WAIT] = "event-wait",
		[RECORD_SYNC] = "sync",
		[RECORD_CAPTURED] = "captured",
		[RECORD_REJECTION] = "rejection",
		[RECORD_CLEANUP] = "cleanup",
		[RECORD_NVTX] = "nvtx",
	};
	if (kind < sizeof(words) / sizeof(words[0]) && words[kind])
		return words[kind];
	return "?";
}

static void dump_dimensions(FILE *out, const uint32_t *sizes)
{
	fprintf(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", sizes[0], sizes[1], sizes[2]);
}

static void dump_launch(FILE *out, const struct bundle_view *view,
			const struct record_launch *launch)
{
	const struct function_row *function = view_function(view, launch->function);
	fputs(" kernel=", out);
	dump_string(out, view, function ? function->name : 0);
	fputs(" grid=", out);
	dump_dimensions(out, launch->grid);
	fputs(" block=", out);
	dump_dimensions(out, launch->block);
	if (launch->cluster[0])
		fprintf(out, " cluster=(%u,%u,%u)", launch->cluster[0], launch->cluster[1],
			launch->cluster[2]);
	fprintf(out, " shared=%" PRIu32 " arguments=%" PRIu32, launch->shared_bytes,
		launch->argument_bytes);
}

static void dump_work(FILE *out, const struct bundle_view *view,
		      const struct journal_record *record)
{
	switch (record->work) {
	case WORK_KERNEL:
		dump_launch(out, view, &record->launch);
		break;
	case WORK_GRAPH:
		fprintf(out,
			" graph=0x%" PRIx64 " replay=%" PRIu64 " row=%" PRIu32 " number=%" PRIu64
			" version=%" PRIu32,
			record->graph.handle, record->graph.replay, record->graph.row,
			record->graph.number, record->graph.version);
		break;
	case WORK_COPY:
	case WORK_MEMSET:
	case WORK_MEMOP:
		fprintf(out, " destination=0x%" PRIx64 " source=0x%" PRIx64 " bytes=%" PRIu64,
			record->memory.destination, record->memory.source, record->memory.bytes);
		break;
	default:
		break;
	}
}

static void dump_event(FILE *out, const struct record_event *event)
{
	fprintf(out, " event=0x%" PRIx64 " source_stream=%" PRIu32 " source_ordinal=%" PRIu64,
		event->event, event->source_stream, event->source_ordinal);
}

static void dump_flags(FILE *out, uint16_t flags)
{
	static const char *const words[] = {"side-marker",   "inline-marker", "synchronous",
					    "overlaps",      "cooperative",   "arguments-cut",
					    "order-unknown", "in-ranges"};
	const char *separator = " flags=";
	for (unsigned bit = 0; bit < sizeof(words) / sizeof(words[0]); bit++) {
		if (!(flags & 1u << bit))
			continue;
		fprintf(out, "%s%s", separator, words[bit]);
		separator = ",";
	}
}

static void dump_progress(FILE *out, const struct journal_record *record)
{
	const struct record_progress *progress = &record->progress;
	if (record->flags & RECORD_UNORDERED) {
		fprintf(out, " behind=%" PRIu64, progress->behind);
		return;
	}
	if (progress->channel)
		fprintf(out, " channel=%" PRIu32 " payload=%" PRIu32, progress->channel,
			progress->payload);
	if (progress->state)
		fprintf(out, " kernel-state=%" PRIu32 " turn=%" PRIu32, progress->state,
			progress->turn);
}

static void dump_argument_bytes(FILE *out, const struct journal_record *record)
{
	fputc(' ', out);
	for (size_t index = 0; index < RECORD_PAYLOAD; index++)
		fprintf(out, "%02x", record->argument_bytes[index]);
}

static void dump_nvtx(FILE *out, const struct bundle_view *view, const struct record_nvtx *nvtx)
{
	size_t size = nvtx->text_size < NVTX_TEXT_MAX ? nvtx->text_size : NVTX_TEXT_MAX;
	char piece[4 * NVTX_TEXT_MAX];
	struct text text = text_in(piece, sizeof(piece));
	text_add_foreign(&text, nvtx->text, size);
	fprintf(out, " %s-range=%u open=%u,%u unkept=%u domain=",
		nvtx->scope == NVTX_OF_THREAD ? "thread" : "process", nvtx->index,
		nvtx->n_open[NVTX_OF_THREAD], nvtx->n_open[NVTX_OF_PROCESS], nvtx->n_unkept);
	dump_string(out, view, nvtx->domain);
	fprintf(out, " text=\"%s%s\"", piece, nvtx->is_cut ? "..." : "");
}

static void dump_payload(FILE *out, const struct bundle_view *view,
			 const struct journal_record *record)
{
	switch (record->kind) {
	case RECORD_SUBMISSION:
		dump_work(out, view, record);
		dump_progress(out, record);
		break;
	case RECORD_CAPTURED:
	case RECORD_REJECTION:
		dump_work(out, view, record);
		break;
	case RECORD_EVENT_RECORD:
	case RECORD_EVENT_WAIT:
		dump_event(out, &record->event);
		break;
	case RECORD_ARGUMENTS:
		dump_argument_bytes(out, record);
		break;
	case RECORD_NVTX:
		dump_nvtx(out, view, &record->nvtx);
		break;
	default:
		break;
	}
}

static void dump_record(FILE *out, const struct bundle_view *view, uint32_t slot,
			const struct journal_record *record)
{
	fprintf(out, "ring-%" PRIu32 " %" PRIu64 ": #%" PRIu64 " %s call=", slot,
		record->commit - 1, record->sequence, kind_word(record->kind));
	dump_string(out, view, record->call);
	fprintf(out, " time=%" PRIu64 ".%09" PRIu64 " tid=%" PRIu32, record->time_ns / NS_PER_S,
		record->time_ns % NS_PER_S, record->tid);
	fprintf(out, " stream=%" PRIu32 " ordinal=%" PRIu64 " stack=%" PRIu32, record->stream,
		record->ordinal, record->stack);
	if (record->result == RESULT_PENDING)
		fputs(" result=pending", out);
	else
		fprintf(out, " result=%" PRId32, record->result);
	dump_payload(out, view, record);
	dump_flags(out, record->flags);
	fputc('\n', out);
}

void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot)
{
	const struct view_rows *rows = &view->rings[slot];
	if (!rows->first)
		return;
	uint64_t first = view_oldest(view, slot);
	fprintf(out, "# ring-%" PRIu32 ": room for %" PRIu64 " records, %" PRIu64 " lost\n", slot,
		rows->capacity, rows->lost);
	for (uint64_t index = 0; index < rows->n_rows; index++) {
		struct journal_record record;
		if (view_record(view, slot, (first + index) % rows->n_rows, &record))
			dump_record(out, view, slot, &record);
	}
}
