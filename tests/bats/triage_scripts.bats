#!/usr/bin/env bats
# scripts/triage: bundles by mistake, the first bad commit, a job that fails now and then, a folder
# that is watched. On simcuda.

bats_require_minimum_version 1.5.0
load cli

scripts=$root/scripts/triage

setup() {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export CULPRIT=$culprit LD_LIBRARY_PATH=$build/lib/simcuda
	demo=("$build/bin/demo" "$build/lib/simcuda-kernels/training.so")
	trap=("$build/bin/corpus" --kernels "$build/lib/simcuda-kernels" trap)
}

# leaves COMMAND...: its bundle in jobs/.
leaves() {
	"$culprit" run --quiet --dir jobs -- "$@" >/dev/null || true
}

@test "bundles are counted by mistake, the most frequent first" {
	leaves "${trap[@]}"
	leaves "${demo[@]}"
	leaves "${demo[@]}"
	run -0 --separate-stderr "$scripts/culprit-group-bundles" jobs
	[[ ${#lines[@]} -eq 2 ]]
	[[ ${lines[0]} =~ ^\ +2\ +[0-9a-f]{16}\ \ 700\ scatter_add\ at\ demo.c:100\ update_rows\ .*jobs/culprit-demo-[0-9]+$ ]]
	[[ ${lines[1]} =~ ^\ +1\ +[0-9a-f]{16}\ \ 719\ trap\ at ]]
}

@test "no failure, and no folder" {
	"$culprit" run --quiet --keep always --dir jobs -- "${trap[@]/%trap/add}" >/dev/null 2>&1 || true
	run -3 "$scripts/culprit-group-bundles" nowhere
	[[ $output == *"culprit list: nowhere: No such file or directory"* ]]
}

@test "git bisect finds the commit that brought the failure" {
	command -v git >/dev/null || skip "git is not here"
	export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
	git init -q project
	cd project
	git config user.email tests@example.com
	git config user.name tests
	for commit in {1..9}; do
		echo "$commit" >number
		case $commit in
		4) echo 'exit 1' >build.sh ;;
		*) echo 'true' >build.sh ;;
		esac
		if ((commit < 6)); then echo 'true'; else printf '"%s" ' "${demo[@]}"; fi >job.sh
		git add -A
		git commit -qm "commit $commit"
	done
	git bisect start HEAD HEAD~8 >/dev/null
	git bisect run "$scripts/culprit-bisect-failure" -b 'bash build.sh' bash job.sh >../log 2>&1 || { cat ../log; false; }
	[[ $(git log -1 --format=%s refs/bisect/bad) == "commit 6" ]]
	[[ -z $(git status --porcelain) ]]
}

@test "bisecting for one mistake: another one cannot be judged" {
	leaves "${demo[@]}"
	id=$("$culprit" list --format tsv jobs | tail -n 1 | cut -f 7)
	run -1 "$scripts/culprit-bisect-failure" -f "$id" "${demo[@]}"
	run -125 "$scripts/culprit-bisect-failure" -f 0123456789abcdef "${demo[@]}"
	run -0 "$scripts/culprit-bisect-failure" -f "$id" true
	run -125 "$scripts/culprit-bisect-failure" ./nowhere
	run -128 "$scripts/culprit-bisect-failure"
	# One that fails the third time only.
	cat >now-and-then <<-END
		#!/bin/bash
		echo >>been
		((\$(wc -l <been) % 3)) || exec ${demo[@]}
	END
	chmod +x now-and-then
	run -0 "$scripts/culprit-bisect-failure" -n 2 ./now-and-then
	run -1 "$scripts/culprit-bisect-failure" -n 3 ./now-and-then
}

@test "a job that fails now and then is tried until a verdict is exact" {
	cat >now-and-then <<-END
		#!/bin/bash
		echo >>been
		((\$(wc -l <been) >= 3)) || exit 0
		exec ${demo[@]}
	END
	chmod +x now-and-then
	run -0 --separate-stderr "$scripts/culprit-retry-until-exact" -n 5 -d found ./now-and-then
	[[ $output == *"exact: launch #77, scatter_add"* ]]
	[[ $stderr == *"culprit-retry-until-exact: 3 runs"* ]]
	CULPRIT_MARKERS=off CULPRIT_PROGRESS=off run -8 --separate-stderr \
		"$scripts/culprit-retry-until-exact" -n 2 -d unsure "${demo[@]}"
	[[ $output == *"narrowed: "* && $stderr == *"2 runs"* ]]
	run -1 "$scripts/culprit-retry-until-exact" -n 2 true
	run -127 "$scripts/culprit-retry-until-exact" ./nowhere
	run -2 "$scripts/culprit-retry-until-exact" -n 2
	[[ -z $(ls -d bundles-* 2>/dev/null) ]]
}

@test "a folder is watched: each mistake is reported once, again if reporting failed" {
	mkdir jobs
	run -0 "$scripts/culprit-watch-bundles" -1 jobs
	[[ -z $output ]]
	leaves "${demo[@]}"
	leaves "${demo[@]}"
	leaves "${trap[@]}"
	run -1 "$scripts/culprit-watch-bundles" -1 jobs sh -c 'cat >/dev/null; exit 1'
	run -0 "$scripts/culprit-watch-bundles" -1 jobs
	[[ $(grep -c '^new GPU failure [0-9a-f]* in jobs$' <<<"$output") == 2 ]]
	[[ $(grep -c '^culprit: CUDA_ERROR' <<<"$output") == 2 ]]
	run -0 "$scripts/culprit-watch-bundles" -1 jobs
	[[ -z $output ]]
	run -2 "$scripts/culprit-watch-bundles" -1 nowhere
}

@test "triage-rate: how soon a fault is exact, held against the truth" {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	export OUT=$BATS_TEST_TMPDIR
	run --separate-stderr "$root/scripts/triage-rate" --build-dir "$build" --runs 1 --only '^corpus first_launch$'
	[[ $status -eq 0 && ${lines[1]} == $'corpus\tfirst_launch\t1\t1: as it is\t-\t'*$'\tok' ]]
	[[ ${lines[2]} == "exact: 1 of 1 (100 %), with a line on the device: 0 of 1 (0 %), wrong,"* ]]
	grep -q '^| corpus | first_launch | 1 | 1: as it is | - | [0-9]* | ok |$' "$OUT/TRIAGE.md"
	grep -q '— exact: launch #2, stray_store' "$OUT/triage-details.txt"
	run --separate-stderr "$root/scripts/triage-rate" --build-dir "$build" --only '^corpus ok$'
	[[ $status -eq 2 && $stderr == *"no such fault"* ]]
}

# Install a stand-in for culprit: each run of the program leaves a bundle, whose report blames
# `line`.
stand_in_culprit() {
	fake=$BATS_TEST_TMPDIR/build
	mkdir -p "$fake/bin"
	cat >"$fake/bin/culprit" <<-SH
		#!/bin/sh
		if [ "\$1" = report ]; then
			echo '{"verdict": "exact", "error": {"code": 700}, "lines": [{"id": "on_the_device", "places":
				[{"language": "device", "line": 3}]}], "suspects": [{"name": "stray_store",
				"stack": [{"file": "runtime.cu", "line": $1}]}]}' | tr -d '\n'
			exit
		fi
		echo '   1  as it is    exact: launch #1' >"\$5"
		mkdir -p triage-1/run-1/culprit-1
		shift 6
		$2 "\$@"
	SH
	cat >"$fake/bin/corpus-cudart-static" <<-'SH'
		#!/bin/sh
		echo '{"file": "runtime.cu", "line": 105, "function": "run_stray_store"}' >"$2"
		exec sleep 300
	SH
	chmod +x "$fake/bin"/*
}

rate() {
	OUT=$BATS_TEST_TMPDIR run --separate-stderr timeout 200 "$root/scripts/triage-rate" --driver gpu \
		--build-dir "$fake" --only '^corpus-cudart-static stray_store$' "$@"
	echo "$output" "$stderr"
}

@test "triage-rate on a GPU: clients too, and a program that hangs is killed" {
	stand_in_culprit 105
	rate --program-limit 1
	[[ $status -eq 0 && ${lines[1]} == *$'\tstray_store\t1\t1: as it is\tline\t'*$'\tok' ]]
	[[ ${lines[2]} == *"with a line on the device: 1 of 1 (100 %), wrong, ended or without a failure: 0,"* ]]
	stand_in_culprit 106
	rate --program-limit 1
	[[ $status -eq 1 && ${lines[1]} == *WRONG ]]
}

@test "triage-rate on a GPU: a fault that takes too long is stopped, and nothing starts too late" {
	stand_in_culprit 105 'sleep 300;'
	rm "$fake/bin/corpus-cudart-static"
	rate --limit 1
	[[ $status -eq 1 && ${lines[1]} == *WRONG ]] # no truth: it never ran
	stand_in_culprit 105 '"$@"; sleep 300;'
	rate --program-limit 1 --limit 3
	[[ $status -eq 1 && ${lines[1]} == *ENDED ]]
	rate --budget 0
	[[ $status -eq 0 && ${lines[1]} == *"NOT RUN" && ${lines[2]} == *"not run: 1" ]]
}
