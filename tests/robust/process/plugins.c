/*
 * plugins.c - a host whose code is loaded and unloaded: libraries that launch are closed again
 * while their stacks are in the journal, and other libraries take their place.
 */
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_TURNS = 30 };

/*
 * Libraries built from tests/stack/stale.c: the same code at the same place, except for the size of
 * its frame.
 */
static const char *const plugins[] = {"libstale_200.so", "libstale_400.so"};

static bool is_bad;
static int (*close_plugin)(void *library) = dlclose;

static int launch(void)
{
	return (int)host_store(NULL, is_bad);
}

/* Launch from the library, and return the address of its function. */
static void *launch_from(const char *name)
{
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "work") : NULL;
	int (*work)(int (*)(void));

	if (!symbol)
		fprintf(stderr, "robust: %s\n", dlerror());
	NEED_TRUE(symbol);
	memcpy(&work, &symbol, sizeof(work));
	NEED_TRUE(work(launch) == 0);
	NEED_TRUE(close_plugin(library) == 0);
	return symbol;
}

/* The first library makes the launch. By the time it fails, another library is at its place. */
int closed_plugin(void)
{
	void *place;

	host_open();
	for (int i = 0; i < N_TURNS; i++) {
		place = launch_from(plugins[0]);
		NEED_TRUE(launch_from(plugins[1]) == place);
	}
	NEED(cuCtxSynchronize());
	is_bad = true;
	(void)launch_from(plugins[0]);
	void *other = dlopen(plugins[1], RTLD_NOW | RTLD_LOCAL);
	NEED_TRUE(other && dlsym(other, "work") == place);
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/*
 * Close the library by the C library's own dlclose. The failing launch is that of the first
 * library's twin.
 */
int plugin_closed_unseen(void)
{
	void *libc = dlopen(LIBC_SO, RTLD_NOW);
	void *symbol = libc ? dlsym(libc, "dlclose") : NULL;

	NEED_TRUE(symbol);
	memcpy(&close_plugin, &symbol, sizeof(symbol));
	host_open();
	void *place = NULL;
	for (volatile int i = 0; i <= N_TURNS; i++) {
		/* Launch from the same call as the other launches. */
		is_bad = i == N_TURNS;
		void *now_at = launch_from(is_bad ? "libstale_twin.so" : plugins[0]);
		NEED_TRUE(i == 0 || now_at == place);
		place = now_at;
	}
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

static int launch_for_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)info, (void)size, (void)unused;
	NEED(host_fill(NULL));
	return 0;
}

static void *load_and_launch(void *unused)
{
	CUresult result = CUDA_SUCCESS;

	host_use();
	while (result == CUDA_SUCCESS) {
		void *library = dlopen(plugins[0], RTLD_NOW | RTLD_LOCAL);
		NEED_TRUE(library);
		result = host_fill(NULL);
		if (result == CUDA_SUCCESS)
			result = cuCtxSynchronize();
		NEED_TRUE(close_plugin(library) == 0);
	}
	return unused;
}

/* Launch under the loader's lock, while other threads want that lock to load and unload code. */
int launches_in_loader_callback(void)
{
	pthread_t threads[2];
	int status;

	host_open();
	host_launch_some(1); /* simcuda starts its own threads, which takes the loader's lock */
	for (int i = 0; i < 2; i++)
		NEED_TRUE(!pthread_create(&threads[i], NULL, load_and_launch, NULL));
	for (int i = 0; i < 300; i++)
		dl_iterate_phdr(launch_for_library, NULL);
	status = host_fail();
	for (int i = 0; i < 2; i++)
		NEED_TRUE(!pthread_join(threads[i], NULL));
	return status;
}
