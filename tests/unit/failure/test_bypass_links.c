/*
 * test_bypass_links.c - which modules are linked with the driver. The loader and the driver are
 * simulated here.
 */
#include "failure/bypass.h"

#include <link.h>
#include <stdint.h>

#include "record/driver/driver.h"
#include "support/check.h"

/* The driver's image; the call at each 16 bytes of it, by its number. */
static const uintptr_t IMAGE = 0x7ead00000000;
static uintptr_t image_end = 0x7ead01000000;

static uint64_t address_of(int call)
{
	return IMAGE + (uint64_t)call * 16;
}

struct driver_span driver_image(void)
{
	return (struct driver_span){IMAGE, image_end};
}

int driver_call_at(const void *address)
{
	uint64_t offset = (uintptr_t)address - IMAGE;
	return offset % 16 == 0 && offset / 16 < N_DRIVER_CALLS ? (int)(offset / 16) : -2;
}

static struct dl_phdr_info module;

int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*visit)(struct dl_phdr_info *, size_t, void *), void *data)
{
	return visit(&module, sizeof(module), data);
}

/* A module that is linked with the driver, with a slot for a call and one for an address. */
static char strings[] = "\0libcuda.so.1\0libc.so.6";
static uint64_t slots[3];
static const uint64_t other_slot = 0x7ead00000000; /* of a relocation that is not in a table */
static ElfW(Rela) calls[2], others[3];
static ElfW(Dyn) dynamic[9];
static ElfW(Phdr) headers[2];

static ElfW(Rela) relocation(size_t slot, uint32_t type)
{
	return (ElfW(Rela)){.r_offset = (uintptr_t)&slots[slot] - 0x100,
			    .r_info = ELF64_R_INFO(1, type)};
}

#ifdef __aarch64__
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOB_DAT = R_AARCH64_GLOB_DAT, OTHER = R_AARCH64_RELATIVE };
#else
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOB_DAT = R_X86_64_GLOB_DAT, OTHER = R_X86_64_RELATIVE };
#endif

static void add_linked(const char *name, uint64_t needed)
{
	calls[0] = relocation(0, JUMP_SLOT);
	others[0] = relocation(1, GLOB_DAT); /* relative, as the count below says */
	others[1] = relocation(2, GLOB_DAT);
	calls[1] = others[2] = relocation(0, JUMP_SLOT);
	calls[1].r_offset = others[2].r_offset = (uintptr_t)&other_slot - 0x100;
	memset(slots, 0, sizeof(slots));
	const ElfW(Dyn) entries[9] = {
		{DT_NEEDED, {needed}},
		{DT_STRTAB, {(uintptr_t)strings}},
		{DT_JMPREL, {(uintptr_t)calls}},
		{DT_PLTRELSZ, {sizeof(calls[0])}},
		{DT_RELA, {(uintptr_t)others}},
		{DT_RELASZ, {2 * sizeof(others[0])}},
		{DT_RELACOUNT, {1}},
		{DT_NULL, {0}},
	};
	memcpy(dynamic, entries, sizeof(dynamic));
	headers[0] = (ElfW(Phdr)){.p_type = PT_DYNAMIC, .p_vaddr = (uintptr_t)dynamic - 0x100};
	headers[1] = (ElfW(Phdr)){.p_type = PT_LOAD, .p_memsz = UINTPTR_MAX};
	module = (struct dl_phdr_info){
		.dlpi_addr = 0x100, .dlpi_name = name, .dlpi_phdr = headers, .dlpi_phnum = 1};
}

/* A module counts only if one of its words is bound to the driver. */
static void test_linked(void)
{
	add_linked("plugin", 1);
	CHECK(!bypass_is_linked());
	for (int slot = 0; slot < 3; slot++) {
		slots[slot] = address_of(CALL_cuDriverGetVersion);
		CHECK_EQUAL(bypass_is_linked(), slot != 1);
		slots[slot] = address_of(0); /* the first call */
		CHECK_EQUAL(bypass_is_linked(), slot != 1);
		slots[slot] = IMAGE + 1;
		CHECK(!bypass_is_linked());
		slots[slot] = 0;
	}
	slots[2] = address_of(CALL_cuLaunchKernel);
	others[1] = relocation(2, OTHER);
	CHECK(!bypass_is_linked());
	others[1] = relocation(2, GLOB_DAT);
	dynamic[6].d_un.d_val = 9; /* more relative ones than there are */
	CHECK(!bypass_is_linked());
	dynamic[6].d_un.d_val = 1;
	dynamic[4].d_un.d_ptr = 0;
	CHECK(!bypass_is_linked());
	slots[0] = slots[2];
	CHECK(bypass_is_linked());
	dynamic[2].d_un.d_ptr = 0;
	CHECK(!bypass_is_linked());
}

/* The driver's own libraries, and modules that do not need the driver, are not looked at. */
static void test_not_linked(void)
{
	add_linked("plugin", 14);
	slots[0] = address_of(CALL_cuLaunchKernel);
	CHECK(!bypass_is_linked());
	add_linked("libnvidia-ml.so.1", 1);
	slots[0] = address_of(CALL_cuLaunchKernel);
	CHECK(!bypass_is_linked());
	add_linked("plugin", 1);
	slots[0] = address_of(CALL_cuLaunchKernel);
	CHECK(bypass_is_linked());
	module.dlpi_phnum = 0; /* the header is another module's */
	CHECK(!bypass_is_linked());
	module.dlpi_phnum = 2; /* the module contains culprit: it is culprit */
	CHECK(!bypass_is_linked());
	module.dlpi_phnum = 1;
	headers[0].p_type = PT_NOTE;
	CHECK(!bypass_is_linked());
	headers[0].p_type = PT_DYNAMIC;
	CHECK(bypass_is_linked());
	dynamic[1].d_tag = DT_DEBUG; /* the names of its libraries are not known */
	CHECK(!bypass_is_linked());
}

int main(void)
{
	test_linked();
	test_not_linked();
	add_linked("plugin", 1);
	slots[0] = address_of(CALL_cuLaunchKernel);
	image_end = 0; /* there is no driver */
	CHECK(!bypass_is_linked());
	return 0;
}
