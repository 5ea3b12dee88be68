/*
 * processes.c - hosts that have children, made in every way, before and after the driver was
 * initialised, and while other threads launch.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

extern char **environ;

static void say_how_it_ended(const char *what, pid_t child)
{
	int status = 0;

	NEED_TRUE(child > 0 && waitpid(child, &status, 0) == child);
	printf("%s: %s %d\n", what, WIFEXITED(status) ? "status" : "signal",
	       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

/* Fork without running any fork handler. */
static pid_t bare_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

/* Work of a child that does not use the GPU. */
static void work_on_host(void)
{
	char *bytes = malloc(1 << 20);

	NEED_TRUE(bytes);
	memset(bytes, 1, 1 << 20);
	free(bytes);
	exit(0);
}

static void launch(void)
{
	exit((int)host_fill(NULL));
}

static void initialise(void)
{
	exit((int)cuInit(0));
}

static void launch_often(void)
{
	for (int i = 0; i < 20; i++)
		(void)host_fill(NULL);
	_exit(0);
}

static void exit_bare(void)
{
	exit(0);
}

struct child {
	const char *name;
	pid_t (*make)(void);
	void (*run)(void);
};

static void make_children(const struct child *children, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		host_launch_some(100);
		pid_t child = children[i].make();
		if (child == 0)
			children[i].run();
		say_how_it_ended(children[i].name, child);
	}
}

int fork_after_init(void)
{
	static const struct child children[] = {
		{"host work", fork, work_on_host},
		{"launch", fork, launch},
		{"cuInit", fork, initialise},
	};

	host_open();
	make_children(children, sizeof(children) / sizeof(*children));
	return host_fail();
}

/*
 * This runs with a driver that forgets all work: such a child has the driver's state but none of
 * its threads, one of which might have held the driver's lock.
 */
int bare_children(void)
{
	static const struct child children[] = {
		{"bare fork, launch", bare_fork, launch_often},
		{"bare fork, exit", bare_fork, exit_bare},
		{"_Fork, launch", _Fork, launch_often},
		{"_Fork, exit", _Fork, exit_bare},
	};

	host_open();
	make_children(children, sizeof(children) / sizeof(*children));
	return 0;
}

static pid_t spawn_true(void)
{
	char name[] = "true";
	char *arguments[] = {name, NULL};
	pid_t child = 0;

	NEED_TRUE(posix_spawnp(&child, "true", NULL, NULL, arguments, environ) == 0);
	return child;
}

static pid_t vfork_true(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execlp("true", "true", (char *)NULL);
		_exit(127);
	}
	return child;
}

static pid_t vfork_and_exit(void)
{
	pid_t child = vfork();

	if (child == 0)
		_exit(3);
	return child;
}

int other_children(void)
{
	host_open();
	host_launch_some(100);
	say_how_it_ended("posix_spawn", spawn_true());
	host_launch_some(100);
	say_how_it_ended("vfork, exec", vfork_true());
	host_launch_some(100);
	say_how_it_ended("vfork, _exit", vfork_and_exit());
	host_launch_some(100);
	printf("system: %d\n", system("exit 5"));
	host_launch_some(100);
	return host_fail();
}

static int run_child(void)
{
	host_open();
	host_launch_some(10);
	return host_fail();
}

/* Three processes use CUDA, and none of them inherited it from its parent. */
int fork_before_init(void)
{
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();
		if (child == 0)
			exit(run_child());
		say_how_it_ended("child", child);
	}
	return run_child();
}

/* Start a daemon. Its parents exit at once, in both ways. */
int daemon_fork(void)
{
	int ends[2];
	char byte;

	NEED_TRUE(pipe(ends) == 0);
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		if (fork() > 0)
			exit(0);
		exit(run_child());
	}
	close(ends[1]);
	/* The pipe ends when the daemon exits. */
	NEED_TRUE(read(ends[0], &byte, 1) == 0);
	while (wait(NULL) > 0)
		;
	return 1;
}

/* Create a child that has its parent's process number, in a name space of its own. */
int fork_same_pid(void)
{
	host_open();
	host_launch_some(10);
	NEED_TRUE(unshare(CLONE_NEWPID) == 0);
	pid_t child = bare_fork();
	if (child == 0) {
		NEED_TRUE(getpid() == 1);
		exit(0);
	}
	say_how_it_ended("child", child);
	return host_fail();
}

enum { N_FORKS = 500, N_LAUNCHERS = 4 };

static atomic_bool is_over;
static atomic_uint n_launched[N_LAUNCHERS];

static void launch_until_over(unsigned index)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	while (!atomic_load(&is_over)) {
		NEED(host_fill(stream));
		if (atomic_fetch_add(&n_launched[index], 1) % 64 == 0)
			NEED(cuStreamSynchronize(stream));
	}
	NEED(cuStreamSynchronize(stream));
}

static void fork_often(void)
{
	for (int i = 0; i < N_FORKS; i++) {
		int status = 0;
		pid_t child = fork();
		if (child == 0)
			exit(i % 2 && host_fill(NULL) != CUDA_ERROR_NOT_INITIALIZED);
		NEED_TRUE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
	}
	atomic_store(&is_over, true);
}

static void fork_or_launch(unsigned index)
{
	if (index == N_LAUNCHERS)
		fork_often();
	else
		launch_until_over(index);
}

int fork_while_launching(void)
{
	host_open();
	host_threads(N_LAUNCHERS + 1, 0, fork_or_launch);
	return host_fail();
}
