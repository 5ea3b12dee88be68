#!/usr/bin/env bats
# `culprit clean` and what is removed without it: bundles of processes that have exited.

load robust

# A host that has stopped itself in the middle of its work: alive, but no longer writing.
start_stopped() {
	ROBUST_SIGNAL=$(kill -l STOP) LD_PRELOAD=$shim "$robust" killed_at_work &
	stopped=$!
	until [[ $(sed 's/.*) //' "/proc/$stopped/stat") == T* ]]; do
		kill -0 "$stopped"
	done
}

end_stopped() {
	kill -KILL "$stopped"
	wait "$stopped" || true
}

@test "clean: removes what is over, never the bundle of a process that is alive" {
	under fault
	under killed_at_work
	mkdir bundles/culprit-mine bundles/other
	touch bundles/culprit-mine/file bundles/other/meta.json
	start_stopped
	alive=$(echo bundles/culprit-robust-"$stopped")
	memory=$(readlink "$alive/live")
	run --separate-stderr "$culprit" clean bundles
	end=$status
	ls bundles >left
	[[ -f $memory/ring-0 ]]
	end_stopped
	echo "$output"
	[[ $end -eq 0 && -z $stderr ]]
	((${#lines[@]} == 2))
	diff left <(printf '%s\n' culprit-mine "$(basename "$alive")" other | sort)
	CULPRIT_DIR=bundles "$culprit" clean
	[[ ! -e $memory && ! -e $alive && -f bundles/culprit-mine/file ]]
	run --separate-stderr "$culprit" clean missing
	[[ $status -eq 6 && $stderr == "culprit clean: missing: No such file or directory" ]]
	run -2 "$culprit" clean --size much
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
		LD_PRELOAD=$shim unshare -rpf --mount-proc "$robust" killed_at_work || true
	done
	ls bundles
	(($(ls -d bundles/culprit-robust-1* | wc -l) == 5))
}
