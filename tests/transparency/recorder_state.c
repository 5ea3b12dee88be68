/*
 * recorder_state.c - record what a process has at its exit besides memory. The program, or one that
 * it starts, could notice whatever differs with a library in it.
 */
#include "recorder_line.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

__attribute__((format(printf, 1, 2))) static void write_state(const char *format, ...)
{
	struct line line;
	char text[RECORDER_LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	line_begin(&line);
	line_add(&line, " state %s", text);
	line_write(&line);
}

/* Pipes and sockets have different numbers in each run. */
static void write_descriptors(void)
{
	char path[64], target[PATH_MAX];

	for (int fd = 0; fd < 1024; fd++) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length < 0)
			continue;
		target[length] = '\0';
		if (target[0] != '/')
			target[strcspn(target, ":")] = '\0';
		write_state("descriptor %d %.200s", fd, target);
	}
}

/* True for the variables that differ between the runs on purpose. */
static bool is_of_the_test(const char *variable)
{
	static const char *const prefixes[] = {"LD_PRELOAD=", "CULPRIT_", "RECORDER_"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static void write_environment(void)
{
	for (char **variable = environ; variable && *variable; variable++)
		if (!is_of_the_test(*variable))
			write_state("environment %.300s", *variable);
}

static const char *object_of(const void *address)
{
	Dl_info info;
	const char *slash;

	if (!dladdr(address, &info) || !info.dli_fname)
		return "?";
	slash = strrchr(info.dli_fname, '/');
	return slash ? slash + 1 : info.dli_fname;
}

static void write_signals(void)
{
	for (int number = 1; number < NSIG; number++) {
		struct sigaction action;
		const char *handler;
		union {
			void (*function)(int);
			const void *address;
		} as = {NULL};

		if (sigaction(number, NULL, &action) != 0)
			continue;
		as.function = action.sa_handler;
		if (action.sa_handler == SIG_DFL)
			handler = "default";
		else
			handler = action.sa_handler == SIG_IGN ? "ignored" : object_of(as.address);
		write_state("signal %d %s %x", number, handler, (unsigned)action.sa_flags);
	}
}

static void write_mask(void)
{
	char mask[NSIG + 1] = "";
	sigset_t blocked;

	sigemptyset(&blocked);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	for (int number = 1; number < NSIG; number++)
		mask[number - 1] = sigismember(&blocked, number) == 1 ? '1' : '0';
	write_state("mask %s", mask);
}

static void write_limits(void)
{
	for (int resource = 0; resource < RLIMIT_NLIMITS; resource++) {
		struct rlimit limit;

		if (getrlimit((__rlimit_resource_t)resource, &limit) == 0)
			write_state("limit %d %llx %llx", resource,
				    (unsigned long long)limit.rlim_cur,
				    (unsigned long long)limit.rlim_max);
	}
}

static void write_process(void)
{
	char directory[PATH_MAX] = "", name[17] = "";
	stack_t stack = {.ss_flags = 0};
	mode_t mask = umask(0);

	umask(mask);
	prctl(PR_GET_NAME, name);
	sigaltstack(NULL, &stack);
	write_state("umask %o", (unsigned)mask);
	write_state("directory %.200s", getcwd(directory, sizeof(directory)) ? directory : "?");
	write_state("name %s nice %d dumpable %d alternate stack %d", name,
		    getpriority(PRIO_PROCESS, 0), prctl(PR_GET_DUMPABLE), stack.ss_flags);
}

/*
 * Return the accessible kilobytes. Memory that is only reserved, like the heaps of threads, costs
 * nothing.
 */
static unsigned long mapped_kilobytes(void)
{
	char line[PATH_MAX + 128], access[5];
	unsigned long kilobytes = 0, start, end;
	FILE *maps = fopen("/proc/self/maps", "re");

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %4s", &start, &end, access) == 3 &&
		    strncmp(access, "---", 3) != 0)
			kilobytes += (end - start) / 1024;
	if (maps)
		fclose(maps);
	return kilobytes;
}

/* Only these sizes may differ, within bounds. */
static void write_sizes(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) == 0)
		write_state("sizes mapped %lu resident %ld", mapped_kilobytes(), usage.ru_maxrss);
}

/*
 * Log the state of the process at its exit: descriptors, environment, signals and so on, one line
 * each.
 */
__attribute__((destructor)) static void log_state(void)
{
	if (!line_is_wanted())
		return;
	write_process();
	write_descriptors();
	write_environment();
	write_signals();
	write_mask();
	write_limits();
	write_sizes();
}
