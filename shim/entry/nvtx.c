/*
 * nvtx.c - the hooks by which programs name what they are doing: NVTX's, and ours. NVTX 3 is a
 * header, so a process may have many copies. At its first call, each copy loads the library named
 * by the variable NVTX_INJECTION64_PATH and calls InitializeInjectionNvtx2 there. `culprit run`
 * sets the variable if it is unset; the library never does. Functions that we do not take stay as
 * without a tool. A copy's extensions look for InitializeInjectionNvtxExtension in the same way.
 */
#include "entry/entry.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "call/lifecycle.h"
#include "culprit.h"
#include "entry/nvtx_abi.h"
#include "record/nvtx/nvtx_names.h"
#include "record/nvtx/nvtx_ranges.h"

EXPORT int InitializeInjectionNvtx2(nvtx_export_table export_table);
EXPORT int InitializeInjectionNvtxExtension(struct nvtx_extension *extension);

/* Shared by all domains for which there is no room. NULL would be the default domain. */
static const struct nvtx_name *further_domains; /* written under once */

static const struct nvtx_name *or_further(const struct nvtx_name *domain)
{
	return domain ? domain : further_domains;
}

/* Check the application's handle: following a foreign one would be unsafe. */
static const struct nvtx_name *known(const struct nvtx_name *domain)
{
	return !domain || nvtx_is_name(domain) ? domain : further_domains;
}

static void copy_message(const struct nvtx_attributes *attributes, struct nvtx_text *out)
{
	out->size = 0;
	out->is_cut = false;
	if (!attributes || attributes->size < sizeof(*attributes))
		return;
	switch (attributes->message_type) {
	case NVTX_MESSAGE_ASCII:
		nvtx_text_set(out, attributes->message.ascii);
		break;
	case NVTX_MESSAGE_WIDE:
		nvtx_text_set_wide(out, attributes->message.wide);
		break;
	case NVTX_MESSAGE_REGISTERED:
		if (nvtx_is_name(attributes->message.registered))
			*out = *nvtx_name_text(attributes->message.registered);
		break;
	default:
		break;
	}
}

static int domain_push(const struct nvtx_name *domain, const struct nvtx_attributes *attributes)
{
	int level = 0;
	struct nvtx_text *text = nvtx_push(known(domain), &level);
	if (text)
		copy_message(attributes, text);
	return level;
}

static int push(const struct nvtx_attributes *attributes)
{
	return domain_push(NULL, attributes);
}

static int push_ascii(const char *message)
{
	int level = 0;
	struct nvtx_text *text = nvtx_push(NULL, &level);
	if (text)
		nvtx_text_set(text, message);
	return level;
}

static int push_wide(const wchar_t *message)
{
	int level = 0;
	struct nvtx_text *text = nvtx_push(NULL, &level);
	if (text)
		nvtx_text_set_wide(text, message);
	return level;
}

static int pop(void)
{
	return nvtx_pop(NULL);
}

static int domain_pop(const struct nvtx_name *domain)
{
	return nvtx_pop(known(domain));
}

static uint64_t domain_start(const struct nvtx_name *domain,
			     const struct nvtx_attributes *attributes)
{
	struct nvtx_text text = {.size = 0};
	copy_message(attributes, &text);
	return nvtx_start(known(domain), &text);
}

static uint64_t start(const struct nvtx_attributes *attributes)
{
	return domain_start(NULL, attributes);
}

static uint64_t start_ascii(const char *message)
{
	struct nvtx_text text = {.size = 0};
	nvtx_text_set(&text, message);
	return nvtx_start(NULL, &text);
}

static uint64_t start_wide(const wchar_t *message)
{
	struct nvtx_text text = {.size = 0};
	nvtx_text_set_wide(&text, message);
	return nvtx_start(NULL, &text);
}

static void domain_end(const struct nvtx_name *domain, uint64_t id)
{
	(void)domain;
	nvtx_end(id);
}

static const void *register_ascii(const struct nvtx_name *domain, const char *string)
{
	(void)domain;
	return nvtx_name_of(string);
}

static const void *register_wide(const struct nvtx_name *domain, const wchar_t *string)
{
	(void)domain;
	return nvtx_name_of_wide(string);
}

static const struct nvtx_name *create(const struct nvtx_name *name)
{
	if (name)
		nvtx_name_use(name);
	return or_further(name);
}

static const struct nvtx_name *create_ascii(const char *name)
{
	return create(nvtx_name_of(name));
}

static const struct nvtx_name *create_wide(const wchar_t *name)
{
	return create(nvtx_name_of_wide(name));
}

/* End the domain's ranges, because no call can end them after its destruction. */
static void destroy(const struct nvtx_name *domain)
{
	if (nvtx_is_name(domain) && nvtx_name_release(domain))
		nvtx_end_domain(domain);
}

/* Count a range's start and end, and ignore its data, which we could not show. */
static int push_payload(const struct nvtx_name *domain, const void *data, size_t n)
{
	(void)data;
	(void)n;
	return domain_push(domain, NULL);
}

static int pop_payload(const struct nvtx_name *domain, const void *data, size_t n)
{
	(void)data;
	(void)n;
	return domain_pop(domain);
}

static uint64_t start_payload(const struct nvtx_name *domain, const void *data, size_t n)
{
	(void)data;
	(void)n;
	return domain_start(domain, NULL);
}

static void end_payload(const struct nvtx_name *domain, uint64_t id, const void *data, size_t n)
{
	(void)data;
	(void)n;
	domain_end(domain, id);
}

struct callback {
	unsigned id;
	nvtx_function function;
};

static const struct callback core[] = {
	{NVTX_RANGE_START_EX, (nvtx_function)start},
	{NVTX_RANGE_START_A, (nvtx_function)start_ascii},
	{NVTX_RANGE_START_W, (nvtx_function)start_wide},
	{NVTX_RANGE_END, (nvtx_function)nvtx_end},
	{NVTX_RANGE_PUSH_EX, (nvtx_function)push},
	{NVTX_RANGE_PUSH_A, (nvtx_function)push_ascii},
	{NVTX_RANGE_PUSH_W, (nvtx_function)push_wide},
	{NVTX_RANGE_POP, (nvtx_function)pop},
};

static const struct callback domains[] = {
	{NVTX_DOMAIN_RANGE_START_EX, (nvtx_function)domain_start},
	{NVTX_DOMAIN_RANGE_END, (nvtx_function)domain_end},
	{NVTX_DOMAIN_RANGE_PUSH_EX, (nvtx_function)domain_push},
	{NVTX_DOMAIN_RANGE_POP, (nvtx_function)domain_pop},
	{NVTX_DOMAIN_REGISTER_STRING_A, (nvtx_function)register_ascii},
	{NVTX_DOMAIN_REGISTER_STRING_W, (nvtx_function)register_wide},
	{NVTX_DOMAIN_CREATE_A, (nvtx_function)create_ascii},
	{NVTX_DOMAIN_CREATE_W, (nvtx_function)create_wide},
	{NVTX_DOMAIN_DESTROY, (nvtx_function)destroy},
};

static const struct callback payload[] = {
	{NVTX_RANGE_PUSH_PAYLOAD, (nvtx_function)push_payload},
	{NVTX_RANGE_POP_PAYLOAD, (nvtx_function)pop_payload},
	{NVTX_RANGE_START_PAYLOAD, (nvtx_function)start_payload},
	{NVTX_RANGE_END_PAYLOAD, (nvtx_function)end_payload},
};

/*
 * True if the variable was meant for us. A process may inherit it without being started with
 * culprit, and then no call reaches us: a library loaded later is not found through the program
 * itself. If the variable is empty, NVTX looks for a tool in the program itself and so finds us,
 * but an empty value means that no tool is wanted.
 */
static bool is_wanted(void)
{
	const char *variable = getenv("NVTX_INJECTION64_PATH");
	void *program = dlopen(NULL, RTLD_LAZY);
	void *found = program ? dlsym(program, "cuEventCheckError") : NULL;
	if (program)
		(void)dlclose(program);
	return variable && *variable && found == (void *)(uintptr_t)cuEventCheckError &&
	       !lifecycle_disabled();
}

static bool is_ready; /* written once, under once */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Calls no loader function: a thread loading a library may wait for us in a constructor. */
static void begin(void)
{
	if (!nvtx_names_start() || nvtx_ranges_start())
		return;
	further_domains = nvtx_name_of("further domains");
	is_ready = true;
}

static bool has_started(void)
{
	(void)pthread_once(&once, begin);
	return is_ready;
}

/* Install our functions that this copy knows; an older copy knows fewer. */
static void install(const struct nvtx_callbacks *callbacks, int module, const struct callback *ours,
		    size_t n_ours)
{
	unsigned size = 0;
	nvtx_function **functions = NULL;
	if (!callbacks->module_functions(module, &functions, &size))
		return;
	for (size_t i = 0; i < n_ours; i++) {
		if (ours[i].id < size && functions[ours[i].id])
			*functions[ours[i].id] = ours[i].function;
	}
}

int InitializeInjectionNvtx2(nvtx_export_table export_table)
{
	int host_errno = errno;
	const struct nvtx_callbacks *callbacks =
		is_wanted() && has_started() ? export_table(NVTX_TABLE_CALLBACKS) : NULL;
	if (callbacks && callbacks->struct_size >= sizeof(*callbacks)) {
		install(callbacks, NVTX_MODULE_CORE, core, sizeof(core) / sizeof(*core));
		install(callbacks, NVTX_MODULE_DOMAINS, domains,
			sizeof(domains) / sizeof(*domains));
	}
	errno = host_errno;
	return callbacks != NULL;
}

/* Install our functions. A slot without one of ours stays as without a tool. */
static bool install_payload(const struct nvtx_extension *extension)
{
	if (extension->size < sizeof(*extension) || extension->module != NVTX_EXTENSION_PAYLOAD ||
	    !extension->n_segments)
		return false;
	const struct nvtx_segment *segment = &extension->segments[0];
	for (size_t i = 0; i < sizeof(payload) / sizeof(*payload); i++) {
		if (payload[i].id < segment->n_slots)
			segment->slots[payload[i].id] = payload[i].function;
	}
	return true;
}

int InitializeInjectionNvtxExtension(struct nvtx_extension *extension)
{
	int host_errno = errno;
	bool is_taken = is_wanted() && has_started() && install_payload(extension);
	errno = host_errno;
	return is_taken;
}

EXPORT uint64_t culpritRangeStart(const char *domain, const char *message)
{
	int host_errno = errno;
	uint64_t range = 0;
	if (!lifecycle_disabled() && has_started()) {
		struct nvtx_text text = {.size = 0};
		nvtx_text_set(&text, message);
		range = nvtx_start(or_further(nvtx_name_of(domain)), &text);
	}
	errno = host_errno;
	return range;
}

EXPORT void culpritRangeEnd(uint64_t range)
{
	if (range)
		nvtx_end(range);
}
