/*
 * driver.c - find the real libcuda among the loaded objects and resolve its entry points by our own
 * symbol look-up. dlsym takes the loader's lock 706 times, and may be another interposer's. There
 * is no lock of ours: two attaching threads do the same work twice, and one result is kept.
 */
#include "record/driver/driver.h"

#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "base/elf_lookup.h"
#include "base/hash.h"
#include "base/hot.h"

static const char driver_soname[] = "libcuda.so.1";

/* Placeholders call the functions without inlining: 706 copies take ten seconds to compile. */
static __attribute__((noinline)) CUresult refuse(void);
static __attribute__((noinline)) bool is_there(enum driver_call call);

/* The entry that replaced an absent one calls its placeholder: it must not be called in return. */
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, ...) \
	static CUresult absent_##name params                                                       \
	{                                                                                          \
		if (!is_there(CALL_##name))                                                        \
			return refuse();                                                           \
		return __atomic_load_n(&real.name, __ATOMIC_RELAXED) args;                         \
	}
#include "base/driver_calls.def"
#undef DRIVER_CALL

READ_IN_PART struct driver real = {
#define DRIVER_CALL(name, ...) .name = absent_##name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
};

/* A power of two, at most a third of it used, so that a look-up takes one or two steps. */
enum { N_SLOTS = 4096 };
static_assert(N_DRIVER_CALLS * 3 <= N_SLOTS, "the table of addresses is too full");

struct address_slot {
	const void *address; /* NULL: the slot is empty */
	enum driver_call call;
};

/* The driver as found. Written before it is published, then only read, never freed. */
struct image {
	struct elf_object object;
	struct address_slot slots[N_SLOTS]; /* open addressing, from first_slot(address) on */
};

/* Atomic: published with release order by publish(), read with acquire order by attached(). */
static const struct image *published;

static unsigned n_unknown_calls; /* atomic, like is_launch_unknown */
static bool is_launch_unknown;

static const struct image *attached(void)
{
	return __atomic_load_n(&published, __ATOMIC_ACQUIRE);
}

static CUresult refuse(void)
{
	return attached() ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_NO_DEVICE;
}

/* Entry points differ in their low and middle bits. */
static size_t first_slot(const void *address)
{
	return hash_word((uintptr_t)address) >> 52;
}
static_assert(N_SLOTS == 1 << (64 - 52), "first_slot gives an index of the table");

/* Two names at one address are the same code: the wrapper of either will do. */
static void add_address(struct image *image, const void *address, enum driver_call call)
{
	size_t i = first_slot(address);
	while (image->slots[i].address)
		i = (i + 1) % N_SLOTS;
	image->slots[i] = (struct address_slot){address, call};
}

/* Return the address of CALL as a number, or ABSENT, the address of its placeholder. */
static __attribute__((noinline)) uintptr_t resolve(struct image *image, enum driver_call call,
						   uintptr_t absent)
{
	const void *address = elf_object_symbol(&image->object, driver_calls[call].name);
	if (!address)
		return absent;
	add_address(image, address, call);
	return (uintptr_t)address;
}

/*
 * Hidden from the thread sanitizer: calls read the members plainly (driver.h).
 */
/* NOLINTNEXTLINE(readability-function-size): one statement for each row of the table. */
__attribute__((no_sanitize("thread"))) static void resolve_all(struct image *image)
{
	uintptr_t address = 0;

	/* A thread that calls by an address that is stored below sees the driver as loaded. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	address = resolve(image, CALL_##name, (uintptr_t)absent_##name);                     \
	__atomic_store_n(&real.name, (CUresult(*) params)address, __ATOMIC_RELAXED);
#include "base/driver_calls.def"
#undef DRIVER_CALL
}

/*
 * For use when memory is short: the host's calls must still reach the driver. One thread takes it,
 * once. Another thread that is short of memory then sees no driver until it is published.
 */
static struct image spare;
static bool is_spare_taken; /* atomic */

static struct image *make_image(void)
{
	struct image *image = mmap(NULL, sizeof(*image), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (image != MAP_FAILED)
		return image;
	return __atomic_exchange_n(&is_spare_taken, true, __ATOMIC_RELAXED) ? NULL : &spare;
}

static void publish(struct image *image)
{
	const struct image *none = NULL;
	if (!__atomic_compare_exchange_n(&published, &none, image, false, __ATOMIC_RELEASE,
					 __ATOMIC_RELAXED) &&
	    image != &spare)
		munmap(image, sizeof(*image));
}

/*
 * Find the object again after it is pinned: before, it could be unloaded at any moment. If memory
 * is too short to pin it, it is as safe as for any caller: until it is closed.
 */
static bool is_pinned(struct elf_object *out_object)
{
	(void)dlopen(driver_soname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	return elf_object_find(driver_soname, &real, out_object) == 0;
}

bool driver_attach(void)
{
	if (attached())
		return true;
	struct elf_object object;
	if (elf_object_find(driver_soname, &real, &object) < 0 || !is_pinned(&object))
		return false;
	struct image *image = make_image();
	if (!image)
		return attached();
	image->object = object;
	resolve_all(image);
	publish(image);
	return true;
}

__attribute__((noinline)) bool driver_load(void)
{
	return driver_attach() || (dlopen(driver_soname, RTLD_LAZY) != NULL && driver_attach());
}

bool driver_has(const char *name)
{
	return driver_attach() && elf_object_symbol(&attached()->object, name);
}

static bool is_there(enum driver_call call)
{
	return driver_load() && driver_has(driver_calls[call].name);
}

int driver_call_at(const void *address)
{
	const struct image *image = attached();
	if (!image)
		return -ENOENT;
	for (size_t i = first_slot(address); image->slots[i].address; i = (i + 1) % N_SLOTS)
		if (image->slots[i].address == address)
			return (int)image->slots[i].call;
	return -ENOENT;
}

bool driver_contains(const void *address)
{
	const struct image *image = attached();
	return image != NULL && elf_object_contains(&image->object, address);
}

struct driver_span driver_image(void)
{
	const struct image *image = attached();
	return image ? (struct driver_span){image->object.start, image->object.end}
		     : (struct driver_span){0, 0};
}

int driver_version(void)
{
	static int known_version; /* atomic */
	int version = __atomic_load_n(&known_version, __ATOMIC_RELAXED);
	if (version || !driver_attach())
		return version;
	if (real.cuDriverGetVersion(&version) != CUDA_SUCCESS)
		return 0;
	__atomic_store_n(&known_version, version, __ATOMIC_RELAXED);
	return version;
}

int driver_device_attribute(CUdevice_attribute attribute)
{
	int value = 0;
	CUdevice device = 0;
	if (real.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
	    real.cuDeviceGetAttribute(&value, attribute, device) != CUDA_SUCCESS)
		return -1;
	return value;
}

const struct driver *driver_copy(void)
{
	struct driver *copy = mmap(NULL, sizeof(*copy), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return NULL;
	*copy = real;
	return copy;
}

bool driver_knows(enum driver_call call)
{
	return driver_version() >= driver_calls[call].since;
}

void driver_count_unknown(const char *name)
{
	(void)__atomic_fetch_add(&n_unknown_calls, 1, __ATOMIC_RELAXED);
	if (!name || strstr(name, "Launch"))
		__atomic_store_n(&is_launch_unknown, true, __ATOMIC_RELAXED);
}

unsigned driver_unknown_calls(void)
{
	return __atomic_load_n(&n_unknown_calls, __ATOMIC_RELAXED);
}

bool driver_unknown_launch(void)
{
	return __atomic_load_n(&is_launch_unknown, __ATOMIC_RELAXED);
}
