/*
 * recording.c - one flag, on a page that the kernel empties in every child. This includes children
 * without fork handlers (_Fork, a bare clone), whatever the other threads were doing.
 */
#include "record/host/recording.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/host/reserve.h"

static uint32_t unwiped_flag; /* if there is no such page: below Linux 4.14, or no memory */
/* Atomic, like the flag it points to; moved before the flag is raised. */
uint32_t *recording_flag = &unwiped_flag;

static uint32_t *wiped_flag(void)
{
	size_t size = reserve_page_size();
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return &unwiped_flag;
	if (madvise(page, size, MADV_WIPEONFORK) == 0)
		return page;
	(void)munmap(page, size);
	return &unwiped_flag;
}

void recording_begin(void)
{
	uint32_t *place = wiped_flag();
	/* This and the store below pair with the loads in recording_is_on(). */
	__atomic_store_n(&recording_flag, place, __ATOMIC_RELEASE);
	__atomic_store_n(place, 1, __ATOMIC_RELEASE);
}

void recording_end(void)
{
	__atomic_store_n(__atomic_load_n(&recording_flag, __ATOMIC_ACQUIRE), 0, __ATOMIC_RELEASE);
}
