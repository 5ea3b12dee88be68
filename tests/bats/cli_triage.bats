#!/usr/bin/env bats
# `culprit triage`: the runs that it makes, its report, and its exit status.

load cli


# triage STATUS ARGUMENT...: run it with its output in `out` and standard error in `err`.
triage() {
	local wanted=$1 ended=0
	shift
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	LD_LIBRARY_PATH=$build/lib/simcuda "$culprit" triage "$@" >out 2>err || ended=$?
	cat out err
	echo "status $ended"
	[[ $ended -eq $wanted ]]
}

# Programs that triage runs.
programs() {
	cat >fails <<-END
		#!/bin/bash
		exec "$build/bin/demo" "$build/lib/simcuda-kernels/training.so" >/dev/null
	END
	cat >fails-unblocked <<-END
		#!/bin/bash
		[[ \$CUDA_LAUNCH_BLOCKING ]] || exec "$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
	END
	cat >fails-at-first <<-END
		#!/bin/bash
		[[ ! -e been ]] || exit 0
		touch been
		exec "$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
	END
	chmod +x fails fails-unblocked fails-at-first
}

# ways: print the ways of the runs, from the table.
ways() {
	sed -nE 's/^  +[0-9]+  (as it is|--[a-z]+ [a-z]+|[A-Z_]+=1|compute-sanitizer) .*/\1/p' out | paste -sd,
}

@test "after an exact verdict, only the device line is searched for" {
	programs
	triage 0 -- ./fails
	[[ $(ways) == "as it is,--coredump on" ]]
	grep -qx 'culprit triage: 2 runs, bundles in \./triage-[0-9TZ]*-[0-9]*' out
	grep -qx '  steady: all runs that name a launch name the same code' out
	grep -q '^  launched from   demo\.c:100 update_rows' out
	# The report is that of the most precise run.
	grep -q '^  on the device   scatter_add, block ' out
	[[ $(grep -c '^culprit: ' out) == 1 ]]
	grep -qx 'culprit triage: run 2, --coredump on' err
	[[ -d $(echo triage-*/run-1/culprit-demo-*) && -d $(echo triage-*/run-2/culprit-demo-*) ]]
}

@test "a narrowed verdict becomes exact in a run with inline markers" {
	programs
	export CULPRIT_MARKERS=off CULPRIT_PROGRESS=markers
	triage 0 -- ./fails
	[[ $(ways) == "as it is,--markers inline,--coredump on" ]]
	grep -q '^   1 .* narrowed: ' out
	grep -q '^   2 .* exact: launch #77, scatter_add' out
	grep -q '^culprit: .* exact: launch #77, scatter_add' out
}

@test "after many launches, markers start shortly before the suspects" {
	export CULPRIT_MARKERS=off CULPRIT_PROGRESS=markers
	triage 0 -- "$build/bin/tests/robust" fault_among_others
	grep -q '^   1 .* narrowed: one of 4 launches' out
	# The first suspect is #5001; markers start an eighth earlier, because the order may change.
	grep -q '^   2  --markers inline@4376  *CUDA.* exact: launch #5003, stray_store' out
	local marked
	marked=$("$culprit" dump triage-*/run-2/culprit-* | grep -c "flags=.*inline-marker")
	echo "marked: $marked"
	((marked >= 627 && marked < 1000))
}

@test "when the allowed runs are used up, the best report is printed" {
	programs
	export CULPRIT_MARKERS=off CULPRIT_PROGRESS=markers
	triage 8 --runs 1 -- ./fails
	[[ $(ways) == "as it is" ]]
	grep -q '^culprit: .* narrowed: ' out
	triage 8 --time 1 -- sh -c 'sleep 0.6; exec ./fails'
	[[ $(ways) == "as it is" ]]
}

@test "a failure that is missing in only one way of running is said to vanish" {
	programs
	export CULPRIT_MARKERS=off CULPRIT_PROGRESS=markers
	# The command turns markers and dumps off, so that these ways do not help.
	triage 8 -- sh -c 'unset CULPRIT_COREDUMP; export CULPRIT_MARKERS=off; exec ./fails-unblocked'
	[[ $(ways) == "as it is,--markers inline,--coredump on,CUDA_LAUNCH_BLOCKING=1" ]]
	grep -qx '  vanishes with CUDA_LAUNCH_BLOCKING=1: the failure depends on what runs at the same time: look for a race, between streams or with the host' out
}

# Make a fake compute-sanitizer that prints its options, writes a report and runs the command.
fake_sanitizer() {
	mkdir bin
	cat >bin/compute-sanitizer <<-'END'
		#!/bin/bash
		echo "$*" >>asked
		while [[ $1 == --* ]]; do
			[[ $1 == --log-file ]] && log=$2
			shift 2
		done
		cat >"$log" <<-'LOG'
			========= COMPUTE-SANITIZER
			========= Invalid __global__ write of size 4 bytes
			=========     at scatter_add(float *, const int *)+0x130 in training.cu:31
			=========     by thread (0,0,0) in block (0,0,0)
			=========     Address 0x7f0000fff is out of bounds
			=========     Saved host backtrace up to driver entry point at kernel launch time
			========= ERROR SUMMARY: 1 error
		LOG
		exec "$@"
	END
	chmod +x bin/compute-sanitizer
	PATH=$PWD/bin:$PATH
}

@test "without core dumps, compute-sanitizer checks the suspect launches only" {
	programs
	fake_sanitizer
	triage 0 -- sh -c 'unset CULPRIT_COREDUMP; exec ./fails'
	[[ $(ways) == "as it is,--coredump on,compute-sanitizer" ]]
	# Launch #77 is the 37th launch of its kernel.
	grep -qE '^--log-file [^ ]*/run-3/compute-sanitizer.txt --target-processes all --kernel-name kne=scatter_add --launch-skip 28 --launch-count 17 sh -c ' asked
	grep -A4 '^   3  compute-sanitizer .* exact: launch #77' out | tail -n 4 >shown
	diff shown - <<-'END'
		      Invalid __global__ write of size 4 bytes
		          at scatter_add(float *, const int *)+0x130 in training.cu:31
		          by thread (0,0,0) in block (0,0,0)
		          Address 0x7f0000fff is out of bounds
	END
	[[ $(wc -l <asked) -eq 1 ]]
}

@test "a command that does not fail on the GPU is run once" {
	triage 1 -- sh -c 'echo here; exit 3'
	[[ $(ways) == "as it is" ]]
	grep -qx here out
	grep -q '^   1  as it is  *no GPU failure seen$' out
	[[ -z $(ls) || $(ls) == $'err\nout' ]]
}

@test "repeat counts how often each culprit was named" {
	programs
	triage 0 --repeat 3 -- ./fails-at-first
	grep -qx '     1 of 3  CUDA_ERROR_ILLEGAL_ADDRESS (700) — exact: launch #77, scatter_add .*' out
	grep -qx '     2 of 3  no GPU failure seen' out
	grep -q '^culprit: .* exact: launch #77' out
}

@test "the report is written to a file, and the bundles to a directory" {
	programs
	mkdir there
	triage 0 --dir there -o report.txt -n 1 -- ./fails
	[[ ! -s out ]]
	grep -q '^culprit: .* exact: launch #77' report.txt
	[[ -d $(echo there/triage-*/run-1/culprit-demo-*) ]]
	triage 6 --dir nowhere -- ./fails
	grep -q "^culprit triage: 'nowhere/triage-.*': No such file or directory$" err
}

@test "triage stops if the command cannot be started or is ended by a signal" {
	triage 127 -- ./nowhere
	grep -q "^culprit run: cannot run './nowhere': No such file or directory$" err
	[[ ! -s out ]]
	triage 143 -- sh -c 'kill -TERM $$'
	[[ $(ways) == "as it is" ]]
}

@test "errors on the command line are reported" {
	culprit triage
	complains 2 "culprit triage: no command given; see culprit help triage"
	culprit triage --runs 0 true
	complains 2 "culprit triage: --runs '0': expected 1 to 1000; see culprit help triage"
	culprit triage --time soon true
	complains 2 "culprit triage: --time 'soon': expected 1 to 2592000; see culprit help triage"
}
