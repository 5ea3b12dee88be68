/*
 * test_symbol_hooks.c - the exported dlsym, dlvsym and abort of this architecture, between
 * stand-ins for symbol_lookup and for the C library's functions. A real dlsym sees its caller and
 * its arguments, those on the stack too; no argument of a look-up shows the latter, so the
 * stand-ins take many. The stand-in for symbol_lookup leaves other values in all registers that a
 * function may change, and walks the stack.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <stdint.h>

#include "entry/process.h"
#include "entry/symbol_lookup.h"
#include "support/check.h"

enum { N_WORDS = 12 };

/* It is returned in memory, whose address is an argument, too: in x8 on aarch64. */
struct words {
	uint64_t words[N_WORDS];
};

#define WORDS   11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22
#define ALL(of) of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(10) of(11)
#define TYPE(i) uint64_t,
typedef struct words many_words(ALL(TYPE) const void *);

void *(*symbol_real_dlsym)(void *handle, const char *name);
void *(*symbol_real_dlvsym)(void *handle, const char *name, const char *version);

static struct {
	unsigned n_asked, n_passed, n_aborts;
	const void *handle, *name, *version, *caller, *real_caller;
	struct symbol_answer answer;
} seen;

/* Change what a function may change, as a look-up that prints or compares strings does. */
static void change_registers(void)
{
#if defined(__aarch64__)
	__asm__ volatile("mov x0, #-1\n\tmov x1, x0\n\tmov x2, x0\n\tmov x3, x0\n\tmov x4, x0\n\t"
			 "mov x5, x0\n\tmov x6, x0\n\tmov x7, x0\n\tmov x8, x0\n\tmov x9, x0\n\t"
			 "mov x16, x0\n\tmov x17, x0"
			 :
			 :
			 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x16", "x17",
			   "memory");
#else
	__asm__ volatile("mov $-1, %%rax\n\tmov %%rax, %%rdi\n\tmov %%rax, %%rsi\n\t"
			 "mov %%rax, %%rdx\n\tmov %%rax, %%rcx\n\tmov %%rax, %%r8\n\t"
			 "mov %%rax, %%r9\n\tmov %%rax, %%r10\n\tmov %%rax, %%r11"
			 :
			 :
			 : "rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "memory");
#endif
}

/* The unwinder finds the caller above the assembler, through its call frame information. */
static void check_stack(const void *caller)
{
	void *frames[16];
	int n_frames = backtrace(frames, 16), i = 0;

	while (i < n_frames && frames[i] != caller)
		i++;
	CHECK(i < n_frames - 1);
}

struct symbol_answer symbol_lookup(void *handle, const char *name, const char *version,
				   const void *caller)
{
	seen.n_asked++;
	seen.handle = handle;
	seen.name = name;
	seen.version = version;
	seen.caller = caller;
	check_stack(caller);
	change_registers();
	return seen.answer;
}

#define PARAMETER(i) uint64_t word_##i,
#define STORE(i)     word_##i,
static struct words pass(ALL(PARAMETER) const void *last)
{
	seen.n_passed++;
	seen.real_caller = __builtin_extract_return_addr(__builtin_return_address(0));
	CHECK(last == &seen);
	return (struct words){{ALL(STORE)}};
}

static void end(void)
{
	seen.n_aborts++;
	seen.real_caller = __builtin_extract_return_addr(__builtin_return_address(0));
}

void (*process_abort(const void *caller))(void)
{
	seen.caller = caller;
	check_stack(caller);
	change_registers();
	return end;
}

/* Call a function as one of many arguments. The compiler does not see which one it is. */
static struct words call_with_words(const void *function)
{
	many_words *volatile many = (many_words *)(uintptr_t)function;

	return many(WORDS, &seen);
}

static void check_words(struct words got)
{
	static const uint64_t wanted[] = {WORDS};

	for (int i = 0; i < N_WORDS; i++)
		CHECK_EQUAL(got.words[i], wanted[i]);
}

/* Without an answer, the real function is called as if it had been called directly. */
static void test_forwarded(const void *door)
{
	memset(&seen, 0, sizeof(seen));
	check_words(call_with_words(door));
	CHECK_EQUAL(seen.n_asked, 1);
	CHECK_EQUAL(seen.n_passed, 1);
	CHECK(seen.caller == seen.real_caller);
}

static void test_answered(void)
{
	void *(*volatile look_up)(void *, const char *) = dlsym;
	void *(*volatile look_up_version)(void *, const char *, const char *) = dlvsym;

	memset(&seen, 0, sizeof(seen));
	seen.answer = (struct symbol_answer){.address = "answer", .is_final = true};
	CHECK(look_up(&seen, "name") == seen.answer.address);
	CHECK(seen.handle == &seen && seen.version == NULL);
	CHECK_STRING(seen.name, "name");
	CHECK(look_up_version(&seen, "name", "version") == seen.answer.address);
	CHECK(seen.handle == &seen);
	CHECK_STRING(seen.version, "version");
	CHECK_EQUAL(seen.n_asked, 2);
	CHECK_EQUAL(seen.n_passed, 0);
}

/* The stand-in for the C library's abort returns. */
static void test_abort(void)
{
	void (*volatile function)(void) = (void (*)(void))(uintptr_t)abort;

	memset(&seen, 0, sizeof(seen));
	function();
	CHECK_EQUAL(seen.n_aborts, 1);
	CHECK(seen.caller == seen.real_caller);
}

int main(void)
{
	symbol_real_dlsym = (void *(*)(void *, const char *))(uintptr_t)pass;
	symbol_real_dlvsym = (void *(*)(void *, const char *, const char *))(uintptr_t)pass;
	test_forwarded((const void *)(uintptr_t)dlsym);
	test_forwarded((const void *)(uintptr_t)dlvsym);
	test_answered();
	test_abort();
	return 0;
}
