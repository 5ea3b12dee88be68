/*
 * test_rejected_host.c - which rule explains that the driver refused a call about host memory, and
 * the whole line.
 */
#include "rejection/rejected_line.h"

#include "memory/memory_find.h"
#include "memory/memory_labels.h"
#include "record/driver/driver.h"
#include "report/report_stack.h"
#include "support/check.h"

#define NOT_REGISTERED CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED
#define REGISTERED     CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED
#define REFUSED        CUDA_ERROR_INVALID_VALUE

enum { ADDRESS = 0x1000, START = 0xf00, SIZE = 0x200 };

struct driver real;

/* The answers about the memory, in the order in which they are asked for. */
static struct memory_answer answers[2];
static unsigned n_asked;
static struct rejected_line line;
static bool is_new = true, has_memory = true;
static unsigned memory_type;
static CUresult type_result, flags_result;
static unsigned context_flags;
static int can_map, is_unified;

void memory_find(const struct bundle_view *view, uint64_t address, const struct range_moment *at,
		 struct memory_answer *out)
{
	CHECK(view == &line.view && !at && n_asked < 2);
	trace_add("find %" PRIx64 "\n", address);
	*out = answers[n_asked++];
}

const char *memory_kind_label(uint32_t kind)
{
	return kind == RANGE_HOST ? "host" : kind == RANGE_REGISTERED ? "registered" : "device";
}

const char *memory_size_text(uint64_t bytes, char out[MEMORY_SIZE_TEXT])
{
	(void)snprintf(out, MEMORY_SIZE_TEXT, "%" PRIu64 " B", bytes);
	return out;
}

const char *view_string(const struct bundle_view *view, uint32_t id, size_t *out_length)
{
	CHECK(view == &line.view && id == 8);
	*out_length = 9;
	return "cuMemFree and more";
}

void report_stack(const struct report *report, uint32_t stack, size_t max, struct text *out)
{
	CHECK(report == &line.report && max == 1);
	text_addf(out, "stack %u", stack);
}

int driver_device_attribute(CUdevice_attribute attribute)
{
	CHECK(attribute == CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY ||
	      attribute == CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING);
	return attribute == CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY ? can_map : is_unified;
}

bool rejected_line_is_new(const struct rejected_call *call)
{
	CHECK_EQUAL(call->stack, 6);
	return is_new;
}

struct rejected_line *rejected_line_begin(const char *what, const struct rejected_call *call)
{
	CHECK(what && call->stack == 6);
	line.text = text_in(line.bytes, sizeof(line.bytes));
	line.report.view = &line.view;
	return has_memory ? &line : NULL;
}

void rejected_line_add_location(struct rejected_line *to)
{
	text_add(&to->text, ": ");
}

void rejected_line_end(struct rejected_line *to, const char *rule)
{
	trace_add("%s%s%s%s\n", to->bytes, rule ? "[" : "", rule ? rule : "", rule ? "]" : "");
}

static CUresult CUDAAPI get_attributes(unsigned n, CUpointer_attribute *attributes, void **data,
				       CUdeviceptr address)
{
	CHECK(n == 1 && *attributes == CU_POINTER_ATTRIBUTE_MEMORY_TYPE && address == ADDRESS);
	*(unsigned *)*data = memory_type;
	return type_result;
}

static CUresult CUDAAPI get_flags(unsigned *flags)
{
	*flags = context_flags;
	return flags_result;
}

/* Let the next answer be that there is such a range; everything else is as it should be. */
static struct range_row *find_range(enum memory_relation relation, enum range_kind kind)
{
	memset(answers, 0, sizeof(answers));
	answers[0].relation = relation;
	answers[0].distance = relation == MEMORY_INSIDE ? ADDRESS - START : 0x10;
	answers[0].range = (struct range_row){.start = START,
					      .size = SIZE,
					      .number = 3,
					      .stack = 21,
					      .freed_stack = 22,
					      .freed_call = 8,
					      .flags = RANGE_DEVICE_MAP,
					      .kind = (uint8_t)kind};
	memory_type = CU_MEMORYTYPE_HOST;
	type_result = flags_result = CUDA_SUCCESS;
	context_flags = CU_CTX_MAP_HOST;
	can_map = is_unified = 1;
	return &answers[0].range;
}

static void run_pointer(uint64_t address, unsigned flags, CUresult result)
{
	const struct rejected_call call = {
		.id = CALL_cuMemHostGetDevicePointer_v2, .result = result, .stack = 6};
	n_asked = 0;
	rejected_host_pointer(&call, address, flags);
}

static void run_register(uint64_t address, uint64_t size, CUresult result)
{
	const struct rejected_call call = {
		.id = CALL_cuMemHostRegister_v2, .result = result, .stack = 6};
	n_asked = 0;
	rejected_host_register(&call, address, size);
}

static void run_release(uint64_t address, enum range_kind kind, CUresult result)
{
	const struct rejected_call call = {.id = CALL_cuMemFreeHost, .result = result, .stack = 6};
	n_asked = 0;
	rejected_host_release(&call, address, (uint8_t)kind);
}

#define LINE(call, reason) "find 1000\n" call " of 0x1000: " reason "\n"
#define RANGE(kind)        "allocation #3 (" kind ", 512 B, from stack 21)"

static void check_pointer(unsigned flags, const char *reason)
{
	char wanted[512];
	(void)snprintf(wanted, sizeof(wanted), LINE("cuMemHostGetDevicePointer_v2", "%s"), reason);
	run_pointer(ADDRESS, flags, REFUSED);
	CHECK_TRACE(wanted);
}

static void test_pointer(void)
{
	find_range(MEMORY_INSIDE, RANGE_HOST);
	check_pointer(0, "");
	check_pointer(2, "its flags are 0x2, and have to be 0[host.flags_not_zero]");
	find_range(MEMORY_FREED, RANGE_HOST);
	check_pointer(0, RANGE("host") " was there, until cuMemFree from stack 22[host.freed]");
	find_range(MEMORY_FREED, RANGE_REGISTERED)->flags = RANGE_OF_CONTEXT_END;
	check_pointer(0, RANGE("registered") " was there, until its context ended[host.freed]");
	find_range(MEMORY_FREED, RANGE_DEVICE);
	check_pointer(0, "");
	find_range(MEMORY_INSIDE, RANGE_DEVICE);
	check_pointer(0, RANGE("device") " is there, which is no pinned host memory"
					 "[host.is_device_memory]");
	find_range(MEMORY_NOWHERE, RANGE_DEVICE);
	check_pointer(0, "");
}

/* The driver's own answer counts; it gives no error where it knows no memory. */
static void test_unknown(void)
{
#define UNKNOWN "CUDA knows no memory there"
#define RULE    "[host.not_registered]"
	find_range(MEMORY_NOWHERE, RANGE_HOST);
	memory_type = 0;
	check_pointer(0, UNKNOWN RULE);
	type_result = CUDA_ERROR_INVALID_VALUE;
	check_pointer(0, "");
	find_range(MEMORY_AFTER, RANGE_HOST);
	memory_type = 0;
	check_pointer(0, UNKNOWN ", 16 bytes after the end of " RANGE("host") RULE);
	answers[0].distance = MEMORY_CLOSE - 1;
	run_pointer(ADDRESS, 0, REFUSED);
	CHECK(strstr(trace_take(), "bytes after"));
	answers[0].distance = MEMORY_CLOSE;
	check_pointer(0, UNKNOWN RULE);
	find_range(MEMORY_BEFORE, RANGE_HOST);
	memory_type = 0;
	check_pointer(0, UNKNOWN RULE);
	find_range(MEMORY_INSIDE, RANGE_HOST);
	memory_type = 0;
	check_pointer(0, "");
}

static void test_mapping(void)
{
	struct range_row *range = find_range(MEMORY_INSIDE, RANGE_HOST);
	can_map = 0;
	check_pointer(0, "the device cannot map host memory: copy it[host.device_cannot_map]");
	can_map = 1;
	range->flags = 0;
	check_pointer(0, "");
	range->kind = RANGE_REGISTERED;
	check_pointer(0, RANGE("registered") " was made without CU_MEMHOSTREGISTER_DEVICEMAP: give "
					     "it that flag[host.no_device_map]");
	range->kind = RANGE_HOST;
	is_unified = 0;
	check_pointer(0, RANGE("host") " was made without CU_MEMHOSTALLOC_DEVICEMAP: give it that "
				       "flag[host.no_device_map]");
	range->flags = RANGE_DEVICE_MAP;
	check_pointer(0, "");
	context_flags = 0;
	check_pointer(0, "the context was made without CU_CTX_MAP_HOST: give it that flag"
			 "[host.context_without_map]");
	flags_result = CUDA_ERROR_INVALID_CONTEXT;
	check_pointer(0, "");
	flags_result = CUDA_SUCCESS;
	is_unified = 1;
	check_pointer(0, "");
	answers[0].relation = MEMORY_NOWHERE;
	range->flags = 0;
	is_unified = 0;
	context_flags = CU_CTX_MAP_HOST;
	check_pointer(0, "");
}

#define REGISTER(finds, reason) "find 1000\n" finds "cuMemHostRegister_v2 of 0x1000: " reason "\n"
#define PINNED(kind)            RANGE(kind) " is there already[host.already_pinned]"
#define LAST                    "find 10ff\n"

static void test_register(void)
{
	struct range_row *range = find_range(MEMORY_INSIDE, RANGE_HOST);
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER("", PINNED("host")));
	range->start = ADDRESS - SIZE; /* ends where the new memory begins */
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER(LAST, ""));
	range->size++;
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK(strstr(trace_take(), "[host.already_pinned]"));
	range = find_range(MEMORY_BEFORE, RANGE_REGISTERED);
	range->start = ADDRESS + 0x100; /* begins where the new memory ends */
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER(LAST, ""));
	range->start--;
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER("", PINNED("registered")));
	answers[0].relation = MEMORY_AFTER;
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER(LAST, ""));
	answers[0].relation = MEMORY_INSIDE;
	answers[1] = answers[0];
	range->kind = RANGE_DEVICE;
	run_register(ADDRESS, 0x100, REGISTERED);
	CHECK_TRACE(REGISTER(LAST, PINNED("registered")));
	run_register(0, 0x100, REGISTERED);
	run_register(ADDRESS, 0, REGISTERED);
	run_register(ADDRESS, 0x100, REFUSED);
	is_new = false;
	run_register(ADDRESS, 0x100, REGISTERED);
	is_new = true;
	has_memory = false;
	run_register(ADDRESS, 0x100, REGISTERED);
	has_memory = true;
	CHECK_TRACE("");
}

static void check_release(enum range_kind kind, const char *reason)
{
	char wanted[512];
	(void)snprintf(wanted, sizeof(wanted), LINE("cuMemFreeHost", "%s"), reason);
	run_release(ADDRESS, kind, NOT_REGISTERED);
	CHECK_TRACE(wanted);
	run_release(ADDRESS, kind, REFUSED);
	CHECK_TRACE(wanted);
}

static void test_release(void)
{
	find_range(MEMORY_FREED, RANGE_HOST);
	check_release(RANGE_HOST,
		      RANGE("host") " was there, until cuMemFree from stack 22[host.freed]");
	find_range(MEMORY_INSIDE, RANGE_HOST);
	check_release(RANGE_HOST,
		      "it is 256 bytes into " RANGE("host") ": give the address where that begins"
							    "[host.not_its_start]");
	check_release(RANGE_REGISTERED, RANGE("host") " is there, which cuMemFreeHost gives back"
						      "[host.is_of_other_kind]");
	answers[0].distance = 0;
	check_release(RANGE_HOST, "");
	find_range(MEMORY_INSIDE, RANGE_REGISTERED);
	check_release(RANGE_HOST, RANGE("registered") " is there, which cuMemHostUnregister gives "
						      "back[host.is_of_other_kind]");
	find_range(MEMORY_INSIDE, RANGE_DEVICE);
	check_release(RANGE_HOST, RANGE("device") " is there, which is no pinned host memory"
						  "[host.is_device_memory]");
	find_range(MEMORY_BEFORE, RANGE_HOST);
	check_release(RANGE_HOST, "");
	check_release(RANGE_REGISTERED, "");
	memory_type = 0;
	check_release(RANGE_HOST, UNKNOWN RULE);
}

/* Other results, and null pointers, have no rule. */
static void test_none(void)
{
	run_pointer(0, 1, REFUSED);
	run_pointer(ADDRESS, 1, NOT_REGISTERED);
	run_release(0, RANGE_HOST, REFUSED);
	run_release(0, RANGE_HOST, NOT_REGISTERED);
	run_release(ADDRESS, RANGE_HOST, REGISTERED);
	CHECK_TRACE("");
}

int main(void)
{
	real.cuPointerGetAttributes = get_attributes;
	real.cuCtxGetFlags = get_flags;
	test_pointer();
	test_unknown();
	test_mapping();
	test_register();
	test_release();
	test_none();
	return 0;
}
