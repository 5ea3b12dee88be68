#!/usr/bin/env bats
# Where the code of kernels may be on the GPU: words of the driver's own objects, as simcuda has them.

load corpus.bash

setup() {
	culprit=$build/bin/culprit
	[[ $driver == simcuda ]] || skip "words of an undocumented driver"
}

# Run the corpus; the rows of the table are in $output.
rows_of() {
	run timeout -k 5 300 "$culprit" run --dir "$BATS_TEST_TMPDIR/bundles" -- \
		"$build/bin/corpus" "$1"
	run "$culprit" dump --file code-addresses "$BATS_TEST_TMPDIR"/bundles/culprit-*
}

@test "words that may be the address of code are recorded for each kernel" {
	rows_of misaligned
	[[ $(grep -c ' offset=0x68 address=0x[0-9a-f]*[08]0$' <<<"$output") -eq 2 ]]
	[[ $output != *" offset=0x10 "* && $output != *" offset=0x8 "* ]]
}

@test "words at other offsets are recorded, too" {
	SIMCUDA_CODE=other rows_of misaligned
	[[ $output == *" offset=0x118 "* && $output != *" offset=0x68 "* ]]
}

@test "without such a word there is no row for it" {
	SIMCUDA_CODE=none rows_of misaligned
	[[ $output != *" offset=0x68 "* ]]
}
