#!/usr/bin/env bats
# Hosts that run for a long time and use more objects, one after the other, than any table of
# culprit's holds. No table stays full, no memory grows, and no row shows another one's name.

load robust

# named LAUNCH KERNEL: the report names kernel, line and arguments of the launch that failed.
named() {
	"$culprit" report bundles/* >report.txt
	cat report.txt
	grep -Eq "exact: launch #$1, $2( \\[|\$)" under.err
	grep -Eq "^  launched from .*jit\.c:[0-9]+ jit_launch .*tables\.c:[0-9]+ fail" report.txt
	grep -Eq "^  arguments +0: 0x7$" report.txt
	grep -Eq "1: 0x[0-9a-f]+ = allocation #2 \+ 0 \(4 KiB" report.txt
	lacks "no room" report.txt
}

# culprit queries the driver once at the first launch. A query at the second would read freed
# memory.
@test "a kernel whose module was unloaded is launched: the driver is not asked about it" {
	local call
	for call in cuFuncGetName cuFuncGetModule; do
		SIMCUDA_INJECT=$call:2:700:sticky unharmed late_launch
		bundles 0
	done
}

@test "a kernel that is loaded and unloaded 20,000 times: rows are used again" {
	fails_as_ever kernels_come_again
	named 20001 k0000099999
	(($("$culprit" dump -F functions bundles/* | grep -c '^function ') < 18000))
	size 24576
}

@test "70,000 kernels that are loaded and unloaded, each of another name" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	fails_as_ever kernels_come_and_go
	named 70001 k0000099999
	size 24576
	# The rows of the last unloaded kernels are still there, and each has its own name.
	"$culprit" dump -F functions bundles/* >functions.txt
	grep -q 'name="k0000069999"' functions.txt
	(($(grep -c '^function ' functions.txt) < 20000))
}

# launched_from PATTERN: the report's line about the launch that failed.
launched_from() {
	"$culprit" report bundles/* >report.txt
	cat report.txt
	grep -Eq "^  launched from .*$1" report.txt
	lacks "no room" report.txt
}

@test "launches from 200,000 different stacks: the table turns, and the stack is right" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	fails_as_ever stacks_come_and_go
	verdict "exact: launch #200001, k0000099999"
	launched_from "jit\.c:[0-9]+ jit_launch .*tables\.c:[0-9]+ fail"
	size 32768
	# Each stack that is still there is whole, or says that it is not.
	"$culprit" dump -F stacks bundles/* >stacks.txt
	(($(grep -c '^stack ' stacks.txt) >= 1048575))
}

@test "70,000 threads that name themselves: the last ones' names are known" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	fails_as_ever threads_come_and_go
	verdict "exact: launch #70001, k0000099999"
	launched_from "jit\.c:[0-9]+ jit_launch .*tables\.c:[0-9]+ fail"
	grep -Eq 'thread [0-9]+ "robust"' under.err
	"$culprit" dump -F threads bundles/* >threads.txt
	grep -q '"worker 69999"' threads.txt
	grep -q '"robust"' threads.txt
	(($(grep -c '^thread ' threads.txt) < 20000))
}

@test "launches from 20,000 libraries of other names: the last one's is known" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	LD_LIBRARY_PATH+=:$build/lib
	unharmed libraries_come_and_go
	verdict "exact: launch #20001, stray_store"
	launched_from "\(?made-20000.so"
	"$culprit" dump -F modules bundles/* >modules.txt
	(($(grep -c '^module ' modules.txt) < 6000))
}

# own_names FILE: each launch of a dump has the name of its own kernel or none. Prints how many have
# one. Launch number N is of kernel N - 1.
own_names() {
	awk '/ submission call="cuLaunchKernel" / && match($0, /#[0-9]+/) {
		wanted = sprintf("kernel=\"k%010d\"", substr($0, RSTART + 1, RLENGTH - 1) - 1)
		if (index($0, wanted)) n++
		else if (!index($0, "kernel=\"\"") && !index($0, "kernel=-")) { print "wrong: " $0; exit 1 }
	} END { print n + 0 }' "$1"
}

@test "a reader shows no kernel by another one's name, of a living process and of one that was killed" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	local n
	LD_PRELOAD=$shim "$robust" kernels_come_and_go >under.out 2>under.err &
	# Rows are reused after 16 Ki kernels have been unloaded.
	echo 0 >seen
	until (($(cat seen) >= 30000)); do
		kill -0 $!
		"$culprit" dump -F ring bundles/culprit-* >live.txt 2>live.err || true
		own_names live.txt
		grep ' submission ' live.txt | tail -1 | grep -o ' #[0-9]*' | tr -d ' #' >seen || echo 0 >seen
	done
	kill -KILL $!
	wait $! || true
	"$culprit" dump -F ring bundles/culprit-* >killed.txt
	n=$(own_names killed.txt)
	echo "$n names"
	((n > 16000))
	(($(grep -c ' submission call="cuLaunchKernel" ' killed.txt) > n))
}

@test "70,000 kernels at once: what found no room is counted, and nothing has a wrong name" {
	not_emulated "tables take minutes to fill, and are as large on each processor"
	fails_as_ever kernels_stay
	verdict "exact: launch #70001, an unknown kernel"
	grep -Eq "^  arguments +not known, since the kernel is not$" under.err
	# Rows for 65,535 of them, and of the host's own none is launched.
	grep -Eq "^  no room +for 4466 kernels$" under.err
	"$culprit" report --format json bundles/* >report.json
	grep -Eq '"no_room": ?\{"functions": ?4466\}' report.json
}
