/*
 * killed.c - a host that is killed at random moments, and the check of what its journal then holds:
 * for each thread every launch that had returned, without a gap, as far back as the ring goes.
 *
 * The parent is no host itself: it gives its child the preload that ROBUST_PRELOAD names, and reads
 * the bundle by the command in ROBUST_DUMP.
 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_ROUNDS = 100, N_THREADS = 4, MAX_DELAY_US = 30000, MAX_LAUNCHES = 1000 };

/* A thread's progress. The parent reads it after the writing thread is dead. */
struct progress {
	_Atomic uint32_t tid;
	_Atomic uint64_t n_returned; /* launches that had returned */
};

/*
 * The child's progress, shared with the parent. The parent writes n_wanted before it starts the
 * child.
 */
struct shared {
	struct progress threads[N_THREADS];
	uint64_t n_wanted; /* launches of one thread after which has_launched is posted */
	sem_t has_launched;
};

static struct shared *shared;

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		fprintf(stderr, "robust: %s is not set\n", name);
	NEED_TRUE(value);
	return value;
}

static struct shared *map_shared(void)
{
	int file = open("progress", O_RDWR | O_CREAT, 0600);
	void *page;

	NEED_TRUE(file >= 0 && ftruncate(file, sizeof(*shared)) == 0);
	page = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	NEED_TRUE(page != MAP_FAILED);
	close(file);
	return page;
}

static void count_on_own_stream(unsigned index)
{
	struct progress *mine = &shared->threads[index];
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	atomic_store(&mine->tid, (uint32_t)syscall(SYS_gettid));
	for (uint64_t n = 1;; n++) {
		NEED(host_fill(stream));
		atomic_store(&mine->n_returned, n);
		if (n == shared->n_wanted)
			NEED_TRUE(sem_post(&shared->has_launched) == 0);
		if (n == 1)
			NEED_TRUE(puts("launched") >= 0 && fflush(stdout) == 0);
	}
}

int count_launches(void)
{
	shared = map_shared();
	host_open();
	host_threads(N_THREADS, 0, count_on_own_stream);
	return 2;
}

/* The launches of one thread that were found in a ring. */
struct found {
	uint64_t oldest, newest, n;
};

static void note_line(const char *line, struct found *found)
{
	const char *tid = strstr(line, " tid="), *ordinal = strstr(line, " ordinal=");

	if (!strstr(line, " submission call=\"cuLaunchKernel\"") || !tid || !ordinal)
		return;
	uint64_t number = strtoull(ordinal + strlen(" ordinal="), NULL, 10);
	for (int i = 0; i < N_THREADS; i++) {
		if (strtoul(tid + strlen(" tid="), NULL, 10) !=
		    atomic_load(&shared->threads[i].tid))
			continue;
		if (!found[i].n || number < found[i].oldest)
			found[i].oldest = number;
		if (number > found[i].newest)
			found[i].newest = number;
		found[i].n++;
	}
}

/*
 * 3: killed before there was a bundle; 4: killed while a file was being made. The rest of the
 * bundle is dumped all the same.
 */
static bool is_answer(int status)
{
	return status == 0 || status == 3 || status == 4;
}

static void read_bundle(pid_t child, struct found *found)
{
	static char line[65536];
	char command[4096];
	FILE *dump;

	snprintf(command, sizeof(command), "%s bundles/culprit-robust-%d 2>&1",
		 environment("ROBUST_DUMP"), (int)child);
	dump = popen(command, "re");
	NEED_TRUE(dump);
	while (fgets(line, sizeof(line), dump))
		note_line(line, found);
	int status = pclose(dump);
	NEED_TRUE(WIFEXITED(status) && is_answer(WEXITSTATUS(status)));
}

/*
 * Each launch takes two rows of the ring, a record and its arguments; a few rows belong to others.
 */
static bool is_whole(const struct found *found, uint64_t n_returned, uint64_t n_rows)
{
	if (!n_returned && !found->n)
		return true;
	if (found->newest < n_returned || found->newest - found->oldest + 1 != found->n)
		return false;
	return found->oldest == 1 || found->n >= n_rows / 2 - 8;
}

static int check_bundle(pid_t child, uint64_t n_rows, uint64_t *out_n_launches)
{
	struct found found[N_THREADS] = {{0}};
	int n_wrong = 0;

	read_bundle(child, found);
	for (int i = 0; i < N_THREADS; i++) {
		uint64_t n_returned = atomic_load(&shared->threads[i].n_returned);
		*out_n_launches += n_returned;
		if (is_whole(&found[i], n_returned, n_rows))
			continue;
		printf("thread %u: %ju returned, journal has %ju: %ju to %ju\n",
		       atomic_load(&shared->threads[i].tid), (uintmax_t)n_returned,
		       (uintmax_t)found[i].n, (uintmax_t)found[i].oldest,
		       (uintmax_t)found[i].newest);
		n_wrong++;
	}
	return n_wrong;
}

static pid_t start_host(const char *n_rows)
{
	pid_t child = fork();

	if (child == 0) {
		NEED_TRUE(freopen("/dev/null", "w", stdout));
		char run[64];
		/* A run that is alive: no `culprit run` of another test moves the journal. */
		snprintf(run, sizeof(run), "0.%d.0.0", (int)getppid());
		setenv("CULPRIT_RUN", run, 1);
		setenv("CULPRIT_RECORDS", n_rows, 1);
		setenv("LD_PRELOAD", environment("ROBUST_PRELOAD"), 1);
		execl("/proc/self/exe", "robust", "count_launches", (char *)NULL);
		_exit(127);
	}
	NEED_TRUE(child > 0);
	return child;
}

/* Wait for a random moment, which may be before the first launch, or in the middle of launches. */
static void wait_for_moment(bool is_early)
{
	const struct timespec delay = {.tv_nsec = random() % MAX_DELAY_US * 1000};

	if (is_early)
		nanosleep(&delay, NULL);
	else
		NEED_TRUE(sem_wait(&shared->has_launched) == 0);
}

/* Its process for work aside outlives it, and makes the bundle only then if the machine is busy. */
static void kill_child(pid_t child)
{
	int status = 0;

	NEED_TRUE(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
	NEED_TRUE(WIFSIGNALED(status));
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
	NEED_TRUE(errno == ECHILD);
}

/* Run with rings that never wrap, or with rings that wrap after 128 launches. */
static int run_round(bool is_early, bool wraps, uint64_t *out_n_launches)
{
	memset(shared, 0, sizeof(*shared));
	NEED_TRUE(sem_init(&shared->has_launched, 1, 0) == 0);
	shared->n_wanted = (uint64_t)random() % MAX_LAUNCHES + 1;
	pid_t child = start_host(wraps ? "256" : "65536");
	wait_for_moment(is_early);
	kill_child(child);
	return check_bundle(child, wraps ? 256 : 65536, out_n_launches);
}

int kill_often(void)
{
	uint64_t n_launches = 0;
	unsigned seed = (unsigned)time(NULL);
	int n_wrong = 0;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) {
		fprintf(stderr, "a kernel or emulator refuses PR_SET_CHILD_SUBREAPER\n");
		exit(77);
	}
	printf("seed %u\n", seed);
	srandom(seed);
	shared = map_shared();
	for (int i = 0; i < N_ROUNDS; i++)
		n_wrong += run_round(i % 4 < 2, i % 2, &n_launches);
	printf("%ju launches\n", (uintmax_t)n_launches);
	return n_wrong != 0;
}
