/*
 * archive.c - POSIX tar in gzip, limited to regular files with short names, which every tar reads.
 * zlib is linked anyway because of libelf; libarchive would add twenty libraries.
 */
#include "files/archive.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK = 512, MAX_MEMBERS = 16384, NAME_SIZE = 100 };

/* A header as stored in the file; numbers are octal digits. */
struct tar_header {
	char name[NAME_SIZE];
	char mode[8];
	char owner[8];
	char group[8];
	char size[12];
	char time[12];
	char sum[8];
	char type;
	char link[NAME_SIZE];
	char magic[8]; /* "ustar", NUL, "00" */
	char owner_name[32];
	char group_name[32];
	char device[16];
	char prefix[155];
	char padding[12];
};
_Static_assert(sizeof(struct tar_header) == BLOCK, "part of the format");

struct archive {
	gzFile file;
	uint64_t n_bytes;
};

struct archive *archive_create(int fd)
{
	struct archive *archive = calloc(1, sizeof(*archive));
	if (archive)
		archive->file = gzdopen(fd, "wb");
	if (archive && archive->file)
		return archive;
	free(archive);
	close(fd);
	return NULL;
}

/* Sum all bytes of the header, counting the sum itself as blanks. */
static unsigned sum_of(const struct tar_header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	size_t first = offsetof(struct tar_header, sum);
	unsigned sum = 0;
	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= first && i < first + sizeof(header->sum) ? ' ' : bytes[i];
	return sum;
}

static int write_all(struct archive *archive, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size > 0) {
		unsigned piece = size > 1 << 30 ? 1 << 30 : (unsigned)size;
		int n = gzwrite(archive->file, at, piece);
		if (n <= 0)
			return errno ? -errno : -EIO;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int archive_add(struct archive *archive, const char *name, const char *bytes, size_t size)
{
	static const char zeroes[BLOCK];
	struct tar_header header = {.mode = "0000600",
				    .owner = "0000000",
				    .group = "0000000",
				    .type = '0',
				    .magic = {'u', 's', 't', 'a', 'r', '\0', '0', '0'}};
	if (strlen(name) >= NAME_SIZE)
		return -ENAMETOOLONG;
	if (size > ARCHIVE_MAX_BYTES || archive->n_bytes + size > ARCHIVE_MAX_BYTES)
		return -EFBIG;
	memcpy(header.name, name, strlen(name));
	snprintf(header.size, sizeof(header.size), "%011llo", (unsigned long long)size);
	snprintf(header.time, sizeof(header.time), "%011llo", (unsigned long long)time(NULL));
	snprintf(header.sum, sizeof(header.sum), "%06o", sum_of(&header));
	header.sum[sizeof(header.sum) - 1] = ' ';
	archive->n_bytes += size;
	errno = 0;
	int result = write_all(archive, &header, sizeof(header));
	if (!result)
		result = write_all(archive, bytes, size);
	if (!result)
		result = write_all(archive, zeroes, (BLOCK - size % BLOCK) % BLOCK);
	return result;
}

int archive_close(struct archive *archive)
{
	static const char zeroes[2 * BLOCK];
	errno = 0;
	int result = write_all(archive, zeroes, sizeof(zeroes));
	if (gzclose(archive->file) != Z_OK && !result)
		result = errno ? -errno : -EIO;
	free(archive);
	return result;
}

static bool is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	size_t length = strspn(name, allowed);
	return length > 0 && *name != '.' && !name[length];
}

/* True if the name is that of a file, or of a file in a directory. */
static bool is_inside(const char *name)
{
	const char *slash = strchr(name, '/');
	if (!slash)
		return is_name(name);
	char folder[NAME_SIZE + 1];
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - name), name);
	return is_name(folder) && is_name(slash + 1);
}

/* Read octal digits. Return false if they are not a number. */
static bool read_octal(const char *digits, size_t size, uint64_t *out)
{
	uint64_t value = 0;
	size_t i = 0;
	for (; i < size && digits[i] >= '0' && digits[i] <= '7'; i++)
		value = value * 8 + (uint64_t)(digits[i] - '0');
	*out = value;
	return i > 0 && (i == size || !digits[i] || digits[i] == ' ');
}

/* Read exactly `size` bytes, or skip them if `bytes` is NULL. */
static int read_all(gzFile file, char *bytes, uint64_t size)
{
	static char waste[1 << 16];
	while (size > 0) {
		uint64_t wanted = bytes || size < sizeof(waste) ? size : sizeof(waste);
		int n = gzread(file, bytes ? bytes : waste,
			       wanted > 1 << 30 ? 1 << 30 : (unsigned)wanted);
		if (n <= 0)
			return -EBADMSG;
		bytes = bytes ? bytes + n : NULL;
		size -= (uint64_t)n;
	}
	return 0;
}

static bool is_empty(const struct tar_header *header)
{
	const char *bytes = (const char *)header;
	for (size_t i = 0; i < BLOCK; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Read the member's name and size. Return 0, or the error of archive_read(). */
static int check_header(const struct tar_header *header, char out_name[NAME_SIZE + 1],
			uint64_t *out_size)
{
	uint64_t sum = 0;
	if (memcmp(header->magic, "ustar", 5) != 0 ||
	    !read_octal(header->sum, sizeof(header->sum), &sum) || sum != sum_of(header))
		return -EBADMSG;
	snprintf(out_name, NAME_SIZE + 1, "%.*s", NAME_SIZE, header->name);
	if (header->type != '0' && header->type != '\0')
		return -ELOOP;
	if (header->prefix[0] || !is_inside(out_name))
		return -EPERM;
	if (!read_octal(header->size, sizeof(header->size), out_size))
		return -EBADMSG;
	return *out_size > ARCHIVE_MAX_BYTES ? -EFBIG : 0;
}

/* Read a member that the caller asked for. A second member of the same name is an error. */
static int read_member(gzFile file, struct archive_member *member, uint64_t size)
{
	if (member->bytes)
		return -EBADMSG;
	member->bytes = calloc(1, (size_t)size + 1);
	if (!member->bytes)
		return -ENOMEM;
	member->size = (size_t)size;
	return read_all(file, member->bytes, size);
}

static int read_next(gzFile file, struct archive_member *members, size_t n_members, uint64_t *left,
		     bool *out_is_end)
{
	uint64_t size = 0;
	struct tar_header header;
	int result = read_all(file, (char *)&header, sizeof(header));
	*out_is_end = !result && is_empty(&header);
	if (result || *out_is_end)
		return result;
	char name[NAME_SIZE + 1];
	result = check_header(&header, name, &size);
	if (!result && size > *left)
		result = -EFBIG;
	if (result)
		return result;
	*left -= size;
	for (size_t i = 0; i < n_members; i++) {
		if (strcmp(members[i].name, name) != 0)
			continue;
		result = read_member(file, &members[i], size);
		size = (BLOCK - size % BLOCK) % BLOCK;
		return result ? result : read_all(file, NULL, size);
	}
	return read_all(file, NULL, (size + BLOCK - 1) / BLOCK * BLOCK);
}

int archive_read(int fd, struct archive_member *members, size_t n_members)
{
	uint64_t left = ARCHIVE_MAX_BYTES;
	unsigned char magic[2] = {0};
	bool is_end = false;
	int result = 0;
	if (pread(fd, magic, sizeof(magic), 0) != sizeof(magic) || magic[0] != 0x1f ||
	    magic[1] != 0x8b)
		return -EBADMSG;
	int own_fd = dup(fd);
	gzFile file = own_fd < 0 ? NULL : gzdopen(own_fd, "rb");
	if (!file) {
		if (own_fd >= 0)
			close(own_fd);
		return -ENOMEM;
	}
	for (int n = 0; !result && !is_end; n++)
		result = n < MAX_MEMBERS ? read_next(file, members, n_members, &left, &is_end)
					 : -EFBIG;
	gzclose(file);
	return result;
}
