#!/usr/bin/env bats
# scripts/check-floors, on this tree and on trees that break the order.

check=$BATS_TEST_DIRNAME/../../scripts/check-floors

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p shim/base shim/verdict shim/record shim/call shim/entry tools
	echo >shim/base/low.h
	echo >shim/call/high.h
}

@test "no file of this tree includes a higher floor" {
	run "$check"
	echo "$output"
	((status == 0))
}

@test "an include of a lower floor, of the own one, or of the system is in order" {
	printf '#include "low.h"\n#include "high.h"\n#include <call.h>\n' >shim/call/high.c
	run "$check" .
	echo "$output"
	((status == 0))
	[[ -z $output ]]
}

@test "an include of a higher floor is named with its file and line" {
	printf '/* why */\n#include "high.h"\n' >shim/record/middle.c
	run "$check" .
	((status == 1))
	[[ $output == "./shim/record/middle.c:2: record includes high.h of call, a higher floor" ]]
}

@test "tools may include the verdict but not the record" {
	echo >shim/record/live.h
	echo >shim/verdict/view.h
	printf '#include "view.h"\n#include "live.h"\n' >tools/report.c
	run "$check" .
	((status == 1))
	[[ $output == "./tools/report.c:2: tools includes live.h of record, a higher floor" ]]
}

@test "a header of the includer's own folder is meant before a floor's" {
	echo >tools/high.h
	echo '#include "high.h"' >tools/report.c
	run "$check" .
	((status == 0))
}

@test "two floors with a header of one name" {
	echo >shim/record/low.h
	run "$check" .
	((status == 1))
	[[ $output == *"shim/record/low.h:1: base/ has a low.h too"* ]]
}

@test "a folder that is no source tree" {
	run "$check" /dev
	((status == 2))
	[[ $output == "check-floors: /dev has no folder shim" ]]
}
