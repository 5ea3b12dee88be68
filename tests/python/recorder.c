/*
 * recorder.c - see recorder.h. Nothing but the journal's files is replaced; each thread has a cache
 * of its own, as in the shim.
 */
#include "recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "record/files/meta.h"
#include "record/host/recording.h"
#include "record/journal/bundle.h"
#include "record/journal/modules.h"
#include "record/journal/table.h"
#include "record/python/python.h"
#include "record/python/python_codes.h"
#include "record/python/python_stack.h"
#include "view/bundle_view.h"
#include "view/python_lines.h"

enum { MAX_FRAMES = 1100, N_ROUNDS = 25 };

static struct table tables[N_JOURNAL_FILES];
static const char *status = "off"; /* atomic */

/* The interpreter exists from the start. */
uint64_t modules_discovered(void)
{
	return 0;
}

static __thread struct python_cache *cache;
static __thread struct bundle_view *view;

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

void meta_note(enum meta_fact fact, const char *text)
{
	if (fact == META_PYTHON)
		__atomic_store_n(&status, text, __ATOMIC_RELEASE);
}

static void open_table(enum journal_file kind, size_t row_size, uint64_t n_rows)
{
	if (table_open(&tables[kind], NULL, kind, row_size, n_rows))
		abort();
}

int recorder_start(uint64_t n_rows)
{
	open_table(JOURNAL_STRINGS, sizeof(struct string_row), 64 * n_rows);
	open_table(JOURNAL_STACKS, sizeof(struct stack_row), n_rows);
	open_table(JOURNAL_MODULES, sizeof(struct module_row), n_rows);
	open_table(JOURNAL_PYTHON_FRAMES, sizeof(struct python_frame_row), n_rows);
	open_table(JOURNAL_PYTHON_CODES, sizeof(struct python_code_row), n_rows);
	open_table(JOURNAL_PYTHON_LINES, sizeof(struct python_lines_row), 32 * n_rows);
	recording_begin();
	python_start(true);
	return python_running() ? 0 : -1;
}

const char *recorder_status(void)
{
	return __atomic_load_n(&status, __ATOMIC_ACQUIRE);
}

uint64_t recorder_generation(void)
{
	return python_codes_generation();
}

static uint32_t capture(void)
{
	return python_stack_join(&cache, 0, NULL);
}

static void view_tables(void)
{
	if (!view)
		view = calloc(1, sizeof(*view));
	if (!view)
		abort();
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		const struct store *store = &tables[kind].store;
		if (store->base &&
		    bundle_view_add(view, store->base,
				    __atomic_load_n(&store->backed, __ATOMIC_ACQUIRE), NULL))
			abort();
	}
}

static uint32_t line_of(const struct python_code_row *code, uint32_t position)
{
	size_t size;
	const uint8_t *lines = view_python_lines(view, code, &size);
	return code->is_lines_cut
		       ? 0
		       : python_lines_find(lines, size, code->version, code->first_line, position);
}

/* Print a frame. Returns the number of bytes, including those that did not fit. */
static int print_frame(uint32_t id, char *out, size_t capacity)
{
	const struct python_frame_row *frame = view_python_frame(view, id);
	const struct python_code_row *code = view_python_code(view, frame->code);
	if (!code)
		return snprintf(out, capacity, "...\n");
	return snprintf(out, capacity, "%s\t%s\t%u\t%u\n", view_string(view, code->file, NULL),
			view_string(view, code->name, NULL), frame->position,
			line_of(code, frame->position));
}

uint32_t recorder_capture(char *out, size_t capacity)
{
	uint32_t ids[MAX_FRAMES];
	uint32_t stack = capture();
	view_tables();
	size_t n = view_python_frames(view, stack, ids, MAX_FRAMES);
	size_t used = 0;
	for (size_t i = 0; i < n && used < capacity; i++)
		used += (size_t)print_frame(ids[i], out + used, capacity - used);
	return stack;
}

static double now_ns(void)
{
	struct timespec now;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Take the quickest round: other work of the machine slows the rest down. */
double recorder_cost(long n)
{
	double quickest = 0;
	for (int round = 0; round < N_ROUNDS; round++) {
		double start = now_ns();
		for (long i = 0; i < n; i++)
			(void)capture();
		double cost = (now_ns() - start) / (double)n;
		if (!round || cost < quickest)
			quickest = cost;
	}
	return quickest;
}

struct excursion {
	int (*call)(void);
	int n_found;
};

static void *call_there(void *argument)
{
	struct excursion *excursion = argument;
	excursion->n_found += capture() != 0;
	(void)excursion->call();
	excursion->n_found += capture() != 0;
	return NULL;
}

int recorder_call_elsewhere(int (*call)(void))
{
	struct excursion excursion = {.call = call};
	pthread_t thread;
	if (pthread_create(&thread, NULL, call_there, &excursion))
		return -1;
	(void)pthread_join(thread, NULL);
	return excursion.n_found;
}
