/*
 * elf_lookup.c - reads the dynamic section and the hash tables of mapped objects. It trusts them,
 * as the loader did, so do not use it for files. It does not see objects of other link namespaces.
 */
#include "base/elf_lookup.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>

/* Bit of a DT_VERSYM entry: the symbol is only for look-ups of exactly this version. */
enum { HIDDEN_VERSION = 0x8000 };

bool elf_object_contains(const struct elf_object *object, const void *address)
{
	return (uintptr_t)address - object->start < object->end - object->start;
}

/* glibc has already added the base to these entries, but not in the vDSO. */
static const void *table_at(uintptr_t base, Elf64_Addr address)
{
	return (const void *)(address < base ? base + address : address);
}

static void read_dynamic(struct elf_object *object, const Elf64_Dyn *entry)
{
	size_t soname_offset = 0;
	object->dynamic = entry;
	for (; entry->d_tag != DT_NULL; entry++) {
		const void *table = table_at(object->base, entry->d_un.d_ptr);
		if (entry->d_tag == DT_SYMTAB)
			object->symbols = table;
		else if (entry->d_tag == DT_STRTAB)
			object->strings = table;
		else if (entry->d_tag == DT_VERSYM)
			object->versions = table;
		else if (entry->d_tag == DT_GNU_HASH)
			object->gnu_hash = table;
		else if (entry->d_tag == DT_HASH)
			object->sysv_hash = table;
		else if (entry->d_tag == DT_SONAME)
			soname_offset = entry->d_un.d_val;
	}
	if (soname_offset && object->strings)
		object->soname = object->strings + soname_offset;
}

static struct elf_object read_object(const struct dl_phdr_info *info)
{
	struct elf_object object = {
		.base = info->dlpi_addr, .start = UINTPTR_MAX, .path = info->dlpi_name};
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const Elf64_Phdr *segment = &info->dlpi_phdr[i];
		uintptr_t address = info->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_DYNAMIC)
			read_dynamic(&object, (const Elf64_Dyn *)address);
		if (segment->p_type != PT_LOAD)
			continue;
		if (address < object.start)
			object.start = address;
		if (address + segment->p_memsz > object.end)
			object.end = address + segment->p_memsz;
	}
	return object;
}

/*
 * Our own strcmp. In a program built with a sanitizer, libc's strcmp is an interceptor that calls
 * dlsym, and so calls us, before it can compare anything.
 */
static bool is_same(const char *left, const char *right)
{
	while (*left && *left == *right) {
		left++;
		right++;
	}
	return *left == *right;
}

static bool is_definition(const struct elf_object *object, uint32_t index, const char *name)
{
	const Elf64_Sym *symbol = &object->symbols[index];
	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value)
		return false;
	if (object->versions && (object->versions[index] & HIDDEN_VERSION))
		return false;
	return is_same(object->strings + symbol->st_name, name);
}

static uint32_t hash_gnu(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* Layout: n_buckets, first_symbol, n_bloom, bloom_shift, bloom[], buckets[], chains[]. */
static const Elf64_Sym *find_by_gnu_hash(const struct elf_object *object, const char *name)
{
	const uint32_t *header = object->gnu_hash;
	uint32_t n_buckets = header[0];
	uint32_t first_symbol = header[1];
	uint32_t n_bloom = header[2];
	const uint64_t *bloom = (const uint64_t *)(header + 4);
	const uint32_t *buckets = (const uint32_t *)(bloom + n_bloom);
	const uint32_t *chains = buckets + n_buckets;
	uint32_t hash = hash_gnu(name);
	uint64_t word = bloom[hash / 64 % n_bloom];
	uint32_t index = buckets[hash % n_buckets];
	if (!(word >> (hash % 64) & word >> ((hash >> header[3]) % 64) & 1) || index < first_symbol)
		return NULL;
	for (;; index++) {
		uint32_t chain = chains[index - first_symbol];
		if ((chain | 1) == (hash | 1) && is_definition(object, index, name))
			return &object->symbols[index];
		if (chain & 1)
			return NULL;
	}
}

static uint32_t hash_sysv(const char *name)
{
	uint32_t hash = 0;
	for (; *name; name++) {
		hash = (hash << 4) + (unsigned char)*name;
		hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
	}
	return hash;
}

/* Layout: n_buckets, n_chains, buckets[], chains[]; index 0 ends a chain. */
static const Elf64_Sym *find_by_sysv_hash(const struct elf_object *object, const char *name)
{
	const uint32_t *buckets = object->sysv_hash + 2;
	const uint32_t *chains = buckets + object->sysv_hash[0];
	for (uint32_t index = buckets[hash_sysv(name) % object->sysv_hash[0]]; index;
	     index = chains[index])
		if (is_definition(object, index, name))
			return &object->symbols[index];
	return NULL;
}

void *elf_object_symbol(const struct elf_object *object, const char *name)
{
	const Elf64_Sym *symbol = NULL;
	if (!object->symbols || !object->strings)
		return NULL;
	if (object->gnu_hash)
		symbol = find_by_gnu_hash(object, name);
	else if (object->sysv_hash)
		symbol = find_by_sysv_hash(object, name);
	if (!symbol)
		return NULL;
	uintptr_t address = object->base + symbol->st_value;
	/* Like the loader, call the resolver of an indirect function at each look-up. */
	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
		address = ((uintptr_t(*)(void))address)();
	return (void *)address;
}

/* One walk over the loader's list: what to search for, and the result. */
struct search {
	const char *soname;
	const char *symbol;
	const void *address; /* in the object to find, skip or start after */
	bool is_behind;      /* the walk has passed the object that holds address */
	void *found;         /* the definition of symbol */
	struct elf_object *out_object;
};

static int walk(int (*visit)(struct dl_phdr_info *, size_t, void *), struct search *search)
{
	return dl_iterate_phdr(visit, search) ? 0 : -ENOENT;
}

static int visit_soname(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct elf_object object = read_object(info);
	(void)size;
	if (!object.soname || !is_same(object.soname, search->soname))
		return 0;
	if (elf_object_contains(&object, search->address))
		return 0;
	*search->out_object = object;
	return 1;
}

int elf_object_find(const char *soname, const void *not_in, struct elf_object *out_object)
{
	struct search search = {.soname = soname, .address = not_in, .out_object = out_object};
	return walk(visit_soname, &search);
}

static int visit_address(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct elf_object object = read_object(info);
	(void)size;
	if (!elf_object_contains(&object, search->address))
		return 0;
	*search->out_object = object;
	return 1;
}

int elf_object_at(const void *address, struct elf_object *out_object)
{
	struct search search = {.address = address, .out_object = out_object};
	return walk(visit_address, &search);
}

static int visit_next(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct elf_object object = read_object(info);
	(void)size;
	if (!search->is_behind) {
		search->is_behind = elf_object_contains(&object, search->address);
		return 0;
	}
	search->found = elf_object_symbol(&object, search->symbol);
	return search->found != NULL;
}

void *elf_next_symbol(const char *name, const void *after)
{
	struct search search = {.symbol = name, .address = after, .is_behind = !after};
	return walk(visit_next, &search) ? NULL : search.found;
}

/* Like the loader, take the first object that has the name of a needed library. */
void *elf_symbol_of_caller(const char *name, const void *caller, const void *not_in)
{
	struct elf_object object;
	if (elf_object_at(caller, &object) || elf_object_contains(&object, not_in))
		return NULL;
	void *found = elf_object_symbol(&object, name);
	struct elf_object library;
	for (const Elf64_Dyn *entry = object.dynamic; entry && entry->d_tag != DT_NULL && !found;
	     entry++)
		if (entry->d_tag == DT_NEEDED && object.strings &&
		    !elf_object_find(object.strings + entry->d_un.d_val, not_in, &library))
			found = elf_object_symbol(&library, name);
	return found;
}

void *elf_next_startup_symbol(const char *name, const void *dynamic)
{
	bool is_behind = !dynamic;
	void *found = NULL;
	for (const struct link_map *map = _r_debug.r_map; map && !found; map = map->l_next) {
		struct elf_object object = {.base = map->l_addr};
		read_dynamic(&object, map->l_ld);
		if (is_behind)
			found = elf_object_symbol(&object, name);
		is_behind = is_behind || map->l_ld == dynamic;
	}
	return found;
}
