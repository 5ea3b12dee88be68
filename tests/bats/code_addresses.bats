#!/usr/bin/env bats
# Where the code of kernels may be on the GPU: words of the driver's own objects, as simcuda has them.

load corpus.bash
load strace

setup() {
	culprit=$build/bin/culprit
	[[ $driver == simcuda ]] || skip "words of an undocumented driver"
}

# Run the corpus; the rows of the table are in $output.
rows_of() {
	run timeout -k 5 300 "$culprit" run --dir "$BATS_TEST_TMPDIR/bundles" -- \
		"$build/bin/corpus" "$1"
	run "$culprit" dump --file code-addresses "$BATS_TEST_TMPDIR"/bundles/culprit-*
}

@test "words that may be the address of code are recorded for each kernel" {
	rows_of misaligned
	[[ $(grep -c ' offset=0x68 address=0x[0-9a-f]*[08]0$' <<<"$output") -eq 2 ]]
	[[ $output != *" offset=0x10 "* && $output != *" offset=0x8 "* ]]
}

@test "words at other offsets are recorded, too" {
	SIMCUDA_CODE=other rows_of misaligned
	[[ $(grep -c ' offset=0x118 address=0x[0-9a-f]*[08]0$' <<<"$output") -eq 2 && $output != *" offset=0x68 "* ]]
}

@test "without such a word there is no row for it" {
	SIMCUDA_CODE=none rows_of misaligned
	[[ $status -eq 0 && $output == "# code-addresses: "* && $output != *" offset=0x68 "* ]]
}

@test "the device's compute capability is recorded, unless the driver compiles all PTX" {
	rows_of misaligned
	run "$culprit" dump --file contexts "$BATS_TEST_TMPDIR"/bundles/culprit-*
	[[ $output == *" sm=90"* ]]
	rm -r "$BATS_TEST_TMPDIR"/bundles
	CUDA_FORCE_PTX_JIT=1 rows_of misaligned
	run "$culprit" dump --file contexts "$BATS_TEST_TMPDIR"/bundles/culprit-*
	[[ $status -eq 0 && $output == *"handle=0x"* && $output != *" sm="* ]]
}

# Judge a misaligned access without markers and counters: all unfinished launches are suspects.
# usage: judge [VARIABLE=VALUE...]; the report is in $output.
judge() {
	local kernels="$build/lib/simcuda-kernels"
	[[ -e $build/lib/libsimkernel.so ]] || skip "no simulated kernel modules in this build"
	rm -rf "$BATS_TEST_TMPDIR"/bundles
	mkdir "$BATS_TEST_TMPDIR"/bundles
	env LD_PRELOAD="$build/lib/libculprit.so $build/lib/libsimkernel.so" CULPRIT_QUIET=1 \
		CULPRIT_DIR="$BATS_TEST_TMPDIR/bundles" CULPRIT_MARKERS=off CULPRIT_PROGRESS=off "$@" \
		timeout 60 "$build/bin/corpus" --kernels "$kernels" misaligned >/dev/null || true
	run "$culprit" report "$BATS_TEST_TMPDIR"/bundles/culprit-*
}

@test "the program counter of an exception names the kernel, and its place on the device" {
	judge
	[[ $output == *"exact: launch #12, misaligned"* ]]
	[[ $output == *"  on the device   misaligned + 0x"* ]]
	[[ $output == *"fault: the GPU stopped in misaligned + 0x"*" cleared"* ]]
	judge SIMCUDA_CODE=other
	[[ $output == *"exact: launch #12, misaligned"* ]]
}

@test "without addresses of code, or with wrong ones, no other kernel is named for sure" {
	local setting
	for setting in SIMCUDA_CODE=none SIMCUDA_CODE=lie SIMKERNEL=lie CULPRIT_FAULT=off; do
		judge "$setting"
		[[ $output == *"narrowed: "* && $output != *"on the device"* ]] || { echo "$setting: $output"; return 1; }
	done
}

@test "a report reads no kernel's code where the program counter clears nothing" {
	command -v strace >/dev/null && strace -o "$BATS_TEST_TMPDIR/probe" true || skip "no strace here"
	! grep -q __asan_init "$culprit" || skip "the sanitizer does not run under strace"
	local opened="$BATS_TEST_TMPDIR/opened"
	judge
	strace -f -e trace=openat -o "$opened" "$culprit" report "$BATS_TEST_TMPDIR"/bundles/culprit-* >/dev/null
	grep -q 'simcuda-kernels/.*= [0-9]' <(whole_calls "$opened")
	judge SIMCUDA_MPS=1
	[[ $output == *"narrowed: "* && $output == *"  fault           misaligned access"* ]]
	strace -f -e trace=openat -o "$opened" "$culprit" report "$BATS_TEST_TMPDIR"/bundles/culprit-* >/dev/null
	! grep -q 'simcuda-kernels/.*= [0-9]' <(whole_calls "$opened")
}

@test "the fault is described, with the argument that it came from" {
	judge
	[[ $output =~ "  fault           misaligned access at 0x"[0-9a-f]+", 1 B into allocation #1 (4 KiB, from " ]]
	[[ $output == *"most likely argument 1 (0x"*") + 1 B"* ]]
	run "$culprit" memory --at fault "$BATS_TEST_TMPDIR"/bundles/culprit-*
	[[ $status -eq 0 && $output == "0x"*"1: 1 bytes into "*"allocation #1"* ]]
	judge CULPRIT_FAULT=off
	run "$culprit" memory --at fault "$BATS_TEST_TMPDIR"/bundles/culprit-*
	[[ $status -eq 2 && $output == *"the driver reported no address" ]]
}
