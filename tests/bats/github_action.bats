#!/usr/bin/env bats
# The steps of action.yml, run here as a runner would: what they print and leave, and how they exit.

bats_require_minimum_version 1.5.0
load cli

setup() {
	[[ -e $build/lib/simcuda/libcuda.so.1 && -x $build/bin/demo ]] || skip "no simcuda in this build"
	python3 -c 'import yaml' 2>/dev/null || skip "Python has no yaml"
	cd "$BATS_TEST_TMPDIR"
	unset -f culprit # of cli.bash: here it is the one on PATH
	unset "${!CULPRIT_@}" "${!ACTION_@}" "${!GITHUB_@}" LD_PRELOAD DEBUGINFOD_URLS
	export PATH=$build/bin:$PATH LD_LIBRARY_PATH=$build/lib/simcuda
	export CULPRIT_REPORT=full GITHUB_ACTIONS=true GITHUB_WORKSPACE=$root GITHUB_JOB=test \
		GITHUB_STEP_SUMMARY=$PWD/summary.md RUNNER_TEMP=$PWD/temporary
	mkdir temporary
	demo="'$build/bin/demo' '$build/lib/simcuda-kernels/training.so'"
}

# action STATUS INPUT=VALUE...: runs the action's steps, whose outputs become variables.
action() {
	local expected=$1 name value
	shift
	unset failed headline report bundles artifact
	run "-$expected" python3 "$root/tests/bats/action_runner.py" "$root/action.yml" "$@"
	echo "$output"
	cat outputs
	while IFS='=' read -r name value; do
		printf -v "$name" %s "$value"
	done <outputs
}

@test "a fault: annotated at its line, with outputs; the artifact has no secret" {
	TEST_INDEX=3 action 1 run="echo before; '$build/bin/corpus' --truth token-hush \
		--kernels '$build/lib/simcuda-kernels' stray_store"
	[[ $output == *before* ]]
	grep -q '^::error file=[./]*tests/corpus/faults.c,line=30,.*::error\[700\]: .*: stray_store .*%0A.*launch #12, stray_store' <<<"$output"
	[[ $failed == true && $headline == "error[700]: illegal memory access: stray_store "*exact* ]]
	[[ $artifact == culprit-test-3-* && -d $bundles ]]
	grep -q '^- at .*faults.c`, line 30' "$report"
	[[ $(ls "artifacts/$artifact") == culprit-corpus-*.tar.gz$'\n'report.md ]]
	# Neither the log, the step's page, the bundle nor the artifact has the argument.
	grep -q 'launched from   faults.c:30 stray_store' summary.md
	tar -xzf "artifacts/$artifact"/*.tar.gz -C artifacts
	rm token-hush
	[[ $output != *hush* ]]
	run -1 grep -r hush .
}

@test "a healthy step, also after a failed one in the same job, which has its own artifact" {
	action 1 run="$demo || true" options="--markers 'inline'"
	[[ $failed == true && -s $report && -d artifacts/$artifact ]]
	grep -qF '"CULPRIT_MARKERS": "inline"' "$bundles"/culprit-demo-*/meta.json
	rm -r summary.md artifacts
	action 0 run='echo fine' options='--keep always'
	[[ $output != *::error* && $failed == false && -z $headline$report$artifact && ! -e summary.md ]]
	action 1 run='false | true'
	action 7 run='exit 7'
	[[ $failed == false && ! -e artifacts ]]
}

@test "a hang: annotated at its line, and packed" {
	action 124 run="ROBUST_HANG=kernel timeout -s KILL 300 '$build/bin/tests/robust' hangs" hang=1
	grep -q '^::error file=[./]*tests/robust/host.c,line=[0-9]*,title=GPU_HANG::error\[hang\]: no progress: spin .*launch #233, spin' <<<"$output"
	grep -q '^culprit: hung — exact: launch #233, spin' summary.md
	[[ $failed == true && $headline == "error[hang]: no progress: spin "* && -e $report ]]
	compgen -G "artifacts/$artifact/culprit-robust-*.tar.gz"
}

@test "a command that dies of a refused call: out of memory, a wrong launch" {
	action 3 run="'$build/bin/tests/memory_host' recover memory:exit"
	grep -q '^::error .*::error\[2\]: out of memory: cuMemAlloc_v2 of 1.0 PiB' <<<"$output"
	[[ $failed == true && $headline == "error[2]: out of memory: cuMemAlloc_v2 of 1.0 PiB"* ]]
	action 3 run="'$build/bin/tests/memory_host' recover launch:exit"
	[[ $failed == true && $headline == "error[1]: "*fill* && -d artifacts/$artifact ]]
	action 0 run="'$build/bin/tests/memory_host' recover launch"
	[[ $failed == false ]]
}

@test "options are words: quotes group them, and nothing is expanded" {
	# shellcheck disable=SC2016 # not here, either
	action 125 run=true options='"--markers" "$(touch made) `touch made`"; touch made'
	[[ $output == *'$(touch made)'* && ! -e made ]]
	run ! env ACTION_RUN=true ACTION_OPTIONS="'open" GITHUB_OUTPUT=o "$root/scripts/github-action" run
}

@test "what is on PATH is not built again" {
	export GITHUB_PATH=$PWD/path
	run -0 "$root/scripts/github-action" install
	[[ $output == "$build/bin/culprit" && ! -e path ]]
	run -2 "$root/scripts/github-action"
}

# A Python whose environments have a culprit, and a pip that prints what it would install.
write_python() {
	mkdir other
	cat >other/python3 <<-'END'
		#!/bin/sh
		mkdir -p "$3/bin"
		printf '#!/bin/sh\nfor last; do :; done\necho "pip $last"\nexit $PIP_STATUS\n' >"$3/bin/pip"
		touch "$3/bin/python3" "$3/bin/culprit"
		chmod +x "$3/bin/pip"
	END
	printf '#!/bin/sh\necho culprit 9.9\n' >other/culprit
	chmod +x other/*
	export PATH=$PWD/other:$PATH GITHUB_PATH=$PWD/path
}

@test "the wheel that is given is installed, and no other Python gets on PATH" {
	write_python
	export ACTION_WHEEL=some.whl
	PIP_STATUS=0 run -0 "$root/scripts/github-action" install
	[[ $output == "pip some.whl" && $(ls "$(<path)") == culprit ]]
	PIP_STATUS=1 run -1 "$root/scripts/github-action" install
}

@test "without a culprit of ours, the release's wheel comes first, then the build" {
	local url=https://github.com/o/culprit/releases/download/v1.2.3/culprit_cuda-1.2.3-py3-none-manylinux_2_28_x86_64.whl
	write_python
	mkdir -p tree/scripts
	cp "$root/scripts/github-action" tree/scripts
	echo 'project(culprit VERSION 1.2.3 LANGUAGES C)' >tree/CMakeLists.txt
	# shellcheck disable=SC2016 # for the scripts
	printf '#!/bin/sh\necho "${0##*/}"\n' | tee tree/scripts/setup >tree/scripts/build
	chmod +x tree/scripts/*
	export ACTION_REPOSITORY=o/culprit
	PIP_STATUS=0 ACTION_REF=v1 run -0 tree/scripts/github-action install
	[[ $output == "pip $url" ]]
	rm path
	PIP_STATUS=1 ACTION_REF=v1 run -0 tree/scripts/github-action install
	[[ ${lines[0]} == "pip $url" && $output == *$'\nsetup\nbuild' && $(<path) == "$PWD/tree/build/bin" ]]
	ACTION_REF=main run -0 tree/scripts/github-action install
	[[ $output == *$'\nsetup\nbuild' && $output != *pip* ]]
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
