/*
 * fault_states.c - keep the states of SMs, and the MMU's faults.
 */
#include "record/fault/fault_states.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>

#include "record/fault/next_ioctl.h"
#include "record/host/clock.h"

/* A thread that finds another one inside tries this often. */
enum { MAX_TURNS = 1000 };

static bool is_taken;  /* atomic: a thread is inside; guards `sm_answers` */
static bool is_missed; /* atomic: an answer could not be kept */

static struct {
	bool is_frozen;
	bool is_asked;                 /* the MMU's faults of `source` were asked for */
	struct fault_row states, list; /* summaries; kind 0: none */
	uint32_t n_exceptions, n_faults;
	struct fault_row exceptions[FAULT_EXCEPTIONS_MAX];
	struct fault_row faults[FAULT_MMU_MAX];
} sm_answers;

/* No mutex: a signal handler may make calls of the driver in the thread that is inside. */
static bool take(void)
{
	for (int i = 0; i < MAX_TURNS; i++) {
		if (!__atomic_exchange_n(&is_taken, true, __ATOMIC_ACQUIRE))
			return true;
		(void)sched_yield();
	}
	__atomic_store_n(&is_missed, true, __ATOMIC_RELAXED);
	return false;
}

/* Pairs with the acquire of the next thread. */
static void release(void)
{
	__atomic_store_n(&is_taken, false, __ATOMIC_RELEASE);
}

static void make_summary(struct fault_row *summary, enum fault_kind kind, uint32_t source)
{
	if (!summary->kind)
		*summary = (struct fault_row){.kind = (uint8_t)kind,
					      .device = FAULT_DEVICE_UNKNOWN,
					      .time_ns = clock_kernel_ns(),
					      .source = source};
}

static bool is_kept(uint32_t source, uint32_t sm)
{
	for (uint32_t i = 0; i < sm_answers.n_exceptions; i++)
		if (sm_answers.exceptions[i].source == source && sm_answers.exceptions[i].sm == sm)
			return true;
	return false;
}

static void keep_exception(const struct rm_sm_state *state, uint32_t source, uint32_t sm)
{
	if (is_kept(source, sm))
		return;
	sm_answers.states.count++;
	if (sm_answers.n_exceptions == FAULT_EXCEPTIONS_MAX) {
		sm_answers.states.n_lost++;
		return;
	}
	sm_answers.exceptions[sm_answers.n_exceptions++] = (struct fault_row){
		.kind = FAULT_EXCEPTION,
		.flags = FAULT_ADDRESS_BYTE | (state->pc ? FAULT_HAS_PC : 0),
		.device = FAULT_DEVICE_UNKNOWN,
		.time_ns = sm_answers.states.time_ns,
		.address = state->address,
		.pc = state->pc,
		.warp_esr = state->warp_esr,
		.global_esr = state->global_esr,
		.source = source,
		.sm = sm,
	};
}

static void keep_states(const struct rm_sm_states *states, uint32_t source, bool is_one_context)
{
	uint32_t n = states->n < RM_SM_STATES ? states->n : RM_SM_STATES;
	bool is_first = !sm_answers.states.kind;
	make_summary(&sm_answers.states, FAULT_STATES_READ, source);
	if (!is_one_context)
		sm_answers.states.flags &= (uint16_t)~FAULT_ONE_CONTEXT;
	else if (is_first)
		sm_answers.states.flags |= FAULT_ONE_CONTEXT;
	for (uint32_t i = 0; i < n; i++) {
		const struct rm_sm_state *state = &states->sms[i];
		if (state->warp_esr)
			keep_exception(state, source, states->first + i);
		else
			sm_answers.states.global_esr |= state->global_esr;
	}
	if (states->is_mmu_valid && !(sm_answers.states.flags & FAULT_MMU_VALID)) {
		sm_answers.states.flags |= FAULT_MMU_VALID;
		sm_answers.states.mmu_info = states->mmu_info;
	}
}

static uint8_t access_of(uint32_t access)
{
	static const uint8_t accesses[] = {
		[RM_ACCESS_READ] = FAULT_READ,     [RM_ACCESS_WRITE] = FAULT_WRITE,
		[RM_ACCESS_ATOMIC] = FAULT_ATOMIC, [RM_ACCESS_PREFETCH] = FAULT_PREFETCH,
		[RM_ACCESS_WEAK] = FAULT_ATOMIC,
	};
	return access < sizeof(accesses) ? accesses[access] : FAULT_ACCESS_UNKNOWN;
}

static void keep_faults(const struct rm_mmu_faults *list, uint32_t source)
{
	uint32_t n = list->n < RM_MMU_FAULTS ? list->n : RM_MMU_FAULTS;
	make_summary(&sm_answers.list, FAULT_MMU_LIST_READ, source);
	sm_answers.list.count += n;
	for (uint32_t i = 0; i < n; i++) {
		if (sm_answers.n_faults == FAULT_MMU_MAX) {
			sm_answers.list.n_lost += n - i;
			return;
		}
		sm_answers.faults[sm_answers.n_faults++] = (struct fault_row){
			.kind = FAULT_MMU,
			.flags = FAULT_ADDRESS_PAGE,
			.device = FAULT_DEVICE_UNKNOWN,
			.time_ns = sm_answers.list.time_ns,
			.access = access_of(list->faults[i].access),
			.mmu_info = list->faults[i].type,
			.address = list->faults[i].address & ~(uint64_t)(FAULT_PAGE_SIZE - 1),
			.source = source,
		};
	}
}

/* Ask as libcuda has just asked. A sandbox that refuses this says so, and no more. */
static void ask_faults(int fd, const struct rm_control *control)
{
	struct rm_mmu_faults list = {.n = 0};
	struct rm_control ask = {.client = control->client,
				 .object = control->object,
				 .command = (uint32_t)RM_READ_MMU_FAULTS,
				 .parameters = (uintptr_t)&list,
				 .size = sizeof(list)};
	sm_answers.is_asked = true;
	if (next_ioctl()(fd, RM_CONTROL, &ask) == 0 && ask.status == 0)
		keep_faults(&list, control->object);
}

static void keep(int fd, const struct rm_control *control, bool is_one_context)
{
	const struct rm_sm_states *states = (const void *)(uintptr_t)control->parameters;
	keep_states(states, control->object, is_one_context);
	if (states->is_mmu_valid && !sm_answers.is_asked)
		ask_faults(fd, control);
}

void fault_states_seen(int fd, const struct rm_control *control, bool is_one_context)
{
	int saved_errno = errno;
	if (control->command != (uint32_t)RM_READ_SM_STATES || control->status != 0 ||
	    control->size != sizeof(struct rm_sm_states) || !control->parameters || !take())
		return;
	if (!sm_answers.is_frozen)
		keep(fd, control, is_one_context);
	release();
	errno = saved_errno;
}

static size_t append(struct fault_row *out, const struct fault_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = rows[i];
	return n;
}

size_t fault_states_read(struct fault_row *out_rows)
{
	size_t n = 0;
	if (!take())
		return 0;
	sm_answers.is_frozen = true;
	if (!__atomic_load_n(&is_missed, __ATOMIC_RELAXED)) {
		n += append(out_rows, &sm_answers.states, sm_answers.states.kind ? 1 : 0);
		n += append(out_rows + n, sm_answers.exceptions, sm_answers.n_exceptions);
		n += append(out_rows + n, &sm_answers.list, sm_answers.list.kind ? 1 : 0);
		n += append(out_rows + n, sm_answers.faults, sm_answers.n_faults);
	}
	release();
	return n;
}
