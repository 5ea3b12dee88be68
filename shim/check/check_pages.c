/*
 * check_pages.c - make pages, and hand out the slots of the newest one. Slots are never given back.
 */
#include "check/check_pages.h"

#include <sys/mman.h>

#include "record/driver/driver.h"

#define ANSWERS_SIZE ((size_t)CHECK_PAGE_SLOTS * sizeof(struct check_answer))
#define SCRATCH_SIZE ((size_t)CHECK_PAGE_SLOTS * sizeof(struct check_scratch))

/* Unregistering is the context's end. Until then the pages stay; a child has no use for them. */
static void *add_answers(CUdeviceptr *out_device)
{
	void *answers = mmap(NULL, ANSWERS_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (answers == MAP_FAILED)
		return NULL;
	(void)madvise(answers, ANSWERS_SIZE, MADV_DONTFORK);
	if (real.cuMemHostRegister_v2(answers, ANSWERS_SIZE, CU_MEMHOSTREGISTER_DEVICEMAP) ==
	    CUDA_SUCCESS) {
		if (real.cuMemHostGetDevicePointer_v2(out_device, answers, 0) == CUDA_SUCCESS)
			return answers;
		(void)real.cuMemHostUnregister(answers);
	}
	(void)munmap(answers, ANSWERS_SIZE);
	return NULL;
}

/* Set memory of the device to 0, and wait for that, in a stream that waits for no other one. */
static bool clear(CUdeviceptr memory)
{
	CUstream stream = NULL;
	if (real.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
		return false;
	bool is_clear = real.cuMemsetD8Async(memory, 0, SCRATCH_SIZE, stream) == CUDA_SUCCESS &&
			real.cuStreamSynchronize(stream) == CUDA_SUCCESS;
	(void)real.cuStreamDestroy_v2(stream);
	return is_clear;
}

bool check_pages_make(struct check_slot *out)
{
	CUdeviceptr scratch = 0;
	CUdeviceptr answers = 0;
	if (real.cuMemAlloc_v2(&scratch, SCRATCH_SIZE) != CUDA_SUCCESS)
		return false;
	void *host = clear(scratch) ? add_answers(&answers) : NULL;
	if (!host) {
		(void)real.cuMemFree_v2(scratch);
		return false;
	}
	*out = (struct check_slot){host, answers, scratch};
	return true;
}

bool check_pages_may_grow(const struct check_pages *pages)
{
	return pages->n_pages < CHECK_MAX_PAGES;
}

/*
 * The unused slots of the previous page are lost: at most one, or more if two threads add pages at
 * once.
 */
void check_pages_add(struct check_pages *pages, const struct check_slot *page)
{
	pages->n_pages++;
	pages->n_free = CHECK_PAGE_SLOTS;
	pages->next = *page;
}

bool check_pages_take(struct check_pages *pages, size_t n, struct check_slot *out)
{
	if (pages->n_free < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		out[i] = pages->next;
		pages->n_free--;
		pages->next.answer++;
		pages->next.device_answer += sizeof(struct check_answer);
		pages->next.device_scratch += sizeof(struct check_scratch);
	}
	return true;
}
