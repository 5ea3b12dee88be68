/*
 * ranges.c - a host that runs its arguments in order:
 *
 *   open                  starts the driver
 *   push[FORM][@DOMAIN]:TEXT, start[FORM][@DOMAIN]:TEXT, pop[@DOMAIN], end[@DOMAIN]:N
 *                         NVTX ranges; the N-th start of all, from 1. FORM: w wide, e attributes,
 *                         ew both, r a registered string, n no text, p a payload (of pop and end as
 *                         well); the second copy of NVTX: 2
 *   destroy               the domain that was used last, once
 *   launch, launch:N      clean launches;   fail   one that stores far outside its array
 *   [ ... ]               the same in a thread of its own, which is waited for
 *   child [ ... ]         the same in a child by fork, which must end well
 *   repeat:N COMMAND      one command, or [ ... ], N times
 *
 * It prints what NVTX returns.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "copy.h"
#include "host.h"

enum { MAX_STARTED = 256, MAX_WORD = 16, MAX_DOMAIN = 200 };

static uint64_t started[MAX_STARTED]; /* one thread runs at a time */
static unsigned n_started;
static int status;

/* One argument, such as "pushr2@NCCL:text". */
struct command {
	char word[MAX_WORD];
	char domain[MAX_DOMAIN];
	bool has_domain;
	const char *text;
};

static void parse(const char *argument, struct command *out)
{
	const char *colon = strchr(argument, ':');
	size_t length = colon ? (size_t)(colon - argument) : strlen(argument);
	const char *at = memchr(argument, '@', length);
	size_t word_length = at ? (size_t)(at - argument) : length;

	NEED_TRUE(word_length < MAX_WORD && length - word_length < MAX_DOMAIN);
	memset(out, 0, sizeof(*out));
	memcpy(out->word, argument, word_length);
	out->has_domain = at;
	if (at)
		memcpy(out->domain, at + 1, length - word_length - 1);
	out->text = colon ? colon + 1 : "";
}

static unsigned number(const struct command *command)
{
	return *command->text ? (unsigned)strtoul(command->text, NULL, 10) : 1;
}

static bool starts_with(const char *word, const char *prefix)
{
	return strncmp(word, prefix, strlen(prefix)) == 0;
}

static const struct copy *copy_of(const char *word)
{
	return strchr(word, '2') ? &second_copy : &first_copy;
}

/* The form whose letters follow "push" or "start". */
static enum form form_of(const char *letters)
{
	static const char *const names[] = {
		[FORM_ASCII] = "",       [FORM_WIDE] = "w",
		[FORM_ATTRIBUTES] = "e", [FORM_WIDE_ATTRIBUTES] = "ew",
		[FORM_REGISTERED] = "r", [FORM_NONE] = "n",
		[FORM_PAYLOAD] = "p",
	};
	size_t length = strcspn(letters, "2");

	for (unsigned form = 0; form < sizeof(names) / sizeof(*names); form++) {
		if (strlen(names[form]) == length && !strncmp(names[form], letters, length))
			return (enum form)form;
	}
	fprintf(stderr, "ranges: '%s' is no form of text\n", letters);
	exit(2);
}

static void run_range(const struct command *command)
{
	const char *domain = command->has_domain ? command->domain : NULL;
	const struct copy *copy = copy_of(command->word);

	if (starts_with(command->word, "push")) {
		printf("push %d\n",
		       copy->push(form_of(command->word + strlen("push")), domain, command->text));
	} else if (starts_with(command->word, "pop")) {
		printf("pop %d\n", copy->pop(form_of(command->word + strlen("pop")), domain));
	} else if (starts_with(command->word, "start")) {
		NEED_TRUE(n_started < MAX_STARTED);
		started[n_started] = copy->start(form_of(command->word + strlen("start")), domain,
						 command->text);
		printf("start %s\n", started[n_started] ? "id" : "0");
		n_started++;
	} else if (starts_with(command->word, "end")) {
		NEED_TRUE(number(command) <= n_started);
		copy->end(form_of(command->word + strlen("end")), domain,
			  started[number(command) - 1]);
	} else if (starts_with(command->word, "destroy")) {
		copy->destroy();
	} else {
		fprintf(stderr, "ranges: '%s'?\n", command->word);
		exit(2);
	}
}

static void run_command(const char *argument)
{
	struct command command;

	parse(argument, &command);
	if (!strcmp(command.word, "open"))
		host_open();
	else if (!strcmp(command.word, "launch"))
		host_launch_some(number(&command));
	else if (!strcmp(command.word, "fail"))
		status = host_fail();
	else
		run_range(&command);
}

static char **run_all(char **arguments);

static void *run_thread(void *arguments)
{
	host_use();
	return run_all(arguments);
}

/* Run the arguments in brackets in a new thread. Return the arguments after the closing bracket. */
static char **run_in_thread(char **arguments)
{
	pthread_t thread;
	void *rest;

	NEED_TRUE(pthread_create(&thread, NULL, run_thread, arguments) == 0);
	NEED_TRUE(pthread_join(thread, &rest) == 0);
	return rest;
}

/* The child exits at the closing bracket; the parent does not run the arguments in brackets. */
static char **run_in_child(char **arguments)
{
	int child_status;
	pid_t child = fork();

	NEED_TRUE(child >= 0);
	if (child == 0) {
		(void)run_all(arguments + 1);
		exit(status);
	}
	NEED_TRUE(waitpid(child, &child_status, 0) == child && child_status == 0);
	while (strcmp(*arguments, "]") != 0)
		arguments++;
	return arguments + 1;
}

static char **run_times(const char *argument, char **arguments)
{
	struct command command;
	char **rest = arguments;

	parse(argument, &command);
	for (unsigned i = 0; i < number(&command); i++) {
		rest = arguments;
		if (!strcmp(*arguments, "["))
			rest = run_in_thread(arguments + 1);
		else
			run_command(*rest++);
	}
	return rest;
}

static char **run_all(char **arguments)
{
	while (*arguments && strcmp(*arguments, "]") != 0) {
		char *argument = *arguments++;

		if (!strcmp(argument, "["))
			arguments = run_in_thread(arguments);
		else if (!strcmp(argument, "child"))
			arguments = run_in_child(arguments);
		else if (starts_with(argument, "repeat:"))
			arguments = run_times(argument, arguments);
		else
			run_command(argument);
	}
	return *arguments ? arguments + 1 : arguments;
}

int main(int argc, char **argv)
{
	(void)argc;
	setvbuf(stdout, NULL, _IOLBF, 0);
	(void)run_all(argv + 1);
	return status;
}
