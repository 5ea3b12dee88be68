/*
 * aborts.c - a host that handles SIGABRT itself and inspects the stack that led there. A library
 * that interposes abort() must not appear in that stack, nor in a core dump.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cuda_api.h"

enum { MAX_FRAMES = 64 };

static void look(int signal_number)
{
	void *frames[MAX_FRAMES];
	int n_foreign = 0, n = backtrace(frames, MAX_FRAMES);
	Dl_info info;

	for (int i = 0; i < n; i++)
		if (dladdr(frames[i], &info) && strstr(info.dli_fname, "libculprit"))
			n_foreign++;
	printf("signal %d, more than two frames: %d, foreign ones: %d\n", signal_number, n > 2,
	       n_foreign);
	fflush(stdout);
}

int main(void)
{
	CUresult (*init)(unsigned int);
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);

	*(void **)&init = dlsym(driver, "cuInit");
	printf("cuInit %d\n", (int)init(0));
	signal(SIGABRT, look);
	abort();
}
