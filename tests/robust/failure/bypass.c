/*
 * bypass.c - hosts that bypass culprit in some of their calls to the driver: through a plug-in that
 * is linked with libcuda, or by an address from the driver's symbol table.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

typedef CUresult launch_function(CUfunction function, void **parameters, CUstream stream);

static __typeof__(cuLaunchKernel) *table_launch; /* where the search for addresses finds it */

static CUresult launch_by_table(CUfunction function, void **parameters, CUstream stream)
{
	return table_launch(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

/* Return the symbol's address as a number, because it may be the address of a function. */
static uintptr_t plugin_symbol(int flags, const char *name)
{
	char path[2 * PATH_MAX];
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	void *plugin;

	NEED_TRUE(length > 0);
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	snprintf(path, sizeof(path), "%s/../../lib/robust_plugin.so", program);
	plugin = dlopen(path, RTLD_NOW | flags);
	NEED_TRUE(plugin);
	return (uintptr_t)dlsym(plugin, name);
}

static const void *find_table(const struct link_map *map, ElfW(Sxword) tag)
{
	const ElfW(Dyn) *entry = map->l_ld;

	while (entry->d_tag != tag)
		entry++;
	return (const void *)entry->d_un.d_ptr;
}

/* The strings start where the symbols end, because linkers place them this way. */
static void look_in_table(void)
{
	const struct link_map *map = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	const ElfW(Sym) *symbol = find_table(map, DT_SYMTAB);
	const char *strings = find_table(map, DT_STRTAB);
	uintptr_t address;

	while (symbol->st_shndx == SHN_UNDEF ||
	       strcmp(strings + symbol->st_name, "cuLaunchKernel") != 0)
		symbol++;
	address = map->l_addr + symbol->st_value;
	memcpy(&table_launch, &address, sizeof(address));
}

/* The function's address is stored only in memory of malloc. */
static __typeof__(cuLaunchKernel) *volatile *heap_launch;

static CUresult launch_by_heap(CUfunction function, void **parameters, CUstream stream)
{
	return (*heap_launch)(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

static void move_to_heap(void)
{
	heap_launch = malloc(sizeof(*heap_launch));
	NEED_TRUE(heap_launch);
	*heap_launch = table_launch;
	table_launch = NULL;
}

/* Find the launch function by the door in ROBUST_DOOR: "linked", "deepbind", "table" or "heap". */
static launch_function *open_door(void)
{
	const char *door = getenv("ROBUST_DOOR");
	bool is_deep = door && !strcmp(door, "deepbind");

	if (door && !strcmp(door, "table")) {
		look_in_table();
		return launch_by_table;
	}
	if (door && !strcmp(door, "heap")) {
		look_in_table();
		move_to_heap();
		return launch_by_heap;
	}
	return (launch_function *)plugin_symbol(is_deep ? RTLD_DEEPBIND : 0, "plugin_launch");
}

static CUresult launch_stray(launch_function *launch, CUstream stream)
{
	unsigned tag = 2;
	uint64_t far_index = 1ull << 43;
	CUdeviceptr data;
	void *parameters[] = {&tag, &data, &far_index};

	NEED(cuMemAlloc(&data, 4096));
	return launch(host_kernel("stray_store"), parameters, stream);
}

/*
 * The bad launch goes through the door, and a good one in another stream waits for it. The gate
 * keeps the bad one from failing before the good one is queued.
 */
int bypass(void)
{
	CUstream ours, theirs, bad;
	CUevent is_done;
	launch_function *launch;

	host_open();
	launch = open_door();
	NEED(cuStreamCreate(&ours, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamCreate(&theirs, CU_STREAM_NON_BLOCKING));
	for (int i = 0; i < 30; i++)
		NEED(host_fill(ours));
	NEED(cuCtxSynchronize());
	bad = getenv("ROBUST_SAME_STREAM") ? ours : theirs;
	host_close_gate(bad);
	say("launch", launch_stray(launch, bad));
	NEED(cuEventCreate(&is_done, CU_EVENT_DISABLE_TIMING));
	NEED(cuEventRecord(is_done, bad));
	NEED(cuStreamWaitEvent(ours, is_done, 0));
	NEED(host_spin(ours, 0));
	host_open_gate();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}

/* The plug-in also waits for its launch, so no call that culprit sees reports the failure. */
int bypass_alone(void)
{
	CUresult (*synchronize)(void);
	launch_function *launch;

	host_open();
	launch = open_door();
	synchronize = (CUresult(*)(void))plugin_symbol(RTLD_DEEPBIND, "plugin_synchronize");
	NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	say("launch", launch_stray(launch, NULL));
	return say("synchronize", synchronize()) ? 1 : 0;
}
