#!/usr/bin/env bats
# The last line of a report: one command to run next, which can be pasted. The rules are in
# core/report/report_step.c; tests/unit/report/test_report_step.c has each of them.

load cli

setup() {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/tests/robust ]] || skip "no simcuda in this build"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export CULPRIT_DIR=bundles LD_LIBRARY_PATH=$simcuda
	mkdir bundles
	kernels=$simcuda-kernels
}

# help_of BUNDLE: the line, and it is the report's last.
help_of() {
	"$culprit" report "$1" >report.txt || true
	tail -n 1 report.txt | grep -q '^  help  ' || { cat report.txt; return 1; }
	sed -n 's/^  help  *//p' report.txt
}

# fail SCENARIO [variable=value...]: with what the driver says of the fault.
fail() {
	rm -rf bundles/*
	LD_PRELOAD="$build/lib/libculprit.so $build/lib/libsimkernel.so" CULPRIT_QUIET=1 \
		"$build/bin/corpus" --kernels "$kernels" "$1" >/dev/null || true
}

@test "next step: an exact verdict is explained by what the fault was" {
	fail use_after_free
	[[ $(help_of bundles/*) == "culprit explain use-after-free" ]]
	fail stray_store
	[[ $(help_of bundles/*) == "culprit memory --at fault "bundles/culprit-corpus-* ]]
	fail trap
	[[ $(help_of bundles/*) == "culprit explain 719" ]]
	# Each of these commands works as it is.
	fail stray_store
	command=$(help_of bundles/*)
	PATH=$build/bin:$PATH bash -c "$command" >/dev/null
	"$culprit" explain use-after-free >/dev/null
}

@test "next step: without line information, the build that has it" {
	fail misaligned
	"$culprit" report bundles/* >report.txt
	if grep -q '^  on the device .*\.cu:' report.txt; then skip "the kernels have lines"; fi
	grep -qx '  help            export NVCC_APPEND_FLAGS=-lineinfo' report.txt
	[[ $(tail -n 1 report.txt) == *"then build the program again, and run it"* ]]
}

@test "next step: a graph launch whose node is not known" {
	"$culprit" run --progress off --coredump off -- "$build/bin/tests/robust" bad_replay >/dev/null 2>&1 || true
	"$culprit" report bundles/* >report.txt
	cat report.txt
	[[ $(help_of bundles/*) == "culprit run --graph-markers every -- $build/bin/tests/robust bad_replay" ]]
	rm -rf bundles/*
	"$culprit" run --graph-markers every -- "$build/bin/tests/robust" bad_replay >/dev/null 2>&1 || true
	[[ $(help_of bundles/*) != *graph-markers* ]]
}

# narrowed [variable=value]: one of four streams, without any evidence of their progress.
narrowed() {
	rm -rf bundles/*
	env "$@" "$culprit" run --markers off --progress off -- bash -c \
		'exec -a "it'"'"'s a program" "$0" --kernels "$1" one_of_four_streams' "$build/bin/corpus" "$kernels" >/dev/null 2>&1 || true
}

@test "next step: triage for a verdict that is not exact, with the command as a shell takes it" {
	narrowed CULPRIT_FAULT=off
	step=$(help_of bundles/*)
	cat report.txt
	[[ $step == "culprit triage -- 'it'\\''s a program' --kernels $kernels one_of_four_streams" ]]
	eval "words=(${step#*-- })"
	[[ ${words[0]} == "it's a program" && ${#words[@]} -eq 4 ]]
	# A command cannot be repeated if part of it is left out, or if a launcher made it.
	[[ $("$culprit" report --redact bundles/* | tail -n 1) == "  help            culprit triage -- COMMAND" ]]
	for way in CULPRIT_NO_ARGS=1 RANK=3; do
		narrowed "$way"
		[[ $(help_of bundles/*) == "culprit triage -- COMMAND" ]]
	done
}

@test "next step: a longer ring, if the unfinished work was overwritten" {
	"$culprit" run --records 64 --markers off --progress off -- "$build/bin/corpus" --kernels "$kernels" late_in_stream >/dev/null 2>&1 || true
	step=$(help_of bundles/*)
	cat report.txt
	[[ $step == "culprit run --records 1024 -- "*" late_in_stream" ]]
}

@test "next step: the state of a process that was killed with work unfinished" {
	ROBUST_END=9 "$culprit" run -- "$build/bin/tests/robust" ends_unfinished >/dev/null 2>&1 || true
	[[ $(help_of bundles/*) == "culprit status "bundles/culprit-robust-* ]]
}

@test "next step: JSON has the line, too, and the process's own report" {
	fail trap
	"$culprit" report --format json bundles/* | python3 -S -c '
import json, sys
lines = json.load(sys.stdin)["lines"]
assert (lines[-1]["id"], lines[-1]["label"], lines[-1]["text"]) == ("help", "help", "culprit explain 719"), lines[-1]'
	tail -n 1 bundles/*/verdict.txt | grep -qx '  help            culprit explain 719'
}
