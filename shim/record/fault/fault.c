/*
 * fault.c - open and close the sources, and write what they hold.
 */
#include "record/fault/fault.h"

#include "record/fault/fault_events.h"
#include "record/fault/fault_states.h"
#include "record/files/meta.h"
#include "record/host/cancellation.h"
#include "record/host/recording.h"
#include "record/journal/bundle.h"

static bool is_wanted;
static bool has_table; /* atomic: a thread has opened the table, or is about to */

static struct fault_row rows[FAULT_ROWS_MAX]; /* of the one thread that writes them */
static_assert(FAULT_EVENTS_MAX + FAULT_TIMES_MAX + 2 + FAULT_STATES_MAX == FAULT_ROWS_MAX,
	      "all that is read");

void fault_start(bool wanted)
{
	is_wanted = wanted;
}

bool fault_is_watching(void)
{
	return is_wanted && recording_is_on();
}

/* At the failure no file can be opened. */
static void open_table(void)
{
	if (__atomic_load_n(&has_table, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&has_table, true, __ATOMIC_RELAXED))
		return;
	int cancellation = cancellation_hold();
	(void)bundle_open_late(JOURNAL_FAULTS);
	cancellation_restore(cancellation);
}

/* For `culprit doctor`: note the first result, and each change. */
static void note_events(const char *trouble)
{
	static const char *noted; /* atomic */
	const char *text = trouble ? trouble : "nvidia-uvm reports memory faults";
	if (__atomic_load_n(&noted, __ATOMIC_RELAXED) != text &&
	    __atomic_exchange_n(&noted, text, __ATOMIC_RELAXED) != text)
		meta_note(META_FAULT, text);
}

void fault_contexts_begin(void)
{
	if (!is_wanted || fault_events_are_on())
		return;
	open_table();
	fault_events_open();
	note_events(fault_events_trouble());
}

void fault_managed_memory(void)
{
	if (!is_wanted)
		return;
	fault_events_end_for_managed();
	note_events(fault_events_trouble());
}

void fault_work_finished(void)
{
	if (is_wanted && fault_events_watch_served())
		note_events(fault_events_trouble());
}

void fault_contexts_end(void)
{
	if (is_wanted)
		fault_events_close();
}

void fault_pause(void)
{
	if (is_wanted)
		fault_events_pause();
}

void fault_resume(void)
{
	if (is_wanted)
		fault_events_resume();
}

void fault_forget(void)
{
	if (is_wanted)
		fault_events_forget();
}

void fault_write(uint32_t context, uint32_t device, bool is_one_context)
{
	if (!is_wanted)
		return;
	size_t n = fault_events_read(rows);
	n += fault_states_read(rows + n);
	for (size_t i = 0; i < n; i++) {
		rows[i].context = context;
		rows[i].device = device;
		if (!is_one_context)
			rows[i].flags &= (uint16_t)~FAULT_ONE_CONTEXT;
	}
	if (n)
		(void)table_append(bundle_table(JOURNAL_FAULTS), rows, (uint32_t)n);
}
