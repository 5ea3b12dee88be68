/*
 * print_case.c - a process without files: the test has its tables, and no row is reused.
 */
#include "print/print_case.h"

#include "support/check.h"

struct print_case print_case;
static char printed[65536];

void printed_process_refresh(struct printed_process *of)
{
	CHECK(of == print_case.process);
}

bool printed_process_is_fresh(const struct printed_process *of)
{
	return of == print_case.process;
}

const char *print_case_text(void)
{
	return printed;
}

void print_case_clear(void)
{
	print_case.text = text_in(printed, sizeof(printed));
}

void print_case_begin(void)
{
	const uint32_t sizes[] = {8, 4};
	builder_begin(&print_case.builder, 256);
	builder_thread(&print_case.builder, PRINT_CASE_TID, "main");
	uint32_t context = builder_context(&print_case.builder, 0, "Test GPU");
	print_case.stream = builder_stream(&print_case.builder, context, STREAM_EXPLICIT,
					   STREAM_NON_BLOCKING, 0x5000);
	print_case.spin = builder_function(&print_case.builder, "_Z4spinPii", 2, sizes);
	print_case.fill = builder_function(&print_case.builder, "fill", 0, NULL);
	uint32_t module = builder_module(&print_case.builder, "/nowhere/train", 0x1000, 0x2000);
	print_case.stack = builder_stack(&print_case.builder, 0, module, 0x22);
	builder_range(&print_case.builder, 0x700000000000, 4096, print_case.stack);
	print_case.process = calloc(1, sizeof(*print_case.process));
	CHECK(print_case.process);
	print_case.process->pid = 7;
	print_case.process->report.view = &print_case.process->view;
	memset(&print_case.ring, 0, sizeof(print_case.ring));
	print_case.ring.process = print_case.process;
	print_case.choice = (struct print_choice){.batch = 1};
	print_case_clear();
}

static void free_cache(struct text_cache *cache)
{
	for (size_t i = 0; i < cache->capacity; i++)
		free(cache->rows[i].text);
	free(cache->rows);
}

void print_case_end(void)
{
	for (int i = 0; i < N_LINE_FRAMES; i++)
		free(print_case.process->frames[i].text);
	free_cache(&print_case.process->names);
	free_cache(&print_case.process->locations);
	free(print_case.process);
	builder_end(&print_case.builder);
}

const char *print_case_print(void)
{
	struct print_entry entry = {.ring = &print_case.ring};
	builder_view(&print_case.builder, &print_case.process->view);
	for (uint64_t i = 0; i < view_written(&print_case.process->view, 0); i++) {
		CHECK(view_record(&print_case.process->view, 0, i, &entry.record));
		print_line(&print_case.choice, &entry, &print_case.text);
	}
	return printed;
}

struct journal_record *print_case_launch(uint32_t function)
{
	static const struct {
		uint64_t pointer;
		uint32_t n;
	} arguments = {0x700000000008, 64};
	bool has_arguments = function == print_case.spin;
	struct journal_record *record =
		builder_launch(&print_case.builder, PRINT_CASE_TID, print_case.stream, function,
			       &arguments, has_arguments ? 12 : 0);
	record->stack = print_case.stack;
	return record;
}
