/*
 * rejected_image.c - one function for each rule. The result says what the driver missed, the image
 * has to agree.
 */
#include "rejection/rejected_image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/driver/driver.h"
#include "record/host/cancellation.h"
#include "record/journal/modules.h"
#include "record/streams/contexts.h"
#include "rejection/image_parts.h"

enum { MAX_LOG = 4096, MAX_SHOWN_LOG = 240 };

struct image_question {
	struct text *out;
	CUresult result;
	uint32_t sm;                         /* of the device */
	const struct image_options *options; /* NULL: not known */
	struct image_parts parts;
};

/* 0: not known. Libraries are loaded for all devices: then of the current one, or the only one. */
static uint32_t device_sm(void)
{
	CUdevice device = 0;
	int n = 0;
	if (real.cuCtxGetDevice(&device) != CUDA_SUCCESS &&
	    (real.cuDeviceGetCount(&n) != CUDA_SUCCESS || n != 1))
		return 0;
	return contexts_capability(device);
}

static void add_contents(const struct image_question *question)
{
	text_add(question->out, "it holds ");
	image_parts_text(&question->parts, question->out);
	text_addf(question->out, "; the device is sm_%u", question->sm);
}

static void add_flag(const struct image_question *question)
{
	text_addf(question->out, "-gencode arch=compute_%u,code=sm_%u", question->sm, question->sm);
}

static void add_version(uint32_t version, struct text *out)
{
	text_addf(out, "%u.%u", version / 10, version % 10);
}

/* Neither code nor PTX for it, whatever the driver calls that. */
static const char *find_no_binary(struct image_question *question)
{
	const struct image_parts *parts = &question->parts;
	if (parts->n == 0 || parts->is_cut || image_has_code(parts, question->sm) ||
	    image_has_ptx(parts, question->sm))
		return NULL;
	add_contents(question);
	text_add(question->out, ": build it with ");
	add_flag(question);
	/* cuda.h has no 98: the runtime makes it of this, when it reads a kernel's attributes. */
	if (question->result == CUDA_ERROR_NO_BINARY_FOR_GPU)
		text_add(question->out,
			 " (the CUDA runtime may call it 98, invalid device function)");
	return "image.no_binary_for_gpu";
}

static const char *find_ptx_too_new(struct image_question *question)
{
	uint32_t version = image_ptx_version(&question->parts);
	int driver = driver_version();
	uint32_t newest = image_driver_ptx(driver);
	if (question->result != CUDA_ERROR_UNSUPPORTED_PTX_VERSION || version == 0 ||
	    (newest > 0 && version <= newest))
		return NULL;
	text_add(question->out, "its PTX is of version ");
	add_version(version, question->out);
	text_addf(question->out, ", and the driver, of CUDA %d.%d, reads ", driver / 1000,
		  driver % 1000 / 10);
	if (newest > 0) {
		text_add(question->out, "up to ");
		add_version(newest, question->out);
	} else {
		text_add(question->out, "older ones");
	}
	text_add(question->out, ": update the driver, or build with its CUDA, or with code for the "
				"device: ");
	add_flag(question);
	return "image.ptx_too_new";
}

/* True if the image has PTX but no machine code for the device, so that it must be compiled. */
static bool needs_compiler(const struct image_question *question)
{
	return !question->parts.is_cut && !image_has_code(&question->parts, question->sm) &&
	       image_has_ptx(&question->parts, question->sm);
}

static const char *find_no_compiler(struct image_question *question)
{
	if (question->result != CUDA_ERROR_JIT_COMPILER_NOT_FOUND || !needs_compiler(question))
		return NULL;
	add_contents(question);
	text_add(question->out,
		 ", and the driver's compiler of PTX, libnvidia-ptxjitcompiler.so.1, "
		 "was not found: install it, or build with ");
	add_flag(question);
	return "image.no_jit_compiler";
}

static const char *find_compiling_off(struct image_question *question)
{
	const char *setting = getenv("CUDA_DISABLE_PTX_JIT");
	if (question->result != CUDA_ERROR_JIT_COMPILATION_DISABLED || !needs_compiler(question))
		return NULL;
	add_contents(question);
	text_add(question->out, ", and compiling PTX is switched off");
	if (setting && strcmp(setting, "1") == 0)
		text_add(question->out, " (CUDA_DISABLE_PTX_JIT=1)");
	text_add(question->out, ": allow it, or build with ");
	add_flag(question);
	return "image.jit_disabled";
}

/* Finds the messages of the driver's compiler, if the program wanted them. Returns their length. */
static size_t find_log(const struct image_options *options, const char **out_log)
{
	uintptr_t size = 0;
	*out_log = NULL;
	for (unsigned i = 0; options && options->options && options->values && i < options->n;
	     i++) {
		if (options->options[i] == CU_JIT_ERROR_LOG_BUFFER)
			*out_log = options->values[i];
		if (options->options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			size = (uintptr_t)options->values[i];
	}
	return *out_log && size > 0 && size <= UINT32_MAX
		       ? strnlen(*out_log, size < MAX_LOG ? size : MAX_LOG)
		       : 0;
}

static const char *find_invalid_ptx(struct image_question *question)
{
	const char *log = NULL;
	size_t length = find_log(question->options, &log);
	size_t line = 0;
	uint32_t version = image_ptx_version(&question->parts);
	if (question->result != CUDA_ERROR_INVALID_PTX || question->parts.kind != IMAGE_PTX)
		return NULL;
	text_add(question->out, "its PTX");
	if (version > 0) {
		text_add(question->out, ", of version ");
		add_version(version, question->out);
		text_add(question->out, ",");
	}
	text_add(question->out, " does not assemble");
	while (line < length && line < MAX_SHOWN_LOG && log[line] != '\n' && log[line] != '\r')
		line++;
	if (line > 0) {
		text_add(question->out, ": ");
		text_add_foreign(question->out, log, line);
	} else {
		text_addf(question->out,
			  "; CU_JIT_ERROR_LOG_BUFFER, or ptxas -arch=sm_%u, tells where",
			  question->sm);
	}
	return "image.invalid_ptx";
}

static const char *find_no_image(struct image_question *question)
{
	if (question->result != CUDA_ERROR_INVALID_IMAGE || question->parts.kind != IMAGE_UNKNOWN)
		return NULL;
	text_add(question->out, "what is there begins as neither cubin, fatbin nor PTX");
	return "image.is_none";
}

/* The first rule that finds something decides; its id, or NULL. */
static const char *find_rule(struct image_question *question)
{
	static const char *(*const rules[])(struct image_question * question) = {
		find_ptx_too_new, find_no_compiler, find_compiling_off,
		find_no_binary,   find_invalid_ptx, find_no_image,
	};
	const char *rule = NULL;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules) && !rule && question->sm; i++)
		rule = rules[i](question);
	return rule;
}

bool rejected_image_has_rule(CUresult result)
{
	return result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
	       result == CUDA_ERROR_INVALID_PTX || result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND ||
	       result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
	       result == CUDA_ERROR_JIT_COMPILATION_DISABLED;
}

/* "that of libmodel.so", "one made at run time" */
static void add_owner(const char *path, struct text *out)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;
	if (!name || !*name) {
		text_add(out, "one made at run time");
		return;
	}
	text_add(out, "that of ");
	text_add_foreign(out, name, strlen(name));
}

/* The location of an image that was loaded from memory, a file, or a known row. */
struct image_place {
	const void *image;
	size_t size;
	uint32_t module;  /* id; 0 none */
	const char *path; /* of the loaded file; NULL: none */
	uint16_t known;   /* id of the image's row, used instead of the other members; 0: none */
};

/* Returns the location of an image whose row is kept. A file that the driver read is not reread. */
static struct image_place place_of(const struct bundle_view *view, uint16_t id)
{
	const struct image_row *row = view_image(view, id);
	const struct module_row *module = row ? view_module(view, row->module) : NULL;
	struct image_place place = {.image = NULL};
	uint64_t bias = 0;
	if (row && row->bytes) {
		place.image = view_image_bytes(view, row);
		place.size = place.image ? row->size : 0;
	} else if (module && modules_find(module->bias + row->offset, &bias) == row->module) {
		/* It is still there. */
		place.image = (const void *)(uintptr_t)(module->bias + row->offset);
		place.size = row->size;
		place.module = row->module;
	}
	return place;
}

static void explain(const struct rejected_call *call, const struct image_place *wanted,
		    const struct image_options *options)
{
	struct rejected_line *line = rejected_line_begin(REJECTED_IMAGE, call);
	struct image_question question = {
		.result = call->result, .sm = device_sm(), .options = options};
	if (!line)
		return;
	const struct image_place place =
		wanted->known ? place_of(&line->view, wanted->known) : *wanted;
	const struct module_row *module = view_module(&line->view, place.module);
	const char *path = module ? view_string(&line->view, module->path, NULL) : place.path;
	question.out = &line->text;
	if (place.image)
		image_parts_read(place.image, place.size, &question.parts);
	else
		question.sm = 0; /* Without the image, a mismatch proves nothing. */
	add_owner(path, &line->text);
	text_addf(&line->text, ", by %s", driver_calls[call->id].name);
	rejected_line_add_location(line);
	rejected_line_end(line, find_rule(&question));
}

void rejected_image_data(const struct rejected_call *call, const void *image,
			 const struct image_options *options)
{
	struct image_wrapper wrapper = {.container = image};
	if (!image || !rejected_image_has_rule(call->result) || !rejected_line_is_new(call))
		return;
	if (image_is_wrapper(image))
		memcpy(&wrapper, image, sizeof(wrapper));
	uint64_t bias = 0;
	const struct image_place place = {
		.image = wrapper.container,
		.size = image_bytes_to_read(wrapper.container),
		.module = modules_find((uintptr_t)wrapper.container, &bias),
	};
	explain(call, &place, options);
}

static void explain_file(const struct rejected_call *call, int fd, const char *path,
			 const struct image_options *options)
{
	struct stat status;
	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
		return;
	size_t size = (size_t)status.st_size;
	void *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return;
	const struct image_place place = {.image = image, .size = size, .path = path};
	explain(call, &place, options);
	(void)munmap(image, size);
}

void rejected_image_file(const struct rejected_call *call, const char *path,
			 const struct image_options *options)
{
	if (!path || !rejected_image_has_rule(call->result) || !rejected_line_is_new(call))
		return;
	int cancellation = cancellation_hold();
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		explain_file(call, fd, path, options);
		(void)close(fd);
	}
	cancellation_restore(cancellation);
}

void rejected_image_known(const struct rejected_call *call, uint16_t id)
{
	const struct image_place place = {.known = id};
	if (id && id != IMAGE_UNSEEN && rejected_image_has_rule(call->result) &&
	    rejected_line_is_new(call))
		explain(call, &place, NULL);
}
