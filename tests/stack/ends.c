/*
 * ends.c - stacks that cannot be walked to their outermost frame, or only without rules. The frames
 * found must be right, and missing frames must be reported. glibc's unwinder walks the same stacks.
 *
 * Usage: ends LIBRARY.
 */
#include "callbacks.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "arch/frame.h"
#include "fake_journal.h"
#include "machine.h"
#include "record/stacks/stack.h"
#include "record/stacks/stack_cache.h"
#include "support/check.h"

#define NOINLINE __attribute__((noinline))

enum { PAGE = 1 << 16, MAX_FRAMES = 2048, STACK_SIZE = 256 * 1024, TOO_DEEP = 1200 };

/* A function without call frame information, called between functions that have it. */
__asm__(".text\n"
	".globl call_from_bare\n"
	".type call_from_bare, %function\n"
	"call_from_bare:\n" MACHINE_CALL ".size call_from_bare, . - call_from_bare\n"
	".section .note.GNU-stack,\"\",%progbits\n"
	".text\n");

/* A program may start here. The function is not marked as having no caller. */
__asm__(".text\n"
	".globl machine_start\n"
	".type machine_start, %function\n"
	"machine_start:\n" MACHINE_START ".size machine_start, . - machine_start\n");

static struct stack_cache *self;
static uint64_t path[MAX_FRAMES]; /* the last stack by culprit, innermost first */
static uint32_t n_path, end, id, outermost;
static void *theirs[MAX_FRAMES]; /* by glibc, from the same frame on */
static int n_theirs;
static jmp_buf way_out;
static bool is_unloading; /* all the time: no stack can be taken */

static uint64_t address_of(const void *place)
{
	return (uintptr_t)place;
}

static void capture(const void *frame)
{
	id = stack_capture(self, frame);
	n_path = fake_journal_path(id, path, MAX_FRAMES, &end);
	CHECK((id == 0) == is_unloading);
	for (outermost = id; outermost && fake_journal_stack(outermost)->parent;)
		outermost = fake_journal_stack(outermost)->parent;
}

/* Capture the caller's stack by culprit alone: glibc's unwinder reads the code of frames. */
static NOINLINE void look_alone(void)
{
	capture(FRAME_HERE());
}

/* Capture the stack by culprit and by glibc. */
static NOINLINE void look(void)
{
	const void *frame = FRAME_HERE();
	void *frames[MAX_FRAMES];
	int n = backtrace(frames, MAX_FRAMES);
	int first = 0;
	capture(frame);
	while (first < n && address_of(frames[first]) != frame_ip(frame))
		first++;
	n_theirs = n - first;
	memcpy(theirs, frames + first, (size_t)n_theirs * sizeof(theirs[0]));
	CHECK(n_theirs > 0);
}

/* Check that all of culprit's frames are also glibc's, and that glibc has n_more further out. */
static void check_frames(int n_more)
{
	CHECK_EQUAL((int)n_path + n_more, n_theirs);
	for (uint32_t i = 0; i < n_path; i++)
		CHECK(path[i] == address_of(theirs[i]));
}

static void test_whole(void)
{
	look();
	uint32_t first = id;
	CHECK_EQUAL(end, 0);
	check_frames(0);
	for (int i = 0; i < 3; i++)
		look();
	CHECK(id != first); /* of another line */
	CHECK_EQUAL(end, 0);
	check_frames(0);
}

/*
 * As long as the frames of a generated function are not registered, glibc's unwinder ends there
 * too.
 */
static void test_generated(void)
{
	struct generated code = generated_make();
	code.call(look);
	CHECK_EQUAL(end, STACK_END_NO_MODULE);
	CHECK(n_path == 1 && generated_holds(&code, path[0]));
	check_frames(0);
	uint32_t first = id;
	generated_register(&code);
	code.call(look);
	CHECK_EQUAL(id, first);
	CHECK(n_theirs > 2);
	check_frames(n_theirs - 1);
	/* A stack that ended there has no frame that the next stack could join. */
	look();
	CHECK_EQUAL(end, 0);
	check_frames(0);
}

static struct generated doomed;

static void unmap_and_look(void)
{
	CHECK_EQUAL(munmap(doomed.page, doomed.size), 0);
	look_alone();
	longjmp(way_out, 1);
}

static void test_unmapped(void)
{
	doomed = generated_make();
	if (!setjmp(way_out))
		doomed.call(unmap_and_look);
	CHECK_EQUAL(end, STACK_END_NO_MODULE);
	CHECK(n_path == 2 && generated_holds(&doomed, path[1]));
}

static void *library;

static int unload_and_look(void)
{
	look(); /* its rules are known now */
	CHECK_EQUAL(end, 0);
	CHECK_EQUAL(dlclose(library), 0);
	stack_module_unloaded();
	look_alone();
	longjmp(way_out, 1);
}

static void test_unloaded(const char *path_of_library)
{
	int (*work)(int (*)(void));
	library = dlopen(path_of_library, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "work") : NULL;
	CHECK(symbol != NULL);
	memcpy(&work, &symbol, sizeof(work));
	if (!setjmp(way_out))
		(void)work(unload_and_look);
	CHECK_EQUAL(end, STACK_END_NO_MODULE);
	CHECK_EQUAL(n_path, 2);
}

/* If a capture discovers an unload, no node of its stack may be older than the unload. */
static void test_unseen_unload(void)
{
	look();
	uint32_t n_rows = fake_journal_n_stacks();
	fake_journal_unload_unseen(1);
	look();
	CHECK_EQUAL(end, 0);
	check_frames(0);
	CHECK(n_path > 1 && outermost > n_rows);
	look();
	CHECK(outermost > n_rows);
}

static NOINLINE void begin_unloading(bool is_wanted)
{
	is_unloading = is_wanted;
	fake_journal_unload_unseen(is_wanted ? 1000 : 0);
	if (is_wanted)
		stack_module_unloaded();
}

/* If each attempt discovers an unload, there is no stack. The next capture has a whole one. */
static void test_unloads_all_the_time(void)
{
	volatile int n_looks = 3; /* so that all are in one place */
	for (int i = 0; i < n_looks; i++) {
		begin_unloading(i == 1);
		look();
	}
	check_frames(0);
}

static void test_bare(void)
{
	call_from_bare(look);
	CHECK_EQUAL(end, STACK_END_NO_RULES);
	CHECK_EQUAL(n_path, 1);
	check_frames(0);
	uint32_t first = id;
	call_from_bare(look);
	CHECK_EQUAL(id, first);
}

static void on_signal(int number)
{
	(void)number;
	look();
}

/* If the handler has a stack of its own, the frames' addresses jump as well. */
static void test_signal(int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
	stack_t stack = {.ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE};
	CHECK(stack.ss_sp != NULL);
	CHECK_EQUAL(sigaltstack(&stack, NULL), 0);
	CHECK_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
	CHECK_EQUAL(raise(SIGUSR1), 0);
	CHECK_EQUAL(end, 0);
	check_frames(0);
	look();
	CHECK_EQUAL(end, 0);
	check_frames(0);
	CHECK_EQUAL(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = SIG_DFL}, NULL), 0);
	CHECK_EQUAL(sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL), 0);
	free(stack.ss_sp);
}

static volatile int *forbidden; /* on a page that cannot be read before the handler allows it */

static void on_fault(int number)
{
	(void)number;
	look();
	CHECK_EQUAL(mprotect((void *)(uintptr_t)forbidden, PAGE, PROT_READ), 0);
}

/* The interrupted function has neither a frame nor, on aarch64, its return address in memory. */
static NOINLINE int read_in_leaf(const volatile int *word)
{
	return *word + 1;
}

static void test_leaf(void)
{
	struct sigaction action = {.sa_handler = on_fault};
	void *page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(page != MAP_FAILED);
	forbidden = page;
	CHECK_EQUAL(sigaction(SIGSEGV, &action, NULL), 0);
	CHECK_EQUAL(read_in_leaf(forbidden), 1);
	CHECK_EQUAL(end, 0);
	check_frames(0);
	CHECK_EQUAL(sigaction(SIGSEGV, &(struct sigaction){.sa_handler = SIG_DFL}, NULL), 0);
	CHECK_EQUAL(munmap(page, PAGE), 0);
}

static NOINLINE int descend(int depth)
{
	volatile int left = depth;
	if (depth == 0)
		look();
	else
		left -= descend(depth - 1);
	return left;
}

static void test_deep(void)
{
	(void)descend(TOO_DEEP);
	CHECK_EQUAL(end, STACK_END_LIMIT);
	CHECK_EQUAL(n_path, UNWIND_FRAMES);
	check_frames(n_theirs - UNWIND_FRAMES);
	(void)descend(UNWIND_FRAMES / 2);
	CHECK_EQUAL(end, 0);
	check_frames(0);
}

/* An array of a size that only the caller knows. */
static NOINLINE char with_array(size_t size)
{
	volatile char *array = __builtin_alloca(size);
	array[size - 1] = 1;
	look();
	return array[size - 1];
}

/* The frame is larger than the walk accepts. */
static void test_huge_frame(void)
{
	(void)with_array(2 << 20);
	CHECK_EQUAL(end, STACK_END_NO_FRAME);
	CHECK_EQUAL(n_path, 1);
	check_frames(n_theirs - 1);
}

static void test_arrays(void)
{
	for (size_t size = 1; size < 100000; size *= 7) {
		(void)with_array(size);
		CHECK_EQUAL(end, 0);
		check_frames(0);
	}
}

static int n_thrown;

static void look_while_thrown(void)
{
	look();
	CHECK_EQUAL(end, 0);
	check_frames(0);
	n_thrown++;
}

static void test_throw(void)
{
	throw_through(look_while_thrown);
	CHECK_EQUAL(n_thrown, 2);
}

static ucontext_t coroutine, starter;

static void run_coroutine(void)
{
	look();
	CHECK_EQUAL(setcontext(&starter), 0);
}

static void test_coroutine(void)
{
	volatile bool is_over = false;
	CHECK_EQUAL(getcontext(&coroutine), 0);
	coroutine.uc_stack.ss_sp = malloc(STACK_SIZE);
	coroutine.uc_stack.ss_size = STACK_SIZE;
	makecontext(&coroutine, run_coroutine, 0);
	CHECK_EQUAL(getcontext(&starter), 0);
	if (!is_over) {
		is_over = true;
		CHECK_EQUAL(setcontext(&coroutine), 0);
	}
	/*
	 * The code "returns" to the start of a function, and there is no function before that one
	 * here.
	 */
	CHECK_EQUAL(end & ~(uint32_t)STACK_END_NO_RULES, 0);
	check_frames(0);
	free(coroutine.uc_stack.ss_sp);
}

int main(int n_arguments, char **arguments)
{
	CHECK_EQUAL(n_arguments, 2);
	self = aligned_alloc(_Alignof(struct stack_cache), sizeof(*self));
	CHECK(self != NULL);
	memset(self, 0, sizeof(*self));
	stack_start(true);
	CHECK_EQUAL(stack_source(), STACK_OWN);
	test_whole();
	test_generated();
	test_unmapped();
	test_unloaded(arguments[1]);
	test_unseen_unload();
	test_unloads_all_the_time();
	test_bare();
	test_signal(0);
	test_signal(SA_ONSTACK);
	test_leaf();
	test_deep();
	test_arrays();
	test_huge_frame();
	test_throw();
	test_coroutine();
	return 0;
}
