/*
 * mapped_file.c - map a file once, and read its size again when it has more rows than before.
 */
#include "files/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/settings.h"
#include "files/input.h"

static const uint64_t max_bytes =
	sizeof(struct file_header) + (uint64_t)SETTINGS_RECORDS_MAX * sizeof(struct journal_record);

/* Return the largest size that the file can reach. A ring's header gives only its current size. */
static uint64_t most_bytes(const struct file_header *header)
{
	uint64_t rows = header->row_size ? max_bytes / header->row_size : 0;
	if (header->kind == JOURNAL_RING || header->capacity >= rows)
		return max_bytes;
	return header->header_size + header->capacity * header->row_size;
}

static int map(int fd, struct mapped_file *out)
{
	struct stat status;
	if (fstat(fd, &status))
		return -errno;
	struct file_header header;
	if (pread(fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		return -EBADMSG;
	uint64_t wanted = most_bytes(&header);
	if (wanted < (uint64_t)status.st_size)
		wanted = (uint64_t)status.st_size;
	if (wanted > max_bytes)
		return -EFBIG;
	void *base = mmap(NULL, wanted, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	*out = (struct mapped_file){base, wanted, (size_t)status.st_size};
	return 0;
}

int mapped_file_open(int directory_fd, const char *name, struct mapped_file *out)
{
	int fd = input_open_file(directory_fd, name);
	if (fd < 0)
		return fd;
	int result = map(fd, out);
	close(fd);
	return result;
}

int mapped_file_view(struct mapped_file *file, int directory_fd, const char *name,
		     struct bundle_view *view)
{
	bool is_cut = false;
	int result = bundle_view_add(view, file->base, file->size, &is_cut);
	if (result || !is_cut)
		return result;
	struct stat status;
	if (fstatat(directory_fd, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    (uint64_t)status.st_size > file->mapped)
		return 0; /* the file is removed, or hostile: keep the rows seen so far */
	file->size = (size_t)status.st_size;
	return bundle_view_add(view, file->base, file->size, NULL);
}

void mapped_file_close(struct mapped_file *file)
{
	if (file->base)
		munmap((void *)(uintptr_t)file->base, file->mapped);
	*file = (struct mapped_file){0};
}
