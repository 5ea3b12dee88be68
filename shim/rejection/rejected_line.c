/*
 * rejected_line.c - remember places, make lines, print them where that is wanted at once.
 */
#include "rejection/rejected_line.h"

#include <sys/mman.h>

#include "failure/failure.h"
#include "failure/live_symbols.h"
#include "record/driver/environment.h"
#include "record/host/clock.h"
#include "record/host/handle_map.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "record/journal/call_names.h"
#include "record/journal/strings.h"
#include "rejection/rejected_rows.h"
#include "report/report_stack.h"

enum { MAX_FRAMES = 2 };

#define NO_ROW (UINT64_C(1) << 32)

static bool is_silent;  /* written at start only, as is is_verbose */
static bool is_verbose; /* lines are printed at once */
/* The pairs of stack and result that were seen before, with the id of their row, or NO_ROW. */
static struct handle_map locations;
static uint32_t n_asked; /* atomic */

void rejected_line_start(bool is_wanted_at_once)
{
	is_silent = environment_has_observer();
	is_verbose = is_wanted_at_once;
}

static uint64_t place_of(const struct rejected_call *call)
{
	return (uint64_t)call->stack << 16 | (uint16_t)call->result;
}

static void count_again(uint64_t known)
{
	struct rejection_row *row = known == NO_ROW ? NULL : rejected_rows_get((uint32_t)known);
	if (!row)
		return;
	__atomic_fetch_add(&row->count, 1, __ATOMIC_RELAXED);
	rejected_rows_mark(row);
}

bool rejected_line_is_new(const struct rejected_call *call)
{
	if (is_silent || failure_has_happened())
		return false;
	uint64_t known = 0;
	if (handle_map_get(&locations, place_of(call), &known)) {
		count_again(known);
		return false;
	}
	return __atomic_load_n(&n_asked, __ATOMIC_RELAXED) < REJECTION_LOCATIONS_MAX &&
	       handle_map_put(&locations, place_of(call), NO_ROW) &&
	       __atomic_fetch_add(&n_asked, 1, __ATOMIC_RELAXED) < REJECTION_LOCATIONS_MAX;
}

static size_t offset_in(const struct rejected_line *line)
{
	return (size_t)(line->text.at - line->bytes);
}

struct rejected_line *rejected_line_begin(const char *what, const struct rejected_call *call)
{
	struct rejected_line *line = mmap(NULL, sizeof(*line), PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (line == MAP_FAILED)
		return NULL;
	bundle_view_live(&line->view);
	line->report = (struct report){.view = &line->view, .symbols = &live_symbols};
	line->call = *call;
	line->what = what;
	line->text = text_in(line->bytes, REJECTED_LOCATION_SIZE);
	text_addf(&line->text, "culprit: %s refused (%d): ", what, (int)call->result);
	line->subject = offset_in(line);
	return line;
}

void rejected_line_add_location(struct rejected_line *line)
{
	line->place = offset_in(line);
	text_add(&line->text, " from ");
	report_stack(&line->report, line->call.stack, MAX_FRAMES, &line->text);
	line->text.end = line->bytes + sizeof(line->bytes);
	text_add(&line->text, ": ");
	line->why = offset_in(line);
}

/* For the report, and for the end of a process that fails. */
static void keep(const struct rejected_line *line, const char *rule)
{
	const char *why = line->bytes + line->why;
	const struct rejection_row row = {
		.time_ns = clock_ns(),
		.count = 1,
		.stack = line->call.stack,
		.result = (int32_t)line->call.result,
		.call = call_name_id(line->call.id),
		.what = strings_intern_z(line->what),
		.subject = strings_intern(line->bytes + line->subject, line->place - line->subject),
		.why = strings_intern(why, offset_in(line) - line->why),
		.rule = strings_intern_z(rule),
	};
	uint32_t id = rejected_rows_add(&row);
	if (id)
		(void)handle_map_put(&locations, place_of(&line->call), id);
}

void rejected_line_end(struct rejected_line *line, const char *rule)
{
	if (rule)
		keep(line, rule);
	if (rule && is_verbose) {
		text_addf(&line->text, " [%s]\n", rule);
		warning_write_lines(line->bytes, (size_t)(line->text.at - line->bytes));
	}
	(void)munmap(line, sizeof(*line));
}
