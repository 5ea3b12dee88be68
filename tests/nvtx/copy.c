/* copy.c - compiled into two libraries, each with a different name for COPY. */
#include "copy.h"

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *ascii;
	wchar_t *wide;
};

static struct text make_text(const char *text)
{
	size_t size = strlen(text) + 1;
	struct text made = {.ascii = malloc(size), .wide = malloc(size * sizeof(wchar_t))};

	if (!made.ascii || !made.wide)
		abort();
	memcpy(made.ascii, text, size);
	for (size_t i = 0; i < size; i++)
		made.wide[i] = (wchar_t)text[i];
	return made;
}

static void end_text(struct text *text)
{
	memset(text->wide, '#', strlen(text->ascii) * sizeof(wchar_t));
	memset(text->ascii, '#', strlen(text->ascii));
	free(text->ascii);
	free(text->wide);
}

static const int number = 42;
static const nvtxPayloadData_t data = {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, sizeof(number), &number};

static nvtxDomainHandle_t newest;

static nvtxDomainHandle_t domain_of(const char *name)
{
	if (!name)
		return NULL;
	newest = nvtxDomainCreateA(name);
	return newest;
}

static void destroy(void)
{
	nvtxDomainDestroy(newest);
}

static nvtxEventAttributes_t attributes_of(enum form form, nvtxDomainHandle_t domain,
					   const struct text *text)
{
	nvtxEventAttributes_t attributes = {.version = NVTX_VERSION,
					    .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE};

	if (form == FORM_REGISTERED) {
		attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
		attributes.message.registered = nvtxDomainRegisterStringA(domain, text->ascii);
	} else if (form == FORM_WIDE_ATTRIBUTES) {
		attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
		attributes.message.unicode = text->wide;
	} else if (form != FORM_NONE) {
		attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
		attributes.message.ascii = text->ascii;
	}
	return attributes;
}

static int push_made(enum form form, const char *domain_name, const struct text *text)
{
	nvtxDomainHandle_t domain = domain_of(domain_name);
	nvtxEventAttributes_t attributes = attributes_of(form, domain, text);

	if (form == FORM_PAYLOAD)
		return nvtxRangePushPayload(domain, &data, 1);
	if (domain)
		return nvtxDomainRangePushEx(domain, &attributes);
	if (form == FORM_ASCII)
		return nvtxRangePushA(text->ascii);
	if (form == FORM_WIDE)
		return nvtxRangePushW(text->wide);
	return nvtxRangePushEx(&attributes);
}

static int push(enum form form, const char *domain, const char *text)
{
	struct text made = make_text(text);
	int level = push_made(form, domain, &made);

	end_text(&made);
	return level;
}

static int pop(enum form form, const char *domain)
{
	if (form == FORM_PAYLOAD)
		return nvtxRangePopPayload(domain_of(domain), &data, 1);
	return domain ? nvtxDomainRangePop(domain_of(domain)) : nvtxRangePop();
}

static uint64_t start_made(enum form form, const char *domain_name, const struct text *text)
{
	nvtxDomainHandle_t domain = domain_of(domain_name);
	nvtxEventAttributes_t attributes = attributes_of(form, domain, text);

	if (form == FORM_PAYLOAD)
		return nvtxRangeStartPayload(domain, &data, 1);
	if (domain)
		return nvtxDomainRangeStartEx(domain, &attributes);
	if (form == FORM_ASCII)
		return nvtxRangeStartA(text->ascii);
	if (form == FORM_WIDE)
		return nvtxRangeStartW(text->wide);
	return nvtxRangeStartEx(&attributes);
}

static uint64_t start(enum form form, const char *domain, const char *text)
{
	struct text made = make_text(text);
	uint64_t id = start_made(form, domain, &made);

	end_text(&made);
	return id;
}

static void end(enum form form, const char *domain, uint64_t id)
{
	if (form == FORM_PAYLOAD)
		nvtxRangeEndPayload(domain_of(domain), id, &data, 1);
	else if (domain)
		nvtxDomainRangeEnd(domain_of(domain), id);
	else
		nvtxRangeEnd(id);
}

/* Wrap the header's functions: they are inline, and do not have an address everywhere. */
static int push_string(const char *text)
{
	return nvtxRangePushA(text);
}

static uint64_t start_string(const char *text)
{
	return nvtxRangeStartA(text);
}

const struct copy COPY = {
	.push = push,
	.pop = pop,
	.start = start,
	.end = end,
	.destroy = destroy,
	.push_string = push_string,
	.start_string = start_string,
};
