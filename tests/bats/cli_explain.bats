#!/usr/bin/env bats
# `culprit explain`: what it prints, and that no word is left out. tests/unit/tools/test_explain.c
# compares it with the program's own tables.

load cli

@test "explain: a code, by number and by name, with causes and steps" {
	culprit explain 700
	[[ $status -eq 0 && -z $stderr && ${lines[0]} == "CUDA_ERROR_ILLEGAL_ADDRESS (700): error code" ]]
	[[ $output == *$'\nusual causes:\n  - '* && $output == *$'\nnext:\n  - '* ]]
	by_number=$output
	culprit explain CUDA_ERROR_ILLEGAL_ADDRESS
	[[ $output == "$by_number" ]]
	culprit explain an illegal memory access was encountered
	[[ $output == "$by_number" ]]
	# Plain text of 80 columns, whatever the locale.
	[[ $(awk 'length > 80' <<<"$output") == "" ]]
}

@test "explain: no text is wider than 80 columns, or other than ASCII" {
	LC_ALL=C grep -P '[^\x00-\x7f]' "$root"/tools/explain/*.def && false
	culprit explain
	[[ $status -eq 0 ]]
	for word in $(sed -n 's/^  //p' <<<"$output" | grep -v ' [a-z]* [a-z]' | tr -d ,); do
		culprit explain "$word"
		awk -v word="$word" 'length > 80 && !/[^ ]{70}/ { print word ": " $0 }' <<<"$output" >>wide
	done
	cat wide
	[[ ! -s wide ]]
}

@test "explain: each rule that the program can name" {
	grep -rhoE '"[a-z]+\.[a-z_]+"' "$root"/core/rejection "$root"/shim/rejection --include='*.c' |
		sort -u | tr -d '"' >rules
	(($(wc -l <rules) >= 29))
	# No other file names a rule.
	! grep -rhE '(rule|id)\b.*"[a-z]+\.[a-z]+_[a-z_]+"' "$root"/core "$root"/shim --include='*.c' \
		--exclude-dir=rejection || false
	while read -r rule; do
		culprit explain "$rule"
		echo "$rule: $status"
		[[ $status -eq 0 && ${lines[0]} == "$rule: refused call" ]]
	done <rules
}

@test "explain: each term of the glossary's first table" {
	sed -n '/^## In reports/,/^## In the code/s/^| \([^|]*\) |.*/\1/p' "$root/docs/glossary.md" |
		grep -v '^term$\|^---' | tr ',' '\n' | sed 's/^ *//; s/ *$//' >terms
	(($(wc -l <terms) > 20))
	while read -r term; do
		culprit explain "$term"
		echo "$term: $status"
		[[ $status -eq 0 ]]
	done <terms
}

@test "explain: an unknown word is one line, with similar words, and status 2" {
	culprit explain narowed
	complains 2 "culprit explain: 'narowed': no such word; did you mean narrowed? \`culprit explain\` lists all words"
	culprit explain frobnicate
	complains 2 "culprit explain: 'frobnicate': no such word; \`culprit explain\` lists all words"
	culprit explain grid_is
	complains 2 "culprit explain: 'grid_is': no such word; did you mean launch.grid_is_zero? \`culprit explain\` lists all words"
	culprit explain $'\e[2J'
	[[ $status -eq 2 && ${#stderr_lines[@]} -eq 1 && $stderr != *$'\e'* ]]
	culprit explain "$(printf 'x%.0s' {1..300})"
	complains 2 "culprit explain: too many words; see culprit help explain"
}

@test "explain: a word of several kinds is explained for each; without a word, all are listed" {
	culprit explain marker
	[[ $output == *"marker: evidence"* && $output == *"marker: term"* ]]
	culprit explain
	for word in 700 launch.grid_is_zero narrowed freed only_suspect "launched from" fingerprint; do
		[[ $output == *"$word"* ]]
	done
}
