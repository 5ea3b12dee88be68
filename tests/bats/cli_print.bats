#!/usr/bin/env bats
# `culprit run --print`: a line for each launch.

load inspected

@test "print: prints a line for each launch, in order, with its arguments and location" {
	demo --print --print-to lines
	[[ $ended -eq 1 && $(wc -l <lines) -eq 120 ]]
	[[ $(cut -d' ' -f3 lines | tr -d '\n') == "$(seq -f '#%.0f' -s '' 4 123)" ]]
	grep -qE '^[0-9]+  #77  scatter_add<<<\(1,1,1\),\(64,1,1\)>>>\(0x[0-9a-f]+=#1\+0, 0x[0-9a-f]+=#3\+18432, 0x[0-9a-f]+=#2\+0, 64\)  stream 0x[0-9a-f]+  demo\.c:100 update_rows$' lines
	# The verdict is as ever, the journal in the bundle alone.
	grep -q '^culprit: .* exact: launch #77, scatter_add' err
	pid=$(cut -d' ' -f1 lines | sort -u)
	[[ -e culprit-demo-$pid/ring-0 && -z $(compgen -G "/dev/shm/culprit-live-*-$pid-*") ]]
	culprit report "culprit-demo-$pid"
	[[ $status -eq 0 ]]
}

@test "print: prints only kernels that match, to standard error or a descriptor" {
	demo --print=ter_a
	[[ $(grep -cE '#[0-9]+  scatter_add<<<' err) -eq 60 ]]
	grep -qE '#[0-9]+  decay<<<' err && false
	demo --print='^decay$' --print-to 7 7>seven
	[[ $(wc -l <seven) -eq 60 && $(grep -c '  decay<<<' seven) -eq 60 ]]
	demo --print='no such kernel' --print-to none
	[[ -e none && ! -s none ]]
}

# A process that exits before it is found leaves its journal behind.
@test "print: prints several processes, healthy ones too, and removes their journals" {
	cp --remove-destination "$build/bin/corpus" program
	print --require-cuda --print --print-to lines -- sh -c 'for i in 1 2 3; do
		./program --kernels "$1" ok; done' - "$build/lib/simcuda-kernels"
	settle_in .
	[[ $ended -eq 0 && ! -s err && -z $(compgen -G 'culprit-*') ]]
	[[ $(cut -d' ' -f1 lines | sort -u | wc -l) -eq 3 ]]
	for pid in $(cut -d' ' -f1 lines | sort -u); do
		[[ -z $(compgen -G "/dev/shm/culprit-live-*-$pid-*") ]]
	done
	# If a command fails in another way, its processes are not reported as leaving work
	# unfinished.
	print --print --print-to lines -- sh -c './program --kernels "$1" ok; exit 3' - "$build/lib/simcuda-kernels"
	[[ $ended -eq 3 && ! -s err ]]
}

@test "print: prints the open NVTX ranges" {
	[[ -x $build/bin/tests/nvtx_ranges ]] || skip "no NVTX host here"
	print --quiet --print --print-to lines -- "$build/bin/tests/nvtx_ranges" open push:train push:step launch:1 pop launch:1 pop launch:1
	cut -d' ' -f3- lines
	[[ $(sed -E 's/.*  //' lines | head -n 2) == $'[train > step]\n[train]' && $(grep -c '\]$' lines) -eq 2 ]]
}

@test "print: reports what it cannot do before the command starts" {
	culprit run --print='a(' touch started
	complains 125 "culprit run: --print 'a(': Unmatched ( or \\("
	culprit run --print --print-to 99 touch started
	complains 125 "culprit run: --print-to 99: Bad file descriptor"
	culprit run --print --print-to no/where touch started
	complains 125 "culprit run: --print-to no/where: No such file or directory"
	culprit run --inspect='a(' touch started
	complains 125 "culprit run: --inspect 'a(': Unmatched ( or \\("
	culprit run --inspect=a --inspect-as half touch started
	complains 125 "culprit run: --inspect-as 'half': expected guess|f32|f64|f16|bf16|i32|i64|u8|e4m3|e5m2; see culprit help run"
	[[ ! -e started ]]
}

@test "print: prints each launch of a process that is killed" {
	write_poison
	sed -i '/cuStreamBeginCapture/,$d' poison.py
	cat >>poison.py <<-'PY'
		import os, signal
		for _ in range(300):
		    use()
		os.kill(os.getpid(), signal.SIGKILL)
	PY
	print --quiet --print=reverse --print-to lines -- python3 poison.py "$build/lib/simcuda-kernels/basic.so"
	[[ $ended -eq 137 && $(cut -d' ' -f3 lines) == "$(seq -f '#%.0f' 3 303)" ]]
}

@test "gpu prints, without a GPU: a table of what a launch costs" {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/launch_cost ]] || skip "no simcuda in this build"
	OUT=$PWD run "$BATS_TEST_DIRNAME/../../scripts/gpu" prints --build-dir "$build" --driver simcuda --launches 2000 --runs 1
	[[ $status -eq 0 && $(grep -c "^|" PRINT.md) -eq 5 ]]
	grep -qE '^\| bare \| --print \| [0-9]+ \| [0-9.]+ \| 0 \|$' PRINT.md
}
