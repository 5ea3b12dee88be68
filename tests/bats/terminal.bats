#!/usr/bin/env bats
# The command's output on a terminal: colours, its width, and notes of progress. The other files check
# that output elsewhere has none of them.

load cli

red=$'\e[1;31m'

# terminal COLUMNS ARGUMENT...: what `culprit` leaves on a terminal of that width, in $output. A note of
# progress, which a loaded machine shows, is erased there; $written has it.
terminal() {
	run python3 -S "$BATS_TEST_DIRNAME/terminal.py" "$1" "$culprit" "${@:2}"
	written=$output
	output=$(sed $'s/^.*\r\e\\[K//; s/\r//g' <<<"$output")
}

# is_within COLUMNS: no line of $output is wider.
is_within() {
	python3 -S -c '
import re, sys
for line in sys.stdin.read().split("\n"):
    shown = re.sub(r"\x1b\[[0-9;]*m", "", line)
    assert len(shown) <= int(sys.argv[1]), (len(shown), shown)' "$1" <<<"$output"
}

@test "terminal: coloured where it is one and NO_COLOR is not set, or as --color says" {
	"$make_bundle" failed failed
	export TERM=xterm
	terminal 200 report failed
	[[ $status -eq 0 && $output == *"${red}exact"* ]]
	NO_COLOR=1 terminal 200 report failed
	[[ $output != *$'\e['* && $output == *'exact: launch #7'* ]]
	NO_COLOR='' terminal 200 report failed
	[[ $output == *"${red}exact"* ]]
	TERM=dumb terminal 200 report failed
	[[ $output != *$'\e['* ]]
	terminal 200 report --color never failed
	[[ $output != *$'\e['* ]]
	culprit report --color always failed
	[[ $status -eq 0 && $output == *"${red}exact"* ]]
	culprit report --color auto failed
	[[ $output != *$'\e['* ]]
	culprit report --color red failed
	complains 2 "culprit report: --color 'red': expected auto|always|never; see culprit help report"
}

@test "terminal: lines fit any width, and a headline is wrapped and not cut; elsewhere nothing is cut" {
	"$make_bundle" failed failed
	culprit report failed
	local whole=$output columns
	for columns in 40 61 80 120 300; do
		terminal "$columns" report --color always failed
		is_within "$columns"
		[[ $(tr -d '\n ' <<<"$output") == *'culprit:'*'CUDA_ERROR_ILLEGAL_ADDRESS'*'(700)'*'exact'*'launch#7'* ]]
	done
	terminal 1000 report --color never failed
	[[ $output == "$whole" ]]
}

@test "terminal: a short report has its verdict at the right edge, and its error below if there is no room" {
	export CULPRIT_REPORT=short
	"$make_bundle" failed failed
	culprit report failed
	local whole=$output columns
	for columns in 40 61 80 120 300; do
		terminal "$columns" report --color never failed
		is_within "$columns"
		grep -Eq '(^|  )exact$' <<<"$output"
	done
	terminal 110 report --color never failed
	grep -q '^error\[700\]: .* past the end of allocation #3  exact$' <<<"$output"
	grep -q '^  CUDA_ERROR_ILLEGAL_ADDRESS, pid 1234$' <<<"$output"
	terminal 80 report --color never failed
	[[ $output == *'end of allocation #3 (CUDA_ERROR_ILLEGAL_ADDRESS, pid 1234)'*exact$'\n''  --> '* ]]
	terminal 1000 report --color never failed
	grep -q "^error\[700\]: .* (CUDA_ERROR_ILLEGAL_ADDRESS, pid 1234)  exact$" <<<"$output"
	[[ $(tail -n +2 <<<"$output") == $(tail -n +2 <<<"$whole") ]]
}

@test "terminal: without UTF-8 in the locale, a report is ASCII" {
	"$make_bundle" failed failed
	local length
	for length in short full; do
		CULPRIT_REPORT=$length LC_ALL=C terminal 60 report --color never failed
		[[ $status -eq 0 && -n $output ]]
		[[ -z $(tr -d '\n\t -~' <<<"$output") ]]
		is_within 60
	done
	CULPRIT_REPORT=short LC_ALL='' LC_CTYPE='' LANG=POSIX culprit report failed
	[[ -n $output && -z $(tr -d '\n\t -~' <<<"$output") ]]
	CULPRIT_REPORT=short LC_ALL=de_DE.utf8 culprit report failed
	[[ $output == *·* ]]
}

@test "terminal: culprit run shows its report the same way" {
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 && -x $build/bin/corpus ]] || skip "no simcuda in this build"
	export TERM=xterm LD_LIBRARY_PATH=$simcuda
	terminal 70 run --markers inline -- "$build/bin/corpus" \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $status -eq 1 && $output == *"${red}exact"* ]]
	terminal 70 run --color never --markers inline -- "$build/bin/corpus" \
		--kernels "$build/lib/simcuda-kernels" stray_store
	[[ $output != *$'\e['* && $output == *'exact: launch #'* ]]
}

@test "terminal: reading for more than a second shows a note of progress, and erases it" {
	[[ -x $build/bin/corpus ]] || skip "no fault corpus in this build"
	simcuda=$build/lib/simcuda
	[[ -e $simcuda/libcuda.so.1 ]] || skip "no simcuda in this build"
	cp --remove-destination "$build/bin/corpus" program
	use_tools objcopy
	objcopy --only-keep-debug program program.debug
	objcopy --strip-debug --add-gnu-debuglink=program.debug program
	LD_LIBRARY_PATH=$simcuda culprit run --quiet -- ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	rm program.debug
	mkfifo program.debug # in a directory of its own: nobody else waits for it
	terminal 200 report --symbol-wait 2 culprit-program-*
	[[ $status -eq 0 && $written == *'culprit: reading the debug information of '*'/program ...'* ]]
	[[ $written == *$'\e[K'*'culprit: CUDA_ERROR'* && $output != *'culprit: reading'* ]]
}
