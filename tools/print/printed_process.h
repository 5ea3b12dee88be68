/*
 * printed_process.h - a process whose launches are printed. The reader's thread owns the rings, the
 * printer's thread the tables.
 */
#ifndef CULPRIT_TOOLS_PRINTED_PROCESS_H
#define CULPRIT_TOOLS_PRINTED_PROCESS_H

#include <jansson.h>

#include "base/bundle_names.h"
#include "base/inspection.h"
#include "files/mapped_file.h"
#include "print/text_cache.h"
#include "symbols/symbols.h"

/* A ring, with what earlier rows say about the next record. */
struct printed_ring {
	struct printed_process *process;
	uint32_t slot;
	/* Owned by the reader. */
	struct mapped_file file;
	uint64_t next; /* number of the next record to read */
	/* Owned by the printer. */
	struct launch_arguments arguments; /* from the rows read so far */
	struct record_nvtx ranges[N_NVTX_SCOPES][NVTX_MAX_OPEN];
	uint8_t n_open[N_NVTX_SCOPES];
};

enum { N_REMEMBERED_LOCATIONS = 4096 };

/* The allocation that a value pointed into at the last lookup. */
struct remembered_location {
	uint64_t value;
	uint32_t range;  /* row ID; 0: no allocation */
	uint64_t number; /* of the allocation */
	uint64_t batch;  /* "no allocation" is valid for this batch only */
};

/* Launches with equal keys share a line frame. It has no padding: it is compared as bytes. */
struct line_key {
	uint64_t stream_handle;
	uint32_t stream, stack, function, shared_bytes;
	uint32_t grid[3], block[3];
	uint16_t cluster[3], flags;
	uint64_t work;
};

/* The head and the tail of these launches' lines; see print_frame.c. */
struct line_frame {
	struct line_key key;
	char *text; /* the head, then the tail; NULL: the slot is empty */
	uint32_t n_head, n_tail;
};

enum { N_LINE_FRAMES = 4096 };

enum { N_PRODUCED = 4096, N_PRODUCERS = 3, N_RECENT = 4096, N_GIVEN = 32 };

/* An address or an allocation's number, and the newest launches that got it as an argument. */
struct produced {
	uint64_t what;                   /* numbers are below 4 GiB, addresses above */
	uint64_t sequences[N_PRODUCERS]; /* newest first; 0: none */
};

/* A recent launch. */
struct recent_launch {
	uint64_t sequence;
	struct journal_record record;
	uint32_t n_given;
	struct produced given[N_GIVEN]; /* its addresses and allocations, before the launch */
};

enum { N_ASKED_TABLES = 2 };

/* Where the process waits for answers about kernels, and the tables to answer from. */
struct asked_names {
	struct kernel_choices *choices; /* NULL: the process does not ask */
	struct mapped_file tables[N_ASKED_TABLES];
	struct bundle_view view;
};

enum { N_SPOILED = 1024 };

/* An address to which an inspected launch wrote a NaN or an infinity. */
struct spoiled {
	uint64_t address;
	uint64_t by;    /* number of the launch */
	uint64_t first; /* number of the launch that made it, if `by` passed it on; 0: not known */
};

struct printed_process {
	struct printed_process *next;
	char name[BUNDLE_MEMORY_NAME_MAX];
	int fd; /* the directory of its journal in memory */
	long pid;
	json_t *meta;
	/* Owned by the reader. */
	struct bundle_view rings_view;
	struct printed_ring *rings[VIEW_MAX_RINGS];
	uint32_t n_rings; /* one past the highest slot found so far */
	struct asked_names asked;
	/* Owned by the printer. The view is empty until the first record arrives. */
	struct bundle_view view;
	struct mapped_file tables[N_JOURNAL_FILES];
	uint64_t n_reused; /* of all tables, before the view was updated */
	struct symbols *symbols;
	struct symbol_source source;
	struct report report;
	struct text_cache names, locations;
	struct line_frame frames[N_LINE_FRAMES];
	struct remembered_location remembered[N_REMEMBERED_LOCATIONS];
	uint64_t n_seen; /* submissions */
	/* Owned by the printer; used if launches are inspected. */
	uint64_t n_inspected;    /* bytes of the file that have been read */
	uint64_t n_checks;       /* rows of the table that have been read */
	uint64_t n_graph_checks; /* the same of graphs */
	struct produced produced[N_PRODUCED];
	struct recent_launch recent[N_RECENT];
	struct spoiled spoiled[N_SPOILED];
};

/*
 * Open the journal in memory called `name` if it belongs to the run, else return NULL. In that case
 * *out_is_other is true if it belongs to another run or to none. It is false if opening should be
 * tried again: the journal is not ready, or memory ran out.
 */
struct printed_process *printed_process_open(const char *name, const char *run, bool *out_is_other);

/* Find new rings. Call it in the reader's thread only. */
void printed_process_find_rings(struct printed_process *process);

/* Update the tables to what the process has written. Call it in the printer's thread only. */
void printed_process_refresh(struct printed_process *process);

/*
 * True if the process has reused no row since the last update (journal_uses.h). If this is false
 * after rows were read, they may not belong together. Call it in the printer's thread only.
 */
bool printed_process_is_fresh(const struct printed_process *process);

#endif
