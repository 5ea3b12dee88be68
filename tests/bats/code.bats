#!/usr/bin/env bats
# Clues about an assertion from the code of kernels, on simcuda. Its kernels are files of the host,
# with the same kernels' machine code by nvcc in a section beside it.

load corpus.bash
load programs

setup() {
	kernels=$BATS_TEST_TMPDIR/kernels
	culprit=$build/bin/culprit
	mkdir "$kernels"
	[[ $driver == simcuda ]] || skip "a GPU's kernels have their own code"
	cp "$build"/lib/simcuda-kernels/{fill,device_assert,trap}.so "$kernels"
}

# add_code KERNEL: its machine code into the file that is loaded.
add_code() {
	local code=$build/lib/gpu-kernels/$1.fatbin
	[[ -r $code ]] || skip "no nvcc: no machine code of $1"
	use_tools objcopy
	objcopy --add-section ".nv_fatbin=$code" "$kernels/$1.so"
}

# Only the code shows which kernel failed. The bundle is in $bundle, the report in $output.
run_assert() {
	run timeout -k 5 300 "$culprit" run --dir "$BATS_TEST_TMPDIR/bundles" --markers off \
		--progress off -- "$build/bin/corpus" --kernels "$kernels" device_assert
	bundle=$(echo "$BATS_TEST_TMPDIR"/bundles/culprit-*)
	run "$culprit" report "$bundle"
}

@test "kernels that never reach an assertion are cleared of one" {
	add_code fill
	add_code device_assert
	run_assert
	[[ $output == *"exact: launch #12, device_assert"* ]]
	[[ $output == *"cannot assert: the code of 20 unfinished launches has no call of __assertfail"* ]]
	run "$culprit" report --format json "$bundle"
	[[ $output == *'"kind": "code"'* ]]
}

@test "unknown code clears nothing" {
	add_code device_assert
	run_assert
	[[ $output == *"narrowed: one of 21 launches"* ]]
	[[ $output != *"cannot assert"* ]]
}

@test "a file that was changed since the run clears nothing" {
	add_code fill
	add_code device_assert
	run_assert
	touch "$kernels/fill.so"
	run "$culprit" report "$bundle"
	[[ $output == *"narrowed: one of 21 launches"* ]]
}

@test "if several launches may have failed, those with a trap come first" {
	add_code trap
	run timeout -k 5 300 "$culprit" run --dir "$BATS_TEST_TMPDIR/bundles" --markers off \
		--progress off -- "$build/bin/corpus" --kernels "$kernels" trap
	run "$culprit" report "$BATS_TEST_TMPDIR"/bundles/culprit-*
	[[ $output == *"narrowed: one of 21 launches, most likely #12 trap"*"(its code has a trap)"* ]]
}
