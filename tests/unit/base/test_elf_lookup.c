/*
 * test_elf_lookup.c - our symbol look-up against the loader's, on libraries with each kind of hash
 * table. The libraries' paths are the arguments.
 */
#include "base/elf_lookup.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>

#include "support/check.h"

/* Called by sample_calls_elsewhere in the library. */
int sample_elsewhere(void);

int sample_elsewhere(void)
{
	return 5;
}

static int call(void *address)
{
	return ((int (*)(void))(uintptr_t)address)();
}

static void check_same(const struct elf_object *object, void *handle, const char *name)
{
	void *found = elf_object_symbol(object, name);
	CHECK(found != NULL);
	CHECK(found == dlsym(handle, name));
	CHECK(elf_object_contains(object, found));
}

static void test_sample(const char *path, bool has_gnu_hash, bool has_sysv_hash)
{
	void *handle = dlopen(path, RTLD_NOW);
	CHECK(handle != NULL);
	struct elf_object object;
	CHECK(elf_object_at(dlsym(handle, "sample_plain"), &object) == 0);
	CHECK((object.gnu_hash != NULL) == has_gnu_hash);
	CHECK((object.sysv_hash != NULL) == has_sysv_hash);
	check_same(&object, handle, "sample_plain");
	check_same(&object, handle, "sample_versioned");
	check_same(&object, handle, "sample_indirect");
	CHECK_EQUAL(call(elf_object_symbol(&object, "sample_plain")), 1);
	CHECK_EQUAL(call(elf_object_symbol(&object, "sample_versioned")), 3);
	CHECK_EQUAL(call(elf_object_symbol(&object, "sample_indirect")), 4);
	CHECK_EQUAL(call(elf_object_symbol(&object, "sample_calls_elsewhere")), 5);
	CHECK(elf_object_symbol(&object, "sample_elsewhere") == NULL);
	CHECK(elf_object_symbol(&object, "sample_plai") == NULL);
	CHECK(elf_object_symbol(&object, "") == NULL);
	CHECK(!elf_object_contains(&object, (const void *)(object.start - 1)));
	CHECK(elf_object_contains(&object, (const void *)object.start));
	CHECK(!elf_object_contains(&object, (const void *)object.end));
	dlclose(handle);
}

static void test_libc(void)
{
	static const char *const names[] = {"dlsym",  "dlvsym",         "dlclose", "memcpy",
					    "strlen", "pthread_create", "getenv",  "environ"};
	void *handle = dlopen("libc.so.6", RTLD_NOW);
	struct elf_object libc;
	CHECK(elf_object_find("libc.so.6", NULL, &libc) == 0);
	CHECK_STRING(libc.soname, "libc.so.6");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_same(&libc, handle, names[i]);
	CHECK_EQUAL(elf_object_find("libc.so.6", (const void *)libc.start, &libc), -ENOENT);
	CHECK_EQUAL(elf_object_find("libnone.so.1", NULL, &libc), -ENOENT);
	CHECK_EQUAL(elf_object_at(&libc, &libc), -ENOENT);
}

/* The program exports sample_elsewhere (it is linked with -rdynamic); no later object does. */
static void test_next(void)
{
	void *libc_dlsym = dlsym(RTLD_NEXT, "dlsym");
	const void *here = (const void *)(uintptr_t)test_next;
	CHECK(elf_next_symbol("sample_elsewhere", NULL) == (void *)(uintptr_t)sample_elsewhere);
	CHECK(elf_next_symbol("sample_elsewhere", here) == NULL);
	CHECK(elf_next_symbol("dlsym", here) == libc_dlsym);
	CHECK(elf_next_startup_symbol("sample_elsewhere", NULL) ==
	      (void *)(uintptr_t)sample_elsewhere);
	CHECK(elf_next_startup_symbol("sample_elsewhere", _DYNAMIC) == NULL);
	CHECK(elf_next_startup_symbol("dlsym", _DYNAMIC) == libc_dlsym);
}

/* The kernel's own object: mapped, but not by the loader, which leaves its tables as they are. */
static void test_vdso(void)
{
	struct elf_object vdso;
	if (elf_object_find("linux-vdso.so.1", NULL, &vdso) < 0)
		return;
	CHECK(elf_object_contains(&vdso, elf_object_symbol(&vdso, "__vdso_clock_gettime")));
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 4);
	test_sample(argv[1], true, false);
	test_sample(argv[2], false, true);
	test_sample(argv[3], true, true);
	test_libc();
	test_next();
	test_vdso();
	return 0;
}
