#!/usr/bin/env bats
# scripts/setup and find-cuda: what they say about a machine that lacks something. Nothing is
# installed: the machines here have no apt-get.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# A PATH with every command of this machine but those named.
path_without() {
	local folder command
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	for folder in ${PATH//:/ }; do
		for command in "$folder"/*; do
			ln -s "$command" "$BATS_TEST_TMPDIR/bin" 2>/dev/null || true
		done
	done
	for command; do
		rm -f "$BATS_TEST_TMPDIR/bin/$command"
	done
	echo "$BATS_TEST_TMPDIR/bin"
}

# toolkit VERSION: a folder with just enough of a CUDA Toolkit.
toolkit() {
	local include=$BATS_TEST_TMPDIR/cuda-$1/include
	mkdir -p "$include"
	echo "#define CUDA_VERSION $1" >"$include/cuda.h"
	touch "$include/cudaProfiler.h" "$include/cudaTypedefs.h"
	dirname "$include"
}

@test "what is missing is listed with its package, and the status is 1" {
	PATH=$(path_without ninja cmake apt-get) CUDA_HOME=$(toolkit 13000) run "$root/scripts/setup" --quiet
	echo "$output"
	((status == 1))
	[[ $output == *"missing    cmake (package cmake): the build"* ]]
	[[ $output == *"missing    ninja (package ninja-build): the build"* ]]
	[[ $output != *"missing    python3"* ]]
}

@test "tools of the tests alone may be missing" {
	PATH=$(path_without shellcheck apt-get) CUDA_HOME=$(toolkit 13000) run "$root/scripts/setup" --test --quiet
	echo "$output"
	((status == 0))
	[[ $output == *"missing    shellcheck (package shellcheck): checks of the shell scripts"* ]]
}

@test "an unknown option is wrong usage" {
	run "$root/scripts/setup" --frobnicate
	((status == 2))
}

@test "CUDA_HOME comes first" {
	toolkit=$(toolkit 13000)
	CUDA_HOME=$toolkit run "$root/scripts/find-cuda"
	[[ $output == "$toolkit/include" ]]
}

@test "the toolkit of nvcc is found, headers that are too old or not whole are not" {
	new=$(toolkit 13010)
	old=$(toolkit 12080)
	mkdir -p "$new/bin" "$BATS_TEST_TMPDIR/tree/scripts"
	printf '#!/bin/sh\n' >"$new/bin/nvcc"
	chmod +x "$new/bin/nvcc"
	cp "$root/scripts/find-cuda" "$BATS_TEST_TMPDIR/tree/scripts"
	[[ ! -e /usr/local/cuda/include/cuda.h ]] || skip "/usr/local/cuda would be found first"
	PATH=$new/bin:$PATH CUDA_HOME=$old run "$BATS_TEST_TMPDIR/tree/scripts/find-cuda"
	[[ $output == "$new/include" ]]
	rm "$new/include/cudaProfiler.h"
	PATH=$new/bin:$PATH CUDA_HOME=$old run "$BATS_TEST_TMPDIR/tree/scripts/find-cuda"
	((status == 1))
	PATH=$new/bin:$PATH CUDA_HOME=$old run "$BATS_TEST_TMPDIR/tree/scripts/find-cuda" --any
	[[ $output == "$old/include" ]]
}
