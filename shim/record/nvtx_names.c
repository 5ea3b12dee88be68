/*
 * nvtx_names.c - a hash table of names that only grows.
 */
#include "nvtx_names.h"

#include <string.h>
#include <sys/mman.h>

#include "strings.h"

/*
 * As many as a program writes down in its source and some more: those that make a new string for
 * each step are told by the interface not to register it. 1.2 MiB of addresses, of which only the
 * pages in use become memory.
 */
enum { N_NAMES = 16 * 1024, MAX_PROBES = 16 };

enum name_state { NAME_FREE, NAME_CLAIMED, NAME_READY };

struct nvtx_name {
	uint32_t state;  /* atomic: enum name_state */
	uint32_t string; /* atomic: id in the bundle's strings, 0 not yet asked for */
	uint64_t hash;   /* of the whole string, so that cut ones stay apart */
	struct nvtx_text text;
};

static struct nvtx_name *names; /* written by nvtx_names_start, before anybody reads */

bool nvtx_names_start(void)
{
	void *base = mmap(NULL, N_NAMES * sizeof(*names), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base != MAP_FAILED)
		names = base;
	return names;
}

static bool is_same(const struct nvtx_name *name, uint64_t hash, const struct nvtx_text *text)
{
	return name->hash == hash && name->text.size == text->size &&
	       memcmp(name->text.bytes, text->bytes, text->size) == 0;
}

static bool claim(struct nvtx_name *name)
{
	uint32_t expected = NAME_FREE;
	return __atomic_compare_exchange_n(&name->state, &expected, NAME_CLAIMED, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/*
 * A name that another thread is just writing is passed by: then two slots may hold one string, of
 * which every later look-up finds the first.
 */
static const struct nvtx_name *intern(uint64_t hash, const struct nvtx_text *text)
{
	for (uint64_t probe = 0; probe < MAX_PROBES; probe++) {
		struct nvtx_name *name = &names[(hash + probe) % N_NAMES];
		/* Pairs with the release store below. */
		if (__atomic_load_n(&name->state, __ATOMIC_ACQUIRE) == NAME_READY) {
			if (is_same(name, hash, text))
				return name;
		} else if (claim(name)) {
			name->hash = hash;
			name->text = *text;
			__atomic_store_n(&name->state, NAME_READY, __ATOMIC_RELEASE);
			return name;
		}
	}
	return NULL;
}

/* FNV-1a, a character at a time. */
static uint64_t hash_more(uint64_t hash, uint32_t character)
{
	return (hash ^ character) * 0x100000001b3ull;
}

static const uint64_t hash_start = 0xcbf29ce484222325ull;

const struct nvtx_name *nvtx_name_of(const char *string)
{
	struct nvtx_text text;
	uint64_t hash = hash_start;
	nvtx_text_set(&text, string);
	for (; string && *string; string++)
		hash = hash_more(hash, (unsigned char)*string);
	return intern(hash, &text);
}

const struct nvtx_name *nvtx_name_of_wide(const wchar_t *string)
{
	struct nvtx_text text;
	uint64_t hash = hash_start;
	nvtx_text_set_wide(&text, string);
	for (; string && *string; string++)
		hash = hash_more(hash, (uint32_t)*string);
	return intern(hash, &text);
}

bool nvtx_is_name(const void *handle)
{
	uintptr_t offset = (uintptr_t)handle - (uintptr_t)names;
	return handle && offset < N_NAMES * sizeof(*names) && offset % sizeof(*names) == 0 &&
	       __atomic_load_n(&((const struct nvtx_name *)handle)->state, __ATOMIC_ACQUIRE) ==
		       NAME_READY;
}

const struct nvtx_text *nvtx_name_text(const struct nvtx_name *name)
{
	return &name->text;
}

uint32_t nvtx_name_string(const struct nvtx_name *name)
{
	struct nvtx_name *own;
	if (!name)
		return 0;
	own = &names[name - names];
	uint32_t string = __atomic_load_n(&own->string, __ATOMIC_RELAXED);
	if (!string) {
		string = strings_intern(name->text.bytes, name->text.size);
		__atomic_store_n(&own->string, string, __ATOMIC_RELAXED);
	}
	return string;
}
