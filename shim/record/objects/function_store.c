/*
 * function_store.c - the map of known kernels, and their lists by module.
 */
#include "record/objects/function_store.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "record/host/gone_handles.h"
#include "record/host/handle_map.h"
#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "record/objects/code_handles.h"
#include "record/objects/function_memory.h"

enum { OBJECT_OWED = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards these and code_handles.h */
static struct handle_map functions;                      /* handle -> struct function */
static struct handle_map modules; /* module -> the first struct function of its list */
static struct gone_handles gone;  /* written under the lock only */

static struct function *owners[ROW_ID_MAX + 1]; /* by index of their rows */

static void end_row(uint32_t place, const void *row)
{
	(void)row;
	function_memory_give(owners[place]);
}

static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses rows = {.file = JOURNAL_FUNCTIONS,
			       .n_kept = 16 * 1024,
			       .use_offset = offsetof(struct function_row, use),
			       .end = end_row,
			       .given = given};

/* Write the parameters. The block stays with the function's memory when that is reused. */
static uint32_t write_parameters(const struct function *function)
{
	struct table *table = bundle_table(JOURNAL_PARAMETERS);
	struct function_identity *identity = function_identity(function);
	if (!function->n_parameters)
		return 0;
	if (!identity->first_parameter)
		identity->first_parameter = table_append_block(table, NULL, identity->capacity);
	struct parameter_row *to = table_row(table, identity->first_parameter);
	for (uint32_t i = 0; to && i < function->n_parameters; i++)
		to[i] = (struct parameter_row){.offset = function->parameters[i].offset,
					       .size = function->parameters[i].size};
	return identity->first_parameter;
}

static void write_row(struct function *function)
{
	const struct function_identity *identity = function_identity(function);
	struct function_row row = {
		.handle = identity->handle,
		.module = identity->module,
		.name = identity->name,
		.n_parameters = function->n_parameters ? function->n_parameters : UINT32_MAX,
		.first_parameter = write_parameters(function),
		.image = identity->image,
	};
	function->id = row_uses_add(&rows, &row);
	if (function->id)
		owners[row_id_place(function->id)] = function;
}

static struct function *first_of(uint64_t module)
{
	uint64_t value = 0;
	if (module)
		(void)handle_map_get(&modules, module, &value);
	return (struct function *)(uintptr_t)value;
}

static void set_first(uint64_t module, const struct function *function)
{
	uint64_t ignored = 0;
	if (function)
		(void)handle_map_put(&modules, module, (uintptr_t)function);
	else
		(void)handle_map_take(&modules, module, &ignored);
}

/* Add to its module's list. Without memory for the map, it is known until its handle is reused. */
static void list(struct function *function)
{
	struct function_identity *identity = function_identity(function);
	struct function *first = first_of(identity->module);
	if (!identity->module || !handle_map_put(&modules, identity->module, (uintptr_t)function))
		return;
	identity->is_listed = true;
	identity->next_of_module = first;
	if (first)
		function_identity(first)->previous_of_module = function;
}

static void unlist(const struct function *function)
{
	struct function_identity *identity = function_identity(function);
	struct function *next = identity->next_of_module;
	struct function *previous = identity->previous_of_module;
	if (!identity->is_listed)
		return;
	if (next)
		function_identity(next)->previous_of_module = previous;
	if (previous)
		function_identity(previous)->next_of_module = next;
	else
		set_first(identity->module, next);
	identity->next_of_module = identity->previous_of_module = NULL;
	identity->is_listed = false;
}

/* Forget a kernel. Without a row its memory is never reused, since launches may still read it. */
static void forget(struct function *function)
{
	unlist(function);
	uint64_t ignored = 0;
	(void)handle_map_take(&functions, function_identity(function)->handle, &ignored);
	row_uses_give(&rows, function->id);
}

static bool are_same(const struct function *one, const struct function *other)
{
	const struct function_identity *identity = function_identity(one);
	const struct function_identity *others = function_identity(other);
	return identity->module == others->module && identity->image == others->image &&
	       identity->name == others->name && one->n_parameters == other->n_parameters &&
	       memcmp(one->parameters, other->parameters,
		      one->n_parameters * sizeof(one->parameters[0])) == 0;
}

static struct function *known(uint64_t handle)
{
	uint64_t value = 0;
	(void)handle_map_get(&functions, handle, &value);
	return (struct function *)(uintptr_t)value;
}

static bool is_confirmed(uint64_t handle, uint64_t generation)
{
	const struct function *function = known(handle);
	return function && function_identity(function)->confirmed == generation;
}

const struct function *function_store_find(uint64_t handle)
{
	return known(handle);
}

static const struct function *put_locked(struct function *function)
{
	const struct function_identity *identity = function_identity(function);
	struct function *old = known(identity->handle);
	if (old &&
	    (function_identity(old)->confirmed > identity->confirmed || are_same(old, function))) {
		if (function_identity(old)->confirmed < identity->confirmed)
			__atomic_store_n(&function_identity(old)->confirmed, identity->confirmed,
					 __ATOMIC_RELEASE);
		function_memory_give(function);
		return old;
	}
	if (old)
		forget(old);
	write_row(function);
	if (handle_map_put(&functions, identity->handle, (uintptr_t)function))
		list(function);
	return function;
}

const struct function *function_store_put(struct function *function)
{
	pthread_mutex_lock(&lock);
	const struct function *result = put_locked(function);
	pthread_mutex_unlock(&lock);
	return result;
}

static void end_function(struct function *function)
{
	__atomic_store_n(&function_identity(function)->confirmed, FUNCTION_ENDING,
			 __ATOMIC_RELEASE);
}

/* Mark the kernels of a handle, which may be a kernel's or a module's. */
static void end_handle(uint64_t handle)
{
	struct function *function = known(handle);
	if (function)
		end_function(function);
	for (function = first_of(handle); function;
	     function = function_identity(function)->next_of_module)
		end_function(function);
}

void function_store_end(uint64_t code)
{
	pthread_mutex_lock(&lock);
	struct code_handle *root = code_handles_make(code);
	if (root)
		root->is_ending = true;
	else
		end_handle(code);
	for (const struct code_handle *at = root; at; at = code_handles_after(root, at))
		end_handle(at->handle);
	pthread_mutex_unlock(&lock);
}

void function_store_handed_out(uint64_t handle, uint64_t from)
{
	pthread_mutex_lock(&lock);
	gone_handles_remove(&gone, handle);
	if (is_confirmed(handle, FUNCTION_ENDING))
		forget(known(handle));
	code_handles_derive(handle, from);
	pthread_mutex_unlock(&lock);
}

static void forget_handle(uint64_t handle)
{
	struct function *function = known(handle);
	gone_handles_add(&gone, handle);
	if (function)
		forget(function);
	while ((function = first_of(handle))) {
		gone_handles_add(&gone, function_identity(function)->handle);
		forget(function);
	}
}

static void forget_all(uint64_t code)
{
	struct code_handle *root = code_handles_find(code);
	while (root && root->first) {
		struct code_handle *leaf = code_handles_leaf(root);
		forget_handle(leaf->handle);
		code_handles_forget(leaf);
	}
	forget_handle(code);
	if (root)
		code_handles_forget(root);
}

void function_store_forget(uint64_t code)
{
	pthread_mutex_lock(&lock);
	const struct code_handle *root = code_handles_find(code);
	if (!root || root->is_ending)
		forget_all(code);
	pthread_mutex_unlock(&lock);
}

void function_store_loaded(uint64_t code)
{
	pthread_mutex_lock(&lock);
	forget_all(code);
	gone_handles_remove(&gone, code);
	(void)code_handles_make(code);
	pthread_mutex_unlock(&lock);
}

static bool is_going(uint64_t handle, const struct code_handle *code)
{
	return code_handles_is_ending(code) || gone_handles_has(&gone, handle) ||
	       is_confirmed(handle, FUNCTION_ENDING);
}

bool function_store_begin_question(uint64_t handle, uint64_t generation)
{
	pthread_mutex_lock(&lock);
	struct code_handle *code = code_handles_find(handle);
	bool may_ask = !is_going(handle, code) &&
		       (!generation || (code && is_confirmed(handle, generation)));
	if (code && may_ask)
		code->n_asking++;
	pthread_mutex_unlock(&lock);
	return may_ask;
}

void function_store_end_question(uint64_t handle)
{
	pthread_mutex_lock(&lock);
	struct code_handle *code = code_handles_find(handle);
	if (code && code->n_asking) /* not waited for in vain, and not a reused handle */
		code->n_asking--;
	pthread_mutex_unlock(&lock);
}

bool function_store_is_asked(uint64_t code)
{
	pthread_mutex_lock(&lock);
	const struct code_handle *root = code_handles_find(code);
	const struct code_handle *at = root;
	while (at && !at->n_asking)
		at = code_handles_after(root, at);
	pthread_mutex_unlock(&lock);
	return at;
}

void function_store_set_object(uint64_t handle, uint64_t object)
{
	pthread_mutex_lock(&lock);
	const struct function *function = known(handle);
	if (function)
		function_identity(function)->object = object;
	pthread_mutex_unlock(&lock);
}

bool function_store_owe_object(uint64_t handle)
{
	pthread_mutex_lock(&lock);
	const struct function *function = known(handle);
	bool is_owed_now = function && function_identity(function)->object == 0;
	if (is_owed_now)
		function_identity(function)->object = OBJECT_OWED;
	pthread_mutex_unlock(&lock);
	return is_owed_now;
}

uint64_t function_store_handle(uint32_t id)
{
	pthread_mutex_lock(&lock);
	const struct function *function = owners[row_id_place(id)];
	uint64_t handle = function && function->id == id ? function_identity(function)->handle : 0;
	pthread_mutex_unlock(&lock);
	return handle;
}

uint32_t function_store_size(void)
{
	const struct table *table = bundle_table(JOURNAL_FUNCTIONS);
	return table->header ? (uint32_t)__atomic_load_n(&table->header->n_rows, __ATOMIC_ACQUIRE)
			     : 0;
}

bool function_store_object(uint32_t place, uint64_t generation, struct known_object *out)
{
	pthread_mutex_lock(&lock);
	const struct function *function = place <= ROW_ID_MAX ? owners[place] : NULL;
	const struct function_identity *identity = function ? function_identity(function) : NULL;
	bool is_known = identity && known(identity->handle) == function &&
			identity->confirmed != FUNCTION_ENDING;
	if (is_known)
		*out = (struct known_object){
			.object = identity->object > OBJECT_OWED ? identity->object : 0,
			.id = function->id,
			.is_confirmed = identity->confirmed == generation};
	pthread_mutex_unlock(&lock);
	return is_known;
}
