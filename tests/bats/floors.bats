#!/usr/bin/env bats
# scripts/check-floors, on trees that break the order. On this tree scripts/test runs it.

check=$BATS_TEST_DIRNAME/../../scripts/check-floors

setup() {
	command -v ctags >/dev/null || skip "no ctags"
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p core/{base,view,coredump,report} shim/{record/host,failure,entry} tools
	mkdir -p tests/{bench,unit/{base,support}}
	echo >core/base/low.h
	echo >shim/entry/high.h
	printf 'int entry_count(void);\n' >shim/entry/entry.h
	printf 'int entry_count(void)\n{\n\treturn 1;\n}\n' >shim/entry/entry.c
}

# in_order [COUNT]: nothing but the line of counts.
in_order() {
	run "$check" .
	echo "$output"
	((status == 0))
	[[ ${#lines[@]} == 1 && $output == "0 circles, 0 includes that climb, "* ]]
}

# finds WHAT: one fault, and the status says so.
finds() {
	run "$check" .
	echo "$output"
	((status == 1))
	[[ ${lines[0]} == "$1" ]]
}

@test "an include of a lower floor, of the own one, or of the system is in order" {
	printf '#include "base/low.h"\n#include "entry/high.h"\n#include <call.h>\n' >shim/entry/high.c
	in_order
}

@test "an include of a higher floor is named with its file and line" {
	printf '/* why */\n#include "entry/high.h"\n' >shim/failure/middle.c
	finds "shim/failure/middle.c:2: shim/failure may not use entry/high.h of shim/entry"
}

@test "an include of a room beside the own one" {
	printf '#include "support/check.h"\n' >tests/unit/base/test_low.c
	echo >tests/unit/support/check.h
	in_order
	mkdir tests/unit/view
	below=tests/unit/base
	printf '#include "../base/test_low.h"\n' >tests/unit/view/test_view.c
	echo >tests/unit/base/test_low.h
	finds "tests/unit/view/test_view.c:1: tests/unit/view may not use ../base/test_low.h of $below"
}

@test "tests of one folder may not use another folder's" {
	mkdir tests/robust
	echo >tests/robust/host.h
	printf '#include "../robust/host.h"\n' >tests/bench/cost.c
	finds "tests/bench/cost.c:1: tests/bench may not use ../robust/host.h of tests/robust"
}

@test "a call of a higher floor without its header" {
	printf 'int entry_count(void);\nint twice(void)\n{\n\treturn entry_count();\n}\n' \
		>shim/failure/middle.c
	finds "shim/failure/middle.c:1: shim/failure may not use entry_count of shim/entry"
}

@test "a circle by includes" {
	printf '#include "entry/b.h"\n' >shim/entry/a.h
	printf '\n#include "entry/a.h"\n' >shim/entry/b.h
	finds "shim/entry/a.h:1: circle: needs shim/entry/b for entry/b.h"
	[[ ${lines[1]} == "shim/entry/b.h:2: circle: needs shim/entry/a for entry/a.h" ]]
	[[ ${lines[2]} == "1 circles, 0 includes that climb, largest folder shim/entry 1 files" ]]
}

@test "a circle by a name that the other file defines" {
	printf 'int entry_begin(void);\nint entry_end(void);\n' >shim/entry/entry.h
	printf '#include "entry/entry.h"\n\nint entry_begin(void)\n{\n\treturn entry_end();\n}\n' \
		>shim/entry/entry.c
	printf '#include "entry/entry.h"\n\nint entry_end(void)\n{\n\treturn 1;\n}\n' >shim/entry/end.c
	finds "shim/entry/end.c:1: circle: needs shim/entry/entry for entry/entry.h"
	[[ ${lines[1]} == "shim/entry/entry.c:5: circle: needs shim/entry/end for entry_end" ]]
}

@test "a circle by a name in an inline function of a header" {
	printf 'int entry_end(void);\nstatic inline int entry_begin(void)\n{\n\treturn entry_end();\n}\n' \
		>shim/entry/begin.h
	printf '#include "entry/begin.h"\n\nint entry_end(void)\n{\n\treturn entry_begin();\n}\n' \
		>shim/entry/end.c
	finds "shim/entry/begin.h:4: circle: needs shim/entry/end for entry_end"
	[[ ${lines[1]} == "shim/entry/end.c:1: circle: needs shim/entry/begin for entry/begin.h" ]]
}

@test "a declaration in a header needs no other file" {
	printf 'int entry_end(void);\n' >shim/entry/begin.h
	printf '#include "entry/begin.h"\n\nint entry_end(void)\n{\n\treturn 1;\n}\n' >shim/entry/end.c
	in_order
}

@test "names in comments and literals, and of members, are ignored" {
	cat >shim/entry/entry.c <<'END'
#include "entry/entry.h"
/* end() */
const char *entry_begin(void)
{
	return "end()";
}
END
	printf 'const char *entry_begin(void);\nint end(void);\n' >shim/entry/entry.h
	printf '#include "entry/entry.h"\n\nint end(void)\n{\n\treturn 1;\n}\n' >shim/entry/end.c
	in_order
}

@test "a function that is named after nothing near it" {
	printf 'struct visit {\n\tint n;\n};\nint entry_count(void);\nint visits_end(struct visit *visit);\nint calls_to_entry(void);\n' \
		>shim/entry/entry.h
	printf 'int low_begin(void);\n' >core/base/low.h
	in_order
	printf 'int low_begin(void);\n\nint begin(void);\n' >core/base/low.h
	finds "core/base/low.h:3: begin() is not named after its file or folder"
}

@test "a folder with sixteen files" {
	for i in {01..14}; do
		echo >"shim/entry/file$i.c"
	done
	in_order
	echo >shim/entry/file15.c
	finds "shim/entry:1: 16 .c files: divide it, or give the reason in LARGE"
}

@test "a folder that has no place" {
	mkdir shim/attic
	echo >shim/attic/old.c
	finds "shim/attic/old.c:1: shim/attic has no place in the table"
}

@test "a folder of tests that is not in the table" {
	mkdir tests/attic
	echo >tests/attic/test_old.c
	finds "tests/attic:1: no house of the table"
}

@test "an include that names no file" {
	echo '#include "low.h"' >shim/failure/middle.c
	finds "shim/failure/middle.c:1: no file low.h from where includes start"
}

@test "the drawing names rooms, the highest first, and grows stale" {
	echo >shim/failure/middle.c
	"$check" --draw . | tee drawing
	[[ $(sed -n '/^shim/,$p' drawing | sed -n 2,3p) == "    entry "*" 1 files      6 lines"$'\n'"    failure "* ]]
	{
		echo '<!-- drawn by scripts/check-floors --draw -->'
		cat drawing
		echo '<!-- end of the drawing -->'
	} >house.md
	"$check" --draw --check house.md .
	rm shim/failure/middle.c
	run "$check" --draw --check house.md .
	((status == 1))
	[[ $output == "house.md:1: not the house any more: "* ]]
}

@test "a folder that is no source tree" {
	run "$check" /dev
	((status == 2))
	[[ $output == "check-floors: /dev has no folder shim" ]]
}
