/*
 * rejected_end.c - reads the journal of this process. Its memory is its own: the thread's stack may
 * be small.
 */
#include "rejection/rejected_rows.h"

#include <sys/mman.h>
#include <unistd.h>

#include "failure/live_symbols.h"
#include "record/files/meta.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "report/last_rejection.h"

struct last_words {
	struct bundle_view view;
	struct last_rejection last;
	char bytes[16 * 1024];
};

static bool is_told; /* atomic */

static struct last_words *find(void)
{
	if (!rejected_rows_get(1))
		return NULL;
	struct last_words *words = mmap(NULL, sizeof(*words), PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (words == MAP_FAILED)
		return NULL;
	bundle_view_live(&words->view);
	if (last_rejection_find(&words->view, &words->last))
		return words;
	(void)munmap(words, sizeof(*words));
	return NULL;
}

bool rejected_end_is_open(void)
{
	struct last_words *words = find();
	if (words)
		(void)munmap(words, sizeof(*words));
	return words;
}

void rejected_end_print(struct report_end end, bool is_rest)
{
	struct last_words *words = find();
	if (!words)
		return;
	const struct report_process process = {.pid = getpid(), .end = end};
	const struct report report = {.view = &words->view,
				      .symbols = &live_symbols,
				      .directory = meta_directory(),
				      .process = &process};
	struct text text = text_in(words->bytes, sizeof(words->bytes) - 1);
	last_rejection_text(&report, &words->last, &text);
	if (text.cut)
		*text.at++ = '\n';
	bool is_wanted = !is_rest || view_rejection_is_memory(&words->view, words->last.row);
	if (is_wanted && !__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
		warning_write_lines(words->bytes, (size_t)(text.at - words->bytes));
	(void)munmap(words, sizeof(*words));
}
