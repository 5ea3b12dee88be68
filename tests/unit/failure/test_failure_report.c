/*
 * test_failure_report.c - which text of a failure's report is printed, published and handed to
 * torchrun. The report names the memory of an argument, in a process with few allocations and in
 * one with many, whose index is another way to find it. The journal is a builder's, and the
 * receivers are simulated here.
 */
#include "failure/failure_report.h"

#include <errno.h>

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
static bool is_told = true;  /* the tool has got the verdict */
static size_t least_scratch; /* bytes that the attribution wants at least */
static int attribution_error;
static bool is_full;       /* the process may reserve no memory */
static bool is_row_lost;   /* the journal has no row of the failure */
static unsigned n_indexed; /* tables that were indexed since the start */

/* The texts that the receivers got last. */
static char whole[1 << 16], shown[1 << 16], printed[1 << 16], first_line[256], thrown[1 << 16];

static void copy(char *to, const char *bytes, size_t size)
{
	CHECK(size < sizeof(whole));
	memcpy(to, bytes, size);
	to[size] = '\0';
}

void bundle_view_live(struct bundle_view *out)
{
	builder_view(&c->builder, out);
}

bool bundle_publish_verdict(const char *text, size_t size, const char *short_text,
			    size_t short_size)
{
	copy(whole, text, size);
	copy(shown, short_text, short_size);
	return is_told;
}

void warning_write_lines(const char *bytes, size_t size)
{
	copy(printed, bytes, size);
}

void elastic_error_write(const char *headline, const char *report)
{
	(void)snprintf(first_line, sizeof(first_line), "%s", headline);
	copy(thrown, report, strlen(report));
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
	if (is_full)
		return NULL;
	return reserved[n_reserved++] = calloc(1, size);
}

int __wrap_munmap(void *at, size_t size)
{
	CHECK(n_freed + 1 < n_reserved && at == reserved[++n_freed] && size > 0);
	free(at);
	return 0;
}

size_t __wrap_attribution_scratch(const struct bundle_view *view);
size_t __real_attribution_scratch(const struct bundle_view *view);

size_t __wrap_attribution_scratch(const struct bundle_view *view)
{
	size_t size = __real_attribution_scratch(view);
	return size > least_scratch ? size : least_scratch;
}

int __wrap_attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
				   void *scratch, size_t scratch_size, struct verdict *out);
int __real_attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
				   void *scratch, size_t scratch_size, struct verdict *out);

int __wrap_attribute_with_coredump(const struct bundle_view *view, const struct gpu_fault *coredump,
				   void *scratch, size_t scratch_size, struct verdict *out)
{
	memset(out, 0, sizeof(*out));
	CHECK_EQUAL(view->memory_index != NULL, n_indexed > 0);
	return attribution_error
		       ? attribution_error
		       : __real_attribute_with_coredump(view, coredump, scratch, scratch_size, out);
}

void __wrap_memory_index_make(const struct bundle_view *view, void *scratch,
			      struct memory_index *out);
void __real_memory_index_make(const struct bundle_view *view, void *scratch,
			      struct memory_index *out);

void __wrap_memory_index_make(const struct bundle_view *view, void *scratch,
			      struct memory_index *out)
{
	n_indexed++;
	__real_memory_index_make(view, scratch, out);
}

static void check_culprit(const char *wanted, const char *wanted_verdict)
{
	const char *verdict = NULL;
	CHECK_STRING(failure_report_culprit(&verdict), wanted);
	CHECK_STRING(verdict, wanted_verdict);
}

static void start(bool is_run, enum report_length length)
{
	free(reserved[0]); /* the spare memory of the last start */
	reserved[0] = NULL;
	n_reserved = n_freed = n_indexed = 0;
	failure_report_start(is_run, length);
	CHECK_EQUAL(n_reserved, is_full ? 0 : 1);
}

/* A kernel of this name got a pointer to the 3rd of n allocations, and failed with n others. */
static void fail(const char *name, uint32_t n_allocations, uint32_t n_others)
{
	static const uint32_t sizes[] = {8};
	const uint64_t pointer = MEMORY + 2 * SIZE + 16;
	printed[0] = '\0';
	c = case_begin();
	for (uint32_t i = 0; i < n_allocations; i++)
		(void)builder_range(&c->builder, MEMORY + (uint64_t)i * SIZE, SIZE / 2, 0);
	uint32_t function = builder_function(&c->builder, name, 1, sizes);
	for (uint32_t i = 0; i <= n_others; i++)
		builder_launch(&c->builder, CASE_TID, case_stream(c), function, &pointer,
			       sizeof(pointer));
	const struct failure_row lost = {.code = ILLEGAL_ADDRESS, .sequence = 1};
	const struct failure_row *row = is_row_lost ? &lost
						    : builder_fail(&c->builder, ILLEGAL_ADDRESS,
								   CASE_TID, "cuCtxSynchronize");
	failure_report_make(row, NULL);
	case_end(c);
}

static void test_argument(void)
{
	static const uint32_t sizes[] = {4, MEMORY_INDEX_MIN - 1, MEMORY_INDEX_MIN};
	start(false, REPORT_FULL);
	for (int i = 0; i < 3; i++) {
		fail("kernel", sizes[i], 0);
		CHECK_EQUAL(n_indexed, i == 2);
		CHECK(strstr(printed, "0: 0x700000020010 = allocation #3 + 16 (32 KiB"));
		check_culprit("kernel", "exact");
		CHECK_EQUAL(n_freed + 1, n_reserved);
	}
}

/* The spare memory is used if it is enough. */
static void test_memory(void)
{
	start(false, REPORT_SHORT);
	least_scratch = 4 << 20;
	fail("kernel", 1, 0);
	CHECK_EQUAL(n_reserved, 1);
	least_scratch++;
	fail("kernel", 1, 0);
	CHECK_EQUAL(n_reserved, 2);
	CHECK_EQUAL(n_freed, 1);
	check_culprit("kernel", "exact");
	least_scratch = 0;
	is_full = true;
	start(false, REPORT_SHORT);
	is_full = false;
	n_reserved = 1; /* none at the start */
	fail("kernel", 1, 0);
	check_culprit("kernel", "exact");
	CHECK(n_reserved == 2 && n_freed == 1);
	start(false, REPORT_SHORT);
}

static void check_no_memory(void)
{
	fail("kernel", 1, 0);
	CHECK(strstr(whole, "the process had no memory to look for it"));
	CHECK(strstr(whole, "CUDA_ERROR_ILLEGAL_ADDRESS"));
	check_culprit("", "");
}

/* Memory is missing, either for the search of the verdict or for the failure's row. */
static void test_no_memory(void)
{
	start(false, REPORT_SHORT);
	attribution_error = -ENOMEM;
	check_no_memory();
	attribution_error = 0;
	is_row_lost = true;
	check_no_memory();
	is_row_lost = false;
	fail("kernel", 1, 0);
	check_culprit("kernel", "exact");
	least_scratch = (4 << 20) + 1;
	is_full = true;
	check_no_memory();
	is_full = false;
	least_scratch = 0;
}

/* The text is printed, or a line if the tool does not know of it, or nothing. */
static void test_printed(void)
{
	start(false, REPORT_SHORT);
	fail("kernel", 1, 2);
	CHECK_STRING(printed, shown);
	CHECK_STRING(thrown, shown);
	CHECK(strcmp(shown, whole) != 0);
	check_culprit("one of 3", "narrowed");
	is_told = false;
	fail("kernel", 1, 0);
	CHECK_STRING(printed, shown);
	start(true, REPORT_FULL);
	fail("kernel", 1, 0);
	size_t size = strcspn(whole, "\n");
	CHECK(size > 0 && strncmp(printed, whole, size) == 0);
	CHECK_STRING(printed + size, "\n");
	CHECK(strncmp(first_line, whole, size) == 0 && strlen(first_line) == size);
	CHECK_STRING(failure_report_headline(), first_line);
	CHECK_STRING(thrown, whole);
	is_told = true;
	fail("kernel", 1, 0);
	CHECK_STRING(printed, "");
}

/* Without UTF-8, people get ASCII, and the bundle does not. */
static void test_ascii(void)
{
	CHECK_EQUAL(setenv("LC_ALL", "C", 1), 0);
	start(false, REPORT_SHORT);
	fail("kernel_\xc3\xa4\xc3\xb6\xc3\xbc", 1, 0);
	CHECK(strstr(shown, "kernel_\xc3\xa4"));
	CHECK(strstr(printed, "kernel_???"));
	for (const char *at = printed; *at; at++)
		CHECK((unsigned char)*at < 0x80);
	CHECK_STRING(thrown, printed);
}

int main(void)
{
	CHECK_EQUAL(setenv("LC_ALL", "C.UTF-8", 1), 0);
	test_printed();
	test_memory();
	test_no_memory();
	test_ascii();
	test_argument();
	return 0;
}
