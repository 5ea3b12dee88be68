/*
 * printed_tables.c - the tables that a printed process's records refer to.
 */
#include "bundle/bundle_meta.h"
#include "print/printed_process.h"

static void begin_report(struct printed_process *process)
{
	process->symbols = symbols_open(SYMBOLS_WAIT_SECONDS);
	if (process->symbols)
		process->source = symbols_source(process->symbols);
	process->report =
		(struct report){.view = &process->view,
				.symbols = process->symbols ? &process->source : NULL,
				.directory = bundle_meta_text(process->meta, "directory")};
}

static uint64_t count_reuses(const struct printed_process *process)
{
	uint64_t n = 0;
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (process->tables[kind].base)
			n += view_reuses(process->tables[kind].base);
	return n;
}

static void view_table(struct printed_process *process, int kind)
{
	const char *name = journal_file_names[kind];
	struct mapped_file *file = &process->tables[kind];
	if (file->base || !mapped_file_open(process->fd, name, file))
		(void)mapped_file_view(file, process->fd, name, &process->view);
}

void printed_process_refresh(struct printed_process *process)
{
	if (!process->report.view)
		begin_report(process);
	process->n_reused = count_reuses(process);
	/* First those whose rows refer to rows of the others, which were published before. */
	view_table(process, JOURNAL_CHECKS);
	view_table(process, JOURNAL_GRAPH_CHECKS);
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (kind != JOURNAL_CHECKS && kind != JOURNAL_GRAPH_CHECKS)
			view_table(process, kind);
}

bool printed_process_is_fresh(const struct printed_process *process)
{
	return count_reuses(process) == process->n_reused;
}
