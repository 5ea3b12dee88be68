/*
 * device_files.c - the files that were made, by inode: descriptors come and go.
 */
#include "device_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = 4096, MAX_DESCRIPTORS = 4096 };
static const char *const paths[] = {
	[DEVICE_UVM] = "/dev/nvidia-uvm",
	[DEVICE_TOOLS] = "/dev/nvidia-uvm-tools",
	[DEVICE_CONTROL] = "/dev/nvidiactl",
};

/* Files that were made; a number is used once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	ino_t file;
	enum device_kind kind;
	bool has_va_space;
} files[MAX_FILES];
static size_t n_files;

bool device_has_word(const char *word)
{
	const char *words = getenv("SIMKERNEL");
	return words && strstr(words, word);
}

ino_t device_file_of(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

/* Return the file's place in `files`, or -1. Lock held. */
static int find(int fd)
{
	ino_t file = device_file_of(fd);
	for (size_t i = n_files; file && i-- > 0;)
		if (files[i].file == file)
			return (int)i;
	return -1;
}

enum device_kind device_kind_of(int fd)
{
	pthread_mutex_lock(&lock);
	int at = find(fd);
	enum device_kind kind = at >= 0 ? files[at].kind : DEVICE_NONE;
	pthread_mutex_unlock(&lock);
	return kind;
}

enum device_kind device_kind_of_path(const char *path)
{
	for (int kind = DEVICE_UVM; kind < N_DEVICES; kind++)
		if (strcmp(path, paths[kind]) == 0)
			return (enum device_kind)kind;
	return DEVICE_NONE;
}

int device_open(enum device_kind kind)
{
	if (kind == DEVICE_TOOLS && device_has_word("absent")) {
		errno = ENOENT;
		return -1;
	}
	int fd = memfd_create("simkernel", MFD_CLOEXEC);
	pthread_mutex_lock(&lock);
	if (fd >= 0 && n_files < MAX_FILES) {
		files[n_files].file = device_file_of(fd);
		files[n_files].kind = kind;
		files[n_files++].has_va_space = false;
	}
	pthread_mutex_unlock(&lock);
	return fd;
}

bool device_has_va_space(int fd)
{
	pthread_mutex_lock(&lock);
	int at = find(fd);
	bool has = at >= 0 && files[at].has_va_space;
	pthread_mutex_unlock(&lock);
	return has;
}

bool device_is_open(ino_t file)
{
	for (int fd = 0; fd < MAX_DESCRIPTORS; fd++)
		if (device_file_of(fd) == file)
			return true;
	return false;
}

int device_register_va_space(int fd)
{
	pthread_mutex_lock(&lock);
	int at = find(fd);
	if (at >= 0)
		files[at].has_va_space = true;
	pthread_mutex_unlock(&lock);
	return 0;
}

const char *device_path(enum device_kind kind)
{
	return paths[kind];
}
