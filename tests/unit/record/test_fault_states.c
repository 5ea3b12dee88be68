/*
 * test_fault_states.c - which answers of the driver about its SMs are kept, and when the MMU's
 * faults are asked for. The driver is this file.
 */
#include "record/fault/fault_states.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "record/fault/next_ioctl.h"
#include "support/check.h"

enum { FD = 5, OBJECT = 0x5c000003 };

static struct fault_row rows[FAULT_STATES_MAX];
static struct rm_sm_states states;
static bool is_one_context = true;
static unsigned n_asked;
static int asked_result;
static void (*meanwhile)(void); /* what a signal handler does in the thread that asks */

static int answer(int fd, unsigned long request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	struct rm_control *control = va_arg(arguments, struct rm_control *);
	va_end(arguments);
	CHECK_EQUAL(fd, FD);
	CHECK_EQUAL(request, RM_CONTROL);
	CHECK_EQUAL(control->command, (uint32_t)RM_READ_MMU_FAULTS);
	CHECK_EQUAL(control->object, OBJECT);
	n_asked++;
	if (meanwhile)
		meanwhile();
	errno = EIO;
	struct rm_mmu_faults *list = (void *)(uintptr_t)control->parameters;
	*list = (struct rm_mmu_faults){.faults = {{0x7000, 2, RM_ACCESS_WRITE}}, .n = 1};
	return asked_result;
}

ioctl_function next_ioctl_found = answer;
ioctl_function next_ioctl_find(void)
{
	return answer;
}

static void see(uint32_t command, uint32_t size, uint32_t status)
{
	struct rm_control control = {.object = OBJECT,
				     .command = command,
				     .parameters = (uintptr_t)&states,
				     .size = size,
				     .status = status};
	errno = 77;
	fault_states_seen(FD, &control, is_one_context);
	CHECK_EQUAL(errno, 77);
}

static void see_states(uint32_t first, uint32_t n)
{
	states.first = first;
	states.n = n;
	see((uint32_t)RM_READ_SM_STATES, sizeof(states), 0);
}

static void set_state(uint32_t at, uint32_t esr, uint64_t address, uint64_t pc)
{
	states.sms[at] = (struct rm_sm_state){
		.global_esr = 0x20, .warp_esr = esr, .address = address, .pc = pc};
}

/* Each test is a process of its own: the answers are kept for good. */
static void test_other_calls_are_none(void)
{
	set_state(0, 0x502000f, 1, 2);
	states.n = 1;
	see(0x83de0310, sizeof(states), 0);
	see((uint32_t)RM_READ_SM_STATES, sizeof(states) - 8, 0);
	see((uint32_t)RM_READ_SM_STATES, sizeof(states), 0x56);
	CHECK_EQUAL(fault_states_read(rows), 0);
	see_states(0, 1);
	CHECK_EQUAL(fault_states_read(rows), 0);
}

static void test_first_content_is_kept(void)
{
	see_states(0, 100);
	set_state(7, 0x502000f, 0xa001, 0x7030);
	see_states(0, 100);
	memset(&states, 0, sizeof(states));
	set_state(31, 0, 0, 0);
	see_states(100, 32);
	memset(&states, 0, sizeof(states));
	see_states(0, 100);
	CHECK_EQUAL(fault_states_read(rows), 2);
	CHECK_EQUAL(rows[0].kind, FAULT_STATES_READ);
	CHECK_EQUAL(rows[0].count, 1);
	CHECK_EQUAL(rows[0].global_esr, 0x20);
	CHECK_EQUAL(rows[0].source, OBJECT);
	CHECK_EQUAL(rows[0].flags, FAULT_ONE_CONTEXT);
	CHECK_EQUAL(rows[1].kind, FAULT_EXCEPTION);
	CHECK_EQUAL(rows[1].sm, 7);
	CHECK_EQUAL(rows[1].address, 0xa001);
	CHECK_EQUAL(rows[1].pc, 0x7030);
	CHECK_EQUAL(rows[1].flags, FAULT_ADDRESS_BYTE | FAULT_HAS_PC);
}

/* One reading beside another context is enough to take the flag away, whichever it is. */
static void test_several_contexts(void)
{
	see_states(0, 100);
	is_one_context = false;
	see_states(100, 32);
	is_one_context = true;
	see_states(0, 100);
	CHECK_EQUAL(fault_states_read(rows), 1);
	CHECK_EQUAL(rows[0].flags, 0);
}

static void test_each_sm_counts_once(void)
{
	for (uint32_t i = 0; i < RM_SM_STATES; i++)
		set_state(i, 0x102000e, i, 0x7000);
	see_states(0, 60);
	see_states(0, 60);
	see_states(60, 100);
	see_states(160, 100);
	CHECK_EQUAL(fault_states_read(rows), FAULT_EXCEPTIONS_MAX + 1);
	CHECK(rows[0].count >= 200 && rows[0].n_lost == rows[0].count - FAULT_EXCEPTIONS_MAX);
}

/* A count that is too large to be true. */
static void test_counts_are_checked(void)
{
	see_states(0, UINT32_MAX);
	CHECK_EQUAL(fault_states_read(rows), 1);
	CHECK_EQUAL(rows[0].count, 0);
}

static void test_mmu_is_asked(void)
{
	states.is_mmu_valid = 1;
	states.mmu_info = 0x81012100;
	see_states(0, 100);
	see_states(100, 32);
	CHECK_EQUAL(n_asked, 1);
	CHECK_EQUAL(fault_states_read(rows), 3);
	CHECK_EQUAL(rows[0].flags, FAULT_MMU_VALID | FAULT_ONE_CONTEXT);
	CHECK_EQUAL(rows[0].mmu_info, 0x81012100);
	CHECK_EQUAL(rows[1].kind, FAULT_MMU_LIST_READ);
	CHECK_EQUAL(rows[1].count, 1);
	CHECK_EQUAL(rows[2].kind, FAULT_MMU);
	CHECK_EQUAL(rows[2].access, FAULT_WRITE);
	CHECK_EQUAL(rows[2].address, 0x7000);
}

static void test_a_refusal_is_no_list(void)
{
	asked_result = -1;
	states.is_mmu_valid = 1;
	see_states(0, 100);
	CHECK_EQUAL(n_asked, 1);
	CHECK_EQUAL(fault_states_read(rows), 1);
}

static void see_more(void)
{
	see_states(100, 32);
}

/* An answer that arrives while another one is kept is missed. Then none is used. */
static void test_missed_answer(void)
{
	meanwhile = see_more;
	states.is_mmu_valid = 1;
	see_states(0, 100);
	CHECK_EQUAL(n_asked, 1);
	CHECK_EQUAL(fault_states_read(rows), 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{"other_calls", test_other_calls_are_none},  {"first_content", test_first_content_is_kept},
	{"several_contexts", test_several_contexts}, {"each_sm", test_each_sm_counts_once},
	{"counts", test_counts_are_checked},         {"mmu", test_mmu_is_asked},
	{"refusal", test_a_refusal_is_no_list},      {"signal", test_missed_answer},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (argc > 1 && strcmp(argv[1], tests[i].name) == 0) {
			tests[i].run();
			return 0;
		}
	return 1;
}
