#!/usr/bin/env bats
# The steps of action.yml, run here as a runner would: what they print and leave, and how they exit.

bats_require_minimum_version 1.5.0
load cli

setup() {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	cd "$BATS_TEST_TMPDIR"
	unset -f culprit # of cli.bash: here it is the one on PATH
	unset "${!CULPRIT_@}" "${!ACTION_@}" "${!GITHUB_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	export PATH=$build/bin:$PATH LD_LIBRARY_PATH=$build/lib/simcuda
	export GITHUB_ACTIONS=true GITHUB_WORKSPACE=$root GITHUB_OUTPUT=$PWD/output \
		GITHUB_STEP_SUMMARY=$PWD/summary.md GITHUB_PATH=$PWD/path
	demo="'$build/bin/demo' '$build/lib/simcuda-kernels/training.so'"
}

@test "a GPU failure is annotated at its line, and passed to the later steps" {
	export ACTION_RUN="echo before; $demo"
	run -1 "$root/scripts/github-action" run
	[[ $output == *before* ]]
	grep -q '^::error file=[./]*examples/demo.c,line=100,.*::error\[700\]: .*: scatter_add .*%0A.*launch #77, scatter_add' <<<"$output"
	grep -q 'launched from   demo.c:100 update_rows' summary.md
	[[ $(<output) == failed=true ]]
	[[ -d $(echo culprit-bundles/culprit-demo-*) ]]
}

@test "a command that hides the failure does not exit with success" {
	export ACTION_RUN="$demo || true" ACTION_DIRECTORY="my bundles" ACTION_OPTIONS="--markers 'inline'"
	run -1 "$root/scripts/github-action" run
	[[ $(<output) == failed=true ]]
	grep -qF '"CULPRIT_MARKERS": "inline"' "my bundles"/culprit-demo-*/meta.json
}

@test "a hang is annotated at its line, and its bundle is kept" {
	export ACTION_RUN="ROBUST_HANG=kernel timeout -s KILL 9 '$build/bin/tests/robust' hangs" \
		ACTION_OPTIONS="--hang 1 --on-hang abort"
	run -124 "$root/scripts/github-action" run
	grep -q '^::error file=[./]*tests/robust/host.c,line=[0-9]*,title=GPU_HANG::error\[hang\]: no progress: spin .*launch #233, spin' <<<"$output"
	grep -q '^culprit: hung — exact: launch #233, spin' summary.md
	[[ $(<output) == failed=true ]]
}

@test "without a GPU failure the step is the command's own" {
	ACTION_RUN='echo fine' run -0 "$root/scripts/github-action" run
	[[ $output == fine && $(<output) == failed=false ]]
	ACTION_RUN='false | true' run -1 "$root/scripts/github-action" run
	ACTION_RUN='exit 7' run -7 "$root/scripts/github-action" run
	[[ ! -s summary.md ]]
}

@test "an earlier step's bundles are ignored" {
	ACTION_RUN=$demo run -1 "$root/scripts/github-action" run
	[[ $(<output) == failed=true ]]
	rm output
	ACTION_RUN=true run -0 "$root/scripts/github-action" run
	[[ $(<output) == failed=false ]]
	rm output
	ACTION_RUN="$demo || true" run -1 "$root/scripts/github-action" run
	[[ $(<output) == failed=true ]]
}

@test "what is on PATH is not built again" {
	run -0 "$root/scripts/github-action" install
	[[ $output == "$build/bin/culprit" && ! -e path ]]
	run -2 "$root/scripts/github-action"
}

@test "another project's culprit on PATH does not stop the build" {
	mkdir -p other tree/scripts
	printf '#!/bin/sh\necho culprit 9.9\n' >other/culprit
	cp "$root/scripts/github-action" tree/scripts
	printf '#!/bin/sh\necho "${0##*/}"\n' | tee tree/scripts/setup >tree/scripts/build
	chmod +x other/culprit tree/scripts/*
	PATH=$PWD/other:$PATH run -0 tree/scripts/github-action install
	[[ $output == $'setup\nbuild' && $(<path) == "$PWD/tree/build/bin" ]]
}

@test "GitHub accepts action.yml and the workflow" {
	command -v check-jsonschema >/dev/null || skip "check-jsonschema is not here"
	check-jsonschema --builtin-schema vendor.github-actions "$root/action.yml"
	check-jsonschema --builtin-schema vendor.github-workflows "$root"/.github/workflows/*.yml
}

@test "a linter of workflows has nothing to say of them" {
	command -v zizmor >/dev/null || skip "zizmor is not here"
	cd "$root"
	zizmor --offline --no-progress --config .github/zizmor.yml .github/workflows action.yml
}
