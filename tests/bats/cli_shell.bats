#!/usr/bin/env bats
# Output for shells: the environment that loads the library, and command line completion.

load cli

@test "env loads the library into programs that the shell starts" {
	fail_on_simcuda # leaves ./program
	eval "$("$culprit" env)"
	run env LD_LIBRARY_PATH="$build/lib/simcuda" CULPRIT_DIR="$PWD" ./program \
		--kernels "$build/lib/simcuda-kernels" stray_store
	unset LD_PRELOAD NVTX_INJECTION64_PATH
	[[ $status -eq 1 && $output == *"launch #"*"stray_store"* ]]
}

@test "env keeps the previous values of LD_PRELOAD and the NVTX variable" {
	run env LD_PRELOAD="$build/lib/libstale_200.so" NVTX_INJECTION64_PATH="it's" "$culprit" env
	[[ ${lines[0]} == "export LD_PRELOAD='$build/lib/libstale_200.so:$build/lib/libculprit.so'" ]]
	[[ ${lines[1]} == "export NVTX_INJECTION64_PATH='it'\\''s'" ]]
	eval "${lines[1]}"
	[[ $NVTX_INJECTION64_PATH == "it's" ]]
	unset NVTX_INJECTION64_PATH
}

@test "env fails without a library, and with an operand" {
	CULPRIT_LIBRARY=/nowhere culprit env
	complains 5 "culprit env: /nowhere: No such file or directory; set CULPRIT_LIBRARY to where libculprit.so is"
	culprit env fish
	complains 2 "culprit env: 'fish': no operand is expected; see culprit help env"
}

# completes WORD...: print what bash offers for the last word.
completes() {
	eval "$("$culprit" completion bash)"
	COMP_WORDS=(culprit "$@")
	COMP_CWORD=$#
	_culprit
	echo "${COMPREPLY[*]}"
}

@test "completion in bash offers commands, options and their values" {
	[[ $(completes re) == report ]]
	[[ $(completes run --mark) == --markers ]]
	[[ $(completes run --markers i) == inline ]]
	[[ $(completes report --format "") == "text json"* ]]
	[[ -z $(completes run ./prog) && -z $(completes report "") ]]
	[[ $(completes clean --) == "--help --size --older-than --all --dry-run" ]]
}

@test "completion scripts are accepted by zsh and fish" {
	"$culprit" completion zsh >completion.zsh
	"$culprit" completion fish >completion.fish
	grep -q "'--markers=\[How the GPU reports its progress\]:value:(auto side inline off )'" completion.zsh
	grep -q -- "-l markers -x -a 'auto side inline off '" completion.fish
	command -v zsh >/dev/null && zsh -n completion.zsh
	command -v fish >/dev/null && fish --no-execute completion.fish
	command -v zsh >/dev/null && command -v fish >/dev/null || skip "zsh or fish is not here"
}

@test "zsh loads the completion from its folder of functions, and from a start-up file" {
	command -v zsh >/dev/null || skip "zsh is not here"
	mkdir functions
	"$culprit" completion zsh >functions/_culprit
	cat >complete.zsh <<'END'
autoload -Uz compinit
compinit -u -D
# Stand-ins print what would be offered.
_describe() { print -- $commands }
_arguments() { print -- $@ }
words=(culprit re) CURRENT=2
$_comps[culprit]
END
	zsh -fc 'fpath=(functions $fpath); . ./complete.zsh' >loaded
	grep -q '^demo:.*report:' loaded
	# shellcheck disable=SC2016
	CULPRIT=$culprit zsh -fc 'autoload -Uz compinit; compinit -u -D; eval "$("$CULPRIT" completion zsh)"
		. ./complete.zsh' >evaluated
	grep -q '^demo:.*report:' evaluated
}

@test "completion for an unknown or missing shell fails" {
	culprit completion
	complains 2 "culprit completion: expected one of bash, zsh, fish; see culprit help completion"
	culprit completion tcsh
	complains 2 "culprit completion: expected one of bash, zsh, fish; see culprit help completion"
}
