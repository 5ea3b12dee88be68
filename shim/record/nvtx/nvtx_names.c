/*
 * nvtx_names.c - a hash table of names that only grows.
 */
#include "record/nvtx/nvtx_names.h"

#include <string.h>

#include "record/host/reserve.h"
#include "record/journal/strings.h"

/*
 * As many names as a program has in its source, and some more: the interface asks programs that
 * make a new string for each step not to register it. 1.4 MiB of addresses, of which only the pages
 * in use become memory.
 */
enum { N_NAMES = 16 * 1024, MAX_PROBES = 16 };

enum name_state { NAME_FREE, NAME_CLAIMED, NAME_READY };

struct nvtx_name {
	uint32_t state;   /* atomic: enum name_state */
	uint32_t string;  /* atomic: id in the bundle's strings, 0 before it is needed */
	uint32_t n_users; /* atomic: domains that were created and not destroyed */
	uint32_t n_ends;  /* atomic: how often the last of these was destroyed */
	uint64_t hash;    /* of the whole string, so that cut ones differ */
	struct nvtx_text text;
};

static struct nvtx_name *names; /* written by nvtx_names_start(), before other threads read it */

bool nvtx_names_start(void)
{
	names = reserve_memory(N_NAMES * sizeof(*names));
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
 * Skip a name that another thread is just writing. Two slots may then hold one string, and every
 * later look-up finds the first.
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

/* FNV-1a, one character at a time. */
static uint64_t hash_more(uint64_t hash, uint32_t character)
{
	return (hash ^ character) * 0x100000001b3ull;
}

static const uint64_t hash_start = 0xcbf29ce484222325ull;

const struct nvtx_name *nvtx_name_of(const char *string)
{
	uint64_t hash = hash_start;
	struct nvtx_text text;
	nvtx_text_set(&text, string);
	for (; string && *string; string++)
		hash = hash_more(hash, (unsigned char)*string);
	return intern(hash, &text);
}

const struct nvtx_name *nvtx_name_of_wide(const wchar_t *string)
{
	uint64_t hash = hash_start;
	struct nvtx_text text;
	nvtx_text_set_wide(&text, string);
	for (; string && *string; string++)
		hash = hash_more(hash, (uint32_t)*string);
	return intern(hash, &text);
}

/* Return a name as writable, for its counts; it is const for all other code. */
static struct nvtx_name *own(const struct nvtx_name *name)
{
	return &names[name - names];
}

void nvtx_name_use(const struct nvtx_name *name)
{
	__atomic_fetch_add(&own(name)->n_users, 1, __ATOMIC_RELAXED);
}

bool nvtx_name_release(const struct nvtx_name *name)
{
	uint32_t *n_users = &own(name)->n_users;
	uint32_t n = __atomic_load_n(n_users, __ATOMIC_RELAXED);
	while (n > 0 && !__atomic_compare_exchange_n(n_users, &n, n - 1, true, __ATOMIC_RELAXED,
						     __ATOMIC_RELAXED))
		;
	if (n != 1)
		return false;
	/* Readers of the change that nvtx_end_domain() publishes see this count. */
	__atomic_fetch_add(&own(name)->n_ends, 1, __ATOMIC_RELAXED);
	return true;
}

uint32_t nvtx_name_ends(const struct nvtx_name *name)
{
	return __atomic_load_n(&name->n_ends, __ATOMIC_RELAXED);
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
	if (!name)
		return 0;
	uint32_t string = __atomic_load_n(&name->string, __ATOMIC_ACQUIRE);
	if (!string) {
		string = strings_intern(name->text.bytes, name->text.size);
		/* Pairs with the acquire load above: another thread may record the id. */
		__atomic_store_n(&own(name)->string, string, __ATOMIC_RELEASE);
	}
	return string;
}
