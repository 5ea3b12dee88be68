#!/usr/bin/env bats
# Containers: culprit is process 1, and clocks count from another moment.

load cli

@test "run: as process 1 it reaps children whose parents have exited" {
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces of process numbers here"
	# The orphans end before the shell looks: each holds a pipe open, which is read to its end.
	cat >orphans.sh <<-'END'
		for _ in 1 2 3 4; do
			sh -c 'sleep 0.1 &' | cat
		done
		# One more event, after which all of them have been seen.
		sh -c ': &'
		for _ in $(seq 3000); do
			left=$(grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | wc -l)
			((left == 0)) && break
			sleep 0.1
		done
		echo "left: $left, child of 1: $PPID"
		exit 7
	END
	run unshare --pid --fork --mount-proc "$culprit" run -- bash orphans.sh
	echo "$output"
	# The loader complains of programs for another processor.
	output=$(grep -v '^ERROR: ld.so: object ' <<<"$output")
	[[ $status -eq 7 && $output == "left: 0, child of 1: 1" ]]
}

# lives [COMMAND...]: starts a process that records and waits, by that command; its journal is $memory.
lives() {
	LD_LIBRARY_PATH=$build/lib/simcuda CULPRIT_DIR=bundles "$@" env LD_PRELOAD="$build/lib/libculprit.so" \
		"$build/bin/tests/memory_host" kinds wait <&8 >out 2>err 8>&- &
	host=$!
	# On a busy machine, the bundle is made later than the host prints.
	until [[ -s out && -L $(echo bundles/culprit-memory_host-*/live) ]]; do
		kill -0 $host
		sleep 0.05
	done
	memory=$(readlink bundles/culprit-memory_host-*/live)
	[[ -d $memory ]]
}

ends() {
	echo >&8
	wait $host
	rm out
}

@test "a run in another time namespace leaves the journal of a living process alone" {
	local other=(unshare --time --boottime 100000 --monotonic 5000 --fork)
	"${other[@]}" true 2>/dev/null || skip "no time namespaces here"
	mkdir bundles
	mkfifo go
	exec 8<>go
	lives
	"${other[@]}" "$culprit" run --dir bundles -- true
	[[ -d $memory ]]
	ends
	lives "${other[@]}"
	"$culprit" run --dir bundles -- true
	[[ -d $memory ]]
	"${other[@]}" "$culprit" run --dir bundles -- true
	[[ -d $memory ]]
	ends
}

# Orphans are its children, too, and there may be thousands of them.
@test "run: as process 1 it lets orphans remove their own journals" {
	unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces of process numbers here"
	cat >orphan.sh <<-'END'
		mkfifo start end
		sh -c '{ read -r _ <start; exec 3>end; exec "$@"; } &' - "$1" exit_by_return
		echo >start
		cat end
		ls /dev/shm
		echo "child of 1: $PPID"
	END
	export LD_LIBRARY_PATH=$build/lib/simcuda
	run unshare --mount --pid --fork --mount-proc bash -c 'mount -t tmpfs none /dev/shm && exec "$@"' - \
		"$culprit" run --dir bundles -- bash orphan.sh "$build/bin/tests/robust"
	echo "$output"
	# The loader complains of programs for another processor.
	output=$(grep -v '^ERROR: ld.so: object ' <<<"$output")
	[[ $status -eq 0 && $output == "child of 1: 1" && -z $(ls bundles) ]]
}
