# shellcheck shell=bash
# Tests whose programs run in an emulator. scripts/with-qemu sets EMULATOR_SLOWDOWN: programs take about
# so many times as long.

# rounds N: print how many of N rounds a test makes.
rounds() {
	local n=$(($1 / ${EMULATOR_SLOWDOWN:-1}))
	echo $((n > 0 ? n : 1))
}

# some_lines: copy standard input; in an emulator some of its lines.
some_lines() {
	awk -v step="${EMULATOR_SLOWDOWN:-1}" 'NR % step == 1 || step == 1'
}

# not_emulated REASON: skip the test in an emulator, which is the place that the reason is about.
not_emulated() {
	[[ ! ${EMULATOR_SLOWDOWN-} ]] || skip "in an emulator $1"
}
