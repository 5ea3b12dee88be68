/*
 * fault_files.c - hosts that check the descriptors of nvidia-uvm's events around contexts and
 * children, and one that calls ioctl in all ways. On simcuda with libsimkernel.so.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_RESETS = 200, N_RESETS_ON_GPU = 10, HIGH = 960 };

/* Count the descriptors of nvidia-uvm-tools; *out_lowest is the lowest of them, or -1. */
static int count_trackers(int *out_lowest)
{
	DIR *folder = opendir("/proc/self/fd");
	int n = 0;

	NEED_TRUE(folder);
	*out_lowest = -1;
	for (const struct dirent *entry = NULL; (entry = readdir(folder));) {
		char path[64] = "";

		if (readlinkat(dirfd(folder), entry->d_name, path, sizeof(path) - 1) < 0 ||
		    strcmp(path, "/dev/nvidia-uvm-tools") != 0)
			continue;
		int fd = (int)strtol(entry->d_name, NULL, 10);
		n++;
		if (*out_lowest < 0 || fd < *out_lowest)
			*out_lowest = fd;
	}
	closedir(folder);
	return n;
}

/* The room in the process's table of descriptors. */
static int table_size(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	int size = 0;

	NEED_TRUE(file);
	while (!size && fgets(line, sizeof(line), file))
		if (strncmp(line, "FDSize:", 7) == 0)
			size = (int)strtol(line + 7, NULL, 10);
	fclose(file);
	NEED_TRUE(size > 0);
	return size;
}

static void say_trackers(const char *when)
{
	int lowest = -1;
	int n = count_trackers(&lowest);
	int size = table_size();
	int least = size > HIGH ? HIGH : size - size / 16;

	printf("%s: %d%s\n", when, n, n && lowest < least ? " among ordinary numbers" : "");
	(void)fflush(stdout);
}

int fault_resets(void)
{
	int lowest = -1;
	int n_wrong = 0;

	int n = host_is_gpu() ? N_RESETS_ON_GPU : N_RESETS;

	NEED(cuInit(0));
	for (int i = 0; i < n; i++) {
		CUcontext context = NULL;
		CUstream stream = NULL;

		NEED(cuDevicePrimaryCtxRetain(&context, 0));
		NEED(cuCtxSetCurrent(context));
		NEED(cuStreamCreate(&stream, 0));
		n_wrong += count_trackers(&lowest) != 2;
		NEED(cuDevicePrimaryCtxReset(0));
		n_wrong += count_trackers(&lowest) != 0;
	}
	printf("wrong: %d\n", n_wrong);
	host_open();
	say_trackers("open");
	return host_fail();
}

int fault_children(void)
{
	host_open();
	NEED(host_fill(NULL));
	pid_t child = fork();
	if (child == 0) {
		say_trackers("child");
		_exit(0);
	}
	NEED_TRUE(child > 0 && waitpid(child, NULL, 0) == child);
	say_trackers("parent");
	return host_fail();
}

int fault_checkpoint(void)
{
	int pid = getpid();

	host_open();
	NEED(host_fill(NULL));
	say("refused checkpoint", cuCheckpointProcessCheckpoint(pid, NULL));
	say_trackers("after it");
	NEED(cuCheckpointProcessLock(pid, NULL));
	NEED(cuCheckpointProcessCheckpoint(pid, NULL));
	say_trackers("checkpointed");
	NEED(cuCheckpointProcessRestore(pid, NULL));
	NEED(cuCheckpointProcessUnlock(pid, NULL));
	return host_fail();
}

/* Call cuMemGetDefaultMemPool or cuMemGetMemPool, which are new in CUDA 13. */
static CUresult get_pool(const char *name, CUmemAllocationType type)
{
	CUresult (*get)(CUmemoryPool *, CUmemLocation *, CUmemAllocationType) = NULL;
	CUmemLocation device = {.type = CU_MEM_LOCATION_TYPE_DEVICE};
	CUdriverProcAddressQueryResult status;
	CUmemoryPool pool = NULL;

	NEED(cuGetProcAddress(name, (void **)&get, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
	return get(&pool, &device, type);
}

static CUresult make_pool(CUmemAllocationType type)
{
	const CUmemPoolProps properties = {.allocType = type,
					   .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};
	CUmemoryPool pool = NULL;

	return cuMemPoolCreate(&pool, &properties);
}

static CUresult pool_of(const char *call, CUmemAllocationType type)
{
	return strcmp(call, "cuMemPoolCreate") == 0 ? make_pool(type) : get_pool(call, type);
}

int fault_managed_pool(void)
{
	const char *call = getenv("ROBUST_CALL");
	const CUmemAllocationType managed = (CUmemAllocationType)2; /* new in CUDA 13 */

	NEED_TRUE(call);
	host_open();
	NEED(pool_of(call, CU_MEM_ALLOCATION_TYPE_PINNED));
	say_trackers("pinned");
	NEED(pool_of(call, managed));
	say_trackers("managed");
	return host_fail();
}

/*
 * Close all descriptors except the standard ones, and use their numbers for files of the program.
 */
int fault_numbers_taken(void)
{
	char text[8] = "";
	int lowest = -1;

	host_open();
	NEED(host_fill(NULL));
	NEED_TRUE(count_trackers(&lowest) == 2);
	FILE *own = tmpfile();
	NEED_TRUE(own && fputs("mine", own) >= 0 && fflush(own) == 0);
	NEED_TRUE(dup2(fileno(own), lowest) == lowest);
	int status = host_fail();
	NEED(cuDevicePrimaryCtxReset(0));
	NEED_TRUE(pread(lowest, text, sizeof(text) - 1, 0) == 4 && strcmp(text, "mine") == 0);
	puts("still mine");
	return status;
}

static void say_ioctl(const char *what, int result)
{
	printf("%s: %d %d\n", what, result, result ? errno : 0);
}

int fault_ioctls(void)
{
	unsigned char request[32] = {0};
	int ends[2];
	int n = -1;

	host_open();
	NEED_TRUE(pipe(ends) == 0 && write(ends[1], "abc", 3) == 3);
	errno = 77;
	NEED_TRUE(ioctl(ends[0], FIONREAD, &n) == 0 && n == 3 && errno == 77);
	say_ioctl("no argument", ioctl(ends[0], FIOCLEX));
	NEED_TRUE(fcntl(ends[0], F_GETFD) == FD_CLOEXEC);
	say_ioctl("bad descriptor", ioctl(-1, 0xc020462a, request));
	say_ioctl("not a device", ioctl(ends[0], 0xc020462a, request));
	say_ioctl("sign-extended", ioctl(ends[0], (unsigned long)(int)0xc020462a, request));
	say_ioctl("no request", ioctl(ends[0], 0xc020462a, NULL));
	return host_fail();
}
