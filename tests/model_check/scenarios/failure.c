/*
 * failure.c - threads see an error at the same time. One of them attributes the failure, and the
 * others wait for its verdict.
 *
 * Variants: "two" threads with an error; "told", where a thread asks for the verdict; "code", where
 * it asks for the code without waiting; "culprit", where an error's text names it; "doubt", where a
 * thread considers a success, and finds no failure.
 */
#include "failure/failure.h"

#include <string.h>

#include "failure/failed_contexts.h"
#include "failure/failure_report.h"
#include "failure/watched_dump.h"
#include "model.h"
#include "record/journal/bundle.h"
#include "record/thread.h"
#include "scenarios/stub_store.h"

enum { SEQUENCE = 5 };
static const CUresult CODE = CUDA_ERROR_ILLEGAL_ADDRESS;

static const struct thread self = {.tid = 1};
static const struct observer observer = {.thread = (struct thread *)(uintptr_t)&self};
static struct table table;
static char verdict[2]; /* written by the attributing thread */
static uint32_t n_told;
static uint32_t n_considered; /* the attributing thread's own, in watched_dump.c */
uint64_t sequence_word = SEQUENCE;

struct table *bundle_table(enum journal_file kind)
{
	MODEL_CHECK(kind == JOURNAL_FAILURE);
	return &table;
}

CUresult failed_contexts_code(struct context *about)
{
	(void)about;
	return CODE;
}

bool failed_contexts_discover_later(void)
{
	return false;
}

const struct gpu_fault *watched_dump_open(CUresult result)
{
	(void)result;
	n_considered++;
	return NULL;
}

CUresult watched_dump_code(const struct gpu_fault *told, struct context *about, CUresult result)
{
	(void)told;
	(void)about;
	return result;
}

CUresult watched_dump_await_driver(struct context *about)
{
	(void)about;
	return CUDA_SUCCESS;
}

void watched_dump_close(void)
{
	n_considered++;
}

void failure_report_make(const struct failure_row *row, const struct gpu_fault *fault)
{
	(void)fault;
	MODEL_CHECK(row->code == CODE && row->sequence == SEQUENCE);
	n_told++;
	verdict[0] = '!';
}

const char *failure_report_headline(void)
{
	return verdict;
}

const char *failure_report_culprit(const char **out_verdict)
{
	*out_verdict = verdict;
	return verdict;
}

/* A thread returns to the program, which may end the process, only after the verdict. */
static void see_error(void)
{
	failure_consider(&observer, CODE);
	MODEL_CHECK(failure_code() == CODE);
	MODEL_CHECK(verdict[0] == '!' && n_told == 1);
}

static void see_success(void)
{
	failure_consider(&observer, CUDA_SUCCESS);
}

static void ask_for_verdict(void)
{
	const char *headline = NULL;
	const char *directory = NULL;
	CUresult code = failure_reported(&headline, &directory);
	MODEL_CHECK(headline[0] == '\0' || (code == CODE && headline[0] == '!'));
}

static void ask_for_code(void)
{
	if (failure_has_happened())
		MODEL_CHECK(failure_sequence() == SEQUENCE && failure_code() == CODE);
}

static void ask_for_culprit(void)
{
	const char *words = NULL;
	const char *culprit = failure_culprit(CODE, &words);
	MODEL_CHECK(!culprit || (culprit[0] == '!' && words));
}

static const struct {
	const char *name;
	void (*threads[2])(void);
	uint32_t n_errors;
} variants[] = {
	{"two", {see_error, see_error}, 2},     {"told", {see_error, ask_for_verdict}, 1},
	{"code", {see_error, ask_for_code}, 1}, {"culprit", {see_error, ask_for_culprit}, 1},
	{"doubt", {see_success, see_error}, 1},
};
static uint32_t n_errors;

void scenario_setup(const char *variant)
{
	const size_t size = sizeof(struct failure_row);
	stub_store_rows(size, 1);
	MODEL_CHECK(!table_open(&table, NULL, JOURNAL_FAILURE, size, 1));
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (strcmp(variants[i].name, variant) != 0)
			continue;
		n_errors = variants[i].n_errors;
		model_thread(variants[i].threads[0]);
		model_thread(variants[i].threads[1]);
	}
}

void scenario_end(void)
{
	const struct failure_row *row = table_row(&table, 1);
	MODEL_CHECK(n_told == 1 && table.header->n_rows == 1);
	MODEL_CHECK(row->n_sticky >= n_errors);
}
