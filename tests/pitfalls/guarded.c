/*
 * guarded.c - print each exported function among the arguments after the first that does not begin
 * with a landing pad for indirect jumps. Then jump past the landing pad of cuInit, which a
 * processor that guards the library's pages refuses (BTI, from armv8.5 on). The first argument is
 * the library. On other architectures this program only says that there is no guard.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#ifdef __aarch64__

enum { BTI_FLAG = 1 << 17 }; /* HWCAP2_BTI */

/* bti c, bti jc and paciasp */
static const uint32_t landing_pads[] = {0xd503245f, 0xd50324df, 0xd503233f};

static sigjmp_buf before;

static void on_refusal(int number)
{
	siglongjmp(before, number);
}

static int is_landing_pad(const void *function)
{
	uint32_t first = 0;

	memcpy(&first, function, sizeof(first));
	for (size_t i = 0; i < sizeof(landing_pads) / sizeof(landing_pads[0]); i++)
		if (first == landing_pads[i])
			return 1;
	return 0;
}

static void jump_past_pad(void *library)
{
	char *function = dlsym(library, "cuInit");
	void (*volatile inside)(unsigned) = (void (*)(unsigned))(uintptr_t)(function + 4);

	if (!(getauxval(AT_HWCAP2) & BTI_FLAG)) {
		printf("this processor has no guard\n");
		return;
	}
	signal(SIGILL, on_refusal);
	if (sigsetjmp(before, 1) == SIGILL) {
		printf("refused\n");
		return;
	}
	inside(0);
	printf("not refused\n");
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int n_bare = 0;

	for (int i = 2; i < argc; i++) {
		const void *function = library ? dlsym(library, argv[i]) : NULL;

		if (function && is_landing_pad(function))
			continue;
		printf("%s: %s\n", argv[i], function ? "no landing pad" : "not found");
		n_bare++;
	}
	printf("%d of %d without\n", n_bare, argc - 2);
	jump_past_pad(library);
	return 0;
}

#else

int main(void)
{
	printf("this processor has no guard\n");
	return 0;
}

#endif
