#!/usr/bin/env bats
# scripts/check-sizes, on trees with something too long. On this tree scripts/test runs it.

check=$BATS_TEST_DIRNAME/../../scripts/check-sizes

setup() {
	command -v ctags >/dev/null || skip "no ctags"
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p shim build
}

# function_of LINES: a C function of that many lines.
function_of() {
	printf 'int f(void)\n{\n'
	for ((line = 3; line < $1; line++)); do
		echo '	;'
	done
	echo '}'
}

@test "a function of 60 lines and a file of 400 are in order" {
	function_of 60 >shim/function.c
	yes '' | head -400 >shim/file.h
	run "$check" .
	((status == 0))
	[[ -z $output ]]
}

@test "a function of 61 lines is named with its place" {
	{
		echo
		function_of 61
	} >shim/function.c
	run "$check" .
	((status == 1))
	[[ $output == "shim/function.c:2: f has 61 lines, more than 60" ]]
}

@test "a file of 401 lines is named" {
	yes '' | head -401 >shim/file.h
	run "$check" .
	((status == 1))
	[[ $output == "shim/file.h:1: 401 lines, more than 400" ]]
}

@test "tables and build folders may be long" {
	yes '' | head -500 | tee shim/table.def >build/made.c
	run "$check" .
	((status == 0))
}
