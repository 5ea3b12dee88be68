/*
 * failing_calls.c - a library to preload in front of culprit. It makes culprit's own system and
 * library calls fail, or raises a signal in them; all other calls go through.
 *
 * FAIL_CALL=name:first-last:error   the calls of that name, counted from 1, fail with that errno
 * FAIL_CALL=name:first-last:signal  SIGUSR1 is raised before them, and they go through
 * FAIL_CALL=name:first-last:short   reads and writes do half of what was asked
 * FAIL_MET=path                     is made when the first of these calls came
 *
 * The name malloc stands for what the C library allocates within calls that culprit makes.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The effect of an order on its calls. */
enum act { ACT_FAIL, ACT_SIGNAL, ACT_SHORT };

/* Written at load time. */
static char name[32];
static unsigned first, last;
static enum act act;
static int error;
static bool is_malloc; /* the name is that */
static const char *met;

static atomic_uint n_calls;

/* The number of culprit's calls that this thread is in. Initial-exec, because malloc reads it. */
static __thread unsigned depth __attribute__((tls_model("initial-exec")));

static void read_act(const char *text)
{
	if (strcmp(text, "signal") == 0)
		act = ACT_SIGNAL;
	else if (strcmp(text, "short") == 0)
		act = ACT_SHORT;
	else
		error = atoi(text);
}

__attribute__((constructor)) static void read_order(void)
{
	const char *order = getenv("FAIL_CALL");
	int n = 0;

	if (!order)
		return;
	if (sscanf(order, "%31[a-z_0-9]:%u-%u:%n", name, &first, &last, &n) != 3 || n == 0) {
		fprintf(stderr, "FAIL_CALL: not name:first-last:error: %s\n", order);
		_exit(2);
	}
	read_act(order + n);
	met = getenv("FAIL_MET");
	is_malloc = strcmp(name, "malloc") == 0;
}

/*
 * Find the next definition after this library's. ISO C has no cast from an object to a function
 * pointer.
 */
#define FIND_REAL(call) memcpy(&real_, &(void *){dlsym(RTLD_NEXT, call)}, sizeof(real_))

static bool is_culprit(const void *caller)
{
	int (*real_)(const void *, Dl_info *);
	Dl_info info;

	FIND_REAL("dladdr");
	return real_(caller, &info) && strstr(info.dli_fname, "/libculprit.so");
}

/* Note that the order was carried out. Use bare system calls, which are not counted. */
static void note_met(void)
{
	long file =
		met ? syscall(SYS_openat, AT_FDCWD, met, O_CREAT | O_WRONLY | O_CLOEXEC, 0600) : -1;

	if (file >= 0)
		(void)syscall(SYS_close, file);
}

/* True if it is this call's turn; its name and caller are the ordered ones. */
static bool is_turn(void)
{
	unsigned n = atomic_fetch_add(&n_calls, 1) + 1;

	if (n < first || n > last)
		return false;
	if (n == first)
		note_met();
	return true;
}

/* True if this call was ordered to fail; errno is then set. */
static bool fails(const char *call, const void *caller)
{
	if (strcmp(call, name) != 0 || !is_culprit(caller) || !is_turn())
		return false;
	if (act == ACT_SIGNAL)
		raise(SIGUSR1);
	if (act == ACT_FAIL)
		errno = error;
	return act == ACT_FAIL;
}

/* True if this read or write was ordered to be short. */
static bool is_short(const char *call, const void *caller)
{
	return act == ACT_SHORT && strcmp(call, name) == 0 && is_culprit(caller) && is_turn();
}

/*
 * If malloc is ordered to fail, calls that the C library makes within one of culprit's calls count
 * as culprit's.
 */
static bool enter(const void *caller)
{
	bool is_ours = is_malloc && is_culprit(caller);

	depth += is_ours;
	return is_ours;
}

#define CALL(type, call, failure, parameters, arguments)            \
	__attribute__((visibility("default"))) type call parameters \
	{                                                           \
		const void *caller_ = __builtin_return_address(0);  \
		type(*real_) parameters;                            \
		if (fails(#call, caller_))                          \
			return failure;                             \
		FIND_REAL(#call);                                   \
		bool is_ours_ = enter(caller_);                     \
		type result_ = real_ arguments;                     \
		depth -= is_ours_;                                  \
		return result_;                                     \
	}

CALL(void *, mmap, MAP_FAILED,
     (void *address, size_t length, int protection, int flags, int fd, off_t offset),
     (address, length, protection, flags, fd, offset))
CALL(int, munmap, -1, (void *address, size_t length), (address, length))
CALL(int, mprotect, -1, (void *address, size_t length, int protection),
     (address, length, protection))
CALL(int, munlock, -1, (const void *address, size_t length), (address, length))
CALL(int, mincore, -1, (void *address, size_t length, unsigned char *out), (address, length, out))
CALL(ssize_t, process_vm_readv, -1,
     (pid_t process, const struct iovec *to, unsigned long n_to, const struct iovec *from,
      unsigned long n_from, unsigned long flags),
     (process, to, n_to, from, n_from, flags))
CALL(int, madvise, -1, (void *address, size_t length, int advice), (address, length, advice))
CALL(int, mkdir, -1, (const char *path, mode_t mode), (path, mode))
CALL(int, fallocate, -1, (int fd, int mode, off_t offset, off_t length), (fd, mode, offset, length))
CALL(int, fstatfs, -1, (int fd, struct statfs *out), (fd, out))
CALL(int, stat, -1, (const char *restrict path, struct stat *restrict out), (path, out))
CALL(int, symlinkat, -1, (const char *target, int directory_fd, const char *path),
     (target, directory_fd, path))
CALL(int, pipe2, -1, (int ends[2], int flags), (ends, flags))
CALL(ssize_t, getrandom, -1, (void *bytes, size_t size, unsigned int flags), (bytes, size, flags))
CALL(ssize_t, pwrite, -1, (int fd, const void *bytes, size_t size, off_t offset),
     (fd, bytes, size, offset))
CALL(ssize_t, writev, -1, (int fd, const struct iovec *pieces, int n), (fd, pieces, n))
CALL(off_t, lseek, -1, (int fd, off_t offset, int whence), (fd, offset, whence))
CALL(int, ftruncate, -1, (int fd, off_t length), (fd, length))
CALL(char *, realpath, NULL, (const char *restrict path, char *restrict out), (path, out))
CALL(char *, getcwd, NULL, (char *out, size_t size), (out, size))
CALL(int, gethostname, -1, (char *out, size_t size), (out, size))
CALL(ssize_t, readlink, -1, (const char *restrict path, char *restrict out, size_t size),
     (path, out, size))
CALL(ssize_t, readlinkat, -1,
     (int folder, const char *restrict path, char *restrict out, size_t size),
     (folder, path, out, size))
CALL(ssize_t, pread, -1, (int fd, void *bytes, size_t size, off_t offset),
     (fd, bytes, size, offset))
CALL(int, access, -1, (const char *path, int mode), (path, mode))
CALL(int, fstat, -1, (int fd, struct stat *out), (fd, out))
CALL(int, getrlimit, -1, (__rlimit_resource_t resource, struct rlimit *out), (resource, out))
CALL(int, poll, -1, (struct pollfd * files, nfds_t n_files, int timeout_ms),
     (files, n_files, timeout_ms))
CALL(int, unlink, -1, (const char *path), (path))
CALL(int, unlinkat, -1, (int directory_fd, const char *path, int flags),
     (directory_fd, path, flags))
CALL(pid_t, waitpid, -1, (pid_t process, int *out_status, int options),
     (process, out_status, options))
CALL(int, rmdir, -1, (const char *path), (path))
CALL(int, link, -1, (const char *from, const char *to), (from, to))
CALL(int, rename, -1, (const char *from, const char *to), (from, to))
CALL(time_t, time, -1, (time_t * out), (out))
CALL(struct tm *, gmtime_r, NULL, (const time_t *restrict time, struct tm *restrict out),
     (time, out))
CALL(int, sigpending, -1, (sigset_t * out), (out))
CALL(int, sigtimedwait, -1,
     (const sigset_t *restrict set, siginfo_t *restrict out,
      const struct timespec *restrict timeout),
     (set, out, timeout))
CALL(int, pthread_key_create, error, (pthread_key_t * key, void (*end)(void *)), (key, end))
CALL(int, regcomp, error, (regex_t *restrict out, const char *restrict pattern, int flags),
     (out, pattern, flags))
CALL(int, pthread_create, error,
     (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *),
      void *restrict data),
     (thread, attributes, body, data))
CALL(int, pthread_setspecific, error, (pthread_key_t key, const void *value), (key, value))
CALL(int, nanosleep, -1, (const struct timespec *time, struct timespec *out_left), (time, out_left))

/* The functions that pthread_atfork and at_quick_exit call in a shared library. */
int __cxa_at_quick_exit(void (*function)(void *), void *library);
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
		      void *library);

CALL(int, on_exit, -1, (void (*function)(int, void *), void *argument), (function, argument))
CALL(int, __cxa_at_quick_exit, -1, (void (*function)(void *), void *library), (function, library))
CALL(int, __register_atfork, error,
     (void (*before)(void), void (*parent)(void), void (*child)(void), void *library),
     (before, parent, child, library))
CALL(int, backtrace, 0, (void **out, int size), (out, size))
CALL(void *, dlopen, NULL, (const char *file, int mode), (file, mode))
CALL(int, dladdr, 0, (const void *address, Dl_info *out), (address, out))
CALL(int, dl_iterate_phdr, 0, (int (*visit)(struct dl_phdr_info *, size_t, void *), void *data),
     (visit, data))

/* A short transfer has the same arguments, except for the size. */
#define TRANSFER(call, bytes_type)                                                                 \
	__attribute__((visibility("default"))) ssize_t call(int fd, bytes_type bytes, size_t size) \
	{                                                                                          \
		const void *caller_ = __builtin_return_address(0);                                 \
		ssize_t (*real_)(int, bytes_type, size_t);                                         \
		FIND_REAL(#call);                                                                  \
		if (is_short(#call, caller_))                                                      \
			return real_(fd, bytes, size / 2 + size % 2);                              \
		return act != ACT_SHORT && fails(#call, caller_) ? -1 : real_(fd, bytes, size);    \
	}

TRANSFER(read, void *)
TRANSFER(write, const void *)

/* The failure is reported after the real call, so the descriptor is free. */
__attribute__((visibility("default"))) int close(int fd)
{
	const void *caller = __builtin_return_address(0);
	int (*real_)(int);

	FIND_REAL("close");
	int result = real_(fd);
	return fails("close", caller) ? -1 : result;
}

/* No command that is used here takes more than one word. */
__attribute__((visibility("default"))) int fcntl(int fd, int command, ...)
{
	int (*real_)(int, int, ...);
	va_list arguments;

	if (fails("fcntl", __builtin_return_address(0)))
		return -1;
	va_start(arguments, command);
	void *argument = va_arg(arguments, void *);
	va_end(arguments);
	FIND_REAL("fcntl");
	return real_(fd, command, argument);
}

static bool malloc_fails(void)
{
	if (!depth || !is_turn())
		return false;
	errno = ENOMEM;
	return true;
}

/* The C library's own malloc, which works before any look-up does. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *bytes, size_t size);

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	return malloc_fails() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	return malloc_fails() ? NULL : __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *bytes, size_t size)
{
	return malloc_fails() ? NULL : __libc_realloc(bytes, size);
}

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	int (*real_)(const char *, int, ...);
	va_list arguments;

	if (fails("open", __builtin_return_address(0)))
		return -1;
	va_start(arguments, flags);
	mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	FIND_REAL("open");
	return real_(path, flags, mode);
}

__attribute__((visibility("default"))) int openat(int directory_fd, const char *path, int flags,
						  ...)
{
	int (*real_)(int, const char *, int, ...);
	va_list arguments;

	if (fails("openat", __builtin_return_address(0)))
		return -1;
	va_start(arguments, flags);
	mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	FIND_REAL("openat");
	return real_(directory_fd, path, flags, mode);
}

__attribute__((visibility("default"))) int clone(int (*body)(void *), void *stack, int flags,
						 void *data, ...)
{
	int (*real_)(int (*)(void *), void *, int, void *, ...);
	void *more[3]; /* the parent's word, thread-local memory, the child's word */
	va_list arguments;

	if (fails("clone", __builtin_return_address(0)))
		return -1;
	va_start(arguments, data);
	for (int i = 0; i < 3; i++)
		more[i] = va_arg(arguments, void *);
	va_end(arguments);
	FIND_REAL("clone");
	return real_(body, stack, flags, data, more[0], more[1], more[2]);
}
