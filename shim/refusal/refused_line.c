/*
 * refused_line.c - remembers places, and writes lines.
 */
#include "refusal/refused_line.h"

#include <sys/mman.h>

#include "failure/failure.h"
#include "failure/live_symbols.h"
#include "record/driver/environment.h"
#include "record/host/handle_map.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "verdict/report/report_stack.h"

enum { MAX_ASKED = 64, MAX_FRAMES = 2 };

static bool is_silent;           /* written at start only */
static struct handle_map places; /* that were looked at: stacks and results */
static uint32_t n_asked;         /* atomic */

void refused_line_start(void)
{
	is_silent = environment_has_observer();
}

bool refused_line_is_new(const struct refused_call *call)
{
	uint64_t place = (uint64_t)call->stack << 16 | (uint16_t)call->result;
	uint64_t known;
	if (is_silent || failure_has_happened() ||
	    __atomic_load_n(&n_asked, __ATOMIC_RELAXED) >= MAX_ASKED ||
	    handle_map_get(&places, place, &known) || !handle_map_put(&places, place, 1))
		return false;
	return __atomic_fetch_add(&n_asked, 1, __ATOMIC_RELAXED) < MAX_ASKED;
}

struct refused_line *refused_line_begin(const char *what, CUresult result)
{
	struct refused_line *line = mmap(NULL, sizeof(*line), PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (line == MAP_FAILED)
		return NULL;
	bundle_view_live(&line->view);
	line->report = (struct report){.view = &line->view, .symbols = &live_symbols};
	line->text = text_in(line->bytes, REFUSED_PLACE_SIZE);
	text_addf(&line->text, "culprit: %s refused (%d): ", what, (int)result);
	return line;
}

void refused_line_add_place(struct refused_line *line, uint32_t stack)
{
	text_add(&line->text, " from ");
	report_stack(&line->report, stack, MAX_FRAMES, &line->text);
	line->text.end = line->bytes + sizeof(line->bytes);
	text_add(&line->text, ": ");
}

void refused_line_end(struct refused_line *line, const char *rule)
{
	if (rule) {
		text_addf(&line->text, " [%s]\n", rule);
		warning_write_lines(line->bytes, (size_t)(line->text.at - line->bytes));
	}
	(void)munmap(line, sizeof(*line));
}
