#!/usr/bin/env bats
# scripts/setup and find-cuda: what they say about a machine that lacks something. Nothing is
# installed: the machines here have no apt-get, or one that does nothing.

bats_require_minimum_version 1.5.0
root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# A PATH with every command of this machine but those named.
path_without() {
	local folder command
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	for folder in ${PATH//:/ }; do # the first of each name stays
		ln -s "$folder"/* "$BATS_TEST_TMPDIR/bin" 2>/dev/null || true
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

# A machine without a cross compiler, on which dpkg and apt-get only write down how they were called.
# stand_in_machine ARCHITECTURE: one of its packages has it.
stand_in_machine() {
	local bin tool
	bin=$(path_without aarch64-linux-gnu-gcc apt-get apt-cache dpkg dpkg-query sudo)
	for tool in apt-get apt-cache dpkg; do
		printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\n' "$tool" "$BATS_TEST_TMPDIR" >"$bin/$tool"
	done
	printf '#!/bin/sh\necho %s\n' "$1" >"$bin/dpkg-query"
	printf '#!/bin/sh\nshift\nexec "$@"\n' >"$bin/sudo"
	chmod +x "$bin"/{apt-get,apt-cache,dpkg,dpkg-query,sudo}
	touch "$BATS_TEST_TMPDIR/calls"
	PATH=$bin
	export CUDA_HOME
	CUDA_HOME=$(toolkit 13000)
}

@test "--check lists what is missing, and installs nothing" {
	[[ $(uname -m) != aarch64 ]] || skip "nothing is missing on aarch64"
	stand_in_machine amd64
	run "$root/scripts/setup" --target aarch64 --check --quiet
	echo "$output"
	((status == 1))
	[[ $output == *"missing    aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu): the cross compiler"* ]]
	[[ ! -s $BATS_TEST_TMPDIR/calls ]]
}

@test "the architecture arm64 stays only if a package of it could be installed" {
	[[ $(uname -m) != aarch64 ]] || skip "nothing is missing on aarch64"
	stand_in_machine amd64
	run "$root/scripts/setup" --target aarch64 --quiet
	cat "$BATS_TEST_TMPDIR/calls"
	((status == 1))
	grep -qx "dpkg --add-architecture arm64" "$BATS_TEST_TMPDIR/calls"
	[[ $(tail -n 1 "$BATS_TEST_TMPDIR/calls") == "dpkg --remove-architecture arm64" ]]
	stand_in_machine arm64
	run "$root/scripts/setup" --target aarch64 --quiet
	[[ $(tail -n 1 "$BATS_TEST_TMPDIR/calls") != *remove* ]]
}

@test "an architecture that cannot be built for is wrong usage" {
	for script in setup build wheel debian-package; do
		run "$root/scripts/$script" --target riscv64
		echo "$script: $status $output"
		((status == 2))
	done
}

@test "with-qemu says on standard error what is missing" {
	[[ $(uname -m) != aarch64 ]] || skip "nothing is missing on aarch64"
	! grep -qsx enabled /proc/sys/fs/binfmt_misc/qemu-aarch64 || skip "qemu is registered"
	path=$(path_without qemu-aarch64-static)
	PATH=$path run --separate-stderr "$root/scripts/with-qemu" true
	((status == 77))
	[[ ! $output && $stderr == "with-qemu: qemu-aarch64-static is not here: "* ]]
}

@test "with-qemu leaves a command its folder, users, descriptors and exit status" {
	"$root/scripts/with-qemu" true || skip "with-qemu cannot work here"
	cd "$BATS_TEST_TMPDIR"
	run "$root/scripts/with-qemu" bash -c 'pwd; ls /proc/self/fd | wc -l; exit 5'
	((status == 5))
	[[ $output == "$PWD"$'\n'"$(ls /proc/self/fd | wc -l)" ]]
	((EUID == 0)) || skip "only root can have other users there"
	grep -q ' 4294967295$' /proc/self/uid_map || skip "this system has not all users"
	run "$root/scripts/with-qemu" setpriv --reuid=65534 --clear-groups id -u
	[[ $output == 65534 ]]
}

@test "with-qemu runs a command if no namespace can have all users" {
	"$root/scripts/with-qemu" true || skip "with-qemu cannot work here"
	real=$(command -v unshare)
	printf '#!/bin/bash\n[[ $1 != --user ]] && exec %q "$@"\n' "$real" >"$BATS_TEST_TMPDIR/unshare"
	chmod +x "$BATS_TEST_TMPDIR/unshare"
	# Before each command, wait until background processes have exited.
	echo "trap wait DEBUG" >"$BATS_TEST_TMPDIR/wait"
	export BASH_ENV=$BATS_TEST_TMPDIR/wait
	PATH=$BATS_TEST_TMPDIR:$PATH run "$root/scripts/with-qemu" bash -c 'echo run; exit 5'
	((status == 5))
	[[ $output == run ]]
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
