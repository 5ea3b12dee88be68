/*
 * runtimes.c - a host whose libraries ask their runtimes for error texts. ROBUST_RUNTIMES lists the
 * libraries, each opened for itself alone; without any the process has no runtime.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { MAX_USERS = 8 };

typedef const char *text_function(int error);

#pragma weak cudaGetErrorString
const char *cudaGetErrorString(int error);

static void *users[MAX_USERS];
static size_t n_users;

static void open_users(void)
{
	const char *list = getenv("ROBUST_RUNTIMES");
	char *paths = strdup(list ? list : ""), *rest = paths;
	for (const char *path; (path = strsep(&rest, ":")) && n_users < MAX_USERS;) {
		if (!*path)
			continue;
		users[n_users] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!users[n_users++]) {
			puts(dlerror());
			exit(2);
		}
	}
	free(paths);
}

static text_function *function_of(void *handle, const char *name)
{
	return (text_function *)(uintptr_t)dlsym(handle, name);
}

/* Return the runtime's own text, without the libraries that interpose the function. */
static const char *own_text(void *user, int error)
{
	text_function *own = function_of(user, "cudaGetErrorString");
	return own ? own(error) : "none";
}

static void say_texts(const char *when, int error)
{
	for (size_t i = 0; i < n_users; i++) {
		text_function *text = function_of(users[i], "user_text");
		text_function *name = function_of(users[i], "user_name");
		const char *said = text(error);
		bool is_own = said == own_text(users[i], error);
		printf("%s: %d: %s%s\n", when, error, said, is_own ? " (its own)" : "");
		if (said != text(error))
			puts("moved");
		if (n_users == 1 && said != function_of(users[i], "user_jump")(error))
			puts("another one by a jump");
		if (name(error) != function_of(users[i], "cudaGetErrorName")(error))
			puts("not its own name");
	}
}

/* Only the libraries can see their runtimes. */
static void say_what_is_seen(void)
{
	printf("for all: %s\n", dlsym(RTLD_DEFAULT, "cudaGetErrorString") ? "one" : "none");
	printf("next: %s\n", dlsym(RTLD_NEXT, "cudaGetErrorString") ? "one" : "none");
	void *program = dlopen(NULL, RTLD_NOW);
	printf("in the program: %s\n", dlsym(program, "cudaGetErrorString") ? "one" : "none");
}

int runtime_texts(void)
{
	open_users();
	say_what_is_seen();
	if (!n_users && cudaGetErrorString &&
	    strcmp(cudaGetErrorString(1), "unrecognized error code"))
		puts("a text without a runtime");
	host_open();
	say_texts("before", CUDA_ERROR_ILLEGAL_ADDRESS);
	host_fail();
	say_texts("after", CUDA_ERROR_ILLEGAL_ADDRESS);
	say_texts("another", CUDA_ERROR_INVALID_VALUE);
	say_what_is_seen();
	return 1;
}
