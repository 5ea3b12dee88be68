# Shared by the bats files about the command line. CULPRIT_BUILD names the build folder.

bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${CULPRIT_BUILD:-$root/build}
culprit=$build/bin/culprit
make_bundle=$build/bin/make-bundle

load programs

setup() {
	cd "$BATS_TEST_TMPDIR"
	# Variables that the caller has set must not affect a test.
	unset "${!CULPRIT_@}" LD_PRELOAD DEBUGINFOD_URLS
	export CULPRIT_REPORT=full
	# A sanitizer that finds something must not end the command as a failure in a report does, with 1.
	export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
	use_programs
}

# complains STATUS TEXT: the last run exited with that status and printed TEXT, in one line.
complains() {
	echo "status $status: $stderr"
	[[ $status -eq $1 && ${#stderr_lines[@]} -eq 1 && ${stderr_lines[0]} == "$2" ]]
}

# says TEXT: one line on standard error is that, as a pattern.
says() {
	local line
	for line in "${stderr_lines[@]}"; do
		# shellcheck disable=SC2053 # a pattern is wanted
		[[ $line == $1 ]] && return
	done
	echo "nobody says '$1' in: $stderr"
	return 1
}

# culprit [-STATUS] ARGUMENT...: runs it. bats must be told of an expected 127.
culprit() {
	local expected=()
	[[ $1 == -127 ]] && expected=(-127) && shift
	run --separate-stderr "${expected[@]}" "$culprit" "$@"
}

# A real failure on the simulated driver, in a program of our own place.
fail_on_simcuda() {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	# An earlier process of ours may still write its bundle, with the memory of the program.
	cp --remove-destination "$build/bin/corpus" program
	LD_LIBRARY_PATH=$simcuda culprit run "$@" -- ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 ]]
}
