/*
 * read_ahead.c - threads that ask the system to read files, and look at none of their bytes. They
 * end early if the files are in memory already.
 */
#include "files/read_ahead.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "files/input.h"

/* After MAX_CACHED folders whose files were in memory, the rest is taken to be there, too. */
enum { N_THREADS = 8, WINDOW = 64, MIN_FOLDERS = 8, MAX_CACHED = 32, LARGE = 4 << 20 };

struct read_ahead {
	char *const *folders;
	size_t n;
	const char *const *names;
	pthread_t threads[N_THREADS];
	size_t n_threads;
	pthread_mutex_t lock;
	pthread_cond_t moved;
	size_t next;     /* the first folder that no thread has taken; guarded by `lock`, as are: */
	size_t reached;  /* the folder that is needed now */
	size_t n_cached; /* folders in a row whose files were in memory */
	bool is_over;
};

/* Return true if the file was in memory already. */
static bool read_file(int directory_fd, const char *name)
{
	char byte = 0;
	struct iovec place = {&byte, 1};
	struct stat status;
	int fd = input_open_file(directory_fd, name);
	bool is_cached = fd < 0 || preadv2(fd, &place, 1, 0, RWF_NOWAIT) >= 0;
	if (!is_cached && !fstat(fd, &status) && status.st_size <= LARGE)
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
	if (fd >= 0)
		close(fd);
	return is_cached;
}

static bool read_all_files(int directory_fd)
{
	DIR *directory = fdopendir(directory_fd);
	bool is_cached = true;
	struct dirent *entry = NULL;
	if (!directory)
		close(directory_fd);
	while (directory && (entry = readdir(directory)))
		is_cached = read_file(dirfd(directory), entry->d_name) && is_cached;
	if (directory)
		closedir(directory);
	return is_cached;
}

static bool read_folder(const struct read_ahead *ahead, const char *path)
{
	bool is_cached = true;
	int directory_fd = input_open_directory(path);
	if (directory_fd < 0)
		return true;
	if (!ahead->names)
		return read_all_files(directory_fd);
	for (const char *const *name = ahead->names; *name; name++)
		is_cached = read_file(directory_fd, *name) && is_cached;
	close(directory_fd);
	return is_cached;
}

/* Take the next folder, as soon as it is near. Return false at the end. */
static bool take_folder(struct read_ahead *ahead, size_t *out_index)
{
	(void)pthread_mutex_lock(&ahead->lock);
	while (!ahead->is_over && ahead->next < ahead->n && ahead->next > ahead->reached + WINDOW)
		(void)pthread_cond_wait(&ahead->moved, &ahead->lock);
	/* Folders that were needed before a thread came to them are skipped. */
	if (ahead->next < ahead->reached)
		ahead->next = ahead->reached;
	bool is_taken = !ahead->is_over && ahead->next < ahead->n && ahead->n_cached < MAX_CACHED;
	*out_index = ahead->next;
	ahead->next += is_taken;
	(void)pthread_mutex_unlock(&ahead->lock);
	return is_taken;
}

static void *work(void *data)
{
	struct read_ahead *ahead = data;
	size_t index = 0;
	while (take_folder(ahead, &index)) {
		bool is_cached = read_folder(ahead, ahead->folders[index]);
		(void)pthread_mutex_lock(&ahead->lock);
		ahead->n_cached = is_cached ? ahead->n_cached + 1 : 0;
		(void)pthread_mutex_unlock(&ahead->lock);
	}
	return NULL;
}

/* Signals are for the thread that started these. */
static void start_threads(struct read_ahead *ahead)
{
	sigset_t all;
	sigset_t before;
	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return;
	while (ahead->n_threads < N_THREADS &&
	       !pthread_create(&ahead->threads[ahead->n_threads], NULL, work, ahead))
		ahead->n_threads++;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct read_ahead *read_ahead_begin(char *const *folders, size_t n, const char *const *names)
{
	struct read_ahead *ahead = n >= MIN_FOLDERS ? calloc(1, sizeof(*ahead)) : NULL;
	if (!ahead)
		return NULL;
	ahead->folders = folders;
	ahead->n = n;
	ahead->names = names;
	(void)pthread_mutex_init(&ahead->lock, NULL);
	(void)pthread_cond_init(&ahead->moved, NULL);
	start_threads(ahead);
	return ahead;
}

void read_ahead_reach(struct read_ahead *ahead, size_t index)
{
	if (!ahead)
		return;
	(void)pthread_mutex_lock(&ahead->lock);
	ahead->reached = index;
	(void)pthread_cond_broadcast(&ahead->moved);
	(void)pthread_mutex_unlock(&ahead->lock);
}

void read_ahead_end(struct read_ahead *ahead)
{
	if (!ahead)
		return;
	(void)pthread_mutex_lock(&ahead->lock);
	ahead->is_over = true;
	(void)pthread_cond_broadcast(&ahead->moved);
	(void)pthread_mutex_unlock(&ahead->lock);
	for (size_t i = 0; i < ahead->n_threads; i++)
		(void)pthread_join(ahead->threads[i], NULL);
	(void)pthread_cond_destroy(&ahead->moved);
	(void)pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}
