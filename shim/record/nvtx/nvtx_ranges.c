/*
 * nvtx_ranges.c - each thread's stack of ranges. Ranges of the process are in nvtx_process.c.
 */
#include "record/nvtx/nvtx_ranges.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "base/hot.h"
#include "record/nvtx/nvtx_names.h"

static_assert(NVTX_MAX_OPEN < NVTX_NOT_CHANGED, "an index is no mark");

READ_MOSTLY bool nvtx_used;
static pthread_key_t exit_key; /* written by nvtx_ranges_start(), before other threads read it */

static __thread struct nvtx_thread *current __attribute__((tls_model("initial-exec")));
/* Set by the destructor: a state made later would never be unmapped. */
static __thread bool is_ending __attribute__((tls_model("initial-exec")));

void nvtx_note_use(void)
{
	if (!nvtx_is_used())
		__atomic_store_n(&nvtx_used, true, __ATOMIC_RELAXED);
}

static void end_thread(void *state)
{
	is_ending = true;
	current = NULL;
	(void)munmap(state, sizeof(struct nvtx_thread));
}

int nvtx_ranges_start(void)
{
	return -pthread_key_create(&exit_key, end_thread);
}

static struct nvtx_thread *map_state(void)
{
	void *base = mmap(NULL, sizeof(struct nvtx_thread), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return base == MAP_FAILED ? NULL : base;
}

static void start_thread(void)
{
	int host_errno = errno;
	struct nvtx_thread *state = map_state();
	nvtx_note_use();
	/* Set it first: the C library may allocate for the key, and the allocator may push. */
	current = state;
	if (state && pthread_setspecific(exit_key, state) != 0) {
		current = NULL;
		(void)munmap(state, sizeof(*state));
	}
	errno = host_errno;
}

struct nvtx_thread *nvtx_thread_self(void)
{
	if (!current && !is_ending)
		start_thread();
	return current;
}

static void note_change(struct nvtx_thread *self, unsigned index)
{
	if (index < self->first_changed)
		self->first_changed = (uint8_t)index;
}

/* A signal handler may push and pop, so the state that it finds in between must be whole. */
static void let_signals_see(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Ranges of other domains may have been pushed since. Return false if there is no such range. */
static bool remove_newest(struct nvtx_thread *self, const struct nvtx_name *domain)
{
	unsigned index = self->n_open;
	while (index > 0 && self->ranges[index - 1].domain != domain)
		index--;
	if (index == 0)
		return false;
	memmove(&self->ranges[index - 1], &self->ranges[index],
		(self->n_open - index) * sizeof(self->ranges[0]));
	let_signals_see();
	self->n_open--;
	note_change(self, index - 1);
	return true;
}

static uint32_t ends_of(const struct nvtx_name *domain)
{
	return domain ? nvtx_name_ends(domain) : 0;
}

/* If the domain was destroyed since, close its open ranges: no other code can. */
static void close_if_destroyed(struct nvtx_thread *self, struct nvtx_level *level)
{
	if (!level->n_open || level->n_ends == ends_of(level->domain))
		return;
	self->n_unkept -= level->n_unkept;
	level->n_unkept = 0;
	note_change(self, self->n_open);
	while (remove_newest(self, level->domain))
		;
	let_signals_see();
	level->n_open = 0;
}

void nvtx_close_destroyed(struct nvtx_thread *self)
{
	for (int i = 0; i < NVTX_MAX_LEVELS; i++)
		close_if_destroyed(self, &self->levels[i]);
}

/* Return the domain's level, or a free one for it; NULL if all are taken. */
static struct nvtx_level *level_of(struct nvtx_thread *self, const struct nvtx_name *domain)
{
	struct nvtx_level *unused = NULL;
	for (int i = 0; i < NVTX_MAX_LEVELS; i++) {
		struct nvtx_level *level = &self->levels[i];
		if (level->domain == domain)
			close_if_destroyed(self, level);
		if (level->n_open && level->domain == domain)
			return level;
		if (!level->n_open && !unused)
			unused = level;
	}
	if (unused)
		unused->domain = domain;
	return unused;
}

/*
 * After a range of a domain has found no room, no range pushed inside it gets room. So the missing
 * ranges are always the innermost ones, and a pop knows which range it ends.
 */
struct nvtx_text *nvtx_push(const struct nvtx_name *domain, int *out_level)
{
	struct nvtx_thread *self = nvtx_thread_self();
	struct nvtx_level *level = self ? level_of(self, domain) : NULL;
	*out_level = level ? (int)level->n_open++ : NVTX_NOT_TRACKED;
	if (!level)
		return NULL;
	/* A handler may have used the free level for another domain before it was taken. */
	let_signals_see();
	level->domain = domain;
	if (level->n_open == 1)
		level->n_ends = ends_of(domain);
	note_change(self, self->n_open);
	if (level->n_unkept || self->n_open == NVTX_MAX_OPEN) {
		level->n_unkept++;
		self->n_unkept++;
		return NULL;
	}
	struct nvtx_range *range = &self->ranges[self->n_open++];
	range->domain = domain;
	range->text.size = 0;
	range->text.is_cut = false;
	let_signals_see();
	return &range->text;
}

int nvtx_pop(const struct nvtx_name *domain)
{
	struct nvtx_thread *self = nvtx_thread_self();
	struct nvtx_level *level = self ? level_of(self, domain) : NULL;
	if (!level)
		return NVTX_NOT_TRACKED;
	if (!level->n_open)
		return NVTX_NONE_OPEN;
	int ended = (int)--level->n_open;
	if (level->n_unkept) {
		level->n_unkept--;
		self->n_unkept--;
		note_change(self, self->n_open);
	} else {
		(void)remove_newest(self, domain);
	}
	return ended;
}
