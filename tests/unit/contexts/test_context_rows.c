/*
 * test_context_rows.c - the rows of contexts, the waits for threads that use one, and the lists of
 * living contexts and of those to be reused.
 */
#include "contexts/context_case.h"

#include "support/check.h"

static struct context_case *const given = &context_case;

static void check_row(const struct context *context, struct context_row wanted)
{
	CHECK(context && context->row && !memcmp(context->row, &wanted, sizeof(wanted)));
}

static struct context_row row_of(uintptr_t number, uint32_t flags)
{
	return (struct context_row){.handle = number * 0x100,
				    .id = number * 0x100 + 1,
				    .device = DEVICE,
				    .device_name = 127,
				    .flags = flags};
}

static void test_described(void)
{
	uint32_t capability = 99 << CONTEXT_CAPABILITY_SHIFT;
	context_case_start();
	struct context *context = contexts_of(context_handle(1));
	CHECK_TRACE("[]init push 100 pop on []");
	check_row(context, row_of(1, capability));
	CHECK(!contexts_need_host_mappings() && !contexts_are_shared());
	given->refused = CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS;
	given->can_access = 0;
	check_row(contexts_of(context_handle(2)), row_of(2, capability));
	given->refused = CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES;
	given->can_access = given->by_host = 1;
	check_row(contexts_of(context_handle(3)), row_of(3, capability));
	given->refused = CU_DEVICE_ATTRIBUTE_MPS_ENABLED;
	given->by_host = 0;
	given->is_by_mps = 1;
	check_row(contexts_of(context_handle(4)), row_of(4, capability));
	CHECK(!contexts_need_host_mappings() && !contexts_are_shared());
	given->refused = 0;
	check_row(contexts_of(context_handle(5)), row_of(5, CONTEXT_IS_SHARED | capability));
	CHECK(!contexts_need_host_mappings() && contexts_are_shared());
	contexts_start(true);
	given->is_by_mps = 0;
	check_row(contexts_of(context_handle(6)), row_of(6, 0));
	CHECK(contexts_are_shared());
	given->has_no_name = given->has_no_id = true;
	struct context_row row = row_of(7, 0);
	row.device_name = 0;
	row.id = 0;
	check_row(contexts_of(context_handle(7)), row);
	given->has_no_name = given->has_no_id = false;
	given->device = 0;
	row = row_of(8, 0);
	row.device = 0;
	check_row(contexts_of(context_handle(8)), row);
	(void)trace_take();
}

/* The driver may not tell the device: then it is asked nothing about it. */
static void test_no_device(void)
{
	context_case_start();
	given->current = context_handle(1);
	given->has_no_device = true;
	struct context *context = contexts_of(context_handle(1));
	CHECK_TRACE("[]init on []");
	CHECK_EQUAL(context->device, -1);
	check_row(context, (struct context_row){.handle = 0x100, .id = 0x101});
	given->has_no_push = true;
	given->has_no_device = false;
	context = contexts_of(context_handle(2));
	CHECK_TRACE("[]init push 200 on []");
	CHECK_EQUAL(context->device, -1);
	struct context *green =
		contexts_add_green(context_handle(3), contexts_of(context_handle(1)));
	CHECK_TRACE("[]init on []");
	struct context_row row = row_of(3, 99 << CONTEXT_CAPABILITY_SHIFT);
	row.primary = 1;
	check_row(green, row);
	CHECK(contexts_memory_id(green) == 1 && contexts_memory_id(context) == 2);
}

static void test_needs_mappings(void)
{
	context_case_start();
	given->can_access = 0;
	CHECK_EQUAL(contexts_of(context_handle(1))->row->flags & 0xff, CONTEXT_LACKS_HOST_MEMORY);
	CHECK(contexts_need_host_mappings() && !contexts_are_shared());
}

static void test_uses_tables(void)
{
	context_case_start();
	given->by_host = 1;
	CHECK_EQUAL(contexts_of(context_handle(1))->row->flags & 0xff, CONTEXT_USES_HOST_TABLES);
	CHECK(contexts_need_host_mappings());
}

static void test_markers(void)
{
	context_case_start();
	given->has_no_id = true;
	struct context *context = contexts_of(context_handle(1));
	contexts_note_markers(context);
	CHECK(!context->row->id && !context->row->markers);
	context->markers.state = MARKER_MEMORY_PREPARING;
	contexts_note_markers(context);
	CHECK(!context->row->id && !context->row->markers);
	given->has_no_id = false;
	context->markers.state = MARKER_MEMORY_REFUSED;
	contexts_note_markers(context);
	CHECK(!context->row->id && context->row->markers == CONTEXT_MARKERS_REFUSED);
	context->markers.state = MARKER_MEMORY_READY;
	contexts_note_markers(context);
	CHECK(context->row->id == 0x101 && context->row->markers == CONTEXT_MARKERS_READY);
	context->row->id = 5;
	contexts_note_markers(context);
	CHECK_EQUAL(context->row->id, 5);
	given->step_ns = 7;
	contexts_note_end(context);
	CHECK_EQUAL(context->row->destroyed_ns, 7);
	/* A reused one has its markers already. */
	context->failure = CONTEXT_FAILED;
	contexts_used(context, (struct context_use){1, 2});
	CHECK(contexts_take(context_handle(1)) == context);
	contexts_lay_down(context);
	(void)trace_take();
	CHECK(contexts_of(context_handle(2)) == context);
	CHECK_TRACE("[]push 200 pop on []");
	CHECK_EQUAL(context->row->markers, CONTEXT_MARKERS_READY);
	CHECK(!context->failure && !contexts_first_use(context).call);
	CHECK(context->row->handle == 0x200 && !context->row->destroyed_ns);
}

/* Without a row, without memory, without room in the map. */
static void test_no_room(void)
{
	context_case_start();
	given->has_no_rows = true;
	struct context *context = contexts_of(context_handle(1));
	CHECK(context && !context->id && !context->row);
	context->markers.state = MARKER_MEMORY_READY;
	contexts_note_markers(context);
	contexts_note_end(context);
	given->has_no_memory = true;
	CHECK(!contexts_of(context_handle(2)));
	given->has_no_memory = given->has_no_rows = false;
	given->has_no_map = true;
	(void)trace_take();
	CHECK(!contexts_of(context_handle(2)));
	CHECK_TRACE("[]init push 200 pop on ending memory []");
	given->has_no_map = false;
	CHECK(contexts_are_one() && !contexts_are_several());
	CHECK(contexts_of(context_handle(2)) == &given->contexts[1] && given->n_contexts == 2);
	CHECK(!contexts_of(NULL) && !contexts_known(NULL));
	given->current = context_handle(1);
	CHECK(contexts_current() == context);
	given->has_no_current = true;
	CHECK(!contexts_current());
}

/* A thread that destroys a context waits for the one that uses it, 200 ms at most. */
static void test_users(void)
{
	context_case_start();
	struct context *context = given->in_use = contexts_of(context_handle(1));
	(void)trace_take();
	CHECK(contexts_hold(context) && context->n_users == 1);
	CHECK(contexts_hold(context) && context->n_users == 2);
	contexts_let_go(context);
	given->step_ns = 100 * MS;
	contexts_ending(context);
	CHECK_TRACE("yield ending ");
	CHECK(!contexts_hold(context) && context->n_users == 1);
	given->step_ns--;
	given->now_ns = 0;
	contexts_ending(context);
	CHECK_TRACE("yield yield ending ");
	given->step_ns = MS;
	given->n_yields = 5;
	contexts_ending(context);
	CHECK_TRACE("yield yield yield yield yield ending ");
	given->now_ns = 0;
	contexts_ending(context);
	CHECK_TRACE("ending ");
	CHECK_EQUAL(given->now_ns, 0);
	contexts_go_on(context);
	CHECK_TRACE("on ");
	CHECK(contexts_hold(context));
	/* One that is still used is never used again. */
	given->step_ns = 100 * MS;
	contexts_lay_down(context);
	CHECK_TRACE("yield ending ");
	CHECK(contexts_of(context_handle(2)) != context);
}

static void list_context(struct context *context, void *text)
{
	size_t n = strlen(text);
	(void)snprintf((char *)text + n, 32 - n, "%u ", context->id);
}

static void check_list(const char *wanted)
{
	char text[32] = "";
	(void)trace_take();
	contexts_for_each(list_context, text);
	CHECK_TRACE("[]");
	CHECK_STRING(text, wanted);
}

static void test_lists(void)
{
	context_case_start();
	struct context *made[6];
	CHECK(!contexts_are_one() && !contexts_are_several());
	for (uintptr_t i = 1; i <= 3; i++)
		made[i] = contexts_of(context_handle(i));
	CHECK(contexts_are_several() && !contexts_are_one());
	for (uintptr_t i = 4; i <= 5; i++)
		made[i] = contexts_add_green(context_handle(i), made[i - 3]);
	check_list("5 4 3 2 1 ");
	CHECK(contexts_take(context_handle(3)) == made[3] && !contexts_known(context_handle(3)));
	CHECK_TRACE("[]");
	check_list("5 4 2 1 ");
	CHECK(contexts_take(context_handle(1)) == made[1] && contexts_are_one());
	check_list("5 4 2 ");
	/* Another thread has removed it from the list, and from the map just now. */
	given->keys[context_slot(0)] = 0x100;
	CHECK(contexts_take(context_handle(1)) && contexts_are_one());
	check_list("5 4 2 ");
	/* The first to be laid down is the last to be used again, and by its kind only. */
	contexts_lay_down(made[1]);
	CHECK_TRACE("ending memory []");
	contexts_lay_down(made[3]);
	CHECK(contexts_take(context_handle(4)) == made[4] && contexts_are_one());
	(void)trace_take();
	contexts_lay_down(made[4]);
	CHECK_TRACE("ending []");
	check_list("5 2 ");
	CHECK(contexts_add_green(context_handle(6), made[2]) == &given->contexts[5]);
	check_list("6 5 2 ");
	CHECK(contexts_of(context_handle(7)) == made[3] &&
	      contexts_of(context_handle(8)) == made[1]);
	CHECK(contexts_add_green(context_handle(9), made[1]) == made[4]);
	check_list("4 1 3 6 5 2 ");
	CHECK(contexts_take_green(made[1]) == made[4] && !contexts_known(context_handle(9)));
	CHECK(!contexts_take_green(made[1]));
	contexts_lay_down(made[4]);
	CHECK(contexts_take_green(made[1]) == made[4] && !contexts_take_green(made[1]));
	CHECK(contexts_take_green(made[2]) == &given->contexts[5]);
	CHECK(contexts_take_green(made[2]) == made[5] && !contexts_take_green(made[2]));
	check_list("1 3 2 ");
}

int main(void)
{
	static void (*const tests[])(void) = {test_described,   test_no_device, test_needs_mappings,
					      test_uses_tables, test_markers,   test_no_room,
					      test_users,       test_lists};
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_in_child(tests[i]);
	return 0;
}
