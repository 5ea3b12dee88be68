#!/usr/bin/env bats
# A program sees the same under culprit as without it: scripts/transparency on simcuda. On a GPU
# that script is run by itself.

load emulator

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
export CULPRIT_BUILD=${CULPRIT_BUILD:-$root/build}

setup() {
	unset OUT
}

# A test of the test: in the runs under culprit alone, simcuda returns 999 once, from a call whose
# result the program ignores.
@test "a result that culprit changed would be noticed" {
	run "$root/scripts/transparency" --self-test --only '^corpus/ok[.]linked' --schemes auto
	echo "$output"
	((status == 1))
	[[ $output == *"DIFFERS  corpus/ok.linked auto"* ]]
	[[ $output == *"-cuLaunchKernel 0"*"+cuLaunchKernel 999"* && $output != *status* ]]
}

@test "no program sees a difference" {
	# Programs that fail wait for most of their time.
	run "$root/scripts/transparency" --quick --oracle "$(rounds 100)" --jobs 4
	echo "$output"
	((status == 0))
}

# refusals SAMPLE [COMMAND...]: the calls that the driver refuses meanwhile.
refusals() {
	local sample=$1
	shift
	: >log
	CUDA_LOG_FILE=log LD_LIBRARY_PATH=$CULPRIT_BUILD/lib/simcuda \
		"$@" "$CULPRIT_BUILD/bin/samples" "$sample" >/dev/null 2>&1
	cat log
}

# compute-sanitizer would list them beside the program's own.
@test "no logged refused call is culprit's own" {
	cd "$BATS_TEST_TMPDIR"
	for sample in vector_add captured_graph cooperative_launch libraries callbacks threads; do
		plain=$(refusals $sample)
		under=$(refusals $sample "$CULPRIT_BUILD/bin/culprit" run --)
		[[ $under == "$plain" ]]
	done
	[[ $(refusals errors) == *cu* ]]
}

@test "a tool that is not here is skipped with the reason" {
	python=$(python3 -S -c 'import sys; print(sys.executable)')
	run env PATH="$BATS_TEST_TMPDIR" "$python" "$root/scripts/transparency" \
		--with valgrind --only '^with-valgrind/samples/errors'
	echo "$output"
	((status == 0))
	[[ $output == *"skipped  with-valgrind/samples/errors auto"*"no valgrind"* ]]
}

# Ten or more processes; one child at the end of the tree uses the GPU.
@test "processes without CUDA leave nothing" {
	cd "$BATS_TEST_TMPDIR"
	LD_LIBRARY_PATH=$CULPRIT_BUILD/lib/simcuda CULPRIT_KEEP=always \
		LD_PRELOAD=$CULPRIT_BUILD/lib/libculprit.so "$CULPRIT_BUILD/bin/samples" process_tree
	ls
	(($(find . -mindepth 1 -maxdepth 1 | wc -l) == 1))
	[[ -d $(echo culprit-samples-*) ]]
}

# A batch has no place of its own.
@test "an operation on stream memory is recorded with the memory that it touches" {
	cd "$BATS_TEST_TMPDIR"
	CULPRIT_DIR=$PWD CULPRIT_KEEP=always LD_LIBRARY_PATH=$CULPRIT_BUILD/lib/simcuda \
		LD_PRELOAD=$CULPRIT_BUILD/lib/libculprit.so "$CULPRIT_BUILD/bin/samples" memory_operations
	"$CULPRIT_BUILD/bin/culprit" dump culprit-samples-* >dump
	(($(grep -cE 'call="cuStream(Write|Wait)Value32_v2".* destination=0x[1-9a-f].* bytes=4 ' dump) == 4))
	(($(grep -cE 'call="cuStreamBatchMemOp_v2".* bytes=0 ' dump) == 1))
}
