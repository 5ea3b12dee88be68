#!/usr/bin/env bats
# The command line of culprit: what it refuses and how it says so, its help and its manual page.

load cli

commands="demo run status report list explain pack dump diff memory trace doctor clean triage env completion version help"

@test "without a command: the list of commands, on standard error" {
	culprit
	[[ $status -eq 2 && -z $output && $stderr == "usage: culprit"* ]]
}

@test "--version and --help" {
	culprit --version
	[[ $status -eq 0 && ${#lines[@]} -eq 3 && ${lines[0]} =~ ^culprit\ [0-9]+(\.[0-9]+){2}(\ \(commit\ [0-9a-f]{12}\))?$ ]]
	[[ ${lines[1]} =~ ^formats\ +bundle\ [0-9]+,\ journal\ [0-9]+,\ pack\ [0-9]+,\ report\ JSON\ [0-9]+,\ status\ JSON\ [0-9]+$ ]]
	[[ ${lines[2]} =~ ^libraries\ +libdw\ [0-9.]+,\ jansson\ [0-9.]+,\ lz4\ [0-9.]+,\ zstd\ [0-9.]+,\ zlib\ [0-9.]+,\ glibc\ [0-9.]+$ ]]
	version=$output
	culprit version
	[[ $status -eq 0 && $output == "$version" ]]
	culprit version 2
	complains 2 "culprit version: '2': no operand is expected; see culprit help version"
	culprit --help
	[[ $status -eq 0 && -z $stderr ]]
	for command in $commands; do
		[[ $output == *$'\n'"  $command "* ]]
	done
}

@test "unknown command and unknown option" {
	culprit frobnicate
	complains 2 "culprit: unknown command 'frobnicate'; see culprit help"
	culprit --frobnicate
	complains 2 "culprit: unknown option '--frobnicate'; see culprit help"
	for command in $commands; do
		wanted=2
		[[ $command == run ]] && wanted=125
		culprit "$command" --frobnicate
		complains $wanted "culprit $command: unknown option '--frobnicate'; see culprit help $command"
		culprit "$command" -Z
		complains $wanted "culprit $command: unknown option '-Z'; see culprit help $command"
	done
}

@test "what is nearly a command or an option: did you mean" {
	culprit reprot x
	complains 2 "culprit: unknown command 'reprot'; did you mean report? See culprit help"
	culprit ruin
	complains 2 "culprit: unknown command 'ruin'; did you mean run? See culprit help"
	culprit run --makers inline true
	complains 125 "culprit run: unknown option '--makers'; did you mean --markers? See culprit help run"
	culprit run --failcode=3 true
	complains 125 "culprit run: unknown option '--failcode=3'; did you mean --fail-code? See culprit help run"
	culprit report --fromat json x
	complains 2 "culprit report: unknown option '--fromat'; did you mean --format? See culprit help report"
	for word in -- --x --zzzzzzzz "--$(printf 'markers%.0s' {1..99})"; do
		culprit doctor "$word" 2
		[[ $status -eq 2 && $stderr != *"did you mean"* ]]
	done
}

@test "an option may be cut short where that leaves one alone" {
	culprit run --mark sideways true
	complains 125 "culprit run: --markers 'sideways': expected auto|side|inline|off[:K][@N]; see culprit help run"
	culprit run --fail=x true
	complains 125 "culprit run: --fail-code 'x': expected 0 to 255; see culprit help run"
	culprit run --re 1 true
	complains 125 "culprit run: '--re' may be --report or --records; see culprit help run"
	# One that is whole is not the beginning of another.
	culprit run --stack-check 0 --stacks sideways true
	complains 125 "culprit run: --stacks 'sideways': expected off|on; see culprit help run"
	culprit run --=1 true
	complains 125 "culprit run: unknown option '--=1'; see culprit help run"
}

@test "missing operands and values" {
	culprit run
	complains 125 "culprit run: no command given; see culprit help run"
	culprit run --
	complains 125 "culprit run: no command given; see culprit help run"
	culprit report
	complains 3 "culprit report: no bundle in '.'"
	culprit dump
	complains 2 "culprit dump: no bundle given; see culprit help dump"
	culprit dump a b
	complains 2 "culprit dump: more than one bundle given; see culprit help dump"
	culprit doctor now
	complains 2 "culprit doctor: 'now': no operand is expected; see culprit help doctor"
	culprit help frobnicate
	complains 2 "culprit help: no command 'frobnicate'; see culprit help"
	culprit run --markers
	complains 125 "culprit run: a value must follow '--markers'; see culprit help run"
	culprit report -o
	complains 2 "culprit report: a value must follow '-o'; see culprit help report"
	culprit run --quiet=1 true
	complains 125 "culprit run: this option takes no value: '--quiet=1'; see culprit help run"
}

@test "values that an option does not have" {
	culprit run --markers sideways true
	complains 125 "culprit run: --markers 'sideways': expected auto|side|inline|off[:K][@N]; see culprit help run"
	culprit run --records=1000 true
	complains 125 "culprit run: --records '1000': expected N; see culprit help run"
	for value in 256 -1 x 1x '' 99999999999999999999; do
		culprit run --fail-code "$value" true
		complains 125 "culprit run: --fail-code '$value': expected 0 to 255; see culprit help run"
	done
	culprit report --format yaml x
	complains 2 "culprit report: --format 'yaml': expected text|json|html|junit|sarif|gitlab|github|markdown; see culprit help report"
	culprit dump --file rings x
	complains 2 "culprit dump: --file 'rings': unknown kind of file; see culprit help dump"
}

@test "a hostile option cannot steer the terminal" {
	culprit run $'--\e[2J'
	complains 125 "culprit run: unknown option '--?[2J'; see culprit help run"
}

# The options of a command as the source's table has them: the help and the page must know all.
options_of() {
	"$culprit" help "$1" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'
}

@test "help of each command, by both ways, lists its options" {
	for command in $commands; do
		culprit help "$command"
		[[ $status -eq 0 && $output == "usage: culprit $command "* && -z $stderr ]]
		by_help=$output
		culprit "$command" --help
		[[ $status -eq 0 && $output == "$by_help" ]]
		culprit "$command" -h
		[[ $status -eq 0 && $output == "$by_help" ]]
		[[ ! $output =~ [^$'\n']{101} ]]
	done
	tables=$root/tools/command/commands.def
	for command in run report dump doctor; do
		[[ $(grep -c "^OPTION($command," "$tables") -ge 1 ]]
		while read -r flag; do
			options_of "$command" | grep -qx -- "--$flag"
		done < <(sed -n "s/^OPTION($command, [a-z_]*, \"\([a-z-]*\)\".*/\1/p" "$tables")
	done
	while read -r flag; do
		options_of run | grep -qx -- "--$flag"
	done < <(sed -n 's/^SETTING([a-z_]*, "[A-Z_]*", "\([a-z-]*\)".*/\1/p' "$root/core/base/settings.def")
}

# The kinds of files that a bundle may hold, as the source's table has them.
journal_kinds() {
	sed -n 's/^JOURNAL_FILE([0-9]*, [A-Z_]*, "\([a-z-]*[a-z]\)-*",.*/\1/p' "$root/core/base/journal_files.def"
}

@test "dump --file: the help names each kind of file, and no other" {
	journal_kinds | sort >kinds
	[[ $(wc -l <kinds) -ge 17 ]]
	"$culprit" help dump | tr '\n' ' ' |
		sed 's/.*of one kind: //; s/ -o, --output.*//; s/, */ /g; s/ or / /' |
		tr -s ' ' '\n' | grep . | sort >named
	diff kinds named
	"$make_bundle" failed failed
	while read -r kind; do
		culprit dump --file "$kind" failed
		[[ $status -eq 0 && -z $stderr ]]
	done <kinds
}

@test "the manual page lists every option, variable and exit status, and renders without a warning" {
	page=$build/share/man/man1/culprit.1
	[[ -s $page ]]
	for command in $commands; do
		grep -q "^\.SS culprit $command" "$page"
		while read -r option; do
			grep -qF -- "${option//-/\\-}" "$page"
		done < <(options_of "$command")
	done
	while read -r variable; do
		grep -qF "$variable" "$page"
	done < <(grep -o 'CULPRIT_[A-Z_]*[A-Z]' "$root/core/base/settings.def" | sort -u)
	while read -r number; do
		grep -qF "\\fB$number\\fR" "$page"
	done < <(sed -n 's/^EXIT_STATUS([A-Z_]*, \([0-9]*\),.*/\1/p' "$root/tools/command/exit_status.def")
	grep -qF '"n_suspects"' "$page"
	if command -v groff >/dev/null; then
		run --separate-stderr groff -man -ww -Tutf8 "$page"
		[[ $status -eq 0 && -z $stderr ]]
	fi
	if command -v mandoc >/dev/null; then
		run mandoc -Tlint -Wwarning "$page"
		echo "$output"
		[[ $status -eq 0 ]]
	fi
}

@test "an output that cannot be written is not a success" {
	"$make_bundle" failed failed
	run --separate-stderr bash -c "'$culprit' report failed >/dev/full"
	complains 6 "culprit report: standard output: No space left on device"
	run --separate-stderr bash -c "'$culprit' dump failed >/dev/full"
	complains 6 "culprit dump: standard output: No space left on device"
	run --separate-stderr bash -c "'$culprit' help run >/dev/full"
	complains 6 "culprit help: standard output: cannot write"
	culprit report --output /nonexistent/out failed
	complains 6 "culprit report: /nonexistent/out: No such file or directory"
}
