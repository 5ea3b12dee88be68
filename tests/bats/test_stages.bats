#!/usr/bin/env bats
# scripts/test as a program: usage, and what happens to its jobs if it is stopped or one of them is
# killed. The tree's other scripts are stand-ins here.

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

setup() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/scripts" "$tree/bin"
	cp "$root/scripts/test" "$tree/scripts"
	unset CULPRIT_BUILD CI
	export PATH=$tree/bin:$PATH
	stand_in scripts/setup 'exit 0'
	stand_in scripts/build 'exit 0'
	stand_in bin/cmake 'exit 1'
	stand_in bin/ctest 'exit 0'
	for tool in clang-format-14 clang-tidy-14 shellcheck ctags; do
		stand_in bin/$tool 'exit 0'
	done
}

# stand_in NAME BODY
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" >"$tree/$1"
	chmod +x "$tree/$1"
}

@test "options that exclude each other are wrong usage" {
	for options in "--quick --all" "--target aarch64 --quick" "--all --target aarch64" "--target riscv64" --frobnicate; do
		# shellcheck disable=SC2086 # several words
		run "$tree/scripts/test" $options
		echo "$options: $status $output"
		((status == 2))
		[[ $output == usage:* ]]
	done
}

@test "if it is stopped, its jobs end, and its caller's process group lives" {
	mkfifo "$BATS_TEST_TMPDIR/started"
	stand_in scripts/build "echo \$\$ >'$BATS_TEST_TMPDIR/started'; sleep 1000 & wait"
	"$tree/scripts/test" >"$BATS_TEST_TMPDIR/output" 2>&1 3>&- &
	script=$!
	read -r job <"$BATS_TEST_TMPDIR/started"
	group=$(ps -o pgid= -p "$job")
	kill -TERM "$script"
	wait "$script" || status=$?
	cat "$BATS_TEST_TMPDIR/output"
	((status == 143))
	# The signal is sent, and the processes end in their own time.
	timeout 60 bash -c 'while kill -0 -- "-$1"; do :; done' bash "${group// /}" 2>/dev/null
}

@test "a job that is killed is a failure, whatever an earlier run's log says" {
	mkdir -p "$tree/build/test-logs"
	echo "exit 0" >"$tree/build/test-logs/build-clang.log"
	stand_in scripts/make-clients 'kill -KILL -- "-$(ps -o pgid= -p $$ | tr -d " ")"'
	stand_in scripts/find-cuda 'kill -KILL -- "-$(ps -o pgid= -p $$ | tr -d " ")"'
	stand_in bin/clang 'exit 0'
	run "$tree/scripts/test"
	echo "$output"
	((status == 1))
	[[ $output == *"FAILED   python clients"*"the job make-clients was killed"* ]]
	[[ $output == *"FAILED   clang "*"the job build-clang was killed"* ]]
}

@test "without the packages for aarch64 the summary says that it was not tested" {
	[[ $(uname -m) != aarch64 ]] || skip "the other stages are for aarch64"
	stand_in scripts/setup '[[ $* != *aarch64* ]] || { echo "missing    libdw (package libdw-dev:arm64): source lines"; exit 1; }'
	for CI in "" true; do
		export CI
		run "$tree/scripts/test"
		echo "$output"
		[[ $output == *"skipped  aarch64: scripts/setup --target aarch64 lacks libdw"* ]]
		[[ $output != *"ok       aarch64"* ]]
		grep -qx 'not tested: aarch64' <<<"$output"
	done
}
