#!/usr/bin/env bats
# Python programs on simcuda, under every CPython of this machine: the verdict names the line of
# Python that launched the culprit, and the program runs as without us.

load cli

host=$root/tests/python/host.py
kernels=$build/lib/simcuda-kernels

setup() {
	cd "$BATS_TEST_TMPDIR"
	mapfile -t pythons < <("$root/tests/python/interpreters" "$(processor)" | cut -d' ' -f2)
	((${#pythons[@]})) || skip "no Python for this build: CULPRIT_PYTHONS can name one"
	unset "${!CULPRIT_@}" "${!SIMCUDA_@}" LD_PRELOAD
	export CULPRIT_REPORT=full
	export LD_LIBRARY_PATH=$build/lib/simcuda CULPRIT_DIR=$BATS_TEST_TMPDIR/bundles
	mkdir bundles
}

# line MARK: the number of the line of the host that ends with "# MARK".
line() {
	grep -n "# $1\$" "$host" | cut -d: -f1
}

# under PYTHON ARGUMENT...: the host under culprit: leaves $status, under.out and under.err.
under() {
	rm -rf bundles/*
	status=0
	timeout -k 1 300 "$culprit" run --markers inline -- "$1" "$host" "$kernels" "${@:2}" \
		>under.out 2>under.err || status=$?
	echo "$1: status $status"
	cat under.out under.err
}

# meta KEY: what the bundle says about it, "python" for one.
meta() {
	python3 -S -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" bundles/*/meta.json
}

@test "the lines of Python that launched the culprit, made its allocation and saw the failure" {
	for python in "${pythons[@]}"; do
		under "$python"
		((status == 1))
		[[ $(meta python) == "CPython $("$python" -c 'import platform; print(platform.python_version())')"* ]]
		grep -Eq "^culprit: .* exact: launch #19, stray_store at .*host.py:" under.err
		grep -Eq "^  launched from .*host.py:$(line launch) .*launch .*host.py:$(line culprit) .*<lambda> .*host.py:$(line culprit) .*train .*main .*<module>\$" under.err
		grep -Eq "allocation #1 \+ 0 .*host.py:" under.err
		grep -Eq "^  seen by .*cuCtxSynchronize from .*host.py:" under.err
	done
}

@test "the same from a program of many threads, and after a fork whose child drops code" {
	for python in "${pythons[@]}"; do
		for what in in_threads in_child; do
			under "$python" "$what"
			((status == 1))
			grep -Eq "^  launched from .*host.py:$(line culprit) .*train " under.err
		done
	done
}

@test "interpreters that exit while threads launch, and launch from destructors themselves" {
	export CULPRIT_KEEP=always CULPRIT_RECORDS=256
	for python in "${pythons[@]}"; do
		for _ in 1 2 3; do
			under "$python" at_exit "$build/lib/libpython_launcher.so"
			((status == 0))
			[[ ! -s under.err ]]
			"$culprit" dump bundles/* >dump.txt
		done
	done
}

@test "CULPRIT_PYTHON=off: native frames only" {
	CULPRIT_PYTHON=off under "${pythons[0]}"
	[[ $(meta python) == off ]]
	run ! grep host.py: <(grep '^  launched from' under.err)
}

# Print the shared library of an interpreter and its prefix; nothing if it has none.
shared_library() {
	"$1" -c 'import os, sys, sysconfig as s
path = os.path.join(s.get_config_var("LIBDIR"), s.get_config_var("INSTSONAME") or "")
os.path.isfile(path) and path.endswith(".so.1.0") and print(path, sys.prefix)'
}

@test "Python that a program loads late and for itself, ends, and starts again" {
	local found=
	export CULPRIT_KEEP=always
	for python in "${pythons[@]}"; do
		read -r library prefix < <(shared_library "$python") || continue
		found=1
		rm -rf bundles/*
		PYTHONHOME=$prefix LD_PRELOAD=$build/lib/libculprit.so \
			"$build/bin/tests/python_embed" "$library"
		[[ $(meta python) == "CPython $("$python" -c 'import platform; print(platform.python_version())')" ]]
		# It had left this directory by then.
		[[ $(meta directory) == "$(pwd -P)" ]]
		"$culprit" dump bundles/* >dump.txt
		grep -q '^python-code .*name="first_time"' dump.txt
		grep -q '^python-code .*name="second_time"' dump.txt
		# Once each: the submissions from no Python code have native frames only.
		(($(grep -c '^stack .* python=' dump.txt) == 2))
	done
	[[ $found ]] || skip "no interpreter here has a shared library"
}

@test "200,000 short-lived code objects: the line is named, and memory stays flat" {
	python=${pythons[0]}
	status=0
	timeout -k 1 300 "$culprit" run -- "$python" "$root/tests/python/codes.py" "$kernels" \
		>under.out 2>under.err || status=$?
	cat under.out under.err
	((status == 1))
	[[ ! -s under.out ]]
	grep -Eq "^culprit: .* exact: launch #100001, stray_store at .*codes.py:" under.err
	grep -Eq "^  launched from .*codes.py:[0-9]+ Program.launch .*<made last>:1 <module> .*codes.py:[0-9]+ Program.fail " under.err
	(($(grep -c "no room" under.err) == 0))
	# Rows of the dead are used again, and an old stack shows its own names or none.
	"$culprit" dump -F python-codes bundles/* >codes.txt
	(($(grep -c '^python-code ' codes.txt) < 20000))
	grep -q 'made 99999' codes.txt
}

# Older ones do not load ctypes there, or hang by themselves: tests/python/subinterpreter.py.
@test "interpreters beside the main one, with a global lock of their own or one for all" {
	local tried=0 plain
	for python in "${pythons[@]}"; do
		"$python" -c 'import sys; sys.exit(sys.version_info < (3, 13))' || continue
		for lock in own shared; do
			plain=0
			"$python" "$root/tests/python/interpreters_host.py" "$kernels" $lock \
				>plain.out 2>plain.err || plain=$?
			((plain != 77)) || continue
			rm -rf bundles/*
			status=0
			timeout -k 1 300 "$culprit" run -- "$python" "$root/tests/python/interpreters_host.py" \
				"$kernels" $lock >under.out 2>under.err || status=$?
			echo "$python $lock: status $status"
			cat under.err
			((status == plain))
			diff plain.out under.out
			grep -q '^culprit: .* stray_store at ' under.err
			grep -Eq '^  launched from .*host.py:[0-9]+ Trainer.launch .*work .*<module>$' under.err
			tried=$((tried + 1))
		done
	done
	((tried > 0)) || skip "no Python from 3.13 on"
}
