#!/usr/bin/env bats
# The wheel in a clean virtual environment: the command runs, and pytest finds the plugin. The wheel
# is made of the files of this build folder (scripts/wheel --native); the one for release is built
# by hand.

bats_require_minimum_version 1.5.0
load cli

setup_file() {
	local status=0
	"$BATS_TEST_DIRNAME/../../scripts/wheel" --native >"$BATS_FILE_TMPDIR/log" 2>&1 || status=$?
	if ((status == 77)); then
		tail -n 1 "$BATS_FILE_TMPDIR/log" >"$BATS_FILE_TMPDIR/lacks"
		return
	fi
	cat "$BATS_FILE_TMPDIR/log"
	((status == 0))
	python3 -m venv "$BATS_FILE_TMPDIR/clean"
	"$BATS_FILE_TMPDIR/clean/bin/pip" --disable-pip-version-check install -q --no-index \
		"$(tail -n 1 "$BATS_FILE_TMPDIR/log")"
}

setup() {
	[[ ! -e $BATS_FILE_TMPDIR/lacks ]] || skip "$(cat "$BATS_FILE_TMPDIR/lacks")"
	cd "$BATS_TEST_TMPDIR"
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS PYTHONPATH
	unset -f culprit # of cli.bash: here it is the installed one
	export PATH=$BATS_FILE_TMPDIR/clean/bin:/usr/bin:/bin LD_LIBRARY_PATH=$build/lib/simcuda
}

@test "the installed command names the launch" {
	run -1 culprit run -- "$build/bin/demo" "$build/lib/simcuda-kernels/training.so"
	[[ $output == *"exact: launch #77, scatter_add"* ]]
	[[ $(grep -c 'cannot be preloaded' <<<"$output") == 0 ]]
	run -0 culprit report culprit-demo-*
	[[ $output == *"launched from"*"demo.c:"* ]]
}

@test "its exit status, output and errors are the command's own" {
	run -7 --separate-stderr culprit run -- sh -c 'echo out; echo err >&2; exit 7'
	[[ $output == out && $stderr == err ]]
	run -2 culprit no-such-command
}

@test "pytest finds the plugin, and python -m culprit_cuda is the command" {
	python -c 'import importlib.metadata as m
(point,) = [p for p in m.entry_points(group="pytest11") if p.name == "culprit"]
assert point.value == "culprit_cuda.pytest_plugin"'
	run -0 python -m culprit_cuda --version
	[[ $output == culprit\ * ]]
}

@test "doctor accepts the script of the wheel, and names another project's culprit beside it" {
	run culprit doctor
	[[ $output == *"ok    command     $BATS_FILE_TMPDIR/clean/bin/culprit"$'\n'* ]]
	[[ $output != *"another project"* ]]
	# pip lets another distribution replace the command without a word.
	mkdir -p bin site/culprit-9.9.dist-info
	printf 'Metadata-Version: 2.1\nName: culprit\nVersion: 9.9\n' >site/culprit-9.9.dist-info/METADATA
	printf '#!/bin/sh\necho another\n' >bin/culprit
	chmod +x bin/culprit
	export PATH=$PWD/bin:$PATH PYTHONPATH=$PWD/site
	[[ $(culprit) == another ]]
	run python -m culprit_cuda doctor
	[[ $output == *"warn  command     \`culprit\` is another program here, $PWD/bin/culprit; this one is $BATS_FILE_TMPDIR/clean/lib/"* ]]
	[[ $output == *"warn  command     the Python distribution culprit 9.9 of another project is in $PWD/site"* ]]
	# The plugin needs pytest; how to start it does not.
	[[ $(python -c 'from culprit_cuda import files; print(files.has_namesake())') == True ]]
}

@test "the package without its programs says so" {
	run -1 env PYTHONPATH="$root/python" python3 -m culprit_cuda --version
	[[ $output == "culprit: this package has no bin/culprit: install the wheel, not the sources" ]]
}
