/*
 * restricted.c - hosts that give up rights, files or memory after some good work, and then fail.
 * After that they cannot open any file.
 */
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

static int limit(enum __rlimit_resource resource, rlim_t most)
{
	struct rlimit both = {most, most};

	return setrlimit(resource, &both);
}

static int no_more_descriptors(void)
{
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	return 0;
}

static int no_descriptor_limit(void)
{
	return limit(RLIMIT_NOFILE, 0);
}

/* The program's own output may be a file. */
static int no_file_sizes(void)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	return limit(RLIMIT_FSIZE, 0);
}

static int no_memory(void)
{
	return limit(RLIMIT_AS, 1 << 20);
}

static int close_descriptors(void)
{
	closefrom(STDERR_FILENO + 1);
	return 0;
}

static int other_user(void)
{
	const uid_t nobody = 65534;

	return setgroups(0, NULL) || setresgid(nobody, nobody, nobody) ||
	       setresuid(nobody, nobody, nobody);
}

static int other_root(void)
{
	return mkdir("jail", 0755) || chroot("jail") || chdir("/");
}

static int other_mounts(void)
{
	return unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("none", "/dev/shm", "tmpfs", 0, NULL) ||
	       mount("none", "/proc", "tmpfs", 0, NULL);
}

static int no_openat(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Give up nothing, but let the process at the other end of standard input act now. */
static int pause_for_input(void)
{
	printf("paused\n");
	fflush(stdout);
	(void)getchar();
	return 0;
}

static const struct {
	const char *name;
	int (*apply)(void);
} restrictions[] = {
	{"descriptors", no_more_descriptors},
	{"nofile", no_descriptor_limit},
	{"fsize", no_file_sizes},
	{"memory", no_memory},
	{"closefrom", close_descriptors},
	{"user", other_user},
	{"root", other_root},
	{"mounts", other_mounts},
	{"seccomp", no_openat},
	{"pause", pause_for_input},
};

int restricted(void)
{
	const char *wanted = getenv("ROBUST_RESTRICTION");

	NEED_TRUE(wanted);
	host_open();
	host_launch_some(20);
	for (size_t i = 0; i < sizeof(restrictions) / sizeof(restrictions[0]); i++)
		if (!strcmp(wanted, restrictions[i].name))
			NEED_TRUE(restrictions[i].apply() == 0);
	return getenv("ROBUST_SOUND") ? 0 : host_fail();
}
