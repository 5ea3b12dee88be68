/*
 * any_rejections.c - explanations of refused launches and of the parts of images, which the library
 * writes and readers only print.
 */
#include "reading/any_rejections.h"

#include <stdio.h>
#include <string.h>

#include "model/any_state.h"
#include "reading/any_code.h"
#include "reading/any_host.h"
#include "rejection/image_parts.h"
#include "rejection/launch_limits.h"
#include "support/check.h"

enum { N_LAUNCHES = 200, N_IMAGES = 60, TEXT_SIZE = 4096 };

/* Return a limit that is not known, or near what launches have. */
static int64_t limit(struct any_bundle *any, uint32_t about)
{
	return any_chance(any, 15) ? -1 : (int64_t)any_pick(any, 2 * about);
}

static uint32_t dimension(struct any_bundle *any)
{
	static const uint32_t values[] = {1, 1, 1, 0, 2, 8, 64, 65, 1024, 70000};
	return ANY_OF(any, values);
}

static void explain_launch(struct any_bundle *any)
{
	static const int32_t codes[] = {1, 1, 1, 701, 720, 912, 2};
	char line[TEXT_SIZE] = "";
	struct text text = text_in(line, sizeof(line));
	struct launch_shape shape = {.is_cooperative = any_chance(any, 20)};
	struct launch_limits limits = {.threads = limit(any, 1024)};
	for (int i = 0; i < 3; i++) {
		shape.grid[i] = dimension(any);
		shape.block[i] = dimension(any);
		shape.cluster[i] = any_chance(any, 30) ? 1 + any_pick(any, 4) : 0;
		limits.block[i] = limit(any, 1024);
		limits.grid[i] = limit(any, 70000);
	}
	shape.shared_bytes = any_chance(any, 50) ? any_pick(any, 300000) : 0;
	limits.registers = limit(any, 65536);
	limits.shared_optin = limit(any, 200000);
	limits.multiprocessors = limit(any, 132);
	limits.has_clusters = limit(any, 1);
	limits.function_threads = limit(any, 1024);
	limits.function_registers = limit(any, 128);
	limits.function_static = limit(any, 50000);
	limits.function_dynamic = limit(any, 100000);
	limits.function_any_cluster = limit(any, 1);
	limits.resident_blocks = limit(any, 8);
	int32_t code = ANY_OF(any, codes);
	const char *rule = launch_explain(&shape, &limits, code, &text);
	(void)printf("%d %d: %s: %s\n", code, launch_has_rule(code), rule ? rule : "-", line);
}

static void describe_image(struct any_bundle *any, const char *folder)
{
	static unsigned char bytes[1 << 16];
	static struct image_parts parts;
	char line[TEXT_SIZE] = "";
	struct text text = text_in(line, sizeof(line));
	size_t size = any_code_read(any_pick(any, ANY_CODE_SAMPLES), folder, bytes, sizeof(bytes));
	uint32_t n_damaged = any_pick(any, 3);
	for (uint32_t i = 0; i < n_damaged; i++) {
		uint32_t at = any_pick(any, 200);
		bytes[at] = (unsigned char)any_pick(any, 256);
	}
	if (any_chance(any, 20))
		size = any_pick(any, (uint32_t)size);
	image_parts_read(bytes, size, &parts);
	image_parts_text(&parts, &text);
	(void)printf("%d %u %d: %s; PTX %u\n", parts.kind, parts.n, parts.is_cut, line,
		     image_ptx_version(&parts));
	for (uint32_t sm = 79; sm < 104; sm++)
		(void)printf(" %d%d", image_has_code(&parts, sm), image_has_ptx(&parts, sm));
	(void)printf("\n");
}

int any_rejections_print(uint64_t number, const char *folder)
{
	static struct any_bundle any;
	any.random = number * 0x9e3779b97f4a7c15u + 7;
	for (int i = 0; i < N_LAUNCHES; i++)
		explain_launch(&any);
	for (int i = 0; i < N_IMAGES; i++)
		describe_image(&any, folder);
	for (int version = 10000; version < 14000; version += 10)
		(void)printf("%u\n", image_driver_ptx(version));
	return 0;
}
