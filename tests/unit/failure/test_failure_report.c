/*
 * test_failure_report.c - that the report of a failure names the memory of an argument, in a
 * process with few allocations and in one with many, whose index is another way to find it. The
 * journal is a builder's, and what else a failure tells is simulated here.
 */
#include "failure/failure_report.h"

#include "failure/elastic_error.h"
#include "failure/live_symbols.h"
#include "memory/memory_index.h"
#include "record/files/meta.h"
#include "record/host/reserve.h"
#include "record/host/warning.h"
#include "record/journal/bundle.h"
#include "support/check.h"
#include "support/verdict_case.h"

#define MEMORY 0x700000000000
enum { SIZE = 0x10000 };

const struct symbol_source live_symbols;

static struct verdict_case *c;
static char printed[1 << 16];

void bundle_view_live(struct bundle_view *out)
{
	builder_view(&c->builder, out);
}

bool bundle_publish_verdict(const char *text, size_t size, const char *shown, size_t shown_size)
{
	(void)text;
	(void)size;
	(void)shown;
	(void)shown_size;
	return true;
}

void warning_write_lines(const char *bytes, size_t size)
{
	CHECK(size < sizeof(printed));
	memcpy(printed, bytes, size);
	printed[size] = '\0';
}

void elastic_error_write(const char *headline, const char *report)
{
	CHECK(*headline && *report);
}

const char *bundle_path(void)
{
	return "";
}

const char *meta_directory(void)
{
	return "";
}

const char *meta_rank(void)
{
	return NULL;
}

/* Memory that is reserved at the start is kept. The rest is freed. */
static void *reserved[8];
static unsigned n_reserved, n_freed;

int __wrap_munmap(void *at, size_t size);

void *reserve_memory(size_t size)
{
	CHECK(n_reserved < sizeof(reserved) / sizeof(*reserved));
	return reserved[n_reserved++] = calloc(1, size);
}

int __wrap_munmap(void *at, size_t size)
{
	CHECK(at == reserved[++n_freed] && size > 0);
	free(at);
	return 0;
}

/* A kernel got a pointer to the 3rd of n allocations, and failed. */
static void check_argument(uint32_t n)
{
	static const uint32_t sizes[] = {8};
	const uint64_t pointer = MEMORY + 2 * SIZE + 16;
	c = case_begin();
	for (uint32_t i = 0; i < n; i++)
		(void)builder_range(&c->builder, MEMORY + (uint64_t)i * SIZE, SIZE / 2, 0);
	uint32_t function = builder_function(&c->builder, "kernel", 1, sizes);
	builder_launch(&c->builder, CASE_TID, case_stream(c), function, &pointer, sizeof(pointer));
	const struct failure_row *row =
		builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize");
	failure_report_make(row, NULL);
	CHECK(strstr(printed, "0: 0x700000020010 = allocation #3 + 16 (32 KiB"));
	const char *verdict = NULL;
	CHECK_STRING(failure_report_culprit(&verdict), "kernel");
	CHECK_STRING(verdict, "exact");
	case_end(c);
}

int main(void)
{
	failure_report_start(false, REPORT_FULL);
	check_argument(4);
	check_argument(MEMORY_INDEX_MIN + 1);
	CHECK_EQUAL(n_freed + 1, n_reserved);
	return 0;
}
