/*
 * runtime.cu - the corpus for programs that use the CUDA runtime, statically or dynamically linked:
 * the same kernels, launched with <<<>>>. Only for a real GPU: the runtime needs private tables of
 * the driver. Command line, output and truth are those of main.c, with the runtime's names.
 */
#include "../../kernels/add.cu"
#include "../../kernels/device_assert.cu"
#include "../../kernels/fill.cu"
#include "../../kernels/misaligned.cu"
#include "../../kernels/spin.cu"
#include "../../kernels/store_through.cu"
#include "../../kernels/stray_load.cu"
#include "../../kernels/stray_store.cu"
#include "../../kernels/trap.cu"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static const uint64_t far_index = 1ull << 43;
static const size_t buffer_bytes = 4096;
static const unsigned spin_us = 20;

static std::atomic<unsigned> last_tag;
static const char *truth_path;
static const char *scenario_name;

static cudaError_t say(const char *call, cudaError_t code)
{
	printf("%s %d\n", call, (int)code);
	return code;
}

static void say_cleanup(const char *call, cudaError_t code)
{
	printf("cleanup: %s %d\n", call, (int)code);
}

static void need(cudaError_t code, const char *call)
{
	if (code == cudaSuccess)
		return;
	fprintf(stderr, "corpus: %s returned %d\n", call, (int)code);
	exit(2);
}
#define NEED(call) need((call), #call)

static unsigned *make_buffer(size_t size_bytes)
{
	void *data;

	NEED(cudaMalloc(&data, size_bytes));
	NEED(cudaMemset(data, 0, size_bytes));
	NEED(cudaDeviceSynchronize());
	return (unsigned *)data;
}

static cudaStream_t make_stream()
{
	cudaStream_t stream;

	NEED(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

/* Record a launch as the bad one and return its tag. Every bad launch is <<<4, 32>>>. */
static unsigned announce(const char *kind, const char *kernel, const char *function, int line)
{
	unsigned tag = ++last_tag;
	FILE *truth = truth_path ? fopen(truth_path, "a") : NULL;

	if (truth) {
		fprintf(truth,
			"{\"scenario\": \"%s\", \"kind\": \"%s\", \"kernel\": \"%s\", \"tag\": %u, "
			"\"grid\": [4, 1, 1], \"block\": [32, 1, 1], \"function\": \"%s\", "
			"\"file\": \"%s\", \"line\": %d}\n",
			scenario_name, kind, kernel, tag, function, __FILE__, line);
		fclose(truth);
	}
	return tag;
}
#define BAD_TAG(kernel) announce("kernel", kernel, __func__, __LINE__)

static void launch_good(unsigned *data)
{
	for (int i = 0; i < 10; i++)
		fill<<<4, 32>>>(++last_tag, data, 128);
}

static cudaError_t finish(unsigned *data)
{
	launch_good(data);
	return say("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

static cudaError_t run_stray_store()
{
	unsigned *data = make_buffer(buffer_bytes);

	launch_good(data);
	stray_store<<<4, 32>>>(BAD_TAG("stray_store"), data, far_index);
	return finish(data);
}

static cudaError_t run_stray_load()
{
	unsigned *data = make_buffer(buffer_bytes);

	launch_good(data);
	stray_load<<<4, 32>>>(BAD_TAG("stray_load"), data, far_index);
	return finish(data);
}

static cudaError_t run_misaligned()
{
	unsigned *data = make_buffer(buffer_bytes);

	launch_good(data);
	misaligned<<<4, 32>>>(BAD_TAG("misaligned"), data, 1);
	return finish(data);
}

static cudaError_t run_device_assert()
{
	unsigned *data = make_buffer(buffer_bytes);

	launch_good(data);
	device_assert<<<4, 32>>>(BAD_TAG("device_assert"), data);
	return finish(data);
}

static cudaError_t run_trap()
{
	unsigned *data = make_buffer(buffer_bytes);

	launch_good(data);
	trap<<<4, 32>>>(BAD_TAG("trap"), data);
	return finish(data);
}

static cudaError_t run_sync_each()
{
	unsigned *data = make_buffer(buffer_bytes);
	cudaError_t code = cudaSuccess;

	for (int i = 1; i <= 50 && !code; i++) {
		if (i == 31)
			stray_store<<<4, 32>>>(BAD_TAG("stray_store"), data, far_index);
		else
			fill<<<4, 32>>>(++last_tag, data, 128);
		code = say("cudaStreamSynchronize", cudaStreamSynchronize(0));
	}
	return code;
}

static cudaError_t run_late_in_stream()
{
	unsigned *data = make_buffer(buffer_bytes);
	cudaStream_t stream = make_stream();

	for (int i = 1; i <= 300; i++)
		if (i == 217)
			stray_store<<<4, 32, 0, stream>>>(BAD_TAG("stray_store"), data, far_index);
		else
			spin<<<1, 1, 0, stream>>>(++last_tag, spin_us);
	return say("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

static cudaError_t run_one_of_four_streams()
{
	unsigned *data = make_buffer(buffer_bytes);
	cudaStream_t streams[4];

	for (int s = 0; s < 4; s++)
		streams[s] = make_stream();
	for (int i = 0; i < 100; i++)
		for (int s = 0; s < 4; s++)
			if (i == 60 && s == 2)
				stray_store<<<4, 32, 0, streams[s]>>>(BAD_TAG("stray_store"), data,
								      far_index);
			else
				spin<<<1, 1, 0, streams[s]>>>(++last_tag, spin_us);
	return say("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

static void run_worker(int index, cudaStream_t stream, unsigned *data)
{
	for (int i = 1; i <= 50; i++)
		if (index == 5 && i == 20)
			stray_store<<<4, 32, 0, stream>>>(BAD_TAG("stray_store"), data, far_index);
		else
			spin<<<1, 1, 0, stream>>>(++last_tag, spin_us);
}

static cudaError_t run_one_of_eight_threads()
{
	unsigned *data = make_buffer(buffer_bytes);
	std::vector<std::thread> threads;

	for (int i = 0; i < 8; i++)
		threads.emplace_back(run_worker, i, make_stream(), data);
	for (std::thread &thread : threads)
		thread.join();
	return say("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

static cudaGraphExec_t capture_graph(cudaStream_t stream, unsigned *data, uint64_t *index,
				     unsigned tag)
{
	cudaGraph_t graph;
	cudaGraphExec_t executable;

	NEED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	fill<<<4, 32, 0, stream>>>(++last_tag, data, 128);
	store_through<<<4, 32, 0, stream>>>(tag, data, (unsigned long long *)index);
	fill<<<4, 32, 0, stream>>>(++last_tag, data, 128);
	NEED(cudaStreamEndCapture(stream, &graph));
	NEED(cudaGraphInstantiate(&executable, graph, 0));
	return executable;
}

static cudaError_t run_graph_replay()
{
	unsigned *data = make_buffer(buffer_bytes);
	uint64_t *index = (uint64_t *)make_buffer(sizeof(uint64_t));
	cudaStream_t stream = make_stream();
	unsigned tag = announce("graph", "store_through", __func__, __LINE__ + 6);
	cudaGraphExec_t executable = capture_graph(stream, data, index, tag);

	for (int i = 0; i < 6; i++)
		cudaGraphLaunch(executable, stream);
	cudaMemsetAsync((char *)index + 5, 8, 1, stream); /* makes it far_index */
	cudaGraphLaunch(executable, stream);
	cudaGraphLaunch(executable, stream);
	return say("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

static cudaError_t run_cleanup_storm()
{
	unsigned *data = make_buffer(buffer_bytes);
	cudaStream_t stream = make_stream();
	cudaEvent_t event;
	cudaError_t code;
	void *host;

	NEED(cudaMallocHost(&host, buffer_bytes));
	NEED(cudaEventCreate(&event));
	stray_store<<<4, 32, 0, stream>>>(BAD_TAG("stray_store"), data, far_index);
	code = say("cudaDeviceSynchronize", cudaDeviceSynchronize());
	say("cudaMemcpy", cudaMemcpy(host, data, buffer_bytes, cudaMemcpyDeviceToHost));
	say_cleanup("cudaFree", cudaFree(data));
	say_cleanup("cudaFreeHost", cudaFreeHost(host));
	say_cleanup("cudaEventDestroy", cudaEventDestroy(event));
	say_cleanup("cudaStreamDestroy", cudaStreamDestroy(stream));
	return code;
}

static cudaError_t run_ok()
{
	unsigned *data = make_buffer(buffer_bytes);
	unsigned word = 0;

	fill<<<4, 32>>>(7, data, 128);
	add<<<4, 32>>>(++last_tag, data, data, data, 128);
	say("cudaMemcpy", cudaMemcpy(&word, data, sizeof(word), cudaMemcpyDeviceToHost));
	printf("sum %u\n", word);
	return say("cudaDeviceSynchronize", cudaDeviceSynchronize());
}

static cudaError_t run_invalid_configuration()
{
	unsigned *data = make_buffer(buffer_bytes);

	fill<<<0, 32>>>(++last_tag, data, 128);
	say("cudaGetLastError", cudaGetLastError());
	return run_ok();
}

struct scenario {
	const char *name;
	cudaError_t (*run)();
};

static const struct scenario scenarios[] = {
	{"stray_store", run_stray_store},
	{"stray_load", run_stray_load},
	{"misaligned", run_misaligned},
	{"device_assert", run_device_assert},
	{"trap", run_trap},
	{"sync_each", run_sync_each},
	{"late_in_stream", run_late_in_stream},
	{"one_of_four_streams", run_one_of_four_streams},
	{"one_of_eight_threads", run_one_of_eight_threads},
	{"graph_replay", run_graph_replay},
	{"cleanup_storm", run_cleanup_storm},
	{"ok", run_ok},
	{"invalid_configuration", run_invalid_configuration},
};

static int run_scenario(const char *name)
{
	for (const struct scenario &scenario : scenarios) {
		if (strcmp(scenario.name, name))
			continue;
		scenario_name = name;
		cudaError_t code = scenario.run();
		if (code)
			printf("failed: %d\n", (int)code);
		return code ? 1 : 0;
	}
	fprintf(stderr, "corpus: no scenario %s; --list names them\n", name);
	return 2;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (const struct scenario &scenario : scenarios)
			puts(scenario.name);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "--truth"))
		truth_path = argv[2];
	else if (argc != 2) {
		fprintf(stderr, "usage: %s [--truth FILE] SCENARIO | --list\n", argv[0]);
		return 2;
	}
	return run_scenario(argv[argc - 1]);
}
