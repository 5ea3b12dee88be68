#!/usr/bin/env bats
# scripts/gpu: its list, its help, wrong usage, and what --pack copies.

bats_require_minimum_version 1.5.0

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	export OUT=$BATS_TEST_TMPDIR/out
}

@test "--list prints each suite with the first line of its docstring" {
	run -0 "$root/scripts/gpu" --list
	[[ "$(cut -d' ' -f1 <<<"$output" | xargs)" == "checks clients corpus faults graphs hangs hardware memory prints pytest ranks recovery soak" ]]
	[[ $(grep -cE '^[a-z]+ +\S.{30,}[.?]$' <<<"$output") -eq 13 ]]
	grep -qx 'corpus   The fault corpus: every scenario, build and marker scheme, plain and under culprit.' <<<"$output"
}

@test "the runner and each suite have a help" {
	run -0 "$root/scripts/gpu" --help
	[[ $output == *"usage: gpu --list"* ]]
	for suite in $("$root/scripts/gpu" --list | cut -d' ' -f1); do
		run -0 "$root/scripts/gpu" "$suite" --help
		[[ $output == "usage: gpu $suite "* && $output == *"--build-dir"* ]]
	done
}

@test "an unknown suite or option, or no argument: one line and status 2" {
	local suites="the suites are checks, clients, corpus, faults, graphs, hangs, hardware, memory, prints, pytest, ranks, recovery, soak"
	for words in nonsense suite "--pack nonsense" "--pack ../corpus"; do
		run -2 "$root/scripts/gpu" $words
		[[ $output == "gpu: '${words#--pack }' is not a suite; $suites" ]]
	done
	run -2 "$root/scripts/gpu" --nonsense
	[[ $output == "gpu: unknown option --nonsense" ]]
	run -2 "$root/scripts/gpu"
	[[ $output == "gpu: a suite is missing; gpu --list prints the suites" ]]
}

@test "--pack copies the libraries of the command; with a suite it also builds that suite's program" {
	export CULPRIT_BUILD=$BATS_TEST_TMPDIR/build PATH=$BATS_TEST_TMPDIR/path:$PATH
	mkdir -p "$CULPRIT_BUILD/bin" "$CULPRIT_BUILD/lib" "$BATS_TEST_TMPDIR/path"
	touch "$CULPRIT_BUILD/lib/libcarried.so" "$BATS_TEST_TMPDIR/libother.so.1"
	printf '#!/bin/sh\necho "%s"\n' "	libother.so.1 => $BATS_TEST_TMPDIR/libother.so.1 (0x1)
	libc.so.6 => /lib/libc.so.6 (0x2)
	libcarried.so => $CULPRIT_BUILD/lib/libcarried.so (0x3)" >"$BATS_TEST_TMPDIR/path/ldd"
	printf '#!/bin/sh\necho "nvcc $*" >&2\n' >"$BATS_TEST_TMPDIR/path/nvcc"
	chmod +x "$BATS_TEST_TMPDIR/path/"*
	run -0 "$root/scripts/gpu" --pack
	[[ $output == $'packed libother.so.1\ncarry: build/bin build/lib' ]]
	[[ -e $CULPRIT_BUILD/lib/libother.so.1 && ! -e $CULPRIT_BUILD/lib/libc.so.6 ]]
	run -0 "$root/scripts/gpu" --pack faults corpus
	[[ $output == *"nvcc "*"-o $CULPRIT_BUILD/bin/gpu-faults $root/tests/gpu/faults/faults.cu"* ]]
}

@test "a program that outlives its time is killed with its children" {
	run -0 python3 -B - "$root/tests/gpu/suites" <<-'PY'
		import os, select, sys
		sys.path.append(sys.argv[1])
		import suite
		done = suite.run(["sh", "-c", "sleep 1000 & echo $!; wait"], 5)
		assert done.status == "timeout"
		ended = select.poll()
		try:
		    ended.register(os.pidfd_open(int(done.out)))
		    assert ended.poll(60000)
		except ProcessLookupError:
		    pass
	PY
}
