/*
 * test_hardware_helper.c - the helper answers each byte, and ends when culprit does. NVML and the
 * pipe are simulated here.
 */
#include "hardware/hardware_helper.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hardware/gpu_reading.h"
#include "hardware/nvml.h"
#include "support/check.h"

enum { ASK_FD = 1000, ANSWER_FD = 1001, HANGS_SECONDS = 20 };

/* The results of the pipe's reads. Nothing sets errno but they, so it is EINTR throughout. */
static const ssize_t reads[] = {-1, 1, -1, 1, 0};

static struct shared {
	struct hardware_shared hardware;
	uint32_t n_reads, n_writes, n_gpu_reads;
	bool has_library;
	int init;
} * shared;

static int init(void)
{
	return shared->init;
}

static int count(unsigned *out)
{
	*out = HARDWARE_MAX_GPUS + 2;
	return NVML_OK;
}

/* GPU 1 cannot be opened. */
static int by_index(unsigned index, nvml_device *out)
{
	*out = (nvml_device)(uintptr_t)(index + 1);
	return index == 1 ? NVML_GPU_IS_LOST : NVML_OK;
}

bool nvml_load(struct nvml *out)
{
	*out = (struct nvml){.init = init, .count = count, .by_index = by_index};
	return shared->has_library;
}

void gpu_describe(const struct nvml *nvml, nvml_device device, unsigned index,
		  struct hardware_gpu *out)
{
	CHECK(nvml->init == init && (uintptr_t)device == index + 1);
	out->index = index;
}

void gpu_read(const struct nvml *nvml, nvml_device device, struct gpu_reading *out)
{
	CHECK(nvml->init == init && device);
	out->ns = ++shared->n_gpu_reads;
}

void gpu_watch(const struct nvml *nvml, nvml_device device, nvml_event_set set,
	       struct hardware_gpu *out)
{
	(void)nvml;
	(void)device;
	(void)set;
	(void)out;
	check_that(false, "no events here", __FILE__, __LINE__);
}

bool gpu_watch_operational(const struct nvml *nvml, nvml_event_set set, struct hardware_gpu *out)
{
	gpu_watch(nvml, NULL, set, out);
	return false;
}

ssize_t __wrap_read(int fd, void *out, size_t size);
ssize_t __wrap_read(int fd, void *out, size_t size)
{
	CHECK(fd == ASK_FD && out && size == 1);
	uint32_t index = shared->n_reads++;
	errno = EINTR;
	return index < sizeof(reads) / sizeof(*reads) ? reads[index] : 0;
}

/* Each second try succeeds. */
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	CHECK(fd == ANSWER_FD && data && size == 1);
	errno = EINTR;
	return shared->n_writes++ % 2 ? 1 : -1;
}

/* Run the helper in a child, as culprit does, to its end. */
static void run(bool has_library, int result)
{
	memset(shared, 0, sizeof(*shared));
	shared->has_library = has_library;
	shared->init = result;
	pid_t child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		alarm(HANGS_SECONDS);
		hardware_helper(&shared->hardware, ASK_FD, ANSWER_FD);
	}
	int status = 0;
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void test_without_nvml(void)
{
	run(false, NVML_OK);
	CHECK_EQUAL(shared->hardware.stage, HARDWARE_NO_LIBRARY);
	run(true, NVML_NO_PERMISSION);
	CHECK_EQUAL(shared->hardware.stage, HARDWARE_NO_NVML);
	CHECK_EQUAL(shared->hardware.result, NVML_NO_PERMISSION);
	CHECK_EQUAL(shared->n_reads + shared->n_writes, 0);
}

/* It answers when it is ready, and after each of two questions. Interrupted calls are repeated. */
static void test_questions(void)
{
	run(true, NVML_OK);
	const struct hardware *state = &shared->hardware.state;
	CHECK_EQUAL(shared->hardware.stage, HARDWARE_READY);
	CHECK_EQUAL(state->n_gpus, HARDWARE_MAX_GPUS);
	CHECK_EQUAL(state->n_gpus_left_out, 2);
	CHECK_EQUAL(state->gpus[0].index, 0);
	CHECK_EQUAL(state->gpus[1].index, 2);
	CHECK_EQUAL(shared->n_reads, 5);
	CHECK_EQUAL(shared->n_writes, 2 * 3);
	CHECK_EQUAL(shared->n_gpu_reads, 3 * HARDWARE_MAX_GPUS);
	CHECK_EQUAL(state->gpus[0].before.ns, 1);
	CHECK_EQUAL(state->gpus[0].after.ns, 2 * HARDWARE_MAX_GPUS + 1);
}

int main(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CHECK(shared != MAP_FAILED);
	test_without_nvml();
	test_questions();
	return 0;
}
