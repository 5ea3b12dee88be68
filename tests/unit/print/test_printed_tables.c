/*
 * test_printed_tables.c - unit test of printed_tables: what rows of checks refer to is read later.
 */
#include <string.h>

#include "bundle/bundle_meta.h"
#include "print/printed_process.h"
#include "support/check.h"

/* The process writes a row to each table between two calls. */
static uint64_t n_calls;

int mapped_file_open(int directory_fd, const char *name, struct mapped_file *out)
{
	static struct file_header header;
	(void)directory_fd;
	(void)name;
	*out = (struct mapped_file){.base = (const unsigned char *)&header};
	return 0;
}

int mapped_file_view(struct mapped_file *file, int directory_fd, const char *name,
		     struct bundle_view *view)
{
	(void)file;
	(void)directory_fd;
	for (int kind = JOURNAL_STRINGS; kind < N_JOURNAL_FILES; kind++)
		if (strcmp(name, journal_file_names[kind]) == 0)
			view->tables[kind].n_rows = ++n_calls;
	return 0;
}

struct symbols *symbols_open(unsigned wait_seconds)
{
	(void)wait_seconds;
	return NULL;
}

struct symbol_source symbols_source(struct symbols *symbols)
{
	(void)symbols;
	return (struct symbol_source){0};
}

const char *bundle_meta_text(const json_t *meta, const char *key)
{
	(void)meta;
	(void)key;
	return "";
}

static void checks_come_first(void)
{
	static struct printed_process process;
	for (int i = 0; i < 2; i++) {
		printed_process_refresh(&process);
		for (int kind = JOURNAL_STRINGS; kind < JOURNAL_CHECKS; kind++) {
			uint64_t n_rows = process.view.tables[kind].n_rows;
			CHECK(n_rows > process.view.tables[JOURNAL_CHECKS].n_rows);
			CHECK(n_rows > process.view.tables[JOURNAL_GRAPH_CHECKS].n_rows);
		}
	}
}

int main(void)
{
	checks_come_first();
	return 0;
}
