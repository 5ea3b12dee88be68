/*
 * printed_process.h - a process whose launches are printed. What one thread uses is apart from what
 * the other does: the reader has the rings, the printer the tables.
 */
#ifndef CULPRIT_TOOLS_PRINTED_PROCESS_H
#define CULPRIT_TOOLS_PRINTED_PROCESS_H

#include <jansson.h>

#include "base/bundle_names.h"
#include "base/inspection.h"
#include "files/mapped_file.h"
#include "print/text_cache.h"
#include "symbols/symbols.h"

/* What a record of a ring needs to be told, from the rows before it. */
struct printed_ring {
	struct printed_process *process;
	uint32_t slot;
	/* The reader's. */
	struct mapped_file file;
	uint64_t next; /* number of the record that is read next */
	/* The printer's. */
	struct launch_arguments arguments; /* as far as their rows have come */
	struct record_nvtx ranges[N_NVTX_SCOPES][NVTX_MAX_OPEN];
	uint8_t n_open[N_NVTX_SCOPES];
};

enum { N_REMEMBERED_PLACES = 4096 };

/* Where a value pointed to when it was looked up last. */
struct remembered_place {
	uint64_t value;
	uint32_t range;  /* id, 0: nowhere */
	uint64_t number; /* of the allocation */
	uint64_t batch;  /* nowhere is good for one batch only */
};

/* What makes launches alike; whole words, since it is compared and hashed as such. */
struct line_key {
	uint64_t stream_handle;
	uint32_t stream, stack, function, shared_bytes;
	uint32_t grid[3], block[3];
	uint16_t cluster[3], flags;
	uint64_t work;
};

/* The head and behind it the tail of their lines, see print_frame.h. */
struct line_frame {
	struct line_key key;
	char *text; /* NULL: there is none */
	uint32_t n_head, n_tail;
};

enum { N_LINE_FRAMES = 4096 };

enum { N_PRODUCED = 4096, N_PRODUCERS = 3, N_RECENT = 4096, N_GIVEN = 32 };

/* An address, or an allocation by its number, and the newest launches that were given it. */
struct produced {
	uint64_t what;                   /* numbers are below 4 GiB, and addresses are not */
	uint64_t sequences[N_PRODUCERS]; /* the newest first; 0: there are no more */
};

/* A launch that was seen a while ago. */
struct recent_launch {
	uint64_t sequence;
	struct journal_record record;
	uint32_t n_given;
	struct produced given[N_GIVEN]; /* its addresses and allocations, as they were before it */
};

enum { N_ASKED_TABLES = 2 };

/* Where the process asks which kernels are chosen, and what is needed to answer. */
struct asked_names {
	struct kernel_choices *choices; /* NULL: it does not ask */
	struct mapped_file tables[N_ASKED_TABLES];
	struct bundle_view view;
};

enum { N_SPOILED = 1024 };

/* A place that an inspected launch has put a NaN or an infinity to. */
struct spoiled {
	uint64_t address;
	uint64_t by;    /* number of the launch */
	uint64_t first; /* of the one that made what it passed on; 0: not known */
};

struct printed_process {
	struct printed_process *next;
	char name[BUNDLE_MEMORY_NAME_MAX];
	int fd; /* of its memory */
	long pid;
	json_t *meta;
	/* The reader's. */
	struct bundle_view rings_view;
	struct printed_ring *rings[VIEW_MAX_RINGS];
	uint32_t n_rings; /* one past the highest slot that was looked for and found */
	struct asked_names asked;
	/* The printer's; its view is empty until the first record comes. */
	struct bundle_view view;
	struct mapped_file tables[N_JOURNAL_FILES];
	struct symbols *symbols;
	struct symbol_source source;
	struct report report;
	struct text_cache names, places;
	struct line_frame frames[N_LINE_FRAMES];
	struct remembered_place remembered[N_REMEMBERED_PLACES];
	uint64_t n_seen; /* submissions */
	/* The printer's, where launches are inspected. */
	uint64_t n_inspected; /* bytes of the file that were read */
	struct produced produced[N_PRODUCED];
	struct recent_launch recent[N_RECENT];
	struct spoiled spoiled[N_SPOILED];
};

/*
 * A new one of the memory `name`, if its meta.json says that it is of the run. NULL, and
 * *out_is_other: it is of none or another; else it is not ready, or no memory is left.
 */
struct printed_process *printed_process_open(const char *name, const char *run, bool *out_is_other);

/* The reader's: finds rings that are new. */
void printed_process_find_rings(struct printed_process *process);

/* The printer's: sees what the tables hold by now. */
void printed_process_refresh(struct printed_process *process);

/* The printer's: how often the process has used rows again so far, as journal_uses.h has it. */
uint64_t printed_process_reuses(const struct printed_process *process);

#endif
