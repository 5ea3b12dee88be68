#!/usr/bin/env bats
# `culprit clean` and what is removed without it: bundles of processes that have exited.

load robust

# A host that has stopped itself in the middle of its work: alive, but no longer writing.
start_stopped() {
	ROBUST_SIGNAL=$(kill -l STOP) LD_PRELOAD=$shim "$robust" killed_at_work &
	stopped=$!
	until [[ $(sed 's/.*) //' "/proc/$stopped/stat") == T* && -s $(echo bundles/*-"$stopped"/meta.json) ]]; do
		kill -0 "$stopped"
	done
}

end_stopped() {
	kill_hosts "$stopped"
}

@test "clean: removes what is over, never the bundle of a process that is alive" {
	under fault
	under killed_at_work
	mkdir bundles/culprit-mine bundles/other
	touch bundles/culprit-mine/file bundles/other/meta.json
	start_stopped
	alive=$(echo bundles/culprit-robust-"$stopped")
	memory=$(readlink "$alive/live")
	run --separate-stderr "$culprit" clean --all bundles
	end=$status
	ls bundles >left
	[[ -f $memory/ring-0 ]]
	end_stopped
	echo "$output"
	[[ $end -eq 0 && -z $stderr ]]
	((${#lines[@]} == 2))
	diff left <(printf '%s\n' culprit-mine "$(basename "$alive")" other | sort)
	CULPRIT_DIR=bundles "$culprit" clean --all
	[[ ! -e $memory && ! -e $alive && -f bundles/culprit-mine/file ]]
	run --separate-stderr "$culprit" clean --all missing
	[[ $status -eq 6 && $stderr == "culprit clean: missing: No such file or directory" ]]
	run -2 "$culprit" clean --size much
}

@test "clean: removes nothing unless it is told what, and nothing in a dry run" {
	for age in 1 3 5; do
		under fault
		mkdir -p all
		mv bundles/culprit-robust-* "all/culprit-n$age"
		touch -d "-$age days -1 hour" "all/culprit-n$age"
	done
	for wrong in "" "--dry-run" "--all --size 1" "--all --older-than 1"; do
		run -2 --separate-stderr "$culprit" clean $wrong all
		[[ -z $output && $stderr == "culprit clean: "*"--all"* ]]
	done
	run -0 --separate-stderr "$culprit" clean --dry-run --all all
	[[ ${#lines[@]} == 3 && -z $stderr ]]
	run -0 "$culprit" clean -n --older-than 3 all
	[[ $(sort <<<"$output") == $'all/culprit-n3\nall/culprit-n5' ]]
	[[ $(echo all/*) == "all/culprit-n1 all/culprit-n3 all/culprit-n5" ]]
	run -0 "$culprit" clean --older-than 4 --size 1000 all
	[[ $output == all/culprit-n5 ]]
	run -0 "$culprit" clean --all all
	[[ ${#lines[@]} == 2 && -z $(ls all) ]]
	# The journal of a killed process stays in memory after a dry run.
	in_own_memory '
		under killed_at_work
		"$culprit" clean --dry-run --all bundles
		[[ -L $(echo bundles/*/live) ]]'
}

@test "clean, run: the newest bundles stay up to a size" {
	for n in 1 2 3 4; do
		under fault
		touch -d "2020-01-0$n" bundles/culprit-robust-*
		mkdir -p all
		mv bundles/culprit-robust-* "all/culprit-n$n"
	done
	size=$(du -sk all/culprit-n1 | cut -f1)
	echo "each takes $size kB"
	((size > 1000 && size < 1400))
	"$culprit" clean --size 1000 all
	(($(ls all | wc -l) == 4))
	"$culprit" clean --size 3 all
	ls all
	[[ $(echo all/*) == "all/culprit-n3 all/culprit-n4" ]]
	"$culprit" run --dir all --dir-size 2 true
	[[ $(echo all/*) == all/culprit-n4 ]]
}

@test "processes of one number do not run out of names" {
	unshare -rm true || skip "needs name spaces"
	for n in 1 2 3 4 5; do
		unshare -rpf --mount-proc bash -c "$(declare -f settle)
			LD_PRELOAD=$shim '$robust' killed_at_work
			robust=$robust settle"
	done
	ls bundles
	(($(ls -d bundles/culprit-robust-2* | wc -l) == 5))
}
