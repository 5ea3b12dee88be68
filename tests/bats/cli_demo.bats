#!/usr/bin/env bats
# `culprit demo`: a verdict without a GPU, a driver and a compiler.

load cli

setup() {
	[[ -e $build/lib/culprit-demo/libcuda.so.1 ]] || skip "no simcuda in this build"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS
}

@test "demo: the report names the wrong launch, and its bundle stays" {
	run --separate-stderr env -i PATH=/usr/bin:/bin "$culprit" demo
	echo "$output$stderr"
	[[ $status -eq 0 && ${lines[0]} == *"on a simulated driver: no GPU is used." ]]
	[[ ${lines[1]} == "$ culprit run --markers inline -- $(realpath "$build/lib")/culprit-demo/demo "* ]]
	[[ $stderr == "error[700]: illegal memory access: scatter_add (CUDA_ERROR_ILLEGAL_ADDRESS, pid "*")  exact"* ]]
	[[ $stderr == *"  --> demo.c:"*" | launch #77, scatter_add<<<1, 64>>>"* ]]
	culprit report -v
	[[ $status -eq 0 && $output == *"exact: launch #77, scatter_add"*"child of "*' "culprit"'* ]]
}

@test "demo: another driver in LD_LIBRARY_PATH is not used, and --dir takes the bundle" {
	mkdir other bundles
	echo 'this is no library' >other/libcuda.so.1
	LD_LIBRARY_PATH=$PWD/other culprit demo --dir bundles
	[[ $status -eq 0 && $stderr == *": scatter_add "*"  exact"* ]]
	compgen -G 'bundles/culprit-demo-*'
	[[ -z $(compgen -G 'culprit-demo-*') ]]
}

@test "demo: it says that its files are missing, and fails if nothing was recorded" {
	cp "$build/lib/libculprit.so" .
	CULPRIT_LIBRARY=$PWD/libculprit.so culprit demo
	complains 5 "culprit demo: $PWD/culprit-demo: No such file or directory; this culprit was installed without its demonstration"
	CULPRIT_DISABLE=1 culprit demo
	[[ $status -eq 1 && $stderr != *exact* ]]
}
